package secret

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Options are what a Book is made of.
type Options struct {
	Store   shelf.Store
	Vault   Vault
	Lasting bool // the vault's key and the store outlive the engine
	Limits  limits.Limits
	Now     func() time.Time
	Random  func([]byte) // fills with bytes that nobody can guess
	// Declares gives the names of the secrets that an installed revision declares in its needs. Errors: not_found.
	Declares func(ctx context.Context, revision canon.ToolID) ([]string, error)
}

// Book keeps the secrets of all revisions. It is safe for concurrent use.
type Book struct{ o *Options }

// NewBook makes one.
func NewBook(o Options) *Book { return &Book{&o} }

// Format implements fmt.Formatter, for every verb.
func (Book) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[secrets]") }

// Lasting tells whether what is set is still there after the engine has ended.
func (b *Book) Lasting() bool { return b.o.Lasting }

// Entry is what may be known of a secret.
type Entry struct {
	Name    string
	Origins []string // who may have it, in order
	At      time.Time
}

// row is an entry with its sealed value, as it is kept.
type row struct {
	At      string   `json:"at"`
	Origins []string `json:"origins"`
	Sealed  string   `json:"sealed"` // base64
}

const room = "secret"

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Set keeps a value for a revision that declares the name, in place of one it had. Value: 1 byte to limits.SecretBytes of UTF-8 text without
// control characters and without white space at its ends, neither of which a header could carry. Origins: https origins in a
// browser's spelling, at least one. Errors: not_found (no such revision), denied (does not declare it), invalid_request, too_large.
func (b *Book) Set(ctx context.Context, revision canon.ToolID, name string, value Value, origins []string) error {
	if !nameForm.MatchString(name) {
		return fault.At(fault.InvalidRequest, "$.name", "secret: $.name: %.80q must be 1 to 64 letters, digits, _ or -", name)
	}
	declared, err := b.o.Declares(ctx, revision)
	if err != nil {
		return err
	}
	if !slices.Contains(declared, name) {
		return fault.New(fault.Denied, "secret %s: revision %s does not declare it; add it to needs.secrets of the tool's definition", name, revision)
	}
	if err := b.check(name, value.text()); err != nil {
		return err
	}
	if origins, err = exact(origins); err != nil {
		return err
	}
	r := row{At: b.o.Now().UTC().Format(time.RFC3339Nano), Origins: origins}
	associated, err := bound(revision, name, r)
	if err != nil {
		return err
	}
	sealed, err := b.o.Vault.Seal(ctx, []byte(value.text()), associated)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "secret %s", name)
	}
	r.Sealed = base64.StdEncoding.EncodeToString(sealed)
	text, err := canon.Marshal(r)
	if err != nil {
		return err
	}
	return b.o.Store.Put(ctx, shelf.Change{Key: key(revision, name), Value: text})
}

func (b *Book) check(name, text string) error {
	bad := func(why string) error {
		return fault.At(fault.InvalidRequest, "$.value", "secret %s: $.value: %s", name, why)
	}
	switch {
	case len(text) > b.o.Limits.SecretBytes:
		return fault.At(fault.TooLarge, "$.value", "secret %s: $.value: %d bytes, at most %d", name, len(text), b.o.Limits.SecretBytes)
	case text == "":
		return bad("is empty; forget the secret instead")
	case !utf8.ValidString(text):
		return bad("is not UTF-8 text")
	case strings.TrimSpace(text) != text:
		return bad("begins or ends with white space, leave that out")
	case strings.ContainsFunc(text, unicode.IsControl):
		return bad("holds a line break or another control character, which no header can carry")
	case len(text) >= ShortBytes && strings.Contains(mark(name), text):
		return bad("is part of the words that take its place; choose another one")
	}
	return nil
}

// Forget takes a secret away. That there was none is no error.
func (b *Book) Forget(ctx context.Context, revision canon.ToolID, name string) error {
	return b.o.Store.Put(ctx, shelf.Change{Key: key(revision, name)})
}

// ForgetAll takes away all secrets of a revision.
func (b *Book) ForgetAll(ctx context.Context, revision canon.ToolID) error {
	return b.o.Store.Clear(ctx, shelf.Under(room, revision.String()))
}

// List gives what may be known of the secrets of a revision, in order of their names. Nothing is opened.
func (b *Book) List(ctx context.Context, revision canon.ToolID) ([]Entry, error) {
	rows, err := b.o.Store.List(ctx, shelf.Under(room, revision.String()), "", 0)
	if err != nil {
		return nil, err
	}
	list := []Entry{}
	for _, kept := range rows {
		words := shelf.Words(kept.Key)
		name := words[len(words)-1]
		r, err := read(name, kept.Value)
		if err != nil {
			return nil, err
		}
		at, err := time.Parse(time.RFC3339Nano, r.At)
		if err != nil {
			return nil, damaged(name)
		}
		list = append(list, Entry{name, r.Origins, at.UTC()})
	}
	return list, nil
}

// open gives a value and who may have it. Errors: not_found, corrupt, unavailable.
func (b *Book) open(ctx context.Context, revision canon.ToolID, name string) (Value, []string, error) {
	kept, err := b.o.Store.Get(ctx, key(revision, name))
	if err != nil {
		return Value{}, nil, err
	}
	r, err := read(name, kept)
	if err != nil {
		return Value{}, nil, err
	}
	associated, err := bound(revision, name, r)
	if err != nil {
		return Value{}, nil, err
	}
	sealed, err := base64.StdEncoding.DecodeString(r.Sealed)
	if err != nil {
		return Value{}, nil, damaged(name)
	}
	plain, err := b.o.Vault.Open(ctx, sealed, associated)
	switch {
	case fault.CodeOf(err) == fault.Corrupt:
		return Value{}, nil, damaged(name)
	case err != nil:
		return Value{}, nil, fault.Wrap(fault.Unavailable, err, "secret %s", name)
	}
	return NewValue(string(plain)), r.Origins, nil
}

func key(revision canon.ToolID, name string) string { return shelf.Key(room, revision.String(), name) }

// bound is what a sealed value belongs to.
func bound(revision canon.ToolID, name string, r row) ([]byte, error) {
	origins := make([]any, len(r.Origins))
	for i, origin := range r.Origins {
		origins[i] = origin
	}
	return canon.Encode([]any{"taskyon 2026 secret v1", revision.String(), name, origins, r.At})
}

const rowNesting = 4

func read(name string, text []byte) (r row, err error) {
	if canon.Unmarshal(text, &r, rowNesting, fault.Corrupt) != nil {
		return r, damaged(name)
	}
	return r, nil
}

func damaged(name string) error {
	return fault.New(fault.Corrupt, "secret %.80q: what is kept of it does not open, it was changed or its key is gone; set it again", name)
}
