package secret

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Bytes takes the secrets of the call out of a whole body.
func (c *Call) Bytes(body []byte) []byte {
	s := c.Scrubber()
	out := append([]byte{}, s.Write(body)...)
	return append(out, s.Close()...)
}

// Text takes the secrets of the call out of a text: of a log line, an error, a status line, a URL.
func (c *Call) Text(text string) string {
	if c.clean() {
		return text
	}
	return string(c.Bytes([]byte(text)))
}

func (c *Call) clean() bool { return c.in().clean() }

func (c *calling) clean() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.filled) == 0
}

// Headers takes the secrets of the call out of what a server has answered with. A header whose name holds one is left out. A length that
// the server gave is no longer that of a body from which something was taken.
func (c *Call) Headers(headers [][2]string) [][2]string {
	if c.clean() {
		return headers
	}
	kept := make([][2]string, 0, len(headers))
	for _, header := range headers {
		if c.Text(header[0]) == header[0] {
			kept = append(kept, [2]string{header[0], c.Text(header[1])})
		}
	}
	return kept
}

// Tree takes the secrets of the call out of a value in its tagged form, and gives one that is well-formed too: out of texts and keys,
// bytes, and the digits of numbers, which become texts then. The tree it was given stays as it is.
func (c *Call) Tree(value any) any {
	if c.clean() {
		return value
	}
	return c.tree(value)
}

// tag names the kind of what JSON has not; keys of objects that begin with $ are written with one more.
const tag = "$t"

func (c *Call) tree(value any) any {
	switch v := value.(type) {
	case string:
		return c.Text(v)
	case float64:
		return c.digits(v)
	case []any:
		return c.items(v)
	case map[string]any:
		if kind, tagged := v[tag]; tagged {
			return c.tagged(v, kind)
		}
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[c.key(out, v, key)] = c.tree(item)
		}
		return out
	}
	return value
}

func (c *Call) items(list []any) []any {
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = c.tree(item)
	}
	return out
}

// key scrubs the key of an object as its author sees it. No two keys become one.
func (c *Call) key(out, of map[string]any, key string) string {
	plain := key
	if strings.HasPrefix(key, "$") {
		plain = key[1:]
	}
	scrubbed := c.Text(plain)
	if scrubbed == plain {
		return key
	}
	if strings.HasPrefix(scrubbed, "$") {
		scrubbed = "$" + scrubbed
	}
	for free, n := scrubbed, 2; ; n++ {
		_, made := out[free]
		if _, there := of[free]; !made && !there {
			return free
		}
		free = scrubbed + " " + strconv.Itoa(n)
	}
}

func (c *Call) digits(n float64) any {
	text, err := canon.Encode(n)
	if err != nil {
		return n
	}
	if scrubbed := c.Text(string(text)); scrubbed != string(text) {
		return scrubbed
	}
	return n
}

func (c *Call) tagged(v map[string]any, kind any) any {
	switch inner := v["v"].(type) {
	case []any: // a map or a set
		return map[string]any{tag: kind, "v": c.items(inner)}
	case map[string]any: // an error: its keys are ours
		out := make(map[string]any, len(inner))
		for key, item := range inner {
			out[key] = c.tree(item)
		}
		return map[string]any{tag: kind, "v": out}
	case string:
		if kind != "bytes" {
			if scrubbed := c.Text(inner); scrubbed != inner {
				return scrubbed
			}
			return v
		}
		plain, err := base64.StdEncoding.DecodeString(inner)
		if err != nil {
			return c.Text(inner)
		}
		if scrubbed := c.Bytes(plain); string(scrubbed) != string(plain) {
			return map[string]any{tag: kind, "v": base64.StdEncoding.EncodeToString(scrubbed)}
		}
	}
	return v
}
