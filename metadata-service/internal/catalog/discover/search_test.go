package discover_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/canceltest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func table(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

// shop writes a few tables, each downstream of the one before.
func (f *fixture) shop() {
	for i, name := range []string{"raw_orders", "orders", "orders_daily", "revenue"} {
		f.put(table(name), "datasetProperties", `{"name":"`+name+`"}`)
		f.put(table(name), "globalTags", `{"tags":[{"tag":"urn:li:tag:shop"}]}`)
		f.put(table(name), "browsePathsV2", `{"path":[{"id":"hive"},{"id":"g`+fmt.Sprint(i%2)+`"}]}`)
		if i > 0 {
			before := []string{"raw_orders", "orders", "orders_daily"}[i-1]
			f.put(table(name), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table(before))+`","type":"TRANSFORMED"}]}`)
		}
	}
}

func (f *fixture) search(q discover.SearchQuery) discover.SearchPage {
	f.t.Helper()
	if q.Size == 0 {
		q.Size = 10
	}
	page, err := f.Search(f.as(root), q)
	if err != nil {
		f.t.Fatal(err)
	}
	return page
}

func found(hits []search.Hit) []urn.URN {
	var out []urn.URN
	for _, h := range hits {
		out = append(out, h.URN)
	}
	return out
}

func TestWhatWasWrittenIsFoundAtOnce(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.shop()
		page := f.search(discover.SearchQuery{Text: "orders"})
		if page.Total != 3 || page.Hits[0].URN != table("orders") {
			t.Fatalf("orders finds %d, first %v", page.Total, found(page.Hits))
		}
		f.put(table("orders"), "status", `{"removed":true}`)
		if page := f.search(discover.SearchQuery{Text: "orders"}); page.Total != 2 {
			t.Errorf("a soft-deleted table is found: %v", found(page.Hits))
		}
		if page := f.search(discover.SearchQuery{Text: "orders", IncludeSoftDeleted: true}); page.Total != 3 {
			t.Errorf("asked for, a soft-deleted table is not found: %v", found(page.Hits))
		}
		asked := search.Filter{{{Field: "removed", Values: []string{"true"}}}}
		if page := f.search(discover.SearchQuery{Filter: asked}); page.Total != 1 {
			t.Errorf("a filter on removed finds %d", page.Total)
		}
		f.remove(table("orders_daily"))
		if page := f.search(discover.SearchQuery{Text: "orders"}); page.Total != 1 {
			t.Errorf("a deleted table is found: %v", found(page.Hits))
		}
	})
}

