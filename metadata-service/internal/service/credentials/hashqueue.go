package credentials

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
)

// Client identifies the origin of a password.
type Client struct {
	// Address is the network address.
	Address string
	// Known is the user that this browser has signed in before, if the password is for that user;
	// otherwise empty.
	Known string
}

type clientKey struct{}

// WithClient adds the origin of a password to the context of a request. Without it the password
// counts as one of the actor, which is signed in.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientFrom returns the client added by WithClient; ok is false if there is none.
func ClientFrom(ctx context.Context) (c Client, ok bool) {
	c, ok = ctx.Value(clientKey{}).(Client)
	return c, ok
}

// hashQueue is a fair queue for password hashing, which computes a few hashes at a time. Known
// clients and all others alternate, so that a flood of failures leaves half of the turns to users
// at their own browsers. Known clients alternate by user. Others alternate by network at three
// levels of prefix length, so that many addresses in one network share one turn. When a queue is
// full, the newest client of the largest network is refused. A hashQueue is safe for concurrent
// use.
type hashQueue struct {
	atOnce, maxWaiting int // maxWaiting is the maximum number of waiting known clients, and of other ones

	mu                         sync.Mutex
	running                    int
	knownClients, otherClients waitingGroup
	knownLast                  bool // the last turn among waiting clients went to a known client
}

var errCrowded = fault.New(fault.Throttled, "too many people are signing in at this moment; try again in some seconds")

// enter returns when one more password may be hashed. The caller must call leave afterwards. The
// error is fault.Throttled when too many clients wait, or that of ctx.
func (l *hashQueue) enter(ctx context.Context) (leave func(), err error) {
	of, w := l.enqueue(ctx)
	select {
	case <-w.left:
	default:
		// A holder of a turn delays others, so it must not wait for another turn of its actor.
		defer idle.Begin(idle.Hold(ctx))()
		select {
		case <-w.left:
		case <-ctx.Done():
			if l.withdraw(of, w) {
				return nil, ctx.Err()
			}
		}
	}
	return func() {
		l.leave()
		idle.Begin(ctx)() // gives the turn back if too many are running
	}, w.refusal
}

// enqueue adds a client to the queue. It leaves the queue at once if a turn is free.
func (l *hashQueue) enqueue(ctx context.Context) (*waitingGroup, *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of, path := l.groupOf(ctx)
	w := &waiter{path: path, left: make(chan struct{})}
	of.add(w, path)
	l.admit()
	if of.waiting > l.maxWaiting {
		of.newestOfLargest(path).refuse(of)
	}
	return of, w
}

// groupOf returns the queue of a client and its path in it.
func (l *hashQueue) groupOf(ctx context.Context) (of *waitingGroup, path []string) {
	c, ok := ClientFrom(ctx)
	if !ok {
		actor, _ := auth.ActorFrom(ctx)
		return &l.knownClients, []string{string(actor.URN)}
	}
	if c.Known != "" {
		return &l.knownClients, []string{c.Known}
	}
	return &l.otherClients, networks(c.Address)
}

// networks returns the networks of an address, largest first. The smallest one is the address
// itself or, for IPv6, its /64.
func networks(address string) []string {
	addr, ok := forwarded.ParseAddress(address)
	if !ok {
		return []string{address}
	}
	sizes := []int{32, 48, 64}
	if addr.Is4() {
		sizes = []int{16, 24, 32}
	}
	path := make([]string, len(sizes))
	for i, bits := range sizes {
		path[i] = netip.PrefixFrom(addr, bits).Masked().Addr().String() + "/" + strconv.Itoa(bits)
	}
	return path
}

// admit gives free turns to the next clients. The caller holds the mutex.
func (l *hashQueue) admit() {
	for l.running < l.atOnce && l.knownClients.waiting+l.otherClients.waiting > 0 {
		l.knownLast = l.knownClients.waiting > 0 && (l.otherClients.waiting == 0 || !l.knownLast)
		of := &l.otherClients
		if l.knownLast {
			of = &l.knownClients
		}
		l.running++
		close(of.next().left)
	}
}

func (l *hashQueue) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	l.admit()
}

// withdraw removes a client whose context has ended. It returns true if the client holds no turn,
// because it was still waiting or had been refused.
func (l *hashQueue) withdraw(of *waitingGroup, w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-w.left:
		return w.refusal != nil
	default:
		of.remove(w, w.path)
		return true
	}
}

// waiter is a client in the queue.
type waiter struct {
	path    []string
	left    chan struct{} // closed when the client leaves the queue
	refusal error         // set before left is closed
}

func (w *waiter) refuse(of *waitingGroup) {
	of.remove(w, w.path)
	w.refusal = errCrowded
	close(w.left)
}

// waitingGroup is a group of waiting clients: a network with its parts, which take turns. At the
// end of a path clients wait in the order of their arrival.
type waitingGroup struct {
	key     string
	waiting int
	parts   []*waitingGroup // in the order of their turns
	clients []*waiter
}

func (p *waitingGroup) part(key string) *waitingGroup {
	for _, one := range p.parts {
		if one.key == key {
			return one
		}
	}
	return nil
}

func (p *waitingGroup) add(w *waiter, path []string) {
	p.waiting++
	if len(path) == 0 {
		p.clients = append(p.clients, w)
		return
	}
	one := p.part(path[0])
	if one == nil {
		one = &waitingGroup{key: path[0]}
		p.parts = append(p.parts, one)
	}
	one.add(w, path[1:])
}

func (p *waitingGroup) remove(w *waiter, path []string) {
	p.waiting--
	if len(path) == 0 {
		p.clients = slices.DeleteFunc(p.clients, func(one *waiter) bool { return one == w })
		return
	}
	one := p.part(path[0])
	if one.remove(w, path[1:]); one.waiting == 0 {
		p.parts = slices.DeleteFunc(p.parts, func(other *waitingGroup) bool { return other == one })
	}
}

// next removes and returns the client whose turn it is. The part that had its turn moves to the
// end.
func (p *waitingGroup) next() (w *waiter) {
	p.waiting--
	if len(p.parts) == 0 {
		w, p.clients = p.clients[0], p.clients[1:]
		return w
	}
	one := p.parts[0]
	p.parts = p.parts[1:]
	if w = one.next(); one.waiting > 0 {
		p.parts = append(p.parts, one)
	}
	return w
}

// newestOfLargest returns the newest client of the part with the most waiting clients. Among equal
// parts it prefers the part on path, or else the part with the last turn.
func (p *waitingGroup) newestOfLargest(path []string) *waiter {
	if len(p.parts) == 0 {
		return p.clients[len(p.clients)-1]
	}
	largest := p.parts[0]
	isOf := func(one *waitingGroup) bool { return len(path) > 0 && one.key == path[0] }
	for _, one := range p.parts[1:] {
		if one.waiting > largest.waiting || one.waiting == largest.waiting && !isOf(largest) {
			largest = one
		}
	}
	if isOf(largest) {
		return largest.newestOfLargest(path[1:])
	}
	return largest.newestOfLargest(nil)
}
