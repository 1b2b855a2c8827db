package discover_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// around is a catalog in which jo views a domain, and three datasets and three containers with
// given names are hidden among visible ones.
func around(t *testing.T, hidden []string) *fixture {
	t.Helper()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	container := func(name string) urn.URN { return urn.Make("container", name) }
	upstreams := func(names []string) string {
		var list []string
		for _, name := range names {
			list = append(list, `{"dataset":"`+string(table(name))+`","type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		}
		return `{"upstreams":[` + strings.Join(list, ",") + `]}`
	}
	seen := []string{"b", "f", "k", "p", "u"}
	mine := func(u urn.URN) { f.put(u, "domains", `{"domains":["urn:li:domain:d"]}`) }
	within := func(u urn.URN, name string) {
		f.put(u, "container", `{"container":"`+string(container(name))+`"}`)
		f.put(u, "browsePathsV2", fmt.Sprintf(`{"path":[{"id":%q,"urn":%q}]}`, container(name), container(name)))
	}
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	for _, name := range seen {
		f.put(container(name), "containerProperties", `{"name":"c"}`)
		mine(container(name))
	}
	for _, name := range hidden {
		f.put(container(name), "containerProperties", `{"name":"c"}`)
	}
	for i, name := range append(hidden, seen...) {
		f.put(table(name), "datasetProperties", `{"name":"d"}`)
		inside := table(fmt.Sprint("inside", i))
		f.put(inside, "datasetProperties", `{"name":"i"}`)
		mine(inside)
		within(inside, name)
	}
	for _, name := range seen {
		mine(table(name))
	}
	f.put(table("inside0"), "upstreamLineage", upstreams(append(hidden, seen...)))
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	return f
}

// The order of hits with restricted ones, of groups of browse paths and of lineage does not depend
// on the names of the hidden entities. Otherwise an actor that writes entities of its own could
// find a name by comparison.
func TestNoOrderTellsHiddenNames(t *testing.T) {
	t.Parallel()
	concealed := regexp.MustCompile(`urn:li:restricted:[\w-]+`)
	var want map[string]string
	for _, hidden := range [][]string{{"a", "g", "x"}, {"c", "d", "e"}, {"v", "w", "z"}, {"z", "a", "l"}} {
		f := around(t, hidden)
		names, err := encryption.NewNames("a secret for tests")
		if err != nil {
			t.Fatal(err)
		}
		cfg := f.Config
		cfg.Names = names
		f.Service = discover.New(cfg)
		ctx := f.as(jo)
		got := map[string]string{}
		answer := func(name string, value any, err error) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got[name] = concealed.ReplaceAllString(fmt.Sprint(value), "R")
		}
		hits := func(hits []search.Hit) (urns []urn.URN) {
			for _, h := range hits {
				urns = append(urns, h.URN)
			}
			return urns
		}
		for _, sort := range [][]search.Sort{nil, {{Field: "urn"}}, {{Field: "urn", Descending: true}}, {{Field: "_score"}}} {
			for _, size := range []int{1, 3, 100} {
				q := discover.SearchQuery{Types: []string{"dataset", "container"}, Text: "*", Facets: []string{}, Sort: sort, Size: size, IncludeRestricted: true}
				for page := range 3 {
					q.From = page * size
					found, err := f.Search(ctx, q)
					answer(fmt.Sprintf("search %v %d %d", sort, size, page), fmt.Sprint(found.Total, found.More, hits(found.Hits)), err)
				}
			}
			q := discover.LineageQuery{URN: table("inside0"), Direction: lineage.Upstream}
			q.Sort, q.Size = sort, 100
			found, err := f.SearchLineage(ctx, q)
			var urns []any
			for _, h := range found.Hits {
				urns = append(urns, h.URN, h.Degree, h.Paths)
			}
			answer(fmt.Sprint("lineage ", sort), urns, err)
		}
		rows, err := f.Lineage(ctx, discover.LineageListing{URN: table("inside0"), Direction: lineage.Upstream, Count: 100})
		var urns []urn.URN
		for _, r := range rows.Rows {
			urns = append(urns, r.URN)
		}
		answer("lineage listing", urns, err)
		groups, err := f.Browse(ctx, discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: []string{"dataset"}, Size: 100}})
		answer("browse", groups, err)
		for size := range 4 {
			found, err := f.Search(ctx, discover.SearchQuery{Types: []string{"dataset"}, Facets: []string{"container", "_entityType␞container"}, FacetSize: size + 1})
			answer(fmt.Sprint("facets of ", size+1), found.Facets, err)
		}
		if want == nil {
			want = got
			if !strings.Contains(got["search [] 100 0"], "R R R") || !strings.Contains(got["browse"], "R") || !strings.Contains(got["lineage []"], "R") {
				t.Fatalf("nothing is restricted: %v", got)
			}
		}
		for name := range got {
			if got[name] != want[name] {
				t.Errorf("%s:\n%s with %v, and\n%s otherwise", name, got[name], hidden, want[name])
			}
		}
	}
}

// Pages of relationships are full while visible relationships follow, so that their size reveals no
// hidden ones.
func TestPagesOfRelationshipsCountNothingHidden(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	const tag = "urn:li:tag:t"
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	f.put(tag, "tagProperties", `{"name":"t"}`)
	tagged := func(name string, mine bool) {
		f.put(table(name), "globalTags", `{"tags":[{"tag":"`+tag+`"}]}`)
		if mine {
			f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
		}
	}
	for i := range 300 {
		tagged(fmt.Sprint("h", i), false)
		if i%100 == 50 {
			tagged(fmt.Sprint("v", i), true)
		}
	}
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	f.viewing("tags", jo, false, meets("TYPE", "EQUALS", "tag"))
	for _, count := range []int{1, 2, 3, 100} {
		var pages []int
		q := discover.EdgeQuery{Touching: []urn.URN{tag}, Types: []string{"TaggedWith"}, Count: count}
		for {
			page, err := f.Edges(f.as(jo), q)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, len(page.Edges))
			if page.Next == "" {
				break
			}
			q.Scroll = page.Next
		}
		want := map[int]string{1: "[1 1 1 0]", 2: "[2 1]", 3: "[3 0]", 100: "[3]"}[count]
		if fmt.Sprint(pages) != want {
			t.Errorf("pages of %d: %v, want %s", count, pages, want)
		}
	}
	page, err := f.Relationships(f.as(jo), discover.RelationshipQuery{URN: tag, Direction: graph.Incoming, Count: 100})
	if err != nil || page.Total != 3 {
		t.Errorf("by offset: %+v, %v", page, err)
	}
}

// An actor that writes an edge to a URN of its choice sees the same result for a hidden entity and
// for an absent one.
func TestLineageDoesNotTellWhetherAHiddenEntityExists(t *testing.T) {
	t.Parallel()
	concealed := regexp.MustCompile(`urn:li:restricted:[\w-]+`)
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, shows := range []bool{true, false} {
		var want map[string]string
		for _, state := range []string{"stored", "removed", "absent"} {
			f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
			f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
			for _, name := range []string{"own", "seen"} {
				f.put(table(name), "datasetProperties", `{"name":"d"}`)
				f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
			}
			if state != "absent" {
				f.put(table("guess"), "datasetProperties", `{"name":"d"}`)
			}
			if state == "removed" {
				f.put(table("guess"), "status", `{"removed":true}`)
			}
			f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
			var upstreams []string
			for _, name := range []string{"seen", "guess"} {
				upstreams = append(upstreams, `{"dataset":"`+string(table(name))+`","type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`)
			}
			f.put(table("own"), "upstreamLineage", `{"upstreams":[`+strings.Join(upstreams, ",")+`]}`)
			cfg := f.Config
			if cfg.Names = nil; shows {
				cfg.Names = names
			}
			f.Service = discover.New(cfg)
			got := map[string]string{}
			answer := func(name string, value any, err error) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got[name] = concealed.ReplaceAllString(fmt.Sprintf("%+v", value), "R")
			}
			q := discover.LineageQuery{URN: table("own"), Direction: lineage.Upstream}
			q.Size, q.Facets = 10, []string{"degree", "_entityType"}
			found, err := f.SearchLineage(f.as(jo), q)
			answer("search", found, err)
			q.Types, q.Filter = []string{"dataset"}, search.Filter{{{Field: "removed", Values: []string{"true"}, Negated: true}}}
			found, err = f.SearchLineage(f.as(jo), q)
			answer("filtered search", found, err)
			for _, ghosts := range []bool{true, false} {
				rows, err := f.Lineage(f.as(jo), discover.LineageListing{URN: table("own"), Direction: lineage.Upstream, Count: 10, IncludeGhosts: ghosts})
				answer(fmt.Sprint("listing ", ghosts), rows, err)
			}
			for _, removed := range []bool{true, false} {
				edges, err := f.Edges(f.as(jo), discover.EdgeQuery{Touching: []urn.URN{table("own")}, LineageOnly: true, Count: 10, IncludeSoftDeleted: removed})
				answer(fmt.Sprint("edges ", removed), edges.Ends, err)
				page, err := f.Relationships(f.as(jo), discover.RelationshipQuery{URN: table("own"), Direction: graph.Outgoing, Count: 10, IncludeSoftDeleted: removed})
				answer(fmt.Sprint("relationships ", removed), page, err)
			}
			if want == nil {
				want = got
				if strings.Contains(got["search"], "URN:R ") != shows || !strings.Contains(got["search"], "seen") {
					t.Errorf("restricted entities are shown: %t: %s", shows, got["search"])
				}
			}
			for name := range got {
				if got[name] != want[name] {
					t.Errorf("%s, %s:\n%s, and if it is stored\n%s", name, state, got[name], want[name])
				}
			}
		}
	}
}
