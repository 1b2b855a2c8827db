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
	// smallBody is what is allocated for a body of unknown length.
	smallBody = 511
	// probeSize is how much is read beside a full buffer before the buffer grows.
	probeSize = 4 << 10
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
	size := r.ContentLength
	if size < 0 {
		size = smallBody
	}
	// One byte more than announced lets the loop see the end without growing.
	body := make([]byte, 0, min(size+1, maxInitialBuffer))
	var probe []byte
	for {
		to := body[len(body):cap(body)]
		full := len(to) == 0
		if full {
			probe = slices.Grow(probe, probeSize)[:probeSize]
			to = probe
		}
		n, err := r.Body.Read(to)
		if full {
			body = appendGrowing(body, to[:n], size)
		} else {
			body = body[:len(body)+n]
		}
		if errors.Is(err, io.EOF) {
			return body, nil
		}
		if err != nil {
			return nil, BodyError(err)
		}
	}
}

// appendGrowing appends what was read beside a full buffer. The buffer grows after that
// read and not before: a read may wait for room, and then holds no more than what has
// arrived.
func appendGrowing(body, read []byte, declared int64) []byte {
	if len(read) == 0 {
		return body
	}
	return append(slices.Grow(body, max(len(read), bufferGrowth(len(body), declared))), read...)
}

// bufferGrowth is by how much a full buffer grows: to twice its size, as long as the
// declared length is not reached. Growing by less would leave several times the body as
// garbage, and growing by more would take room that nothing has been granted.
func bufferGrowth(have int, declared int64) int {
	if left := declared + 1 - int64(have); left > 0 {
		return int(min(left, int64(have)))
	}
	return have
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
