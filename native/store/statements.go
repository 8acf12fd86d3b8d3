package store

// statement is the index of a query that is prepared once.
type statement int

const (
	putTask statement = iota
	getTask
	lineage
	children
	putRecord
	records
	pins
	eraseTasks
	clearTasks
	putRevision
	getRevision
	revisions
	bind
	bindings
	names
	activeAs
	eraseRevision
	eraseBindings
	clearRevisions
	clearBindings
	statementCount
)

var queries = [statementCount]string{
	putTask: `INSERT INTO tasks (id, parent, tool, node) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
	getTask: `SELECT id, node FROM tasks WHERE id = ?`,
	// UNION, not UNION ALL: a circle, which only an edited row can make, ends it.
	lineage: `WITH RECURSIVE up (id) AS (VALUES (?) UNION SELECT t.parent FROM up JOIN tasks t ON t.id = up.id WHERE t.parent IS NOT NULL)
		SELECT t.id, t.node FROM up JOIN tasks t ON t.id = up.id`,
	children:  `SELECT id, node FROM tasks WHERE parent IS ? ORDER BY seq`,
	putRecord: `INSERT INTO records (task, digest, record) VALUES (?, ?, ?)`,
	records:   `SELECT digest, record FROM records WHERE task = ? ORDER BY seq`,
	pins:      `SELECT id FROM tasks WHERE tool = ? LIMIT 1`,
	eraseTasks: `WITH RECURSIVE doomed (id) AS (VALUES (?) UNION SELECT t.id FROM doomed JOIN tasks t ON t.parent = doomed.id)
		DELETE FROM tasks WHERE id IN (SELECT id FROM doomed)`,
	clearTasks: `DELETE FROM tasks`,

	putRevision: `INSERT INTO revisions (id, name, definition) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`,
	getRevision: `SELECT definition FROM revisions WHERE id = ?`,
	revisions:   `SELECT id FROM revisions WHERE name = ? ORDER BY seq`,
	bind:        `INSERT INTO bindings (name, revision, at) VALUES (?, ?, ?)`,
	bindings:    `SELECT revision, at FROM bindings WHERE name = ? ORDER BY seq`,
	names:       `SELECT DISTINCT name FROM bindings ORDER BY name`,
	activeAs: `SELECT name FROM bindings b WHERE revision = ? AND NOT EXISTS
		(SELECT 1 FROM bindings later WHERE later.name = b.name AND later.seq > b.seq)`,
	eraseRevision:  `DELETE FROM revisions WHERE id = ?`,
	eraseBindings:  `DELETE FROM bindings WHERE revision = ?`,
	clearRevisions: `DELETE FROM revisions`,
	clearBindings:  `DELETE FROM bindings`,
}
