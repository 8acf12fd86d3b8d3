package store

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/registry/registrytest"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/shelf/shelftest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
)

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "a b?#%.db") }

func opened(t *testing.T, path string) *Store {
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestSQLiteKeepsTheStoreContracts(t *testing.T) {
	tasktest.Store(t, func(t *testing.T) task.Store { return opened(t, file(t)).Tasks() })
	registrytest.Store(t, func(t *testing.T) registry.Store { return opened(t, file(t)).Tools() })
	tasktest.Shared(t, func(t *testing.T) (a, b task.Store) {
		path := file(t)
		return opened(t, path).Tasks(), opened(t, path).Tasks()
	})
	registrytest.Shared(t, func(t *testing.T) (a, b registry.Store) {
		path := file(t)
		return opened(t, path).Tools(), opened(t, path).Tools()
	})
	shelftest.Store(t, func(t *testing.T) shelf.Store { return opened(t, file(t)).Shelf() })
	shelftest.Shared(t, func(t *testing.T) (a, b shelf.Store) {
		path := file(t)
		return opened(t, path).Shelf(), opened(t, path).Shelf()
	})
	shelftest.Lasting(t, func(t *testing.T) (shelf.Store, func() shelf.Store) {
		path := file(t)
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		return s.Shelf(), func() shelf.Store {
			require.NoError(t, s.Close())
			return opened(t, path).Shelf()
		}
	})
}

func TestWhatWasStoredIsThereAfterReopeningAndOnlyTheOwnerMayReadIt(t *testing.T) {
	path := file(t)
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	call := tasktest.Call(t, canon.TaskID{}, "r")
	require.NoError(t, s.Tasks().Put(t.Context(), call))
	tasktest.Complete(t, s.Tasks(), call, "kept")
	files, err := filepath.Glob(filepath.Dir(path) + "/*")
	require.NoError(t, err)
	require.Len(t, files, 3, "the database, its log and its index")
	for _, each := range files {
		info, err := os.Stat(each)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), each)
	}
	require.NoError(t, s.Close())
	s = opened(t, path)
	got, err := s.Tasks().Get(t.Context(), call.ID)
	require.NoError(t, err)
	require.Equal(t, call, got)
	records, err := s.Tasks().Records(t.Context(), call.ID)
	require.NoError(t, err)
	require.Equal(t, "kept", records[0].Result)
}

// edit changes a row as somebody with the file and a SQLite shell would.
func edit(t *testing.T, path, query string, args ...any) {
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(path))
	require.NoError(t, err)
	defer db.Close()
	done, err := db.Exec(query, args...)
	require.NoError(t, err)
	n, err := done.RowsAffected()
	require.NoError(t, err)
	require.NotZero(t, n)
}