// Expressions of people and programs find the results that the documentation of search engines
// promises.
func TestExpressionsFindFieldsOfTheModel(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	f.put(table("os_mask_log"), "datasetProperties", `{"name":"os_mask_log","description":"the logical log","customProperties":{"encoding":"utf8"}}`)
	f.put("urn:li:dataType:datahub.number", "dataTypeInfo", `{"qualifiedName":"datahub.number"}`)
	f.put("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`)
	f.put("urn:li:structuredProperty:io.retention.days", "propertyDefinition", `{"qualifiedName":"io.retention.days","valueType":"urn:li:dataType:datahub.number","entityTypes":["urn:li:entityType:datahub.dataset"]}`)
	f.put(table("orders"), "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:io.retention.days","values":[{"double":90}]}]}`)
	for text, want := range map[string]int{
		"/q name: *mask*":                                    1,
		"/q customProperties: encoding*":                     1,
		"/q customProperties: \"encoding=utf8\"":             1,
		"/q description: *logical*":                          1,
		"/q browsePaths: *g1*":                               2,
		"/q _exists_:description":                            1,
		"/q -_exists_:description AND tags:*":                4,
		"/q structuredProperties.io.retention.days:90":       1,
		"/q structuredProperties.io.retention.days:>89":      1,
		"/q _exists_:structuredProperties.io_retention_days": 1,
		"/q name:/ord.+/":                                    3,
	} {
		if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Text: text}); page.Total != want {
			t.Errorf("%s finds %d, want %d", text, page.Total, want)
		}
	}
	for text, part := range map[string]string{"/q nmae:x": `no field "nmae"`, "/q name:x^2": "boost"} {
		if _, err := f.Search(f.as(root), discover.SearchQuery{Types: []string{"dataset"}, Text: text, Size: 1}); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFacetsOfAFilterKeepItsValues(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	page := f.search(discover.SearchQuery{Filter: search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:shop", "urn:li:tag:none"}}, {Field: "name", Values: []string{"orders"}}}}})
	counts := map[string]map[string]int{}
	for _, facet := range page.Facets {
		counts[facet.Field] = map[string]int{}
		for _, b := range facet.Buckets {
			counts[facet.Field][b.Value] = b.Count
		}
	}
	if n, ok := counts["tags"]["urn:li:tag:none"]; !ok || n != 0 || counts["tags"]["urn:li:tag:shop"] != 1 {
		t.Errorf("tags count %v", counts["tags"])
	}
	if _, ok := counts["name"]; !ok {
		t.Error("a filtered field has no facet")
	}
	if n, ok := counts["_entityType"]["chart"]; !ok || n != 0 || counts["_entityType"]["dataset"] != 1 {
		t.Errorf("types count %v", counts["_entityType"])
	}
}

func TestScrollSeesEverythingOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	for i := range 57 {
		f.put(table(fmt.Sprintf("t%02d", i)), "datasetProperties", fmt.Sprintf(`{"name":"t%02d"}`, 57-i))
	}
	for _, sort := range [][]search.Sort{nil, {{Field: "urn"}}, {{Field: "_entityName", Descending: true}}, {{Field: "nothing"}}} {
		seen := map[urn.URN]bool{}
		q := discover.SearchQuery{Types: []string{"dataset"}, Sort: sort, Size: 10, Facets: []string{}}
		for {
			page := f.search(q)
			for _, u := range found(page.Hits) {
				if seen[u] {
					t.Fatalf("%s came twice", u)
				}
				seen[u] = true
			}
			if page.Total != 57 {
				t.Fatalf("total is %d", page.Total)
			}
			if page.Next == "" {
				break
			}
			q.Scroll = page.Next
		}
		if len(seen) != 57 {
			t.Errorf("sorted by %v, %d were seen", sort, len(seen))
		}
	}
	page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Size: 10})
	for name, q := range map[string]discover.SearchQuery{
		"another query": {Types: []string{"dataset"}, Text: "t01", Scroll: page.Next},
		"a forged id":   {Types: []string{"dataset"}, Scroll: "AAAA" + page.Next},
		"with a start":  {Types: []string{"dataset"}, Scroll: page.Next, From: 3},
	} {
		if _, err := f.Search(f.as(root), q); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestHierarchiesAreFollowedInFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.put("urn:li:domain:top", "domainProperties", `{"name":"Top"}`)
	f.put("urn:li:domain:mid", "domainProperties", `{"name":"Mid","parentDomain":"urn:li:domain:top"}`)
	f.put("urn:li:domain:low", "domainProperties", `{"name":"Low","parentDomain":"urn:li:domain:mid"}`)
	for _, name := range []string{"top", "mid", "low"} {
		f.put(table(name), "domains", `{"domains":["urn:li:domain:`+name+`"]}`)
	}
	for condition, want := range map[search.Condition]int{
		discover.DescendantsIncl: 2, discover.AncestorsIncl: 2, discover.RelatedIncl: 3, search.Equal: 1, discover.In: 1,
	} {
		filter := search.Filter{{{Field: "domains", Condition: condition, Values: []string{"urn:li:domain:mid"}}}}
		if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: filter}); page.Total != want {
			t.Errorf("%s of the middle domain finds %d, want %d", condition, page.Total, want)
		}
	}
	below := search.Filter{{{Field: "_domains", Values: []string{"urn:li:domain:top"}}}}
	if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: below}); page.Total != 3 {
		t.Fatalf("%d tables are in the top domain or below", page.Total)
	}
	// The contents of a domain move with it.
	f.put("urn:li:domain:mid", "domainProperties", `{"name":"Mid"}`)
	if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: below}); page.Total != 1 {
		t.Errorf("after the move %d tables are in the top domain or below", page.Total)
	}
}

func TestBrowseCountsEveryLevel(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	page, err := f.Browse(f.as(root), discover.BrowseQuery{SearchQuery: discover.SearchQuery{Size: 10}})
	if err != nil {
		t.Fatal(err)
	}
	if page.Total != 4 || page.Groups != 1 || page.Items[0] != (discover.BrowseGroup{Name: "hive", Count: 4, HasSubGroups: true}) {
		t.Fatalf("the root is %+v", page)
	}
	page, err = f.Browse(f.as(root), discover.BrowseQuery{SearchQuery: discover.SearchQuery{Size: 10}, Path: []string{"hive"}})
	if err != nil || page.Groups != 2 || page.Items[1] != (discover.BrowseGroup{Name: "g1", Count: 2}) {
		t.Fatalf("below hive is %+v, %v", page, err)
	}
	f.put(table("revenue"), "status", `{"removed":true}`)
	for name, tt := range map[string]struct {
		q     discover.SearchQuery
		total int
	}{
		"what is removed is not browsed":   {discover.SearchQuery{}, 3},
		"what is removed can be asked for": {discover.SearchQuery{IncludeSoftDeleted: true}, 4},
		"an expression":                    {discover.SearchQuery{Text: "name:orders_daily", Structured: true}, 1},
	} {
		tt.q.Size = 10
		page, err := f.Browse(f.as(root), discover.BrowseQuery{SearchQuery: tt.q})
		if err != nil || page.Total != tt.total || page.Items[0].Count != tt.total {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
}

func TestLineageIsSearched(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.shop()
		ask := func(q discover.LineageQuery) discover.LineagePage {
			t.Helper()
			q.Size, q.Facets = 10, nil
			page, err := f.SearchLineage(f.as(root), q)
			if err != nil {
				t.Fatal(err)
			}
			return page
		}
		page := ask(discover.LineageQuery{URN: table("raw_orders"), Direction: lineage.Downstream})
		degrees := map[urn.URN]int{}
		for _, h := range page.Hits {
			degrees[h.URN] = h.Degree
		}
		if page.Total != 3 || degrees[table("orders")] != 1 || degrees[table("orders_daily")] != 2 || degrees[table("revenue")] != 3 {
			t.Fatalf("downstream are %v", degrees)
		}
		facet := page.Facets[len(page.Facets)-1]
		if want := []search.Bucket{{Value: "1", Count: 1}, {Value: "2", Count: 1}, {Value: "3+", Count: 1}}; facet.Field != "degree" || !slices.Equal(facet.Buckets, want) {
			t.Errorf("degrees count %+v", facet)
		}
		near := search.Filter{{{Field: "degree", Values: []string{"1", "2"}}}}
		page = ask(discover.LineageQuery{URN: table("revenue"), Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Filter: near, Text: "daily"}})
		if page.Total != 1 || page.Hits[0].URN != table("orders_daily") {
			t.Errorf("upstream near are %+v", page.Hits)
		}
		for name, tt := range map[string]struct {
			all   []search.Criterion
			total int
		}{
			"none of a degree":     {[]search.Criterion{{Field: "degree", Values: []string{"1"}, Negated: true}}, 2},
			"no degree":            {[]search.Criterion{{Field: "degree"}}, 0},
			"any degree":           {[]search.Criterion{{Field: "degree", Condition: search.Exists, Values: []string{""}}}, 3},
			"two at the same time": {[]search.Criterion{{Field: "degree", Values: []string{"1", "2"}}, {Field: "degree", Values: []string{"2", "3+"}}}, 1},
		} {
			page := ask(discover.LineageQuery{
				URN: table("raw_orders"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Filter: search.Filter{tt.all}},
			})
			if page.Total != tt.total {
				t.Errorf("%s: got %d, want %d", name, page.Total, tt.total)
			}
		}
		wrong := search.Filter{{{Field: "degree", Values: []string{"4"}}}}
		if _, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: table("revenue"), Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Filter: wrong}}); fault.KindOf(err) != fault.Malformed {
			t.Errorf("degree 4: got %v", err)
		}
	})
}

// shortSighted lets actors see only entities that are tagged for them.
type shortSighted struct{ authtest.Plain }

func (shortSighted) Visible(_ context.Context, reading auth.Reading) (auth.Visibility, error) {
	open := search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:open"}}}}
	return auth.Visibility{Types: reading.Types, Filter: open}, nil
}

func TestOnlyWhatMayBeSeenIsCounted(t *testing.T) {
	t.Parallel()
	on := inMemory()
	on.Authorizer = shortSighted{}
	f := newFixture(t, on)
	f.shop()
	f.put(table("orders_daily"), "globalTags", `{"tags":[{"tag":"urn:li:tag:open"},{"tag":"urn:li:tag:shop"}]}`)
	page := f.search(discover.SearchQuery{})
	if page.Total != 1 || len(page.Hits) != 1 {
		t.Fatalf("%d are seen: %v", page.Total, found(page.Hits))
	}
	for _, facet := range page.Facets {
		for _, b := range facet.Buckets {
			if b.Count > 1 {
				t.Errorf("facet %s counts %d of %s", facet.Field, b.Count, b.Value)
			}
		}
	}
	walked, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: table("orders"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Size: 10}})
	if err != nil || walked.Total != 1 || walked.Hits[0].URN != table("orders_daily") {
		t.Errorf("lineage shows %+v, %v", walked, err)
	}
	related, err := f.Relationships(f.as(root), discover.RelationshipQuery{URN: table("orders"), Direction: "INCOMING", Count: 10})
	if err != nil || related.Total != 1 {
		t.Errorf("relationships show %+v, %v", related, err)
	}
}

func TestLongTextsAndOrdersCanBeScrolled(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	long := strings.Repeat("long ", 20_000)
	for _, name := range []string{"a", "b", "c"} {
		f.put(table(name), "datasetProperties", `{"name":"`+long+name+`","qualifiedName":"`+long+name+`","description":"`+long+`"}`)
	}
	q := discover.SearchQuery{Types: []string{"dataset"}, Size: 1, Facets: []string{}}
	for range 1000 {
		q.Sort = append(q.Sort, search.Sort{Field: "name"}, search.Sort{Field: "description"}, search.Sort{Field: "qualifiedName.keyword"})
	}
	for n := range 3 {
		page := f.search(q)
		if len(page.Hits) != 1 || (page.Next == "") != (n == 2) {
			t.Fatalf("page %d holds %v, next is %d bytes", n, found(page.Hits), len(page.Next))
		}
		q.Scroll = page.Next
	}
	q.Scroll, q.Sort = "", nil
	for i := range 20 {
		q.Sort = append(q.Sort, search.Sort{Field: fmt.Sprintf("structuredProperties.p%d", i)})
	}
	if _, err := f.Search(f.as(root), q); fault.KindOf(err) != fault.Malformed {
		t.Errorf("an order of 20 fields: %v", err)
	}
}

func TestRelationshipsScroll(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.shop()
		seen := map[string]bool{}
		q := discover.EdgeQuery{Types: []string{"DownstreamOf"}, Count: 2}
		for {
			page, err := f.Edges(f.as(root), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Edges {
				seen[string(e.Source+e.Destination)] = true
			}
			if page.Next == "" {
				break
			}
			q.Scroll = page.Next
		}
		if len(seen) != 3 {
			t.Errorf("%d edges were seen", len(seen))
		}
		touching, err := f.Edges(f.as(root), discover.EdgeQuery{Touching: []urn.URN{table("orders")}, LineageOnly: true, Count: 100})
		if err != nil || len(touching.Edges) != 2 || len(touching.Ends) != 2 || touching.Next != "" {
			t.Fatalf("both listings are %+v, %v", touching, err)
		}
		for i := range 2 {
			q := discover.EdgeQuery{Touching: []urn.URN{table("orders")}, LineageOnly: true, Count: 1}
			if i > 0 {
				q.Scroll = touching.Next
			}
			if touching, err = f.Edges(f.as(root), q); err != nil || len(touching.Edges) != 1 || touching.Next == "" {
				t.Fatalf("page %d is %+v, %v", i, touching, err)
			}
		}
		if _, err := f.Edges(f.as(root), discover.EdgeQuery{Count: 10, Scroll: "nonsense"}); fault.KindOf(err) != fault.Malformed {
			t.Errorf("a forged scroll id: %v", err)
		}
	})
}

func TestWhatNobodyAskedForIsLeftOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	stage := func(name, settings string) urn.URN {
		u := urn.URN("urn:li:lifecycleStageType:" + name)
		f.put(u, "lifecycleStageTypeInfo", `{"name":"`+name+`","entityTypes":["dataset"],"settings":{"hideInSearch":`+settings+`},"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
		return u
	}
	draft, live := stage("draft", "true"), stage("live", "false")
	for name, u := range map[string]urn.URN{"hidden": draft, "shown": live} {
		f.put(table(name), "status", `{"removed":false,"lifecycleStage":"`+string(u)+`"}`)
	}
	if page := f.search(discover.SearchQuery{Types: []string{"DATASET"}}); page.Total != 1 || page.Hits[0].URN != table("shown") {
		t.Errorf("found are %v", found(page.Hits))
	}
	if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, IncludeHiddenStages: true}); page.Total != 2 {
		t.Errorf("with hidden stages %d are found", page.Total)
	}
	asked := search.Filter{{{Field: "lifecycleStage", Values: []string{string(draft)}}}}
	if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: asked}); page.Total != 1 {
		t.Errorf("asked for, %d drafts are found", page.Total)
	}
	version := func(n, sortID string) string {
		return `{"versionSet":"urn:li:versionSet:(m,mlModel)","sortId":"` + sortID + `","version":{"versionTag":"` + n + `"}}`
	}
	old, latest := urn.URN("urn:li:mlModel:(urn:li:dataPlatform:mlflow,m1,PROD)"), urn.URN("urn:li:mlModel:(urn:li:dataPlatform:mlflow,m2,PROD)")
	f.put(old, "versionProperties", version("1", "a"))
	f.put(latest, "versionProperties", version("2", "b"))
	if page := f.search(discover.SearchQuery{Types: []string{"mlModel"}}); page.Total != 1 || page.Hits[0].URN != latest {
		t.Errorf("versions found are %v", found(page.Hits))
	}
	if page := f.search(discover.SearchQuery{Types: []string{"mlModel"}, IncludeOldVersions: true}); page.Total != 2 {
		t.Errorf("with old versions %d are found", page.Total)
	}
	for name, types := range map[string][]string{"an unknown type": {"spaceship"}, "a type of the service": {"dataHubAccessToken"}} {
		if _, err := f.Search(f.as(root), discover.SearchQuery{Types: types}); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestCompletionsAndCounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	f.put(chart, "chartInfo", `{"title":"Orders per day","description":"","lastModified":{"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}}`)
	got, err := f.Autocomplete(f.as(root), search.AutocompleteQuery{Text: "ord", Limit: 10})
	if err != nil || len(got) != 4 || got[0].Text != "orders" {
		t.Errorf("ord is completed to %+v, %v", got, err)
	}
	if _, err := f.Autocomplete(f.as(root), search.AutocompleteQuery{Text: " "}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("nothing typed: %v", err)
	}
	f.put(table("orders"), "status", `{"removed":true}`)
	counts, err := f.CountEntities(f.as(root), []string{"dataset", "chart", "tag"})
	if err != nil || !slices.Equal(counts, []int{4, 1, 0}) {
		t.Errorf("counts are %v, %v", counts, err)
	}
}

func TestTheOlderBrowseTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.put(table("a"), "browsePaths", `{"paths":["/prod/hive"]}`)
	f.put(table("b"), "browsePaths", `{"paths":["/prod/hive/deep"]}`)
	page, err := f.BrowsePaths(f.as(root), "dataset", "/prod/hive", nil, 0, 10)
	if err != nil || page.Total != 2 || page.AtPath != 1 || len(page.Entities) != 1 || page.Entities[0].URN != table("a") || page.Groups != 1 || page.Items[0].Name != "deep" {
		t.Errorf("at /prod/hive are %+v, %v", page, err)
	}
	if page, err = f.BrowsePaths(f.as(root), "dataset", "", nil, 0, 10); err != nil || page.Items[0] != (discover.BrowseGroup{Name: "prod", Count: 2, HasSubGroups: true}) {
		t.Errorf("the root is %+v, %v", page, err)
	}
	paths, err := f.PathsOf(f.as(root), table("b"))
	if err != nil || !slices.Equal(paths, []string{"/prod/hive/deep"}) {
		t.Errorf("the paths are %q, %v", paths, err)
	}
	if paths, err = f.PathsOf(f.as(root), table("none")); err != nil || len(paths) != 0 {
		t.Errorf("what has no paths has %q, %v", paths, err)
	}
	if _, err := f.Browse(f.as(root), discover.BrowseQuery{SearchQuery: discover.SearchQuery{From: -1}}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("a page in front of the first: %v", err)
	}
}

