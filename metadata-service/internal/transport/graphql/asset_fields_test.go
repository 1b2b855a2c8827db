package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

func TestHealthHasAnEntryOfIncidentsAlways(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	world.Put(t, dataset, "datasetProperties", `{"name":"orders"}`)
	got := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+dataset+`") {
		health { type status message }
		incidents(start: 0, count: 7) { start count total incidents { urn } }
		relatedDocuments(input: {start: 0, count: 3}) { start count total }
		assertions(start: 0, count: 5) { count total }
	} }`)
	want := `{"dataset":{"health":[{"type":"INCIDENTS","status":"PASS","message":null}],"incidents":{"start":0,"count":7,"total":0,"incidents":[]},` +
		`"relatedDocuments":{"start":0,"count":3,"total":0},"assertions":{"count":5,"total":0}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAColumnThatAChartReadsIsThatOfItsDataset(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const (
		chart   = "urn:li:chart:(looker,c)"
		dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
		read    = "urn:li:schemaField:(" + dataset + ",amount)"
		column  = `"schemaField":{"fieldPath":"total","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int"}`
	)
	world.Put(t, dataset, "datasetProperties", `{"name":"orders"}`)
	world.Put(t, chart, "inputFields", `{"fields":[{"schemaFieldUrn":"`+read+`",`+column+`}]}`)
	got := data(t, engine, world, servicetest.Root, `{ chart(urn: "`+chart+`") { inputFields { fields { schemaFieldUrn schemaField { fieldPath schemaFieldEntity { urn fieldPath parent { urn } } } } } } }`)
	want := `{"chart":{"inputFields":{"fields":[{"schemaFieldUrn":"` + read + `","schemaField":{"fieldPath":"total","schemaFieldEntity":{"urn":"` + read + `","fieldPath":"amount","parent":{"urn":"` + dataset + `"}}}}]}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