func TestARowEditedByHandIsRefusedWithItsID(t *testing.T) {
	root := tasktest.Message(t, canon.TaskID{}, "root")
	call, other := tasktest.Call(t, root.ID, "r"), tasktest.Message(t, canon.TaskID{}, "other")
	revision, setting := canon.SumTool([]byte("one")), canon.SumSettings([]byte(`"dark"`))
	fresh := func(t *testing.T) (string, *Store) {
		path := file(t)
		s := opened(t, path)
		require.NoError(t, s.Tasks().Import(t.Context(), []*task.Task{root, call, other}))
		tasktest.Complete(t, s.Tasks(), call, "good")
		require.NoError(t, s.Tools().PutRevision(t.Context(), revision, "a", []byte("one")))
		require.NoError(t, s.Tools().Bind(t.Context(), registry.Binding{Name: "a", Revision: revision}, canon.ToolID{}))
		require.NoError(t, s.Tools().PutSettings(t.Context(), registry.Keep(registry.Setting{Revision: revision, ID: setting}, []byte(`"dark"`))))
		require.NoError(t, s.Tools().Block(t.Context(), registry.Block{Revision: revision, Reason: "leaks"}))
		return path, s
	}
	get := func(s *Store, id canon.TaskID) error { _, err := s.Tasks().Get(t.Context(), id); return err }
	climb := func(s *Store) error { _, err := s.Tasks().Lineage(t.Context(), call.ID); return err }
	records := func(s *Store) error { _, err := s.Tasks().Records(t.Context(), call.ID); return err }
	bad, err := (&task.Record{Task: call.ID, Tool: revision, Outcome: task.OK}).JSON()
	require.NoError(t, err)
	for name, row := range map[string]struct {
		query string
		args  []any
		read  func(*Store) error
		id    string
	}{
		"arguments":   {`UPDATE tasks SET node = replace(node, '"x":null', '"x":1')`, nil, func(s *Store) error { return get(s, call.ID) }, call.ID.String()},
		"an ancestor": {`UPDATE tasks SET node = replace(node, 'root', 'boot') WHERE id = ?`, []any{root.ID.String()}, climb, root.ID.String()},
		"a parent": {`UPDATE tasks SET parent = ? WHERE id = ?`, []any{root.ID.String(), other.ID.String()},
			func(s *Store) error { _, err := s.Tasks().Children(t.Context(), root.ID); return err }, other.ID.String()},
		"a result":           {`UPDATE records SET record = replace(record, 'good', 'evil')`, nil, records, call.ID.String()},
		"a foreign revision": {`UPDATE records SET record = ?, digest = ?`, []any{bad, canon.SumFile([]byte(bad)).String()}, records, call.ID.String()},
		"a task of a record": {`UPDATE records SET task = ?`, []any{root.ID.String()},
			func(s *Store) error { _, err := s.Tasks().Records(t.Context(), root.ID); return err }, root.ID.String()},
		"code": {`UPDATE revisions SET definition = x'00'`, nil,
			func(s *Store) error { _, err := s.Tools().Revision(t.Context(), revision); return err }, revision.String()},
		"a binding": {`UPDATE bindings SET revision = 'tool:b3:x'`, nil,
			func(s *Store) error { _, err := s.Tools().Bindings(t.Context(), "a"); return err }, "tool:b3:x"},
		"an active binding": {`UPDATE bindings SET at = 'noon'`, nil,
			func(s *Store) error { _, err := s.Tools().Active(t.Context(), "a"); return err }, revision.String()},
		"settings": {`UPDATE settings SET settings = x'00'`, nil,
			func(s *Store) error { _, err := s.Tools().Settings(t.Context(), setting); return err }, setting.String()},
		"an id of settings": {`UPDATE settings SET id = 'settings:b3:x'`, nil,
			func(s *Store) error { _, err := s.Tools().Current(t.Context(), revision); return err }, revision.String()},
		"a block": {`UPDATE blocks SET at = ''`, nil,
			func(s *Store) error { _, err := s.Tools().Blocked(t.Context(), revision); return err }, revision.String()},
	} {
		t.Run(name, func(t *testing.T) {
			path, s := fresh(t)
			if name != "a task of a record" && name != "a parent" {
				require.NoError(t, row.read(s), "before")
			}
			edit(t, path, row.query, row.args...)
			err := row.read(s)
			require.Equal(t, fault.Corrupt, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, row.id)
		})
	}
	t.Run("a circle of parents ends", func(t *testing.T) {
		path, s := fresh(t)
		edit(t, path, `UPDATE tasks SET parent = ? WHERE id = ?`, call.ID.String(), root.ID.String())
		lineage, err := s.Tasks().Lineage(t.Context(), call.ID)
		require.NoError(t, err)
		require.Equal(t, []*task.Task{root, call}, lineage, "what a node says counts, not its column")
		require.NoError(t, s.Tasks().Erase(t.Context(), root.ID))
		tasktest.Gone(t, s.Tasks(), root.ID, call.ID)
	})
}

func TestARevisionThatATaskIsPinnedToCannotBeErased(t *testing.T) {
	s := opened(t, file(t))
	call := tasktest.Call(t, canon.TaskID{}, "r")
	pinned := call.Content.FunctionCall.Tool
	require.NoError(t, s.Tools().PutRevision(t.Context(), pinned, "a", []byte("r")))
	require.NoError(t, s.Tasks().Put(t.Context(), call))
	require.Equal(t, fault.Conflict, fault.CodeOf(s.Tools().Erase(t.Context(), pinned)))
	require.NoError(t, s.Tasks().Erase(t.Context(), call.ID))
	require.NoError(t, s.Tools().Erase(t.Context(), pinned))
}

