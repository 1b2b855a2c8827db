package admission

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Parts of Config.Arrivals for the bodies of one client address, and of one actor, in addition to
// the body that began first. One actor may use many addresses. actorShare is also the part of
// Config.Budget up to which the reservations of an actor count against others.
const (
	clientShare = 4
	actorShare  = 2
)

// arrival is a body that is still arriving. It reserves memory from Config.Arrivals and not from
// the budget, so that slow senders block nobody. Its methods are safe for concurrent use. A nil
// arrival reserves nothing.
type arrival struct {
	gate   *Gate
	client string // address
	actor  string
	bytes  int64 // reserved
	first  int64 // reserved for the first part
	ended  bool
}

// arrive returns an arrival without a reservation, for a body of an actor at a client address.
func (g *Gate) arrive(client, actor string) *arrival {
	if g == nil {
		return nil
	}
	return &arrival{gate: g, client: client, actor: actor}
}

// take reserves bytes for the next part of the body, and waits for room for at most Config.Wait.
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

// takeFirst reserves bytes for the first part of a body without waiting: it counts only in the
// shares of its client and of its actor, and is refused beyond them. The error is
// fault.Unavailable.
func (a *arrival) takeFirst(bytes int64) error {
	if a == nil {
		return nil
	}
	g := a.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.firstBytes[a.client]+bytes > g.cfg.Arrivals/clientShare || a.actor != "" && g.firstBytes[a.actor]+bytes > g.cfg.Arrivals/actorShare {
		g.refused++
		return errFirsts
	}
	a.first = bytes
	g.addFirst(a, bytes)
	return nil
}

// addFirst adds to the bytes of first parts. Addresses and actors share a map, since no text is
// both.
func (g *Gate) addFirst(a *arrival, bytes int64) {
	for _, of := range [...]string{a.client, a.actor} {
		if g.firstBytes[of] += bytes; g.firstBytes[of] == 0 {
			delete(g.firstBytes, of)
		}
	}
}

var errFirsts = fault.New(fault.Unavailable, "too many request bodies of the same address or user are still arriving: try again later, or send fewer at once")

var errArrivals = fault.New(fault.Unavailable, "the service is busy with other large request bodies that are still arriving: try again later, or send less at once")

// hasRoom reports whether a body may reserve more. The body that arrived first always may, and its
// bytes do not count in the sum, so that bodies never wait for each other. Near the memory limit
// only that body may. The caller holds the lock.
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

// hasShare reports whether a body may reserve more within a part of Config.Arrivals that it shares
// with others. The first of these bodies always may.
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

// end releases everything that the body reserved. Calling it twice is allowed.
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
