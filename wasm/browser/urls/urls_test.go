//go:build js && wasm

package urls

import (
	"io/fs"
	"os"
	"testing"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
)

// These tests run as wasm under Node, whose URL class is that of the standard too: make test-wasm.

func opened(t *testing.T) *Parser {
	p, err := New()
	require.NoError(t, err)
	return p
}

func (p *Parser) resolve(raw, base string) (policy.URL, error) {
	if base == "" {
		return p.parse(raw)
	}
	return p.parse(raw, base)
}

func vectors(t *testing.T) fs.FS {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = "../../../../shared/vectors"
	}
	if _, err := os.Stat(folder + "/url"); err != nil {
		t.Skipf("the vectors folder %s is missing; name it in TASKYON_VECTORS", folder)
	}
	return os.DirFS(folder)
}

func TestThePublicSuitesOfURLsHoldButForExplainedDifferences(t *testing.T) {
	root := vectors(t)
	for _, suite := range policytest.Suites(root, opened(t).resolve, nil) {
		passed, total, failures := suite.Run()
		require.Empty(t, failures)
		require.Equal(t, total, passed)
		t.Logf("%s %d/%d", suite.Name, passed, total)
	}
}

func TestNothingThatTheSuitesRefuseIsAllowed(t *testing.T) {
	policytest.Vectors(t, vectors(t), opened(t))
}

func TestEveryRowOfTheTableIsDecidedAsItSays(t *testing.T) { policytest.Table(t, opened(t)) }

func eval(t *testing.T, script string) safejs.Value {
	v, err := safejs.Global().Call("eval", script)
	require.NoError(t, err)
	return v
}

// The record is made from one text by Split; the page's own getters have to say the same of each part.
func TestTheRecordIsWhatTheGettersSay(t *testing.T) {
	p := opened(t)
	for _, row := range policytest.Rows(t) {
		u, err := p.Parse(row.Raw)
		if err != nil {
			continue
		}
		f := eval(t, `(text, name) => new URL(text)[name]`)
		for name, part := range policytest.Parts(u) {
			if name == "origin" && u.Scheme == "blob" {
				continue
			}
			v, err := f.Invoke(row.Raw, name)
			require.NoError(t, err)
			got, err := v.String()
			require.NoError(t, err)
			require.Equal(t, got, part, "%s of %q", name, row.Raw)
		}
	}
}

func TestWhatAPagePutsInThePlaceOfURLLaterIsNotAsked(t *testing.T) {
	p := opened(t)
	eval(t, `globalThis.keptURL = URL; globalThis.keptHref = Object.getOwnPropertyDescriptor(URL.prototype, 'href');
		Object.defineProperty(URL.prototype, 'href', { configurable: true, get() { return 'https://example.com/' } });
		globalThis.URL = class { get href() { return 'https://example.com/' } }`)
	defer eval(t, `globalThis.URL = keptURL; Object.defineProperty(URL.prototype, 'href', keptHref)`)
	u, err := p.Parse("https://2130706433/")
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1", u.Host)
}

func TestWithoutAURLClassThatWorksThereIsNoParser(t *testing.T) {
	for _, script := range []string{`delete globalThis.URL`, `globalThis.URL = 7`, `globalThis.URL = class { get href() { throw 1 } }`,
		`globalThis.URL = class { get href() { return 1n } }`, `globalThis.URL = class { constructor() { throw 1 } get href() { return '' } }`,
		`Object.defineProperty(globalThis, 'URL', { configurable: true, get() { throw 1 } })`} {
		eval(t, `globalThis.kept = Object.getOwnPropertyDescriptor(globalThis, 'URL')`)
		eval(t, script)
		_, err := New()
		eval(t, `Object.defineProperty(globalThis, 'URL', kept)`)
		require.Equal(t, fault.Unavailable, fault.CodeOf(err), script)
	}
}
