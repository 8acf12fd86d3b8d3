// Command hostile is a server that does to a client what servers do at their worst, for specs that judge by what it has seen.
//
// It listens on this machine alone: https under any name, with a certificate that is made for this run, and a control endpoint that tells
// every request and every connection. It prints one line of JSON, {port, control, spki}, and ends when its standard input does. A name
// that begins with "h2." is served by HTTP/2, all others by HTTP/1.1.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatalf("hostile: %v", err)
	}
}

// serve runs until the input ends.
func serve(in io.Reader, out io.Writer) error {
	certificate, spki, err := newCertificate()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	control, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer control.Close()

	seen := newSeen()
	proxy := newProxy(listener.Addr().String(), certificate)
	site := &http.Server{Handler: &site{seen, proxy}, ConnContext: seen.connect, ErrorLog: log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, GetConfigForClient: byName(certificate)}}
	ctx, cancel := context.WithCancel(context.Background())
	site.BaseContext = func(net.Listener) context.Context { return ctx }
	told := &http.Server{Handler: seen.control(), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 2)
	go func() { ended <- site.ServeTLS(&counting{listener, seen}, "", "") }()
	go func() { ended <- told.Serve(control) }()
	line, err := json.Marshal(map[string]any{"port": listener.Addr().(*net.TCPAddr).Port, "control": control.Addr().(*net.TCPAddr).Port, "spki": spki})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", line)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	cancel()
	err = errors.Join(err, site.Close(), told.Close())
	for range 2 {
		if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// byName chooses the protocol by the name that a client asks for.
func byName(certificate tls.Certificate) func(*tls.ClientHelloInfo) (*tls.Config, error) {
	return func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		protocols := []string{"http/1.1"}
		if strings.HasPrefix(hello.ServerName, "h2.") {
			protocols = []string{"h2"}
		}
		return &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: protocols}, nil
	}
}
