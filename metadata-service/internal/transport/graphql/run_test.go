package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestRunsOfADatasetHaveADirection(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,ran,PROD)"
	for name, aspect := range map[string]string{"reader": "dataProcessInstanceInput", "writer": "dataProcessInstanceOutput"} {
		run := urn.URN("urn:li:dataProcessInstance:" + name)
		world.Put(t, run, "dataProcessInstanceProperties", `{"name":"`+name+`","created":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
		member := map[string]string{"reader": "inputs", "writer": "outputs"}[name]
		world.Put(t, run, aspect, `{"`+member+`":["`+dataset+`"]}`)
	}
	got := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+dataset+`") { in: runs(direction: INCOMING) { total runs { name } } out: runs(direction: OUTGOING) { total runs { name } } } }`)
	if want := `{"dataset":{"in":{"total":1,"runs":[{"name":"reader"}]},"out":{"total":1,"runs":[{"name":"writer"}]}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
