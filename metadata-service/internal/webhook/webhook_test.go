package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/fault"
)

// receiver answers with the statuses one after the other, and then repeats the last one.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	got      []string
}

func newReceiver(t *testing.T, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{statuses: statuses}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, fmt.Sprintf("%s %s %s %s", q.Method, q.Header.Get("Content-Type"), q.Header.Get("Idempotency-Key"), body))
		status := r.statuses[0]
		if len(r.statuses) > 1 {
			r.statuses = r.statuses[1:]
		}
		w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		w.WriteHeader(status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) host() string {
	u, _ := url.Parse(r.URL)
	return u.Host
}

// sender returns a Sender whose clock does not advance; it records the durations of its waits.
func sender(t *testing.T, now *time.Time, waits *[]time.Duration, hosts ...string) *webhook.Sender {
	t.Helper()
	s := webhook.New(webhook.Config{Hosts: hosts, Now: func() time.Time { return *now }, Wait: func(ctx context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return ctx.Err()
	}})
	t.Cleanup(s.Close)
	return s
}

func TestAPostIsTriedAgainWithGrowingPauses(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, 500, 429, 204)
	var waits []time.Duration
	now := time.Unix(1, 0)
	s := sender(t, &now, &waits, r.host())
	if err := s.Post(t.Context(), r.URL+"/x", "id-1", []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if len(r.got) != 3 || r.got[2] != `POST application/json id-1 {"a":1}` || !slices.Equal(waits, []time.Duration{time.Second, 5 * time.Second}) {
		t.Errorf("got %q after waiting %v", r.got, waits)
	}
}

func TestAHostThatIsAwayIsTriedOnceUntilItHasRested(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, 503)
	var waits []time.Duration
	now := time.Unix(1, 0)
	s := sender(t, &now, &waits, r.host())
	for _, step := range []struct {
		passes time.Duration
		tries  int
	}{{0, 4}, {time.Second, 5}, {2 * time.Minute, 9}} {
		now = now.Add(step.passes)
		if err := s.Post(t.Context(), r.URL, "x", nil); err == nil || !strings.Contains(err.Error(), "503") {
			t.Errorf("it says %v", err)
		}
		if len(r.got) != step.tries {
			t.Errorf("after %s it was tried %d times, want %d", step.passes, len(r.got), step.tries)
		}
	}
}

func TestRefusalsAndRedirectsAreFinal(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307, 308, 400, 404} {
		r := newReceiver(t, status)
		var waits []time.Duration
		now := time.Unix(1, 0)
		err := sender(t, &now, &waits, r.host()).Post(t.Context(), r.URL, "x", nil)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || len(r.got) != 1 || len(waits) != 0 {
			t.Errorf("%d: %v after %d requests", status, err, len(r.got))
		}
	}
}

func TestOnlyAllowedHostsArePostedTo(t *testing.T) {
	t.Parallel()
	s := webhook.New(webhook.Config{Hosts: []string{"Hooks.example.com", "other.example.com:8443", "[::1]:9"}})
	t.Cleanup(s.Close)
	const allowed = fault.Internal
	for address, kind := range map[string]fault.Kind{
		"https://hooks.example.com/x":         allowed,
		"https://HOOKS.example.com:443":       allowed,
		"http://hooks.example.com:80/":        allowed,
		"https://other.example.com:8443":      allowed,
		"http://[::1]:9/":                     allowed,
		"https://other.example.com":           fault.Forbidden,
		"https://hooks.example.com:8443":      fault.Forbidden,
		"https://hooks.example.com.evil.org":  fault.Forbidden,
		"https://evil.org/hooks.example.com":  fault.Forbidden,
		"https://hooks.example.com@evil.org":  fault.Malformed,
		"https://jo:secret@hooks.example.com": fault.Malformed,
		"ftp://hooks.example.com":             fault.Malformed,
		"file:///etc/passwd":                  fault.Malformed,
		"hooks.example.com/x":                 fault.Malformed,
		"//hooks.example.com":                 fault.Malformed,
		"https://":                            fault.Malformed,
		"https://hooks.example.com/#x":        fault.Malformed,
		"https://hooks.example.com/?" + strings.Repeat("x", webhook.MaxAddress): fault.Malformed,
		"": fault.Malformed,
	} {
		err := s.Allowed(address)
		if kind == allowed && err != nil || kind != allowed && fault.KindOf(err) != kind {
			t.Errorf("%.60s: %v", address, err)
		}
	}
	for host, ok := range map[string]bool{"a.example.com": true, "a:8443": true, "[::1]:9": true, "": false, "https://a": false, "a/b": false, "u@a": false, "*.a": false, "a:x": false} {
		if err := webhook.CheckHost(host); (err == nil) != ok {
			t.Errorf("host %q: %v", host, err)
		}
	}
}

func TestTheBodyIsBoundAndTheCallerCanEnd(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, 500)
	var waits []time.Duration
	now := time.Unix(1, 0)
	s := sender(t, &now, &waits, r.host())
	if err := s.Post(t.Context(), r.URL, "x", make([]byte, webhook.MaxBody+1)); fault.KindOf(err) != fault.TooLarge || len(r.got) != 0 {
		t.Errorf("too large: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Post(ctx, r.URL+"/?secret=hidden", "x", nil); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "hidden") {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPrivateAddressesAreRefusedUnlessTheyAreAllowedAsSuch(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, 200)
	s := webhook.New(webhook.Config{Hosts: []string{"hooks.example.com:8443", "localhost:9", r.host()}, PublicOnly: true})
	t.Cleanup(s.Close)
	for host, want := range map[string]bool{"hooks.example.com": true, "HOOKS.example.com": true, "localhost": false, "127.0.0.1": false, "proxy.example.com": false} {
		if got := s.MustBePublic(host); got != want {
			t.Errorf("%s must be public: %t, want %t", host, got, want)
		}
	}
	for address, refused := range map[string]bool{
		"127.0.0.1:443": true, "[::1]:443": true, "10.1.2.3:443": true, "192.168.0.1:80": true, "169.254.169.254:80": true, "[fd00::1]:443": true, "[::ffff:127.0.0.1]:443": true,
		"0.0.0.0:80": true, "100.64.0.1:443": true, "100.127.255.254:443": true, "100.128.0.1:443": false, "100.63.255.255:443": false, "93.184.216.34:443": false, "[2606:2800:220:1::1]:443": false,
	} {
		if err := webhook.RefusePrivate("tcp", address, nil); (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
	if status, _, err := s.Try(t.Context(), r.URL, nil, nil); err != nil || status != 200 {
		t.Errorf("an address that is allowed: %d %v", status, err)
	}
}
