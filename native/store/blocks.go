package store

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// Block implements registry.Store.
func (k *Tools) Block(ctx context.Context, b registry.Block) error {
	_, err := k.s.statements[block].ExecContext(ctx, b.Revision.String(), b.Reason, written(b.At))
	return typed(err, "block a revision")
}

// Unblock implements registry.Store.
func (k *Tools) Unblock(ctx context.Context, id canon.ToolID) error {
	_, err := k.s.statements[unblock].ExecContext(ctx, id.String())
	return typed(err, "unblock a revision")
}

// Blocked implements registry.Store.
func (k *Tools) Blocked(ctx context.Context, id canon.ToolID) (registry.Block, error) {
	list, err := k.blocks(ctx, blocked, id.String())
	if err != nil || len(list) == 0 {
		return registry.Block{}, err
	}
	return list[0], nil
}

// Blocks implements registry.Store.
func (k *Tools) Blocks(ctx context.Context) ([]registry.Block, error) { return k.blocks(ctx, blocks) }

func (k *Tools) blocks(ctx context.Context, q statement, args ...any) ([]registry.Block, error) {
	rows, err := k.s.texts(ctx, q, 3, args...)
	if err != nil {
		return nil, typed(err, "read blocks")
	}
	list := make([]registry.Block, len(rows))
	for i, row := range rows {
		id, unreadable := canon.ParseToolID(row[0])
		at, undated := read(row[2])
		if unreadable != nil || undated != nil {
			return nil, fault.New(fault.Corrupt, "store: a block of %.80q at %.40q is none", row[0], row[2])
		}
		list[i] = registry.Block{Revision: id, Reason: row[1], At: at}
	}
	return list, nil
}
