package signature

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Set is what one request tells a provider about tools. It never changes.
type Set struct {
	text  string
	notes []Note
	shown map[string]*shown // by the provider's name
	order []string
}

// Note is something that a provider was not told as the author wrote it. Path is a place in the definition.
type Note struct {
	Tool    string `json:"tool"`
	Path    string `json:"path"`
	Text    string `json:"text"`
	Refused bool   `json:"refused,omitempty"` // the tool is not in the request
}

// shown is a tool in a request and what it takes to read its calls.
type shown struct {
	tool   string
	source *source
	names  map[string]string // the provider's name of a parameter → its own
	strict bool
}

// Compile shows tools to a provider, in their order. Of several with one name only the first is shown. The error is
// invalid_request, for an unknown format; whatever is wrong with one tool is a Note. Notes that the caller has already come last.
func Compile(format Format, tools []tool.Definition, left ...Note) (*Set, error) {
	d, err := format.dialect()
	if err != nil {
		return nil, err
	}
	s := &Set{shown: map[string]*shown{}}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	renamed := aliases(names, d.name, "tool")
	known := map[string]bool{}
	var texts []string
	for _, t := range tools {
		name, isRenamed := renamed[t.Name]
		if !isRenamed {
			name = t.Name
		}
		text, one, notes, err := compile(format, d, name, t)
		if err == nil && known[t.Name] {
			err = fault.At(fault.InvalidRequest, "$.name", "another tool before it has the same name")
		}
		if err != nil {
			f := fault.From(err)
			s.notes = append(s.notes, Note{Tool: t.Name, Path: f.Path, Text: "left out: " + f.Message, Refused: true})
			continue
		}
		if isRenamed {
			s.notes = append(s.notes, Note{Tool: t.Name, Path: "$.name", Text: "the tool is called " + name + ", its own name is not allowed"})
		}
		known[t.Name] = true
		s.notes = append(s.notes, notes...)
		s.shown[name] = one
		s.order = append(s.order, name)
		texts = append(texts, text)
	}
	s.notes = append(s.notes, left...)
	s.text = "[" + strings.Join(texts, ",") + "]"
	if format == Gemini && len(texts) > 0 {
		s.text = `[{"functionDeclarations":` + s.text + `}]`
	}
	return s, nil
}

// JSON is the canonical text of the request's `tools` field.
func (s *Set) JSON() string { return s.text }

// Notes lists what the provider was not told, and the tools that are not shown. The order is that of the tools.
func (s *Set) Notes() []Note { return append([]Note(nil), s.notes...) }

// Names maps the provider's name of each tool shown to its own. The map is the caller's.
func (s *Set) Names() map[string]string {
	all := make(map[string]string, len(s.shown))
	for name, one := range s.shown {
		all[name] = one.tool
	}
	return all
}

// compile writes one tool. It fails for what no provider could be told.
func compile(format Format, d dialect, name string, t tool.Definition) (string, *shown, []Note, error) {
	root, err := check(t)
	if err != nil {
		return "", nil, nil, err
	}
	f := &frame{source: read(root), tool: t.Name}
	if f.takes(root)&object == 0 {
		return "", nil, nil, fault.At(fault.InvalidSchema, "$.parameters", "$.parameters: no object fits, and arguments are an object")
	}
	f.keys = aliases(sortedKeys(f.source.names), d.key, "parameter")
	one := &shown{tool: t.Name, source: f.source, names: map[string]string{}}
	for own, alias := range f.keys {
		one.names[alias] = own
	}
	tree := map[string]any{"name": name}
	var said []string
	switch format {
	case OpenAIChat, OpenAIResponses:
		said, one.strict = openAI(f, tree)
	case Anthropic:
		tree["input_schema"], said = lower(f)
	case Gemini:
		var parameters map[string]any
		if parameters, said = unroll(f); parameters != nil {
			tree["parameters"] = parameters
		}
	case MCP:
		tree["inputSchema"] = forMCP(root)
		if returns := objectOf(t.Returns); returns["type"] == "object" {
			tree["outputSchema"] = forMCP(returns)
		} else if t.Returns != nil {
			f.note("$.returns", "no output schema is announced: the result is not always an object")
		}
	case JSONSchema:
		tree["parameters"] = root
		if t.Returns != nil {
			tree["returns"] = t.Returns
		}
	}
	describe(f, d, tree, t.Description, said)
	switch format {
	case OpenAIChat:
		tree = map[string]any{"type": "function", "function": tree}
	case OpenAIResponses:
		tree["type"] = "function"
	}
	text, err := canon.Encode(tree)
	if err != nil {
		return "", nil, nil, fault.At(fault.InvalidDefinition, "$", "the signature is no JSON: %s", err)
	}
	return string(text), one, once(f.notes), nil
}

// check lets through what the rest relies on: texts are UTF-8 and schemas are well formed. No schema means no parameters.
func check(t tool.Definition) (map[string]any, error) {
	if !utf8.ValidString(t.Name) || !utf8.ValidString(t.Description) {
		return nil, fault.At(fault.InvalidDefinition, "$.name", "name and description must be UTF-8")
	}
	if t.Parameters == nil {
		return map[string]any{"type": "object"}, nil
	}
	root, ok := t.Parameters.(map[string]any)
	if !ok {
		return nil, fault.At(fault.InvalidSchema, "$.parameters", "$.parameters: want a schema of type object")
	}
	if _, err := tool.CompileSchema(root, "$.parameters"); err != nil {
		return nil, err
	}
	if t.Returns != nil {
		if _, err := tool.CompileSchema(t.Returns, "$.returns"); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// openAI writes parameters and strict. Without strict spelled out, one of the two APIs would assume it.
func openAI(f *frame, tree map[string]any) (said []string, isStrict bool) {
	before := len(f.notes)
	parameters, err := strict(f)
	tree["strict"] = err == nil
	if err == nil {
		tree["parameters"] = parameters
		return nil, true
	}
	f.notes = f.notes[:before]
	var why *obstacle
	if errors.As(err, &why) {
		f.note(why.path, "not strict: %s", why.text)
	}
	tree["parameters"], said = lower(f)
	return said, false
}

// forMCP makes root type and properties what clients of the protocol insist on; the meaning stays.
func forMCP(schema map[string]any) map[string]any {
	out := make(map[string]any, len(schema))
	for keyword, value := range schema {
		out[keyword] = value
	}
	out["type"] = "object"
	if declared := objectOf(schema["properties"]); declared != nil {
		properties := make(map[string]any, len(declared))
		for name, part := range declared {
			switch part {
			case true:
				part = map[string]any{}
			case false:
				part = map[string]any{"not": map[string]any{}}
			}
			properties[name] = part
		}
		out["properties"] = properties
	}
	return out
}

// describe writes the tool's description with what was put into words. Where that is too long for the provider, the words go to
// the parameters, whose description has no bound, and the author's text is clipped.
func describe(f *frame, d dialect, tree map[string]any, description string, said []string) {
	text := join(description, said...)
	if d.description > 0 && utf8.RuneCountInString(text) > d.description {
		text = description
		if parameters := objectOf(tree["parameters"]); len(said) > 0 {
			parameters["description"] = join(textOf(parameters["description"]), said...)
		}
		if runes := []rune(text); len(runes) > d.description {
			f.note("$.description", "clipped to %d characters", d.description)
			text = string(runes[:d.description-1]) + "…"
		}
	}
	if text == "" && d.needsWords {
		text = textOf(tree["name"])
	}
	if text != "" {
		tree["description"] = text
	}
}
