package registry_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/registry/registrytest"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// judge is a Syntax that refuses one word; the real one is tested with its own corpus.
type judge struct{ asked int }

func (j *judge) Check(_ context.Context, source string) (tool.Verdict, error) {
	j.asked++
	if strings.Contains(source, "refused") {
		return tool.Verdict{}, &fault.Error{Code: fault.InvalidCode, Message: "no such form", Line: 3, Column: 7}
	}
	return tool.Verdict{Form: "expression", Program: "return " + source}, nil
}

type fixture struct {
	*registry.Registry
	store   *tampered
	judge   *judge
	retired []canon.ToolID
}

// tampered is a memory store whose reads can be falsified.
type tampered struct {
	registry.Memory
	edit func(string) string
}

func (s *tampered) Revision(ctx context.Context, id canon.ToolID) ([]byte, error) {
	text, err := s.Memory.Revision(ctx, id)
	if err == nil && s.edit != nil {
		text = []byte(s.edit(string(text)))
	}
	return text, err
}

func open(store *tampered) *fixture {
	f := &fixture{store: store, judge: new(judge)}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Registry = registry.New(registry.Options{Store: f.store, Syntax: f.judge, Limits: limits.Default(),
		Now:     func() time.Time { at = at.Add(time.Second); return at },
		Retired: func(id canon.ToolID) { f.retired = append(f.retired, id) }})
	return f
}

func text(name, code string) []byte {
	return []byte(`{"name":"` + name + `","description":"","code":"` + code + `"}`)
}

func TestMemoryKeepsTheStoreContract(t *testing.T) {
	registrytest.Store(t, func(*testing.T) registry.Store { return new(registry.Memory) })
	registrytest.Shared(t, func(*testing.T) (a, b registry.Store) { s := new(registry.Memory); return s, s })
}

func TestInstallActivatesOnlyWhenToldTo(t *testing.T) {
	f, ctx := open(new(tampered)), t.Context()
	r, err := f.Install(ctx, text("a", "1"), false)
	require.NoError(t, err)
	_, err = f.Lookup(ctx, "a")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	found, err := f.Lookup(ctx, r.ID().String())
	require.NoError(t, err)
	require.Equal(t, r.ID(), found.ID())
	_, err = f.Activate(ctx, r.ID())
	require.NoError(t, err)
	found, err = f.Lookup(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, r.ID(), found.ID())
}

func TestAnActivatedRevisionNeverTouchesAnOlderOne(t *testing.T) {
	f, ctx := open(new(tampered)), t.Context()
	one, err := f.Install(ctx, text("a", "1"), true)
	require.NoError(t, err)
	two, err := f.Install(ctx, text("a", "2"), true)
	require.NoError(t, err)
	require.NotEqual(t, one.ID(), two.ID())
	old, err := f.Revision(ctx, one.ID())
	require.NoError(t, err)
	require.Equal(t, one.Bytes(), old.Bytes())
	require.Equal(t, []canon.ToolID{one.ID()}, f.retired)

	_, err = f.Activate(ctx, one.ID())
	require.NoError(t, err)
	_, err = f.Activate(ctx, one.ID())
	require.NoError(t, err)
	history, err := f.History(ctx, "a")
	require.NoError(t, err)
	require.Len(t, history, 3, "activating what is active adds nothing")
	require.Equal(t, one.ID(), history[2].Revision)
	require.True(t, history[2].At.After(history[1].At))
	list, err := f.List(ctx)
	require.NoError(t, err)
	require.Equal(t, history[2:], list)
}

func TestNothingIsStoredOfARefusedDefinition(t *testing.T) {
	f, ctx := open(new(tampered)), t.Context()
	for _, bad := range [][]byte{text("a", "refused"), text("a b", "1"), []byte("{"), text("a", strings.Repeat("x", 2<<20))} {
		_, err := f.Install(ctx, bad, true)
		require.Error(t, err)
	}
	_, err := f.Install(ctx, text("a", "refused"), true)
	require.Equal(t, fault.InvalidCode, fault.CodeOf(err))
	require.Equal(t, 3, fault.From(err).Line)
	require.Equal(t, 7, fault.From(err).Column)
	bound, err := f.store.Bound(ctx)
	require.NoError(t, err)
	require.Empty(t, bound)
	ids, err := f.Revisions(ctx, "a")
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestAHandEditedRevisionIsRefusedOnRead(t *testing.T) {
	store := new(tampered)
	r, err := open(store).Install(t.Context(), text("a", "good"), true)
	require.NoError(t, err)
	later := open(store) // another engine over the same store, as after a reload
	store.edit = func(text string) string { return strings.Replace(text, "good", "evil", 1) }
	_, err = later.Lookup(t.Context(), "a")
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
	require.Contains(t, err.Error(), r.ID().String())
	store.edit = nil
	_, err = later.Lookup(t.Context(), "a")
	require.NoError(t, err)
}

func TestAProgramIsDerivedAnewAfterARestartAndOnlyOnce(t *testing.T) {
	store := new(tampered)
	r, err := open(store).Install(t.Context(), text("a", "1"), true)
	require.NoError(t, err)
	later := open(store)
	for range 2 {
		program, err := later.Program(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, "return 1", program)
	}
	require.Equal(t, 1, later.judge.asked)
}

func TestAnUnknownNameOffersTheNearestOne(t *testing.T) {
	f := open(new(tampered))
	_, err := f.Install(t.Context(), text("uppercase", "1"), true)
	require.NoError(t, err)
	_, err = f.Lookup(t.Context(), "upercase")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.ErrorContains(t, err, `did you mean "uppercase"?`)
	_, err = f.Lookup(t.Context(), "tool:b3:12")
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(err))
}

func TestABindingThatNamesAnotherToolsRevisionIsRefused(t *testing.T) {
	f, ctx := open(new(tampered)), t.Context()
	own, err := f.Install(ctx, text("a", "1"), true)
	require.NoError(t, err)
	other, err := f.Install(ctx, text("b", "1"), true)
	require.NoError(t, err)
	require.NoError(t, f.store.Bind(ctx, registry.Binding{Name: "a", Revision: other.ID(), At: time.Now()}, own.ID()))
	_, err = f.Lookup(ctx, "a")
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
}

func TestWhatIsErasedWhileItIsReadIsNotRemembered(t *testing.T) {
	store := new(tampered)
	f := open(store)
	revision, err := f.Install(t.Context(), text("a", "one"), false)
	require.NoError(t, err)
	other := open(store) // as another tab, which has nothing in its memory
	store.edit = func(bytes string) string {
		store.edit = nil
		require.NoError(t, f.Erase(t.Context(), revision.ID()))
		other.Forget()
		return bytes
	}
	_, err = other.Revision(t.Context(), revision.ID())
	require.NoError(t, err, "the reading began before")
	_, err = other.Revision(t.Context(), revision.ID())
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
}
