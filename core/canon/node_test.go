package canon_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// The other reader and writer: each line is parsed, its keys sorted by JavaScript's own order, and printed. JavaScript
// keeps -0 when it parses and drops it when it prints.
const script = `
const sorted = v => Array.isArray(v) ? '[' + v.map(sorted).join(',') + ']' : v && typeof v === 'object'
  ? '{' + Object.keys(v).sort().map(k => JSON.stringify(k) + ':' + sorted(v[k])).join(',') + '}' : JSON.stringify(v)
const lines = require('fs').readFileSync(0, 'utf8').trimEnd().split('\n')
process.stdout.write(lines.map(line => sorted(JSON.parse(line)) + '\n').join(''))`

func TestCanonicalBytesAreThoseOfJavaScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing")
	}
	random := rand.New(rand.NewPCG(20, 26))
	var texts []string
	for range 5000 {
		if f := math.Float64frombits(random.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			texts = append(texts, fmt.Sprint(f), fmt.Sprintf("%.25e", f))
		}
		texts = append(texts, fmt.Sprintf("%.*f", random.IntN(30), random.NormFloat64()*1e9), randomText(random, 4))
	}
	command := exec.Command(node, "-e", script)
	command.Stdin = strings.NewReader(strings.Join(texts, "\n"))
	out, err := command.Output()
	require.NoError(t, err)
	lines, compared := bufio.NewScanner(bytes.NewReader(out)), 0
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		got, err := canon.Canonical([]byte(texts[compared]), nesting)
		if err != nil {
			require.ErrorContains(t, err, "not exact", texts[compared])
		} else {
			require.Equal(t, lines.Text(), string(got), texts[compared])
		}
		compared++
	}
	require.Equal(t, len(texts), compared)
}

func randomText(random *rand.Rand, depth int) string {
	switch random.IntN(7) {
	case 0:
		return "null"
	case 1:
		return fmt.Sprint(random.IntN(1 << 40))
	case 2, 3:
		return randomString(random)
	case 4:
		return "-0"
	}
	if depth == 0 {
		return "true"
	}
	var parts []string
	if random.IntN(2) == 0 {
		for range random.IntN(6) {
			parts = append(parts, randomText(random, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	seen := map[string]bool{}
	for range random.IntN(6) {
		name := randomString(random)
		if key, _ := canon.Decode([]byte(name), nesting); !seen[key.(string)] && key != "__proto__" {
			seen[key.(string)] = true
			parts = append(parts, name+":"+randomText(random, depth-1))
		}
	}
	return "{" + strings.Join(parts, " , ") + "}"
}

func randomString(random *rand.Rand) string {
	pieces := []string{
		"a", "b", "Z", "0", " ", "é", "\u2028", "\uE000", "\uFFFF", "😀", "𐀀", "\x7f",
		`\n`, `\u0001`, `\/`, `\"`, `\ud83d\ude01`, `\uFB33`,
	}
	var out strings.Builder
	for range random.IntN(4) {
		out.WriteString(pieces[random.IntN(len(pieces))])
	}
	return `"` + out.String() + `"`
}
