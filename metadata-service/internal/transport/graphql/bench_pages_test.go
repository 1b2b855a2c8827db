package graphql_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// executor executes the document of a page.
type executor struct {
	name string
	exec func(ctx context.Context, p page) ([]byte, error)
}

// executors are the engine and its peers, over the data of the sample company.
func executors(b *testing.B) ([]executor, context.Context) {
	b.Helper()
	engine, world := newEngine(b)
	loadDemo(b, world)
	reads := pageReads{world.Catalog, world.Discover}
	unplanned, err := engine.Unplanned()
	if err != nil {
		b.Fatal(err)
	}
	other, err := newPeer(reads)
	if err != nil {
		b.Fatal(err)
	}
	return []executor{
		{"engine", func(ctx context.Context, p page) ([]byte, error) { return execute(engine, ctx, p) }},
		{"by-hand", byHand{reads}.exec},
		{"unplanned", func(ctx context.Context, p page) ([]byte, error) { return execute(unplanned, ctx, p) }},
		{"graphql-go", other.exec},
	}, world.As(b, servicetest.Root)
}

func execute(e *graphql.Engine, ctx context.Context, p page) ([]byte, error) {
	done := e.Exec(ctx, graphql.Request{Query: p.document, Variables: json.RawMessage(p.variables)})
	if len(done.Errors) > 0 {
		return nil, errors.New(done.Errors[0].Message)
	}
	return done.Data, nil
}

// BenchmarkPages compares the engine with an executor written by hand, with the engine without
// plans, where the library executes, and with graphql-go/graphql, over the same reads of the same
// catalog: each alone, and then alternately, for ratios from one run. The goal is at most 1.5
// times the time of the executor written by hand.
func BenchmarkPages(b *testing.B) {
	all, ctx := executors(b)
	for _, p := range []page{datasetPage(), searchPage()} {
		b.Run(p.name, func(b *testing.B) {
			sameAnswers(b, ctx, all, p)
			for _, e := range all {
				b.Run(e.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := e.exec(ctx, p); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			b.Run("ratios", func(b *testing.B) { compareExecutors(b, ctx, all, p) })
		})
	}
}

func sameAnswers(b *testing.B, ctx context.Context, all []executor, p page) {
	b.Helper()
	var first any
	for i, e := range all {
		text, err := e.exec(ctx, p)
		if err != nil {
			b.Fatalf("%s by %s: %v", p.name, e.name, err)
		}
		var answer any
		if err := json.Unmarshal(text, &answer); err != nil {
			b.Fatal(err)
		}
		if i == 0 {
			first = answer
		}
		if !reflect.DeepEqual(first, answer) {
			b.Fatalf("%s by %s: got %s\nwant %v", p.name, e.name, text, first)
		}
	}
}

// compareExecutors runs the executors alternately. A ratio is the median over the rounds, so that
// a pause of the machine affects only one of them.
func compareExecutors(b *testing.B, ctx context.Context, all []executor, p page) {
	const times = 20
	b.ReportAllocs()
	took := make([][]float64, len(all))
	for b.Loop() {
		for i, e := range all {
			began := time.Now()
			for range times {
				if _, err := e.exec(ctx, p); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = append(took[i], float64(time.Since(began).Microseconds())/times)
		}
	}
	b.ReportMetric(0, "ns/op") // the time of a round has no meaning of its own
	for i, e := range all {
		b.ReportMetric(median(took[i]), "µs/"+e.name)
		if i == 0 {
			continue
		}
		ratios := make([]float64, len(took[i]))
		for round := range ratios {
			ratios[round] = took[0][round] / took[i][round]
		}
		b.ReportMetric(median(ratios), "x-"+e.name)
	}
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
