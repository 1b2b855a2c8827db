package openapi_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

const (
	rawTable = "urn:li:dataset:(urn:li:dataPlatform:hive,raw,PROD)"
	midTable = "urn:li:dataset:(urn:li:dataPlatform:hive,mid,PROD)"
	endTable = "urn:li:dataset:(urn:li:dataPlatform:hive,end,PROD)"
)

// chain is a service with a table derived from another, which is derived from a third.
func chain(t *testing.T) *service {
	t.Helper()
	s := newService(t, options{})
	made := func(table, of string) string {
		return `{"urn":"` + table + `","datasetProperties":{"value":{"name":"` + table[41:44] + `"}},"upstreamLineage":{"value":{"upstreams":[{"dataset":"` + of + `","type":"TRANSFORMED"}]}}}`
	}
	s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+rawTable+`","globalTags":{"value":{"tags":[{"tag":"urn:li:tag:gold"}]}}},`+made(midTable, rawTable)+`,`+made(endTable, midTable)+`]`)
	return s
}

func edge(source, destination string) string {
	return `{"destination":{"entityType":"dataset","urn":"` + destination + `"},"relationshipType":"DownstreamOf","source":{"entityType":"dataset","urn":"` + source + `"}}`
}

func TestRelatedEntities(t *testing.T) {
	t.Parallel()
	s := chain(t)
	twice := url.QueryEscape(url.QueryEscape(rawTable))
	for _, request := range []string{
		"GET /openapi/relationships/v1?direction=INCOMING&relationshipTypes=DownstreamOf&urn=" + url.QueryEscape(rawTable),
		"GET /openapi/relationships/v1/?direction=INCOMING&urn=" + twice,
	} {
		s.want(request, "", 200, `{"count":1,"entities":[{"relationshipType":"DownstreamOf","urn":"`+midTable+`"}],"start":0,"total":1}`)
	}
	s.want("GET /openapi/relationships/v1?direction=INCOMING&start=1&urn="+twice, "", 200, `{"count":0,"entities":[],"start":1,"total":1}`)
}

func TestEdgesAreScrolled(t *testing.T) {
	t.Parallel()
	s := chain(t)
	first := s.ok("GET /openapi/v3/relationship/DownstreamOf?count=1", "")
	next := at(t, first, "scrollId").(string)
	second := s.ok("GET /openapi/v3/relationship/DownstreamOf?count=1&scrollId="+url.QueryEscape(next), "")
	if a, b := at(t, first, "results", 0, "source", "urn"), at(t, second, "results", 0, "source", "urn"); a == b {
		t.Errorf("both pages have the edge of %v", a)
	}
	s.want("GET /openapi/v3/relationship/dataset/"+url.PathEscape(midTable)+"?relationshipType[]=DownstreamOf", "", 200, `{"results":[`+edge(midTable, rawTable)+`],"scrollId":null}`)
	s.want("GET /openapi/v2/relationship/dataset/"+url.PathEscape(midTable)+"?direction=INCOMING", "", 200, `{"results":[`+edge(endTable, midTable)+`],"scrollId":null}`)
	s.want("POST /openapi/v3/relationship/scroll?relationshipTypes=DownstreamOf&destinationTypes=dataset",
		`{"destinationFilter":{"and":[{"criteria":[{"field":"urn","values":["`+rawTable+`"]}]}]}}`, 200, `{"results":[`+edge(midTable, rawTable)+`],"scrollId":null}`)
	s.want("POST /openapi/v3/relationship/scroll?relationshipTypes=DownstreamOf",
		`{"sourceFilter":{"and":[{"criteria":[{"field":"name","values":["end"]}]}]}}`, 200, `{"results":[`+edge(endTable, midTable)+`],"scrollId":null}`)
}

