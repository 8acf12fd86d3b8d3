//go:build js && wasm

// Command policy measures one decision about a usual request, the page's URL parser included, and writes the microseconds that it took.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/urls"
)

const (
	warmup = 3000
	count  = 5000
)

// yes grants everything.
type yes struct{}

func (yes) Granted(context.Context, policy.Want) (bool, error) { return true, nil }

func main() {
	took, err := measure(context.Background(), "https://api.example.com/v1/weather?city=Vienna&units=metric")
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.WriteString(fmt.Sprintf("%.3f\n", float64(took.Nanoseconds())/1000/count))
}

func measure(ctx context.Context, url string) (took time.Duration, err error) {
	parser, err := urls.New()
	if err != nil {
		return 0, err
	}
	p, err := policy.New(parser, policy.Host{Self: []string{"https://app.example.org"}}, limits.Default())
	if err != nil {
		return 0, err
	}
	needs, err := p.Needs([]tool.FetchNeed{{Origin: "https://api.example.com", Access: "read"}})
	if err != nil {
		return 0, err
	}
	asker := policy.Asker{Revision: canon.SumTool([]byte("a tool")), Needs: needs}
	request := policy.Request{Method: "GET", URL: url, Headers: []policy.Header{{Name: "Accept", Value: "application/json"}}}
	var start time.Time
	for i := -warmup; i < count; i++ {
		if i == 0 {
			start = time.Now()
		}
		permit, err := p.Decide(ctx, asker, request, yes{})
		if err != nil {
			return 0, err
		}
		if permit.URL() != url {
			return 0, fmt.Errorf("the permit is for %s", permit.URL())
		}
	}
	return time.Since(start), nil
}
