package httpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// maxInitialBuffer bounds what is allocated on the word of a Content-Length header alone.
	maxInitialBuffer = 64 << 10
	// maxNextBuffer bounds what is allocated on its word once that has come.
	maxNextBuffer = 1 << 20
)

// BodyLimit refuses bodies of more than limit bytes with fault.TooLarge: at
// once when the length is declared, else when the byte too many is read.
func BodyLimit(limit int64) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := LimitBody(c, limit); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// LimitBody is BodyLimit for handlers whose limit depends on the request. The
// innermost and smallest limit holds.
func LimitBody(c echo.Context, limit int64) error {
	r := c.Request()
	if r.ContentLength > limit {
		return tooLarge(limit)
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, limit)
	return nil
}

// ReadBody reads the whole body, at most limit bytes. A missing body is an empty slice.
func ReadBody(c echo.Context, limit int64) ([]byte, error) {
	if err := LimitBody(c, limit); err != nil {
		return nil, err
	}
	r := c.Request()
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	size := max(r.ContentLength, 0)
	// One byte more than announced lets the loop see the end without growing.
	body := make([]byte, 0, min(size+1, maxInitialBuffer))
	for {
		if len(body) == cap(body) {
			body = slices.Grow(body, bufferGrowth(len(body), size))
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			return body, nil
		}
		if err != nil {
			return nil, BodyError(err)
		}
	}
}

// bufferGrowth is by how much a full buffer grows: four times as large, or to maxNextBuffer
// where that is more, as long as the declared length is not reached. Growing by less would leave several times the body
// as garbage.
func bufferGrowth(have int, declared int64) int {
	if left := declared + 1 - int64(have); left > 0 {
		return int(min(left, max(3*int64(have), maxNextBuffer-int64(have))))
	}
	return max(have, 512)
}

// BodyError gives a kind to an error of reading a request body. Limits and
// stalls keep their own; all else that can go wrong with a body is the client's doing.
func BodyError(err error) error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return tooLarge(tooLong.Limit)
	}
	if fault.KindOf(err) != fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Malformed, "the request body ended early")
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "the request body is larger than the %s accepted here", formatBytes(limit))
}

func formatBytes(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
