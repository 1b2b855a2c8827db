package admission

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/ratelimit"
)

const (
	// bodyFactor is the memory per byte of a body: its text, the texts decoded from it, and copies
	// of both in derived values.
	bodyFactor = 4
	// objectBytes, listBytes and memberBytes are the memory of an object, a list, and a member or
	// element in addition to their text, in a decoded JSON tree. A small object takes fifty times
	// its text.
	objectBytes = 320
	listBytes   = 48
	memberBytes = 32
	// arrivedObjectBytes is the memory of an object in a body that is decoded while it arrives.
	arrivedObjectBytes = 128
	// arrivalFactor is the memory per byte of an arriving body: its text in a growing buffer, or
	// the part already decoded.
	arrivalFactor = 2
	// bodyChunk is the number of bytes read between two reservations.
	bodyChunk = 256 << 10
	// freeBody is the number of bytes read without a reservation, so that small requests never
	// wait.
	freeBody = 64 << 10
	// tinyBody is the declared length up to which an arriving body counts towards no limit.
	tinyBody = 4 << 10
)

type ticketKey struct{}

// Reserve reserves bytes for the query of ctx, and waits for room like Ticket.ReserveQuery.
// Requests without a ticket pass.
func Reserve(ctx context.Context, bytes int64) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t.ReserveQuery(ctx, bytes)
}

// ReserveCapped reserves bytes for a request whose answer has a limit of its own: beyond MaxRequest
// it is not refused, but reserves only that much.
func ReserveCapped(ctx context.Context, bytes int64) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t.reserveCapped(ctx, bytes)
}

// ReserveRead is ReserveCapped for a query: a heavy one counts towards PerActor.
func ReserveRead(ctx context.Context, bytes int64) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	t.markQuery()
	return t.reserveCapped(ctx, bytes)
}

// Work reserves processor time for the query of ctx, and waits like Ticket.Work. Requests without a
// ticket pass.
func Work(ctx context.Context, d time.Duration) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t.Work(ctx, d)
}

// Alone returns when no other part of the request of ctx runs alone; end lets the next part run.
// Concurrent parts share the place of their request, so parts that read much run one after the
// other. The error is that of ctx. Requests without a ticket pass.
func Alone(ctx context.Context) (end func(), err error) {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	if t == nil {
		return func() {}, nil
	}
	select {
	case t.exclusive <- struct{}{}:
		return func() { <-t.exclusive }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ReserveWithWork combines Work and Reserve.
func ReserveWithWork(ctx context.Context, bytes int64, d time.Duration) error {
	if err := Work(ctx, d); err != nil {
		return err
	}
	return Reserve(ctx, bytes)
}

// Exempt returns a context in which all reservations are granted, for a request that has made a
// change and must report it.
func Exempt(ctx context.Context) context.Context {
	return context.WithValue(ctx, ticketKey{}, (*Ticket)(nil))
}

// LastRefusal returns the error of the last reservation of the request of ctx, nil if it was
// granted. Errors are fault.Unavailable, and those of ctx.
func LastRefusal(ctx context.Context) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.refusal
}

// Heavy reports whether the request of ctx is heavy, by its memory or its processor time.
func Heavy(ctx context.Context) bool {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	if t == nil {
		return false
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.inside()
}

// isProbe reports whether a request is a liveness check, which costs nothing.
func isProbe(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/health") || strings.HasSuffix(r.URL.Path, "/health/live")
}

// Middleware gives each request a ticket and, unless it is of the system or a probe, a slot of its
// actor, or of its address if it is anonymous. It limits arriving bodies, and reserves memory for
// each when it is complete. Register it behind the middleware that finds actors, and before the
// routes.
func (g *Gate) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			actor, _ := auth.ActorFrom(r.Context())
			t := g.ticket(string(actor.URN))
			defer t.Release()
			ctx := idle.With(context.WithValue(r.Context(), ticketKey{}, t), t)
			r = r.WithContext(ctx)
			if r.ContentLength != 0 && r.Body != nil {
				coming := g.arrive(ratelimit.AddressKey(c), string(actor.URN))
				defer coming.end()
				r.Body = &meteredBody{ReadCloser: r.Body, ctx: ctx, ticket: t, arrival: coming, header: c.Response().Header(), length: r.ContentLength}
			}
			c.SetRequest(r)
			if t == nil {
				return next(c)
			}
			c.Response().Before(t.endTurn)
			if actor.URN == "" {
				t.payer = "address " + ratelimit.AddressKey(c)
			}
			if !actor.System && !isProbe(r) {
				if err := t.Begin(ctx); err != nil {
					return err
				}
			}
			return next(c)
		}
	}
}

