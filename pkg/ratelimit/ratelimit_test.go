package ratelimit_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/trials"
)

// clock stands still until it is moved.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time       { return time.Unix(1_754_000_000+c.seconds.Load(), 0) }
func (c *clock) move(d time.Duration) { c.seconds.Add(int64(d / time.Second)) }

func TestABucketRefillsSteadilyUpToItsBurst(t *testing.T) {
	t.Parallel()
	c := &clock{}
	b := ratelimit.NewBuckets(ratelimit.Rate{PerMinute: 10, Burst: 3}, 0, c.now)
	take := func(want ...time.Duration) {
		t.Helper()
		for i, w := range want {
			if got := b.Take("a"); got != w {
				t.Errorf("request %d waits %s, want %s", i, got, w)
			}
		}
	}
	take(0, 0, 0, 6*time.Second, 6*time.Second)
	c.move(6 * time.Second)
	take(0, 6*time.Second)
	c.move(time.Hour)
	take(0, 0, 0, 6*time.Second)
	if wait := b.Take("b"); wait != 0 || b.Refused() != 4 {
		t.Errorf("another key waits %s; %d were refused", wait, b.Refused())
	}
}

func TestABucketIsExactWithManyAtOnce(t *testing.T) {
	t.Parallel()
	c := &clock{}
	b := ratelimit.NewBuckets(ratelimit.Rate{PerMinute: 1, Burst: 100}, 0, c.now)
	var passed atomic.Int64
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 100 {
				if b.Take("a") == 0 {
					passed.Add(1)
				}
			}
		})
	}
	work.Wait()
	if passed.Load() != 100 {
		t.Errorf("%d passed", passed.Load())
	}
}

func TestAMillionAddressesTakeBoundedMemory(t *testing.T) {
	n := trials.Count(1_000_000)
	if testing.Short() {
		n = 120_000
	}
	c := &clock{}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b := ratelimit.NewBuckets(ratelimit.Rate{PerMinute: 10, Burst: 3}, 0, c.now)
	a := ratelimit.NewAttempts(ratelimit.Delays{Free: 1, First: time.Minute, Longest: time.Hour, Forget: time.Hour}, 0, c.now)
	for i := range n {
		address := fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)
		b.Take(address)
		a.Failed(address)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	took := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d addresses: %d buckets and %d failures remembered in %d KiB", n, b.Len(), a.Len(), took>>10)
	if b.Len() != 50_000 || a.Len() != 50_000 || took > 64<<20 {
		t.Errorf("%d buckets, %d failures, %d bytes", b.Len(), a.Len(), took)
	}
	if a.Wait(fmt.Sprintf("10.%d.%d.%d", (n-1)>>16, (n-1)>>8&255, (n-1)&255)) == 0 {
		t.Error("the last failure is forgotten")
	}
	runtime.KeepAlive(b)
}

var (
	long  = ratelimit.Delays{Free: 3, First: 5 * time.Second, Longest: time.Minute, Forget: time.Hour}
	short = ratelimit.Delays{Free: 10, First: time.Second, Longest: 8 * time.Second, Forget: time.Hour}
)

func TestDelaysGrowWithEachFailureAndAreForgotten(t *testing.T) {
	t.Parallel()
	c := &clock{}
	a := ratelimit.NewAttempts(long, 0, c.now)
	for _, wait := range []time.Duration{0, 0, 5, 10, 20, 40, 60, 60} {
		if got := a.Begin("a"); got != 0 {
			t.Fatalf("an attempt that was waited for waits %s", got)
		}
		if got := a.Wait("a"); got != wait*time.Second {
			t.Errorf("the next waits %s, want %s", got, wait*time.Second)
		}
		c.move(wait * time.Second)
	}
	c.move(2 * time.Hour)
	for range 2 {
		if a.Begin("a") != 0 {
			t.Error("old failures count")
		}
	}
	a.Succeeded("a")
	for range 2 {
		if a.Begin("a") != 0 {
			t.Error("failures before a success count")
		}
	}
}

