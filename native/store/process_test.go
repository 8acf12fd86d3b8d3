package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/shelf/shelftest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// A test that needs another process starts this binary again with these set: what to do, and on which file.
const (
	asEnv   = "TASKYON_STORE_TEST_AS"
	fileEnv = "TASKYON_STORE_TEST_FILE"
)

func TestMain(m *testing.M) {
	as := os.Getenv(asEnv)
	if as == "" {
		os.Exit(m.Run())
	}
	if err := write(context.Background(), as, os.Getenv(fileEnv)); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

const (
	rounds  = 40 // of a writer that is left to finish
	perTurn = 50 // tasks in one import
)

// write is the other process. A writer does its rounds; an endless one says a line for each change that was kept.
func write(ctx context.Context, as, path string) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	for n := 0; as == "endless" || n < rounds; n++ {
		list, err := turn(fmt.Sprint(as, os.Getpid(), " ", n))
		if err != nil {
			return err
		}
		if err := s.Tasks().Import(ctx, list); err != nil {
			return err
		}
		text := []byte(strings.Repeat(list[0].ID.String(), 2000))
		id := canon.SumTool(text)
		if err := s.Tools().PutRevision(ctx, id, "a", text); err != nil {
			return err
		}
		if err := insist(ctx, s, registry.Binding{Name: "a", Revision: id, At: time.Now()}); err != nil {
			return err
		}
		if err := shelftest.Increment(ctx, s.Shelf(), "n", rounds); err != nil {
			return err
		}
		fmt.Println("kept", list[0].ID)
	}
	return nil
}

// insist binds, and begins again where the other process was faster, which does its rounds and no more.
func insist(ctx context.Context, s *Store, b registry.Binding) error {
	err := registry.Moved(b.Name)
	for try := 0; try <= rounds && fault.CodeOf(err) == fault.Conflict; try++ {
		var before registry.Binding
		if before, err = s.Tools().Active(ctx, b.Name); err == nil {
			err = s.Tools().Bind(ctx, b, before.Revision)
		}
	}
	return err
}

func turn(name string) (list []*task.Task, err error) {
	parent := canon.TaskID{}
	for range perTurn {
		t, err := task.Seal(task.Node{Role: task.User, Parent: parent, Content: task.Content{Message: name + strings.Repeat(".", 500)}})
		if err != nil {
			return nil, err
		}
		parent = t.ID
		list = append(list, t)
	}
	return list, nil
}

func process(t *testing.T, as, path string) *exec.Cmd {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), asEnv+"="+as, fileEnv+"="+path)
	return cmd
}

// whole requires that the file holds whole imports only, that every row is what its id says, and returns the roots.
func whole(t *testing.T, s *Store) map[string]bool {
	var verdict string
	require.NoError(t, s.db.QueryRow(`PRAGMA integrity_check`).Scan(&verdict))
	require.Equal(t, "ok", verdict)
	ctx, kept := t.Context(), map[string]bool{}
	roots, err := s.Tasks().Children(ctx, canon.TaskID{})
	require.NoError(t, err)
	for _, id := range roots {
		kept[id.String()] = true
		for length := 1; ; length++ {
			below, err := s.Tasks().Children(ctx, id)
			require.NoError(t, err)
			if len(below) == 0 {
				require.Equal(t, perTurn, length, "an import is there whole or not at all")
				break
			}
			id = below[0]
		}
	}
	history, err := s.Tools().Bindings(ctx, "a")
	require.NoError(t, err)
	for _, b := range history {
		_, err := s.Tools().Revision(ctx, b.Revision)
		require.NoError(t, err)
	}
	counted, err := s.Shelf().List(ctx, "n/", "", 0)
	require.NoError(t, err)
	n, err := s.Shelf().Get(ctx, "n")
	if len(counted) > 0 || fault.CodeOf(err) != fault.NotFound {
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(len(counted)), string(n), "the number and what is counted are changed together")
	}
	return kept
}

func TestTwoProcessesMayWriteAtOnceAndLoseNothing(t *testing.T) {
	path := file(t)
	one, other := process(t, "one", path), process(t, "other", path)
	done := make(chan error, 2)
	for _, cmd := range []*exec.Cmd{one, other} { // both make the file, too
		go func() {
			said, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, said)
			}
			done <- err
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	s := opened(t, path)
	require.Len(t, whole(t, s), 2*rounds)
	history, err := s.Tools().Bindings(t.Context(), "a")
	require.NoError(t, err)
	require.Len(t, history, 2*rounds)
	n, err := s.Shelf().Get(t.Context(), "n")
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(2*rounds), string(n))
}

func TestAProcessKilledInMidWriteLeavesOldOrNewAndNeverAMixture(t *testing.T) {
	path := file(t)
	promised := map[string]bool{}
	for range 12 {
		cmd := process(t, "endless", path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		said := make(chan []string)
		go func() {
			var ids []string
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if id, kept := strings.CutPrefix(lines.Text(), "kept "); kept {
					ids = append(ids, id)
				}
			}
			said <- ids
		}()
		time.Sleep(50*time.Millisecond + rand.N(150*time.Millisecond))
		require.NoError(t, cmd.Process.Kill())
		for _, id := range <-said {
			promised[id] = true
		}
		require.Error(t, cmd.Wait(), "it was killed while it wrote")
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		kept := whole(t, s)
		require.NoError(t, s.Close())
		for id := range promised {
			require.True(t, kept[id], "what was said to be kept is there")
		}
	}
	require.NotEmpty(t, promised)
}
