package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// project is a folder with the sources given, by name.
func project(t *testing.T, sources map[string]string) string {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, sourceDir), 0o755))
	for name, text := range sources {
		require.NoError(t, os.WriteFile(filepath.Join(root, sourceDir, name+".ts"), []byte(text), 0o644))
	}
	return root
}

var small = map[string]string{
	"tool": "self.tool = 'größe </script>'", "supervisor": "self.supervisor = 1", "checker": "export const check = (a: number): number => a",
	"frame": "declare const TOOL_SOURCE: string\ndeclare const SUPERVISOR_SOURCE: string\nself.texts = [TOOL_SOURCE, SUPERVISOR_SOURCE]",
	"popup": "self.popup = 1", "popupframe": "self.frame = 1",
}

func built(t *testing.T, root string) map[string]string {
	outputs, err := buildOutputs(root, "")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, o := range outputs {
		texts[o.name] = string(o.text)
	}
	return texts
}

func TestFrameHoldsTheTextsOfToolAndSupervisorAndNoEndOfItsScript(t *testing.T) {
	texts := built(t, project(t, small))
	require.Contains(t, texts["supervisor"], "self.supervisor=1")
	require.Contains(t, texts["frame"], "self.supervisor=1")
	require.NotContains(t, texts["frame"], "</script")
	require.Contains(t, texts["frame"], "self.tool=")
	require.NotContains(t, texts["tool"], "ö", "outputs are ASCII")
	require.NotRegexp(t, `\n$`, texts["tool"])
	require.Regexp(t, `^var checker=.*return checker\.check$`, texts["checker"])
	require.Equal(t, texts, built(t, project(t, small)), "equal sources give equal bytes")
}

func TestFrameThatAnHTMLParserWouldReadOtherwiseIsNotBuilt(t *testing.T) {
	for _, text := range []string{"a</script>", "a</SCRIPT x", "a<!--"} {
		_, err := refuseMarkup([]byte(text))
		require.ErrorContains(t, err, "at byte 1", text)
	}
	root := project(t, small)
	require.NoError(t, os.WriteFile(filepath.Join(root, sourceDir, "frame.ts"), []byte("self.a = '<!-- a'"), 0o644))
	_, err := buildOutputs(root, "")
	require.ErrorContains(t, err, "frame.js")
}

func TestCheckNamesEveryOutputThatDiffers(t *testing.T) {
	root := project(t, small)
	outputs, err := buildOutputs(root, "")
	require.NoError(t, err)
	require.ErrorContains(t, compare(root, outputs), "tool.js, sandboxhost/bootstrap/dist/supervisor.js, ", "nothing is committed yet")
	require.NoError(t, write(root, outputs, io.Discard))
	require.NoError(t, compare(root, outputs))
	require.NoError(t, os.WriteFile(filepath.Join(root, distDir, "frame.js"), []byte("old"), 0o644))
	err = compare(root, outputs)
	require.ErrorContains(t, err, "frame.js")
	require.NotContains(t, err.Error(), "tool.js")
}

func TestMissingSourceAndBrokenSourceAreNamed(t *testing.T) {
	root := project(t, map[string]string{"checker": "export const check = 1", "tool": "const = 1"})
	outputs, err := buildOutputs(root, "checker")
	require.NoError(t, err)
	require.Len(t, outputs, 1)
	_, err = buildOutputs(root, "supervisor")
	require.ErrorContains(t, err, filepath.Join(sourceDir, "supervisor.ts")+" is missing")
	_, err = buildOutputs(root, "tool")
	require.ErrorContains(t, err, "tool.ts:1:6")
}