func TestPropertiesThatAreFiltersHaveFacets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.write(withProperty("gold")...)
	f.put(property, "structuredPropertySettings", `{"showInSearchFilters":true}`)
	page := f.search(discover.SearchQuery{Types: []string{"dataset"}, PropertyFacets: true})
	last := page.Facets[len(page.Facets)-1]
	if last.Field != "structuredProperties.team.cost" || !slices.Equal(last.Buckets, []search.Bucket{{Value: "gold", Count: 1}}) {
		t.Errorf("the facet of the property is %+v", last)
	}
	for _, field := range []string{"structuredProperties.team.cost", "structuredProperties.team_cost", "structuredProperties.team.cost.keyword", "_entityType␞structuredProperties.team.cost"} {
		value := "gold"
		if strings.Contains(field, "␞") {
			value = "dataset␞gold"
		}
		page := f.search(discover.SearchQuery{
			Types: []string{"dataset"}, Filter: search.Filter{{{Field: field, Values: []string{value}}}}, PropertyFacets: true,
			Sort: []search.Sort{{Field: "structuredProperties.team.cost"}},
		})
		counted := 0
		for _, facet := range page.Facets {
			if strings.HasPrefix(facet.Field, "structuredProperties.") && slices.Contains(facet.Buckets, search.Bucket{Value: "gold", Count: 1}) {
				counted++
			}
		}
		if page.Total != 1 || counted != 1 {
			t.Errorf("%s finds %d, %d facets count it", field, page.Total, counted)
		}
	}
	if page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Text: "structuredProperties.team.cost:gold", Structured: true}); page.Total != 1 {
		t.Errorf("an expression finds %d", page.Total)
	}
	if name := f.FacetName("tags"); name != "Tagged With" {
		t.Errorf("tags are shown as %q", name)
	}
	if name := f.FacetName("tags.keyword␞nothing␞_entityType"); name != "Tagged With␞nothing␞Type" {
		t.Errorf("a nested facet is called %q", name)
	}
	if name := f.FacetName("nothing"); name != "nothing" {
		t.Errorf("a field without a name is shown as %q", name)
	}
}

