package main

import (
	"net"
	"net/http"
	"strings"
	"time"
)

// raw writes bytes past HTTP, and closes the connection or waits until the client does.
func raw(e *exchange, text string, closes bool) {
	conn := e.take()
	if conn == nil {
		return
	}
	defer conn.Close()
	if n, err := conn.Write([]byte(text)); err != nil {
		e.cut = true
	} else if e.sent = int64(n); !closes {
		e.untilGone(conn)
	}
}

// take takes the connection out of the server's hands; HTTP/2 has none of its own.
func (e *exchange) take() net.Conn {
	conn, _, err := http.NewResponseController(e.w).Hijack()
	if err != nil {
		e.w.WriteHeader(http.StatusNotImplemented)
		return nil
	}
	return conn
}

// untilGone waits for the client to hang up.
func (e *exchange) untilGone(conn net.Conn) {
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	_, err := conn.Read(make([]byte, 1))
	e.cut = err != nil
}

// endlessHeaders never comes to a body.
func endlessHeaders(e *exchange) {
	conn := e.take()
	if conn == nil {
		return
	}
	defer conn.Close()
	text := []byte("HTTP/1.1 200 OK\r\n" + openTo)
	for {
		n, err := conn.Write(text)
		if e.sent += int64(n); err != nil {
			e.cut = true
			return
		}
		text = []byte("X-More: " + strings.Repeat("m", 1000) + "\r\n")
	}
}

// reset breaks the connection in the middle of a body, without a word of TLS.
func reset(e *exchange) {
	conn := e.take()
	if conn == nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n" + openTo + "Content-Length: 100000\r\n\r\n" + strings.Repeat("y", 1000)))
	if n, ok := inner(conn).(*numbered); ok {
		if tcp, ok := n.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
			_ = tcp.Close()
		}
	}
}