func TestAttemptsAtOnceCannotAllPass(t *testing.T) {
	t.Parallel()
	c := &clock{}
	a := ratelimit.NewAttempts(long, 0, c.now)
	var passed atomic.Int64
	var work sync.WaitGroup
	for range 50 {
		work.Go(func() {
			if a.Begin("a") == 0 {
				passed.Add(1)
			}
		})
	}
	work.Wait()
	if passed.Load() != 3 {
		t.Errorf("%d passed", passed.Load())
	}
}

func TestAnAttackerDelaysItselfAndNotTheOwner(t *testing.T) {
	t.Parallel()
	c := &clock{}
	g := ratelimit.NewGuard(long, short, 0, c.now)
	const owner, attacker = "192.0.2.1", "198.51.100.7"
	g.Begin(at(owner), "jo")
	g.Succeeded(at(owner), "jo")
	for g.Begin(at(attacker), "jo") == 0 {
	}
	if wait := g.Begin(at(attacker), "jo"); wait != 5*time.Second {
		t.Errorf("the attacker waits %s", wait)
	}
	if wait := g.Begin(at("192.0.2.2"), "jo"); wait != 0 {
		t.Errorf("somebody else waits %s", wait)
	}
	// Now from very many addresses.
	for i := range 1000 {
		g.Begin(at(fmt.Sprintf("203.0.113.%d", i)), "jo")
		c.move(time.Second)
	}
	for range 20 {
		g.Begin(at("203.0.113.9"), "jo")
	}
	if wait := g.Begin(at("192.0.2.9"), "jo"); wait == 0 || wait > 8*time.Second {
		t.Errorf("a new place waits %s, want some seconds", wait)
	}
	if wait := g.Begin(at(owner), "jo"); wait != 0 {
		t.Errorf("the place that the owner signs in from waits %s", wait)
	}
	g.Refund(at(owner), "jo")
	for range 5 {
		g.Begin(at(owner), "jo")
	}
	if wait := g.Begin(at(owner), "jo"); wait != 5*time.Second {
		t.Errorf("trust is no licence: waits %s", wait)
	}
	if wait := g.Begin(at(attacker), "al"); wait != 0 {
		t.Errorf("another name waits %s", wait)
	}
}

// at returns a client without a device.
func at(address string) ratelimit.Client { return ratelimit.Client{Address: address} }

func TestADeviceIsApartFromItsAddress(t *testing.T) {
	t.Parallel()
	c := &clock{}
	g := ratelimit.NewGuard(long, short, 0, c.now)
	device := ratelimit.Client{Address: "192.0.2.1", Device: "d1"}
	for g.Begin(at(device.Address), "jo") == 0 {
	}
	for i := range 1000 {
		g.Begin(at(fmt.Sprintf("203.0.113.%d", i)), "jo")
	}
	if wait := g.Begin(device, "jo"); wait != 0 {
		t.Errorf("the device waits %s for failures of others", wait)
	}
	g.Succeeded(device, "jo")
	if wait := g.Begin(at(device.Address), "jo"); wait != 5*time.Second {
		t.Errorf("at the address of the device it takes %s: the failures there are to stay", wait)
	}
	for range 5 {
		g.Begin(device, "jo")
	}
	if wait := g.Begin(device, "jo"); wait != 5*time.Second {
		t.Errorf("the device waits %s after failures of its own", wait)
	}
	if wait := g.Begin(ratelimit.Client{Address: "192.0.2.1", Device: "d2"}, "jo"); wait != 0 {
		t.Errorf("another device waits %s", wait)
	}
	c.move(5 * time.Second)
	if wait := g.Begin(at(device.Address), "jo"); wait != 0 {
		t.Errorf("the address that a device has signed in from waits %s for the failures of others", wait)
	}
}

