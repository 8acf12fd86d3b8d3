package store

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/shelf/shelftest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
)

func version(t *testing.T, s *Store) (n int) {
	require.NoError(t, s.db.QueryRow(`PRAGMA user_version`).Scan(&n))
	return n
}

func TestAnUpgradeThatFailsChangesNothing(t *testing.T) {
	s, ctx := opened(t, file(t)), t.Context()
	call := tasktest.Call(t, canon.TaskID{}, "r")
	require.NoError(t, s.Tasks().Put(ctx, call))
	bring := func(more ...string) error {
		return s.change(ctx, func(tx *sql.Tx) error { return upgrade(ctx, tx, append(steps[:], more...)) })
	}
	next := fmt.Sprintf(`CREATE TABLE more (x); PRAGMA user_version = %d;`, len(steps)+1)
	require.Error(t, bring(next+` no SQL`))
	require.Equal(t, len(steps), version(t, s))
	require.NoError(t, bring(next), "the table of the failed step is not there")
	require.Equal(t, len(steps)+1, version(t, s))
	got, err := s.Tasks().Get(ctx, call.ID)
	require.NoError(t, err)
	require.Equal(t, call, got)
	require.Equal(t, fault.Unavailable, fault.CodeOf(bring()), "and this program's own steps now know that it is newer")
}

// released makes a file as a program of that schema version left it.
func released(t *testing.T, path string, version int, rows func(db *sql.DB)) {
	db, err := sql.Open("sqlite", dsn(path))
	require.NoError(t, err)
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, upgrade(t.Context(), tx, steps[:version]))
	require.NoError(t, tx.Commit())
	rows(db)
}

