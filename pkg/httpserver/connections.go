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
	// mostConnections is how many connections are open unless configured, where memory suffices.
	mostConnections = 10_000
	// connectionBytes is what a connection takes whose request is under way, with what is read ahead.
	connectionBytes = 32 << 10
	// memoryPart is the part of the memory limit that connections may take together.
	memoryPart = 4
	// leastConnections are open with however little memory.
	leastConnections = 200
	// addressPart is the part of all connections that the requests of one client address may have.
	addressPart = 4
	// spareTime is how long the notice to a refused connection may take; it fits the buffer of the socket.
	spareTime = 10 * time.Millisecond
)

// limitConnections is how many connections may be open: as configured, or by the memory limit of the process.
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

// connections counts the connections that a goroutine of net/http serves, so
// that their owner can wait for the end of all, and bounds them. http.Server waits in Shutdown
// alone, not after Close.
//
// A new connection beyond the limit takes the place of the one that is idle longest. Where none is
// idle it is refused when its address has the most, or when a quarter more than the limit are open.
type connections struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when count falls to zero; nil while nobody waits

	limit   int                  // zero is none
	held    int                  // without those that are being closed
	byPeer  map[netip.Prefix]int // of held
	idle    list.List            // of *framingConn, the one first that is idle longest
	refused uint64

	longHeads       int // connections that have a place to read a long head
	longHeadsByPeer map[netip.Prefix]int
}

// peer is what a connection is counted by.
type peer struct {
	network netip.Prefix
	counted bool
	idle    *list.Element // nil while a request is under way
}

// track is a http.Server.ConnState. The last state of a connection comes from
// its own goroutine, after its last handler has returned.
func (c *connections) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, _ := conn.(*framingConn)
	switch state {
	case http.StateNew:
		c.count++
		c.open(known)
	case http.StateActive:
		c.notIdle(known)
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

// open counts a new connection, or closes it.
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

// makeRoom closes the connection that is idle longest, and reports whether one more of an address may be open.
func (c *connections) makeRoom(network netip.Prefix) bool {
	if longest := c.idle.Front(); longest != nil {
		conn := longest.Value.(*framingConn)
		c.forget(conn)
		_ = conn.Close() // which its goroutine notices
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

// forget takes a connection out of the count.
func (c *connections) forget(conn *framingConn) {
	if conn == nil || !conn.peer.counted {
		return
	}
	c.notIdle(conn)
	conn.peer.counted = false
	c.held--
	if c.byPeer[conn.peer.network]--; c.byPeer[conn.peer.network] == 0 {
		delete(c.byPeer, conn.peer.network)
	}
}

func (c *connections) notIdle(conn *framingConn) {
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

// refuse answers a connection of which nothing has been read.
func refuse(conn net.Conn) {
	_ = conn.SetWriteDeadline(time.Now().Add(spareTime))
	_, _ = conn.Write([]byte(tooManyConnections))
	_ = conn.Close()
}

// networkOf is what a client is counted by: its address, or the /64 of IPv6. What is no address is one network.
func networkOf(address string) netip.Prefix {
	addr, ok := forwarded.ParseAddress(address)
	if !ok {
		return netip.Prefix{}
	}
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	network, _ := addr.Prefix(bits) // of a valid length
	return network
}

// clientWait is a request under way, and whether it waits for its client at this moment.
type clientWait struct {
	conn  *framingConn // nil in tests without a listener
	waits atomic.Bool
	place *list.Element
}

// begin and end surround a read of the body or a write of the answer.
func (w *clientWait) begin() { w.waits.Store(true) }
func (w *clientWait) end()   { w.waits.Store(false) }

// requests are the requests under way by client address, in the order of their arrival.
type requests struct {
	mu       sync.Mutex
	byClient map[netip.Prefix]*list.List // of *clientWait
}

// enter counts a request. When its client has so many under way as limit allows, it takes the place
// of the one that began first of those that wait for the client; without one it is refused.
func (r *requests) enter(client netip.Prefix, one *clientWait, limit int) bool {
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
	one.place = all.PushBack(one)
	return true
}

// endOldestWait closes a connection, so that its request ends. What the request holds is given back when it has.
func endOldestWait(all *list.List) bool {
	for e := all.Front(); e != nil; e = e.Next() {
		one := e.Value.(*clientWait)
		if one.conn != nil && one.waits.Load() {
			all.Remove(e)
			_ = one.conn.Close()
			return true
		}
	}
	return false
}

func (r *requests) leave(client netip.Prefix, one *clientWait) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.byClient[client]
	if all == nil {
		return // the only one has been ended
	}
	if all.Remove(one.place); all.Len() == 0 {
		delete(r.byClient, client)
	}
}

var errRequests = fault.New(fault.Unavailable, "too many requests of the same address are under way: try again later, or send fewer at once")

// enter counts a request by the address of its client until leave is called. One that is refused closes
// its connection, so that its body is not awaited.
func (s *Server) enter(c echo.Context, one *clientWait) (leave func(), err error) {
	client := networkOf(c.RealIP())
	if !s.underWay.enter(client, one, max(1, s.open.limit/addressPart)) {
		c.Response().Header().Set("Connection", "close")
		return func() {}, errRequests
	}
	return func() { s.underWay.leave(client, one) }, nil
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
