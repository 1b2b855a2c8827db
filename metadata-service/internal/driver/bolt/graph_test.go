package bolt_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/graphtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestGraph(t *testing.T) {
	t.Parallel()
	graphtest.Run(t, func(t *testing.T) graphtest.Store { return openStore(t, filepath.Join(t.TempDir(), "store.db")) })
}

func link(source urn.URN, name string, destination urn.URN) model.Edge {
	stamp := model.AuditStamp{Time: 1700000000000, Actor: model.RootUser}
	return model.Edge{Source: source, Type: name, Destination: destination, Owner: source, Created: stamp, Updated: stamp}
}

func putEdges(t testing.TB, s *bolt.Store, owner store.Key, edges ...model.Edge) {
	t.Helper()
	if _, err := s.Update(t.Context(), func(tx store.Tx) error { return tx.PutEdges(t.Context(), owner, edges) }); err != nil {
		t.Fatal(err)
	}
}

func allEdges(t testing.TB, s *bolt.Store) []model.Edge {
	t.Helper()
	edges, err := s.Edges(t.Context(), graph.Query{Direction: graph.Incoming})
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

func TestEdgesOutliveTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	for i := range 300 {
		u := urn.Make("dataset", fmt.Sprint(i))
		putEdges(t, s, store.Key{URN: u, Aspect: "a"}, link(u, "Consumes", urn.Make("dataset", fmt.Sprint(i/3))), link(u, "TaggedWith", "urn:li:tag:t"))
	}
	want := allEdges(t, s)
	if len(want) != 600 {
		t.Fatalf("%d edges are listed, want 600", len(want))
	}
	s = reopen(t, s, path)
	if got := allEdges(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAFileWithoutEdgesIsUpgraded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	put(t, s, "urn:li:tag:a", "status", "1")
	want := strings.Replace(dump(t, s), "[urn:li:tag:a]\n", "[]\n", 1) // that format also has no terms
	if err := errors.Join(s.Close(), bolt.MakeFormat(path, 1)); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	if got := dump(t, s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	putEdges(t, s, store.Key{URN: "urn:li:tag:a", Aspect: "a"}, link("urn:li:tag:a", "Consumes", "urn:li:tag:b"))
	s = reopen(t, s, path)
	if got := allEdges(t, s); len(got) != 1 {
		t.Errorf("after an upgrade: got %v", got)
	}
}

func TestAPageOfAManifoldNodeReadsThatPageAlone(t *testing.T) {
	t.Parallel()
	const many = 10_000
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	owner := store.Key{URN: "urn:li:dataset:owner", Aspect: "upstreamLineage"}
	edges := make([]model.Edge, many)
	for i := range edges {
		edges[i] = link(urn.Make("schemaField", fmt.Sprint(i)), "DownstreamOf", "urn:li:schemaField:hub")
		edges[i].Owner = owner.URN
	}
	putEdges(t, s, owner, edges...)
	putEdges(t, s, store.Key{URN: "urn:li:schemaField:hub", Aspect: "a"}, link("urn:li:schemaField:hub", "Rare", "urn:li:tag:t"))

	late := edges[many-1000].Key()
	for name, q := range map[string]graph.Query{
		"the first page":            {Direction: graph.Incoming, Nodes: []urn.URN{"urn:li:schemaField:hub"}, Limit: 100},
		"a late page":               {Direction: graph.Incoming, Nodes: []urn.URN{"urn:li:schemaField:hub"}, After: &late, Limit: 100},
		"one neighbor":              {Direction: graph.Incoming, Nodes: []urn.URN{"urn:li:schemaField:hub"}, Neighbors: []urn.URN{edges[many/2].Source}},
		"neighbors without a node":  {Direction: graph.Incoming, Neighbors: []urn.URN{edges[many/2].Source}},
		"the other direction":       {Direction: graph.Outgoing, Nodes: []urn.URN{"urn:li:schemaField:hub"}},
		"a relationship it lacks":   {Direction: graph.Incoming, Nodes: []urn.URN{"urn:li:schemaField:hub"}, Types: []string{"Rare"}},
		"a relationship unheard of": {Direction: graph.Incoming, Types: []string{"Unknown"}},
	} {
		keys, err := s.KeysRead(t.Context(), q)
		if err != nil || keys > 150 {
			t.Errorf("%s: %d keys are read (%v), want a page's worth", name, keys, err)
		}
	}
	n, err := s.CountEdges(t.Context(), graph.Query{Direction: graph.Incoming, Nodes: []urn.URN{"urn:li:schemaField:hub"}})
	if err != nil || n != many {
		t.Errorf("got %d edges, %v, want %d", n, err, many)
	}
}

func TestAForgedPlaceIsRefused(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	e := link("urn:li:tag:a", "Consumes", "urn:li:tag:b")
	putEdges(t, s, store.Key{URN: "urn:li:tag:a", Aspect: "a"}, e)
	for name, change := range map[string]func(*model.EdgeKey){
		"source":      func(k *model.EdgeKey) { k.Source = "urn:li:tag:x" },
		"destination": func(k *model.EdgeKey) { k.Destination = "" },
		"owner":       func(k *model.EdgeKey) { k.Owner = "urn:li:tag:x" },
		"type":        func(k *model.EdgeKey) { k.Type = "Unknown" },
	} {
		key := e.Key()
		change(&key)
		if _, err := s.Edges(t.Context(), graph.Query{Direction: graph.Outgoing, After: &key}); !errors.Is(err, fault.Invalid) {
			t.Errorf("unknown %s: got error %v, want invalid", name, err)
		}
	}
}

func TestEdgeKeysSortLikeNumbers(t *testing.T) {
	t.Parallel()
	numbers := []uint64{1, 2, 255, 256, 65535, 65536, 1 << 24, 1 << 40, math.MaxUint64}
	var last []byte
	for _, node := range numbers {
		for _, neighbor := range numbers {
			key := bolt.EdgeKey(node, neighbor, 7, 1, 1, 0)
			if bytes.Compare(last, key) >= 0 {
				t.Errorf("%x does not come before %x", last, key)
			}
			last = key
			for incoming := range byte(2) {
				got, _, err := bolt.ParseEdge(bolt.EdgeKey(node, neighbor, 7, 9, 300, incoming), []byte{0, 0, 0}, &bolt.Words{})
				if want := [5]uint64{node, neighbor, 7, 9, 300}; err != nil || got != want {
					t.Errorf("got %v, %v, want %v", got, err, want)
				}
			}
		}
	}
}

func FuzzEdgeDecoders(f *testing.F) {
	f.Add(bolt.EdgeKey(1, 2, 3, 4, 5, 1), []byte{0, 0, 0})
	f.Add([]byte{9}, []byte{3, 1})
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, key, value []byte) {
		numbers, _, err := bolt.ParseEdge(key, value, &bolt.Words{})
		again, _, _ := bolt.ParseEdge(key, value, &bolt.Words{})
		if err == nil && numbers != again {
			t.Errorf("%x is read as %v and as %v", key, numbers, again)
		}
	})
}