func TestAFileOfVersionOneIsUpgradedAndKeepsAllThatIsInIt(t *testing.T) {
	path, ctx := file(t), t.Context()
	root := tasktest.Message(t, canon.TaskID{}, "root")
	call := tasktest.Call(t, root.ID, "r")
	pinned, active := canon.SumTool([]byte("r")), canon.SumTool([]byte("two"))
	digest, record, err := task.FreezeRecord(call, &task.Record{Task: call.ID, Tool: pinned, Outcome: task.OK, Result: "kept"})
	require.NoError(t, err)
	released(t, path, 1, func(db *sql.DB) {
		for _, row := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO tasks (id, node) VALUES (?, ?)`, []any{root.ID.String(), root.Bytes()}},
			{`INSERT INTO tasks (id, parent, tool, node) VALUES (?, ?, ?, ?)`, []any{call.ID.String(), root.ID.String(), pinned.String(), call.Bytes()}},
			{`INSERT INTO records (task, digest, record) VALUES (?, ?, ?)`, []any{call.ID.String(), digest, record}},
			{`INSERT INTO revisions (id, name, definition) VALUES (?, 'a', ?), (?, 'a', ?)`,
				[]any{pinned.String(), []byte("r"), active.String(), []byte("two")}},
			{`INSERT INTO bindings (name, revision, at) VALUES ('a', ?, '2026-01-02T12:00:00Z'), ('a', ?, '2026-01-03T12:00:00.5Z')`,
				[]any{pinned.String(), active.String()}},
		} {
			_, err := db.Exec(row.query, row.args...)
			require.NoError(t, err)
		}
	})
	for range 2 { // the second time there is nothing to upgrade
		s, err := Open(ctx, path)
		require.NoError(t, err)
		require.Equal(t, len(steps), version(t, s))
		lineage, err := s.Tasks().Lineage(ctx, call.ID)
		require.NoError(t, err)
		require.Equal(t, []*task.Task{root, call}, lineage)
		records, err := s.Tasks().Records(ctx, call.ID)
		require.NoError(t, err)
		require.Equal(t, "kept", records[0].Result)
		ids, err := s.Tools().Installed(ctx)
		require.NoError(t, err)
		require.Equal(t, []canon.ToolID{pinned, active}, ids)
		text, err := s.Tools().Revision(ctx, active)
		require.NoError(t, err)
		require.Equal(t, "two", string(text))
		history, err := s.Tools().Bindings(ctx, "a")
		require.NoError(t, err)
		require.Len(t, history, 2)
		latest, err := s.Tools().Active(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, history[1], latest)
		require.Equal(t, active, latest.Revision)
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Tools().Erase(ctx, pinned)), "the old task still pins it")
		require.NoError(t, s.Close())
	}
	s := opened(t, path)
	require.NoError(t, s.Tools().PutSettings(ctx, registry.Keep(registry.Setting{Revision: pinned, ID: canon.SumSettings([]byte("{}"))}, []byte("{}"))))
	require.NoError(t, s.Tools().Block(ctx, registry.Block{Revision: pinned}))
	require.NoError(t, s.Tools().Bind(ctx, registry.Binding{Name: "a"}, active))
	require.NoError(t, shelftest.Increment(ctx, s.Shelf(), "n", 0))
}

func TestAFileOfVersionTwoIsUpgradedAndKeepsAllThatIsInIt(t *testing.T) {
	path, ctx := file(t), t.Context()
	revision := canon.SumTool([]byte("r"))
	released(t, path, 2, func(db *sql.DB) {
		for _, query := range []string{
			`INSERT INTO settings (revision, id, settings, at) VALUES (?, '` + canon.SumSettings([]byte(`"dark"`)).String() + `', CAST('"dark"' AS BLOB), '2026-01-02T12:00:00Z')`,
			`INSERT INTO blocks (revision, reason, at) VALUES (?, 'leaks', '2026-01-02T12:00:00Z')`,
		} {
			_, err := db.Exec(query, revision.String())
			require.NoError(t, err)
		}
	})
	for n := range 2 { // the second time there is nothing to upgrade
		s, err := Open(ctx, path)
		require.NoError(t, err)
		require.Equal(t, len(steps), version(t, s))
		setting, err := s.Tools().Current(ctx, revision)
		require.NoError(t, err)
		text, err := s.Tools().Settings(ctx, setting.ID)
		require.NoError(t, err)
		require.Equal(t, `"dark"`, string(text))
		block, err := s.Tools().Blocked(ctx, revision)
		require.NoError(t, err)
		require.Equal(t, "leaks", block.Reason)
		rows, err := s.Shelf().List(ctx, "n/", "", 0)
		require.NoError(t, err)
		require.Len(t, rows, n)
		require.NoError(t, shelftest.Increment(ctx, s.Shelf(), "n", 0))
		require.NoError(t, s.Close())
	}
}

func TestAReleasedStepNeverChanges(t *testing.T) {
	var sums []string
	for _, step := range steps {
		sums = append(sums, canon.SumFile([]byte(step)).String())
	}
	require.Equal(t, []string{
		"b3:457d89fdb47474d520f3e74d1a9b6f4a5c9342296ec43cab2353e9dd3837c21a",
		"b3:f3afe2fbefb8e5834d210e1904e0ec0de0f89461a825dbba418158b10a25807d",
		"b3:f1e82569747a3c1a81c3aca6f97d360ea65897bb4ae2b16bcfd9ac3d720abb56",
	}, sums)
}

func TestWhatIsAskedForOftenIsFoundWithoutReadingTheRest(t *testing.T) {
	s := opened(t, file(t))
	for q, args := range map[statement][]any{active: {"a"}, current: {"r"}, getSettings: {"s"}, bind: {"a", "r", "at", "b"}, blocked: {"r"},
		getShelf: {[]byte("a")}, listShelf: {[]byte("a"), []byte("b"), 1}, clearShelf: {[]byte("a"), []byte("b")}} {
		rows, err := s.db.Query(`EXPLAIN QUERY PLAN `+queries[q], args...)
		require.NoError(t, err)
		plan := ""
		for rows.Next() {
			var id, parent, unused int
			var detail string
			require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
			plan += detail + "\n"
		}
		require.NoError(t, rows.Close())
		require.Contains(t, plan, "SEARCH", queries[q])
		require.NotContains(t, plan, "TEMP B-TREE", "%s: is sorted, so all of it is read", queries[q])
		require.NotRegexp(t, `SCAN (bindings|settings|blocks|shelf)`, plan, queries[q])
	}
}
