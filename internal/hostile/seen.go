package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// request is what the server knows of one request.
type request struct {
	Conn    int               `json:"conn"`
	Proto   string            `json:"proto"`
	Host    string            `json:"host"`
	Method  string            `json:"method"`
	Path    string            `json:"path"` // with its query
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body,omitempty"` // base64; up to keptBody
	Bytes   int               `json:"bytes"`
	SHA256  string            `json:"sha256"`
	// open, answered, or cut: the client was gone before the answer was whole.
	State string `json:"state"`
	Sent  int64  `json:"sent"` // bytes of the answer's body that were written, before they were compressed
}

const keptBody = 64 << 10

// seen is the memory of the server.
type seen struct {
	mu          sync.Mutex
	requests    []*request
	connections int // ever made
	since       int // the number of them when all was last forgotten
	underWay    map[*request]bool
	most        int // requests under way at once
	released    chan struct{}
}

type connKey struct{}

func newSeen() *seen {
	return &seen{requests: []*request{}, released: make(chan struct{}), underWay: map[*request]bool{}}
}

// counting counts connections, also those that never say a word of HTTP.
type counting struct {
	net.Listener
	seen *seen
}

// numbered is a connection with its number.
type numbered struct {
	net.Conn
	number int
}

func (l *counting) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	l.seen.connections++
	return &numbered{conn, l.seen.connections}, nil
}

// connect gives the requests of a connection its number.
func (s *seen) connect(ctx context.Context, conn net.Conn) context.Context {
	if n, ok := inner(conn).(*numbered); ok {
		ctx = context.WithValue(ctx, connKey{}, n.number)
	}
	return ctx
}

// inner is the connection below TLS.
func inner(conn net.Conn) net.Conn {
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		return secure.NetConn()
	}
	return conn
}

// begin remembers a request, and reads its body to the end.
func (s *seen) begin(r *http.Request) (*request, []byte) {
	number, _ := r.Context().Value(connKey{}).(int)
	q := &request{Conn: number, Proto: r.Proto, Host: r.Host, Method: r.Method, Path: r.URL.RequestURI(), Headers: map[string]string{}, State: "open"}
	for name, values := range r.Header {
		q.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	s.mu.Lock()
	s.requests = append(s.requests, q)
	s.underWay[q] = true
	s.most = max(s.most, len(s.underWay))
	s.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // one that breaks off is told as far as it came
	hash := sha256.Sum256(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	q.Body, q.Bytes, q.SHA256 = body[:min(len(body), keptBody)], len(body), hex.EncodeToString(hash[:])
	return q, body
}

func (s *seen) end(q *request, state string, sent int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.underWay, q)
	q.State, q.Sent = state, sent
}

// gate is closed when all that are held are let go.
func (s *seen) gate() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.released
}

// control tells what was seen (GET /seen), forgets it (POST /forget), and lets go of those that are held (POST /release).
func (s *seen) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /seen", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		text, err := json.Marshal(map[string]any{"requests": s.requests, "connections": s.connections - s.since, "underWay": len(s.underWay), "most": s.most})
		s.mu.Unlock()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(text)
	})
	mux.HandleFunc("POST /forget", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests, s.since, s.most = []*request{}, s.connections, len(s.underWay)
	})
	mux.HandleFunc("POST /release", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		close(s.released)
		s.released = make(chan struct{})
	})
	return mux
}
