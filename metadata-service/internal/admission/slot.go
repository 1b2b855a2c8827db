package admission

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
)

// longestLine is how many requests of one actor wait for a slot. Further ones are refused at once.
const longestLine = 1000

const (
	// longBurst is for how long the long requests of an actor may compute before fewer of its
	// requests compute at a time. Of the time that passes, a part of 1/longRate is forgotten. Actors
	// with requests that compute or wait at one time share both.
	longBurst = 250 * time.Millisecond
	longRate  = 4
)

// slots are the requests of one actor that compute, without the heavy queries, and those that wait
// until one of them has ended or waits for something else, in the order of their arrival.
type slots struct {
	taken int
	line  []*Ticket
	long  time.Duration // for which requests have computed that took more than Config.MaxLightWork
	at    time.Time     // of that
}

// forget takes the time that has passed from the sum of the long requests, for one of so many actors.
func (s *slots) forget(now time.Time, actors int) {
	s.long = max(0, s.long-now.Sub(s.at)/longRate/time.Duration(actors))
	s.at = now
}

var errSlots = fault.New(fault.Unavailable, "the service is busy with other requests of the same user: try again later, or send fewer at once")

// Begin makes a request one that computes: it holds a slot of its actor until it is released, but
// for the times in which it waits or sends its answer. Begin waits for the slot. Errors are
// fault.Unavailable when Config.Wait is over or too many wait, and those of ctx.
func (t *Ticket) Begin(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	t.computes = true
	return t.gate.takeSlot(ctx, t)
}

// Pause serves idle.Turn. What a heavy query holds of its actor stays with it; others may be worked on in its place.
func (t *Ticket) Pause() {
	if t == nil {
		return
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	t.gate.giveSlot(t)
	t.gate.leaveTogether(t)
}

// Resume serves idle.Turn. A request that finds no slot in time goes on without one, as it may
// have changed something already.
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
		t.gate.joinTogether(t) // without a wait, as it has begun
	}
	return t.gate.takeSlot(ctx, t)
}

// maxAway is for how many times Config.Place a request waits that has yielded.
const maxAway = 8

// Yield serves idle.Turn. It also lets other goroutines run before a heavy query goes on: the scheduler would interrupt
// it after ten milliseconds, which is what light requests would wait behind as many of them as there are processors.
func (t *Ticket) Yield(ctx context.Context) {
	if t == nil || !t.placed.Load() {
		return
	}
	if !t.late.Load() {
		runtime.Gosched()
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case t.released || !t.late.Load(): // another part of the request has waited
	case t.counted:
		g.awaitPlace(ctx, t)
	default:
		t.late.Store(false)
		if t.slotted {
			g.yieldSlot(ctx, t)
		}
	}
}

// yieldSlot gives the slot of a ticket to the first in line, and returns when it has one again. Without one in time it goes
// on, as in Resume. The lock is held before and after, but not while waiting.
func (g *Gate) yieldSlot(ctx context.Context, t *Ticket) {
	s := g.slots[t.payer]
	t.turn = make(chan struct{})
	s.line = append(s.line, t) // before it gives its own, as slots that nobody has or awaits are forgotten
	g.giveSlot(t)
	if !t.slotted {
		_ = g.waitForTurn(ctx, t, maxAway*g.cfg.Place)
	}
}

// awaitPlace returns when a heavy query that has had its place for long has got another one, or has waited long enough: it
// goes on for Config.Place without one then. The lock is held before and after, but not while waiting.
func (g *Gate) awaitPlace(ctx context.Context, t *Ticket) {
	timer := time.NewTimer(maxAway * g.cfg.Place)
	defer timer.Stop()
	for t.late.Load() && t.counted {
		if !slices.Contains(g.yielded, t) { // or another part of the request has taken it out, and its time is over again
			g.yielded = append(g.yielded, t)
		}
		if g.mayGoOn(t) {
			g.joinTogether(t)
			break
		}
		if g.sleep(ctx, timer, errBusy) != nil && t.late.Load() && t.counted {
			t.late.Store(false)
			t.beside = true
			g.expire(t)
		}
	}
	g.yielded = remove(g.yielded, t)
	g.wake() // the next may go on, and other parts of the request
}