func TestOneNetworkOfIPv6IsOneClient(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"2001:db8:0:1::5": "2001:db8:0:1::/64", "2001:db8:0:1:ffff::": "2001:db8:0:1::/64", "fe80::1%eth0": "fe80::/64",
		"[2001:db8:0:1::5]:443": "2001:db8:0:1::/64", "[2001:db8:0:1::6]": "2001:db8:0:1::/64",
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "::ffff:c000:207": "192.0.2.7", "192.0.2.7:4711": "192.0.2.7", "nonsense": "nonsense", "": "",
	} {
		if got := ratelimit.Network(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

// serve runs an HTTP server behind the limiters.
func serve(t *testing.T, c *clock, limiters ...*ratelimit.Limiter) func(path string) *http.Response {
	t.Helper()
	s := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)})
	for _, l := range limiters {
		s.Echo.Use(l.Middleware())
	}
	s.Echo.Any("/*", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	server := httptest.NewServer(s.Echo)
	t.Cleanup(server.Close)
	return func(path string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil {
			t.Fatal(err)
		}
		res.Body = io.NopCloser(strings.NewReader(string(text)))
		return res
	}
}

func TestRequestsBeyondTheRateAreRefusedWithTheHeadersThatClientsKnow(t *testing.T) {
	t.Parallel()
	c := &clock{}
	l := ratelimit.NewLimiter(ratelimit.ByAddress, ratelimit.Rate{PerMinute: 6, Burst: 2}, ratelimit.AddressKey, c.now)
	get := serve(t, c, l)
	for range 2 {
		res := get("/entities/x")
		if res.StatusCode != http.StatusOK || res.Header.Get(ratelimit.SourceHeader) != "servlet-filter" || res.Header.Get(ratelimit.RuleHeader) != "address" || res.Header.Get(ratelimit.TypeHeader) != "" {
			t.Errorf("within the rate: %d %v", res.StatusCode, res.Header)
		}
	}
	res := get("/entities/x")
	text, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "10" || res.Header.Get(ratelimit.TypeHeader) != "capacity" || !strings.Contains(string(text), `"error":"Rate limit exceeded"`) {
		t.Errorf("beyond it: %d %v %s", res.StatusCode, res.Header, text)
	}
	for _, open := range []string{"/health", "/gms/health/live", "/api/gms/health", "/actuator/prometheus", "/metrics", "/auth/signUp", "/openapi/v1/rate-limits/status"} {
		if res := get(open); res.StatusCode != http.StatusOK || res.Header.Get(ratelimit.RuleHeader) != "" {
			t.Errorf("%s: %d %v", open, res.StatusCode, res.Header)
		}
	}
	c.move(10 * time.Second)
	if res := get("/entities/x"); res.StatusCode != http.StatusOK || l.Refused() != 1 {
		t.Errorf("after the wait: %d, %d refused", res.StatusCode, l.Refused())
	}
}

func TestWithoutALimiterAllPass(t *testing.T) {
	t.Parallel()
	var none *ratelimit.Limiter
	if res := serve(t, &clock{}, none)("/"); res.StatusCode != http.StatusOK || res.Header.Get(ratelimit.RuleHeader) != "" || none.Refused() != 0 {
		t.Errorf("got %d %v", res.StatusCode, res.Header)
	}
}

func TestErrorsTellHowLongToWait(t *testing.T) {
	t.Parallel()
	err := ratelimit.NewWaitError(time.Minute, "wait")
	if wait, ok := fault.RetryAfter(err); !errors.Is(err, fault.Throttled) || !ok || wait != time.Minute || fault.Message(err) != "wait" {
		t.Errorf("got %v, %s", err, wait)
	}
}

func TestRatesMustBePositive(t *testing.T) {
	t.Parallel()
	if err := errors.Join(ratelimit.DefaultConfig().Validate()...); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"rate_limits.address_per_minute", "rate_limits.address_burst", "rate_limits.actor_per_minute", "rate_limits.actor_burst"} {
		if err := errors.Join(ratelimit.Config{}.Validate()...); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s is not refused: %v", want, err)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	buckets := ratelimit.NewBuckets(ratelimit.Rate{PerMinute: 1 << 30, Burst: 1 << 30}, 0, time.Now)
	b.ReportAllocs()
	for b.Loop() {
		buckets.Take("192.0.2.7")
	}
}
