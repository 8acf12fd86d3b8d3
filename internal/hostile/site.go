package main

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// site answers every name. What a path does stands in its table; the query says how much.
type site struct {
	seen  *seen
	proxy *proxy
}

// exchange is one request on its way to an answer.
type exchange struct {
	w     http.ResponseWriter
	r     *http.Request
	q     *request
	body  []byte
	query url.Values
	seen  *seen
	proxy *proxy
	sent  int64
	cut   bool // the client was gone
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, body := s.seen.begin(r)
	e := &exchange{w: w, r: r, q: q, body: body, query: r.URL.Query(), seen: s.seen, proxy: s.proxy}
	defer func() {
		state := "answered"
		if e.cut || r.Context().Err() != nil {
			state = "cut"
		}
		s.seen.end(e.q, state, e.sent)
	}()
	e.admit()
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		e.preflight()
		return
	}
	path := strings.TrimSuffix(r.URL.Path, "/")
	for ; path != ""; path = path[:max(strings.LastIndexByte(path, '/'), 0)] {
		if answer := answers()[path]; answer != nil {
			answer(e)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// admit lets every page read the answer. A path may take it back.
func (e *exchange) admit() {
	e.set("Access-Control-Allow-Origin", "*")
	e.set("Access-Control-Expose-Headers", "*")
}

func (e *exchange) preflight() {
	if strings.HasPrefix(e.r.URL.Path, "/preflight/fail") || strings.HasPrefix(e.r.URL.Path, "/cors/none") {
		e.w.Header().Del("Access-Control-Allow-Origin")
		e.w.WriteHeader(http.StatusForbidden)
		return
	}
	e.set("Access-Control-Allow-Methods", e.r.Header.Get("Access-Control-Request-Method"))
	e.set("Access-Control-Allow-Headers", e.r.Header.Get("Access-Control-Request-Headers"))
	e.w.WriteHeader(http.StatusNoContent)
}

func (e *exchange) set(name, value string) { e.w.Header().Set(name, value) }

func (e *exchange) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(e.query.Get(name)); err == nil {
		return n
	}
	return otherwise
}

// write sends a piece at once, and tells whether there is somebody.
func (e *exchange) write(piece []byte) bool {
	if e.r.Context().Err() != nil {
		return false
	}
	n, err := e.w.Write(piece)
	e.sent += int64(n)
	if err == nil {
		err = http.NewResponseController(e.w).Flush()
	}
	if err != nil {
		e.cut = true
	}
	return err == nil
}

func (e *exchange) text(kind, text string) {
	e.set("Content-Type", kind)
	e.write([]byte(text))
}

// wait holds an answer back until it is let go, or the client is gone.
func (e *exchange) wait(ctx context.Context) {
	select {
	case <-e.seen.gate():
	case <-ctx.Done():
	}
}
