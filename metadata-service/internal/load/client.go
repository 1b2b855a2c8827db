package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	attempts     = 6
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	// a longer pause requested by the server ends the attempts
	maxRetryAfter = 5 * time.Minute

	errorBodyBytes = 64 << 10
	// answerBytes exceeds the size of a batch of the largest aspects.
	answerBytes  = 256 << 20
	messageRunes = 2000
)

// client sends POST requests to one server and repeats failed ones.
type client struct {
	base  *url.URL
	token string
	http  *http.Client
	wait  func(context.Context, time.Duration) error
	now   func() time.Time
	retry func(time.Duration) // called before each pause
}

func newClient(base *url.URL, opts Options, progress *lockedProgress) *client {
	return &client{base: base, token: opts.Token, http: opts.HTTP, wait: opts.Wait, now: opts.Now, retry: progress.Retry}
}

// defaultHTTP returns a client that does not follow redirects: a redirect to a sign-in page would
// turn a missing token into a success.
func defaultHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = MaxConnections
	return &http.Client{
		Transport:     transport,
		Timeout:       2 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is a response that rejects the request.
type answer struct {
	status  int
	message string
	pause   time.Duration // pause requested by the server, 0 for none
}

func (a *answer) Error() string {
	said := a.message
	if said == "" {
		said = http.StatusText(a.status)
	}
	if a.status == http.StatusUnauthorized && !a.aboutItems() {
		said += " (give an access token with -token-file or $" + TokenVariable + ")"
	}
	return fmt.Sprintf("server answered %d: %s", a.status, said)
}

// FaultKind returns the fault kind of the HTTP status.
func (a *answer) FaultKind() fault.Kind {
	switch a.status {
	case http.StatusUnauthorized:
		return fault.Unauthenticated
	case http.StatusForbidden:
		return fault.Forbidden
	case http.StatusNotFound:
		return fault.NotFound
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return fault.Invalid
	case http.StatusRequestEntityTooLarge:
		return fault.TooLarge
	}
	return fault.Unavailable
}

// refusedItems is the start of a catalog's message about refused items. The status may also be 401
// if no actor may write them.
const refusedItems = "Failed to validate MCP"

// aboutItems reports whether single items of the request may be the reason for the response.
func (a *answer) aboutItems() bool {
	switch a.status {
	case http.StatusUnauthorized:
		return strings.HasPrefix(a.message, refusedItems)
	case http.StatusBadRequest, http.StatusForbidden, http.StatusConflict, http.StatusPreconditionFailed,
		http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

func (a *answer) temporary() bool {
	switch a.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// propose writes proposals, each a JSON object, in one request. The server accepts all or none of
// them.
func (c *client) propose(ctx context.Context, proposals [][]byte) error {
	var body bytes.Buffer
	body.WriteString(`{"async":"false","proposals":[`)
	body.Write(bytes.Join(proposals, []byte(",")))
	body.WriteString("]}")
	return c.post(ctx, "/aspects", "ingestProposalBatch", body.Bytes())
}

// ingest writes one snapshot.
func (c *client) ingest(ctx context.Context, body json.RawMessage) error {
	return c.post(ctx, "/entities", "ingest", body)
}

// read reads aspects from the catalog.
func (c *client) read(ctx context.Context, path string, body []byte) ([]byte, error) {
	return c.ask(ctx, path, url.Values{"systemMetadata": {"false"}}, body, answerBytes)
}

func (c *client) post(ctx context.Context, path, action string, body []byte) error {
	_, err := c.ask(ctx, path, url.Values{"action": {action}}, body, errorBodyBytes)
	return err
}

// ask repeats a request until the server accepts it or rejects it, or the number of attempts is
// used up. Writes describe the wanted state, so repeating one is harmless.
func (c *client) ask(ctx context.Context, path string, query url.Values, body []byte, limit int64) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		text, err := c.once(ctx, path, query, body, limit)
		if err == nil {
			return text, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var refused *answer
		isAnswer := errors.As(err, &refused)
		if isAnswer && !refused.temporary() {
			return nil, refused
		}
		pause := backoff(attempt)
		if isAnswer && refused.pause > 0 {
			pause = refused.pause
		}
		if attempt == attempts || pause > maxRetryAfter {
			return nil, fault.Wrap(err, fault.Unavailable, "gave up after %d attempts", attempt)
		}
		c.retry(pause)
		if err := c.wait(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (c *client) once(ctx context.Context, path string, query url.Values, body []byte, limit int64) ([]byte, error) {
	target := c.base.JoinPath(path)
	target.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-RestLi-Protocol-Version", "2.0.0")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "server not reached")
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	if resp.StatusCode == http.StatusOK {
		return text, catalogAnswer(resp.Header)
	}
	if err != nil || len(text) > errorBodyBytes {
		text = nil
	}
	return nil, &answer{status: resp.StatusCode, message: message(text), pause: c.retryAfter(resp.Header)}
}

// catalogAnswer returns an error for an HTML page, which a web front end returns for unknown
// addresses. Treating it as a success would hide that nothing was written.
func catalogAnswer(h http.Header) error {
	if strings.HasPrefix(h.Get("Content-Type"), "text/html") {
		return &answer{status: http.StatusNotFound, message: "the address answers with a web page, not with a catalog; check the server URL, which often ends in /api/gms"}
	}
	return nil
}

// retryAfter parses both forms of the header: seconds, and a date.
func (c *client) retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(c.now()))
	}
	return 0
}

// backoff returns a pause that doubles with each attempt and varies by half, so that connections do
// not retry in step.
func backoff(attempt int) time.Duration {
	pause := min(firstPause<<(attempt-1), longestPause)
	return pause/2 + rand.N(pause/2+1)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// message returns the part of an error body that is meant for people.
func message(body []byte) string {
	var said struct {
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &said); err == nil && said.Message != "" {
		return printable(said.Message)
	}
	return printable(strings.TrimSpace(string(body)))
}

// printable removes control characters, so that foreign text cannot control the terminal that shows
// it, and limits the length.
func printable(text string) string {
	runes := []rune(text)
	if len(runes) > messageRunes {
		runes = append(runes[:messageRunes], '…')
	}
	for i, r := range runes {
		if !unicode.IsPrint(r) {
			runes[i] = ' '
		}
	}
	return string(runes)
}
