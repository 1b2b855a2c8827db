// Package admission bounds the memory that requests take together.
//
// A request that may need much says how much before it takes it, and more while
// it goes on: its weight, in bytes, estimated by whoever knows what a request
// costs. Light requests pass at once, so that health checks, sign-ins and small
// reads never wait behind large ones. Heavy ones share a budget; those that do not
// fit wait in line, and are refused with fault.Unavailable when it takes too long.
// Questions keep processors busy besides, so few heavy ones of one actor are
// admitted at a time; batches that are written only have to fit. Above the soft memory limit of the
// process heavy requests are refused at once: the process would be ended otherwise,
// and with it everybody's requests.
//
// Weights are of what stays reachable. Garbage comes on top, up to as much again.
package admission

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// DefaultBudget is what heavy requests may weigh together when nothing is said, in
// bytes.
const DefaultBudget = 64 << 20

// Config is what a Gate works with. What is zero has its default.
type Config struct {
	// Budget is what heavy requests may weigh together, in bytes; 64 MiB. One that
	// weighs more is alone.
	Budget int64
	// Most is what one request may weigh, in bytes; twice the budget.
	Most int64
	// Light is up to where a request is light, in bytes; 1 MiB.
	Light int64
	// PerActor is how many heavy questions of one actor are admitted at a time; 2.
	PerActor int
	// Wait is how long a request stays in line; 10 s.
	Wait time.Duration
	// Limit is the soft memory limit of the process in bytes, zero when there is
	// none. Live gives what was reachable at the last garbage collection, and Collect
	// makes one; Live and runtime.GC when nil.
	Limit   int64
	Live    func() int64
	Collect func()
}

func (c Config) withDefaults() Config {
	fill := func(v *int64, usual int64) {
		if *v == 0 {
			*v = usual
		}
	}
	fill(&c.Budget, DefaultBudget)
	fill(&c.Most, 2*c.Budget)
	fill(&c.Light, 1<<20)
	if c.PerActor == 0 {
		c.PerActor = 2
	}
	if c.Wait == 0 {
		c.Wait = 10 * time.Second
	}
	if c.Live == nil {
		c.Live = Live
	}
	if c.Collect == nil {
		c.Collect = runtime.GC
	}
	return c
}

// Gate admits requests. It is safe for concurrent use; a nil Gate admits all.
type Gate struct {
	cfg Config

	mu      sync.Mutex
	seq     uint64
	weight  int64           // of all heavy tickets
	heavy   []*Ticket       // in the order of their arrival
	line    []*Ticket       // that wait to become heavy, in the order of their arrival
	actors  map[string]int  // heavy questions of each
	waiting []chan struct{} // closed when something was given back
	refused int64

	collecting chan struct{} // closed when the collection has ended; nil when none is made
}

// New makes a Gate.
func New(cfg Config) *Gate { return &Gate{cfg: cfg.withDefaults(), actors: map[string]int{}} }

// Ticket is an admitted request. Its methods are safe for concurrent use.
type Ticket struct {
	gate   *Gate
	actor  string
	seq    uint64 // of its arrival
	weight int64  // taken or asked for
	shared int64  // what of it is in the weight of the gate
	asking int    // calls of Grow that wait; a request may read side by side
	asks   bool   // it is a question
	inside bool   // among the heavy ones
	left   bool
	denied error // why it was not given what it asked for last
}

// Enter admits a question of an actor with a weight in bytes. Errors are
// fault.TooLarge for one that is over the most, fault.Unavailable when there is no
// room in time, and those of ctx. Call Leave when the request has ended.
func (g *Gate) Enter(ctx context.Context, actor string, weight int64) (*Ticket, error) {
	t := g.ticket(actor)
	return t, t.Ask(ctx, weight)
}

// ticket is one of no weight.
func (g *Gate) ticket(actor string) *Ticket {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seq++
	return &Ticket{gate: g, actor: actor, seq: g.seq}
}

// Ask is Grow for a question.
func (t *Ticket) Ask(ctx context.Context, weight int64) error {
	if t == nil {
		return nil
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !t.asks {
		t.asks = true
		if t.inside {
			g.actors[t.actor]++
		}
	}
	return g.grow(ctx, t, weight)
}

// Grow takes more for a request, and waits for it like Enter. Of several that
// wait the one that entered first goes on, even beyond the budget, so they never
// wait for each other.
func (t *Ticket) Grow(ctx context.Context, weight int64) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.gate.grow(ctx, t, weight)
}

func (g *Gate) grow(ctx context.Context, t *Ticket, weight int64) error {
	if weight <= 0 || t.left {
		return nil
	}
	if t.weight+weight > g.cfg.Most {
		return fault.New(fault.TooLarge, "the request needs more than the %d MiB of memory that one may take: ask for fewer entities at a time, or for less of each", g.cfg.Most>>20)
	}
	if t.weight += weight; t.weight <= g.cfg.Light {
		return nil
	}
	t.denied = g.await(ctx, t)
	if t.denied != nil {
		t.weight -= weight
		return t.denied
	}
	if !t.inside {
		t.inside = true
		if t.asks {
			g.actors[t.actor]++
		}
		g.heavy = insert(g.heavy, t)
	}
	g.share(t, t.weight)
	return nil
}

