package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

// answers is what each path does, by its longest prefix.
func answers() map[string]func(*exchange) {
	return map[string]func(*exchange){
		"/json":  func(e *exchange) { e.text("application/json", `{"ok":true,"list":[1,2,3]}`) },
		"/echo":  echo,
		"/bytes": func(e *exchange) { e.set("Content-Length", strconv.Itoa(e.number("n", 1024))); pattern(e) },
		"/stream": func(e *exchange) {
			e.set("Content-Type", "application/octet-stream")
			pattern(e)
		},
		"/empty":  func(e *exchange) { e.set("Content-Length", "0") },
		"/status": status,
		"/redirect": func(e *exchange) {
			e.set("Location", e.query.Get("to"))
			e.w.WriteHeader(last(e, http.StatusFound))
		},
		"/refresh/meta": func(e *exchange) {
			e.text("text/html", `<!doctype html><meta http-equiv="refresh" content="0; url=/json?led">`)
		},
		"/refresh/header": func(e *exchange) { e.set("Refresh", "0; url=/json?led"); e.text("text/html", "wait") },

		"/bomb/gzip": func(e *exchange) { e.set("Content-Encoding", "gzip"); bomb(e, gzip.NewWriter(e.w)) },
		"/bomb/br":   func(e *exchange) { e.set("Content-Encoding", "br"); bomb(e, brotli.NewWriterLevel(e.w, 1)) },
		"/bomb/twice": func(e *exchange) {
			e.set("Content-Encoding", "gzip, gzip")
			outer := gzip.NewWriter(e.w)
			bomb(e, gzip.NewWriter(outer))
			_ = outer.Close()
		},
		"/gzip/broken": func(e *exchange) { e.set("Content-Encoding", "gzip"); e.text("text/plain", "this is no gzip") },

		"/endless":      func(e *exchange) { e.endless([]byte(strings.Repeat("x", 16<<10)), 0) },
		"/drip":         func(e *exchange) { e.endless([]byte("."), 20*time.Millisecond) },
		"/hold/headers": func(e *exchange) { e.wait(e.r.Context()) },
		"/hold/body":    func(e *exchange) { e.text("text/plain", "first"); e.wait(e.r.Context()); e.write([]byte(" and last")) },

		"/utf8/bad":      func(e *exchange) { e.text("text/plain; charset=utf-8", "a\xff\xfeb\xc3(\xed\xa0\x80") },
		"/charset/wrong": func(e *exchange) { e.text("text/plain; charset=iso-8859-1", "gr\u00fc\u00df") },
		"/html":          func(e *exchange) { e.text("text/html", `{"ok":true}<script>fetch("/json?led")</script>`) },
		"/json/html": func(e *exchange) {
			e.text("application/json", `<!doctype html><title>Sign in</title><img src="/json?led">`)
		},

		"/auth/401": func(e *exchange) {
			e.set("WWW-Authenticate", `Basic realm="who are you?"`)
			e.w.WriteHeader(http.StatusUnauthorized)
			e.write([]byte("no"))
		},
		"/auth/407": func(e *exchange) {
			e.set("Proxy-Authenticate", `Basic realm="who are you?"`)
			e.w.WriteHeader(http.StatusProxyAuthRequired)
			e.write([]byte("no"))
		},
		"/hints": hints,
		"/cookies": func(e *exchange) {
			e.w.Header().Add("Set-Cookie", "a=1; Path=/; Secure; SameSite=None; Partitioned")
			e.w.Header().Add("Set-Cookie", "b=2; Path=/; Secure; SameSite=None; Partitioned; HttpOnly")
			e.text("text/plain", "set")
		},
		"/state": func(e *exchange) {
			e.set("Clear-Site-Data", `"*"`)
			e.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
			e.set("Content-Security-Policy", "default-src 'none'; sandbox")
			e.set("Alt-Svc", `h3=":443"`)
			e.set("X-Seen", "yes")
			e.text("text/plain", "done")
		},
		"/cache": func(e *exchange) {
			e.set("Cache-Control", "public, max-age=3600, immutable")
			e.set("ETag", `"one"`)
			e.text("text/plain", "fresh")
		},

		"/cors/none": func(e *exchange) {
			e.w.Header().Del("Access-Control-Allow-Origin")
			e.text("application/json", `{"private":true}`)
		},
		"/cors/other": func(e *exchange) {
			e.set("Access-Control-Allow-Origin", "https://other.example.com")
			e.text("text/plain", "x")
		},
		"/cors/twice":       func(e *exchange) { e.w.Header().Add("Access-Control-Allow-Origin", "*"); e.text("text/plain", "x") },
		"/cors/credentials": func(e *exchange) { e.set("Access-Control-Allow-Credentials", "true"); e.text("text/plain", "x") },
		"/preflight/fail":   func(e *exchange) { e.text("text/plain", "must not be reached by what needs a preflight") },

		"/length/long": func(e *exchange) { raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: 1000\r\n\r\nshort", true) },
		"/length/short": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: 5\r\n\r\nlonger than told", true)
		},
		"/length/two": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: 3\r\nContent-Length: 5\r\n\r\nwords", true)
		},
		"/length/negative": func(e *exchange) { raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: -1\r\n\r\nwords", true) },
		"/length/huge": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: 99999999999999999999\r\n\r\nwords", true)
		},
		"/chunked/cut": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Transfer-Encoding: chunked\r\n\r\n5\r\nwords\r\n", true)
		},
		"/chunked/bad": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Transfer-Encoding: chunked\r\n\r\nzz\r\nwords\r\n0\r\n\r\n", true)
		},
		"/chunked/endless": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"Transfer-Encoding: chunked\r\n\r\n5\r\nwords\r\n", false)
		},
		"/raw/nothing": func(e *exchange) { raw(e, "", true) },
		"/raw/words":   func(e *exchange) { raw(e, "I am no web server\r\n\r\n", true) },
		"/raw/status": func(e *exchange) {
			raw(e, "HTTP/1.1 999 \xff\xfe\r\n"+openTo+"Content-Length: 1\r\nX-Bad: \xc3\x28\r\n\r\nx", true)
		},
		"/raw/zero": func(e *exchange) {
			raw(e, "HTTP/1.1 200 OK\r\n"+openTo+"X-Zero: a\x00b\r\nContent-Length: 1\r\n\r\nx", true)
		},
		"/raw/informed": func(e *exchange) {
			raw(e, strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 50)+"HTTP/1.1 200 OK\r\n"+openTo+"Content-Length: 2\r\n\r\nok", true)
		},
		"/raw/headers": endlessHeaders,
		"/reset":       reset,

		"/fetch-proxy": func(e *exchange) { e.proxy.answer(e) },
	}
}

