package console

import (
	"fmt"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// advice is what a person can do about a code; a code without a row is explained by its message alone.
var advice = map[fault.Code]string{
	fault.InvalidJSON:       "Mend the JSON: double quotes around names and texts, no trailing comma, no comments, no name twice.",
	fault.InvalidDefinition: "Correct the field that is named and install again.",
	fault.InvalidSchema:     "Parameters are a JSON Schema with \"type\": \"object\" and one entry under \"properties\" for each parameter.",
	fault.InvalidCode: "The code is one function: ({ input }) => …, function name(args) { … }, or a module with export default. " +
		"Imports are not possible.",
	fault.InvalidArguments: "Correct the argument that is named and run again.",
	fault.TooLarge:         "Make it smaller, or raise the limit where the engine is opened.",
	fault.InvalidSettings:  "Fill in the card Settings, save them, and run again.",
	fault.NotFound:         "Look at the list of tools: it may have been removed.",
	fault.Unavailable:      "This browser cannot run it. Try another one, or the command line.",
	fault.Timeout:          "Run it again, or let the tool do less at once.",
	fault.Denied:           "The tool asked for something it was not granted, or its version is blocked; look under Versions.",
	fault.Internal:         "This is a fault of the console or the engine, not of the tool. Reload the page.",
}

// Advice is what to do about a failure, "" when there is nothing to say.
func (f *Failure) Advice() string { return advice[fault.Code(f.Code)] }

// Excerpt shows the line of a text that a failure is about, with a mark under the column.
func Excerpt(text string, line, column int) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	number := fmt.Sprintf("%d | ", line)
	shown := []rune(strings.ReplaceAll(lines[line-1], "\t", " "))
	if column < 1 || column > len(shown)+1 {
		return number + string(shown)
	}
	const width = 60 // runes before and after the column
	from, to := max(0, column-1-width), min(len(shown), column-1+width)
	return number + string(shown[from:to]) + "\n" + strings.Repeat(" ", len(number)+column-1-from) + "^"
}
