package httpserver

import (
	"errors"
	"net/http"
	"net/netip"
	"sync/atomic"
)

const (
	// maxPipelined is the number of requests in a row that a client may send before it has received
	// the response to the previous one. After the next response the server closes the connection,
	// as RFC 9112, section 9.6, permits. Browsers and common client libraries do not pipeline.
	maxPipelined = 16
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
	size     int         // bytes read since the connection became idle; owned by the serving goroutine
	place    bool        // counted in longHeads; guarded by the lock of connections

	pipelined int // requests in a row that were already buffered by net/http; owned by the serving goroutine
}

// readHead counts n bytes returned by a Read into a buffer of room bytes. Beyond freeHead the
// connection needs a place; without one it is refused. Reads of a single byte do not count:
// net/http makes them in a goroutine of its own while a handler runs, to detect a closed connection.
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

// headArrived must be called when a handler begins. It reports whether the client has pipelined
// more than maxPipelined requests: net/http reads up to 4 KiB at once, so a request that arrived
// together with the previous one needs no Read.
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

// withHeads notifies connections when the head of a request has arrived, and closes connections
// that pipeline too many requests.
func withHeads(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn := connOf(r.Context()); conn != nil && conn.headArrived() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
