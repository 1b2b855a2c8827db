package graphql_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestTheHistoryOfATestIsShownNewestFirst(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const test urn.URN = "urn:li:test:owned"
	world.Put(t, test, "testInfo", `{"name":"Owned","category":"c","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"dataset\"]}}"}}`)
	for i, trigger := range []string{"CHANGE", "SCHEDULE", "REQUEST"} {
		world.Put(t, test, "testRunEvent", fmt.Sprintf(
			`{"timestampMillis":%d,"runId":"r%d","status":"COMPLETE","trigger":%q,"actor":"urn:li:corpuser:jo","assets":9,"passing":%d,"failing":1,"changed":2,"durationMillis":3}`, 1000+i, i, trigger, i))
	}
	world.Put(t, test, "testRunEvent", `{"timestampMillis":1003,"runId":"r3","status":"ERROR","trigger":"SCHEDULE","actor":"urn:li:corpuser:jo","error":"on: is wrong"}`)
	for arguments, want := range map[string]string{
		"(limit: 2)":              `{"total":2,"runEvents":[{"timestampMillis":1003,"trigger":"SCHEDULE","passing":null,"error":"on: is wrong"},{"timestampMillis":1002,"trigger":"REQUEST","passing":2,"error":null}]}`,
		"(endTimeMillis: 1000)":   `{"total":1,"runEvents":[{"timestampMillis":1000,"trigger":"CHANGE","passing":0,"error":null}]}`,
		"(startTimeMillis: 1004)": `{"total":0,"runEvents":[]}`,
		`(filter: {and: [{field: "status", values: ["COMPLETE"]}, {field: "trigger", values: ["SCHEDULE", "CHANGE"]}]})`: `{"total":2,"runEvents":[{"timestampMillis":1001,"trigger":"SCHEDULE","passing":1,"error":null},{"timestampMillis":1000,"trigger":"CHANGE","passing":0,"error":null}]}`,
	} {
		got := data(t, engine, world, servicetest.Root, `{ test(urn: "`+string(test)+`") { runEvents`+arguments+` { total runEvents { timestampMillis trigger passing error } } } }`)
		if want = `{"test":{"runEvents":` + want + `}}`; got != want {
			t.Errorf("runEvents%s\n got %s\nwant %s", arguments, got, want)
		}
	}
}

// TestTheRequestsOfThePageAreAnswered runs the examples of the documentation.
func TestTheRequestsOfThePageAreAnswered(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	page, err := os.ReadFile("../../../../docs/api/metadata-tests.md")
	if err != nil {
		t.Fatal(err)
	}
	world.Put(t, "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)", "status", `{"removed":false}`)
	world.Put(t, "urn:li:test:owned", "testInfo", `{"name":"Owned","category":"c","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"dataset\"]},\"rules\":{\"property\":\"owners\",\"operator\":\"exists\"}}"}}`)
	world.Put(t, "urn:li:test:owned", "testRunEvent", `{"timestampMillis":1,"runId":"r","status":"COMPLETE","trigger":"REQUEST","actor":"urn:li:corpuser:jo","passing":3,"failing":1,"changed":2}`)
	wants := []string{
		`{"runTest":{"failing":[{"test":{"urn":"urn:li:test:owned"},"findings":[{"condition":{"path":"rules","property":"owners","operator":"exists","values":[]},"met":false,"decisive":true,"found":[]}]}]}}`,
		`{"test":{"runEvents":{"runEvents":[{"timestampMillis":1,"trigger":"REQUEST","passing":3,"failing":1,"changed":2,"error":null}]}}}`,
	}
	examples := strings.Split(string(page), "```graphql\n")[1:]
	if len(examples) != len(wants) {
		t.Fatalf("the page has %d examples, want %d", len(examples), len(wants))
	}
	for i, example := range examples {
		request, _, _ := strings.Cut(example, "```")
		if got := data(t, engine, world, servicetest.Root, request); got != wants[i] {
			t.Errorf("%s\n got %s\nwant %s", request, got, wants[i])
		}
	}
}
