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
	rows, err := k.s.texts(ctx, revisions, 1, name)
	if err != nil {
		return nil, typed(err, "list revisions")
	}
	ids := make([]canon.ToolID, len(rows))
	for i, row := range rows {
		if ids[i], err = canon.ParseToolID(row[0]); err != nil {
			return nil, fault.New(fault.Corrupt, "tool %q: revision %.80q is none", name, row[0])
		}
	}
	return ids, nil
}

// Bind implements registry.Store.
func (k *Tools) Bind(ctx context.Context, b registry.Binding) error {
	_, err := k.s.statements[bind].ExecContext(ctx, b.Name, b.Revision.String(), b.At.UTC().Format(time.RFC3339Nano))
	return typed(err, "bind a name")
}

// Bindings implements registry.Store.
func (k *Tools) Bindings(ctx context.Context, name string) ([]registry.Binding, error) {
	rows, err := k.s.texts(ctx, bindings, 2, name)
	if err != nil {
		return nil, typed(err, "read bindings")
	}
	list := make([]registry.Binding, len(rows))
	for i, row := range rows {
		id, unreadable := canon.ParseToolID(row[0])
		at, undated := time.Parse(time.RFC3339Nano, row[1])
		if unreadable != nil || undated != nil {
			return nil, fault.New(fault.Corrupt, "tool %q: binding %d to %.80q at %.40q is none", name, i+1, row[0], row[1])
		}
		list[i] = registry.Binding{Name: name, Revision: id, At: at.UTC()}
	}
	return list, nil
}

// Names implements registry.Store.
func (k *Tools) Names(ctx context.Context) ([]string, error) {
	rows, err := k.s.texts(ctx, names, 1)
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row[0]
	}
	return list, typed(err, "list names")
}

// Erase implements registry.Store.
func (k *Tools) Erase(ctx context.Context, id canon.ToolID) error {
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
		return k.s.each(ctx, tx, []statement{eraseBindings, eraseRevision}, id.String())
	})
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "erase a revision")
}

// Clear implements registry.Store.
func (k *Tools) Clear(ctx context.Context) error {
	err := k.s.change(ctx, func(tx *sql.Tx) error {
		return k.s.each(ctx, tx, []statement{clearBindings, clearRevisions})
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