// mayGoOn tells whether a query that has yielded may have a place: the one that came first, while no query waits that has not
// begun and may enter.
func (g *Gate) mayGoOn(t *Ticket) bool {
	if g.together >= g.cfg.Together || g.yielded[0] != t {
		return false
	}
	return !slices.ContainsFunc(g.queue, func(other *Ticket) bool { return other.isQuery && !other.counted && g.fits(other) })
}

// takeSlot returns when a request may compute among those of its actor, unless it does so already
// or is a heavy query. One that holds something others wait for gets a slot at once, beyond the number there are:
// those who wait for it may have a line before them. All parts of a request that run side by side
// share one slot. Errors are fault.Unavailable when Config.Wait is over or too many wait, and those of ctx. The lock
// is held before and after, but not while waiting.
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
		if len(s.line) == 0 && s.taken < g.capacity(s) { // as for nearly all requests
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

// capacity is how many requests of an actor may compute at a time: fewer when they have taken long, and none
// more while as many of such actors are worked on as may be together.
func (g *Gate) capacity(s *slots) int {
	switch {
	case !g.takesLong(s):
		return g.cfg.LightPerActor
	case g.longTogether >= g.cfg.Together:
		return 0
	}
	return min(g.cfg.PerActor, g.cfg.LightPerActor)
}

// takesLong tells whether the requests of an actor have computed for long.
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
	t.late.Store(false)
	if g.takesLong(s) {
		t.long = true
		g.longTogether++
		g.expire(t)
	}
}

// expire ends after Config.Place that a ticket keeps others from being worked on.
func (g *Gate) expire(t *Ticket) {
	t.placed.Store(true)
	if t.expiry != nil {
		t.expiry.Reset(g.cfg.Place)
		return
	}
	t.expiry = time.AfterFunc(g.cfg.Place, func() { g.endPlace(t) })
}

func (g *Gate) endPlace(t *Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.long || t.together || t.beside {
		t.late.Store(true)
	}
	t.beside = false
	g.leaveLong(t)
	g.leaveTogether(t)
}

// leaveLong ends that a ticket computes among those of actors whose requests take long, and lets others do so in its
// place.
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

// joinTogether makes a heavy query one that counts towards Config.Together.
func (g *Gate) joinTogether(t *Ticket) {
	if !t.together {
		t.together, t.beside = true, false
		t.late.Store(false)
		g.together++
		g.expire(t)
	}
}

// leaveTogether takes a query out of that count, and lets another one be worked on in its place.
func (g *Gate) leaveTogether(t *Ticket) {
	if !t.together {
		return
	}
	t.together = false
	g.together--
	g.wake()
}

// spare is a set of slots of which none is taken.
func (g *Gate) spare() *slots {
	s := g.unused
	if g.unused = nil; s == nil {
		s = &slots{}
	}
	return s
}

// admit gives the slots that are free to the first in line.
func (g *Gate) admit(s *slots) {
	for len(s.line) > 0 && s.taken < g.capacity(s) {
		first := s.line[0]
		if !first.counted { // the time of one that has become heavy counts elsewhere
			g.hold(s, first)
		}
		g.leaveLine(first)
	}
}

// waitForTurn returns when a ticket in line has got a slot, or needs none any more, or has waited for so long.
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

// leaveLine takes a ticket out of the line, if it is there, and wakes the parts of its request.
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

// drop forgets the slots of a payer of whom no request computes or waits.
func (g *Gate) drop(payer string, s *slots) {
	if s.taken > 0 || len(s.line) > 0 || g.slots[payer] != s {
		return
	}
	delete(g.slots, payer)
	*s = slots{line: s.line[:0]}
	g.unused = s
}

// giveSlot passes the slot of a ticket, if it has one, on to the first in line.
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

// countLong adds the time for which a ticket has had its slot to that of the long requests, if it is one.
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
