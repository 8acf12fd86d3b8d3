package grant_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

func site(n int) string { return fmt.Sprintf("https://site%d.example", n) }

func (p *pending) void() {
	p.t.Helper()
	synctest.Wait()
	require.True(p.t, p.done, "still waits")
	require.False(p.t, p.d.Allowed)
	require.Equal(p.t, fault.Aborted, fault.CodeOf(p.err), p.err)
}

func TestOnePromptIsShownAtATimeInTheOrderOfTheAsks(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		var asks []*pending
		for n := range 3 {
			asks = append(asks, r.ask(read(at(site(n)), by(n))))
		}
		for n, p := range asks {
			require.Equal(t, n+1, r.prompts())
			require.Equal(t, site(n), r.users.seen[n].Scope)
			require.Equal(t, 2-n, r.Waiting())
			p.waits()
			r.says(grant.Once)
			p.allowed(grant.Once)
		}
	})
}

func TestTooManyPromptsAreDeniedAndTheOthersStay(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.limits.Prompts = 3
		r.Book = r.book(r.users)
		var asks []*pending
		for n := range 4 { // one shown, three wait
			asks = append(asks, r.ask(read(at(site(n)))))
		}
		r.ask(read(at(site(4)))).denied(grant.TooManyPrompts)
		same := r.ask(read(at(site(3)))) // shares one that waits
		same.waits()
		for _, p := range asks {
			r.says(grant.Session)
			p.allowed(grant.Session)
		}
		same.allowed(grant.Session)
		// Too many is about the moment: nothing of it is remembered.
		p := r.ask(read(at(site(4))))
		r.says(grant.Once)
		p.allowed(grant.Once)
	})
}

func TestEqualAsksShareOnePrompt(t *testing.T) {
	for answer, check := range map[grant.Answer]func(*pending){
		grant.Session: func(p *pending) { p.allowed(grant.Session) },
		grant.Always:  func(p *pending) { p.allowed(grant.Always) },
		grant.Deny:    func(p *pending) { p.denied(grant.NotGranted) },
	} {
		t.Run(string(answer), func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				other := r.ask(read(writing))
				asks := []*pending{r.ask(read()), r.ask(read(of(new(grant.Call)))), r.ask(read(of(new(grant.Call))))}
				r.says(grant.Once)
				other.allowed(grant.Once)
				asks = append(asks, r.ask(read())) // while it is shown
				r.says(answer)
				for _, p := range asks {
					check(p)
				}
				require.Equal(t, 2, r.prompts())
				require.Equal(t, 3, r.users.seen[1].Asks)
			})
		})
	}
}

func TestAsksThatDifferInAnythingShareNone(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		asks := []grant.Ask{read(), read(writing), read(at(site(1))), read(by(2)), read(in(1)), read(in(2)), read(with("x-key"))}
		var all []*pending
		for _, a := range asks {
			all = append(all, r.ask(a))
		}
		for _, p := range all {
			r.says(grant.Once)
			p.allowed(grant.Once)
		}
		require.Equal(t, len(asks), r.prompts())
	})
}

func TestOnceIsForTheAsksThatThePromptCountedAndNoOther(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		counted := r.ask(read())
		require.Equal(t, 1, r.users.seen[0].Asks)
		late := r.ask(read())
		r.says(grant.Once)
		counted.allowed(grant.Once)
		late.waits()
		require.Equal(t, 2, r.prompts())
		r.says(grant.Deny)
		late.denied(grant.NotGranted)
	})
}

func TestANoIsAskedOncePerCallAndIsNotRememberedBeyond(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		call := new(grant.Call)
		p := r.ask(read(of(call)))
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
		r.ask(read(of(call))).denied(grant.NotGranted)
		r.ask(read(of(call), with("x-key"))).denied(grant.NotGranted)
		require.Equal(t, 1, r.prompts())

		p = r.ask(read(of(call), writing)) // something else
		r.says(grant.Once)
		p.allowed(grant.Once)
		p = r.ask(read(of(new(grant.Call)))) // the next call
		r.says(grant.Always)
		p.allowed(grant.Always)
		r.ask(read(of(call))).allowed(grant.Always) // a later yes wins
	})
}

func TestACallThatWasToldNoOftenEnoughAsksNothingMore(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.limits.Prompts = 3
		r.Book = r.book(r.users)
		call := new(grant.Call)
		for n := range 3 {
			p := r.ask(read(of(call), at(site(n))))
			r.says(grant.Deny)
			p.denied(grant.NotGranted)
		}
		r.ask(read(of(call), at(site(3)))).denied(grant.TooManyPrompts)
		r.ask(read(of(call), at(site(0)))).denied(grant.NotGranted)
		require.Equal(t, 3, r.prompts())
		p := r.ask(read(of(new(grant.Call)), at(site(3)))) // the next call
		r.says(grant.Session)
		p.allowed(grant.Session)
		r.ask(read(of(call), at(site(3)))).allowed(grant.Session) // what stands needs no question
	})
}

func TestAPromptWhoseLastAskerIsGoneEndsAndTheNextIsShown(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		first, second := r.ask(read()), r.ask(read())
		waiting, next := r.ask(read(writing)), r.ask(read(by(2)))
		first.stop()
		first.void()
		require.Zero(t, r.users.ended, "somebody still waits")
		waiting.stop() // before it is shown
		waiting.void()
		second.stop() // while it is shown
		second.void()
		require.Equal(t, 1, r.users.ended)
		require.Equal(t, 2, r.prompts())
		require.Equal(t, tool(2), r.users.seen[1].Revision)
		r.says(grant.Once)
		next.allowed(grant.Once)
	})
}

