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
	// maxInitialBuffer limits the first allocation for the length in a Content-Length header.
	maxInitialBuffer = 64 << 10
	// smallBody is the first allocation for a body of unknown length.
	smallBody = 511
	// probeSize is the number of bytes that are read beyond a full buffer before the buffer grows.
	probeSize = 4 << 10
)

// BodyLimit rejects bodies of more than limit bytes with fault.TooLarge: at once if the length is
// declared, otherwise when the first byte beyond the limit is read.
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

// LimitBody is BodyLimit for handlers whose limit depends on the request. With nested limits the
// smallest applies.
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

// ReadBody reads the whole body, at most limit bytes. For a missing body the result is empty.
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
	// One byte more than declared lets the loop detect the end without growing the buffer.
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

// appendGrowing appends the bytes read beyond a full buffer. The buffer grows after that read, not
// before: while a read waits for memory to be granted, the request holds no more than the bytes
// that have arrived.
func appendGrowing(body, read []byte, declared int64) []byte {
	if len(read) == 0 {
		return body
	}
	return append(slices.Grow(body, max(len(read), bufferGrowth(len(body), declared))), read...)
}

// bufferGrowth returns the growth of a full buffer: it doubles until the declared length is
// reached. Smaller steps would produce several times the size of the body as garbage; larger steps
// would use memory that has not been granted.
func bufferGrowth(have int, declared int64) int {
	if left := declared + 1 - int64(have); left > 0 {
		return int(min(left, int64(have)))
	}
	return have
}

// BodyError assigns a kind to an error of reading a request body. Errors of limits and timeouts
// keep their kinds; all other errors are caused by the client.
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
