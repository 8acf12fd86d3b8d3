package signature_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// fitting are arguments that a row of the corpus accepts.
var fitting = []struct{ name, args string }{
	{"plain", `{"city":"x","more":1}`}, {"closed", `{"city":"x"}`}, {"nothing", `{"a":1}`}, {"nothing-closed", `{}`},
	{"root-anyof", `{"url":"x"}`}, {"root-oneof", `{"kind":"a","x":"1"}`}, {"root-oneof", `{"kind":"b","y":1}`}, {"root-allof", `{"a":"xx","b":true,"c":1}`},
	{"root-null", `{"a":"x"}`}, {"root-ref", `{"q":"x"}`}, {"root-not", `{"a":1}`}, {"root-if", `{"k":"x","only":1}`}, {"root-enum", `{"a":2}`},
	{"root-dependent", `{"card":"x","address":"y"}`}, {"tree", `{"name":"a","children":[{"name":"b","children":[]}]}`},
	{"tree-defs", `{"root":{"v":"a","next":{"v":"b","next":null}}}`}, {"mutual", `{"a":{"b":{"a":{}}}}`}, {"anchors", `{"x":["a"]}`},
	{"own-ids", `{"x":{"y":"a"},"self":{"y":"b"}}`}, {"defaults", `{"o":{"k":"x"},"a":3}`}, {"untyped", `{"any":{"a":[1]},"yes":null,"list":[1,"a"],"obj":{"a":1},"nil":null}`},
	{"numbers", `{"a":0.5,"b":2,"c":7}`}, {"texts", `{"p":"ä","e":"","n":null,"x":true}`}, {"tuples", `{"p":[1,"a"],"c":[1,"a"]}`},
	{"nested-combinators", `{"v":{"id":"x"},"w":"abc","y":1,"z":{"b":"x"}}`}, {"maps", `{"headers":{"a":"b"},"pat":{"x-a":"1"},"u":{"a":"x"},"more":1}`},
	{"patterned", `{"h":{"x-a":"1"},"y-1":2}`}, {"union-closed", `{"a":{"b":"x"},"b":"xx"}`}, {"dynamic", `{"x":[{"x":[]}]}`},
}

// What a provider is told is never narrower than the definition: a model is not kept from what the tool takes.
func TestWhatADefinitionAcceptsIsNotForbiddenToTheModel(t *testing.T) {
	for _, row := range fitting {
		args, err := canon.Decode([]byte(row.args), 64)
		require.NoError(t, err)
		own, err := tool.CompileSchema(schemaOf(t, byName(row.name)), "$")
		require.NoError(t, err)
		require.NoError(t, own.Check(args, fault.InvalidArguments), row.name)
		for _, format := range []signature.Format{signature.OpenAIChat, signature.Anthropic, signature.MCP} {
			f, shown, _ := one(t, format, byName(row.name))
			if f["strict"] == true {
				continue // there the model says null for what it leaves out
			}
			compiled, err := tool.CompileSchema(shown, "$")
			require.NoError(t, err, row.name)
			require.NoError(t, compiled.Check(args, fault.InvalidArguments), "%s %s", format, row.name)
		}
	}
}

// Positive control: what is shown does forbid what a provider can be told.
func TestWhatIsShownStillForbids(t *testing.T) {
	for name, text := range map[string]string{"plain": `{}`, "root-ref": `{"q":1}`, "mutual": `{"a":{"b":7}}`, "tuples": `{"c":[1]}`} {
		args, err := canon.Decode([]byte(text), 64)
		require.NoError(t, err)
		_, shown, _ := one(t, signature.Anthropic, byName(name))
		compiled, err := tool.CompileSchema(shown, "$")
		require.NoError(t, err)
		require.Error(t, compiled.Check(args, fault.InvalidArguments), name)
	}
}
