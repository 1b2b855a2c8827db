package metrics_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/metrics"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

func scrape(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
	if rec.Code != http.StatusOK {
		t.Fatalf("GET %s gives %d, want 200", path, rec.Code)
	}
	return rec.Body.String()
}

func wantLine(t *testing.T, text, line string) {
	t.Helper()
	for got := range strings.Lines(text) {
		if strings.TrimSpace(got) == line {
			return
		}
	}
	t.Errorf("no line %q in\n%s", line, text)
}

func TestRequestsAreCountedByRouteAndStatus(t *testing.T) {
	t.Parallel()
	m := metrics.New(time.Now)
	server := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)})
	g := server.Echo.Group("", m.Observe)
	m.Mount(g)
	g.GET("/thing/:id", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	g.GET("/refused", func(echo.Context) error { return fault.New(fault.Forbidden, "no") })

	for _, request := range []string{"GET /thing/1", "GET /thing/2", "GET /refused"} {
		method, path, _ := strings.Cut(request, " ")
		server.Echo.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
	}

	for _, path := range []string{"/metrics", "/actuator/prometheus"} {
		text := scrape(t, server.Echo, path)
		wantLine(t, text, `cartulary_http_request_duration_seconds_count{method="GET",route="/thing/:id",status="204"} 2`)
		wantLine(t, text, `cartulary_http_request_duration_seconds_count{method="GET",route="/refused",status="403"} 1`)
		for _, name := range []string{"go_goroutines", "process_open_fds"} {
			if !strings.Contains(text, "\n"+name+" ") {
				t.Errorf("%s has no figure %s", path, name)
			}
		}
	}
}

func TestInventedMethodsAreOneSeries(t *testing.T) {
	t.Parallel()
	m := metrics.New(time.Now)
	server := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)})
	server.Echo.Use(m.Observe)
	for _, method := range []string{"PEEK", "POKE"} {
		server.Echo.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "/nowhere", nil))
	}
	text := scrape(t, m.Handler(), "/")
	wantLine(t, text, `cartulary_http_request_duration_seconds_count{method="other",route="unmatched",status="404"} 2`)
}

func TestWritesAndLogPositionAreShown(t *testing.T) {
	t.Parallel()
	m := metrics.New(time.Now)
	s := m.Store(memory.NewStore())
	refusal := errors.New("refused")
	for _, result := range []error{nil, nil, refusal} {
		_, err := s.Update(context.Background(), func(tx store.Tx) error {
			if _, err := tx.Append(t.Context(), store.Entry{Kind: store.Restated, URN: "urn:li:tag:a", Aspect: "tagKey"}); err != nil {
				return err
			}
			return result
		})
		if !errors.Is(err, result) {
			t.Fatalf("Update gives %v, want %v", err, result)
		}
	}
	text := scrape(t, m.Handler(), "/")
	wantLine(t, text, `cartulary_store_write_duration_seconds_count{outcome="committed"} 2`)
	wantLine(t, text, `cartulary_store_write_duration_seconds_count{outcome="refused"} 1`)
	wantLine(t, text, `cartulary_store_log_entries_written_total 2`)
	wantLine(t, text, `cartulary_store_log_position 2`)
}

func TestEntriesAreCountedWhateverTheirSequences(t *testing.T) {
	t.Parallel()
	m := metrics.New(time.Now)
	s := m.Store(storetest.WithGaps(memory.NewStore()))
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		for range 3 {
			if _, err := tx.Append(t.Context(), store.Entry{Kind: store.Restated, URN: "urn:li:tag:a", Aspect: "tagKey"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantLine(t, scrape(t, m.Handler(), "/"), `cartulary_store_log_entries_written_total 3`)
}

func TestProjectionsAreReadAtEachScrape(t *testing.T) {
	t.Parallel()
	m := metrics.New(time.Now)
	search := projection.Status{Sink: "search", Awaited: true, Behind: 7}
	outlet := projection.Status{Sink: "outlet", Err: errors.New("away"), Failures: 5, Panics: 2, Skipped: 1, Lost: 40}
	m.Projections(func() []projection.Status { return []projection.Status{search, outlet} })
	text := scrape(t, m.Handler(), "/")
	for _, line := range []string{
		`cartulary_projection_lag_entries{projection="search"} 7`,
		`cartulary_projection_failing{projection="search"} 0`,
		`cartulary_projection_failing{projection="outlet"} 1`,
		`cartulary_projection_failures_total{projection="outlet"} 5`,
		`cartulary_projection_panics_total{projection="outlet"} 2`,
		`cartulary_projection_entries_skipped_total{projection="outlet"} 1`,
		`cartulary_projection_entries_lost_total{projection="outlet"} 40`,
	} {
		wantLine(t, text, line)
	}
	search.Behind = 0
	wantLine(t, scrape(t, m.Handler(), "/"), `cartulary_projection_lag_entries{projection="search"} 0`)
}
