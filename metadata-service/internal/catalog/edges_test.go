package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestRelationshipsFollowTheirAspects(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		edges := edgesOf(f.store)
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
			if _, err := f.Write(f.as(root), []catalog.Proposal{proposal(dataset, "globalTags", value)}, catalog.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		write(`{"tags":[{"tag":"urn:li:tag:a"}]}`)
		want("urn:li:tag:a")
		p := inRun("later", proposal(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:b"}]}`))
		if _, err := f.Write(f.as(root), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		want("urn:li:tag:b")
		f.rollback("later", catalog.RollbackOptions{})
		want("urn:li:tag:a")
		if _, err := f.Write(f.as(root), []catalog.Proposal{proposal(dataset, "globalTags", "", model.Delete)}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		want()
		write(`{"tags":[{"tag":"urn:li:tag:a"}]}`)
		if _, err := f.DeleteEntity(f.as(root), dataset); err != nil {
			t.Fatal(err)
		}
		want()
	})
}
