package storage

import (
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

const (
	room = "storage"
	// used is the word of the row that counts. Words of partitions begin with a hyphen, so none is it.
	used = "used"
	// none is the word of no partition, and of no node.
	none = "-"
)

// Place is where one tool stores.
type Place struct {
	Revision  canon.ToolID
	Partition string       // of the run; none for an application that has none
	Node      canon.TaskID // that defines the tool in a chat; zero for an installed one
}

func (p Place) words() []string {
	node := none
	if !p.Node.IsZero() {
		node = p.Node.String()
	}
	return []string{room, p.Revision.String(), none + p.Partition, node}
}

func (p Place) key(key string) string { return shelf.Key(append(p.words(), key)...) }

func under(revision canon.ToolID) string { return shelf.Under(room, revision.String()) }

func usedKey(revision canon.ToolID) string { return shelf.Key(room, revision.String(), used) }

// placeOf is the way back from a row's key.
func placeOf(key string) (p Place, name string, err error) {
	words := shelf.Words(key)
	damaged := fault.New(fault.Corrupt, "storage: %.200q is no key of a row; clear the storage of its revision", key)
	if len(words) != 5 || !strings.HasPrefix(words[2], none) {
		return p, "", damaged
	}
	p.Partition = words[2][1:]
	if p.Revision, err = canon.ParseToolID(words[1]); err != nil {
		return p, "", damaged
	}
	if words[3] != none {
		if p.Node, err = canon.ParseTaskID(words[3]); err != nil {
			return p, "", damaged
		}
	}
	return p, words[4], nil
}

// usage is the row that counts.
type usage struct {
	Bytes int `json:"bytes"`
	Keys  int `json:"keys"`
}

// usage reads the row that counts, and its bytes, nil for none.
func (s *Store) usage(ctx context.Context, revision canon.ToolID) (u usage, kept []byte, err error) {
	kept, err = s.get(ctx, usedKey(revision))
	if err != nil {
		return u, nil, err
	}
	if kept == nil || canon.Unmarshal(kept, &u, 2, fault.Corrupt) != nil || u.Bytes < 0 || u.Keys < 0 {
		return s.recounted(ctx, revision, kept)
	}
	return u, kept, nil
}

// recounted counts anew where there is no such row, or none that can be.
func (s *Store) recounted(ctx context.Context, revision canon.ToolID, kept []byte) (u usage, _ []byte, err error) {
	rows, err := s.rows(ctx, revision)
	for _, row := range rows {
		_, name, err := placeOf(row.Key)
		if err != nil {
			return u, nil, err
		}
		u.Keys, u.Bytes = u.Keys+1, u.Bytes+weight(name, row.Value)
	}
	return u, kept, err
}

func (u usage) row(revision canon.ToolID, before []byte) (shelf.Change, error) {
	text, err := canon.Marshal(u)
	return shelf.Change{Key: usedKey(revision), Value: text, Check: true, Before: before}, err
}

// weight is what a row counts: its key and the canonical text of its value's tagged form.
func weight(key string, value []byte) int { return len(key) + len(value) }

// rows gives what is stored of a revision, without the row that counts.
func (s *Store) rows(ctx context.Context, revision canon.ToolID) ([]shelf.Row, error) {
	rows, err := s.o.Store.List(ctx, under(revision), "", 0)
	kept := rows[:0]
	for _, row := range rows {
		if row.Key != usedKey(revision) {
			kept = append(kept, row)
		}
	}
	return kept, err
}

// get is nil where nothing is kept.
func (s *Store) get(ctx context.Context, key string) ([]byte, error) {
	kept, err := s.o.Store.Get(ctx, key)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	return kept, err
}

func (s *Store) value(key string, text []byte) (any, error) {
	tree, err := canon.Decode(text, 3*s.o.Limits.Nesting+8)
	if err == nil {
		err = protocol.CheckValue(tree, s.o.Limits.Nesting)
	}
	if err != nil {
		return nil, fault.New(fault.Corrupt, "storage: what is under %.80q was changed from outside and cannot be read; delete it", key)
	}
	return tree, nil
}
