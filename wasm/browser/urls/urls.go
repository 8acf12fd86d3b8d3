//go:build js && wasm

// Package urls is policy.Parser in a page, by the page's own URL class: what is judged is read by the same parser that will send it.
package urls

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Parser implements policy.Parser with what it captured when it was made, whatever a page's scripts put in the place of URL later.
type Parser struct {
	class   safejs.Value // URL
	reflect safejs.Value // Reflect.apply, as a method of an object of our own
	href    safejs.Value // the getter of URL.prototype.href
	none    safejs.Value // an empty list of arguments
}

// New captures the page's URL class and the getter that serialises. A realm without them is unavailable.
func New() (*Parser, error) {
	if p, err := capture(); err == nil {
		return p, nil
	}
	return nil, fault.New(fault.Unavailable, "url: this page has no URL class that works")
}

func capture() (*Parser, error) {
	c := capturing{}
	reflect := c.global("Reflect")
	get := func(from safejs.Value, name string) safejs.Value { return c.call(reflect, "get", from, name) }
	p := &Parser{class: get(c.globalThis(), "URL"), none: c.make(c.global("Array")), reflect: c.make(c.global("Object"))}
	descriptor := c.call(reflect, "getOwnPropertyDescriptor", get(p.class, "prototype"), "href")
	p.href = get(descriptor, "get")
	apply := get(reflect, "apply")
	if c.err == nil {
		c.err = p.reflect.Set("apply", apply)
	}
	if c.err == nil {
		_, c.err = p.Parse("https://example.com")
	}
	return p, c.err
}

// errRefused stands for what JavaScript threw, which may be anything: even asking an error for its text would read a foreign property.
func errRefused() error { return fault.New(fault.InvalidValue, "the browser's URL parser refuses it") }

// Parse implements policy.Parser. Text that is not valid UTF-8 reaches the page with replacement characters.
func (p *Parser) Parse(raw string) (policy.URL, error) { return p.parse(raw) }

// parse takes the arguments of the constructor: a text, and perhaps a base.
func (p *Parser) parse(args ...any) (policy.URL, error) {
	u, err := p.class.New(args...)
	if err != nil {
		return policy.URL{}, errRefused()
	}
	href, err := p.reflect.Call("apply", p.href, u, p.none)
	if err != nil {
		return policy.URL{}, errRefused()
	}
	text, err := jsbind.Text([]safejs.Value{href}, 0, "href")
	if err != nil {
		return policy.URL{}, errRefused()
	}
	return policy.Split(text)
}

// capturing does one thing after the other until one fails.
type capturing struct{ err error }

func (c *capturing) globalThis() safejs.Value { return safejs.Global() }

func (c *capturing) global(name string) (v safejs.Value) {
	if c.err == nil {
		v, c.err = safejs.Global().Get(name)
	}
	return v
}

func (c *capturing) call(of safejs.Value, method string, args ...any) (v safejs.Value) {
	if c.err == nil {
		v, c.err = of.Call(method, args...)
	}
	return v
}

func (c *capturing) make(class safejs.Value) (v safejs.Value) {
	if c.err == nil {
		v, c.err = class.New()
	}
	return v
}
