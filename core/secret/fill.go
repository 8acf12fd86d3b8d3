package secret

import (
	"context"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// Outgoing is a request that policy has permitted and that is about to be sent.
type Outgoing struct {
	Origin  string // who it goes to, as policy gives it: the URL's origin in A-labels
	URL     string
	Headers [][2]string // name and value
	Body    []byte
}

var (
	placeholder = regexp.MustCompile(`\{\{secret\.([A-Za-z0-9_-]{1,64})\.([0-9a-f]{32})\}\}`)
	basic       = regexp.MustCompile(`^([Bb][Aa][Ss][Ii][Cc]) +([A-Za-z0-9+/_-]+)=*$`)
)

// Fill gives the headers of a request with the secrets in the place of their placeholders, also inside the credentials of Basic. The
// headers it was given stay as they are. A Refusal (fault code denied) says that the request may not be sent: a placeholder of this call
// stands in the URL, in the body, in a header's name, in a header for an origin that its secret is not for, or in an encoding or a
// piece that is no placeholder any more; or a header holds the placeholder of another call. Other errors: corrupt, unavailable.
func (c *Call) Fill(ctx context.Context, r Outgoing) ([][2]string, error) { return c.in().fill(ctx, r) }

func (c *calling) fill(ctx context.Context, r Outgoing) ([][2]string, error) {
	for _, part := range []struct {
		where string
		text  []byte
	}{{"the URL", []byte(r.URL)}, {"the body", r.Body}} {
		if name, found := c.find(part.text); found {
			return nil, refuse(Misplaced, "secret %s: stands in %s of the request; secrets go into headers only", name, part.where)
		}
	}
	filled, left := slices.Clone(r.Headers), mostFilled
	for i, header := range r.Headers {
		if name, found := c.find([]byte(header[0])); found {
			return nil, refuse(Misplaced, "secret %s: stands in the name of a header; put it into the value", name)
		}
		var err error
		if filled[i][1], err = c.header(ctx, r.Origin, header[1], &left); err != nil {
			return nil, err
		}
	}
	return filled, nil
}

// mostFilled is how many placeholders one request may have: each becomes as long as a value may be.
const mostFilled = 16

func (c *calling) header(ctx context.Context, origin, value string, left *int) (string, error) {
	parts := basic.FindStringSubmatch(strings.TrimSpace(value))
	if parts == nil {
		text, _, err := c.replace(ctx, origin, value, false, left)
		return text, err
	}
	credentials, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(parts[2]))
	if err != nil || !placeholder.Match(credentials) {
		text, _, err := c.replace(ctx, origin, value, false, left)
		return text, err
	}
	text, names, err := c.replace(ctx, origin, string(credentials), true, left)
	if err != nil {
		return "", err
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		note(c.basics, name, NewValue(encoded), &c.scrubs)
	}
	return parts[1] + " " + encoded, nil
}

// replace fills one text in. The names are those of the secrets in it.
func (c *calling) replace(ctx context.Context, origin, text string, encoded bool, left *int) (string, []string, error) {
	var out strings.Builder
	var names []string
	rest := 0
	between := func(to int) error {
		if name, found := c.find([]byte(text[rest:to])); found {
			return refuse(Misplaced, "secret %s: its placeholder stands in a header in pieces or encoded; put it there as it is, or into Basic credentials", name)
		}
		out.WriteString(text[rest:to])
		return nil
	}
	for _, at := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		if err := between(at[0]); err != nil {
			return "", nil, err
		}
		name := text[at[2]:at[3]]
		if c.given[name] != text[at[0]:at[1]] {
			return "", nil, refuse(Misplaced, "secret %s: a header holds a placeholder that is not of this call; take it from context.secrets in each call", name)
		}
		if *left--; *left < 0 {
			return "", nil, refuse(Misplaced, "secret %s: a request may hold %d placeholders, this one has more", name, mostFilled)
		}
		value, err := c.value(ctx, origin, name, encoded)
		if err != nil {
			return "", nil, err
		}
		out.WriteString(value)
		names, rest = append(names, name), at[1]
	}
	if err := between(len(text)); err != nil {
		return "", nil, err
	}
	return out.String(), names, nil
}

// value opens a secret for an origin, and notes that it goes there.
func (c *calling) value(ctx context.Context, origin, name string, encoded bool) (string, error) {
	if c.caller.Lexical {
		return "", refuse(Missing, "secret %s: a tool that a chat defines has no secrets; install it and set them for it", name)
	}
	value, origins, err := c.book.open(ctx, c.caller.Revision, name)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return "", refuse(Missing, "secret %s: has not been set for this revision of the tool; set it and run again", name)
	case err != nil:
		return "", err
	case !slices.Contains(origins, origin) && (guard.Fixed || guard.On("secret-origin")):
		return "", refuse(Misplaced, "secret %s: is not for %.200q; it is for %s", name, origin, strings.Join(origins, ", "))
	}
	text := value.text()
	if !encoded && strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		return "", refuse(Unsendable, "secret %s: holds letters outside ASCII, which a header cannot carry; it can go into Basic credentials only", name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	note(c.filled, name, value, &c.scrubs)
	return text, nil
}

// note adds a value that is not known yet; what takes out the known ones has to be made anew then.
func note(known map[string][]Value, name string, value Value, made **automaton) {
	if !guard.Fixed && !guard.On("secret-scrub") {
		return
	}
	if !slices.ContainsFunc(known[name], func(v Value) bool { return v.text() == value.text() }) {
		known[name], *made = append(known[name], value), nil
	}
}

// find looks for a placeholder's random part in every encoding.
func (c *calling) find(text []byte) (string, bool) {
	if c.tokens == nil || len(text) == 0 {
		return "", false
	}
	s := newScrubber(c.tokens, make([]string, len(c.names)))
	const step = 1 << 16
	for from := 0; from < len(text); from += step {
		s.Write(text[from:min(from+step, len(text))])
		if s.in().hits > 0 {
			break
		}
	}
	s.Close()
	if s.in().hits == 0 {
		return "", false
	}
	return c.names[s.in().first], true
}
