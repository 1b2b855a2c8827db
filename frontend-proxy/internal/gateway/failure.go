package gateway

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// gatewayError is a failure of the service or of the connection to it.
type gatewayError struct {
	status int
	cause  *fault.Error
}

func (e *gatewayError) Error() string { return e.cause.Error() }

func (e *gatewayError) Unwrap() error { return e.cause }

// render sends a JSON response; a gatewayError determines the status itself.
func render(c echo.Context, status int, err error) error {
	var failed *gatewayError
	if errors.As(err, &failed) {
		status = failed.status
	}
	if errors.Is(err, fault.Unauthenticated) {
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	return httpserver.RenderJSON(c, status, err)
}

// failure returns the error of a request without a response. An error of the client's body takes
// precedence, since it also breaks the connection to the service.
func (g *Gateway) failure(ctx context.Context, x *exchange) error {
	if x.err == nil {
		return nil
	}
	if err := x.body.failure(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var timed net.Error
	if errors.As(x.err, &timed) && timed.Timeout() && !isDialError(x.err) {
		g.cfg.Outage.Late()
		return &gatewayError{
			http.StatusGatewayTimeout,
			fault.Wrap(x.err, fault.Unavailable, "the metadata service did not answer in time"),
		}
	}
	missed := g.cfg.Outage.Missed(x.err)
	return &gatewayError{
		http.StatusBadGateway,
		fault.Wrap(missed, fault.Unavailable, "the metadata service cannot be reached, %s; try again in a moment", missed.Duration()),
	}
}

func isDialError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// clientBody records the error of reading the body. The transport reads it on another goroutine.
type clientBody struct {
	io.ReadCloser
	mu  sync.Mutex
	err error
}

func (b *clientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.mu.Lock()
		b.err = err
		b.mu.Unlock()
	}
	return n, err
}

func (b *clientBody) failure() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// The transport closes the body if the service ends the connection first.
	if b.err == nil || errors.Is(b.err, http.ErrBodyReadAfterClose) {
		return nil
	}
	return httpserver.BodyError(b.err)
}

// bufferPool reuses the buffers for copying responses.
type bufferPool struct{ pool sync.Pool }

const copySize = 32 << 10

func newBufferPool() *bufferPool {
	return &bufferPool{pool: sync.Pool{New: func() any { return new([copySize]byte) }}}
}

func (b *bufferPool) Get() []byte { return b.pool.Get().(*[copySize]byte)[:] }

func (b *bufferPool) Put(p []byte) { b.pool.Put((*[copySize]byte)(p)) }
