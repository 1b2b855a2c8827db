// Package admission bounds the memory that requests take together.
//
// A request that may need much memory reserves it before it takes it, and more while
// it goes on: bytes, estimated by whoever knows what a request costs. Light requests
// pass at once, so that health checks, sign-ins and small reads never wait behind
// large ones, until those of one actor have reserved half of the budget together: further
// ones of that actor count as large. Heavy ones share a budget; those that do not fit wait in a queue, and
// are refused with fault.Unavailable when it takes too long. What one actor has reserved
// beyond half of the budget does not count against others, so that one actor, and a client
// that takes its answer slowly, keep nobody from working. Queries keep processors
// busy as well, so few heavy ones of one actor are admitted at a time; batches that
// are written only have to fit. A query that needs little memory is heavy, too, when the
// processor time that is estimated for it exceeds Config.MaxLightWork: it counts towards
// the heavy queries of its actor and waits for nothing else. All other
// requests of an actor hold a slot while they compute, of which there are as many as processors, so that a flood of
// them keeps nobody else waiting. Heavy queries of all actors, and requests of actors whose requests compute for long, are
// each worked on as many at a time as there are processors, so that a crowd of actors leaves these to light requests. One that
// takes long takes turns with the others that wait (idle.Yield), where its work can be interrupted. A request gives its slot to the next of the same actor while it waits: for its
// body, for room or a turn, for a commit or an event (package idle), and for the client that takes its answer. Bodies of which more is to come have a bound of their
// own, of which a client address has a part: a body enters the budget when all of it is
// there, so that who sends slowly keeps nobody from working. Above the soft memory limit of the process heavy
// requests are refused at once: the process would be ended otherwise, and with it
// everybody's requests.
//
// Reservations are for what stays reachable. Garbage comes on top, up to as much
// again.
package admission

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
)

// DefaultBudget is what heavy requests may reserve together unless configured, in
// bytes.
const DefaultBudget = 64 << 20

