package admission

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
)

// longestLine is the maximum number of requests of one actor that wait for a slot. Further ones are
// refused at once.
const longestLine = 1000

const (
	// longBurst is the computing time of long requests of an actor beyond which fewer of its
	// requests compute at a time. As time passes, 1/longRate of it is deducted from the sum. Actors
	// with concurrently computing or waiting requests share both.
	longBurst = 250 * time.Millisecond
	longRate  = 4
)

// slots holds the computing requests of one actor, without its heavy queries, and those that wait
// for a slot, ordered by arrival.
type slots struct {
	taken int
	line  []*Ticket
	long  time.Duration // computing time of requests that took more than Config.MaxLightWork
	at    time.Time     // time of the last deduction from long
}

// forget deducts the time that has passed from the sum of long requests, divided by the number of
// actors.
func (s *slots) forget(now time.Time, actors int) {
	s.long = max(0, s.long-now.Sub(s.at)/longRate/time.Duration(actors))
	s.at = now
}

var errSlots = fault.New(fault.Unavailable, "the service is busy with other requests of the same user: try again later, or send fewer at once")

// Begin marks a request as computing: it holds a slot of its actor until it is released, except
// while it waits or sends its answer. Begin waits for the slot. Errors are fault.Unavailable after
// Config.Wait or if too many requests wait, and those of ctx.
func (t *Ticket) Begin(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	t.computes = true
	return t.gate.takeSlot(ctx, t)
}