func TestLineageIsListed(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.shop()
		f.put(table("revenue"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("orders_daily"))+`","type":"TRANSFORMED","properties":{"source":"UI"}},{"dataset":"`+string(table("ghost"))+`","type":"COPY","properties":{"source":"pipeline"}}]}`)
		rows, err := f.Lineage(f.as(root), discover.LineageListing{URN: table("revenue"), Direction: lineage.Upstream, Count: 10})
		if err != nil || rows.Total != 1 || rows.Filtered != 1 || !rows.Rows[0].Manual || rows.Rows[0].Type != "DownstreamOf" || rows.Rows[0].Degree != 1 {
			t.Errorf("upstream are %+v, %v", rows, err)
		}
		rows, err = f.Lineage(f.as(root), discover.LineageListing{URN: table("revenue"), Direction: lineage.Upstream, Count: 10, MaxHops: 5, IncludeGhosts: true})
		if err != nil || rows.Total != 4 || rows.Filtered != 0 {
			t.Errorf("all upstream are %+v, %v", rows, err)
		}
		// Siblings share their lineage unless SeparateSiblings is set.
		f.put(table("sibling"), "siblings", `{"siblings":["`+string(table("orders"))+`"],"primary":true}`)
		for separate, want := range map[bool]int{false: 1, true: 0} {
			rows, err = f.Lineage(f.as(root), discover.LineageListing{URN: table("sibling"), Direction: lineage.Downstream, Count: 10, SeparateSiblings: separate})
			if err != nil || rows.Total != want {
				t.Errorf("separate %t: downstream are %+v, %v", separate, rows, err)
			}
		}
		if _, err := f.Lineage(f.as(root), discover.LineageListing{URN: table("sibling"), Direction: lineage.Downstream, Start: -1}); fault.KindOf(err) != fault.Malformed {
			t.Errorf("a page in front of the first: %v", err)
		}
	})
}

func TestLineageKeepsToItsWindow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.put(table("new"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("old"))+`","type":"COPY","auditStamp":{"time":1000,"actor":"urn:li:corpuser:jo"}}]}`)
	f.put(table("old"), "status", `{"removed":false}`)
	at := func(n int64) *int64 { return &n }
	for want, window := range map[int][2]*int64{1: {at(500), at(1500)}, 0: {at(1500), nil}} {
		page, err := f.SearchLineage(f.as(root), discover.LineageQuery{
			URN: table("new"), Direction: lineage.Upstream, StartTime: window[0], EndTime: window[1], SearchQuery: discover.SearchQuery{Size: 5},
		})
		if err != nil || page.Total != want {
			t.Errorf("in the window %d are upstream, want %d: %v", page.Total, want, err)
		}
	}
}

func TestPathsLeadFromDatasetToDataset(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	q := discover.LineageQuery{URN: table("raw_orders"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Size: 5, Sort: []search.Sort{{Field: "urn"}}}}
	page, err := f.SearchLineage(f.as(root), q)
	if err != nil || len(page.Hits) != 3 {
		t.Fatalf("got %+v, %v", page, err)
	}
	whole := []urn.URN{table("raw_orders"), table("orders"), table("orders_daily"), table("revenue")}
	for i, h := range page.Hits {
		if want := whole[:i+2]; len(h.Paths) != 1 || !slices.Equal(h.Paths[0], want) {
			t.Errorf("the paths to %s are %v, want %v", h.URN, h.Paths, want)
		}
	}
	q.WithoutPaths = true
	if page, err = f.SearchLineage(f.as(root), q); err != nil || page.Hits[0].Paths != nil {
		t.Errorf("paths are not left out: %v, %v", page.Hits, err)
	}
}

// Every layer of four tables is downstream of all tables of the layer before, so the last one has
// 4^9 paths.
func TestPathsOfAPageAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	const layers, width = 10, 4
	name := func(layer, i int) string { return fmt.Sprintf("l%d_%d", layer, i) }
	for layer := range layers {
		for i := range width {
			var upstreams []string
			for j := range width {
				from := name(layer-1, j)
				if layer == 0 {
					from = "start"
				}
				upstreams = append(upstreams, `{"dataset":"`+string(table(from))+`","type":"COPY"}`)
			}
			f.put(table(name(layer, i)), "upstreamLineage", `{"upstreams":[`+strings.Join(upstreams, ",")+`]}`)
		}
	}
	page, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: table("start"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Size: 100}})
	if err != nil || len(page.Hits) != layers*width {
		t.Fatalf("%d are reached, %v", len(page.Hits), err)
	}
	for _, h := range page.Hits {
		if most := min(10, 1<<(2*(h.Degree-1))); len(h.Paths) != most || len(h.Paths[0]) != h.Degree+1 {
			t.Errorf("%s has %d paths: %v, want %d", h.URN, len(h.Paths), h.Paths, most)
		}
	}
}

func TestACancelledContextEndsASearchAlongLineage(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.put(table("start"), "status", `{"removed":false}`)
	var batch []catalog.Proposal
	for i := range 1200 {
		batch = append(batch, proposal(table(fmt.Sprint("t", i)), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("start"))+`","type":"COPY"}]}`))
	}
	f.write(batch...)
	round := 0
	canceltest.Loop(t, "a search along lineage", 40, func(ctx context.Context) error {
		round++
		_, err := f.SearchLineage(auth.WithActor(ctx, auth.Actor{URN: root}), discover.LineageQuery{
			URN: table("start"), Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{
				Size: 1000, Filter: search.Filter{{{Field: "name", Values: []string{fmt.Sprint("round", round)}, Negated: true}}},
			},
		})
		return err
	})
}

func TestLineageDrawnByPeopleIsInEveryWindow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	upstream := func(name, more string) string {
		return `{"dataset":"` + string(table(name)) + `","type":"COPY","auditStamp":{"time":9000,"actor":"urn:li:corpuser:jo"}` + more + `}`
	}
	for _, name := range []string{"drawn", "made", "ingested"} {
		f.put(table(name), "status", `{"removed":false}`)
	}
	f.put(table("new"), "upstreamLineage", `{"upstreams":[`+upstream("drawn", `,"properties":{"source":"UI"}`)+`,`+
		upstream("made", `,"created":{"time":1000,"actor":"urn:li:corpuser:jo"}`)+`,`+upstream("ingested", "")+`]}`)
	from, to := int64(500), int64(1500)
	page, err := f.SearchLineage(f.as(root), discover.LineageQuery{
		URN: table("new"), Direction: lineage.Upstream, StartTime: &from, EndTime: &to, SearchQuery: discover.SearchQuery{Size: 5, Sort: []search.Sort{{Field: "urn"}}},
	})
	var got []urn.URN
	for _, h := range page.Hits {
		got = append(got, h.URN)
	}
	if want := []urn.URN{table("drawn"), table("made")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("in the window %v are upstream, want %v: %v", got, want, err)
	}
	rows, err := f.Lineage(f.as(root), discover.LineageListing{URN: table("new"), Direction: lineage.Upstream, Count: 10, StartTime: &from, EndTime: &to})
	if err != nil || rows.Total != 2 {
		t.Errorf("in the window are %+v, %v", rows, err)
	}
}