// Config is what a Gate works with. What is zero has its default.
type Config struct {
	// Budget is what heavy requests may reserve together, in bytes; 64 MiB. One that needs
	// more waits until it is the oldest. Of one actor, half of it counts against others at
	// most, so the sum can be three times the budget: a request of MaxRequest beside others.
	Budget int64
	// MaxRequest is what one request may weigh, in bytes; twice the budget.
	MaxRequest int64
	// Arrivals is what bodies that are still arriving may take together, in bytes of
	// memory; twice the budget. The one that began first is left out, and takes what
	// it needs. A client address has a quarter of it for the bodies that follow its
	// first, and an actor half of it.
	Arrivals int64
	// MaxLight is up to where a request is light, in bytes; 1 MiB.
	MaxLight int64
	// MaxLightWork is the estimated processor time up to which a query is light; 2 ms.
	MaxLightWork time.Duration
	// PerActor is how many heavy queries of one actor are worked on at a time; half as many as
	// there are processors, and at least 1, so that one actor leaves processors to others.
	PerActor int
	// LightPerActor is how many requests of one actor compute at a time beside the heavy queries; as many
	// as there are processors, and at least 2. PerActor holds instead while many of them compute for longer than MaxLightWork.
	LightPerActor int
	// Together is how many heavy queries of all actors are worked on at a time, and as many requests of actors whose requests
	// compute for long; as many as there are processors, and more than PerActor. A crowd of actors keeps light requests of others from waiting no more
	// than so many do.
	Together int
	// Place is for how long a query or request counts towards Together; 250 ms. One that takes longer waits for a
	// place again at its next idle.Yield, behind those that have not begun, and goes on beside the others until
	// then, so that some long ones keep nobody waiting. After maxAway times as long it goes on without a place.
	Place time.Duration
	// Wait is how long a request stays in the queue; 10 s.
	Wait time.Duration
	// Limit is the soft memory limit of the process in bytes, zero when there is
	// none. Live gives what was reachable at the last garbage collection, and Collect
	// makes one; Live and runtime.GC when nil.
	Limit   int64
	Live    func() int64
	Collect func()
	// Now is the clock that measures how long requests compute; time.Now when nil.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	fill := func(v *int64, usual int64) {
		if *v == 0 {
			*v = usual
		}
	}
	fill(&c.Budget, DefaultBudget)
	fill(&c.MaxRequest, 2*c.Budget)
	fill(&c.Arrivals, 2*c.Budget)
	fill(&c.MaxLight, 1<<20)
	if c.MaxLightWork == 0 {
		c.MaxLightWork = 2 * time.Millisecond
	}
	if c.PerActor == 0 {
		c.PerActor = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if c.LightPerActor == 0 {
		c.LightPerActor = max(2, runtime.GOMAXPROCS(0))
	}
	if c.Together == 0 {
		c.Together = max(runtime.GOMAXPROCS(0), c.PerActor, c.PerActor+1) // PerActor may be the largest number
	}
	if c.Place == 0 {
		c.Place = 250 * time.Millisecond
	}
	if c.Wait == 0 {
		c.Wait = 10 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
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

	mu       sync.Mutex
	seq      uint64
	reserved int64             // of all heavy tickets
	heavy    []*Ticket         // in the order of their arrival
	queue    []*Ticket         // that wait to become heavy, in the order of their arrival
	actors   map[string]int    // heavy queries of each
	shares   map[string]int64  // what each actor has reserved of the sum
	lights   map[string]int64  // what the light tickets of each actor have reserved
	slots    map[string]*slots // requests of each payer that compute
	unused   *slots            // for the next payer; nil when there is none
	together int               // heavy queries that count towards Config.Together
	// longTogether are the slots of actors whose requests take long.
	longTogether int
	firsts       map[string]int64 // what the first parts of bodies take, of each address and actor
	arriving     []*arrival       // bodies that have taken something, in the order of their first taking
	arrived      int64            // what they have taken
	yielded      []*Ticket        // heavy queries that wait for a place again, in the order of their coming
	waiters      []chan struct{}  // closed when something was given back
	waiting      int              // how many requests wait
	refused      int64

	collecting chan struct{} // closed when the collection has ended; nil when none is made
}

// New makes a Gate.
func New(cfg Config) *Gate {
	return &Gate{cfg: cfg.withDefaults(), actors: map[string]int{}, shares: map[string]int64{}, lights: map[string]int64{}, slots: map[string]*slots{}, firsts: map[string]int64{}}
}

// MaxRequest is what one request may weigh, in bytes.
func (g *Gate) MaxRequest() int64 { return g.cfg.MaxRequest }

// Ticket is an admitted request. Its methods are safe for concurrent use.
type Ticket struct {
	gate     *Gate
	actor    string
	payer    string // whose slots it takes: the actor, or the address of an anonymous client
	seq      uint64 // of its arrival
	bytes    int64  // reserved, or being reserved
	work     time.Duration
	shared   int64         // what of bytes counts in the gate's sum
	light    int64         // what of bytes counts in the sum of its actor's light tickets
	crowded  bool          // it counts as large, as the light tickets of its actor have enough
	pending  int           // calls of Reserve that wait; a request may read in parallel
	isQuery  bool          // it counts towards PerActor
	counted  bool          // among the heavy queries of its actor
	turn     chan struct{} // closed when the ticket leaves the line for a slot; nil while it is not in line
	inLine   int           // parts of the request that wait for that
	computes bool          // it holds a slot whenever it waits for nothing
	slotted  bool          // it holds a slot of its payer
	together bool          // it is a heavy query that counts towards Config.Together
	beside   bool          // it is one that goes on without a place, for Config.Place
	long     bool          // its slot is among longTogether
	expiry   *time.Timer   // ends together and long; nil before the first
	placed   atomic.Bool   // it has had a place
	late     atomic.Bool   // it has had its place for Config.Place, and has not waited for another one
	alone    chan struct{} // holds a value while a part of the request is alone
	since    time.Time     // when it got that
	computed time.Duration // for which it had one before
	admitted bool          // among the heavy ones of the budget
	released bool
	refusal  error // error of the last reservation, nil when it was granted
}

// Enter admits a query of an actor and reserves bytes for it. Errors are
// fault.TooLarge for one that is over MaxRequest, fault.Unavailable when there is no
// room in time, and those of ctx. Call Release when the request has ended.
func (g *Gate) Enter(ctx context.Context, actor string, bytes int64) (*Ticket, error) {
	t := g.ticket(actor)
	return t, t.ReserveQuery(ctx, bytes)
}

// ticket is a ticket that has reserved nothing.
func (g *Gate) ticket(actor string) *Ticket {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seq++
	return &Ticket{gate: g, actor: actor, payer: actor, seq: g.seq, alone: make(chan struct{}, 1)}
}

// ReserveQuery is Reserve for a query: once it is heavy, it counts towards PerActor.
func (t *Ticket) ReserveQuery(ctx context.Context, bytes int64) error {
	t.markQuery()
	return t.Reserve(ctx, bytes)
}

// markQuery makes a ticket that of a query.
func (t *Ticket) markQuery() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.isQuery {
		return
	}
	if t.isQuery = true; t.admitted {
		g.count(t)
	}
}

// count counts a ticket among the heavy queries of its actor.
func (g *Gate) count(t *Ticket) {
	if !t.counted {
		t.counted = true
		g.actors[t.actor]++
		g.joinTogether(t)
	}
}

