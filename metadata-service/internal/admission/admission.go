// Package admission limits the memory and processor time that requests use together.
//
// A request that may need much memory reserves it before it allocates it, and reserves more as it
// proceeds. Reservations are estimates in bytes. There are two sorts of requests.
//
// Light requests pass at once, so that health checks, sign-ins and small reads never wait behind
// large requests. When the light requests of one actor have reserved half of the budget, further
// ones of that actor count as large.
//
// Heavy requests share a budget. Those that do not fit wait in a queue, and are refused with
// fault.Unavailable when the wait takes too long. Reservations of one actor beyond half of the
// budget do not count against other actors, so that neither a single actor nor a client that reads
// its answer slowly blocks the others. Queries also use processors, so only a few heavy queries of
// one actor are admitted at a time; batches of writes only need to fit. A query that needs little
// memory is heavy, too, if its estimated processor time exceeds Config.MaxLightWork: it counts
// towards the heavy queries of its actor and waits for nothing else.
//
// All other requests of an actor hold a slot while they compute. There are as many slots as
// processors, so that many requests of one actor do not delay other actors. At any time only as
// many heavy queries of all actors run as there are processors, and as many requests of actors
// whose requests compute for long, so that many actors together still leave processors to light
// requests. A long request takes turns with waiting ones (idle.Yield) where its work can be
// interrupted. A request passes its slot to the next request of the same actor while it waits: for
// its body, for room or a turn, for a commit or an event (package idle), and for the client that
// reads its answer.
//
// Bodies that are still arriving have a limit of their own, of which each client address may use a
// part. A body enters the budget when it is complete, so that slow senders block nobody. Above the
// soft memory limit of the process heavy requests are refused at once: otherwise the process would
// be killed together with all its requests.
//
// Reservations are for reachable memory. Garbage adds up to as much again.
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

// DefaultBudget is the default of Config.Budget in bytes.
const DefaultBudget = 64 << 20

// Config holds the settings of a Gate. Zero values mean the default.
type Config struct {
	// Budget is the memory that heavy requests may reserve together, in bytes; default 64 MiB. A
	// request that needs more waits until it is the oldest. At most half of the budget of one actor
	// counts against others, so the sum can be three times the budget: a request of MaxRequest next
	// to others.
	Budget int64
	// MaxRequest is the maximum reservation of one request in bytes; default twice the budget.
	MaxRequest int64
	// Arrivals is the memory that arriving bodies may use together, in bytes; default twice the
	// budget. The body that began first does not count, and may use as much as it needs. A client
	// address has a quarter of it for the bodies after its first, and an actor half of it.
	Arrivals int64
	// MaxLight is the largest reservation of a light request in bytes; default 1 MiB.
	MaxLight int64
	// MaxLightWork is the largest estimated processor time of a light query; default 2 ms.
	MaxLightWork time.Duration
	// PerActor is the maximum number of heavy queries of one actor that run at a time; default half
	// the number of processors and at least 1, so that one actor leaves processors to others.
	PerActor int
	// LightPerActor is the maximum number of requests of one actor that compute at a time in
	// addition to its heavy queries; default the number of processors and at least 2. While many of
	// them compute for longer than MaxLightWork, PerActor is the limit instead.
	LightPerActor int
	// Together is the maximum number of heavy queries of all actors that run at a time, and equally
	// of requests of actors whose requests compute for long; default the number of processors, and
	// more than PerActor. Many actors delay the light requests of others no more than this number
	// of requests does.
	Together int
	// Place is the time for which a query or request counts towards Together; default 250 ms. A
	// longer one continues, without counting, until its next idle.Yield. There it waits for a place
	// again, behind those that have not begun, so that a few long ones delay no other request.
	// After a wait of maxAway times Place it continues without a place.
	Place time.Duration
	// Wait is the maximum time of a request in the queue; default 10 s.
	Wait time.Duration
	// Limit is the soft memory limit of the process in bytes, zero for none. Live returns the
	// memory that was reachable at the last garbage collection, and Collect runs a collection;
	// default Live and runtime.GC.
	Limit   int64
	Live    func() int64
	Collect func()
	// Now is the clock that measures the computing time of requests; default time.Now.
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
		c.Together = max(runtime.GOMAXPROCS(0), c.PerActor, c.PerActor+1) // PerActor may be the largest integer
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

	mu         sync.Mutex
	seq        uint64
	reserved   int64             // bytes of all heavy tickets
	heavy      []*Ticket         // ordered by arrival
	queue      []*Ticket         // tickets that wait to become heavy, ordered by arrival
	actors     map[string]int    // number of heavy queries by actor
	shares     map[string]int64  // part of reserved by actor
	lightBytes map[string]int64  // bytes reserved by the light tickets of each actor
	slots      map[string]*slots // slots by payer
	unused     *slots            // for the next payer; nil if there are none
	together   int               // heavy queries that count towards Config.Together
	// longTogether is the number of slots held by requests of actors whose requests compute for
	// long.
	longTogether int
	firstBytes   map[string]int64 // bytes of the first parts of bodies, by address and by actor
	arriving     []*arrival       // bodies that have reserved memory, ordered by their first reservation
	arrived      int64            // bytes reserved by these
	yielded      []*Ticket        // heavy queries that wait for a place again, in order
	waiters      []chan struct{}  // closed when something is released
	waiting      int              // number of waiting requests
	refused      int64

	collecting chan struct{} // closed at the end of the running collection; nil if none is running
}

