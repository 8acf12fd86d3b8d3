package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Shelf implements shelf.Store. Keys are blobs, whose order is that of their bytes.
type Shelf struct{ s *Store }

// Shelf is the part that keeps what belongs to no task and no revision.
func (s *Store) Shelf() *Shelf { return &Shelf{s} }

// Get implements shelf.Store.
func (k *Shelf) Get(ctx context.Context, key string) ([]byte, error) {
	value, err := shelved(k.s.statements[getShelf].QueryRowContext(ctx, []byte(key)))
	if err == nil && value == nil {
		err = shelf.Missing(key)
	}
	return value, typed(err, "read the shelf")
}

// shelved is the value of a row, nil where there is no row.
func shelved(row *sql.Row) ([]byte, error) {
	var kept []byte
	err := row.Scan(&kept)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil && kept == nil {
		kept = []byte{} // the driver's word for a blob of no bytes
	}
	return kept, err
}

// Put implements shelf.Store. What it took away is nowhere in the files afterwards, unless others read at the moment.
func (k *Shelf) Put(ctx context.Context, changes ...shelf.Change) error {
	if err := shelf.Fit(changes); err != nil {
		return err
	}
	took := false
	err := k.s.change(ctx, func(tx *sql.Tx) error {
		get, put, take := tx.StmtContext(ctx, k.s.statements[getShelf]), tx.StmtContext(ctx, k.s.statements[putShelf]), tx.StmtContext(ctx, k.s.statements[takeShelf])
		for _, c := range changes {
			if !c.Check {
				continue
			}
			held, err := shelved(get.QueryRowContext(ctx, []byte(c.Key)))
			if err == nil && !c.Holds(held) {
				err = shelf.Changed(c.Key)
			}
			if err != nil {
				return err
			}
		}
		for _, c := range changes {
			var err error
			if c.Value == nil {
				took = true
				_, err = take.ExecContext(ctx, []byte(c.Key))
			} else {
				_, err = put.ExecContext(ctx, []byte(c.Key), c.Value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && took {
		_ = k.s.scrub(context.WithoutCancel(ctx)) // the change is made, whatever comes of this; the next one empties the log too
	}
	return typed(err, "change the shelf")
}

// List implements shelf.Store.
func (k *Shelf) List(ctx context.Context, prefix, after string, most int) ([]shelf.Row, error) {
	if most <= 0 {
		most = -1
	}
	from, to := shelf.Span(prefix, after)
	rows, err := k.s.statements[listShelf].QueryContext(ctx, []byte(from), []byte(to), most)
	if err != nil {
		return nil, typed(err, "list the shelf")
	}
	defer rows.Close()
	var list []shelf.Row
	for rows.Next() {
		var key, value []byte
		if err := rows.Scan(&key, &value); err != nil {
			return nil, typed(err, "list the shelf")
		}
		list = append(list, shelf.Row{Key: string(key), Value: append([]byte{}, value...)})
	}
	return list, typed(rows.Err(), "list the shelf")
}

// Clear implements shelf.Store.
func (k *Shelf) Clear(ctx context.Context, prefix string) error {
	from, to := shelf.Span(prefix, "")
	_, err := k.s.statements[clearShelf].ExecContext(ctx, []byte(from), []byte(to))
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "clear the shelf")
}
