package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Only a lineage search finds runs of jobs; a scroll returns assets.
func TestLineageIsScrolledOverTheUsualTypes(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	world.Put(t, dataset, "datasetProperties", `{"name":"orders"}`)
	world.Put(t, "urn:li:dataset:(urn:li:dataPlatform:hive,copy,PROD)", "upstreamLineage", `{"upstreams":[{"dataset":"`+dataset+`","type":"COPY"}]}`)
	world.Put(t, "urn:li:dataProcessInstance:run", "dataProcessInstanceInput", `{"inputs":[],"inputEdges":[{"destinationUrn":"`+dataset+`"}]}`)
	got := data(t, engine, world, servicetest.Root, `{
		search: searchAcrossLineage(input: {urn: "`+dataset+`", direction: DOWNSTREAM}) { total }
		scroll: scrollAcrossLineage(input: {urn: "`+dataset+`", direction: DOWNSTREAM}) { total }
		named: scrollAcrossLineage(input: {urn: "`+dataset+`", direction: DOWNSTREAM, types: [DATA_PROCESS_INSTANCE]}) { total }
	}`)
	if want := `{"search":{"total":2},"scroll":{"total":1},"named":{"total":1}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPathsBetweenDatasetsAreGiven(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	dataset := func(name string) string { return "urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)" }
	world.Put(t, urn.URN(dataset("a")), "status", `{"removed":false}`)
	world.Put(t, urn.URN(dataset("b")), "upstreamLineage", `{"upstreams":[{"dataset":"`+dataset("a")+`","type":"COPY"}]}`)
	world.Put(t, urn.URN(dataset("c")), "upstreamLineage", `{"upstreams":[{"dataset":"`+dataset("b")+`","type":"COPY"}]}`)
	const paths = "{ searchResults { paths { path { urn } } } }"
	got := data(t, engine, world, servicetest.Root, `{
		up: searchAcrossLineage(input: {urn: "`+dataset("c")+`", direction: UPSTREAM, sortInput: {sortCriterion: {field: "urn", sortOrder: DESCENDING}}}) `+paths+`
		on: scrollAcrossLineage(input: {urn: "`+dataset("b")+`", direction: DOWNSTREAM}) `+paths+`
	}`)
	step := func(name string) string { return `{"urn":"` + dataset(name) + `"}` }
	want := `{"up":{"searchResults":[{"paths":[{"path":[` + step("c") + `,` + step("b") + `]}]},{"paths":[{"path":[` + step("c") + `,` + step("b") + `,` + step("a") + `]}]}]},` +
		`"on":{"searchResults":[{"paths":[{"path":[` + step("b") + `,` + step("c") + `]}]}]}}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