// share makes a weight the part of a ticket in that of the gate.
func (g *Gate) share(t *Ticket, weight int64) {
	g.weight += weight - t.shared
	t.shared = weight
	g.wake() // who is behind in the line may fit now
}

// await returns when there is room for what a ticket has not got yet. The lock is
// held before and after, but not while waiting.
func (g *Gate) await(ctx context.Context, t *Ticket) error {
	if t.asking++; t.asking == 1 && !t.inside {
		g.line = insert(g.line, t)
	}
	defer func() {
		if t.asking--; t.asking == 0 || t.inside {
			g.line = remove(g.line, t)
		}
	}()
	timer := time.NewTimer(g.cfg.Wait)
	defer timer.Stop()
	for {
		over := g.overLimit()
		if t.left {
			return context.Canceled
		}
		if over {
			g.refused++
			g.wake() // its place in the line is free
			return fault.New(fault.Unavailable, "the service is short of memory: try again later, or ask for less at once; its operator can give it more")
		}
		if g.fits(t) {
			return nil
		}
		freed := make(chan struct{})
		g.waiting = append(g.waiting, freed)
		g.mu.Unlock()
		var err error
		select {
		case <-freed:
		case <-ctx.Done():
			err = ctx.Err()
		case <-timer.C:
			err = fault.New(fault.Unavailable, "the service is busy with other large requests: try again later, or ask for less at once")
		}
		g.mu.Lock()
		if err != nil {
			g.refused++
			g.waiting = slices.DeleteFunc(g.waiting, func(one chan struct{}) bool { return one == freed })
			g.wake() // its place in the line is free
			return err
		}
	}
}

// overLimit tells whether what is reachable fills the memory of the process. Without
// heavy requests nobody may be making garbage, and the last collection be long ago.
// The lock is held before and after, but not while collecting.
func (g *Gate) overLimit() bool {
	if g.cfg.Limit == 0 || g.cfg.Live() < g.cfg.Limit {
		return false
	}
	if len(g.heavy) == 0 {
		g.collect()
	}
	return g.cfg.Live() >= g.cfg.Limit
}

// collect makes a garbage collection, or waits for the one that is being made.
func (g *Gate) collect() {
	if made := g.collecting; made != nil {
		g.mu.Unlock()
		<-made
		g.mu.Lock()
		return
	}
	made := make(chan struct{})
	g.collecting = made
	g.mu.Unlock()
	g.cfg.Collect()
	g.mu.Lock()
	g.collecting = nil
	close(made)
}

// fits tells whether a ticket may take more. Those that are inside take from what
// is left before those in line, who come in the order of their arrival, but for
// actors that have as many inside as they may.
func (g *Gate) fits(t *Ticket) bool {
	if len(g.heavy) > 0 && g.heavy[0] != t && g.weight+t.weight-t.shared > g.cfg.Budget {
		return false
	}
	if t.inside {
		return true
	}
	for _, earlier := range g.line {
		if !earlier.asks || g.actors[earlier.actor] < g.cfg.PerActor {
			return earlier == t
		}
	}
	return false
}

func insert(tickets []*Ticket, t *Ticket) []*Ticket {
	at, _ := slices.BinarySearchFunc(tickets, t, func(a, b *Ticket) int { return cmp.Compare(a.seq, b.seq) })
	return slices.Insert(tickets, at, t)
}

func remove(tickets []*Ticket, t *Ticket) []*Ticket {
	return slices.DeleteFunc(tickets, func(one *Ticket) bool { return one == t })
}

// wake makes all that wait look again.
func (g *Gate) wake() {
	for _, freed := range g.waiting {
		close(freed)
	}
	g.waiting = nil
}

// Leave gives back all that was taken. Leaving twice is fine.
func (t *Ticket) Leave() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	t.left = true
	if t.inside {
		t.inside = false
		if t.asks {
			g.actors[t.actor]--
		}
		if g.actors[t.actor] == 0 {
			delete(g.actors, t.actor)
		}
		g.heavy = remove(g.heavy, t)
	}
	g.share(t, 0)
}

// Load is what a gate carries.
type Load struct {
	Weight  int64 // of the heavy requests, in bytes
	Heavy   int   // how many these are
	Waiting int
	Refused int64 // since the start
}

// Load tells what the gate carries now.
func (g *Gate) Load() Load {
	if g == nil {
		return Load{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return Load{Weight: g.weight, Heavy: len(g.heavy), Waiting: len(g.waiting), Refused: g.refused}
}
