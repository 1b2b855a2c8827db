package admission

import (
	"context"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// slots are the light queries of one actor that are worked on, and those that wait until one of
// them has ended, in the order of their arrival.
type slots struct {
	taken int
	line  []*Ticket
}

var errSlots = fault.New(fault.Unavailable, "the service is busy with other requests of the same user: try again later, or send fewer at once")

// takeSlot returns when a query that reserves processor time may run among the light queries of
// its actor, unless it does so already or is heavy. All parts of a request that run side by side
// share one slot. Errors are fault.Unavailable when Config.Wait is over, and those of ctx. The lock
// is held before and after, but not while waiting.
func (g *Gate) takeSlot(ctx context.Context, t *Ticket) error {
	if t.slotted || t.inside() {
		return nil
	}
	s := g.slots[t.actor]
	if s == nil {
		s = &slots{}
		g.slots[t.actor] = s
	}
	if t.turn == nil && s.taken < g.cfg.LightPerActor {
		s.taken++
		t.slotted = true
		return nil
	}
	if t.turn == nil {
		t.turn = make(chan struct{})
		s.line = append(s.line, t)
	}
	err := g.waitForTurn(ctx, t)
	if err == nil && t.released {
		err = context.Canceled
	}
	return err
}

// waitForTurn returns when a ticket in line has got a slot, or needs none any more.
func (g *Gate) waitForTurn(ctx context.Context, t *Ticket) (err error) {
	turn := t.turn
	t.inLine++
	g.waiting++
	g.mu.Unlock()
	timer := time.NewTimer(g.cfg.Wait)
	defer timer.Stop()
	select {
	case <-turn:
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = errSlots
	}
	g.mu.Lock()
	g.waiting--
	if t.inLine--; err != nil {
		g.refused++
		if t.inLine == 0 {
			g.leaveLine(t)
		}
	}
	return err
}

// leaveLine takes a ticket out of the line, if it is there, and wakes the parts of its request.
func (g *Gate) leaveLine(t *Ticket) {
	if t.turn == nil {
		return
	}
	s := g.slots[t.actor]
	s.line = remove(s.line, t)
	close(t.turn)
	t.turn = nil
}

// giveSlot passes the slot of a ticket, if it has one, on to the first in line.
func (g *Gate) giveSlot(t *Ticket) {
	if !t.slotted {
		return
	}
	t.slotted = false
	s := g.slots[t.actor]
	for len(s.line) > 0 {
		first := s.line[0]
		needs := !first.inside() // the time of one that has become heavy counts elsewhere
		first.slotted = needs
		if g.leaveLine(first); needs {
			return
		}
	}
	if s.taken--; s.taken == 0 {
		delete(g.slots, t.actor)
	}
}
