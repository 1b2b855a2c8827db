package discover_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Column lineage that a job states is as hidden as the job, although all columns are visible.
func TestLineageStatedByAHiddenJobIsHidden(t *testing.T) {
	t.Parallel()
	for _, restricted := range []bool{false, true} {
		f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
		if !restricted {
			f.Names = nil
		}
		column := func(dataset string) urn.URN { return urn.URN("urn:li:schemaField:(" + string(table(dataset)) + ",x)") }
		f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
		for _, name := range []string{"a", "b"} {
			f.put(table(name), "datasetProperties", `{"name":"`+name+`"}`)
			f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
		}
		f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
		seen := func() string {
			related, err := f.Relationships(f.as(jo), discover.RelationshipQuery{URN: column("b"), Direction: graph.Outgoing, Types: []string{"DownstreamOf"}, Count: 10})
			if err != nil {
				t.Fatal(err)
			}
			scrolled, err := f.Edges(f.as(jo), discover.EdgeQuery{Touching: []urn.URN{column("b")}, Types: []string{"DownstreamOf"}, Count: 10})
			if err != nil {
				t.Fatal(err)
			}
			q := discover.LineageQuery{URN: column("b"), Direction: lineage.Upstream}
			q.Size = 10
			upstream, err := f.SearchLineage(f.as(jo), q)
			if err != nil {
				t.Fatal(err)
			}
			var above []urn.URN
			for _, h := range upstream.Hits {
				above = append(above, h.URN)
			}
			return fmt.Sprintf("%d related, %d in pages, %d in a scroll, %d upstream: %v", related.Total, len(related.Edges), len(scrolled.Edges), len(above), above)
		}
		none := seen()
		job := func(n int) urn.URN {
			u := urn.URN(fmt.Sprintf("urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),j%d)", n))
			f.put(u, "dataJobInputOutput", fmt.Sprintf(`{"inputDatasets":[%q],"outputDatasets":[%q],"fineGrainedLineages":[
				{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}]}`, table("a"), table("b"), column("a"), column("b")))
			return u
		}
		for n := range 2 {
			job(n)
			if got := seen(); got != none {
				t.Errorf("restricted entities %v: with %d hidden jobs: %s; with none: %s", restricted, n+1, got, none)
			}
		}
		visible := job(2)
		f.put(visible, "domains", `{"domains":["urn:li:domain:d"]}`)
		if got, want := seen(), "1 related, 1 in pages, 1 in a scroll, 2 upstream: ["+string(visible)+" "+string(table("a"))+"]"; got != want {
			t.Errorf("restricted entities %v: with a visible job: %s, want %s", restricted, got, want)
		}
	}
}

// Where a hidden job and a visible dataset state the same edge, the listing describes that of the dataset.
func TestTheEdgeOfAHiddenJobDescribesNoUpstream(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	column := func(dataset string) urn.URN { return urn.URN("urn:li:schemaField:(" + string(table(dataset)) + ",x)") }
	const lineageText = `"fineGrainedLineages":[{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}]`
	columnLineage := fmt.Sprintf(lineageText, column("a"), column("b"))
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	for _, name := range []string{"a", "b"} {
		f.put(table(name), "datasetProperties", `{"name":"`+name+`"}`)
		f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
	}
	f.put(table("b"), "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED"}],%s}`, table("a"), columnLineage))
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	rows := func() string {
		page, err := f.Lineage(f.as(jo), discover.LineageListing{URN: column("b"), Direction: lineage.Upstream, Count: 10})
		if err != nil || len(page.Rows) == 0 {
			t.Fatalf("got %+v, %v", page, err)
		}
		return fmt.Sprintf("%+v", page.Rows)
	}
	none := rows()
	f.clock.Add(1000) // so that the edges of the jobs have other stamps
	for _, name := range []string{"0", "z"} {
		f.put(urn.URN("urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),"+name+")"), "dataJobInputOutput",
			fmt.Sprintf(`{"inputDatasets":[%q],"outputDatasets":[%q],%s}`, table("a"), table("b"), columnLineage))
		if got := rows(); got != none {
			t.Errorf("with the hidden job %s:\n%s\nwithout:\n%s", name, got, none)
		}
	}
}

// Properties of lineage are free text of its writer and may name any entity.
func TestPropertiesOfRelationshipsNameNothingHidden(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	for _, name := range []string{"a", "b"} {
		f.put(table(name), "datasetProperties", `{"name":"`+name+`"}`)
		f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
	}
	f.put(table("secret"), "datasetProperties", `{"name":"secret"}`)
	f.put(table("b"), "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED","properties":{"of":%q,"by":%q,"note":"plain"}}]}`, table("a"), table("secret"), table("a")))
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	q := discover.EdgeQuery{Touching: []urn.URN{table("b")}, Types: []string{"DownstreamOf"}, Count: 10}
	page, err := f.Edges(f.as(jo), q)
	if err != nil || len(page.Edges) != 1 {
		t.Fatalf("got %+v, %v", page, err)
	}
	if got, want := string(page.Edges[0].Properties), fmt.Sprintf(`{"by":%q,"note":"plain"}`, table("a")); got != want {
		t.Errorf("the properties are %s, want %s", got, want)
	}
	q.Edge = search.Filter{{{Field: "properties.of", Values: []string{string(table("secret"))}}}}
	if page, err = f.Edges(f.as(jo), q); err != nil || len(page.Edges) != 0 {
		t.Errorf("a filter by the hidden property finds %+v, %v", page, err)
	}
}
