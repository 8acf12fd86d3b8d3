package server_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/web/server"
)

const policy = "default-src 'none'"

const page = "<!doctype html><title>page</title>"

// site is a built folder with a secret beside it.
func site(t *testing.T, o server.Options) (dir string, handler *server.Server) {
	t.Helper()
	base := t.TempDir()
	dir = filepath.Join(base, "dist")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder"), 0o755))
	put(t, filepath.Join(base, "secret.txt"), "secret")
	put(t, filepath.Join(dir, "index.html"), page)
	put(t, filepath.Join(dir, "console.wasm"), "\x00asm")
	put(t, filepath.Join(dir, "console.js"), "js")
	put(t, filepath.Join(dir, "console.js.br"), "br")
	put(t, filepath.Join(dir, "console.js.gz"), "gz")
	put(t, filepath.Join(dir, "folder", "inner.css"), "css")
	put(t, filepath.Join(dir, ".hidden"), "hidden")
	put(t, filepath.Join(dir, "data"), "data")
	require.NoError(t, os.Symlink(filepath.Join(base, "secret.txt"), filepath.Join(dir, "link.txt")))
	o.Dir = dir
	handler, err := server.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, handler.Close()) })
	return dir, handler
}

func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func ask(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path, r.Host = target, "localhost:8080"
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	_, h := site(t, server.Options{Policy: policy})
	for title, w := range map[string]*httptest.ResponseRecorder{
		"page":         ask(h, "GET", "/"),
		"file":         ask(h, "GET", "/console.wasm"),
		"head":         ask(h, "HEAD", "/console.js"),
		"missing":      ask(h, "GET", "/nothing"),
		"method":       ask(h, "POST", "/"),
		"host":         ask(h, "GET", "/", "Host", "evil.example"),
		"not modified": ask(h, "GET", "/", "If-None-Match", "*"),
	} {
		t.Run(title, func(t *testing.T) {
			require.Equal(t, policy, w.Header().Get("Content-Security-Policy"))
			require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
			require.Equal(t, "same-origin-allow-popups", w.Header().Get("Cross-Origin-Opener-Policy"))
			require.Contains(t, w.Header().Get("Permissions-Policy"), "camera=()")
			require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
		})
	}
}

func TestOnlyFilesOfTheFolderAreServed(t *testing.T) {
	_, h := site(t, server.Options{})
	for _, row := range []struct {
		method, path string
		status       int
		body, kind   string
	}{
		{"GET", "/", 200, page, "text/html; charset=utf-8"},
		{"GET", "/index.html", 200, page, "text/html; charset=utf-8"},
		{"GET", "/console.wasm", 200, "\x00asm", "application/wasm"},
		{"GET", "/console.js", 200, "js", "text/javascript; charset=utf-8"},
		{"GET", "/folder/inner.css", 200, "css", "text/css; charset=utf-8"},
		{"GET", "/data", 200, "data", "application/octet-stream"},
		{"HEAD", "/console.js", 200, "", "text/javascript; charset=utf-8"},
		{"GET", "/folder", 404, "", ""},
		{"GET", "/folder/", 404, "", ""},
		{"GET", "/nothing", 404, "", ""},
		{"GET", "/.hidden", 404, "", ""},
		{"GET", "/console.js.br", 404, "", ""},
		{"GET", "/console.js.gz", 404, "", ""},
		{"GET", "/../secret.txt", 404, "", ""},
		{"GET", "/folder/../../secret.txt", 404, "", ""},
		{"GET", "/folder/../console.js", 404, "", ""},
		{"GET", "/..\\secret.txt", 404, "", ""},
		{"GET", "//console.js", 404, "", ""},
		{"GET", "/./console.js", 404, "", ""},
		{"GET", "/console.js\x00", 404, "", ""},
		{"GET", "console.js", 404, "", ""},
		{"POST", "/", 405, "", ""},
		{"DELETE", "/console.js", 405, "", ""},
		{"OPTIONS", "/", 405, "", ""},
	} {
		t.Run(row.method+" "+row.path, func(t *testing.T) {
			w := ask(h, row.method, row.path)
			require.Equal(t, row.status, w.Code)
			require.NotContains(t, w.Body.String(), "secret")
			if row.status == 200 {
				require.Equal(t, row.body, w.Body.String())
				require.Equal(t, row.kind, w.Header().Get("Content-Type"))
			}
		})
	}
}

func TestALinkOutOfTheFolderIsNotFollowed(t *testing.T) {
	_, h := site(t, server.Options{})
	w := ask(h, "GET", "/link.txt")
	require.GreaterOrEqual(t, w.Code, 400)
	require.NotContains(t, w.Body.String(), "secret\n")
	require.NotEqual(t, "secret", w.Body.String())
}

func TestOnlyNamesOfThisMachineAreServed(t *testing.T) {
	_, h := site(t, server.Options{Hosts: []string{"console.test"}})
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST:1": 200, "127.0.0.1:8080": 200, "[::1]:8080": 200, "[::1]": 200,
		"192.168.1.5:8080": 200, "console.test:8080": 200,
		"evil.example": 403, "evil.example:8080": 403, "localhost.evil.example": 403, "": 403, "a.console.test": 403,
	} {
		t.Run(host, func(t *testing.T) { require.Equal(t, status, ask(h, "GET", "/", "Host", host).Code) })
	}
}

