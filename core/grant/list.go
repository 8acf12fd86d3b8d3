package grant

import (
	"context"
	"maps"
	"sort"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// List gives the grants of a revision, of all for the zero id, in order of their ids: those that stand and those that were revoked. Of
// sessions it knows this one.
func (b *Book) List(ctx context.Context, revision canon.ToolID) ([]Grant, error) {
	prefix := shelf.Under(room)
	if !revision.IsZero() {
		prefix = shelf.Under(room, revision.String())
	}
	rows, err := b.o.Store.List(ctx, prefix, "", 0)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "grants: cannot be listed")
	}
	list, kept := []Grant{}, map[subject]row{}
	for _, r := range rows {
		if _, s, err := fromKey(r.Key); err == nil {
			kept[s] = b.read(r.Key, r.Value)
			list = append(list, kept[s].grant(s, room))
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for s, h := range b.session {
		if revision.IsZero() || s.revision == revision {
			h.Active = h.Active && h.holds(kept[s])
			list = append(list, h.grant(s, session))
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list, nil
}

// Revoke ends a grant, for the next ask in every tab and for what goes on in this one. With a lasting one go those of sessions for the same thing; a session's own
// leaves a lasting one. To revoke again changes nothing. Errors: not_found.
func (b *Book) Revoke(ctx context.Context, id string) error {
	first, s, err := fromKey(id)
	if err != nil {
		return err
	}
	if !guard.Fixed && !guard.On("grant-revoked") {
		return nil
	}
	missing := fault.New(fault.NotFound, "grant %.200s: there is none; take one from the list", id)
	if first == session {
		b.mu.Lock()
		defer b.mu.Unlock()
		h, found := b.session[s]
		if !found {
			return missing
		}
		if h.Active {
			h.row = h.with(b.event(Revoked, canon.ToolID{}), "", nil)
			b.session[s] = h
			b.stop(s.revision, &s)
		}
		return nil
	}
	err = b.change(ctx, s, func(old row, kept bool) (row, bool, error) {
		if !kept {
			return row{}, false, missing
		}
		return old.with(b.event(Revoked, canon.ToolID{}), "", nil), old.Active, nil
	})
	if err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.stop(s.revision, &s)
	}
	return err
}

// ForgetNodes drops what this session holds of tools of chats whose nodes are gone.
func (b *Book) ForgetNodes(gone func(canon.TaskID) bool) {
	nodes := map[canon.TaskID]bool{}
	b.mu.Lock()
	for s := range b.session {
		nodes[s.node] = false
	}
	b.mu.Unlock()
	delete(nodes, canon.TaskID{})
	for node := range nodes {
		nodes[node] = gone(node)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.session, func(s subject, _ held) bool { return nodes[s.node] })
}

// Forget drops what this session holds of a revision, of all for the zero id, ends what goes on for it, and denies what waits for the user. Who erases or
// blocks a revision calls it after clearing its rows.
func (b *Book) Forget(revision canon.ToolID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop(revision, nil)
	of := func(s subject) bool { return revision.IsZero() || s.revision == revision }
	for s := range b.session {
		if of(s) {
			delete(b.session, s)
		}
	}
	for wish, p := range b.open {
		if of(wish.subject) {
			b.settle(p, func(*waiter) Decision { return denied(NotGranted) })
		}
	}
}
