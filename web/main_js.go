//go:build js && wasm

package main

import (
	"context"
	"fmt"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser"
	"github.com/xyntopia/taskyon-sandbox/web/adapter"
	"github.com/xyntopia/taskyon-sandbox/web/console"
	"github.com/xyntopia/taskyon-sandbox/web/ui"
)

func main() {
	p := new(page)
	if err := run(context.Background(), p); err != nil {
		p.fail(err)
	}
}

// run draws the console until the page goes away. Handlers and engine calls recover for themselves (console.Guard); what panics
// here is the drawing, after which the page cannot be trusted any more, so that it ends and says so.
func run(ctx context.Context, p *page) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	asks := new(asker)
	engine, kept, closeEngine, err := newEngine(ctx, asks)
	if err != nil {
		return err
	}
	defer closeEngine()
	renderer, err := domrender.New("#console")
	if err != nil {
		return err
	}
	defer renderer.Release()
	model := console.New(ctx, engine, renderer.EventEnv(), console.Powers{
		Copy: p.copy, Announce: p.announce, Focus: p.focusLater, Reveal: p.revealLater, Save: p.save, Chosen: p.chosen, Visit: p.visit,
		Hold: p.hold, GiveBack: p.giveBack, Take: p.take,
	})
	asks.model = model
	model.Kept = kept
	build, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		return err
	}
	root := &ui.Root{Model: model}
	model.Start(p.tool())
	endReturn, err := p.onReturn(model.Revisit)
	if err != nil {
		return err
	}
	defer endReturn()
	for ok := true; ok; ok = renderer.EventWait() {
		if err := renderer.Render(build.RunBuild(root)); err != nil {
			return err
		}
		p.drawn()
		model.Drawn(p.now())
	}
	return nil
}

// asker hands the questions of the engine to the model, which is made after it. Nothing runs before there is one.
type asker struct{ model *console.Model }

// Decide implements grant.Decider.
func (a *asker) Decide(ctx context.Context, r grant.Request) (grant.Answer, error) {
	if a.model == nil {
		return grant.Deny, nil
	}
	return a.model.Decide(ctx, r)
}

// newEngine opens the engine of this page, and says for a person where it keeps things. A browser that does not let the page keep
// anything is no reason not to work.
func newEngine(ctx context.Context, decider grant.Decider) (engine console.Engine, kept string, closeEngine func(), err error) {
	stores, failed := browser.OpenStores(ctx, browser.InIndexedDB)
	if failed != nil {
		if stores, err = browser.OpenStores(ctx, browser.InMemory); err != nil {
			return nil, "", nil, err
		}
	}
	opened, err := browser.Open(browser.Options{Stores: stores, Decider: decider})
	if err != nil {
		stores.Close()
		return nil, "", nil, err
	}
	switch {
	case failed != nil:
		kept = "Kept until this page is closed, since the browser's storage cannot be used: " + failed.Error()
	case stores.Kind == browser.InMemory:
		kept = "Kept until this page is closed: it has no storage"
	default:
		kept = "Kept in this browser"
	}
	return adapter.New(opened.Engine), kept, func() {
		opened.Close()
		stores.Close()
	}, nil
}
