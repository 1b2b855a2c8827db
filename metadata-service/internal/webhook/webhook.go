// Package webhook posts JSON to other machines: only to hosts that an operator has
// allowed, with limits of time and size, again after failures, and never
// following a redirect.
package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of a request.
const (
	MaxBody    = 256 << 10 // unless Config says otherwise
	MaxAddress = 2_000     // bytes of an address
	maxAnswer  = 64 << 10
)

// Config is what a Sender works with. The zero value allows no host.
type Config struct {
	// Hosts may be posted to: "hooks.example.com" means the usual port of the scheme,
	// "hooks.example.com:8443" this one.
	Hosts []string
	// Setting is the one that names Hosts, for refusals.
	Setting string
	// PublicOnly refuses a name that resolves to a loopback, private or link-local address,
	// unless Hosts has that address itself, or localhost by name.
	PublicOnly bool
	// MaxBody bounds what is sent in one request, in bytes; 0 means MaxBody.
	MaxBody int
	// Timeout bounds one attempt, Attempts how often one request is tried, and Delay is the pause
	// behind the first failure, which each further one multiplies by five. Zero values mean 10 s,
	// 4 attempts and 1 s.
	Timeout  time.Duration
	Attempts int
	Delay    time.Duration
	// Rest is for how long a host that failed all attempts is tried only once for a request, so
	// that one that is away does not hold up the others. Zero means a minute.
	Rest time.Duration
	// Now and Wait tell the time and let it pass; nil means the clock.
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error
}

// Sender posts. It is safe for concurrent use.
type Sender struct {
	cfg    Config
	client *http.Client

	mu    sync.Mutex
	tired map[string]time.Time // hosts that failed all attempts, and until when they rest
}