func TestColumnsLeadToTheirTables(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	column := func(table, name string) urn.URN {
		return urn.URN("urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive," + table + ",PROD)," + name + ")")
	}
	f.put(table("from"), "status", `{"removed":false}`)
	f.put(table("to"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("from"))+`","type":"COPY"}],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","upstreams":["`+string(column("from", "a"))+`"],"downstreamType":"FIELD","downstreams":["`+string(column("to", "b"))+`"],"confidenceScore":1}]}`)
	page, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: column("to", "b"), Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Size: 5}})
	if err != nil || page.Total != 1 || page.Hits[0].URN != table("from") {
		t.Fatalf("upstream are %+v, %v", page, err)
	}
	if want := []urn.URN{column("to", "b"), column("from", "a")}; len(page.Hits[0].Paths) != 1 || !slices.Equal(page.Hits[0].Paths[0], want) {
		t.Errorf("the paths are %v", page.Hits[0].Paths)
	}
}

// The lineage of one table adds no edges to another one or to its columns.
func TestTheLineageOfATableSaysNothingOfColumnsOfAnother(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	column := func(table urn.URN) urn.URN { return urn.Make("schemaField", string(table), "c") }
	foreign, own := table("foreign"), urn.Make("dataset", "urn:li:dataPlatform:hive", "a%2Cb (c)", "PROD")
	for _, u := range []urn.URN{table("from"), foreign, own} {
		f.put(u, "status", `{"removed":false}`)
	}
	fine := func(to urn.URN) string {
		return fmt.Sprintf(`{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}`, column(table("from")), to)
	}
	f.put(own, "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("from"))+`","type":"COPY"}],"fineGrainedLineages":[`+fine(column(foreign))+`,`+fine(column(own))+`]}`)
	for of, want := range map[urn.URN]int{foreign: 0, own: 1} {
		page, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: column(of), Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Size: 5}})
		if err != nil || page.Total != want {
			t.Errorf("upstream of %s are %+v, %v", column(of), page, err)
		}
	}
}

func TestTheColumnsOfATableAreOneResultWithAllPaths(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	column := func(table, name string) urn.URN {
		return urn.URN("urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive," + table + ",PROD)," + name + ")")
	}
	const job, query = urn.URN("urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),j)"), urn.URN("urn:li:query:q")
	fine := func(more string, to urn.URN, from ...string) string {
		return `{"upstreamType":"FIELD_SET","upstreams":["` + strings.Join(from, `","`) + `"],"downstreamType":"FIELD","downstreams":["` + string(to) + `"],"confidenceScore":1` + more + `}`
	}
	start := column("to", "b")
	f.put(table("from"), "status", `{"removed":false}`)
	f.put(table("source"), "status", `{"removed":false}`)
	f.put(query, "queryProperties", `{"statement":{"value":"select 1","language":"SQL"},"source":"MANUAL","created":{"time":1,"actor":"urn:li:corpuser:a"},"lastModified":{"time":1,"actor":"urn:li:corpuser:a"}}`)
	f.put(table("to"), "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[`+
		fine(`,"query":"`+string(query)+`"`, start, string(column("from", "x")), string(column("from", "y")))+`]}`)
	f.put(job, "dataJobInputOutput", `{"inputDatasets":[],"outputDatasets":[],"fineGrainedLineages":[`+
		fine("", column("from", "x"), string(column("source", "m")))+`,`+fine("", column("from", "y"), string(column("source", "m")))+`]}`)

	page, err := f.SearchLineage(f.as(root), discover.LineageQuery{URN: start, Direction: lineage.Upstream, SearchQuery: discover.SearchQuery{Size: 9}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[urn.URN]discover.LineageHit{}
	for _, h := range page.Hits {
		got[h.URN] = h
	}
	x, y, m := column("from", "x"), column("from", "y"), column("source", "m")
	want := map[urn.URN]struct {
		degree int
		paths  [][]urn.URN
	}{
		table("from"):   {1, [][]urn.URN{{start, query, x}, {start, query, y}}},
		job:             {2, [][]urn.URN{{start, query, x, job}, {start, query, y, job}}},
		table("source"): {2, [][]urn.URN{{start, query, x, job, m}, {start, query, y, job, m}}},
	}
	if len(got) != len(want) || page.Total != len(want) {
		t.Errorf("upstream are %v, in all %d", slices.Collect(maps.Keys(got)), page.Total)
	}
	for u, w := range want {
		paths := got[u].Paths
		slices.SortFunc(paths, func(a, b []urn.URN) int { return slices.Compare(a, b) })
		if got[u].Degree != w.degree || !slices.EqualFunc(paths, w.paths, slices.Equal) {
			t.Errorf("%s is at %d by %v, want %d by %v", u, got[u].Degree, paths, w.degree, w.paths)
		}
	}

	// The job writes two columns from one: there is one path to the job.
	page, err = f.SearchLineage(f.as(root), discover.LineageQuery{URN: m, Direction: lineage.Downstream, SearchQuery: discover.SearchQuery{Size: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range page.Hits {
		if w := [][]urn.URN{{m, job}}; h.URN == job && !slices.EqualFunc(h.Paths, w, slices.Equal) {
			t.Errorf("the paths to the job are %v, want %v", h.Paths, w)
		}
	}
	if page.Total != 3 {
		t.Errorf("downstream are %d results, want the job and two tables", page.Total)
	}
}

func TestEdgesAreFilteredByTheirEnds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	f.put(table("orders"), "status", `{"removed":true}`)
	f.put(table("drawn"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(table("revenue"))+`","type":"TRANSFORMED","query":"urn:li:query:q","properties":{"source":"UI"},`+
		`"created":{"time":8,"actor":"urn:li:corpuser:jo"},"auditStamp":{"time":9,"actor":"urn:li:corpuser:jo"}}]}`)
	count := func(q discover.EdgeQuery) int {
		t.Helper()
		q.Count = 100
		page, err := f.Edges(f.as(root), q)
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Edges)
	}
	names := func(field string, values ...string) search.Filter {
		return search.Filter{{{Field: field, Values: values}}}
	}
	for name, tt := range map[string]struct {
		q    discover.EdgeQuery
		want int
	}{
		"soft-deleted ends are left out":   {discover.EdgeQuery{Types: []string{"DownstreamOf"}}, 2},
		"unless asked for":                 {discover.EdgeQuery{Types: []string{"DownstreamOf"}, IncludeSoftDeleted: true}, 4},
		"types of ends":                    {discover.EdgeQuery{SourceTypes: []string{"DATASET"}, DestinationTypes: []string{"tag"}}, 3},
		"a destination":                    {discover.EdgeQuery{Destinations: names("urn", "urn:li:tag:shop"), IncludeSoftDeleted: true}, 4},
		"a source by what is found":        {discover.EdgeQuery{Types: []string{"TaggedWith"}, Sources: names("name", "revenue")}, 1},
		"a source by URN and what it says": {discover.EdgeQuery{Types: []string{"TaggedWith"}, Sources: search.Filter{{{Field: "urn", Values: []string{string(table("revenue"))}}, {Field: "name", Values: []string{"other"}}}}}, 0},
		"of a relationship":                {discover.EdgeQuery{Edge: names("relationshipType", "TaggedWith")}, 3},
		"of one of some relationships":     {discover.EdgeQuery{Edge: names("relationshipType", "TaggedWith", "DownstreamOf")}, 5},
		"of both conditions":               {discover.EdgeQuery{Types: []string{"DownstreamOf"}, Edge: names("relationshipType", "TaggedWith")}, 0},
		"of another relationship":          {discover.EdgeQuery{Edge: search.Filter{{{Field: "relationshipType", Values: []string{"DownstreamOf"}, Negated: true}}}, DestinationTypes: []string{"tag"}}, 3},
		"by who made it":                   {discover.EdgeQuery{Types: []string{"TaggedWith"}, Edge: names("createdActor", string(model.SystemActor))}, 3},
		"by when it was made":              {discover.EdgeQuery{Types: []string{"TaggedWith"}, Edge: names("updatedOn", "1")}, 0},
		"by its owner":                     {discover.EdgeQuery{Types: []string{"TaggedWith"}, Edge: names("lifecycleOwner", string(table("revenue")))}, 1},
		"by a property that it lacks":      {discover.EdgeQuery{Types: []string{"TaggedWith"}, Edge: names("properties.source", "UI")}, 0},
		"by a property":                    {discover.EdgeQuery{Edge: names("properties.source", "UI")}, 1},
		"by what it passes through":        {discover.EdgeQuery{Edge: names("via", "urn:li:query:q")}, 1},
		"by when and by whom it was drawn": {discover.EdgeQuery{Edge: search.Filter{{{Field: "createdOn", Values: []string{"7", "8"}}, {Field: "updatedOn", Values: []string{"9"}}, {Field: "updatedActor", Values: []string{"urn:li:corpuser:jo"}}}}}, 1},
		"by alternatives":                  {discover.EdgeQuery{Edge: append(names("lifecycleOwner", string(table("revenue"))), names("relationshipType", "DownstreamOf")...), Types: []string{"TaggedWith", "DownstreamOf"}}, 3},
		"lineage alone":                    {discover.EdgeQuery{LineageOnly: true, IncludeSoftDeleted: true}, 4},
	} {
		if got := count(tt.q); got != tt.want {
			t.Errorf("%s: %d edges, want %d", name, got, tt.want)
		}
	}
	sliced := 0
	for slice := range 3 {
		sliced += count(discover.EdgeQuery{IncludeSoftDeleted: true, Slice: slice, Slices: 3})
	}
	if whole := count(discover.EdgeQuery{IncludeSoftDeleted: true}); sliced != whole {
		t.Errorf("the slices have %d edges together, there are %d", sliced, whole)
	}
	for _, filter := range []search.Filter{names("entity", "x"), names("properties.", "x"), {{{Field: "via", Condition: search.Contain, Values: []string{"x"}}}}, {{{Field: "relationshipType", Condition: discover.In, Values: []string{"x"}}}}} {
		if _, err := f.Edges(f.as(root), discover.EdgeQuery{Count: 1, Edge: filter}); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "edgeFilter") {
			t.Errorf("%v gives %v, want a bad request", filter, err)
		}
	}
	if _, err := f.Edges(f.as(root), discover.EdgeQuery{}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("no count: %v", err)
	}
	if page := f.relationships(table("orders_daily")); page.Total != 0 {
		t.Errorf("relationships with a soft-deleted table are %+v", page)
	}
}

func (f *fixture) relationships(u urn.URN) (page graph.Page) {
	f.t.Helper()
	page, err := f.Relationships(f.as(root), discover.RelationshipQuery{URN: u, Direction: graph.Outgoing, Types: []string{"DownstreamOf"}, Count: 10})
	if err != nil {
		f.t.Fatal(err)
	}
	return page
}

func TestLookedUpHierarchiesCountTogether(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const top = "urn:li:container:top"
		f.put(top, "containerProperties", `{"name":"top"}`)
		for i := range 30 {
			f.put(urn.URN(fmt.Sprintf("urn:li:container:%d", i)), "container", `{"container":"`+top+`"}`)
		}
		below := search.Criterion{Field: "container", Condition: discover.DescendantsIncl, Values: []string{top}}
		if page := f.search(discover.SearchQuery{Filter: search.Filter{{below}}}); page.Total != 30 {
			t.Errorf("%d are below", page.Total)
		}
		many := make(search.Filter, 700)
		for i := range many {
			many[i] = []search.Criterion{below}
		}
		_, err := f.Search(f.as(root), discover.SearchQuery{Filter: many[:350], And: []search.Filter{many[350:]}})
		wantFault(t, err, fault.Malformed, "filter on container: with the entities above and below, there are more than 20000 values")
	})
}

