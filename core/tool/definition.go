package tool

import (
	"regexp"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Definition is a tool as its author wrote it, in normal form. Parameters, Returns and Settings are JSON Schema 2020-12.
type Definition struct {
	Name            string         `json:"name"` // ^[A-Za-z0-9_-]{1,64}$
	Description     string         `json:"description"`
	LongDescription string         `json:"longDescription,omitempty"`
	Parameters      any            `json:"parameters"` // of type object
	Returns         any            `json:"returns,omitempty"`
	Implementation  Implementation `json:"implementation"`
	Needs           *Needs         `json:"needs,omitempty"`
	Settings        any            `json:"settings,omitempty"` // of type object
	Limits          *Limits        `json:"limits,omitempty"`
}

// Class says where a tool runs and with whose rights.
type Class string

const (
	SandboxedCode   Class = "sandboxed-code"   // in a sandbox, with mediated capabilities only
	TrustedNative   Class = "trusted-native"   // a function of the host, with the host's rights
	ExternalService Class = "external-service" // on another host
)

// Language is the language of sandboxed code.
type Language string

const (
	JavaScript Language = "javascript"
	Python     Language = "python"
)

// Implementation holds the fields of exactly one class.
type Implementation struct {
	Class     Class    `json:"class"`
	Language  Language `json:"language,omitempty"`  // sandboxed-code
	Code      string   `json:"code,omitempty"`      // sandboxed-code
	Native    string   `json:"native,omitempty"`    // trusted-native
	Version   string   `json:"version,omitempty"`   // trusted-native
	Service   string   `json:"service,omitempty"`   // external-service
	Operation string   `json:"operation,omitempty"` // external-service
}

// Needs is all that a tool may ever ask for. What has no row here is denied without a prompt.
type Needs struct {
	Fetch    []FetchNeed `json:"fetch,omitempty"`
	Subtasks bool        `json:"subtasks,omitempty"`
	Storage  bool        `json:"storage,omitempty"`
	Secrets  []string    `json:"secrets,omitempty"`
	Popup    []string    `json:"popup,omitempty"` // trusted-native only: custom-html or an https origin
}

func (n *Needs) empty() bool {
	return len(n.Fetch)+len(n.Secrets)+len(n.Popup) == 0 && !n.Subtasks && !n.Storage
}

// Declared is what a definition needs, nothing where it declares nothing.
func (d Definition) Declared() Needs {
	if d.Needs == nil {
		return Needs{}
	}
	return *d.Needs
}

// FetchNeed is one origin (or "*": the user may be asked for any) and the access wanted there.
type FetchNeed struct {
	Origin string `json:"origin"`
	Access string `json:"access"` // read or write
}

// Limits are the author's wishes below the engine's own limits.
type Limits struct {
	TimeoutMs int `json:"timeoutMs,omitempty"`
}

// Read decodes a definition's JSON text into normal form (Taskyon's short form, with `code` for JavaScript in place of
// `implementation`, is taken too) and checks everything but its code: closed fields, name, class,
// schemas. Errors are invalid_json, invalid_definition, invalid_schema and too_large, with the path.
func Read(text []byte, l limits.Limits) (Definition, error) {
	if len(text) > l.DefinitionBytes {
		return Definition{}, fault.New(fault.TooLarge, "definition: %d bytes, at most %d", len(text), l.DefinitionBytes)
	}
	tree, err := canon.Decode(text, l.Nesting)
	if err != nil {
		return Definition{}, fault.Wrap(fault.InvalidJSON, err, "definition")
	}
	d, err := bind(tree)
	if err != nil {
		return Definition{}, fault.Wrap(fault.InvalidDefinition, err, "definition")
	}
	if err := d.check(); err != nil {
		return Definition{}, err
	}
	return d, nil
}

func bind(tree any) (Definition, error) {
	fields, ok := tree.(map[string]any)
	if !ok {
		return Definition{}, fault.At(fault.InvalidDefinition, "$", "want an object")
	}
	if code, short := fields["code"]; short {
		if _, full := fields["implementation"]; full {
			return Definition{}, fault.At(fault.InvalidDefinition, "$.code", "$.code: goes with no implementation; put the code into it, or leave it out")
		}
		fields["implementation"] = map[string]any{"class": string(SandboxedCode), "language": string(JavaScript), "code": code}
		delete(fields, "code")
	}
	if _, given := fields["parameters"]; !given {
		fields["parameters"] = map[string]any{"type": "object"}
	}
	var d Definition
	if err := canon.Bind(tree, &d, fault.InvalidDefinition); err != nil {
		return Definition{}, err
	}
	// What asks for nothing is as good as absent, and must not be another revision.
	if d.Needs != nil && d.Needs.empty() {
		d.Needs = nil
	}
	if d.Limits != nil && *d.Limits == (Limits{}) {
		d.Limits = nil
	}
	for _, name := range []string{"parameters", "returns", "settings"} {
		if value, given := fields[name]; given && value == nil {
			return Definition{}, fault.At(fault.InvalidDefinition, "$."+name, "$.%s: null, leave the field out instead", name)
		}
	}
	return d, nil
}

// IsName tells whether a text may be the name of a tool.
func IsName(text string) bool { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(text) }

func (d Definition) check() error {
	if !IsName(d.Name) {
		return fault.At(fault.InvalidDefinition, "$.name", "definition: $.name: %.80q must be 1 to 64 letters, digits, _ or -", d.Name)
	}
	if err := d.Implementation.check(); err != nil {
		return err
	}
	if err := d.checkNeeds(); err != nil {
		return err
	}
	if d.Limits != nil && d.Limits.TimeoutMs < 0 {
		return fault.At(fault.InvalidDefinition, "$.limits.timeoutMs", "definition: $.limits.timeoutMs: %d is negative", d.Limits.TimeoutMs)
	}
	for _, part := range []struct {
		name   string
		schema any
		object bool
	}{{"parameters", d.Parameters, true}, {"returns", d.Returns, false}, {"settings", d.Settings, true}} {
		if part.schema == nil {
			continue
		}
		path := "$." + part.name
		if s, ok := part.schema.(map[string]any); part.object && (!ok || s["type"] != "object") {
			return fault.At(fault.InvalidSchema, path+".type", "definition: %s.type: must be \"object\"", path)
		}
		if _, err := CompileSchema(part.schema, path); err != nil {
			return fault.Wrap(fault.InvalidSchema, err, "definition")
		}
	}
	return nil
}

func (i Implementation) check() error {
	type field struct{ name, value string }
	all := []field{{"language", string(i.Language)}, {"code", i.Code}, {"native", i.Native}, {"version", i.Version},
		{"service", i.Service}, {"operation", i.Operation}}
	wanted := map[Class][]string{
		SandboxedCode: {"language", "code"}, TrustedNative: {"native", "version"}, ExternalService: {"service", "operation"},
	}
	want, known := wanted[i.Class]
	if !known {
		return fault.At(fault.InvalidDefinition, "$.implementation.class",
			"definition: $.implementation.class: %.80q is not sandboxed-code, trusted-native or external-service", string(i.Class))
	}
	for _, f := range all {
		path := "$.implementation." + f.name
		switch needed := slices.Contains(want, f.name); {
		case needed && f.value == "":
			return fault.At(fault.InvalidDefinition, path, "definition: %s: missing or empty, class %s needs it", path, i.Class)
		case !needed && f.value != "":
			return fault.At(fault.InvalidDefinition, path, "definition: %s: class %s has no such field", path, i.Class)
		}
	}
	if i.Class == SandboxedCode && i.Language != JavaScript && i.Language != Python {
		return fault.At(fault.InvalidDefinition, "$.implementation.language",
			"definition: $.implementation.language: %.80q is not javascript or python", string(i.Language))
	}
	return nil
}

func (d Definition) checkNeeds() error {
	if d.Needs == nil {
		return nil
	}
	for i, need := range d.Needs.Fetch {
		if need.Access != "read" && need.Access != "write" {
			path := canon.Index("$.needs.fetch", i) + ".access"
			return fault.At(fault.InvalidDefinition, path, "definition: %s: %.80q is not read or write", path, need.Access)
		}
	}
	if len(d.Needs.Popup) > 0 && d.Implementation.Class != TrustedNative {
		return fault.At(fault.InvalidDefinition, "$.needs.popup", "definition: $.needs.popup: only a trusted-native tool may open popups")
	}
	return nil
}
