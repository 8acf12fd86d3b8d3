package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Store is an open file. It is safe for concurrent use. Close ends it.
type Store struct {
	db         *sql.DB
	statements [statementCount]*sql.Stmt
}

// busy is how long a change waits for other processes.
const busy = 10 * time.Second

// Open opens the file at path or makes it, readable by its owner alone, and brings it to the newest schema. Errors: unavailable
// (cannot be opened, or is newer than this program), conflict (is another program's), corrupt. The folder must be there.
func Open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = private(path)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "store")
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "store %s", path)
	}
	s := &Store{db: db}
	if err := s.start(ctx); err != nil {
		_ = s.Close()
		return nil, fault.Wrap(fault.Unavailable, typed(err, "open"), "%s", path)
	}
	return s, nil
}

// private makes the file if it is not there, and takes it from everybody but its owner. SQLite gives its side files the same mode.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		return f.Chmod(info.Mode().Perm() &^ open)
	}
	return nil
}

// dsn sets up every connection: wait for others, log ahead, hold references, overwrite what is erased, lock before reading what a
// change depends on.
func dsn(path string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)"}}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

func (s *Store) start(ctx context.Context) error {
	try := func() error { return s.change(ctx, func(tx *sql.Tx) error { return upgrade(ctx, tx, steps[:]) }) }
	err := try()
	// Turning on the log needs the file for oneself for a moment and does not wait for it.
	for until := time.Now().Add(busy); isCode(err, sqlite3.SQLITE_BUSY) && time.Now().Before(until) && ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
		err = try()
	}
	for i := 0; i < len(queries) && err == nil; i++ {
		s.statements[i], err = s.db.PrepareContext(ctx, queries[i])
	}
	return err
}

// Close closes the file. The store must not be used after it.
func (s *Store) Close() error {
	for _, prepared := range s.statements {
		if prepared != nil {
			_ = prepared.Close()
		}
	}
	return s.db.Close()
}

// Tasks is the part that keeps tasks and records.
func (s *Store) Tasks() *Tasks { return &Tasks{s} }

// Tools is the part that keeps revisions, bindings, settings and blocks.
func (s *Store) Tools() *Tools { return &Tools{s} }

// change runs f in a transaction that holds the write lock from its beginning.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err = f(tx); err == nil {
		err = tx.Commit()
	} else {
		_ = tx.Rollback()
	}
	var coded *fault.Error
	if err != nil && ctx.Err() != nil && !errors.As(err, &coded) {
		return ctx.Err() // database/sql has undone it meanwhile, and names whatever it found closed
	}
	return err
}

// scrub empties the log, which still holds what was erased. Where others read at the moment, it is emptied later.
func (s *Store) scrub(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// texts reads the rows of a prepared query whose columns are all text.
func (s *Store) texts(ctx context.Context, q statement, columns int, args ...any) (list [][]string, err error) {
	rows, err := s.statements[q].QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row, into := make([]string, columns), make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}
