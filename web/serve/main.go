// Command serve serves a built console on this machine until it is interrupted.
//
//	go run ./web/serve -dir dist -port 8080
//
// The port may also come from the environment (PORT). Only this machine can reach it unless -address says otherwise.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
	"github.com/xyntopia/taskyon-sandbox/web/server"
)

func main() {
	log.SetFlags(0)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	dir := flag.String("dir", "dist", "the built `folder`")
	address := flag.String("address", "127.0.0.1", "the address to listen on")
	flag.StringVar(&port, "port", port, "the port to listen on")
	hosts := flag.String("hosts", "", "further host `names` that requests may use, separated by commas")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *dir, *address, port, *hosts); err != nil {
		log.Fatalf("serve: %v", err)
	}
}

// serve ends without error when ctx does; answers under way get a moment to finish.
func serve(ctx context.Context, dir, address, port, hosts string) error {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("%s holds no build; run `make build` first", dir)
	}
	o := server.Options{Dir: dir, Policy: sandboxhost.HostPolicy(bootstrap.FrameHash()), Frame: sandboxhost.PagePolicy(bootstrap.FrameHash()),
		Popup: sandboxhost.PopupPagePolicy(bootstrap.PopupHash()), PopupFrame: sandboxhost.PopupFramePagePolicy()}
	if hosts != "" {
		o.Hosts = strings.Split(strings.ToLower(hosts), ",")
	}
	handler, err := server.New(o)
	if err != nil {
		return err
	}
	defer handler.Close()
	listener, err := net.Listen("tcp", net.JoinHostPort(address, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %s is taken; stop what uses it, or choose another one: make run PORT=8081", port)
	}
	if err != nil {
		return err
	}
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	fmt.Printf("Taskyon console: http://%s/\n", net.JoinHostPort(shown(address), portOf(listener)))
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		return s.Shutdown(grace)
	}
}

// shown is the address as a person types it.
func shown(address string) string {
	if ip := net.ParseIP(address); ip != nil && ip.IsLoopback() {
		return "localhost"
	}
	return address
}

func portOf(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