// Reserve takes more for a request, and waits for it like Enter. Of several that
// wait the one that entered first goes on, even beyond the budget, so they never
// wait for each other.
func (t *Ticket) Reserve(ctx context.Context, bytes int64) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.gate.reserve(ctx, t, max(0, bytes), 0)
}

// Work reserves processor time for a query before it is spent. With the first call a query is one
// of the light queries of its actor, and with a sum beyond MaxLightWork one of the heavy ones; Work
// waits until it may be. Errors are those of Enter.
func (t *Ticket) Work(ctx context.Context, d time.Duration) error {
	if t == nil || d <= 0 {
		return nil
	}
	t.markQuery()
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.gate.reserve(ctx, t, 0, d)
}

func (g *Gate) reserve(ctx context.Context, t *Ticket, bytes int64, work time.Duration) error {
	if bytes == 0 && work == 0 || t.released {
		return nil
	}
	if t.bytes+bytes > g.cfg.MaxRequest {
		return fault.New(fault.TooLarge, "the request needs more than the %d MiB of memory that one may take: ask for fewer entities at a time, or for less of each", g.cfg.MaxRequest>>20)
	}
	t.bytes += bytes
	t.work += work
	t.crowded = t.crowded || bytes > 0 && g.isCrowded(t)
	large := g.isLarge(t)
	if bytes == 0 && t.inside() {
		return nil
	}
	if !large && t.work <= g.cfg.MaxLightWork {
		if work == 0 {
			g.setLight(t, t.bytes)
			return nil
		}
		if t.refusal = g.takeSlot(ctx, t); t.refusal != nil {
			t.work -= work
		}
		return t.refusal
	}
	if work > 0 || t.isQuery {
		g.giveSlot(t) // what waits to be heavy keeps no light query waiting
	}
	t.refusal = g.await(ctx, t)
	if t.refusal != nil {
		t.bytes -= bytes
		t.work -= work
		return t.refusal
	}
	if t.isQuery {
		g.count(t)
	}
	if !large {
		g.setLight(t, t.bytes)
		g.wake() // its place in the queue is free
		return nil
	}
	if !t.admitted {
		t.admitted = true
		g.heavy = insert(g.heavy, t)
	}
	g.setLight(t, 0)
	g.setShare(t, t.bytes)
	if t.computes {
		t.refusal = g.takeSlot(ctx, t) // which it gave while it waited for room
	}
	return t.refusal
}

// endTurn gives back the slot of a request, and the place of a query among the heavy ones of its actor, but not its bytes:
// its answer is complete, and sending it may take long and needs little processor time. A query
// that reserves more processor time then waits for a place again.
func (t *Ticket) endTurn() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	t.computes = false
	g.giveSlot(t)
	if t.counted {
		g.uncount(t)
		g.wake()
	}
}

func (g *Gate) uncount(t *Ticket) {
	t.counted = false
	g.leaveTogether(t)
	if g.actors[t.actor]--; g.actors[t.actor] == 0 {
		delete(g.actors, t.actor)
	}
}

// isLarge tells whether a ticket takes part in the budget.
func (g *Gate) isLarge(t *Ticket) bool { return t.crowded || t.bytes > g.cfg.MaxLight }

// smallPart is the part of Config.MaxLight up to which a ticket is never crowded: sign-ins are
// requests of one actor, who is not known yet, and take little.
const smallPart = 64

// isCrowded tells whether the light tickets of an actor have reserved half of the budget
// with what a ticket has not got yet.
func (g *Gate) isCrowded(t *Ticket) bool {
	return !t.admitted && t.bytes > g.cfg.MaxLight/smallPart && g.lights[t.actor]+t.bytes-t.light > g.cfg.Budget/actorShare
}

// setLight sets what a ticket contributes to the sum of the light tickets of its actor.
func (g *Gate) setLight(t *Ticket, bytes int64) {
	if g.lights[t.actor] += bytes - t.light; g.lights[t.actor] == 0 {
		delete(g.lights, t.actor)
	}
	t.light = bytes
}

// inside tells whether a ticket is heavy and admitted.
func (t *Ticket) inside() bool { return t.counted || t.admitted }

// needsTurn tells whether a ticket has to wait in the queue.
func (g *Gate) needsTurn(t *Ticket) bool {
	if g.isLarge(t) {
		return !t.admitted
	}
	return !t.inside()
}

// setShare sets what a ticket contributes to the sum of the gate.
func (g *Gate) setShare(t *Ticket, bytes int64) {
	g.reserved += bytes - t.shared
	if g.shares[t.actor] += bytes - t.shared; g.shares[t.actor] == 0 {
		delete(g.shares, t.actor)
	}
	t.shared = bytes
	g.wake() // who is behind in the queue may fit now
}

