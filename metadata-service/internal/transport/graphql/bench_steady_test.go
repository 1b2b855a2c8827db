package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// BenchmarkSteady sends a mix of 1,000 small requests per second, for the number of seconds in
// GRAPHQL_SECONDS (3 by default), and prints the memory in use after a collection: before the
// first request, after a warm-up that also fills the document cache with different texts, and at
// the end. Memory must not grow after the warm-up. Run it with -benchtime 1x.
func BenchmarkSteady(b *testing.B) {
	const perSecond = 1000
	seconds := 3
	if text := os.Getenv("GRAPHQL_SECONDS"); text != "" {
		var err error
		if seconds, err = strconv.Atoi(text); err != nil {
			b.Fatalf("GRAPHQL_SECONDS: %v", err)
		}
	}
	engine, world := newEngine(b)
	loadDemo(b, world)
	s := steady{engine: engine, ctx: world.As(b, servicetest.Root), small: smallRequests()}
	b.ReportAllocs()
	for b.Loop() {
		started := inUse()
		for i := range 20_000 {
			if err := s.ask(s.unique(i)); err != nil {
				b.Fatal(err)
			}
		}
		if _, _, err := s.run(perSecond, max(1, seconds/10)*perSecond); err != nil {
			b.Fatal(err)
		}
		warm := inUse()
		took, late, err := s.run(perSecond, seconds*perSecond)
		if err != nil {
			b.Fatal(err)
		}
		ended := inUse()
		slices.Sort(took)
		b.ReportMetric(0, "ns/op") // the pace is fixed, so the total time says nothing
		b.ReportMetric(float64(len(took)-late)/float64(seconds), "on-time/s")
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
		b.ReportMetric(started, "MiB-start")
		b.ReportMetric(warm, "MiB-warm")
		b.ReportMetric(ended, "MiB-end")
	}
}

// inUse is the heap in use after a collection, in MiB.
func inUse() float64 {
	runtime.GC()
	runtime.GC() // frees the objects of finalizers and pools that the first collection kept
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

type steady struct {
	engine *graphql.Engine
	ctx    context.Context
	small  []graphql.Request
}

// smallRequests are frequent requests of clients.
func smallRequests() []graphql.Request {
	variables := func(v map[string]any) json.RawMessage { text, _ := json.Marshal(v); return text }
	table := "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)"
	return []graphql.Request{
		{Query: `{ me { corpUser { urn username } } }`},
		{Query: `query($u: String!) { dataset(urn: $u) { urn name platform { name } properties { description } } }`, Variables: variables(map[string]any{"u": table})},
		{Query: `query($u: String!) { entity(urn: $u) { urn type ... on Dataset { ownership { owners { owner { ... on CorpUser { username } } } } } } }`, Variables: variables(map[string]any{"u": table})},
		{Query: `query($u: String!) { tag(urn: $u) { urn properties { name colorHex } } }`, Variables: variables(map[string]any{"u": "urn:li:tag:tier-1"})},
		{Query: `query($u: String!) { domain(urn: $u) { urn properties { name } } }`, Variables: variables(map[string]any{"u": "urn:li:domain:commerce.orders"})},
		{Query: `query($u: String!) { corpUser(urn: $u) { username properties { displayName email } } }`, Variables: variables(map[string]any{"u": "urn:li:corpuser:willow.label"})},
		{Query: `query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total searchResults { entity { urn } } } }`, Variables: variables(map[string]any{"i": map[string]any{"types": []string{"TAG"}, "query": "*", "count": 5}})},
		{Query: `query($i: AutoCompleteInput!) { autoComplete(input: $i) { suggestions } }`, Variables: variables(map[string]any{"i": map[string]any{"type": "DATASET", "query": "ord", "limit": 5}})},
		{Query: `{ __type(name: "Dataset") { name kind } }`},
	}
}

// unique is a request with a text that is not in the cache.
func (s steady) unique(i int) graphql.Request {
	return graphql.Request{Query: fmt.Sprintf(`{ tag(urn: "urn:li:tag:unknown-%d") { urn type } }`, i)}
}

func (s steady) ask(r graphql.Request) error {
	if done := s.engine.Exec(s.ctx, r); len(done.Errors) > 0 {
		return fmt.Errorf("%s: %s", r.Query, done.Errors[0].Message)
	}
	return nil
}

// run sends requests at a fixed pace. One in ten has a text of its own. A request is late when
// its response takes more than a tenth of a second from its scheduled time.
func (s steady) run(perSecond, requests int) (took []time.Duration, late int, err error) {
	took = make([]time.Duration, requests)
	failed := make([]error, requests)
	turns := make(chan int, requests)
	began := time.Now()
	turn := func(i int) time.Time { return began.Add(time.Duration(i) * time.Second / time.Duration(perSecond)) }
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for i := range turns {
				r := s.small[i%len(s.small)]
				if i%10 == 0 {
					r = s.unique(1_000_000 + i)
				}
				sent := time.Now()
				failed[i] = s.ask(r)
				took[i] = time.Since(sent)
			}
		})
	}
	for i := range requests {
		time.Sleep(time.Until(turn(i)))
		turns <- i
	}
	close(turns)
	workers.Wait()
	for i := range requests {
		if failed[i] != nil {
			return nil, 0, failed[i]
		}
		if took[i] > time.Second/10 {
			late++
		}
	}
	return took, late, nil
}