// Pause implements idle.Turn. A heavy query keeps its place among those of its actor; others may
// run in its place.
func (t *Ticket) Pause() {
	if t == nil {
		return
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	t.gate.giveSlot(t)
	t.gate.leaveTogether(t)
}

// Resume implements idle.Turn. A request that gets no slot in time continues without one, since it
// may have made changes already.
func (t *Ticket) Resume(ctx context.Context) { _ = t.resume(ctx) }

// resume is Begin for a request that computed before.
func (t *Ticket) resume(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if !t.computes || t.released {
		return nil
	}
	if t.counted {
		t.gate.joinTogether(t) // without waiting, since it has begun
	}
	return t.gate.takeSlot(ctx, t)
}

// maxAway is the maximum wait of a request that has yielded, in units of Config.Place.
const maxAway = 8

// Yield implements idle.Turn. It also lets other goroutines run before a heavy query continues: the
// scheduler would interrupt the query only after ten milliseconds, for which light requests would
// wait behind as many queries as there are processors.
func (t *Ticket) Yield(ctx context.Context) {
	if t == nil || !t.hadPlace.Load() {
		return
	}
	if !t.placeExpired.Load() {
		runtime.Gosched()
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case t.released || !t.placeExpired.Load(): // another part of the request has waited
	case t.counted:
		g.awaitPlace(ctx, t)
	default:
		t.placeExpired.Store(false)
		if t.slotted {
			g.yieldSlot(ctx, t)
		}
	}
}

// yieldSlot passes the slot of a ticket to the first in line, and returns when it has one again. If
// it gets none in time, it continues as in Resume. The caller holds the lock, which is released
// while waiting.
func (g *Gate) yieldSlot(ctx context.Context, t *Ticket) {
	s := g.slots[t.payer]
	t.turn = make(chan struct{})
	s.line = append(s.line, t) // before it releases its own, since slots without holder and line are removed
	g.giveSlot(t)
	if !t.slotted {
		_ = g.waitForTurn(ctx, t, maxAway*g.cfg.Place)
	}
}

// awaitPlace returns when a heavy query whose place has expired has got another one, or has waited
// long enough. In the latter case it continues without one for Config.Place. The caller holds the
// lock, which is released while waiting.
func (g *Gate) awaitPlace(ctx context.Context, t *Ticket) {
	timer := time.NewTimer(maxAway * g.cfg.Place)
	defer timer.Stop()
	for t.placeExpired.Load() && t.counted {
		if !slices.Contains(g.yielded, t) { // or another part of the request has removed it, and its place has expired again
			g.yielded = append(g.yielded, t)
		}
		if g.mayGoOn(t) {
			g.joinTogether(t)
			break
		}
		if g.sleep(ctx, timer, errBusy) != nil && t.placeExpired.Load() && t.counted {
			t.placeExpired.Store(false)
			t.withoutPlace = true
			g.expire(t)
		}
	}
	g.yielded = remove(g.yielded, t)
	g.wake() // the next query, and other parts of the request, may continue
}

// mayGoOn reports whether a query that has yielded may have a place: only the first one, and only
// while no query that has not begun may enter.
func (g *Gate) mayGoOn(t *Ticket) bool {
	if g.together >= g.cfg.Together || g.yielded[0] != t {
		return false
	}
	return !slices.ContainsFunc(g.queue, func(other *Ticket) bool { return other.isQuery && !other.counted && g.fits(other) })
}

// takeSlot returns when a request may compute among those of its actor, unless it already does or
// is a heavy query. A request that holds a resource for which others wait gets a slot at once, even
// beyond the limit: the waiting requests may be ahead of it in line. All concurrent parts of a
// request share one slot. Errors are fault.Unavailable after Config.Wait or if too many requests
// wait, and those of ctx. The caller holds the lock, which is released while waiting.
func (g *Gate) takeSlot(ctx context.Context, t *Ticket) error {
	if t.slotted || t.counted {
		return nil
	}
	s := g.slots[t.payer]
	if s == nil {
		s = g.spare()
		g.slots[t.payer] = s
	}
	if idle.Holds(ctx) {
		g.hold(s, t)
		g.leaveLine(t)
		return nil
	}
	if t.turn == nil {
		if len(s.line) == 0 && s.taken < g.capacity(s) { // the case of nearly all requests
			g.hold(s, t)
			return nil
		}
		if len(s.line) >= longestLine {
			g.refused++
			return errSlots
		}
		t.turn = make(chan struct{})
		s.line = append(s.line, t)
		g.admit(s)
	}
	if t.slotted {
		return nil
	}
	err := g.waitForTurn(ctx, t, g.cfg.Wait)
	switch {
	case err != nil:
		g.refused++
	case t.released:
		err = context.Canceled
	}
	return err
}

// capacity returns the number of requests of an actor that may compute at a time. It is smaller if
// they have taken long, and zero while Config.Together requests of such actors run.
func (g *Gate) capacity(s *slots) int {
	switch {
	case !g.takesLong(s):
		return g.cfg.LightPerActor
	case g.longTogether >= g.cfg.Together:
		return 0
	}
	return min(g.cfg.PerActor, g.cfg.LightPerActor)
}

// takesLong reports whether the requests of an actor have computed for long.
func (g *Gate) takesLong(s *slots) bool {
	actors := max(1, len(g.slots))
	burst := longBurst / time.Duration(actors)
	if s.long <= burst {
		return false
	}
	s.forget(g.cfg.Now(), actors)
	return s.long > burst
}

// hold gives a ticket a slot.
func (g *Gate) hold(s *slots, t *Ticket) {
	s.taken++
	t.slotted, t.since = true, g.cfg.Now()
	t.placeExpired.Store(false)
	if g.takesLong(s) {
		t.long = true
		g.longTogether++
		g.expire(t)
	}
}

// expire ends the place of a ticket after Config.Place.
func (g *Gate) expire(t *Ticket) {
	t.hadPlace.Store(true)
	if t.expiry != nil {
		t.expiry.Reset(g.cfg.Place)
		return
	}
	t.expiry = time.AfterFunc(g.cfg.Place, func() { g.endPlace(t) })
}

func (g *Gate) endPlace(t *Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.long || t.together || t.withoutPlace {
		t.placeExpired.Store(true)
	}
	t.withoutPlace = false
	g.leaveLong(t)
	g.leaveTogether(t)
}

// leaveLong removes a ticket from those of actors whose requests compute for long, and admits
// others in its place.
func (g *Gate) leaveLong(t *Ticket) {
	if !t.long {
		return
	}
	t.long = false
	g.longTogether--
	for _, s := range g.slots {
		if g.longTogether >= g.cfg.Together {
			break
		}
		g.admit(s)
	}
}

// joinTogether counts a heavy query towards Config.Together.
func (g *Gate) joinTogether(t *Ticket) {
	if !t.together {
		t.together, t.withoutPlace = true, false
		t.placeExpired.Store(false)
		g.together++
		g.expire(t)
	}
}

// leaveTogether removes a query from that count, and lets another one run in its place.
func (g *Gate) leaveTogether(t *Ticket) {
	if !t.together {
		return
	}
	t.together = false
	g.together--
	g.wake()
}

// spare returns unused slots.
func (g *Gate) spare() *slots {
	s := g.unused
	if g.unused = nil; s == nil {
		s = &slots{}
	}
	return s
}

// admit gives the free slots to the first in line.
func (g *Gate) admit(s *slots) {
	for len(s.line) > 0 && s.taken < g.capacity(s) {
		first := s.line[0]
		if !first.counted { // the time of a ticket that has become heavy counts elsewhere
			g.hold(s, first)
		}
		g.leaveLine(first)
	}
}

// waitForTurn returns when a ticket in line has got a slot or needs none any more, or after the
// time most.
func (g *Gate) waitForTurn(ctx context.Context, t *Ticket, most time.Duration) (err error) {
	turn := t.turn
	t.inLine++
	g.waiting++
	g.mu.Unlock()
	timer := time.NewTimer(most)
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
	if t.inLine--; err != nil && t.inLine == 0 {
		g.leaveLine(t)
	}
	return err
}

// leaveLine removes a ticket from the line, if it is there, and wakes the parts of its request.
func (g *Gate) leaveLine(t *Ticket) {
	if t.turn == nil {
		return
	}
	s := g.slots[t.payer]
	s.line = remove(s.line, t)
	close(t.turn)
	t.turn = nil
	g.drop(t.payer, s)
}

// drop removes the slots of a payer without computing or waiting requests.
func (g *Gate) drop(payer string, s *slots) {
	if s.taken > 0 || len(s.line) > 0 || g.slots[payer] != s {
		return
	}
	delete(g.slots, payer)
	*s = slots{line: s.line[:0]}
	g.unused = s
}

// giveSlot passes the slot of a ticket, if it has one, to the first in line.
func (g *Gate) giveSlot(t *Ticket) {
	if !t.slotted {
		return
	}
	t.slotted = false
	s := g.slots[t.payer]
	s.taken--
	g.countLong(s, t)
	g.leaveLong(t)
	g.admit(s)
	g.drop(t.payer, s)
}

// countLong adds the time for which a ticket had its slot to that of long requests, if the ticket
// is one of these.
func (g *Gate) countLong(s *slots, t *Ticket) {
	before, now := t.computed, g.cfg.Now()
	t.computed += now.Sub(t.since)
	if t.computed <= g.cfg.MaxLightWork {
		return
	}
	if before <= g.cfg.MaxLightWork {
		before = 0
	}
	s.forget(now, max(1, len(g.slots)))
	s.long += t.computed - before
}
