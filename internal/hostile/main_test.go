package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// told is what the control endpoint says.
type told struct {
	Requests    []request `json:"requests"`
	Connections int       `json:"connections"`
	Most        int       `json:"most"`
}

// start runs a server for a test, and gives a client of it and the address of its control.
func start(t *testing.T) (client *http.Client, control string) {
	in, hold := io.Pipe()
	out, line := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(in, line) }()
	var told struct {
		Port, Control int
		SPKI          string
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(text), &told))
	require.Len(t, told.SPKI, 44)
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", told.Port))
	}
	transport := &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		require.NoError(t, hold.Close())
		require.NoError(t, <-ended)
	})
	return &http.Client{Transport: transport}, fmt.Sprintf("http://127.0.0.1:%d", told.Control)
}

func seenBy(t *testing.T, control string) told {
	response, err := http.Get(control + "/seen")
	require.NoError(t, err)
	defer response.Body.Close()
	var all told
	require.NoError(t, json.NewDecoder(response.Body).Decode(&all))
	return all
}

func TestTheServerRemembersWhatWasAskedAndForgetsWhenTold(t *testing.T) {
	client, control := start(t)
	for _, host := range []string{"api", "h2"} {
		response, err := client.Post("https://"+host+".example.com/echo?a=1", "text/plain", strings.NewReader("body"))
		require.NoError(t, err)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, string(text), `"body":"Ym9keQ=="`)
	}
	all := seenBy(t, control)
	require.Len(t, all.Requests, 2)
	require.Equal(t, 2, all.Connections)
	for i, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		q := all.Requests[i]
		require.Equal(t, []any{proto, "POST", "/echo?a=1", "body", 4, "text/plain"}, []any{q.Proto, q.Method, q.Path, string(q.Body), q.Bytes, q.Headers["content-type"]})
	}
	response, err := http.Post(control+"/forget", "", nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, told{Requests: []request{}}, told{seenBy(t, control).Requests, seenBy(t, control).Connections, seenBy(t, control).Most})
}

func TestAClientThatHangsUpIsNoticed(t *testing.T) {
	client, control := start(t)
	for i, url := range []string{"https://api.example.com/drip", "https://h2.example.com/endless", "https://api.example.com/chunked/endless"} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		require.NoError(t, err)
		response, err := client.Do(r)
		require.NoError(t, err)
		_, err = response.Body.Read(make([]byte, 1))
		require.NoError(t, err)
		require.Equal(t, "open", seenBy(t, control).Requests[i].State)
		cancel()
		require.NoError(t, response.Body.Close())
		require.Eventually(t, func() bool { return seenBy(t, control).Requests[i].State == "cut" }, 5*time.Second, 10*time.Millisecond, url)
	}
}

func TestWhatLiesAboutItselfIsBrokenForAClientThatChecks(t *testing.T) {
	client, _ := start(t)
	for _, path := range []string{"/length/long", "/length/two", "/chunked/cut", "/chunked/bad", "/raw/nothing", "/raw/words", "/reset", "/gzip/broken"} {
		response, err := client.Get("https://api.example.com" + path)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			require.NoError(t, response.Body.Close())
		}
		require.Error(t, err, path)
	}
}