// New returns a Gate.
func New(cfg Config) *Gate {
	return &Gate{cfg: cfg.withDefaults(), actors: map[string]int{}, shares: map[string]int64{}, lightBytes: map[string]int64{}, slots: map[string]*slots{}, firstBytes: map[string]int64{}}
}

// MaxRequest returns the maximum reservation of one request in bytes.
func (g *Gate) MaxRequest() int64 { return g.cfg.MaxRequest }

// Ticket is an admitted request. Its methods are safe for concurrent use.
type Ticket struct {
	gate          *Gate
	actor         string
	payer         string // owner of the slot: the actor, or the address of an anonymous client
	seq           uint64 // order of arrival
	bytes         int64  // reserved or being reserved
	work          time.Duration
	shared        int64         // part of bytes in the sum of the gate
	light         int64         // part of bytes in the sum of the actor's light tickets
	countsAsLarge bool          // counts as large, since the light tickets of its actor have reserved enough
	pending       int           // waiting calls of Reserve; a request may read in parallel
	isQuery       bool          // counts towards PerActor
	counted       bool          // counted among the heavy queries of its actor
	turn          chan struct{} // closed when the ticket leaves the line for a slot; nil while it is not in line
	inLine        int           // waiting parts of the request
	computes      bool          // holds a slot whenever it does not wait
	slotted       bool          // holds a slot of its payer
	together      bool          // heavy query that counts towards Config.Together
	withoutPlace  bool          // heavy query that continues without a place, for Config.Place
	long          bool          // its slot counts in longTogether
	expiry        *time.Timer   // ends together and long; nil before the first use
	hadPlace      atomic.Bool   // has had a place
	placeExpired  atomic.Bool   // has had its place for Config.Place, and has not waited for another one
	exclusive     chan struct{} // holds a value while a part of the request runs alone
	since         time.Time     // time at which it got its slot
	computed      time.Duration // total time with earlier slots
	admitted      bool          // among the heavy tickets of the budget
	released      bool
	refusal       error // error of the last reservation; nil if it was granted
}

// Enter admits a query of an actor and reserves bytes for it. Errors are fault.TooLarge beyond
// MaxRequest, fault.Unavailable if there is no room in time, and those of ctx. Call Release at the
// end of the request.
func (g *Gate) Enter(ctx context.Context, actor string, bytes int64) (*Ticket, error) {
	t := g.ticket(actor)
	return t, t.ReserveQuery(ctx, bytes)
}

// ticket returns a ticket without a reservation.
func (g *Gate) ticket(actor string) *Ticket {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seq++
	return &Ticket{gate: g, actor: actor, payer: actor, seq: g.seq, exclusive: make(chan struct{}, 1)}
}

// ReserveQuery is Reserve for a query: a heavy one counts towards PerActor.
func (t *Ticket) ReserveQuery(ctx context.Context, bytes int64) error {
	t.markQuery()
	return t.Reserve(ctx, bytes)
}

// markQuery marks a ticket as that of a query.
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

// Reserve reserves further bytes for a request, and waits for them like Enter. Of several waiting
// requests the one that entered first proceeds, even beyond the budget, so requests never wait for
// each other.
func (t *Ticket) Reserve(ctx context.Context, bytes int64) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.gate.reserve(ctx, t, max(0, bytes), 0)
}

// Work reserves processor time for a query before it is spent. The first call makes the request a
// light query of its actor, and a sum beyond MaxLightWork a heavy one; Work waits until that is
// possible. Errors are those of Enter.
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
	t.countsAsLarge = t.countsAsLarge || bytes > 0 && g.exceedsLightShare(t)
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
		g.giveSlot(t) // a request that waits to become heavy must not delay light queries
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
		t.refusal = g.takeSlot(ctx, t) // it gave up its slot while it waited for room
	}
	return t.refusal
}

// endTurn releases the slot of a request, and its place among the heavy queries of its actor, but
// not its bytes: the answer is complete, and sending it may take long and needs little processor
// time. A query that reserves more processor time afterwards waits for a place again.
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

