package apptest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/ratelimit"
)

// serviceWithLimits runs a service whose buckets refill too slowly to affect a test.
func serviceWithLimits(t *testing.T, address, actor int) *apptest.Service {
	t.Helper()
	return apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.RateLimits = ratelimit.Config{Enabled: true, AddressPerMinute: 1, AddressBurst: address, ActorPerMinute: 1, ActorBurst: actor}
	})
}

func get(t *testing.T, s *apptest.Service, path, credential string, more http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range more {
		r.Header[name] = values
	}
	r.Header.Set("Authorization", credential)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func TestEachActorHasARateOfItsOwn(t *testing.T) {
	t.Parallel()
	s := serviceWithLimits(t, 1000, 3)
	busy, calm := s.As("urn:li:corpuser:busy"), s.As("urn:li:corpuser:calm")
	const path = "/openapi/operations/identity/user/urn"
	for i := range 3 {
		if status, text := busy.Call(http.MethodGet, path, ""); status != http.StatusOK {
			t.Fatalf("request %d: %d %s", i, status, text)
		}
	}
	for path, want := range map[string]string{
		path: `"error":"Rate limit exceeded"`, "/entities/urn%3Ali%3Atag%3Aa": `"exceptionClass":"com.linkedin.restli.server.RestLiServiceException"`,
	} {
		if status, text := busy.Call(http.MethodGet, path, ""); status != http.StatusTooManyRequests || !strings.Contains(text, want) || !strings.Contains(text, "Rate limit exceeded") {
			t.Errorf("%s beyond the rate: %d %s", path, status, text)
		}
	}
	if status, text := busy.Call(http.MethodPost, "/api/graphql", `{"query":"{ me { corpUser { urn } } }"}`); status != http.StatusTooManyRequests || !strings.Contains(text, `"error":"Rate limit exceeded"`) {
		t.Errorf("GraphQL beyond the rate: %d %s", status, text)
	}
	if status, text := calm.Call(http.MethodGet, path, ""); status != http.StatusOK {
		t.Errorf("another actor: %d %s", status, text)
	}
	for range 10 {
		if status, text := s.Call(http.MethodGet, path, ""); status != http.StatusOK {
			t.Fatalf("the system: %d %s", status, text)
		}
	}
	if _, figures := s.Call(http.MethodGet, "/metrics", ""); !strings.Contains(figures, `cartulary_requests_throttled_total{rule="actor"} 3`) {
		t.Error("metrics do not count the refusals")
	}
	auditEvents(t, s, 3, `{"eventTypes":["ThrottledEvent"],"actorUrns":["urn:li:corpuser:busy"]}`, nil)
}

func TestEachAddressHasARateOfItsOwn(t *testing.T) {
	t.Parallel()
	s := serviceWithLimits(t, 4, 1000)
	for range 4 {
		if res, text := get(t, s, "/config/search/export", "Bearer forged", nil); res.StatusCode == http.StatusTooManyRequests || res.Header.Get(ratelimit.RuleHeader) != "address" || res.Header.Get(ratelimit.SourceHeader) != "servlet-filter" {
			t.Fatalf("within the rate: %d %s %v", res.StatusCode, text, res.Header)
		}
	}
	res, text := get(t, s, "/entities/urn%3Ali%3Atag%3Aa", apptest.Credential, nil)
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "60" || res.Header.Get(ratelimit.TypeHeader) != "capacity" || !strings.Contains(text, `"message":"Rate limit exceeded"`) {
		t.Errorf("beyond it: %d %s %v", res.StatusCode, text, res.Header)
	}
	if res, _ := get(t, s, "/health", apptest.Credential, nil); res.StatusCode != http.StatusOK {
		t.Errorf("a probe: %d", res.StatusCode)
	}
	if res, text := get(t, s, "/entities/urn%3Ali%3Atag%3Aa", apptest.Credential, proxyHeaders("198.51.100.4")); res.StatusCode == http.StatusTooManyRequests {
		t.Errorf("another client of the proxy: %d %s", res.StatusCode, text)
	}
}

func TestAClientIsOneClientInEverySpellingOfItsAddress(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) {
		c.RateLimits = ratelimit.Config{Enabled: true, AddressPerMinute: 1, AddressBurst: 1, ActorPerMinute: 1000, ActorBurst: 1000}
		c.Outside.Proxies = []string{"127.0.0.0/8"}
	})
	for _, request := range []struct {
		client string
		passes bool
	}{
		{"192.0.2.7:4711", true},
		{"192.0.2.7:4712", false},
		{"::ffff:192.0.2.7", false},
		{"192.0.2.8:4711", true},
		{"[2001:db8::1]:4711", true},
		{"2001:db8::2%eth0", false},
		{"[2001:db8:0:1::1]", true},
	} {
		res, text := get(t, s, "/openapi/operations/identity/user/urn", apptest.Credential, http.Header{"X-Forwarded-For": {request.client}})
		if passes := res.StatusCode == http.StatusOK; passes != request.passes {
			t.Errorf("%s: %d %s", request.client, res.StatusCode, text)
		}
	}
}

// proxyHeaders returns the headers in which the proxy reports the address of a client.
func proxyHeaders(address string) http.Header {
	h := http.Header{"X-Request-Id": {"r1"}}
	forwarded.NewKey(config.Secret(strings.TrimPrefix(apptest.Credential, "Basic __datahub_system:"))).Sign(h, address)
	return h
}

func TestTheCredentialOfTheSystemCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	attacker := proxyHeaders("198.51.100.4")
	const path = "/openapi/operations/identity/user/urn"
	for i := range 10 {
		if res, text := get(t, s, path, "Basic __datahub_system:wrong", attacker); res.StatusCode != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d %s", i, res.StatusCode, text)
		}
	}
	delayed := 0
	for range 20 {
		if res, _ := get(t, s, path, "Basic __datahub_system:wrong", attacker); res.StatusCode == http.StatusTooManyRequests && res.Header.Get("Retry-After") != "" {
			delayed++
		}
	}
	if delayed < 15 {
		t.Errorf("%d of 20 further guesses were delayed", delayed)
	}
	if res, text := get(t, s, path, apptest.Credential, nil); res.StatusCode != http.StatusOK {
		t.Errorf("the proxy is kept away: %d %s", res.StatusCode, text)
	}
	for range 30 {
		get(t, s, path, "Basic __datahub_system:wrong", nil)
	}
	if res, text := get(t, s, path, apptest.Credential, nil); res.StatusCode != http.StatusOK {
		t.Errorf("a neighbour keeps the proxy away: %d %s", res.StatusCode, text)
	}
}

func TestInvitationsOfRolesCannotBeGuessed(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	user := s.As(jo)
	const accept = `{"query":"mutation { acceptRole(input: {inviteToken: \"invented\"}) }"}`
	for range 10 {
		user.Call(http.MethodPost, "/api/graphql", accept)
	}
	if _, text := user.Call(http.MethodPost, "/api/graphql", accept); !strings.Contains(text, `"code":429`) {
		t.Errorf("the eleventh guess: %s", text)
	}
	if _, text := s.As("urn:li:corpuser:al").Call(http.MethodPost, "/api/graphql", accept); strings.Contains(text, `"code":429`) {
		t.Errorf("somebody else: %s", text)
	}
}
