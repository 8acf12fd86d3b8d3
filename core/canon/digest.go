package canon

import (
	"encoding/hex"

	"github.com/xyntopia/taskyon-sandbox/core/canon/internal/b3"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Digest is a BLAKE3-256 digest of one kind of thing. It is comparable, fits as a map key, and travels as text. The zero
// value means none and has the empty text. Digests of different kinds are different types and cannot be converted.
type Digest[K Kind] struct {
	_   [0]K // makes the types differ in structure, so that not even a conversion compiles
	sum [b3.Size]byte
}

// ToolID names a tool revision by its canonical definition: tool:b3:<64 lower-case hex digits>.
type ToolID = Digest[toolKind]

// TaskID names a pinned task by its canonical bytes: task:b3:<64 lower-case hex digits>.
type TaskID = Digest[taskKind]

// SettingsID names the settings of a revision by their canonical bytes: settings:b3:<64 lower-case hex digits>.
type SettingsID = Digest[settingsKind]

// FileID names the bytes of a file, as b3sum prints it: b3:<64 lower-case hex digits>.
type FileID = Digest[fileKind]

// Kind is what digests are of. The set is closed.
type Kind interface {
	comparable
	noun() string
	prefix() string
	context() string // of derive-key mode; empty for the plain hash
}

type (
	toolKind     struct{}
	taskKind     struct{}
	settingsKind struct{}
	fileKind     struct{}
)

func (toolKind) noun() string        { return "tool id" }
func (toolKind) prefix() string      { return "tool:b3:" }
func (toolKind) context() string     { return "taskyon 2026 tool revision v1" }
func (taskKind) noun() string        { return "task id" }
func (taskKind) prefix() string      { return "task:b3:" }
func (taskKind) context() string     { return "taskyon 2026 task v1" }
func (settingsKind) noun() string    { return "settings id" }
func (settingsKind) prefix() string  { return "settings:b3:" }
func (settingsKind) context() string { return "taskyon 2026 settings v1" }
func (fileKind) noun() string        { return "file digest" }
func (fileKind) prefix() string      { return "b3:" }
func (fileKind) context() string     { return "" }

// SumTool returns the identity of a revision with these canonical bytes.
func SumTool(canonical []byte) ToolID { return sum[toolKind](canonical) }

// SumTask returns the identity of a task with these canonical bytes.
func SumTask(canonical []byte) TaskID { return sum[taskKind](canonical) }

// SumSettings returns the identity of settings with these canonical bytes.
func SumSettings(canonical []byte) SettingsID { return sum[settingsKind](canonical) }

// SumFile returns the plain BLAKE3 digest of a file's content.
func SumFile(content []byte) FileID { return sum[fileKind](content) }

// ParseToolID reads the text form. Any other text, the empty one too, is invalid_request; so with the other kinds.
func ParseToolID(text string) (ToolID, error) { return parse[toolKind](text) }

// ParseTaskID reads the text form.
func ParseTaskID(text string) (TaskID, error) { return parse[taskKind](text) }

// ParseSettingsID reads the text form.
func ParseSettingsID(text string) (SettingsID, error) { return parse[settingsKind](text) }

// ParseFileID reads the text form.
func ParseFileID(text string) (FileID, error) { return parse[fileKind](text) }

// IsZero says whether there is no digest.
func (d Digest[K]) IsZero() bool { return d == Digest[K]{} }

// String returns the text form, empty for none.
func (d Digest[K]) String() string {
	if d.IsZero() {
		return ""
	}
	var kind K
	return kind.prefix() + hex.EncodeToString(d.sum[:])
}

// MarshalText implements encoding.TextMarshaler.
func (d Digest[K]) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. The empty text is none.
func (d *Digest[K]) UnmarshalText(text []byte) (err error) {
	*d = Digest[K]{}
	if len(text) > 0 {
		*d, err = parse[K](string(text))
	}
	return err
}

func sum[K Kind](bytes []byte) Digest[K] {
	var kind K
	if context := kind.context(); context != "" {
		return Digest[K]{sum: b3.Derive(context, bytes)}
	}
	return Digest[K]{sum: b3.Sum(bytes)}
}

// parse accepts one spelling only: a digest in other letter case would be another key for the same thing.
func parse[K Kind](text string) (d Digest[K], err error) {
	var kind K
	prefix := kind.prefix()
	ok := len(text) == len(prefix)+2*b3.Size && text[:len(prefix)] == prefix
	for i := len(prefix); ok && i < len(text); i++ {
		c := text[i]
		ok = '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
	}
	if !ok {
		return d, fault.New(fault.InvalidRequest, "%s is no %s, want %s and 64 lower-case hex digits", quote(text), kind.noun(), prefix)
	}
	if _, err = hex.Decode(d.sum[:], []byte(text[len(prefix):])); err == nil && d.IsZero() {
		return d, fault.New(fault.InvalidRequest, "%s is no %s, nothing hashes to zero", quote(text), kind.noun())
	}
	return d, err
}
