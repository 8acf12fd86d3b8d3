package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// breach is one place where a value breaks its schema.
type breach struct {
	at   *place
	text string
	kind bool // the value is not one of those that were listed
}

// place is the way to a value, from the inside out. It is kept only when an evaluation explains.
type place struct {
	up    *place
	key   string
	index int // -1 for a member
}

func (p *place) String() string {
	switch {
	case p == nil || p.up == nil:
		return "$"
	case p.index < 0:
		return canon.Child(p.up.String(), p.key)
	}
	return canon.Index(p.up.String(), p.index)
}

func (e *evaluation) member(at *place, key string) *place {
	if !e.explains {
		return nil
	}
	return &place{at, key, -1}
}

func (e *evaluation) item(at *place, i int) *place {
	if !e.explains {
		return nil
	}
	return &place{at, "", i}
}

// wrong notes a breach that ends in the value that was given.
func (e *evaluation) wrong(at *place, v any, format string, args ...any) verdict {
	if e.explains && e.found == nil {
		e.found = &breach{at: at, text: fmt.Sprintf(format, args...) + ", got " + Show(v)}
	}
	return fails
}

// unlisted notes that a value is not one of those that an enum or a const allows.
func (e *evaluation) unlisted(at *place, v any, format string, listed any) verdict {
	first := e.found == nil
	e.wrong(at, v, format, lazy{listed})
	if first && e.found != nil {
		e.found.kind = true
	}
	return fails
}

// breaks notes a breach that is not about the whole value at that place.
func (e *evaluation) breaks(at *place, format string, args ...any) verdict {
	if e.explains && e.found == nil {
		e.found = &breach{at: at, text: fmt.Sprintf(format, args...)}
	}
	return fails
}

// missing offers the name that was given instead, if one is near.
func (e *evaluation) missing(n *node, name string, v map[string]any, at *place) verdict {
	if !e.explains {
		return fails
	}
	var strangers []string
	if len(v) <= crowd {
		strangers = slices.DeleteFunc(sortedKeys(v), func(key string) bool { return n.properties[key] != nil })
	}
	if near := nearest(name, strangers); near != "" {
		return e.breaks(at, "%s is missing; %s was given, did you mean %s?", quoted(name), quoted(near), quoted(name))
	}
	return e.breaks(at, "%s is missing", quoted(name))
}

// undeclared offers the declared name that is near.
func (e *evaluation) undeclared(n *node, key string, at *place) verdict {
	if !e.explains || !e.spend(len(n.properties)) {
		return fails
	}
	if near := nearest(key, sortedKeys(n.properties)); near != "" {
		return e.breaks(at, "%s is not a declared name; did you mean %s?", quoted(key), quoted(near))
	}
	return e.breaks(at, "%s is not a declared name", quoted(key))
}

// nearest finds the known name that was meant: one a few letters away, else the only one that contains the name or is part of it.
func nearest(name string, known []string) string {
	// Strangers chose the names, and the work grows with their length and number.
	const most = 1000
	known = slices.DeleteFunc(known[:min(most, len(known))], func(other string) bool { return len(other) > shown })
	if near := canon.Nearest(name, known); near != "" || len(name) < 3 || len(name) > shown {
		return near
	}
	found, name := "", strings.ToLower(name)
	for _, other := range known {
		folded := strings.ToLower(other)
		if len(other) < 3 || !strings.Contains(folded, name) && !strings.Contains(name, folded) {
			continue
		}
		if found != "" {
			return ""
		}
		found = other
	}
	return found
}

// branches notes why no branch fits, in one line. Branches that name another kind (a member with a const or an enum) were not
// meant; when one is left, or only one got further into the value than the others, its breach is the breach.
func (e *evaluation) branches(at *place, v any, keyword string, tried []*breach) {
	if !e.explains || e.found != nil {
		return
	}
	const most = 4
	var meant, further []*breach
	var lines []string
	for i, why := range tried {
		if why == nil {
			continue
		}
		where := ""
		if why.at != at {
			where = why.at.String() + " "
			further = append(further, why)
		}
		if !why.kind || why.at == at || why.at.up != at {
			meant = append(meant, why)
		}
		if i < most {
			lines = append(lines, fmt.Sprintf("%d) %s%.160s", i+1, where, why.text))
		}
	}
	if len(meant) == 1 && len(tried) > 1 {
		e.found = meant[0]
		return
	}
	if len(meant) == len(tried) && len(further) == 1 {
		e.found = further[0]
		return
	}
	if len(tried) > most {
		lines = append(lines, "…")
	}
	e.breaks(at, "fits none of the %d branches of %s: %s; got %s", len(tried), keyword, strings.Join(lines, "; "), Show(v))
}

// lazy is a value that is shown only when a message is made.
type lazy struct{ v any }

func (l lazy) String() string { return Show(l.v) }

// shown is about how long a value or a name gets in a message, whatever a tool or a model chose.
const (
	shown = 80
	crowd = 200 // an object with more members is only counted, and names in it are not compared
)

func quoted(name string) string { return strconv.Quote(clip(name)) }

// Show writes the beginning of a value as JSON, in time that does not depend on its size.
func Show(v any) string {
	text, err := canon.Encode(cut(v, new(int)))
	if err != nil {
		return "a value that is not JSON"
	}
	return clip(string(text))
}

// cut takes the beginning of a tree, a little more than is shown.
func cut(v any, taken *int) any {
	*taken += 2
	switch v := v.(type) {
	case string:
		if len(v) > 2*shown {
			v = strings.ToValidUTF8(v[:2*shown], "")
		}
		*taken += len(v)
		return v
	case []any:
		part := []any{}
		for _, item := range v {
			if *taken > 2*shown {
				break
			}
			part = append(part, cut(item, taken))
		}
		return part
	case map[string]any:
		part := map[string]any{}
		if len(v) > crowd {
			return map[string]any{"…": fmt.Sprintf("%d members", len(v))}
		}
		for _, key := range sortedKeys(v) {
			if *taken > 2*shown {
				break
			}
			*taken += len(key)
			part[key] = cut(v[key], taken)
		}
		return part
	}
	return v
}

func clip(text string) string {
	if len(text) <= shown {
		return text
	}
	return strings.ToValidUTF8(text[:shown], "") + "…"
}
