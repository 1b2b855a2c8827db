package credentials_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/fault"
)

// queuer lets clients wait in the queue for hashing, which the test blocks.
type queuer struct {
	*fixture
	release func()
	called  chan string // clients, in the order of their turns
	refused chan string
}

func newQueuer(t *testing.T, longest int) *queuer {
	q := &queuer{fixture: setUp(t), called: make(chan string, 100), refused: make(chan string, 100)}
	q.Service = credentials.New(credentials.Config{Hash: credentials.HashParams{Memory: 64, Time: 1, Threads: 1, AtOnce: 1, Queue: longest}})
	q.release = q.Occupy()
	return q
}

func (q *queuer) join(ctx context.Context, name string) {
	q.t.Helper()
	before, refusals := q.Waiting(), len(q.refused)
	go func() {
		leave, err := q.Enter(ctx)
		if err != nil {
			if !errors.Is(err, fault.Throttled) {
				q.t.Error(err)
			}
			q.refused <- name
			return
		}
		q.called <- name
		leave()
	}()
	for q.Waiting() == before && len(q.refused) == refusals {
		runtime.Gosched()
	}
}

func (q *queuer) address(address string) {
	q.t.Helper()
	q.join(credentials.WithClient(q.system(), credentials.Client{Address: address}), address)
}

func (q *queuer) known(user string) {
	q.t.Helper()
	q.join(credentials.WithClient(q.system(), credentials.Client{Address: "10.1.0.1", Known: user}), user)
}

// order releases the queue, one turn at a time, and returns the names of n clients in the order of
// their turns.
func (q *queuer) order(n int) string {
	q.release()
	names := make([]string, n)
	for i := range names {
		names[i] = <-q.called
	}
	return strings.Join(names, " ")
}

func TestKnownBrowsersAndOthersTakeTurnsInHashing(t *testing.T) {
	t.Parallel()
	q := newQueuer(t, 10)
	for _, address := range []string{"10.1.0.1", "10.2.0.1", "10.3.0.1"} {
		q.address(address)
	}
	q.known("jo")
	q.known("jo")
	q.known("ann")
	q.join(q.as(authtest.Root), "root") // changes a password
	if got := q.order(7); got != "jo 10.1.0.1 ann 10.2.0.1 root 10.3.0.1 jo" {
		t.Errorf("the turns: %s", got)
	}
}

func TestNetworksTakeTurnsInHashing(t *testing.T) {
	t.Parallel()
	q := newQueuer(t, 10)
	for _, address := range []string{"10.1.1.1", "10.1.1.2", "10.1.1.1", "10.1.2.1", "192.0.2.1", "2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:2:1::1", "an unknown place"} {
		q.address(address)
	}
	if got := q.order(9); got != "10.1.1.1 192.0.2.1 2001:db8:1:1::1 an unknown place 10.1.2.1 2001:db8:2:1::1 10.1.1.2 2001:db8:1:2::1 10.1.1.1" {
		t.Errorf("the turns: %s", got)
	}
}

func TestAFullLineTurnsTheLargestNetworkAway(t *testing.T) {
	t.Parallel()
	q := newQueuer(t, 3)
	for i := range 3 { // the maximum number of waiting clients
		q.address(fmt.Sprintf("10.1.%d.1", i))
	}
	q.address("192.0.2.1")
	if name := <-q.refused; name != "10.1.2.1" {
		t.Errorf("for a client of another network %s is refused", name)
	}
	q.address("10.1.9.1")
	if name := <-q.refused; name != "10.1.9.1" {
		t.Errorf("for one more of the largest network %s is refused", name)
	}
	q.address("192.0.2.2")
	if name := <-q.refused; name != "192.0.2.2" {
		t.Errorf("among networks of the same size %s is refused", name)
	}
	q.known("jo") // whose part of the queue is not full
	if got := q.order(4); got != "jo 10.1.0.1 192.0.2.1 10.1.1.1" {
		t.Errorf("the turns: %s", got)
	}
}

func TestHashingLeavesProcessorsToOthers(t *testing.T) {
	t.Parallel()
	if n := credentials.DefaultHash().AtOnce; n < 1 || !slices.Contains([]int{1, runtime.GOMAXPROCS(0) / 2}, n) {
		t.Errorf("%d at once, of %d processors", n, runtime.GOMAXPROCS(0))
	}
}
