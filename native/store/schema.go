package store

import (
	"context"
	"database/sql"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// steps bring a file from schema version i to i+1. A step that was released never changes.
//
// Columns beside the hashed text (parent, tool, name) only find rows; what a row says is read from its text.
var steps = [...]string{
	`CREATE TABLE tasks (
		seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent TEXT REFERENCES tasks (id), tool TEXT, node TEXT NOT NULL) STRICT;
	CREATE INDEX tasks_parent ON tasks (parent);
	CREATE INDEX tasks_tool ON tasks (tool) WHERE tool IS NOT NULL;
	CREATE TABLE records (
		seq INTEGER PRIMARY KEY, task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, digest TEXT NOT NULL, record TEXT NOT NULL) STRICT;
	CREATE INDEX records_task ON records (task);
	CREATE TABLE revisions (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, definition BLOB NOT NULL) STRICT;
	CREATE INDEX revisions_name ON revisions (name);
	CREATE TABLE bindings (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, revision TEXT NOT NULL, at TEXT NOT NULL) STRICT;
	CREATE INDEX bindings_name ON bindings (name);
	CREATE INDEX bindings_revision ON bindings (revision);
	PRAGMA application_id = 1413567345;
	PRAGMA user_version = 1;`,
	// From here on a binding to no revision is kept as ''.
	`CREATE TABLE settings (
		seq INTEGER PRIMARY KEY, revision TEXT NOT NULL, id TEXT NOT NULL, settings BLOB NOT NULL, at TEXT NOT NULL) STRICT;
	CREATE INDEX settings_revision ON settings (revision);
	CREATE INDEX settings_id ON settings (id);
	CREATE TABLE blocks (revision TEXT NOT NULL PRIMARY KEY, reason TEXT NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
	PRAGMA user_version = 2;`,
	// Keys are blobs: their order is that of bytes, whatever is in them.
	`CREATE TABLE shelf (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
	PRAGMA user_version = 3;`,
}

// applicationID marks a file as ours, as SQLite's application_id does it.
const applicationID = 1413567345

// upgrade brings the file to the newest schema, in one transaction: old or new.
func upgrade(ctx context.Context, tx *sql.Tx, steps []string) error {
	var version, application, objects int
	for query, into := range map[string]*int{
		`PRAGMA user_version`: &version, `PRAGMA application_id`: &application, `SELECT count(*) FROM sqlite_schema`: &objects,
	} {
		if err := tx.QueryRowContext(ctx, query).Scan(into); err != nil {
			return err
		}
	}
	switch {
	case objects > 0 && application != applicationID:
		return fault.New(fault.Conflict, "is a database of another program; choose another file")
	case version > len(steps):
		return fault.New(fault.Unavailable, "was written by a newer version of this program (schema %d, this one knows %d); update this program",
			version, len(steps))
	}
	for _, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	return nil
}
