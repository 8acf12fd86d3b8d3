package server

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// contentTypes are the kinds of file that a build has; everything else is bytes.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".ts":   "text/plain; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/plain; charset=utf-8",
	".json": "application/json",
	".map":  "application/json",
	".wasm": "application/wasm",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
}

// encodings in order of preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// send answers with the whole file or with 304. There are no ranges: nothing here is large enough to be fetched in parts, and a
// part of a compressed sibling would be of no use.
func (s *Server) send(w http.ResponseWriter, r *http.Request, name string) error {
	info, err := s.stat(name)
	if err != nil {
		return err
	}
	stored, encoding := name, ""
	for _, e := range encodings {
		// An older sibling is left from another build.
		sibling, err := s.stat(name + e.suffix)
		if err == nil && !sibling.ModTime().Before(info.ModTime()) && accepts(r.Header.Get("Accept-Encoding"), e.name) {
			stored, encoding = name+e.suffix, e.name
			break
		}
	}
	file, err := s.root.Open(stored)
	if err != nil {
		return err
	}
	defer file.Close()
	tag, size, err := s.tags.of(stored, file)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", tag)
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	if r.Method == http.MethodGet {
		_, _ = io.CopyN(w, file, size) // a reader who left is no error of ours
	}
	return nil
}

// stat finds a regular file; a folder is no file.
func (s *Server) stat(name string) (fs.FileInfo, error) {
	info, err := s.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	return info, err
}

// contentType never guesses from the content: nosniff tells the reader not to either.
func contentType(name string) string {
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

// accepts reads an Accept-Encoding header (RFC 9110, 12.5.3) for one encoding.
func accepts(header, encoding string) bool {
	any := false
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
		quality, found := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		q, err := strconv.ParseFloat(quality, 64)
		wanted := !found || err == nil && q > 0
		switch strings.ToLower(strings.TrimSpace(name)) {
		case encoding:
			return wanted
		case "*":
			any = wanted
		}
	}
	return any
}

// matches reads an If-None-Match header (RFC 9110, 13.1.2); the comparison is weak.
func matches(header, tag string) bool {
	for item := range strings.SplitSeq(header, ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		if item == tag || item == "*" {
			return true
		}
	}
	return false
}

// tags remembers the hash of each file as long as its size and time stay.
type tags struct {
	mu    sync.Mutex
	known map[string]tagged
}

type tagged struct {
	tag  string
	size int64
	time time.Time
}

// of returns the tag and size of an open file, which stands at its beginning before and after.
func (t *tags) of(name string, file *os.File) (tag string, size int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return "", 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if k, ok := t.known[name]; ok && k.size == info.Size() && k.time.Equal(info.ModTime()) {
		return k.tag, k.size, nil
	}
	hash := sha256.New()
	if size, err = io.Copy(hash, file); err != nil {
		return "", 0, err
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return "", 0, err
	}
	tag = `"` + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18]) + `"`
	if t.known == nil {
		t.known = map[string]tagged{}
	}
	t.known[name] = tagged{tag, size, info.ModTime()}
	return tag, size, nil
}
