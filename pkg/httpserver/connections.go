package httpserver

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connections counts the connections that a goroutine of net/http serves, so
// that their owner can wait for the end of all. http.Server waits in Shutdown
// alone, not after Close.
type connections struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when count falls to zero; nil while nobody waits
}

// track is a http.Server.ConnState. The last state of a connection comes from
// its own goroutine, after its last handler has returned.
func (c *connections) track(_ net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.count++
	case http.StateClosed, http.StateHijacked:
		c.count--
	}
	if c.count == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// wait returns how many connections are left when ctx ends; zero as soon as there are none.
func (c *connections) wait(ctx context.Context) int {
	c.mu.Lock()
	if c.count == 0 {
		c.mu.Unlock()
		return 0
	}
	if c.none == nil {
		c.none = make(chan struct{})
	}
	none := c.none
	c.mu.Unlock()
	select {
	case <-none:
		return 0
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}
