package stream

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/fault"
)

// counter counts the open streams of a kind, and refuses further ones above a limit.
type counter struct {
	kind  string
	limit int

	mu    sync.Mutex
	open  int
	users map[string]int // open streams of an actor
}

func newCounter(kind string, limit int) *counter {
	return &counter{kind: kind, limit: limit, users: map[string]int{}}
}

// acquire counts a stream of an actor until release is called. It returns fault.Throttled when too
// many streams are open, in total or by the actor.
func (n *counter) acquire(actor string) (release func(), err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.open >= n.limit:
		return nil, fault.New(fault.Throttled, "%d %s are open, which is all there may be; try again later", n.open, n.kind)
	case n.users[actor] >= maxStreamsPerActor:
		return nil, fault.New(fault.Throttled, "%s has %d %s open, which is all that one may have", actor, n.users[actor], n.kind)
	}
	n.open++
	n.users[actor]++
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.open--
		if n.users[actor]--; n.users[actor] == 0 {
			delete(n.users, actor)
		}
	}, nil
}