func TestWhatIsErasedIsNowhereInTheFiles(t *testing.T) {
	path := file(t)
	s := opened(t, path)
	const secret = "a-secret-that-must-go"
	found := func() (n int) {
		files, err := filepath.Glob(filepath.Dir(path) + "/*")
		require.NoError(t, err)
		for _, each := range files {
			text, err := os.ReadFile(each)
			require.NoError(t, err)
			n += strings.Count(string(text), secret)
		}
		return n
	}
	call := tasktest.Call(t, canon.TaskID{}, "r")
	require.NoError(t, s.Tasks().Put(t.Context(), call))
	tasktest.Complete(t, s.Tasks(), call, secret)
	text := []byte(secret)
	require.NoError(t, s.Tools().PutRevision(t.Context(), canon.SumTool(text), "a", text))
	setting := registry.Setting{Revision: canon.SumTool(text), ID: canon.SumSettings(text)}
	require.NoError(t, s.Tools().PutSettings(t.Context(), registry.Keep(setting, text)))
	require.NotZero(t, found())
	require.NoError(t, s.Tasks().Erase(t.Context(), call.ID))
	require.NoError(t, s.Tools().Erase(t.Context(), canon.SumTool(text)))
	require.Zero(t, found())
	for _, end := range []func() error{
		func() error { return s.Shelf().Clear(t.Context(), "a") },
		func() error { return s.Shelf().Put(t.Context(), shelf.Change{Key: "a/b"}) },
	} {
		require.NoError(t, s.Shelf().Put(t.Context(), shelf.Change{Key: "a/b", Value: text}))
		require.NotZero(t, found())
		require.NoError(t, end())
		require.Zero(t, found())
	}
}

func TestAFileThatIsNewerOrNotOursIsLeftAloneAndNamed(t *testing.T) {
	for name, row := range map[string]struct {
		make func(path string)
		code fault.Code
		text string
	}{
		"newer": {func(path string) {
			s := opened(t, path)
			_, err := s.db.Exec(`PRAGMA user_version = 1000`)
			require.NoError(t, err)
		}, fault.Unavailable, "newer version"},
		"another program's": {func(path string) {
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.Exec(`CREATE TABLE theirs (x)`)
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}, fault.Conflict, "another program"},
		"no database": {func(path string) {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
		}, fault.Corrupt, "no database"},
		"a folder": {func(path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, fault.Unavailable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			row.make(path)
			_, err := Open(t.Context(), path)
			require.Equal(t, row.code, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, row.text)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "none", "x.db"))
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestAFullDiskOrAReadOnlyFileIsATypedErrorAndLosesNothing(t *testing.T) {
	for name, row := range map[string]struct {
		pragma string
		code   fault.Code
		text   string
	}{
		"full":      {"max_page_count = 30", fault.TooLarge, "free some space"},
		"read only": {"query_only = 1", fault.Unavailable, "make it writable"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t)
			before := tasktest.Chain(t, 3, "before")
			require.NoError(t, opened(t, path).Tasks().Import(t.Context(), before))
			s := opened(t, path)
			s.db.SetMaxOpenConns(1)
			_, err := s.db.Exec("PRAGMA " + row.pragma)
			require.NoError(t, err)
			after := tasktest.Chain(t, 200, strings.Repeat("after", 1000))
			err = s.Tasks().Import(t.Context(), after)
			require.Equal(t, row.code, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, row.text)
			tasktest.Gone(t, s.Tasks(), after[0].ID, after[199].ID)
			require.NoError(t, opened(t, path).Shelf().Put(t.Context(), shelf.Change{Key: "a", Value: []byte("before")}))
			err = s.Shelf().Put(t.Context(), shelf.Change{Key: "a", Value: []byte("after")}, shelf.Change{Key: "b", Value: make([]byte, 1_000_000)})
			require.Equal(t, row.code, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, row.text)
			rows, err := s.Shelf().List(t.Context(), "", "", 0)
			require.NoError(t, err)
			require.Equal(t, []shelf.Row{{Key: "a", Value: []byte("before")}}, rows)
			lineage, err := s.Tasks().Lineage(t.Context(), before[2].ID)
			require.NoError(t, err)
			require.Equal(t, before, lineage)
		})
	}
}
