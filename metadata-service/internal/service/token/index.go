package token

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Order is the order of a listing. Tokens that are equal in it are ordered by creation time, newest
// first, and then by id.
type Order int

// The orders of listings.
const (
	NewestFirst  Order = iota // by creation time
	LongestFirst              // by expiry, latest first, tokens without expiry last
	orders
)

// index holds the facts by which listings find tokens in memory, so that the cost of a page depends
// on its size only. It reads all records once, and afterwards the records that note names. It takes
// about 250 bytes per token. It is safe for concurrent use.
type index struct {
	read  func(ctx context.Context, id string) (info Info, ok bool, err error)
	names func(ctx context.Context, after urn.URN) ([]urn.URN, error)

	// refreshing is held by the one caller that brings the index up to date. Every listing holds it
	// briefly, since the listing must contain changes that another caller is just reading.
	refreshing chan struct{}
	after      urn.URN // last token of the first scan so far
	loaded     bool

	changed struct {
		sync.Mutex
		begun bool // the first scan has begun; it reads all earlier changes itself
		ids   map[string]struct{}
	}

	mu      sync.RWMutex
	entries map[string]*entry
	users   map[urn.URN]urn.URN // one text for each user, shared by all tokens
	sorted  [orders]order
}

// entry holds the indexed facts of a token. It is immutable.
type entry struct {
	id                   string
	actor, owner         urn.URN
	createdAt, expiresAt int64
}

// order holds entries in one order: all of them, and those of each owner and of each actor.
type order struct {
	all              []*entry
	byOwner, byActor map[urn.URN][]*entry
}

func newIndex(read func(context.Context, string) (Info, bool, error), names func(context.Context, urn.URN) ([]urn.URN, error)) *index {
	x := &index{read: read, names: names, refreshing: make(chan struct{}, 1), entries: map[string]*entry{}, users: map[urn.URN]urn.URN{}}
	x.changed.ids = map[string]struct{}{}
	return x
}

// note records that a token has changed. It reads nothing.
func (x *index) note(id string) {
	x.changed.Lock()
	defer x.changed.Unlock()
	if x.changed.begun {
		x.changed.ids[id] = struct{}{}
	}
}

func (x *index) takeChanged() map[string]struct{} {
	x.changed.Lock()
	defer x.changed.Unlock()
	taken := x.changed.ids
	x.changed.begun, x.changed.ids = true, map[string]struct{}{}
	return taken
}

// refresh brings the index up to date with all changes noted before the call. Only one refresh runs
// at a time; the others wait for it or for ctx.
func (x *index) refresh(ctx context.Context) error {
	select {
	case x.refreshing <- struct{}{}:
		defer func() { <-x.refreshing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	taken := x.takeChanged()
	err := x.load(ctx)
	if err == nil {
		err = x.reread(ctx, taken)
	}
	if err != nil {
		for id := range taken {
			x.note(id)
		}
	}
	return err
}

// load reads all tokens once. A cancelled load keeps its progress for the next one.
func (x *index) load(ctx context.Context) error {
	if x.loaded {
		return nil
	}
	for {
		urns, err := x.names(ctx, x.after)
		if err != nil {
			return err
		}
		if len(urns) == 0 {
			break
		}
		for _, u := range urns {
			info, ok, err := x.read(ctx, u.Key())
			if err != nil {
				return err
			}
			if ok {
				e := x.entry(info)
				x.entries[e.id] = e
			}
			x.after = u
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sortAll()
	x.loaded = true
	return nil
}

// reread updates the entries of tokens that were created, changed or removed.
func (x *index) reread(ctx context.Context, ids map[string]struct{}) error {
	now := make(map[string]*entry, len(ids))
	for id := range ids {
		info, ok, err := x.read(ctx, id)
		if err != nil {
			return err
		}
		now[id] = nil
		if ok {
			now[id] = x.entry(info)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	atOnce := len(now) > 100 && len(now) > len(x.entries)/100 // sorting all entries is then less work
	for id, e := range now {
		before := x.entries[id]
		if e == nil {
			delete(x.entries, id)
		} else {
			x.entries[id] = e
		}
		for o := range x.sorted {
			if before != nil && !atOnce {
				x.sorted[o].remove(before, Order(o))
			}
			if e != nil && !atOnce {
				x.sorted[o].insert(e, Order(o))
			}
		}
	}
	if atOnce {
		x.sortAll()
	}
	return nil
}

func (x *index) entry(info Info) *entry {
	return &entry{id: info.ID, actor: x.user(info.Actor), owner: x.user(info.Owner), createdAt: info.CreatedAt, expiresAt: info.ExpiresAt}
}

func (x *index) user(u urn.URN) urn.URN {
	if known, ok := x.users[u]; ok {
		return known
	}
	x.users[u] = u
	return u
}

func (x *index) sortAll() {
	all := make([]*entry, 0, len(x.entries))
	for _, e := range x.entries {
		all = append(all, e)
	}
	for o := range x.sorted {
		slices.SortFunc(all, Order(o).compare)
		s := order{all: slices.Clone(all), byOwner: map[urn.URN][]*entry{}, byActor: map[urn.URN][]*entry{}}
		for _, e := range all {
			s.byOwner[e.owner] = append(s.byOwner[e.owner], e)
			s.byActor[e.actor] = append(s.byActor[e.actor], e)
		}
		x.sorted[o] = s
	}
}

func (o *order) insert(e *entry, by Order) {
	o.all = inserted(o.all, e, by)
	o.byOwner[e.owner] = inserted(o.byOwner[e.owner], e, by)
	o.byActor[e.actor] = inserted(o.byActor[e.actor], e, by)
}

func (o *order) remove(e *entry, by Order) {
	o.all = removed(o.all, e, by)
	for _, part := range []struct {
		of   map[urn.URN][]*entry
		user urn.URN
	}{{o.byOwner, e.owner}, {o.byActor, e.actor}} {
		if left := removed(part.of[part.user], e, by); len(left) > 0 {
			part.of[part.user] = left
		} else {
			delete(part.of, part.user)
		}
	}
}

func inserted(list []*entry, e *entry, by Order) []*entry {
	at, _ := slices.BinarySearchFunc(list, e, by.compare)
	return slices.Insert(list, at, e)
}

func removed(list []*entry, e *entry, by Order) []*entry {
	at, ok := slices.BinarySearchFunc(list, e, by.compare)
	if !ok {
		return list
	}
	return slices.Delete(list, at, at+1)
}

func (o Order) compare(a, b *entry) int {
	n := 0
	if o == LongestFirst {
		n = cmp.Compare(b.expiresAt, a.expiresAt)
	}
	return cmp.Or(n, cmp.Compare(b.createdAt, a.createdAt), cmp.Compare(a.id, b.id))
}

// find returns at most count entries with the given owner and actor, beginning with entry start,
// and the total number. An empty owner or actor matches all.
func (x *index) find(owner, actor urn.URN, by Order, start, count int) (found []*entry, total int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := &x.sorted[by]
	list := s.all
	switch {
	case owner != "" && (actor == "" || len(s.byOwner[owner]) <= len(s.byActor[actor])):
		list = s.byOwner[owner]
	case actor != "":
		list = s.byActor[actor]
	}
	if owner != "" && actor != "" {
		var both []*entry
		for _, e := range list {
			if e.owner == owner && e.actor == actor {
				both = append(both, e)
			}
		}
		list = both
	}
	from := min(start, len(list))
	return slices.Clone(list[from : from+min(count, len(list)-from)]), len(list)
}
