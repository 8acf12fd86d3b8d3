package secret

import (
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Caller is one call of one tool.
type Caller struct {
	Revision canon.ToolID
	Declared []string // names of the secrets in the needs of its definition
	// Lexical: the tool is defined in a chat. A chat may come from anybody, so its tools have no secrets, also where the bytes are those
	// of an installed revision that has some.
	Lexical bool
}

// Call is what one call knows of the secrets of its tool: which placeholder stands for which, and which values it has sent. It is safe
// for concurrent use. What it holds is a function, as in Value.
type Call struct{ in func() *calling }

type calling struct {
	book   *Book
	caller Caller
	given  map[string]string // placeholders by name
	tokens *automaton        // finds them in any encoding; nil when there are none
	names  []string          // by number of a pattern's secret

	mu      sync.Mutex
	filled  map[string][]Value // what was sent; more than one where it was set anew meanwhile
	basics  map[string][]Value // credentials of Basic that were sent with it
	scrubs  *automaton         // of those; nil when it has to be made anew
	scrubOf []string           // names, by number
}

// For begins a call.
func (b *Book) For(caller Caller) *Call {
	c := &calling{book: b, caller: caller, given: map[string]string{}, filled: map[string][]Value{}, basics: map[string][]Value{}}
	var list []pattern
	for _, name := range caller.Declared {
		if _, twice := c.given[name]; twice || !nameForm.MatchString(name) {
			continue // no secret can be set under such a name
		}
		random := make([]byte, 16)
		b.o.Random(random)
		token := hex.EncodeToString(random)
		c.given[name] = "{{secret." + name + "." + token + "}}"
		list = append(list, patterns(len(c.names), token, nil)...)
		c.names = append(c.names, name)
	}
	if len(list) > 0 {
		c.tokens = newAutomaton(list)
	}
	return &Call{func() *calling { return c }}
}

// Format implements fmt.Formatter, for every verb.
func (Call) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[secrets of a call]") }

// Placeholders gives what the tool gets in place of each secret that it declares, also of those that nobody has set: what a tool can
// tell of that is the refusal of its request. A placeholder is {{secret.<name>.<32 hex digits>}}.
func (c *Call) Placeholders() map[string]string { return maps.Clone(c.in().given) }

// mark is what stands in a secret's place in what comes back.
func mark(name string) string { return "[secret " + name + "]" }

// Sent is how many values were sent so far. A scrubber that was made before takes out none that was sent later.
func (c *Call) Sent() int { return c.in().sent() }

func (c *calling) sent() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range []map[string][]Value{c.filled, c.basics} {
		for _, values := range known {
			n += len(values)
		}
	}
	return n
}

// Scrubber makes one for a text, such as the body of an answer. It takes out what was filled in before.
func (c *Call) Scrubber() *Scrubber { return c.in().scrubber() }

func (c *calling) scrubber() *Scrubber {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.filled) > 0 && c.scrubs == nil {
		c.scrubOf = slices.Sorted(maps.Keys(c.filled))
		var list []pattern
		for i, name := range c.scrubOf {
			var credentials []string
			for _, sent := range c.basics[name] {
				credentials = append(credentials, sent.text())
			}
			for _, value := range c.filled[name] {
				list = append(list, patterns(i, value.text(), credentials)...)
			}
		}
		c.scrubs = newAutomaton(list)
	}
	marks := make([]string, len(c.scrubOf))
	for i, name := range c.scrubOf {
		marks[i] = mark(name)
	}
	return newScrubber(c.scrubs, marks)
}