func TestEdgesAreFilteredAndSeenFromTheirDestination(t *testing.T) {
	t.Parallel()
	s := chain(t)
	filter := func(name, field string, values ...string) string {
		return `"` + name + `":{"and":[{"criteria":[{"field":"` + field + `","values":["` + strings.Join(values, `","`) + `"],"condition":"EQUAL"}]}]}`
	}
	tagged := `{"destination":{"entityType":"tag","urn":"urn:li:tag:gold"},"relationshipType":"TaggedWith","source":{"entityType":"dataset","urn":"` + rawTable + `"}}`
	for name, c := range map[string]struct{ query, body, want string }{
		"by their type":                    {"", filter("edgeFilter", "relationshipType", "TaggedWith"), tagged},
		"besides the parameter":            {"?relationshipTypes=DownstreamOf", filter("edgeFilter", "relationshipType", "TaggedWith"), ``},
		"and an end":                       {"", filter("edgeFilter", "relationshipType", "DownstreamOf") + `,` + filter("sourceFilter", "urn", endTable), edge(endTable, midTable)},
		"from the source":                  {"?relationshipTypes=DownstreamOf", filter("sourceFilter", "urn", midTable), edge(midTable, rawTable)},
		"from the destination":             {"?relationshipTypes=DownstreamOf&direction=INCOMING", filter("sourceFilter", "urn", midTable), edge(endTable, midTable)},
		"and to it":                        {"?relationshipTypes=DownstreamOf&direction=INCOMING", filter("destinationFilter", "urn", midTable), edge(midTable, rawTable)},
		"types of sources":                 {"?direction=INCOMING&sourceTypes=tag", ``, tagged},
		"types of destinations":            {"?direction=INCOMING&destinationTypes=tag", ``, ``},
		"an end by what is found about it": {"?relationshipTypes=DownstreamOf&direction=INCOMING", filter("sourceFilter", "name", "mid"), edge(endTable, midTable)},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.t = t
			s.want("POST /openapi/v3/relationship/scroll"+c.query, `{`+c.body+`}`, 200, `{"results":[`+c.want+`],"scrollId":null}`)
		})
	}
}

func TestLineageIsScrolled(t *testing.T) {
	t.Parallel()
	s := chain(t)
	body := `{"urns":["` + midTable + `"]}`
	sides := func(request string) (upstream []string) {
		t.Helper()
		next := ""
		for {
			page := s.ok(request+"&scrollId="+url.QueryEscape(next), body)
			for _, result := range at(t, page, "results").([]any) {
				upstream = append(upstream, at(t, result, "upstream").(string)+" > "+at(t, result, "downstream").(string))
			}
			if next, _ = at(t, page, "scrollId").(string); next == "" {
				return upstream
			}
		}
	}
	above, below := rawTable+" > "+midTable, midTable+" > "+endTable
	for direction, want := range map[string][]string{"": {above, below}, "&direction=UPSTREAM": {above}, "&direction=DOWNSTREAM": {below}} {
		if got := sides("POST /openapi/v3/lineage/scroll?count=100" + direction); len(got) != len(want) || got[0] != want[0] {
			t.Errorf("%q gives %v, want %v", direction, got, want)
		}
	}
}

func TestListsSearch(t *testing.T) {
	t.Parallel()
	s := chain(t)
	urns := func(request, body string) []any {
		t.Helper()
		var out []any
		for _, e := range at(t, s.ok(request, body), "entities").([]any) {
			out = append(out, at(t, e, "urn"))
		}
		return out
	}
	if got := urns("GET /openapi/v3/entity/dataset?query=mid&aspects=datasetKey", ""); len(got) != 1 || got[0] != midTable {
		t.Errorf("a text finds %v", got)
	}
	if got := urns("GET /openapi/v3/entity/dataset?sort=urn&sortOrder=DESCENDING", ""); len(got) != 3 || got[0] != rawTable {
		t.Errorf("backwards come %v", got)
	}
	filter := `{"entities":["dataset"],"filter":{"and":[{"criteria":[{"field":"tags","values":["urn:li:tag:gold"],"condition":"EQUAL"}]}]}}`
	if got := urns("POST /openapi/v3/entity/scroll", filter); len(got) != 1 || got[0] != rawTable {
		t.Errorf("a filter finds %v", got)
	}
	counted := s.ok("POST /openapi/v3/entity/scroll?skipAggregation=false", filter)
	for _, facet := range at(t, counted, "facets").([]any) {
		if f := facet.(jsontree.Object); f["field"] == "platform" {
			wantAt(t, f, "1", "aggregations", "urn:li:dataPlatform:hive")
			return
		}
	}
	t.Error("no facet counts platforms")
}
