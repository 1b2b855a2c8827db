package auditlog_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/leaktest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var now = time.UnixMilli(1_700_000_000_000)

// viewing returns the context of an actor that may view analytics.
func viewing(t *testing.T) context.Context {
	t.Helper()
	return auth.WithActor(t.Context(), auth.Actor{URN: "urn:li:corpuser:viewer"})
}

// open returns a service with events about tags. The caller may read tags whose names do not begin
// with "hidden".
func open(t *testing.T, tags ...string) *auditlog.Service {
	t.Helper()
	events := make([]audit.Event, len(tags))
	for i, tag := range tags {
		events[i] = audit.Event{
			Type: audit.UpdateAspect, Time: now.UnixMilli() - int64(i) - 1, Actor: "urn:li:corpuser:ann", Number: uint64(i), Entity: urn.Make("tag", tag), Aspect: "tagProperties",
		}
	}
	store := memory.NewAuditStore()
	if err := store.Append(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	log := audit.New(audit.Config{Open: func() (audit.Store, error) { return store, nil }, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = log.Close() })
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	rule := authtest.Rule(func(c auth.Check, _ urn.URN) error {
		for _, p := range c.AnyOf {
			if p == auth.ViewAnalytics {
				return nil
			}
		}
		return fault.New(fault.Forbidden, "needs %v", c.AnyOf)
	})
	readable := func(_ context.Context, urns []urn.URN) ([]bool, error) {
		may := make([]bool, len(urns))
		for i, u := range urns {
			may[i] = !strings.HasPrefix(u.Key(), "hidden")
		}
		return may, nil
	}
	return auditlog.New(auditlog.Config{Log: log, Authorizer: rule, Aspects: []string{"tagProperties"}, Readable: readable, Names: names, Now: func() time.Time { return now }})
}

func repeated(tag string, n int) []string {
	tags := make([]string, n)
	for i := range tags {
		tags[i] = tag
	}
	return tags
}

func TestAPageGoesOnBehindEventsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		tags  []string
		pages []int // page sizes, with at most two events per page
		total int
	}{
		{"none is left out", []string{"a", "b", "c"}, []int{2, 1}, 3},
		{"the last ones are left out", append([]string{"a", "b"}, repeated("hidden", 50)...), []int{2}, 2},
		{"all are left out", repeated("hidden", 50), []int{0}, 0},
		{"many lie between", append(append([]string{"a"}, repeated("hidden", 5000)...), "b", "c", "hidden", "d"), []int{2, 2}, 4},
		{"more lie between than are looked at", append(append([]string{"a"}, repeated("hidden", 12_000)...), "b", "hidden"), []int{1, 1}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, q := open(t, tt.tags...), auditlog.Query{From: -1, Size: 2}
			for i, want := range tt.pages {
				page, err := s.Search(viewing(t), q)
				if err != nil || len(page.Events) != want || page.Total != tt.total {
					t.Fatalf("page %d has %d events of %d (%v), want %d of %d", i, len(page.Events), page.Total, err, want, tt.total)
				}
				if last := i == len(tt.pages)-1; last != (page.Scroll == "") {
					t.Errorf("behind page %d there is %q", i, page.Scroll)
				}
				q.Scroll = page.Scroll
			}
		})
	}
}

func TestAScrollIDIsOfItsQueryAndCannotBeMadeUp(t *testing.T) {
	t.Parallel()
	s := open(t, "a", "b", "c")
	page, err := s.Search(viewing(t), auditlog.Query{From: -1, Size: 1})
	if err != nil || page.Scroll == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	for name, q := range map[string]auditlog.Query{
		"another query": {Scroll: page.Scroll, EntityTypes: []string{"tag"}},
		"altered":       {Scroll: "A" + page.Scroll[1:] + "A"},
		"made up":       {Scroll: "eyJUaW1lIjoxfQ"},
		"too long":      {Scroll: strings.Repeat("A", 1<<20)},
	} {
		q.From, q.Size = -1, 1
		if _, err := s.Search(viewing(t), q); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