// Part gives a part of a long request, such as a page of a stream, a ticket of its own. Call done
// after sending the part, to release its reservations. Part ends the turn of the request itself.
func (g *Gate) Part(ctx context.Context) (of context.Context, done func()) {
	whole, _ := ctx.Value(ticketKey{}).(*Ticket)
	whole.endTurn()
	actor, _ := auth.ActorFrom(ctx)
	t := g.ticket(string(actor.URN))
	return idle.With(context.WithValue(ctx, ticketKey{}, t), t), t.Release
}

// meteredBody reserves memory for a body chunk by chunk, each before it is read, and for the whole
// body at its end. The declared length alone reserves nothing: a client that declares much and
// sends little would block all others.
type meteredBody struct {
	io.ReadCloser
	ctx     context.Context
	ticket  *Ticket
	arrival *arrival
	header  http.Header // of the answer
	length  int64       // -1 if it is not declared
	taken   int64       // bytes with a reservation
	read    int64
	tree    int64 // memory of the decoded values in addition to their text
	objects int64 // since the last reservation
	ended   bool
}

// Read passes the slot of the request to others while it waits for bytes.
func (b *meteredBody) Read(p []byte) (int, error) {
	b.ticket.Pause()
	n, err := b.readMore(p)
	if refused := b.ticket.resume(b.ctx); refused != nil {
		return 0, refused
	}
	return n, err
}

func (b *meteredBody) readMore(p []byte) (int, error) {
	if b.read >= b.taken && b.taken != b.length {
		if err := b.takeChunk(); err != nil {
			return 0, err
		}
	}
	if b.taken != b.length {
		p = p[:min(int64(len(p)), b.taken-b.read)]
	}
	n, err := b.ReadCloser.Read(p)
	b.weigh(p[:n])
	if errors.Is(err, io.EOF) && !b.ended {
		b.ended = true
		if refused := b.enter(); refused != nil {
			return 0, refused
		}
	}
	return n, err
}

// weigh adds the memory of the bytes read. Texts count like all else, since many contain JSON that
// is decoded later.
func (b *meteredBody) weigh(text []byte) {
	count := func(c string) int64 { return int64(bytes.Count(text, []byte(c))) }
	objects := count("{")
	b.read += int64(len(text))
	b.objects += objects
	b.tree += objectBytes*objects + listBytes*count("[") + memberBytes*(count(",")+count(":"))
}

func (b *meteredBody) takeChunk() error {
	n := int64(bodyChunk)
	if b.taken == 0 {
		n = freeBody
	}
	if b.length > 0 {
		n = min(n, b.length-b.taken)
	}
	switch {
	case b.taken == 0 && n > tinyBody:
		if err := b.arrival.takeFirst(arrivalFactor * n); err != nil {
			b.header.Set("Connection", "close") // otherwise the server would wait for the rest
			return err
		}
	case b.taken > 0:
		if err := b.arrival.take(b.ctx, arrivalFactor*n+arrivedObjectBytes*b.objects); err != nil {
			return err
		}
		b.objects = 0
	}
	b.taken += n
	return nil
}

// enter moves a complete body into the budget. Until there is room, the body counts as arriving.
// The credential was checked before the wait, so it is checked again.
func (b *meteredBody) enter() error {
	if err := b.ticket.reserveCapped(b.ctx, bodyFactor*b.read+b.tree); err != nil {
		return err
	}
	b.arrival.end()
	if b.read <= freeBody {
		return nil
	}
	return auth.CheckCredential(b.ctx)
}

// reserveCapped is Reserve for a request with a limit of its own: beyond MaxRequest it reserves
// only that much.
func (t *Ticket) reserveCapped(ctx context.Context, bytes int64) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	left := t.gate.cfg.MaxRequest - t.bytes
	t.gate.mu.Unlock()
	return t.Reserve(ctx, min(bytes, left))
}
