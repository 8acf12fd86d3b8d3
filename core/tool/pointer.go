package tool

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// deepest bounds a walk along references; a value that deep was refused by the decoder.
const deepest = 256

// pointers follows references into one schema, as the walks beside the validator need them.
type pointers struct{ root any }

// resolve follows a reference by JSON pointer; what it cannot follow it takes for true.
func (p pointers) resolve(ref string) any {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return true
	}
	at := p.root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch here := at.(type) {
		case map[string]any:
			at = here[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(here) {
				return true
			}
			at = here[i]
		}
	}
	return at
}

func listOf(v any) []any {
	items, _ := v.([]any)
	return items
}

func sortedKeys(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }
