package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheGeneratedDefinitionsMeetEveryTrap(t *testing.T) {
	texts := Generate(1, 3000)
	require.Equal(t, texts, Generate(1, 3000), "a seed says all")
	require.NotEqual(t, texts[0], Generate(2, 1)[0])
	met := map[string]int{}
	longest := 0
	for _, text := range texts {
		require.NotContains(t, text, "\x00")
		answer := freeze([]byte(text))
		require.True(t, strings.HasPrefix(answer, "tool:b3:"), "%s\n%s", text, answer)
		longest = max(longest, len(answer))
		for title, marks := range map[string][]string{
			"short form":           {`"code":"`, `"parameters":`},
			"sandboxed JavaScript": {`"class":"sandboxed-code"`, `"language":"javascript"`},
			"sandboxed Python":     {`"language":"python"`},
			"trusted native":       {`"class":"trusted-native"`},
			"external service":     {`"class":"external-service"`},
			"needs":                {`"needs":{"fetch":[{"access":`},
			"popups":               {`"popup":["`},
			"limits":               {`"limits":{"timeoutMs":`},
			"UTF-16 order":         {"{\"\U0001F600\":", ",\"\uFB33\":"},
			"a prototype's key":    {`"__proto__":`},
			"an empty key":         {`{"":`},
			"empty containers":     {`[],{`},
			"the smallest number":  {`5e-324`},
			"an exponent":          {`1e+21`},
			"an exact large one":   {`295147905179352830000`},
			"CRLF in source":       {`\r\n`, `"code":"`},
			"BOM in source":        {"\"code\":\"\uFEFF"},
			"NUL in source":        {`\u0000`, `"code":"`},
			"a noncharacter":       {"\uFFFF"},
			"deep nesting":         {`"x-deep":`},
		} {
			if containsAll(answer, marks) {
				met[title]++
			} else {
				met[title] += 0
			}
		}
		for title, spelling := range map[string]string{"escaped letter": `\u0061`, "upper-case hex": `\u000A`, "escaped pair": `\ud83d\ude00`,
			"white space": "\r\n", "1E-7": "1E-7", "minus zero": "-0", "an empty needs": `"needs":{}`, "an escaped slash": `\/`} {
			if strings.Contains(text, spelling) {
				met[title]++
			} else {
				met[title] += 0
			}
		}
	}
	for title, count := range met {
		require.Greater(t, count, 5, "%s: too rare to be tested", title)
	}
	require.Greater(t, longest, 50_000, "long sources are among them")
}

func containsAll(text string, marks []string) bool {
	for _, mark := range marks {
		if !strings.Contains(text, mark) {
			return false
		}
	}
	return true
}

func TestTheCommandAnswersEachTextInItsOrder(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte("{\"name\":\"a\",\"description\":\"\",\"code\":\"x\"}\x00{}\x00"), 0o644))
	require.NoError(t, run([]string{"freeze", in, out}))
	answers, err := os.ReadFile(out)
	require.NoError(t, err)
	first, rest, _ := strings.Cut(string(answers), "\x00")
	require.Regexp(t, "^tool:b3:[0-9a-f]{64}\n{\"description\":\"\",", first)
	require.Regexp(t, "^refused: definition: .*name.*\x00$", rest)
	require.NoError(t, run([]string{"generate", "7", "3", out}))
	texts, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, strings.Join(Generate(7, 3), "\x00")+"\x00", string(texts))
	require.ErrorContains(t, run(nil), "want")
	require.ErrorContains(t, run([]string{"generate", "x", "3", out}), "invalid syntax")
}
