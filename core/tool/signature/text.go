package signature

import (
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const again = "send the call again, whole"

// arguments reads the text of a provider's arguments: an object, or nothing, which means no arguments.
func arguments(given string, nesting int) (map[string]any, error) {
	return unwrap(given, nesting, true)
}

// unwrap reads through one JSON string around the whole, which is how some providers send it.
func unwrap(given string, nesting int, wrapped bool) (map[string]any, error) {
	text := bare(given)
	if text == "" || text == "null" {
		return map[string]any{}, nil
	}
	body, tail, whole := firstValue(text)
	if !whole {
		return nil, refused("the text is incomplete; %s", again)
	}
	if tail = strings.TrimSpace(tail); tail != "" {
		return nil, refused("%.40q follows the arguments; %s", tail, again)
	}
	tree, err := canon.Decode([]byte(body), nesting)
	if err != nil {
		return nil, refused("the text is not JSON (%s); %s", err, again)
	}
	switch tree := tree.(type) {
	case map[string]any:
		return tree, nil
	case nil:
		return map[string]any{}, nil
	case string:
		if inner := strings.TrimSpace(tree); wrapped && (inner == "" || inner == "null" || strings.HasPrefix(bare(inner), "{")) {
			return unwrap(tree, nesting, false)
		}
		return nil, refused("want an object, got the text %.60q", tree)
	case []any:
		return nil, refused("want an object, got an array")
	case bool:
		return nil, refused("want an object, got a boolean, %v", tree)
	}
	return nil, refused("want an object, got a number, %.60s", show(tree))
}

func refused(format string, args ...any) error {
	return fault.At(fault.InvalidArguments, "$", format, args...)
}

// bare takes off what models put around arguments: a Markdown fence and `<|…|>` tokens at the end. A fence that was not closed
// stays open; what it holds is judged for itself.
func bare(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\uFEFF"))
	for strings.HasSuffix(text, "|>") {
		start := strings.LastIndex(text, "<|")
		if start < 0 || len(text)-start > longestToken || strings.ContainsAny(text[start:], " \n\"") {
			break
		}
		text = strings.TrimSpace(text[:start])
	}
	inner, fenced := strings.CutPrefix(text, "```")
	if !fenced {
		return text
	}
	inner = strings.TrimLeft(inner, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
}

const longestToken = 48

// firstValue splits a text behind its first JSON value. Where the text ends inside that value, it is not whole.
func firstValue(text string) (body, tail string, whole bool) {
	depth, inText := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
			if !inText && depth == 0 {
				return text[:i+1], text[i+1:], true
			}
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 {
				return text[:i+1], text[i+1:], true
			}
		}
	}
	return text, "", depth == 0 && !inText
}