// counts returns the values of one facet with their counts.
func counts(t testing.TB, facets []search.Facet, field string) map[string]int {
	t.Helper()
	at := slices.IndexFunc(facets, func(f search.Facet) bool { return f.Field == field })
	if at < 0 {
		t.Errorf("there is no facet %s", field)
		return nil
	}
	out := map[string]int{}
	for _, b := range facets[at].Buckets {
		if _, twice := out[b.Value]; twice {
			t.Errorf("facet %s has %s twice", field, b.Value)
		}
		out[b.Value] = b.Count
	}
	return out
}

// assortment writes one entity of each type that is searched by default.
func (f *fixture) assortment() {
	for _, name := range f.UsualTypes() {
		entity, _ := f.Catalog.Registry.Entity(name)
		aspect, value := "status", `{"removed":false}`
		if _, ok := entity.Aspect(aspect); !ok {
			aspect, value = map[string]string{"role": "roleProperties", "tag": "tagProperties", "domain": "domainProperties"}[name], `{"name":"n","type":"READ"}`
		}
		f.put(urn.URN(entity.Example), aspect, value)
	}
}

func TestAFacetOfTypesCountsRightOrNotAtAll(t *testing.T) {
	f := newFixture(t, inMemory())
	f.assortment()
	types := len(f.UsualTypes())
	for _, field := range []string{"_entityType", "entity"} {
		all := counts(t, f.search(discover.SearchQuery{}).Facets, field)
		if len(all) != types {
			t.Errorf("%s counts %d types of %d", field, len(all), types)
		}
		for name, n := range all {
			if n != 1 {
				t.Errorf("%s counts %d of type %s, there is 1", field, n, name)
			}
		}
		few := counts(t, f.search(discover.SearchQuery{FacetSize: 5}).Facets, field)
		if len(few) != 5 {
			t.Errorf("%s of 5 values has %d: %v", field, len(few), few)
		}
		for name, n := range few {
			if n != 1 {
				t.Errorf("%s of 5 values counts %d of type %s, there is 1", field, n, name)
			}
		}
	}
	some := counts(t, f.search(discover.SearchQuery{Types: []string{"dataset", "chart", "tag"}, Text: "urn:li:tag*", Structured: true, FacetSize: 5}).Facets, "_entityType")
	if len(some) != 3 {
		t.Errorf("types without hits are not listed: %v", some)
	}
}