// isLarge reports whether a ticket takes part in the budget.
func (g *Gate) isLarge(t *Ticket) bool { return t.countsAsLarge || t.bytes > g.cfg.MaxLight }

// smallPart is the part of Config.MaxLight up to which a ticket never counts as large in this way:
// all sign-ins belong to one, still unknown actor, and need little.
const smallPart = 64

// exceedsLightShare reports whether the light tickets of an actor would reserve more than half of
// the budget together with the pending bytes of a ticket.
func (g *Gate) exceedsLightShare(t *Ticket) bool {
	return !t.admitted && t.bytes > g.cfg.MaxLight/smallPart && g.lightBytes[t.actor]+t.bytes-t.light > g.cfg.Budget/actorShare
}

// setLight sets the part of a ticket in the sum of its actor's light tickets.
func (g *Gate) setLight(t *Ticket, bytes int64) {
	if g.lightBytes[t.actor] += bytes - t.light; g.lightBytes[t.actor] == 0 {
		delete(g.lightBytes, t.actor)
	}
	t.light = bytes
}

// inside reports whether a ticket is heavy and admitted.
func (t *Ticket) inside() bool { return t.counted || t.admitted }

// needsTurn reports whether a ticket has to wait in the queue.
func (g *Gate) needsTurn(t *Ticket) bool {
	if g.isLarge(t) {
		return !t.admitted
	}
	return !t.inside()
}

// setShare sets the part of a ticket in the sum of the gate.
func (g *Gate) setShare(t *Ticket, bytes int64) {
	g.reserved += bytes - t.shared
	if g.shares[t.actor] += bytes - t.shared; g.shares[t.actor] == 0 {
		delete(g.shares, t.actor)
	}
	t.shared = bytes
	g.wake() // tickets further back in the queue may fit now
}

// await returns when there is room for the pending bytes of a ticket. The caller holds the lock,
// which is released while waiting.
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
			return nil // tickets that have the room may wait for a resource that this one holds
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

// sleep returns when something is released, or with the error of ctx, or with timeoutErr when the
// timer fires. The caller holds the lock, which is released while waiting.
func (g *Gate) sleep(ctx context.Context, timer *time.Timer, timeoutErr error) (err error) {
	freed := make(chan struct{})
	g.waiters = append(g.waiters, freed)
	g.waiting++
	g.mu.Unlock()
	select {
	case <-freed:
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = timeoutErr
	}
	g.mu.Lock()
	g.waiting--
	if err != nil {
		g.waiters = slices.DeleteFunc(g.waiters, func(one chan struct{}) bool { return one == freed })
		g.wake() // its place in the queue is free
	}
	return err
}

// overLimit reports whether reachable memory fills the process. Without heavy requests little
// garbage may arise, and the last collection may be long ago, so it collects first. The caller
// holds the lock, which is released while collecting.
func (g *Gate) overLimit() bool {
	if g.cfg.Limit == 0 || g.cfg.Live() < g.cfg.Limit {
		return false
	}
	if len(g.heavy) == 0 {
		g.collect()
	}
	return g.cfg.Live() >= g.cfg.Limit
}

// collect runs a garbage collection, or waits for the running one.
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

// fits reports whether a ticket may take more. Admitted tickets take precedence over those in the
// queue. These follow in the order of arrival, except that tickets are skipped whose actors have
// reached their number of queries or half of the budget. Queries that are heavy for their processor
// time alone need no room, so they and tickets that wait for room pass each other.
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

// mayEnter reports whether the actor of a ticket may have one more heavy query, and whether one
// more of all actors may run. A batch that already has room does not wait here when it becomes a
// query, see markQuery: others may wait for its room.
func (g *Gate) mayEnter(t *Ticket) bool {
	return !t.isQuery || t.counted || g.actors[t.actor] < g.cfg.PerActor && g.together < g.cfg.Together
}

// hasBudget reports whether the budget has room for the pending bytes of a ticket.
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

// isHeldByItself reports whether a ticket in the queue waits for other tickets of its own actor.
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

// wake lets all waiting requests check again.
func (g *Gate) wake() {
	for _, freed := range g.waiters {
		close(freed)
	}
	g.waiters = nil
}

// Release releases everything that the ticket holds. Calling it twice is allowed.
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

// Load is the present load of a gate.
type Load struct {
	Bytes   int64 // bytes of heavy requests
	Heavy   int   // number of heavy requests
	Waiting int
	Refused int64 // since the start

	Arriving int64 // bytes of bodies that are still arriving
}

// Load returns the present load.
func (g *Gate) Load() Load {
	if g == nil {
		return Load{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return Load{Bytes: g.reserved, Heavy: len(g.heavy), Waiting: g.waiting, Refused: g.refused, Arriving: g.arrived}
}
