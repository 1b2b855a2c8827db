package httpserver

import (
	"errors"
	"net/http"
	"net/netip"
	"sync/atomic"
)

const (
	// freeHead is how many bytes of the head of a request any connection may read. net/http keeps several times as
	// much for a head that has not arrived as a whole.
	freeHead = 8 << 10
	// headPart is the part of all connections that may read a longer head at one time, and leastHeads how many of them
	// at least; one client address has an addressPart of these.
	headPart, leastHeads = 32, 16
)

var errLongHeads = errors.New("httpserver: too many connections send long heads of requests")

// head is what a connection has read of the head of its next request.
type head struct {
	handling atomic.Bool // what is read is no head
	size     int         // of the goroutine that reads
	place    bool        // among longHeads, under the lock of connections
}

// readHead counts bytes of a head. Beyond freeHead the connection needs a place, and is refused without.
func (c *framingConn) readHead(n int) error {
	if c.head.handling.Load() || c.owner == nil {
		return nil
	}
	before := c.head.size
	if c.head.size += n; before > freeHead || c.head.size <= freeHead || c.owner.takeLongHead(c) {
		return nil
	}
	refuse(c.Conn)
	return errLongHeads
}

// headArrived is called when a handler begins.
func (c *framingConn) headArrived() {
	c.head.handling.Store(true)
	if c.owner != nil {
		c.owner.giveLongHead(c)
	}
}

// awaitHead is called when the next request is awaited.
func (c *framingConn) awaitHead() {
	c.head.size = 0
	c.head.handling.Store(false)
}

// takeLongHead gives a connection a place, if one is free and its address does not have its part.
func (c *connections) takeLongHead(conn *framingConn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit > 0 {
		most := max(c.limit/headPart, leastHeads)
		if c.longHeads >= most || c.longHeadsByPeer[conn.peer.network] >= max(most/addressPart, 1) {
			c.refused++
			return false
		}
	}
	conn.head.place = true
	c.longHeads++
	if c.longHeadsByPeer == nil {
		c.longHeadsByPeer = map[netip.Prefix]int{}
	}
	c.longHeadsByPeer[conn.peer.network]++
	return true
}

func (c *connections) giveLongHead(conn *framingConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forgetLongHead(conn)
}

func (c *connections) forgetLongHead(conn *framingConn) {
	if conn == nil || !conn.head.place {
		return
	}
	conn.head.place = false
	c.longHeads--
	if c.longHeadsByPeer[conn.peer.network]--; c.longHeadsByPeer[conn.peer.network] == 0 {
		delete(c.longHeadsByPeer, conn.peer.network)
	}
}

// withHeads tells connections when the head of a request has arrived.
func withHeads(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn := connOf(r.Context()); conn != nil {
			conn.headArrived()
		}
		next.ServeHTTP(w, r)
	})
}
