package lineage_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// bulk is a graph of tables, each downstream of some others. adjacency is the same graph in memory,
// by number.
type bulk struct {
	store     *bolt.Store
	root      urn.URN
	nodes     int
	adjacency [][]int32 // downstream
}

func (b *bulk) table(i int) urn.URN { return d(fmt.Sprintf("warehouse.schema%d.table_%d", i%40, i)) }

// newBulk creates nodes in shuffled order, so that neighbors are not adjacent in the file.
func newBulk(tb testing.TB, nodes int, upstreams func(i int) []int) *bulk {
	tb.Helper()
	s, err := bolt.Open(context.Background(), filepath.Join(tb.TempDir(), "store.db"), bolt.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	b := &bulk{store: s, nodes: nodes, adjacency: make([][]int32, nodes)}
	b.root = b.table(0)
	order := rand.New(rand.NewPCG(1, 2)).Perm(nodes)
	for len(order) > 0 {
		part := order[:min(1000, len(order))]
		order = order[len(part):]
		_, err := s.Update(context.Background(), func(tx store.Tx) error {
			for _, i := range part {
				if err := b.put(context.Background(), tx, i, upstreams(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return b
}

func (b *bulk) put(ctx context.Context, tx store.Tx, i int, upstreams []int) error {
	u := b.table(i)
	stamp := model.AuditStamp{Time: 1700000000000, Actor: model.RootUser}
	rec := model.Record{URN: u, Aspect: "upstreamLineage", Value: []byte(`{}`), CreatedOn: stamp.Time, CreatedBy: stamp.Actor}
	if err := tx.Put(ctx, rec); err != nil {
		return err
	}
	var edges []model.Edge
	for _, j := range upstreams {
		edges = append(edges, model.Edge{Source: u, Type: "DownstreamOf", Destination: b.table(j), Owner: u, Created: stamp, Updated: stamp})
		b.adjacency[j] = append(b.adjacency[j], int32(i))
	}
	for _, other := range []model.Edge{
		{Type: "OwnedBy", Destination: "urn:li:corpuser:owner"}, {Type: "TaggedWith", Destination: "urn:li:tag:t"},
		{Type: "IsPartOf", Destination: "urn:li:container:c"},
	} {
		other.Source, other.Owner, other.Created, other.Updated = u, u, stamp, stamp
		edges = append(edges, other)
	}
	return tx.PutEdges(ctx, rec.Key(), edges)
}

// inMemory walks the adjacency list, as the lower limit for any store.
func (b *bulk) inMemory() (reached int) {
	degrees := make([]int32, b.nodes)
	queue := make([]int32, 1, b.nodes)
	for ; len(queue) > 0; queue = queue[1:] {
		for _, next := range b.adjacency[queue[0]] {
			if next != 0 && degrees[next] == 0 {
				degrees[next] = degrees[queue[0]] + 1
				queue = append(queue, next)
				reached++
			}
		}
	}
	return reached
}

func (b *bulk) bench(tb *testing.B, q lineage.Query) {
	m := newMap(tb)
	q.Roots, q.Direction = []urn.URN{b.root}, lineage.Downstream
	tb.ReportAllocs()
	tb.ResetTimer()
	for range tb.N {
		r, err := m.Walk(tb.Context(), b.store, q)
		if err != nil {
			tb.Fatal(err)
		}
		if len(r.Nodes) != b.nodes-1 || len(r.Truncated) > 0 {
			tb.Fatalf("%d of %d nodes are reached, truncated %v", len(r.Nodes), b.nodes-1, r.Truncated)
		}
	}
	perWalk := float64(tb.Elapsed()) / float64(tb.N)
	tb.StopTimer()
	const rounds = 20
	start := time.Now()
	for range rounds {
		if n := b.inMemory(); n != b.nodes-1 {
			tb.Fatalf("%d of %d nodes are reached in memory", n, b.nodes-1)
		}
	}
	inMemory := float64(time.Since(start)) / rounds
	tb.ReportMetric(perWalk/float64(time.Millisecond), "ms/walk")
	tb.ReportMetric(inMemory/float64(time.Millisecond), "ms/in-memory")
	tb.ReportMetric(perWalk/inMemory, "ratio")
}

func BenchmarkDepth10Over2000(b *testing.B) {
	const nodes, depth = 2000, 10
	random := rand.New(rand.NewPCG(3, 4))
	layer := func(i int) int { return (i-1)*depth/(nodes-1) + 1 } // 1 to depth; the root is 0
	g := newBulk(b, nodes, func(i int) []int {
		if i == 0 {
			return nil
		}
		first := (layer(i) - 1 - 1) * (nodes - 1) / depth
		if layer(i) == 1 {
			return []int{0}
		}
		width := (nodes - 1) / depth
		return []int{first + 1 + random.IntN(width), first + 1 + random.IntN(width)}
	})
	g.bench(b, lineage.Query{})
}

func BenchmarkBlastRadius50000(b *testing.B) {
	g := newBulk(b, 50_000, func(i int) []int {
		if i == 0 {
			return nil
		}
		return []int{(i - 1) / 8}
	})
	g.bench(b, lineage.Query{MaxEdges: 1 << 20})
}
