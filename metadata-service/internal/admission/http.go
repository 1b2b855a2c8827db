package admission

import (
	"context"
	"io"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// bodyFactor is what a byte of a body weighs. JSON takes several times its text
// when it is decoded, and what is made of it comes on top.
const bodyFactor = 4

// step is how much of a body is read between two weighings.
const step = 256 << 10

type ticketKey struct{}

// Take adds to the weight of the question that ctx is of, and waits for room like
// Ticket.Ask. Requests without a ticket pass.
func Take(ctx context.Context, weight int64) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t.Ask(ctx, weight)
}

// TakeCapped adds to the weight of a request whose answer has a limit of its own: what
// is over the most is not refused, but goes on alone.
func TakeCapped(ctx context.Context, weight int64) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t.growCapped(ctx, weight)
}

// Refused tells why there was no room for the request that ctx is of when it asked
// last; nil when there was. Errors are fault.Unavailable, and those of ctx.
func Refused(ctx context.Context) error {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.denied
}

// Heavy tells whether the request that ctx is of takes part in the budget.
func Heavy(ctx context.Context) bool {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	if t == nil {
		return false
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.inside
}

// Middleware gives each request a ticket, and weighs its body while it is read. Use it
// behind what tells who is asking, and before the routes.
func (g *Gate) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			actor, _ := auth.ActorFrom(r.Context())
			t := g.ticket(string(actor.URN))
			defer t.Leave()
			ctx := context.WithValue(r.Context(), ticketKey{}, t)
			r = r.WithContext(ctx)
			if r.ContentLength != 0 && r.Body != nil {
				r.Body = &weighed{ReadCloser: r.Body, ctx: ctx, ticket: t, length: r.ContentLength}
			}
			c.SetRequest(r)
			return next(c)
		}
	}
}

// weighed takes the weight of a body step by step, each before its bytes are read. The
// declared length alone weighs nothing: who announces much and sends little would
// keep everybody else out.
type weighed struct {
	io.ReadCloser
	ctx    context.Context
	ticket *Ticket
	length int64 // -1 when it is not declared
	paid   int64
	read   int64
}

func (b *weighed) Read(p []byte) (int, error) {
	if b.read >= b.paid && b.paid != b.length {
		n := int64(step)
		if b.length > 0 {
			n = min(n, b.length-b.paid)
		}
		if err := b.ticket.body(b.ctx, n); err != nil {
			return 0, err
		}
		b.paid += n
	}
	if b.paid != b.length {
		p = p[:min(int64(len(p)), b.paid-b.read)]
	}
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	return n, err
}

// body takes the weight of a part of a body. How long bodies may be is not decided
// here.
func (t *Ticket) body(ctx context.Context, length int64) error {
	return t.growCapped(ctx, bodyFactor*length)
}

// growCapped is Grow for what has a limit of its own: what is over the most weighs
// just that, and goes on alone.
func (t *Ticket) growCapped(ctx context.Context, weight int64) error {
	if t == nil {
		return nil
	}
	t.gate.mu.Lock()
	left := t.gate.cfg.Most - t.weight
	t.gate.mu.Unlock()
	return t.Grow(ctx, min(weight, left))
}