func TestACompressedSiblingGoesToWhoAcceptsIt(t *testing.T) {
	_, h := site(t, server.Options{})
	for accept, want := range map[string]string{
		"": "js", "br": "br", "gzip": "gz", "gzip, deflate, br, zstd": "br", "br;q=0, gzip": "gz", "br;q=0": "js", "*": "br",
		"*;q=0": "js", "gzip;q=0.5": "gz", "identity": "js", "GZIP": "gz", "br;q=x": "js", "*;q=0, gzip": "gz", "br; q=0.0": "js",
	} {
		t.Run(accept, func(t *testing.T) {
			w := ask(h, "GET", "/console.js", "Accept-Encoding", accept)
			require.Equal(t, want, w.Body.String())
			require.Equal(t, map[string]string{"js": "", "br": "br", "gz": "gzip"}[want], w.Header().Get("Content-Encoding"))
			require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
			require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
			require.Equal(t, "2", w.Header().Get("Content-Length"))
		})
	}
}

func TestASiblingOlderThanItsFileIsNotSent(t *testing.T) {
	dir, h := site(t, server.Options{})
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "console.js.br"), old, old))
	require.Equal(t, "gz", ask(h, "GET", "/console.js", "Accept-Encoding", "br, gzip").Body.String())
}

func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	dir, h := site(t, server.Options{})
	first := ask(h, "GET", "/console.js").Header().Get("ETag")
	compressed := ask(h, "GET", "/console.js", "Accept-Encoding", "br").Header().Get("ETag")
	require.NotEqual(t, first, compressed, "each representation has its own tag")
	for header, status := range map[string]int{
		first: 304, "W/" + first: 304, "*": 304, `"x", ` + first: 304, `"x"`: 200, "": 200, compressed: 200,
	} {
		w := ask(h, "GET", "/console.js", "If-None-Match", header)
		require.Equal(t, status, w.Code, header)
		require.Equal(t, first, w.Header().Get("ETag"))
		if status == 304 {
			require.Empty(t, w.Body.String())
		}
	}
	path := filepath.Join(dir, "console.js")
	put(t, path, "JS")
	soon := time.Now().Add(time.Second)
	require.NoError(t, os.Chtimes(path, soon, soon))
	w := ask(h, "GET", "/console.js", "If-None-Match", first)
	require.Equal(t, 200, w.Code, "a rebuild shows without a restart")
	require.Equal(t, "JS", w.Body.String())
}

func TestARealClientGetsTheFile(t *testing.T) {
	dir, h := site(t, server.Options{})
	var zipped strings.Builder
	z := gzip.NewWriter(&zipped)
	_, err := z.Write([]byte("the text"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	put(t, filepath.Join(dir, "text.txt"), "the text")
	put(t, filepath.Join(dir, "text.txt.gz"), zipped.String())
	s := httptest.NewServer(h)
	defer s.Close()
	answer, err := http.Get(s.URL + "/text.txt")
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "the text", string(body))
	require.True(t, answer.Uncompressed)
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	_, err := server.New(server.Options{Dir: filepath.Join(t.TempDir(), "none")})
	require.Error(t, err)
}

func TestTheSandboxPageAloneIsSentWithAPolicyOfItsOwn(t *testing.T) {
	dir, handler := site(t, server.Options{Policy: policy, Frame: "sandbox allow-scripts"})
	put(t, filepath.Join(dir, "sandbox.html"), page)
	sent := ask(handler, http.MethodGet, "/sandbox.html").Result()
	require.Equal(t, http.StatusOK, sent.StatusCode)
	require.Equal(t, []string{"sandbox allow-scripts"}, sent.Header.Values("Content-Security-Policy"))
	require.Equal(t, "()", sent.Header.Get("Connection-Allowlist"))
	for _, other := range []string{"/", "/folder/sandbox.html", "/sandbox.html/", "/missing"} {
		header := ask(handler, http.MethodGet, other).Result().Header
		require.Equal(t, []string{policy}, header.Values("Content-Security-Policy"), other)
		require.Empty(t, header.Get("Connection-Allowlist"), other)
	}

	dir, handler = site(t, server.Options{Policy: policy})
	put(t, filepath.Join(dir, "sandbox.html"), page)
	require.Equal(t, policy, ask(handler, http.MethodGet, "/sandbox.html").Header().Get("Content-Security-Policy"), "none of its own: as all others")
}

func TestTheWindowsOfToolsAreSentWithPoliciesOfTheirOwn(t *testing.T) {
	dir, handler := site(t, server.Options{Policy: policy, Popup: "script-src 'sha256-x'", PopupFrame: "sandbox allow-scripts"})
	put(t, filepath.Join(dir, "popup.html"), page)
	put(t, filepath.Join(dir, "popup-frame.html"), page)
	sent := ask(handler, http.MethodGet, "/popup.html").Header()
	require.Equal(t, []string{"script-src 'sha256-x'"}, sent.Values("Content-Security-Policy"))
	require.Equal(t, "unsafe-none", sent.Get("Cross-Origin-Opener-Policy"), "the page keeps its hold on a window that is led elsewhere")
	require.Empty(t, sent.Get("Connection-Allowlist"))
	require.Equal(t, "no-referrer", sent.Get("Referrer-Policy"))
	sent = ask(handler, http.MethodGet, "/popup-frame.html").Header()
	require.Equal(t, []string{"sandbox allow-scripts"}, sent.Values("Content-Security-Policy"))
	require.Equal(t, "()", sent.Get("Connection-Allowlist"))
	require.Equal(t, policy, ask(handler, http.MethodGet, "/sandbox.html").Header().Get("Content-Security-Policy"))
}
