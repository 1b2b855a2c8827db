package httpserver_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

// large is more than the buffers of a connection hold.
const large = 32 << 20

func TestAnAnswerThatNobodyTakesEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		timeouts httpserver.Timeouts
		takes    bool // reads a part from time to time
	}{
		"nothing is taken": {httpserver.Timeouts{AnswerStall: 50 * time.Millisecond, AnswerRate: 1}, false},
		"too slowly":       {httpserver.Timeouts{AnswerStall: 50 * time.Millisecond, AnswerRate: 1 << 30}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			address, _ := run(t, tt.timeouts, func(e *echo.Echo) {
				e.GET("/", func(c echo.Context) error {
					err := c.Blob(http.StatusOK, "text/plain", bytes.Repeat([]byte("x"), large))
					ended <- err
					return err
				})
			})
			p := connect(t, address)
			p.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			for {
				select {
				case err := <-ended:
					if !errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("the handler got %v", err)
					}
					return
				case <-time.After(5 * time.Millisecond):
					if tt.takes {
						_, _ = io.CopyN(io.Discard, p, 4<<10)
					}
				}
			}
		})
	}
}

// TestAConnectionIsKeptAfterAnAnswer sends a second request on a connection that was silent for
// longer than the response limit, also after a response without a body.
func TestAConnectionIsKeptAfterAnAnswer(t *testing.T) {
	t.Parallel()
	const stall = 50 * time.Millisecond
	const small = 16 << 10 // fits into the buffers of a connection
	address, _ := run(t, httpserver.Timeouts{AnswerStall: stall, AnswerRate: 1 << 10}, func(e *echo.Echo) {
		e.GET("/", func(c echo.Context) error {
			return c.Blob(http.StatusOK, "text/plain", bytes.Repeat([]byte("x"), small))
		})
		e.GET("/empty", func(c echo.Context) error {
			time.Sleep(2 * stall) // the time of the handler does not count
			return c.NoContent(http.StatusNoContent)
		})
	})
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	for _, path := range []string{"/", "/empty", "/empty", "/"} {
		res, err := client.Get("http://" + address + path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err != nil || path == "/" && n != small {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
		time.Sleep(2 * stall)
	}
}
