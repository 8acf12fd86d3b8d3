package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// breaches are the laws of this package; what matches breaks one.
var breaches = map[string]*regexp.Regexp{
	"markup from text":                regexp.MustCompile(`vg-html|vg-content|innerHTML|outerHTML|insertAdjacentHTML`),
	"inline style":                    regexp.MustCompile(`(?i)[\s:]style=|<style`),
	"vg-template":                     regexp.MustCompile(`<vg-template`),
	"an event that fires in drawing":  regexp.MustCompile(`@(blur|focus\w*|change|toggle|load|error|scroll)=`),
	"an event without Guard":          regexp.MustCompile(`@\w+='[^c']|@\w+='c\.[^M]|@\w+='c\.Model\.[^G]`),
	"text set with a limit of length": regexp.MustCompile(`\.(textContent|innerText|value)=`),
}

func TestComponentsKeepTheLaws(t *testing.T) {
	sources, err := filepath.Glob("*.vugu")
	require.NoError(t, err)
	require.Greater(t, len(sources), 5)
	helpers := []string{"dom.go", "lines.go"}
	for _, path := range append(sources, helpers...) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for law, breach := range breaches {
			require.Empty(t, breach.FindString(string(text)), "%s: %s", path, law)
		}
	}
}

func TestTheLawsFindWhatBreaksThem(t *testing.T) {
	for law, text := range map[string]string{
		"markup from text":                `<p vg-content='c.Text'></p>`,
		"inline style":                    `<p style="color:red"></p>`,
		"vg-template":                     `<vg-template vg-if='true'></vg-template>`,
		"an event that fires in drawing":  `<input @change='c.Model.Guard(func() {})'>`,
		"an event without Guard":          `<button @click='c.Model.Run()'></button>`,
		"text set with a limit of length": `<p .textContent='c.Text'></p>`,
	} {
		require.Regexp(t, breaches[law], text, law)
	}
	require.NotRegexp(t, breaches["an event without Guard"], `<button @click='c.Model.Guard(func() { c.Model.Run() })'></button>`)
}

func TestEveryControlHasALabel(t *testing.T) {
	control := regexp.MustCompile(`(?s)<(?:input|textarea|select)\b.*?(:?)id=["']([^"']+)["']`)
	sources, err := filepath.Glob("*.vugu")
	require.NoError(t, err)
	found := 0
	for _, path := range sources {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, id := range control.FindAllStringSubmatch(string(text), -1) {
			found++
			label := regexp.MustCompile(id[1] + `for=["']` + regexp.QuoteMeta(id[2]) + `["']`)
			require.Regexp(t, label, string(text), "%s: %s", path, id[2])
		}
		typed := strings.Count(string(text), `type="button"`) + strings.Count(string(text), `type="submit"`)
		require.Equal(t, strings.Count(string(text), "<button"), typed, "%s: a button without type submits", path)
	}
	require.Greater(t, found, 8)
}

func TestThePageBuildsBeforeAnythingIsLoaded(t *testing.T) {
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	results := env.RunBuild(&Root{Model: console.New(t.Context(), nil, nil, console.Powers{})})
	var classes []string
	require.NoError(t, results.Out.Out[0].Walk(func(n *vugu.VGNode) error {
		for _, a := range n.Attr {
			if a.Key == "class" {
				classes = append(classes, a.Val)
			}
		}
		return nil
	}))
	require.Contains(t, classes, "loading")
	require.NotContains(t, classes, "trouble")
}
