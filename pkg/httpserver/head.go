package httpserver

import (
	"errors"
	"net/http"
	"net/netip"
	"sync/atomic"
)

const (
	// freeHead is the number of bytes of a request head that every connection may send. net/http
	// uses several times that memory for an incomplete head.
	freeHead = 8 << 10
	// headPart is the divisor that gives the share of all connections that may send a longer head
	// at the same time, and leastHeads the minimum number; one client address may have one
	// addressPart-th of these.
	headPart, leastHeads = 32, 16
)

var errLongHeads = errors.New("httpserver: too many connections send long heads of requests")

// head is the state of reading the head of the next request of a connection.
type head struct {
	handling atomic.Bool // a handler runs: the bytes read are not part of a head
	size     int         // owned by the reading goroutine
	place    bool        // counted in longHeads; guarded by the lock of connections
}

// readHead counts bytes of a head. Beyond freeHead the connection needs a place; without one it is
// refused.
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

// headArrived must be called when a handler begins.
func (c *framingConn) headArrived() {
	c.head.handling.Store(true)
	if c.owner != nil {
		c.owner.giveLongHead(c)
	}
}

// awaitHead must be called when the server waits for the next request.
func (c *framingConn) awaitHead() {
	c.head.size = 0
	c.head.handling.Store(false)
}

// takeLongHead assigns a place to a connection, if one is free and its address has not used up its
// share.
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

// withHeads notifies connections when the head of a request has arrived.
func withHeads(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn := connOf(r.Context()); conn != nil {
			conn.headArrived()
		}
		next.ServeHTTP(w, r)
	})
}
