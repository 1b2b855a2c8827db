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

// Client is where a password comes from.
type Client struct {
	// Address is the network address.
	Address string
	// Known is the user who has signed in at this browser before and whose password it is;
	// empty where there is none.
	Known string
}

type clientKey struct{}

// WithClient keeps in the context of a request where its password comes from. Without it the
// password counts as one of the actor, who has signed in.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientFrom is the client put in by WithClient; ok is false where there is none.
func ClientFrom(ctx context.Context) (c Client, ok bool) {
	c, ok = ctx.Value(clientKey{}).(Client)
	return c, ok
}

// line has passwords hashed few at a time. Known clients and all others take turns, so a flood
// of failures leaves half of the turns to users at their own browsers. Among the known ones users
// take turns, among the others networks of networks, then networks, then addresses: who has many
// addresses of a network has one share. A full line turns the newest of the largest network
// away. It is safe for concurrent use.
type line struct {
	atOnce, longest int // longest is how many known clients may wait, and how many others

	mu            sync.Mutex
	running       int
	known, others party
	knownLast     bool // the last turn of those that waited was that of a known client
}

var errCrowded = fault.New(fault.Throttled, "too many people are signing in at this moment; try again in some seconds")

// enter returns when one more password may be hashed. Call leave then. Errors are
// fault.Throttled when too many wait, and that of ctx.
func (l *line) enter(ctx context.Context) (leave func(), err error) {
	of, w := l.join(ctx)
	select {
	case <-w.called:
	default:
		// Whoever has the turn keeps others waiting, and waits for no turn of its actor.
		defer idle.Begin(idle.Hold(ctx))()
		select {
		case <-w.called:
		case <-ctx.Done():
			if l.quit(of, w) {
				return nil, ctx.Err()
			}
		}
	}
	return func() {
		l.leave()
		idle.Begin(ctx)() // which gives the turn back if there are too many
	}, w.refusal
}

// join puts a client into the line, and out of it when it has its turn at once.
func (l *line) join(ctx context.Context) (*party, *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of, path := l.place(ctx)
	w := &waiter{path: path, called: make(chan struct{})}
	of.add(w, path)
	l.call()
	if of.waiting > l.longest {
		of.newestOfLargest(path).refuse(of)
	}
	return of, w
}

// place is where a client waits.
func (l *line) place(ctx context.Context) (of *party, path []string) {
	c, ok := ClientFrom(ctx)
	if !ok {
		actor, _ := auth.ActorFrom(ctx)
		return &l.known, []string{string(actor.URN)}
	}
	if c.Known != "" {
		return &l.known, []string{c.Known}
	}
	return &l.others, networks(c.Address)
}

// networks are those that an address is in, the largest first, and the address itself. An
// address of IPv6 counts by its /64.
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

// call gives the places that are free to those whose turn it is. The mutex is held.
func (l *line) call() {
	for l.running < l.atOnce && l.known.waiting+l.others.waiting > 0 {
		l.knownLast = l.known.waiting > 0 && (l.others.waiting == 0 || !l.knownLast)
		of := &l.others
		if l.knownLast {
			of = &l.known
		}
		l.running++
		close(of.next().called)
	}
}

func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	l.call()
}

// quit takes a client that has gone out of the line. It reports whether the client has nothing to
// give back, as it was still there or had been refused.
func (l *line) quit(of *party, w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-w.called:
		return w.refusal != nil
	default:
		of.remove(w, w.path)
		return true
	}
}

// waiter is a client in the line.
type waiter struct {
	path    []string
	called  chan struct{} // closed when it leaves the line
	refusal error         // set before
}

func (w *waiter) refuse(of *party) {
	of.remove(w, w.path)
	w.refusal = errCrowded
	close(w.called)
}

// party is those who wait of a network, by the parts of the network, which take turns. Where a
// path ends they stand in the order of their arrival.
type party struct {
	key     string
	waiting int
	parts   []*party // the next one in front
	clients []*waiter
}

func (p *party) part(key string) *party {
	for _, one := range p.parts {
		if one.key == key {
			return one
		}
	}
	return nil
}

func (p *party) add(w *waiter, path []string) {
	p.waiting++
	if len(path) == 0 {
		p.clients = append(p.clients, w)
		return
	}
	one := p.part(path[0])
	if one == nil {
		one = &party{key: path[0]}
		p.parts = append(p.parts, one)
	}
	one.add(w, path[1:])
}

func (p *party) remove(w *waiter, path []string) {
	p.waiting--
	if len(path) == 0 {
		p.clients = slices.DeleteFunc(p.clients, func(one *waiter) bool { return one == w })
		return
	}
	one := p.part(path[0])
	if one.remove(w, path[1:]); one.waiting == 0 {
		p.parts = slices.DeleteFunc(p.parts, func(other *party) bool { return other == one })
	}
}

// next takes the one whose turn it is. The part that had its turn goes behind the others.
func (p *party) next() (w *waiter) {
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

// newestOfLargest is the one who came last of the part where most wait. Among equal parts it is that
// of path, or the one whose turn comes last.
func (p *party) newestOfLargest(path []string) *waiter {
	if len(p.parts) == 0 {
		return p.clients[len(p.clients)-1]
	}
	largest := p.parts[0]
	isOf := func(one *party) bool { return len(path) > 0 && one.key == path[0] }
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
