package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestRelationshipsFollowTheirAspects(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		edges := f.Graph
		tags := func() []urn.URN {
			t.Helper()
			found, err := edges.Edges(t.Context(), graph.Query{Nodes: []urn.URN{dataset}, Direction: graph.Outgoing, Types: []string{"TaggedWith"}})
			if err != nil {
				t.Fatal(err)
			}
			out := []urn.URN{}
			for _, e := range found {
				out = append(out, e.Destination)
			}
			return out
		}
		want := func(urns ...urn.URN) {
			t.Helper()
			got := tags()
			if len(got) != len(urns) || len(urns) == 1 && got[0] != urns[0] {
				t.Errorf("tagged with %v, want %v", got, urns)
			}
		}
		write := func(value string) {
			t.Helper()
			if _, err := f.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(dataset, "globalTags", value)}, catalog.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		write(`{"tags":[{"tag":"urn:li:tag:a"}]}`)
		want("urn:li:tag:a")
		p := catalogtest.InRun("later", catalogtest.Proposal(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:b"}]}`))
		if _, err := f.Write(f.As(root), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		want("urn:li:tag:b")
		f.Rollback("later", run.Options{})
		want("urn:li:tag:a")
		if _, err := f.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(dataset, "globalTags", "", model.Delete)}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		want()
		write(`{"tags":[{"tag":"urn:li:tag:a"}]}`)
		if _, err := f.DeleteEntity(f.As(root), dataset); err != nil {
			t.Fatal(err)
		}
		want()
	})
}
