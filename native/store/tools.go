package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// Tools implements registry.Store.
type Tools struct{ s *Store }

// PutRevision implements registry.Store.
func (k *Tools) PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error {
	if err := registry.Proven(id, bytes); err != nil {
		return err
	}
	_, err := k.s.statements[putRevision].ExecContext(ctx, id.String(), name, bytes)
	return typed(err, "keep a revision")
}

// Revision implements registry.Store.
func (k *Tools) Revision(ctx context.Context, id canon.ToolID) ([]byte, error) {
	var bytes []byte
	err := k.s.statements[getRevision].QueryRowContext(ctx, id.String()).Scan(&bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, registry.Missing(id)
	}
	if err != nil {
		return nil, typed(err, "read a revision")
	}
	if err := registry.Proven(id, bytes); err != nil {
		return nil, err
	}
	return bytes, nil
}

// Revisions implements registry.Store.
func (k *Tools) Revisions(ctx context.Context, name string) ([]canon.ToolID, error) {
	return k.ids(ctx, revisions, name)
}

// Installed implements registry.Store.
func (k *Tools) Installed(ctx context.Context) ([]canon.ToolID, error) { return k.ids(ctx, installed) }

func (k *Tools) ids(ctx context.Context, q statement, args ...any) ([]canon.ToolID, error) {
	rows, err := k.s.texts(ctx, q, 1, args...)
	if err != nil {
		return nil, typed(err, "list revisions")
	}
	ids := make([]canon.ToolID, len(rows))
	for i, row := range rows {
		if ids[i], err = canon.ParseToolID(row[0]); err != nil {
			return nil, fault.New(fault.Corrupt, "store: revision %.80q is none", row[0])
		}
	}
	return ids, nil
}

// Bind implements registry.Store.
func (k *Tools) Bind(ctx context.Context, b registry.Binding, before canon.ToolID) error {
	done, err := k.s.statements[bind].ExecContext(ctx, b.Name, b.Revision.String(), written(b.At), before.String())
	if err != nil {
		return typed(err, "bind a name")
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		err = registry.Moved(b.Name)
	}
	return typed(err, "bind a name")
}

// Bindings implements registry.Store.
func (k *Tools) Bindings(ctx context.Context, name string) ([]registry.Binding, error) {
	return k.bindings(ctx, bindings, name)
}

// Active implements registry.Store.
func (k *Tools) Active(ctx context.Context, name string) (registry.Binding, error) {
	list, err := k.bindings(ctx, active, name)
	if err != nil || len(list) == 0 {
		return registry.Binding{}, err
	}
	return list[0], nil
}

// Bound implements registry.Store.
func (k *Tools) Bound(ctx context.Context) ([]registry.Binding, error) { return k.bindings(ctx, bound) }

func (k *Tools) bindings(ctx context.Context, q statement, args ...any) ([]registry.Binding, error) {
	rows, err := k.s.texts(ctx, q, 3, args...)
	if err != nil {
		return nil, typed(err, "read bindings")
	}
	list := make([]registry.Binding, len(rows))
	for i, row := range rows {
		b := registry.Binding{Name: row[0]}
		unreadable := b.Revision.UnmarshalText([]byte(row[1]))
		if b.At, err = read(row[2]); err != nil || unreadable != nil {
			return nil, fault.New(fault.Corrupt, "tool %q: a binding to %.80q at %.40q is none", row[0], row[1], row[2])
		}
		list[i] = b
	}
	return list, nil
}

// written is the text of a time in a row, and read its time.
func written(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func read(at string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, at)
	return t.UTC(), err
}

// Erase implements registry.Store.
func (k *Tools) Erase(ctx context.Context, id canon.ToolID) error {
	if id.IsZero() {
		return nil // the zero revision of a binding is no revision
	}
	err := k.s.change(ctx, func(tx *sql.Tx) error {
		var found string
		err := tx.StmtContext(ctx, k.s.statements[activeAs]).QueryRowContext(ctx, id.String()).Scan(&found)
		if err == nil {
			return registry.StillActive(id, found)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		err = tx.StmtContext(ctx, k.s.statements[pins]).QueryRowContext(ctx, id.String()).Scan(&found)
		if err == nil {
			return registry.StillPinned(id)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return k.s.each(ctx, tx, []statement{eraseBindings, eraseSettings, eraseRevision}, id.String())
	})
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "erase a revision")
}

// Clear implements registry.Store.
func (k *Tools) Clear(ctx context.Context) error {
	err := k.s.change(ctx, func(tx *sql.Tx) error {
		return k.s.each(ctx, tx, []statement{clearBindings, clearSettings, clearBlocks, clearRevisions})
	})
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "clear tools")
}

func (s *Store) each(ctx context.Context, tx *sql.Tx, list []statement, args ...any) error {
	for _, q := range list {
		if _, err := tx.StmtContext(ctx, s.statements[q]).ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}
