package httpserver

import (
	"errors"
	"net/http"
	"net/netip"
	"sync/atomic"
)

const (
	// maxPipelined is how many requests in a row a connection may send before it has the answer to the one before. The
	// connection is closed after the next answer, as RFC 9112, section 9.6, allows. No browser and no common client
	// library sends requests in this way, and a client that takes no answers would cost the server far more than itself.
	maxPipelined = 16
	// freeHead is how many bytes of the head of a request any connection may read. net/http keeps several times as
	// much for a head that has not arrived as a whole.
	freeHead = 8 << 10
	// headPart is the part of all connections that may read a longer head at one time, and leastHeads how many of them
	// at least; one client address has an addressPart of these.
	headPart, leastHeads = 32, 16
)

var errLongHeads = errors.New("httpserver: too many connections send long heads of requests")

// head is the state of reading the head of the next request of a connection.
type head struct {
	handling atomic.Bool // a handler runs, so bytes read are not of a head
	size     int         // bytes read since the connection became idle; of the serving goroutine
	place    bool        // among longHeads, under the lock of connections

	pipelined int // requests in a row whose head was in the buffer of net/http already; of the serving goroutine
}

// readHead counts n bytes that a Read of room bytes returned. Beyond freeHead a head needs a place among the long ones, and
// the connection is refused without. Reads of a single byte do not count: net/http makes them in a goroutine of its own
// from just before a handler runs until it returns, to notice that the client has gone.
func (c *framingConn) readHead(n, room int) error {
	if room == 1 || c.head.handling.Load() || c.owner == nil {
		return nil
	}
	before := c.head.size
	if c.head.size += n; before > freeHead || c.head.size <= freeHead || c.owner.takeLongHead(c) {
		return nil
	}
	refuse(c.Conn)
	return errLongHeads
}

// headArrived is called when a handler begins. It reports whether the connection has sent more than maxPipelined requests
// in a row without awaiting an answer: net/http reads up to 4 KiB at once, so nothing was read for a head that came along
// with the request before.
func (c *framingConn) headArrived() (tooMany bool) {
	c.head.handling.Store(true)
	if c.owner == nil {
		return false
	}
	c.owner.giveLongHead(c)
	if c.head.size == 0 {
		c.head.pipelined++
	} else {
		c.head.pipelined = 0
	}
	return c.head.pipelined > maxPipelined
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

// withHeads notifies the connection of a request that its head has arrived, and ends connections that pipeline too many.
func withHeads(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn := connOf(r.Context()); conn != nil && conn.headArrived() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
