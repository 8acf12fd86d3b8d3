package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
)

// proxy is a small fetch proxy (POST /fetch-proxy) that reaches this server alone, under the names that it is asked for.
type proxy struct{ client *http.Client }

// carried is the first line of a request.
type carried struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers [][2]string `json:"headers"`
}

func newProxy(address string, certificate tls.Certificate) *proxy {
	trusted := x509.NewCertPool()
	trusted.AddCert(certificate.Leaf)
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return &proxy{&http.Client{Transport: &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{RootCAs: trusted}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// answer carries a request out. What is asked for below /refuse/CODE is refused with that code; /fetch-proxy/silent and /fetch-proxy/words are
// proxies that do not keep to the protocol, and /fetch-proxy/says?line= one that answers everything so.
func (p *proxy) answer(e *exchange) {
	switch {
	case strings.HasSuffix(e.r.URL.Path, "/silent"):
		e.w.WriteHeader(http.StatusBadGateway)
		return
	case strings.HasSuffix(e.r.URL.Path, "/says"):
		e.text("application/octet-stream", e.query.Get("line")+"\nbody")
		return
	case strings.HasSuffix(e.r.URL.Path, "/words"):
		e.text("text/plain", strings.Repeat("no line of JSON ", 10)+"\n")
		return
	}
	head, body, _ := bytes.Cut(e.body, []byte("\n"))
	var asked carried
	if err := json.Unmarshal(head, &asked); err != nil {
		e.line(map[string]any{"error": map[string]string{"code": "invalid_request", "message": "fetch: the proxy cannot read this"}})
		return
	}
	r, err := http.NewRequestWithContext(e.r.Context(), asked.Method, asked.URL, bytes.NewReader(body))
	if err != nil {
		e.line(map[string]any{"error": map[string]string{"code": "parse", "message": "fetch: the proxy cannot read this url"}})
		return
	}
	if code, refused := strings.CutPrefix(r.URL.Path, "/refuse/"); refused {
		e.line(map[string]any{"error": map[string]string{"code": code, "message": "fetch: the proxy says " + code}})
		return
	}
	for _, header := range asked.Headers {
		r.Header.Add(header[0], header[1])
	}
	r.Header.Set("Via", "1.1 hostile")
	response, err := p.client.Do(r)
	if err != nil {
		e.line(map[string]any{"error": map[string]string{"code": "network", "message": "fetch: the proxy had no answer"}})
		return
	}
	defer response.Body.Close()
	headers := [][2]string{}
	for name, values := range response.Header {
		for _, value := range values {
			headers = append(headers, [2]string{strings.ToLower(name), value})
		}
	}
	e.line(map[string]any{"status": response.StatusCode, "statusText": http.StatusText(response.StatusCode), "headers": headers})
	piece := make([]byte, 32<<10)
	for {
		n, err := response.Body.Read(piece)
		if n > 0 && !e.write(piece[:n]) || err != nil {
			if err != nil && err != io.EOF {
				panic(http.ErrAbortHandler) // breaks off what has broken off
			}
			return
		}
	}
}

// line is the first line of an answer.
func (e *exchange) line(head any) {
	text, err := json.Marshal(head)
	if err != nil {
		e.w.WriteHeader(http.StatusInternalServerError)
		return
	}
	e.set("Content-Type", "application/octet-stream")
	e.write(append(text, '\n'))
}
