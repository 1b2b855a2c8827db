package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

// Runs of jobs are found by a search of lineage alone: who scrolls wants assets.
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