func TestAChosenValueHasItsCount(t *testing.T) {
	f := newFixture(t, inMemory())
	for i := range 4 {
		f.put(table(fmt.Sprint("t", i)), "globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:common"},{"tag":"urn:li:tag:%d"}]}`, i))
	}
	filter := search.Filter{{{Field: "tags", Values: []string{"urn:li:tag:2", "urn:li:tag:3", "urn:li:tag:none"}}}}
	for _, q := range []discover.SearchQuery{{Filter: filter, FacetSize: 1}, {And: []search.Filter{filter}, FacetSize: 1}} {
		got := counts(t, f.search(q).Facets, "tags")
		if want := map[string]int{"urn:li:tag:common": 2, "urn:li:tag:2": 1, "urn:li:tag:3": 1, "urn:li:tag:none": 0}; !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	f.put("urn:li:tag:2", "tagProperties", `{"name":"two"}`)
	for value, want := range map[string]map[string]int{
		"DATASET␞urn:li:tag:2": {"dataset": 1, "dataset␞urn:li:tag:2": 1},
		"DATASET":              {"dataset": 4, "dataset␞urn:li:tag:common": 4},
		"TAG":                  {"tag": 1},
	} {
		nested := f.search(discover.SearchQuery{
			Types: []string{"dataset", "tag"}, FacetSize: 1, Facets: []string{"_entityType␞tags"},
			Filter: search.Filter{{{Field: "_entityType␞tags", Values: []string{value}}}},
		})
		if got := counts(t, nested.Facets, "_entityType␞tags"); !maps.Equal(got, want) {
			t.Errorf("filtered by %s: got %v, want %v", value, got, want)
		}
	}
}

func TestEntityIsAnotherNameOfTheType(t *testing.T) {
	f := newFixture(t, inMemory())
	f.assortment()
	page := f.search(discover.SearchQuery{Types: []string{"dataset", "chart"}})
	if got, want := counts(t, page.Facets, "entity"), counts(t, page.Facets, "_entityType"); !maps.Equal(got, want) || len(got) != 2 {
		t.Errorf("entity counts %v, _entityType %v", got, want)
	}
	named := f.search(discover.SearchQuery{Facets: []string{"entity"}, Filter: search.Filter{{{Field: "entity", Values: []string{"DATASET"}}}}})
	if got := counts(t, named.Facets, "entity"); named.Total != 1 || got["dataset"] != 1 {
		t.Errorf("a filter on entity finds %d, the facet counts %v", named.Total, got)
	}
	if name := f.FacetName("entity"); name != "Type" {
		t.Errorf("it is shown as %s", name)
	}
	// Assertions have a field of that name with their subject.
	f.put("urn:li:assertion:a", "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"t","entity":"`+dataset+`"},"entityUrn":"`+dataset+`"}`)
	about := f.search(discover.SearchQuery{Types: []string{"assertion"}, Filter: search.Filter{{{Field: "entity", Values: []string{dataset}}}}})
	if got := counts(t, about.Facets, "entity"); about.Total != 1 || !maps.Equal(got, map[string]int{"assertion": 1}) {
		t.Errorf("%d assertions are about it, the facet counts %v", about.Total, got)
	}
}
