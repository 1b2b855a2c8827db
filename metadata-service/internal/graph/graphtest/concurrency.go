package graphtest

import (
	"fmt"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var concurrencyCases = []testCase{
	{"readers see whole updates", testWholeUpdates},
}

// testWholeUpdates lets writers replace a pair of edges in one update. A reader must never see half
// of a pair.
func testWholeUpdates(f *fixture) {
	const writers, rounds = 4, 40
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		hub := urn.Make("dataset", fmt.Sprint("hub", w))
		writing.Go(func() {
			for n := range rounds {
				_, err := f.Update(f.Context(), func(tx store.Tx) error {
					if n%7 == 6 {
						return tx.PutEdges(f.Context(), aspectOf(hub, "a"), nil)
					}
					return tx.PutEdges(f.Context(), aspectOf(hub, "a"), []model.Edge{
						edge(hub, consumes, dataset(n), int64(n)), edge(hub, downstreamOf, dataset(n), int64(n))})
				})
				if err != nil {
					f.Error(err)
				}
			}
		})
		reading.Go(func() {
			for {
				f.checkPair(hub)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	f.same("edges in the end", f.count(graph.Query{Direction: graph.Outgoing}), 2*writers)
}

func (f *fixture) checkPair(hub urn.URN) {
	pair, err := f.Edges(f.Context(), graph.Query{Direction: graph.Outgoing, Nodes: []urn.URN{hub}})
	if err != nil || len(pair) != 0 && (len(pair) != 2 || pair[0].Destination != pair[1].Destination) {
		f.Errorf("got %s, %v, want a pair or nothing", show(pair), err)
	}
}
