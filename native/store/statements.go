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
	installed
	bind
	bindings
	active
	bound
	activeAs
	putSettings
	getSettings
	current
	settings
	block
	unblock
	blocked
	blocks
	eraseRevision
	eraseBindings
	eraseSettings
	clearRevisions
	clearBindings
	clearSettings
	clearBlocks
	getShelf
	putShelf
	takeShelf
	listShelf
	clearShelf
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
	installed:   `SELECT id FROM revisions ORDER BY seq`,
	// One statement, so that nobody can bind between the look and the binding.
	bind: `INSERT INTO bindings (name, revision, at) SELECT ?1, ?2, ?3
		WHERE coalesce((SELECT revision FROM bindings WHERE name = ?1 ORDER BY seq DESC LIMIT 1), '') = ?4`,
	bindings: `SELECT name, revision, at FROM bindings WHERE name = ? ORDER BY seq`,
	active:   `SELECT name, revision, at FROM bindings WHERE name = ? ORDER BY seq DESC LIMIT 1`,
	bound: `SELECT b.name, b.revision, b.at FROM (SELECT max(seq) AS seq FROM bindings GROUP BY name) latest JOIN bindings b ON b.seq = latest.seq
		ORDER BY b.name`,
	activeAs: `SELECT name FROM bindings b WHERE revision = ? AND NOT EXISTS
		(SELECT 1 FROM bindings later WHERE later.name = b.name AND later.seq > b.seq)`,

	putSettings: `INSERT INTO settings (revision, id, settings, at) VALUES (?, ?, ?, ?)`,
	getSettings: `SELECT settings FROM settings WHERE id = ? LIMIT 1`,
	current:     `SELECT id, at FROM settings WHERE revision = ? ORDER BY seq DESC LIMIT 1`,
	settings:    `SELECT id, at FROM settings WHERE revision = ? ORDER BY seq`,

	block: `INSERT INTO blocks (revision, reason, at) VALUES (?, ?, ?)
		ON CONFLICT (revision) DO UPDATE SET reason = excluded.reason, at = excluded.at`,
	unblock: `DELETE FROM blocks WHERE revision = ?`,
	blocked: `SELECT revision, reason, at FROM blocks WHERE revision = ?`,
	blocks:  `SELECT revision, reason, at FROM blocks ORDER BY revision`,

	eraseRevision:  `DELETE FROM revisions WHERE id = ?`,
	eraseBindings:  `DELETE FROM bindings WHERE revision = ?`,
	eraseSettings:  `DELETE FROM settings WHERE revision = ?`,
	clearRevisions: `DELETE FROM revisions`,
	clearBindings:  `DELETE FROM bindings`,
	clearSettings:  `DELETE FROM settings`,
	clearBlocks:    `DELETE FROM blocks`,

	getShelf:   `SELECT value FROM shelf WHERE key = ?`,
	putShelf:   `INSERT INTO shelf (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
	takeShelf:  `DELETE FROM shelf WHERE key = ?`,
	listShelf:  `SELECT key, value FROM shelf WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`,
	clearShelf: `DELETE FROM shelf WHERE key >= ? AND key < ?`,
}