// New makes a Sender. Close it.
func New(cfg Config) *Sender {
	if cfg.MaxBody == 0 {
		cfg.MaxBody = MaxBody
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 10 * time.Second
	}
	if cfg.Attempts == 0 {
		cfg.Attempts = 4
	}
	if cfg.Delay == 0 {
		cfg.Delay = time.Second
	}
	if cfg.Rest == 0 {
		cfg.Rest = time.Minute
	}
	if cfg.Setting == "" {
		cfg.Setting = "tests.webhook_hosts"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Wait == nil {
		cfg.Wait = wait
	}
	s := &Sender{cfg: cfg, tired: map[string]time.Time{}}
	s.client = &http.Client{
		Timeout: cfg.Timeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: s.dial,
			MaxResponseHeaderBytes: maxAnswer, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
		// Whoever answers with a redirect could send the request anywhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// dial connects to a host. The address that a name resolves to is looked at when the
// connection is made, so that a name cannot change its meaning after a check.
func (s *Sender) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: s.cfg.Timeout}
	if host, _, err := net.SplitHostPort(address); err == nil && s.cfg.PublicOnly && s.mustBePublic(host) {
		dialer.Control = refusePrivate
	}
	return dialer.DialContext(ctx, network, address)
}

// mustBePublic is false for addresses, which are allowed as what they are, and for a
// proxy of the environment, the only other host that is ever dialled.
func (s *Sender) mustBePublic(host string) bool {
	if net.ParseIP(host) != nil || strings.EqualFold(host, "localhost") {
		return false
	}
	return slices.ContainsFunc(s.cfg.Hosts, func(allowed string) bool {
		name, _, err := net.SplitHostPort(allowed)
		if err != nil {
			name = allowed
		}
		return strings.EqualFold(name, host)
	})
}

// sharedAddresses are those between a network and its provider, which are private as well.
var sharedAddresses = net.IPNet{IP: net.IPv4(100, 64, 0, 0).To4(), Mask: net.CIDRMask(10, 32)}

func refusePrivate(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	ip := net.ParseIP(host)
	if ip == nil || sharedAddresses.Contains(ip) || ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() {
		return errors.New("the host has a loopback or private address, to which webhooks do not go")
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Close gives connections back.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// CheckAddress refuses what is no address to post to.
func CheckAddress(address string) error {
	_, err := parse(address)
	return err
}

func parse(address string) (*url.URL, error) {
	if len(address) > MaxAddress {
		return nil, fault.New(fault.Malformed, "an address has at most %d bytes, not %d", MaxAddress, len(address))
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, fault.New(fault.Malformed, "must be an address as https://hooks.example.com/path")
	case u.User != nil:
		return nil, fault.New(fault.Malformed, "must not hold a name or password")
	case u.Fragment != "":
		return nil, fault.New(fault.Malformed, "must not have a fragment")
	}
	return u, nil
}

// CheckHost refuses what is neither a host nor a host with a port.
func CheckHost(host string) error {
	u, err := url.Parse("https://" + host)
	if err != nil || u.Host != host || u.Hostname() == "" || strings.ContainsAny(host, "/?#@* ") {
		return fmt.Errorf("%q is neither a host nor a host with a port, as hooks.example.com:8443", host)
	}
	return nil
}

// Allowed refuses an address whose host may not be posted to as fault.Forbidden,
// and what is no address as fault.Malformed.
func (s *Sender) Allowed(address string) error {
	u, err := parse(address)
	if err != nil {
		return err
	}
	host := hostOf(u)
	if !slices.ContainsFunc(s.cfg.Hosts, func(allowed string) bool { return strings.EqualFold(allowed, host) }) {
		return fault.New(fault.Forbidden, "the host %s is not among those that webhooks may go to; an operator adds it to %s", host, s.cfg.Setting)
	}
	return nil
}

// hostOf leaves out the usual port of the scheme.
func hostOf(u *url.URL) string {
	if port := u.Port(); port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		return strings.TrimSuffix(u.Host, ":"+port)
	}
	return u.Host
}

// Post sends a JSON body to an address, again after failures that may pass. The id
// is that of the message, in the header Idempotency-Key: whoever gets it twice can
// tell. It returns when the other side took it with a status 2xx, or with the last
// failure.
func (s *Sender) Post(ctx context.Context, address, id string, body []byte) error {
	if err := s.check(address, body); err != nil {
		return err
	}
	u, err := parse(address)
	if err != nil {
		return err
	}
	defer idle.Begin(ctx)()
	host, delay := hostOf(u), s.cfg.Delay
	for left := s.attempts(host); ; {
		_, again, err := s.post(ctx, address, http.Header{idHeader: {id}}, body)
		if err == nil {
			s.note(host, time.Time{})
			return nil
		}
		if left--; !again || ctx.Err() != nil {
			return err
		}
		if left == 0 {
			s.note(host, s.cfg.Now().Add(s.cfg.Rest))
			return err
		}
		if err := s.cfg.Wait(ctx, delay); err != nil {
			return err
		}
		delay *= 5
	}
}

// attempts is how often a host is tried for one request.
func (s *Sender) attempts(host string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cfg.Now().Before(s.tired[host]) {
		return 1
	}
	return s.cfg.Attempts
}

func (s *Sender) note(host string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.IsZero() {
		delete(s.tired, host)
		return
	}
	s.tired[host] = until
}

const idHeader = "Idempotency-Key"

func (s *Sender) check(address string, body []byte) error {
	if err := s.Allowed(address); err != nil {
		return err
	}
	if len(body) > s.cfg.MaxBody {
		return fault.New(fault.TooLarge, "a webhook takes at most %d bytes, not %d", s.cfg.MaxBody, len(body))
	}
	return nil
}

// Try sends a JSON body to an address once, with headers besides. It tells the status of
// the answer, 0 without one, and whether a failure may pass.
func (s *Sender) Try(ctx context.Context, address string, header http.Header, body []byte) (status int, again bool, err error) {
	if err := s.check(address, body); err != nil {
		return 0, false, err
	}
	return s.post(ctx, address, header, body)
}

// post tries once, and tells whether it may go better later.
func (s *Sender) post(ctx context.Context, address string, header http.Header, body []byte) (status int, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cartulary")
	answer, err := s.client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // the address may hold a secret, and the error repeats it
		}
		return 0, true, fmt.Errorf("post to %s: %w", req.URL.Host, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // so that the connection can be used again
	_ = answer.Body.Close()
	status = answer.StatusCode
	if status >= 200 && status < 300 {
		return status, false, nil
	}
	again = status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	return status, again, fmt.Errorf("post to %s: it answered with %s", req.URL.Host, answer.Status)
}
