package httpserver

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
)

const (
	// mostConnections is the default limit on open connections, if memory suffices.
	mostConnections = 10_000
	// connectionBytes is the memory of a connection with a request in progress, including its
	// read-ahead.
	connectionBytes = 32 << 10
	// memoryPart is the divisor of the memory limit that gives the share of all connections.
	memoryPart = 4
	// leastConnections is the limit with very little memory.
	leastConnections = 200
	// addressPart is the divisor that gives the share of one client address in the connections with
	// requests in progress.
	addressPart = 4
	// refusalWriteTimeout limits the write of the message to a refused connection; the message fits
	// into the socket buffer.
	refusalWriteTimeout = 10 * time.Millisecond
)

// limitConnections returns the limit on open connections: as configured, or derived from the memory
// limit of the process.
func limitConnections(configured int) int {
	if configured > 0 {
		return configured
	}
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return mostConnections
	}
	return int(min(max(limit/memoryPart/connectionBytes, leastConnections), mostConnections))
}

// connections counts the connections that net/http serves, so that their owner can wait for the end
// of all of them, and limits their number. http.Server waits only in Shutdown, not after Close.
//
// A new connection beyond the limit replaces the one that has been idle longest. If none is idle,
// the new one is refused if its address has the most connections, or if the number of open
// connections exceeds the limit by a quarter.
type connections struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when count becomes zero; nil while nothing waits for it

	limit   int                  // zero means no limit
	held    int                  // open connections without those that are being closed
	byPeer  map[netip.Prefix]int // of held, by network
	idle    list.List            // of *framingConn, the one that has been idle longest first
	refused uint64

	longHeads       int // connections that hold a place for reading a long head
	longHeadsByPeer map[netip.Prefix]int
}

// peer is the accounting data of a connection.
type peer struct {
	network netip.Prefix
	counted bool
	idle    *list.Element // nil while a request is in progress
}

// track implements http.Server.ConnState. The last state of a connection is reported by its own
// goroutine, after its last handler has returned.
func (c *connections) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, _ := conn.(*framingConn)
	switch state {
	case http.StateNew:
		c.count++
		c.open(known)
	case http.StateActive:
		c.removeIdle(known)
	case http.StateIdle:
		if known != nil {
			known.awaitHead()
		}
		if known != nil && known.peer.counted {
			known.peer.idle = c.idle.PushBack(known)
		}
	case http.StateClosed, http.StateHijacked:
		c.count--
		c.forgetLongHead(known)
		c.forget(known)
	}
	if c.count == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// open counts a new connection, or refuses and closes it.
func (c *connections) open(conn *framingConn) {
	if conn == nil {
		return
	}
	conn.peer.network, conn.owner = networkOf(conn.RemoteAddr().String()), c
	if c.limit > 0 && c.held >= c.limit && !c.makeRoom(conn.peer.network) {
		c.refused++
		refuse(conn)
		return
	}
	if c.byPeer == nil {
		c.byPeer = map[netip.Prefix]int{}
	}
	conn.peer.counted = true
	c.held++
	c.byPeer[conn.peer.network]++
}

// makeRoom closes the connection that has been idle longest, and reports whether a further
// connection of the network may be open.
func (c *connections) makeRoom(network netip.Prefix) bool {
	if longest := c.idle.Front(); longest != nil {
		conn := longest.Value.(*framingConn)
		c.forget(conn)
		_ = conn.Close() // its goroutine notices that
		return true
	}
	if c.held >= c.limit+c.limit/addressPart {
		return false
	}
	for _, n := range c.byPeer {
		if n > c.byPeer[network] {
			return true
		}
	}
	return false
}

// forget removes a connection from the counts.
func (c *connections) forget(conn *framingConn) {
	if conn == nil || !conn.peer.counted {
		return
	}
	c.removeIdle(conn)
	conn.peer.counted = false
	c.held--
	if c.byPeer[conn.peer.network]--; c.byPeer[conn.peer.network] == 0 {
		delete(c.byPeer, conn.peer.network)
	}
}

func (c *connections) removeIdle(conn *framingConn) {
	if conn != nil && conn.peer.idle != nil {
		c.idle.Remove(conn.peer.idle)
		conn.peer.idle = nil
	}
}

const (
	tooManyBody = `{"error":"too many connections are open: try again later, or open fewer at once","status":503}` + "\n"
	tooManyHead = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: close\r\n"
)

var tooManyConnections = fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", tooManyHead, len(tooManyBody), tooManyBody)

// refuse answers a connection before reading from it.
func refuse(conn net.Conn) {
	_ = conn.SetWriteDeadline(time.Now().Add(refusalWriteTimeout))
	_, _ = conn.Write([]byte(tooManyConnections))
	_ = conn.Close()
}

// networkOf returns the network by which a client is counted: its address, or the /64 of an IPv6
// address. All texts that are not addresses count as one network.
func networkOf(address string) netip.Prefix {
	addr, ok := forwarded.ParseAddress(address)
	if !ok {
		return netip.Prefix{}
	}
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	network, _ := addr.Prefix(bits) // the length is valid
	return network
}

// clientWait is a request in progress, with the information whether it currently waits for its
// client.
type clientWait struct {
	conn  *framingConn // nil in tests without a listener
	waits atomic.Bool
	place *list.Element
}

// begin and end enclose a read of the body or a write of the response.
func (w *clientWait) begin() { w.waits.Store(true) }
func (w *clientWait) end()   { w.waits.Store(false) }

// requests holds the requests in progress by client address, in order of arrival.
type requests struct {
	mu       sync.Mutex
	byClient map[netip.Prefix]*list.List // of *clientWait
}

// enter counts a request. If its client has reached the limit, the new request replaces the oldest
// one that waits for the client; if there is none, enter returns false.
func (r *requests) enter(client netip.Prefix, wait *clientWait, limit int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.byClient[client]
	if all != nil && all.Len() >= limit && !endOldestWait(all) {
		return false
	}
	if all == nil {
		if r.byClient == nil {
			r.byClient = map[netip.Prefix]*list.List{}
		}
		all = list.New()
		r.byClient[client] = all
	}
	wait.place = all.PushBack(wait)
	return true
}

// endOldestWait closes the connection of the oldest waiting request, so that the request ends. The
// request then releases its resources.
func endOldestWait(all *list.List) bool {
	for e := all.Front(); e != nil; e = e.Next() {
		wait := e.Value.(*clientWait)
		if wait.conn != nil && wait.waits.Load() {
			all.Remove(e)
			_ = wait.conn.Close()
			return true
		}
	}
	return false
}

func (r *requests) leave(client netip.Prefix, wait *clientWait) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.byClient[client]
	if all == nil {
		return // the only one has been ended
	}
	if all.Remove(wait.place); all.Len() == 0 {
		delete(r.byClient, client)
	}
}

var errRequests = fault.New(fault.Unavailable, "too many requests of the same address are under way: try again later, or send fewer at once")

// enter counts a request by the address of its client until leave is called. The connection of a
// refused request is closed, so that the server does not wait for its body.
func (s *Server) enter(c echo.Context, wait *clientWait) (leave func(), err error) {
	client := networkOf(c.RealIP())
	if !s.inProgress.enter(client, wait, max(1, s.open.limit/addressPart)) {
		c.Response().Header().Set("Connection", "close")
		return func() {}, errRequests
	}
	return func() { s.inProgress.leave(client, wait) }, nil
}

// wait waits until there are no connections or ctx ends, and returns the number of remaining
// connections.
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
