//go:build js && wasm

// Package network is power.Carrier in a page: the page's own fetch, as it was when the engine was loaded.
package network

import (
	"context"
	"io"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Carrier implements power.Carrier. It is safe for concurrent use.
type Carrier struct {
	fetch      safejs.Value
	reflect    safejs.Value
	controller safejs.Value // the AbortController class
	bytes      safejs.Value // the Uint8Array class
	array      safejs.Value // the Array class
	json       safejs.Value
}

// New captures what is needed of the page. Fetch is the page's, undefined for the one that it has now.
func New(fetch safejs.Value) (*Carrier, error) {
	c := &Carrier{fetch: fetch}
	for name, into := range map[string]*safejs.Value{"Reflect": &c.reflect, "AbortController": &c.controller, "Uint8Array": &c.bytes, "Array": &c.array, "JSON": &c.json} {
		value, err := safejs.Global().Get(name)
		if err != nil || value.IsUndefined() {
			return nil, fault.New(fault.Unavailable, "page: has no %s", name)
		}
		*into = value
	}
	if !fetch.IsUndefined() {
		return c, nil
	}
	now, err := safejs.Global().Get("fetch")
	if err != nil || now.Type() != safejs.TypeFunction {
		return nil, fault.New(fault.Unavailable, "page: has no fetch")
	}
	c.fetch = now
	return c, nil
}

// get reads a property of a foreign object, whose getter may throw.
func (c *Carrier) get(from safejs.Value, name string) (safejs.Value, error) {
	return c.reflect.Call("get", from, name)
}

func (c *Carrier) text(from safejs.Value, name string) string {
	value, err := c.get(from, name)
	if err != nil || value.Type() != safejs.TypeString {
		return ""
	}
	text, _ := value.String()
	return text
}

var errNetwork = power.Fail(power.Network, "fetch: there was no answer: this device is offline, the server is not there or does not admit this page (CORS), or the page's policy (connect-src) keeps it from asking; the network panel of the browser says which")

// Carry implements power.Carrier.
func (c *Carrier) Carry(ctx context.Context, r power.Carried) (*power.Response, error) {
	controller, err := c.controller.New()
	if err != nil {
		return nil, errNetwork
	}
	abort := func() {
		if guard.Fixed || guard.On("fetch-cancel") {
			_, _ = controller.Call("abort")
		}
	}
	stop := context.AfterFunc(ctx, abort)
	response, err := c.start(ctx, controller, r)
	if err != nil {
		stop()
		abort()
		return nil, err
	}
	if body, ok := response.Body.(*body); ok {
		body.end = func() { stop(); abort() }
	} else {
		stop()
	}
	return response, nil
}

func (c *Carrier) start(ctx context.Context, controller safejs.Value, r power.Carried) (*power.Response, error) {
	signal, err := c.get(controller, "signal")
	if err != nil {
		return nil, errNetwork
	}
	headers := make([]any, len(r.Headers))
	for i, h := range r.Headers {
		headers[i] = []any{h.Name, h.Value}
	}
	options := map[string]any{"method": r.Method, "headers": headers, "mode": "cors", "credentials": "omit", "cache": "no-store", "redirect": "manual",
		"referrer": "", "referrerPolicy": "no-referrer", "signal": safejs.Unsafe(signal)}
	weaken(options)
	if r.Body != nil {
		sent, err := c.bytes.New(len(r.Body))
		if err != nil {
			return nil, errNetwork
		}
		if _, err := safejs.CopyBytesToJS(sent, r.Body); err != nil {
			return nil, errNetwork
		}
		options["body"] = safejs.Unsafe(sent)
	}
	promise, err := c.fetch.Invoke(r.URL, options)
	if err != nil {
		return nil, errNetwork
	}
	response, err := jsbind.Await(ctx, promise)
	if err != nil {
		return nil, errNetwork
	}
	if c.text(response, "type") == "opaqueredirect" {
		return nil, power.Fail(power.RedirectBlocked, "fetch: the answer is a redirect, which is not followed; ask for the address it leads to")
	}
	return c.read(response)
}

// read takes the head of a response.
func (c *Carrier) read(response safejs.Value) (*power.Response, error) {
	status, err := c.get(response, "status")
	if err != nil {
		return nil, errNetwork
	}
	out := &power.Response{StatusText: c.text(response, "statusText")}
	if out.Status, err = status.Int(); err != nil {
		return nil, errNetwork
	}
	if out.Headers, err = c.headers(response); err != nil {
		return nil, errNetwork
	}
	stream, err := c.get(response, "body")
	if err != nil || stream.Type() != safejs.TypeObject {
		return out, nil
	}
	reader, err := stream.Call("getReader")
	if err != nil {
		return nil, errNetwork
	}
	out.Body = &body{carrier: c, reader: reader, end: func() {}}
	return out, nil
}

// headers crosses the border once, as one text.
func (c *Carrier) headers(response safejs.Value) ([]policy.Header, error) {
	headers, err := c.get(response, "headers")
	if err != nil {
		return nil, err
	}
	list, err := c.array.Call("from", headers)
	if err != nil {
		return nil, err
	}
	json, err := c.json.Call("stringify", list)
	if err != nil {
		return nil, err
	}
	text, err := jsbind.Text([]safejs.Value{json}, 0, "headers")
	if err != nil {
		return nil, err
	}
	var pairs [][]string
	if err := canon.Unmarshal([]byte(text), &pairs, 4, fault.InvalidValue); err != nil {
		return nil, err
	}
	out := make([]policy.Header, 0, len(pairs))
	for _, pair := range pairs {
		if len(pair) == 2 {
			out = append(out, policy.Header{Name: pair[0], Value: pair[1]})
		}
	}
	return out, nil
}

// body is a stream of the page.
type body struct {
	carrier *Carrier
	reader  safejs.Value
	end     func()
}

// Read implements sandbox.Body.
func (b *body) Read(ctx context.Context) ([]byte, error) {
	promise, err := b.reader.Call("read")
	if err != nil {
		return nil, errNetwork
	}
	result, err := jsbind.Await(ctx, promise)
	if err != nil {
		return nil, power.Fail(power.Network, "fetch: the answer broke off")
	}
	done, err := b.carrier.get(result, "done")
	if err != nil {
		return nil, errNetwork
	}
	if over, err := done.Bool(); err != nil || over {
		return nil, io.EOF
	}
	value, err := b.carrier.get(result, "value")
	if err != nil {
		return nil, errNetwork
	}
	size, err := value.Length()
	if err != nil {
		return nil, errNetwork
	}
	bytes := make([]byte, size)
	if _, err := safejs.CopyBytesToGo(bytes, value); err != nil {
		return nil, errNetwork
	}
	return bytes, nil
}

// Close implements sandbox.Body: what is left of the answer is not asked for any more.
func (b *body) Close() { b.end() }

// weaken takes options away, one for each guard that is off.
func weaken(options map[string]any) {
	if !guard.Fixed && !guard.On("fetch-redirect") {
		options["redirect"] = "follow"
	}
	if !guard.Fixed && !guard.On("fetch-omit") {
		options["credentials"] = "include"
	}
	if !guard.Fixed && !guard.On("fetch-no-store") {
		delete(options, "cache")
	}
	if !guard.Fixed && !guard.On("fetch-referrer") {
		delete(options, "referrer")
		options["referrerPolicy"] = "unsafe-url"
	}
}
