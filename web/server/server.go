package server

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
)

// Options say what is served.
type Options struct {
	Dir        string   // the built folder
	Policy     string   // the Content-Security-Policy of every response but those below; for these, none: as of all others
	Frame      string   // that of the sandbox page
	Popup      string   // that of the windows of tools
	PopupFrame string   // that of the frame in such a window
	Hosts      []string // further host names, without port, that requests may name
}

// Server is the handler. Close it.
type Server struct {
	root   *os.Root
	policy string
	own    map[string]func(http.Header) // of the files that have headers of their own, by URL path
	hosts  []string
	tags   tags
}

// New opens the folder. No link in it leads out of it: os.Root refuses such a path at the system's level, so fileName has to keep
// only what should have no address.
func New(o Options) (*Server, error) {
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, err
	}
	return &Server{root: root, policy: o.Policy, own: o.own(), hosts: o.Hosts}, nil
}

// Close closes the folder.
func (s *Server) Close() error { return s.root.Close() }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header(), s.policy)
	if own := s.own[r.URL.Path]; own != nil {
		own(w.Header())
	}
	if !s.admits(r.Host) {
		http.Error(w, "this host name is not served here; open http://localhost instead, or allow the name when starting the server",
			http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	err := s.send(w, r, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		http.Error(w, "no such file", http.StatusNotFound)
	case err != nil:
		http.Error(w, "the file cannot be read", http.StatusInternalServerError)
	}
}

// admits accepts addresses, localhost and the names allowed. An address cannot be pointed elsewhere by anybody's DNS.
func (s *Server) admits(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return host == "localhost" || net.ParseIP(host) != nil || slices.Contains(s.hosts, host)
}

// fileName is the file that a URL path names. What is hidden, or only there as another file's compressed form, has no URL.
func fileName(url string) (string, bool) {
	if strings.ContainsAny(url, "\\\x00") || !strings.HasPrefix(url, "/") || strings.Contains(url, "//") {
		return "", false
	}
	name := strings.TrimPrefix(url, "/")
	if name == "" {
		name = "index.html"
	}
	if path.Clean("/"+name) != "/"+name {
		return "", false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return "", false
		}
	}
	ext := path.Ext(name)
	return name, ext != ".br" && ext != ".gz"
}