// openTo lets every page read a raw answer.
const openTo = "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: *\r\nContent-Type: text/plain\r\nConnection: close\r\n"

// echo tells a client what it sent.
func echo(e *exchange) {
	text, err := json.Marshal(map[string]any{"method": e.q.Method, "headers": e.q.Headers, "body": e.body})
	if err != nil {
		e.w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if say := e.q.Headers["x-say"]; say != "" {
		e.set("X-Said", say)
	}
	e.text("application/json", string(text))
}

// last is the number at the end of a path.
func last(e *exchange, otherwise int) int {
	n, err := strconv.Atoi(e.r.URL.Path[strings.LastIndexByte(e.r.URL.Path, '/')+1:])
	if err != nil {
		return otherwise
	}
	return n
}

func status(e *exchange) {
	code := last(e, http.StatusOK)
	e.w.WriteHeader(code)
	if code != http.StatusNoContent && code != http.StatusNotModified && code != http.StatusResetContent {
		e.write([]byte("status " + strconv.Itoa(code)))
	}
}

func hints(e *exchange) {
	e.set("Link", "</json?led>; rel=preload; as=fetch")
	e.w.WriteHeader(http.StatusEarlyHints)
	e.w.Header().Del("Link")
	e.text("text/plain", "after hints")
}

// pattern sends n bytes, of which the one at i is i*7 mod 251.
func pattern(e *exchange) {
	left := e.number("n", 1024)
	block := make([]byte, 251*64)
	for i := range block {
		block[i] = byte(i * 7 % 251)
	}
	for left > 0 && e.write(block[:min(left, len(block))]) {
		left -= min(left, len(block))
	}
}

// bomb sends zeros that decode to n bytes, a gigabyte unless told.
func bomb(e *exchange, packed io.WriteCloser) {
	zeros := bytes.Repeat([]byte{0}, 1<<20)
	for left := e.number("n", 1<<30); left > 0; left -= len(zeros) {
		n, err := packed.Write(zeros)
		e.sent += int64(n)
		if err != nil || e.r.Context().Err() != nil {
			e.cut = true
			return
		}
	}
	_ = packed.Close()
}

// endless goes on until the client is gone.
func (e *exchange) endless(piece []byte, pause time.Duration) {
	e.set("Content-Type", "text/plain")
	for e.write(piece) {
		select {
		case <-time.After(pause):
		case <-e.r.Context().Done():
		}
	}
}
