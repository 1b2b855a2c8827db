// Package webhook posts JSON to other machines: only to hosts that an operator has allowed, with
// limits on time and size, with retries, and without following redirects.
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
	MaxBody    = 256 << 10 // unless Config has another limit
	MaxAddress = 2_000     // bytes of an address
	maxAnswer  = 64 << 10
)

// Config holds the settings of a Sender. The zero value allows no host.
type Config struct {
	// Hosts are the allowed hosts: "hooks.example.com" means the default port of the scheme,
	// "hooks.example.com:8443" this port.
	Hosts []string
	// Setting is the name of the setting for Hosts, for error messages.
	Setting string
	// PublicOnly refuses a name that resolves to a loopback, private or link-local address, unless
	// Hosts contains that address itself, or localhost by name.
	PublicOnly bool
	// MaxBody limits the body of one request in bytes; 0 means the constant MaxBody.
	MaxBody int
	// Timeout limits one attempt, Attempts is the number of attempts for one request, and Delay is
	// the pause after the first failure, multiplied by five for each further one. Zero values mean
	// 10 s, 4 attempts and 1 s.
	Timeout  time.Duration
	Attempts int
	Delay    time.Duration
	// Rest is the time for which a host that failed all attempts gets only one attempt per request,
	// so that an unreachable host does not delay requests to others. Zero means a minute.
	Rest time.Duration
	// Now returns the time and Wait lets it pass; nil means the clock.
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error
}

// Sender posts requests. It is safe for concurrent use.
type Sender struct {
	cfg    Config
	client *http.Client

	mu        sync.Mutex
	restUntil map[string]time.Time // hosts that failed all attempts, with the end of their rest
}

// New returns a Sender. The caller closes it.
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
	s := &Sender{cfg: cfg, restUntil: map[string]time.Time{}}
	s.client = &http.Client{
		Timeout: cfg.Timeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: s.dial,
			MaxResponseHeaderBytes: maxAnswer, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
		// A redirect could direct the request to any host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// dial connects to a host. The resolved address is checked when the connection is made, so that a
// name cannot resolve differently after the check.
func (s *Sender) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: s.cfg.Timeout}
	if host, _, err := net.SplitHostPort(address); err == nil && s.cfg.PublicOnly && s.mustBePublic(host) {
		dialer.Control = refusePrivate
	}
	return dialer.DialContext(ctx, network, address)
}

// mustBePublic returns false for addresses, which are allowed as such, and for a proxy of the
// environment, the only other host that is ever dialled.
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

// sharedAddresses are addresses between a network and its provider (carrier-grade NAT), which are
// private as well.
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

// Close closes idle connections.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// CheckAddress returns fault.Malformed for a text that is not a valid address of a webhook.
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

// CheckHost checks that a text is a host or a host with a port.
func CheckHost(host string) error {
	u, err := url.Parse("https://" + host)
	if err != nil || u.Host != host || u.Hostname() == "" || strings.ContainsAny(host, "/?#@* ") {
		return fmt.Errorf("%q is neither a host nor a host with a port, as hooks.example.com:8443", host)
	}
	return nil
}

// Allowed returns fault.Forbidden for an address with a host that is not allowed, and
// fault.Malformed for an invalid address.
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

// hostOf returns the host without the default port of the scheme.
func hostOf(u *url.URL) string {
	if port := u.Port(); port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		return strings.TrimSuffix(u.Host, ":"+port)
	}
	return u.Host
}

// Post sends a JSON body to an address, with retries after temporary failures. id is the id of the
// message in the header Idempotency-Key, by which the receiver recognises duplicates. Post returns
// nil after an answer with a status 2xx, and otherwise the last failure.
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
			s.setRest(host, time.Time{})
			return nil
		}
		if left--; !again || ctx.Err() != nil {
			return err
		}
		if left == 0 {
			s.setRest(host, s.cfg.Now().Add(s.cfg.Rest))
			return err
		}
		if err := s.cfg.Wait(ctx, delay); err != nil {
			return err
		}
		delay *= 5
	}
}

// attempts returns the number of attempts for one request to a host.
func (s *Sender) attempts(host string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cfg.Now().Before(s.restUntil[host]) {
		return 1
	}
	return s.cfg.Attempts
}

func (s *Sender) setRest(host string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.IsZero() {
		delete(s.restUntil, host)
		return
	}
	s.restUntil[host] = until
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

// Try sends a JSON body to an address once, with additional headers. It returns the status of the
// answer, 0 without one, and whether the failure may be temporary.
func (s *Sender) Try(ctx context.Context, address string, header http.Header, body []byte) (status int, again bool, err error) {
	if err := s.check(address, body); err != nil {
		return 0, false, err
	}
	return s.post(ctx, address, header, body)
}

// post makes one attempt, and reports whether a failure may be temporary.
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
			err = failed.Err // the error repeats the address, which may contain a secret
		}
		return 0, true, fmt.Errorf("post to %s: %w", req.URL.Host, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // allows reuse of the connection
	_ = answer.Body.Close()
	status = answer.StatusCode
	if status >= 200 && status < 300 {
		return status, false, nil
	}
	again = status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	return status, again, fmt.Errorf("post to %s: it answered with %s", req.URL.Host, answer.Status)
}
