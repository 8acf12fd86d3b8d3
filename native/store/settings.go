package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// PutSettings implements registry.Store. Each row has its own bytes, so that they can go with their revision.
func (k *Tools) PutSettings(ctx context.Context, list ...registry.Kept) error {
	for _, s := range list {
		if err := registry.ProvenSettings(s.ID, s.Bytes); err != nil {
			return err
		}
	}
	return typed(k.s.change(ctx, func(tx *sql.Tx) error {
		insert := tx.StmtContext(ctx, k.s.statements[putSettings])
		for _, s := range list {
			bytes := s.Bytes
			if bytes == nil {
				bytes = []byte{} // nil is NULL
			}
			if _, err := insert.ExecContext(ctx, s.Revision.String(), s.ID.String(), bytes, written(s.At)); err != nil {
				return err
			}
		}
		return nil
	}), "keep settings")
}

// Settings implements registry.Store.
func (k *Tools) Settings(ctx context.Context, id canon.SettingsID) ([]byte, error) {
	if id.IsZero() {
		return nil, registry.MissingSettings(id) // the zero id of a setting is no settings
	}
	var bytes []byte
	err := k.s.statements[getSettings].QueryRowContext(ctx, id.String()).Scan(&bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, registry.MissingSettings(id)
	}
	if err != nil {
		return nil, typed(err, "read settings")
	}
	if err := registry.ProvenSettings(id, bytes); err != nil {
		return nil, err
	}
	return bytes, nil
}

// Current implements registry.Store.
func (k *Tools) Current(ctx context.Context, revision canon.ToolID) (registry.Setting, error) {
	list, err := k.settings(ctx, current, revision)
	if err != nil || len(list) == 0 {
		return registry.Setting{}, err
	}
	return list[0], nil
}

// SettingsHistory implements registry.Store.
func (k *Tools) SettingsHistory(ctx context.Context, revision canon.ToolID) ([]registry.Setting, error) {
	return k.settings(ctx, settings, revision)
}

func (k *Tools) settings(ctx context.Context, q statement, revision canon.ToolID) ([]registry.Setting, error) {
	rows, err := k.s.texts(ctx, q, 2, revision.String())
	if err != nil {
		return nil, typed(err, "read settings")
	}
	list := make([]registry.Setting, len(rows))
	for i, row := range rows {
		s := registry.Setting{Revision: revision}
		unreadable := s.ID.UnmarshalText([]byte(row[0]))
		if s.At, err = read(row[1]); err != nil || unreadable != nil {
			return nil, fault.New(fault.Corrupt, "revision %s: its settings %.80q at %.40q are none", revision, row[0], row[1])
		}
		list[i] = s
	}
	return list, nil
}
