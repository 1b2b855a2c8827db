package app_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/app"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
)

// startMeasured runs a proxy with metrics, and returns both addresses.
func startMeasured(t *testing.T, cfg app.Config) (proxy, figures string) {
	t.Helper()
	cfg.Metrics.Listen = "127.0.0.1:0"
	ctx, cancel := context.WithCancel(context.Background())
	a, err := app.Open(ctx, cfg, logging.Discard())
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return "http://" + a.Addr().String(), "http://" + a.MetricsAddr().String() + "/metrics"
}

func hasFigure(t *testing.T, text, pattern string) {
	t.Helper()
	if !regexp.MustCompile("(?m)^" + pattern + "$").MatchString(text) {
		t.Errorf("no line %s in\n%s", pattern, text)
	}
}

func TestFiguresTellWhatPassedThrough(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	cfg := settings(upstream)
	cfg.RateLimits.Enabled, cfg.RateLimits.AddressPerMinute, cfg.RateLimits.AddressBurst = true, 1, 4
	proxy, figures := startMeasured(t, cfg)
	in := do(t, http.MethodPost, proxy+"/logIn", `{"username":"jo","password":"x"}`)
	if in.status != http.StatusOK {
		t.Fatal(in)
	}
	withSession := func(r *http.Request) {
		for _, c := range in.cookies {
			r.AddCookie(c)
		}
	}
	do(t, http.MethodPost, proxy+"/api/graphql", `{}`, withSession)
	do(t, http.MethodPost, proxy+"/logOut", "", withSession)
	do(t, "INVENTED", proxy+"/such", "")
	if got := do(t, http.MethodGet, proxy+"/mfe/config", ""); got.status != http.StatusTooManyRequests {
		t.Errorf("the fifth request: %d", got.status)
	}
	text := do(t, http.MethodGet, figures, "").body
	for _, line := range []string{
		`cartulary_proxy_request_duration_seconds_count\{class="sign_in",method="POST",status="200"\} 1`,
		`cartulary_proxy_request_duration_seconds_count\{class="graphql",method="POST",status="200"\} 1`,
		`cartulary_proxy_request_duration_seconds_count\{class="status",method="GET",status="429"\} 1`,
		`cartulary_proxy_request_duration_seconds_count\{class="[a-z]+",method="other",status="4[0-9]+"\} 1`,
		`cartulary_proxy_sessions_total\{outcome="opened"\} 1`,
		`cartulary_proxy_sessions_total\{outcome="ended"\} 1`,
		`cartulary_proxy_sessions_total\{outcome="refused"\} 0`,
		`cartulary_proxy_requests_throttled_total\{rule="address"\} 1`,
		`cartulary_proxy_upstream_away 0`,
		`cartulary_proxy_tracing_spans_dropped_total\{reason="queue_full"\} 0`,
		`cartulary_proxy_tracing_spans_dropped_total\{reason="not_exported"\} 0`,
	} {
		hasFigure(t, text, line)
	}
	if strings.Contains(text, "INVENTED") || strings.Contains(text, "such") {
		t.Error("what a client makes up is in the figures")
	}
}

func TestFiguresTellThatTheServiceIsAway(t *testing.T) {
	t.Parallel()
	proxy, figures := startMeasured(t, settings("http://127.0.0.1:1"))
	if got := do(t, http.MethodGet, proxy+"/api/gms/config", ""); got.status != http.StatusBadGateway {
		t.Fatalf("got %d", got.status)
	}
	text := do(t, http.MethodGet, figures, "").body
	hasFigure(t, text, `cartulary_proxy_upstream_errors_total\{reason="unreachable"\} 1`)
	hasFigure(t, text, `cartulary_proxy_upstream_errors_total\{reason="timeout"\} 0`)
	hasFigure(t, text, `cartulary_proxy_upstream_away 1`)
	hasFigure(t, text, `cartulary_proxy_request_duration_seconds_count\{class="service",method="GET",status="502"\} 1`)
}

func TestTheFrontDoorShowsNoFigures(t *testing.T) {
	t.Parallel()
	upstream, _ := loginService(t)
	proxy, figures := startMeasured(t, settings(upstream))
	for _, path := range []string{"/metrics", "/api/gms/metrics", "/gms/actuator/prometheus"} {
		if got := do(t, http.MethodGet, proxy+path, ""); strings.Contains(got.body, "cartulary_") || got.status == http.StatusOK && !strings.Contains(got.body, "<html") {
			t.Errorf("%s: %d %.80s", path, got.status, got.body)
		}
	}
	if got := do(t, http.MethodPost, strings.TrimSuffix(figures, "/metrics")+"/logIn", `{}`); got.status != http.StatusNotFound {
		t.Errorf("sign-in at the address of the figures: %d", got.status)
	}
}

func TestFiguresNeedAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	for address, says := range map[string]string{"9003": "is not host:port", "127.0.0.1:9002": "that of listen", "": "", "127.0.0.1:9003": ""} {
		cfg := settings("http://127.0.0.1:8080")
		cfg.Listen, cfg.Metrics.Listen = "0.0.0.0:9002", address
		err := errors.Join(cfg.Validate()...)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), "metrics.listen") || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// The secret files are at the paths where a service beside the proxy creates them.
func TestTheExampleHoldsTheDefaults(t *testing.T) {
	t.Parallel()
	got := app.Defaults()
	if err := config.Load(&got, config.Options{File: "../../../deploy/config/frontend-proxy.yaml"}); err != nil {
		t.Fatal(err)
	}
	want := app.Defaults()
	want.SystemSecretFile, want.SessionSecretFile = "./data/secrets/system", "./data/secrets/session"
	if len(got.Outside.Proxies)+len(got.Outside.Origins) != 0 {
		t.Errorf("the example trusts %v and %v", got.Outside.Proxies, got.Outside.Origins)
	}
	got.Outside.Proxies, got.Outside.Origins = want.Outside.Proxies, want.Outside.Origins
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the example says %+v, the defaults are %+v", got, want)
	}
}
