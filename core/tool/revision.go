package tool

import (
	"fmt"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Revision is a definition frozen under the hash of its bytes. It never changes; two revisions are the same when their ids are.
type Revision struct {
	id         canon.ToolID
	definition Definition
	bytes      string
	parameters *Schema
	returns    *Schema
	settings   *Schema
	hasBytes   bool
}

// Freeze makes the revision of a definition that Read accepted.
func Freeze(d Definition) (*Revision, error) {
	bytes, err := canon.Marshal(d)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidDefinition, err, "definition %q", d.Name)
	}
	return freeze(d, bytes)
}

func freeze(d Definition, bytes []byte) (*Revision, error) {
	parameters, err := CompileSchema(d.Parameters, "$.parameters")
	if err != nil {
		return nil, err
	}
	r := &Revision{id: canon.SumTool(bytes), definition: d, bytes: string(bytes), parameters: parameters, hasBytes: mentionsBytes(string(bytes))}
	if d.Returns != nil {
		if r.returns, err = CompileSchema(d.Returns, "$.returns"); err != nil {
			return nil, err
		}
	}
	if d.Settings != nil {
		if r.settings, err = CompileSchema(d.Settings, "$.settings"); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Thaw reads a revision back from a store or a network: its bytes must hash to the id and be a definition in normal form, else
// corrupt.
func Thaw(id canon.ToolID, bytes []byte, l limits.Limits) (*Revision, error) {
	if canon.SumTool(bytes) != id {
		return nil, fault.New(fault.Corrupt, "revision %s: stored bytes hash to another id", id)
	}
	l.DefinitionBytes = max(l.DefinitionBytes, len(bytes)) // what was once accepted stays readable
	d, err := Read(bytes, l)
	if err != nil {
		return nil, &fault.Error{Code: fault.Corrupt, Message: fmt.Sprintf("revision %s: %s", id, err)}
	}
	// A definition has one spelling, else it would have several ids and what is blocked under one would run under another.
	if normal, err := canon.Marshal(d); err != nil || string(normal) != string(bytes) {
		return nil, fault.New(fault.Corrupt, "revision %s: its bytes are not the normal form of the definition", id)
	}
	return freeze(d, bytes)
}

// ID is the revision's name: the hash of Bytes.
func (r *Revision) ID() canon.ToolID { return r.id }

// Name is the tool's name.
func (r *Revision) Name() string { return r.definition.Name }

// Definition returns the definition in normal form. Its schemas are shared: callers must not change them.
func (r *Revision) Definition() Definition { return r.definition }

// Bytes are the RFC 8785 bytes of the definition, as text.
func (r *Revision) Bytes() string { return r.bytes }

// CheckArguments checks decoded arguments against the parameters: invalid_arguments with the path of the first breach. Strings
// that are declared to hold bytes must be base64.
func (r *Revision) CheckArguments(args any) error {
	if err := r.parameters.Check(args, fault.InvalidArguments); err != nil {
		return err
	}
	_, err := r.MapBytes(args, checkBytes)
	return err
}

// CheckResult checks the plain JSON of a result against the declared result schema, if there is one.
func (r *Revision) CheckResult(result any) error {
	if r.returns == nil {
		return nil
	}
	return r.returns.Check(result, fault.InvalidValue)
}

// Unenforced lists what the schemas ask and no check does, `path: reason`: patterns beyond RE2, such as look-ahead.
func (r *Revision) Unenforced() []string {
	all := r.parameters.Unenforced()
	for _, s := range []*Schema{r.returns, r.settings} {
		if s != nil {
			all = slices.Concat(all, s.Unenforced())
		}
	}
	return all
}
