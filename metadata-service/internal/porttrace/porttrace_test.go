package porttrace_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/porttrace"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries/timeseriestest"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/tracing/tracingtest"
)

func TestATracedStoreIsAStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store { return porttrace.Store(memory.NewStore()) })
}

func TestTracedTimeSeriesAreTimeSeries(t *testing.T) {
	t.Parallel()
	timeseriestest.Run(t, func(*testing.T) timeseries.Store { return porttrace.Documents(memory.NewTimeseries()) })
}

func openIndex(t *testing.T) *roaring.Index {
	t.Helper()
	index, err := roaring.Open(roaring.Config{Path: t.TempDir(), Schemas: []search.Schema{{EntityType: "tag"}}, Log: logging.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = index.Close(t.Context()) })
	return index
}

// bare hides the optional interfaces of an index.
type bare struct{ porttrace.SearchIndex }

type selecting struct {
	porttrace.SearchIndex
	search.Selector
}

type auditing struct {
	porttrace.SearchIndex
	search.Auditor
}

func TestATracedIndexHasTheAbilitiesOfItsDriver(t *testing.T) {
	t.Parallel()
	index := openIndex(t)
	for _, c := range []struct {
		name            string
		index           porttrace.SearchIndex
		selects, audits bool
	}{
		{"all", index, true, true},
		{"none", bare{index}, false, false},
		{"a selector", selecting{index, index}, true, false},
		{"an auditor", auditing{index, index}, false, true},
	} {
		traced := porttrace.Index(c.index)
		_, selects := traced.(search.Selector)
		_, audits := traced.(search.Auditor)
		if selects != c.selects || audits != c.audits {
			t.Errorf("%s: the traced index selects: %v, audits: %v", c.name, selects, audits)
		}
	}
}

func TestCallsOfDriversAreSpans(t *testing.T) {
	t.Parallel()
	collector := tracingtest.New(t)
	cfg := tracing.DefaultConfig()
	cfg.Endpoint, cfg.Ratio = collector.Endpoint(), 1
	tracer, err := tracing.New(cfg, tracing.Program{Name: "test"}, logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	memoryStore := memory.NewStore()
	s, g, i := porttrace.Store(memoryStore), porttrace.Graph(memoryStore), porttrace.Index(openIndex(t))
	ctx, root := tracer.Root(t.Context(), "test")
	for _, call := range []func() error{
		func() error {
			_, err := s.Get(ctx, store.Key{URN: "urn:li:tag:hidden", Aspect: "tagKey"}, store.Key{URN: "urn:li:tag:hidden", Aspect: "status"})
			return err
		},
		func() error { _, err := s.Aspects(ctx, nil, "status", "tagKey"); return err },
		func() error { _, err := s.Update(ctx, func(store.Tx) error { return nil }); return err },
		func() error { _, err := g.Edges(ctx, graph.Query{Direction: graph.Outgoing}); return err },
		func() error {
			_, err := i.Search(ctx, search.Query{Types: []string{"tag"}, Text: "hidden"})
			return err
		},
		func() error {
			_, err := i.(search.Selector).Select(ctx, search.Selection{Types: []string{"tag"}}, nil)
			return err
		},
	} {
		if err := call(); err != nil {
			t.Error(err)
		}
	}
	root.End(nil)
	if err := tracer.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]map[string]string{
		"store get":         {"cartulary.asked": "2"},
		"store aspects":     {"cartulary.asked": "0", "cartulary.aspects": "status,tagKey"},
		"store transaction": {},
		"graph edges":       {"cartulary.asked": "0", "cartulary.found": "0"},
		"index search":      {"cartulary.types": "tag", "cartulary.found": "0"},
		"index select":      {"cartulary.types": "tag", "cartulary.asked": "0"},
	} {
		got := collector.Wait(t, func(s tracingtest.Span) bool { return s.Name == name })
		if len(got.Attributes) != len(want) {
			t.Errorf("%s has %v", name, got.Attributes)
		}
		for key, value := range want {
			if got.Attributes[key] != value {
				t.Errorf("%s of %s is %q, want %q", key, name, got.Attributes[key], value)
			}
		}
	}
}
