package stream

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/fault"
)

// counter counts the streams of a sort that are open, and refuses those that are too many.
type counter struct {
	what string
	most int

	mu    sync.Mutex
	open  int
	users map[string]int // streams that an actor has open
}

func newCounter(what string, most int) *counter {
	return &counter{what: what, most: most, users: map[string]int{}}
}

// enter counts a stream of an actor until leave is called. The refusal is fault.Throttled.
func (n *counter) enter(actor string) (leave func(), err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.open >= n.most:
		return nil, fault.New(fault.Throttled, "%d %s are open, which is all there may be; try again later", n.open, n.what)
	case n.users[actor] >= mostOfActor:
		return nil, fault.New(fault.Throttled, "%s has %d %s open, which is all that one may have", actor, n.users[actor], n.what)
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
