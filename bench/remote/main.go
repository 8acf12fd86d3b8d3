// Command remote is the other server of the bench: https on loopback with a certificate of nobody, open to every page. It prints its
// port and ends with its input.
//
//	GET /bytes?n=1024   that many bytes, of a length that is announced
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
)

const most = 1 << 30

func main() {
	block := make([]byte, 64<<10) // of no pattern
	_, _ = rand.Read(block)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil || n < 0 || n > most {
			http.Error(w, "want n", http.StatusBadRequest)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(n))
		for n > 0 {
			part := block[:min(n, len(block))]
			if _, err := w.Write(part); err != nil {
				return
			}
			n -= len(part)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // browsers that look at the certificate first
	server.StartTLS()
	defer server.Close()
	address, err := url.Parse(server.URL)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(address.Port())
	_, _ = io.Copy(io.Discard, os.Stdin)
}
