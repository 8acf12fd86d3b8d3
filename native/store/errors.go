package store

import (
	"context"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// typed gives an error of SQLite the project's code, and says what to do. A coded error keeps its own.
func typed(err error, doing string) error {
	var coded *fault.Error
	var failed *sqlite.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(fault.Aborted, err, "store: %s", doing)
	case !errors.As(err, &failed):
		return fault.Wrap(fault.Unavailable, err, "store: %s", doing)
	}
	switch failed.Code() & primary {
	case sqlite3.SQLITE_FULL:
		return fault.Wrap(fault.TooLarge, err, "store: %s: the disk is full, nothing was changed; free some space and try again", doing)
	case sqlite3.SQLITE_READONLY:
		return fault.Wrap(fault.Unavailable, err, "store: %s: the file may only be read, nothing was changed; make it writable", doing)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fault.Wrap(fault.Unavailable, err, "store: %s: another process holds the file; try again", doing)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fault.Wrap(fault.Corrupt, err, "store: %s: the file is damaged or no database; restore it from a copy", doing)
	case sqlite3.SQLITE_INTERRUPT:
		return fault.Wrap(fault.Aborted, err, "store: %s", doing)
	}
	return fault.Wrap(fault.Unavailable, err, "store: %s", doing)
}

// primary is the part of an extended result code that names its kind.
const primary = 0xff

func isCode(err error, code int) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) && (failed.Code() == code || failed.Code()&primary == code)
}
