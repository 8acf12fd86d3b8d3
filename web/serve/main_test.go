package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func built(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("page"), 0o600))
	return dir
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return portOf(l)
}

func TestItServesUntilItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	ended, port := make(chan error, 1), freePort(t)
	go func() { ended <- serve(ctx, built(t), "127.0.0.1", port, "") }()
	require.Eventually(t, func() bool {
		answer, err := http.Get("http://localhost:" + port)
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	}, 5*time.Second, 10*time.Millisecond)
	interrupt()
	require.NoError(t, <-ended)
}

func TestATakenPortIsSaidSo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	require.ErrorContains(t, serve(t.Context(), built(t), "127.0.0.1", portOf(l), ""), "choose another one: make run PORT=")
}

func TestAFolderWithoutBuildIsSaidSo(t *testing.T) {
	require.ErrorContains(t, serve(t.Context(), t.TempDir(), "127.0.0.1", "0", ""), "run `make build` first")
}

func TestTheAddressIsShownAsAPersonTypesIt(t *testing.T) {
	require.Equal(t, "localhost", shown("127.0.0.1"))
	require.Equal(t, "localhost", shown("::1"))
	require.Equal(t, "192.168.1.5", shown("192.168.1.5"))
}