// await returns when there is room for what a ticket has not got yet. The lock is
// held before and after, but not while waiting.
func (g *Gate) await(ctx context.Context, t *Ticket) error {
	if t.pending++; g.needsTurn(t) && !slices.Contains(g.queue, t) {
		g.queue = insert(g.queue, t)
	}
	defer func() {
		if t.pending--; t.pending == 0 || !g.needsTurn(t) {
			g.queue = remove(g.queue, t)
		}
	}()
	timer := time.NewTimer(g.cfg.Wait)
	defer timer.Stop()
	for {
		over := g.isLarge(t) && g.overLimit()
		if t.released {
			return context.Canceled
		}
		if over {
			g.refused++
			g.wake() // its place in the queue is free
			return errShort
		}
		if idle.Holds(ctx) || g.fits(t) {
			return nil // those who wait for what it holds may have the room
		}
		g.giveSlot(t)
		if err := g.sleep(ctx, timer, errBusy); err != nil {
			g.refused++
			return err
		}
	}
}

var (
	errBusy  = fault.New(fault.Unavailable, "the service is busy with other large requests: try again later, or ask for less at once")
	errShort = fault.New(fault.Unavailable, "the service is short of memory: try again later, or ask for less at once; its operator can give it more")
)

// sleep returns when something was given back, or with the error of ctx, or with late
// when the timer has fired. The lock is held before and after.
func (g *Gate) sleep(ctx context.Context, timer *time.Timer, late error) (err error) {
	freed := make(chan struct{})
	g.waiters = append(g.waiters, freed)
	g.waiting++
	g.mu.Unlock()
	select {
	case <-freed:
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = late
	}
	g.mu.Lock()
	g.waiting--
	if err != nil {
		g.waiters = slices.DeleteFunc(g.waiters, func(one chan struct{}) bool { return one == freed })
		g.wake() // its place in the queue is free
	}
	return err
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
// actors that have as many inside as they may, or half of the budget. Queries that are
// heavy for their processor time alone take no room, so they and those that wait for room
// pass each other.
func (g *Gate) fits(t *Ticket) bool {
	large := g.isLarge(t)
	if large && len(g.heavy) > 0 && g.heavy[0] != t && !g.hasBudget(t) {
		return false
	}
	if !g.needsTurn(t) {
		return true
	}
	for _, earlier := range g.queue {
		switch {
		case earlier == t:
			return g.mayEnter(t)
		case g.isLarge(earlier) != large:
		case large && !g.isHeldByItself(earlier), !large && earlier.actor == t.actor:
			return false
		}
	}
	return false
}

// mayEnter tells whether the actor of a ticket may have one more heavy query, and whether one more of all actors
// may be worked on. A batch that has room does not wait for it when it becomes a query, see markQuery: others may
// wait for the room.
func (g *Gate) mayEnter(t *Ticket) bool {
	return !t.isQuery || t.counted || g.actors[t.actor] < g.cfg.PerActor && g.together < g.cfg.Together
}

// hasBudget tells whether what a ticket has not got yet is left of the budget.
func (g *Gate) hasBudget(t *Ticket) bool {
	sum := t.bytes - t.shared
	for actor, bytes := range g.shares {
		if actor != t.actor {
			bytes = min(bytes, g.cfg.Budget/actorShare)
		}
		sum += bytes
	}
	return sum <= g.cfg.Budget
}

// isHeldByItself tells whether a ticket in line waits for others of its own actor.
func (g *Gate) isHeldByItself(t *Ticket) bool {
	if !g.mayEnter(t) {
		return true
	}
	has := g.shares[t.actor]
	return has > 0 && has+t.bytes > g.cfg.Budget/actorShare && !g.hasBudget(t)
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
	for _, freed := range g.waiters {
		close(freed)
	}
	g.waiters = nil
}

// Release gives back all that was taken. Leaving twice is fine.
func (t *Ticket) Release() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	t.released = true
	if t.expiry != nil {
		t.expiry.Stop()
	}
	g.leaveLine(t)
	g.giveSlot(t)
	if t.counted {
		g.uncount(t)
	}
	if t.admitted {
		t.admitted = false
		g.heavy = remove(g.heavy, t)
	}
	g.setLight(t, 0)
	g.setShare(t, 0)
}

// Load is what a gate carries.
type Load struct {
	Bytes   int64 // of the heavy requests, in bytes
	Heavy   int   // how many these are
	Waiting int
	Refused int64 // since the start

	Arriving int64 // of bodies that are still arriving, in bytes
}

// Load tells what the gate carries now.
func (g *Gate) Load() Load {
	if g == nil {
		return Load{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return Load{Bytes: g.reserved, Heavy: len(g.heavy), Waiting: g.waiting, Refused: g.refused, Arriving: g.arrived}
}
