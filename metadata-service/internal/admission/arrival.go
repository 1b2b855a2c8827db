package admission

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Parts of Config.Arrivals that the bodies of one client address, and of one actor, may take
// beside the one that began first. The same actor may have many addresses. The part of an
// actor is also what counts of its reservations in Config.Budget for others.
const (
	clientShare = 4
	actorShare  = 2
)

// arrival is a body of which more is to come. It takes from Config.Arrivals and not from
// the budget: who sends slowly keeps nobody from working. Its methods are safe for
// concurrent use; a nil arrival takes nothing.
type arrival struct {
	gate   *Gate
	client string // address
	actor  string
	bytes  int64 // taken
	first  int64 // taken for the first part
	ended  bool
}

// arrive is a body of an actor at a client address that has taken nothing.
func (g *Gate) arrive(client, actor string) *arrival {
	if g == nil {
		return nil
	}
	return &arrival{gate: g, client: client, actor: actor}
}

// take takes bytes for what comes next, and waits for room for Config.Wait at most.
// Errors are fault.Unavailable and those of ctx.
func (a *arrival) take(ctx context.Context, bytes int64) error {
	if a == nil {
		return nil
	}
	g := a.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	timer := time.NewTimer(g.cfg.Wait)
	defer timer.Stop()
	for {
		if g.overLimit() {
			g.refused++
			return errShort
		}
		if a.ended {
			return context.Canceled
		}
		if g.hasRoom(a, bytes) {
			break
		}
		if err := g.sleep(ctx, timer, errArrivals); err != nil {
			g.refused++
			return err
		}
	}
	if a.bytes == 0 {
		g.arriving = append(g.arriving, a)
	}
	a.bytes += bytes
	g.arrived += bytes
	return nil
}

// takeFirst takes bytes for the first part of a body, which waits for nothing: it counts in the parts of its
// client and of its actor alone, and is refused beyond them. The error is fault.Unavailable.
func (a *arrival) takeFirst(bytes int64) error {
	if a == nil {
		return nil
	}
	g := a.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.firsts[a.client]+bytes > g.cfg.Arrivals/clientShare || a.actor != "" && g.firsts[a.actor]+bytes > g.cfg.Arrivals/actorShare {
		g.refused++
		return errFirsts
	}
	a.first = bytes
	g.addFirst(a, bytes)
	return nil
}

// addFirst adds to what the first parts of bodies take. Addresses and actors share a map, as no text is both.
func (g *Gate) addFirst(a *arrival, bytes int64) {
	for _, of := range [...]string{a.client, a.actor} {
		if g.firsts[of] += bytes; g.firsts[of] == 0 {
			delete(g.firsts, of)
		}
	}
}

var errFirsts = fault.New(fault.Unavailable, "too many request bodies of the same address or user are still arriving: try again later, or send fewer at once")

var errArrivals = fault.New(fault.Unavailable, "the service is busy with other large request bodies that are still arriving: try again later, or send less at once")

// hasRoom tells whether a body may take more. The one that came first always may, and
// what it takes is left out of the sum, so that bodies never wait for each other. Near
// the memory limit it alone may. The lock is held.
func (g *Gate) hasRoom(a *arrival, bytes int64) bool {
	if len(g.arriving) == 0 || g.arriving[0] == a {
		return true
	}
	if g.arrived-g.arriving[0].bytes+bytes > g.cfg.Arrivals || g.cfg.Limit > 0 && g.cfg.Live() >= g.cfg.Limit-g.cfg.Budget {
		return false
	}
	return g.hasShare(a, bytes, clientShare, func(other *arrival) bool { return other.client == a.client }) &&
		g.hasShare(a, bytes, actorShare, func(other *arrival) bool { return other.actor == a.actor })
}

// hasShare reports whether a body may take more within a part of Config.Arrivals that it shares with
// others. The one of these that came first always may.
func (g *Gate) hasShare(a *arrival, bytes, part int64, shares func(other *arrival) bool) bool {
	taken, first := int64(0), true
	for _, other := range g.arriving {
		if !shares(other) {
			continue
		}
		if first && other == a {
			return true
		}
		taken, first = taken+other.bytes, false
	}
	return first || taken+bytes <= g.cfg.Arrivals/part
}

// end gives back all that was taken. Ending twice is fine.
func (a *arrival) end() {
	if a == nil {
		return
	}
	g := a.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	a.ended = true
	if a.first > 0 {
		g.addFirst(a, -a.first)
		a.first = 0
	}
	if a.bytes == 0 {
		return
	}
	g.arrived -= a.bytes
	a.bytes = 0
	g.arriving = slices.DeleteFunc(g.arriving, func(one *arrival) bool { return one == a })
	g.wake()
}