func TestAnAskThatHasEndedShowsNothing(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := r.Allowed(ctx, read())
		require.Equal(t, fault.Aborted, fault.CodeOf(err))
		require.Zero(t, r.prompts())
	})
}

// stubborn says its word though the prompt has ended.
type stubborn struct {
	answer grant.Answer
	say    chan struct{}
	shown  int
}

func (s *stubborn) Decide(context.Context, grant.Request) (grant.Answer, error) {
	s.shown++
	<-s.say
	return s.answer, nil
}

func TestAnAnswerThatComesWhenTheCallHasEndedIsVoid(t *testing.T) {
	for _, answer := range []grant.Answer{grant.Once, grant.Session, grant.Always} {
		t.Run(string(answer), func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				u := &stubborn{answer, make(chan struct{}), 0}
				b := r.book(u)
				p := r.askIn(b, read())
				p.stop()
				p.void()
				again := r.askIn(b, read()) // asks anew, and gets none of that answer
				require.Equal(t, 1, u.shown, "one prompt at a time, also with a decider that does not end")
				u.say <- struct{}{}
				synctest.Wait()
				again.waits()
				require.Equal(t, 2, u.shown)
				list, err := b.List(t.Context(), canon.ToolID{})
				require.NoError(t, err)
				require.Empty(t, list)
				u.say <- struct{}{} // positive control
				again.allowed(answer)
			})
		})
	}
}

// The ask ends in the very moment of the answer, before it has left its prompt.
func TestNothingIsKeptForAnAskThatEndsWithTheAnswer(t *testing.T) {
	for _, answer := range []grant.Answer{grant.Session, grant.Always} {
		play(t, func(t *testing.T, r *rig) {
			p := r.ask(read())
			r.does(func() (grant.Answer, error) { p.stop(); return answer, nil })
			p.void()
			require.Empty(t, r.list(canon.ToolID{}))
		})
	}
}

func TestAnAskThatEndsWhileItsAnswerIsWrittenEndsTheWriting(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		slow := &slowly{Store: r.store}
		r.store = slow
		r.Book = r.book(r.users)
		p := r.ask(read())
		r.says(grant.Always)
		require.True(t, slow.writing)
		p.waits()
		p.stop()
		p.void()
		require.False(t, slow.writing)
		require.Empty(t, r.list(canon.ToolID{}))
		require.Empty(t, r.reported)
	})
}

// slowly is a shelf that writes until its context ends.
type slowly struct {
	shelf.Store
	writing bool
}

func (s *slowly) Put(ctx context.Context, _ ...shelf.Change) error {
	s.writing = true
	<-ctx.Done()
	s.writing = false
	return ctx.Err()
}

func TestAnAnswerForTheAskersWhoAreStillThereIsKept(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		gone, there := r.ask(read()), r.ask(read())
		r.does(func() (grant.Answer, error) { gone.stop(); return grant.Always, nil })
		gone.void()
		there.allowed(grant.Always)
		require.Len(t, r.list(canon.ToolID{}), 1)
	})
}

func TestWhatWasGrantedWhileAPromptWaitedIsNotAskedAnyMore(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		first, waiting := r.ask(read(writing)), r.ask(read())
		elsewhere := &user{answers: make(chan func() (grant.Answer, error))}
		tab := r.askIn(r.book(elsewhere), read())
		elsewhere.answers <- func() (grant.Answer, error) { return grant.Always, nil }
		tab.allowed(grant.Always)
		r.says(grant.Deny)
		first.denied(grant.NotGranted)
		waiting.allowed(grant.Always)
		require.Equal(t, 1, r.prompts())
	})
}

// leaver ends its goroutine in the middle of the question.
type leaver struct{ after grant.Decider }

func (l *leaver) Decide(ctx context.Context, r grant.Request) (grant.Answer, error) {
	if l.after == nil {
		l.after = decided(grant.Once)
		runtime.Goexit()
	}
	return l.after.Decide(ctx, r)
}

type decided grant.Answer

func (d decided) Decide(context.Context, grant.Request) (grant.Answer, error) {
	return grant.Answer(d), nil
}

func TestADeciderThatNeverReturnsFromItsGoroutineIsANo(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		b := r.book(new(leaver))
		r.askIn(b, read()).denied(grant.NotGranted)
		require.Len(t, r.reported, 1)
		r.askIn(b, read()).allowed(grant.Once)
	})
}

func TestAYesIsKeptThoughOthersChangeTheSameRow(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.store = &meddled{Store: r.store, times: 3}
		r.Book = r.book(r.users)
		r.always(read(with("x-one")))
		r.ask(read(with("x-one"))).allowed(grant.Always)
		r.ask(read(with("x-other"))).allowed(grant.Always)
		require.Len(t, r.list(tool(1))[0].History, 4)
	})
}

// meddled is a shelf whose rows another engine changes between reading and writing.
type meddled struct {
	shelf.Store
	times int
}

func (m *meddled) Put(ctx context.Context, changes ...shelf.Change) error {
	if m.times > 0 && changes[0].Check {
		m.times--
		tab := grant.New(grant.Options{Store: m.Store, Decider: decided(grant.Always), Now: fixed})
		a := read(with(fmt.Sprint("x-", m.times)))
		if m.times == 0 {
			a = read(with("x-other"))
		}
		if _, err := tab.Allowed(ctx, a); err != nil {
			return err
		}
	}
	return m.Store.Put(ctx, changes...)
}
