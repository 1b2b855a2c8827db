package graphql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestApplicationsLieBelowEachOther(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const top, middle, bottom, table urn.URN = "urn:li:application:top", "urn:li:application:middle", "urn:li:application:bottom", "urn:li:dataset:(urn:li:dataPlatform:hive,till,PROD)"
	ask := func(query string) string { return data(t, engine, world, servicetest.Root, query) }
	ask(`mutation { createApplication(input: {id: "top", properties: {name: "Top"}}) { urn } }`)
	ask(`mutation { createApplication(input: {id: "middle", properties: {name: "Middle", parentApplication: "` + string(top) + `"}}) { urn } }`)
	ask(`mutation { createApplication(input: {id: "bottom", properties: {name: "Bottom"}}) { urn } }`)
	ask(`mutation { updateApplication(urn: "` + string(bottom) + `", input: {parentApplication: "` + string(middle) + `"}) { urn } }`)
	world.Put(t, table, "applications", `{"applications":["`+string(top)+`"]}`)
	for query, want := range map[string]string{
		`{ application(urn: "` + string(bottom) + `") { parentApplications { count applications { urn properties { name } } } } }`:   `"parentApplications":{"count":2,"applications":[{"urn":"` + string(middle) + `","properties":{"name":"Middle"}},{"urn":"` + string(top) + `","properties":{"name":"Top"}}]}`,
		`{ application(urn: "` + string(top) + `") { properties { numAssets } parentApplications { count applications { urn } } } }`: `{"properties":{"numAssets":2},"parentApplications":{"count":0,"applications":[]}}`,
		`{ listApplicationAssets(urn: "` + string(middle) + `", input: {query: "*"}) { total searchResults { entity { urn } } } }`:   `"total":1,"searchResults":[{"entity":{"urn":"` + string(bottom) + `"}}]`,
	} {
		if got := ask(query); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	assets := ask(`{ listApplicationAssets(urn: "` + string(top) + `", input: {query: "*"}) { total searchResults { entity { urn } } } }`)
	for _, want := range []string{`"total":2`, string(table), string(middle)} {
		if !strings.Contains(assets, want) {
			t.Errorf("got %s, want %s", assets, want)
		}
	}
	cycle := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: `mutation { updateApplication(urn: "` + string(top) + `", input: {parentApplication: "` + string(bottom) + `"}) { urn } }`})
	if got := fmt.Sprint(cycle.Errors); !strings.Contains(got, "lies below") {
		t.Errorf("a cycle: got %s", got)
	}
	ask(`mutation { updateApplication(urn: "` + string(bottom) + `", input: {parentApplication: ""}) { urn } }`)
	if got := ask(`{ application(urn: "` + string(bottom) + `") { parentApplications { count } } }`); !strings.Contains(got, `"count":0`) {
		t.Errorf("back at the top: got %s", got)
	}
}

// A parent application that the actor may not view is left out, together with its ancestors.
func TestParentsOfAnApplicationAreThoseThatOneViews(t *testing.T) {
	t.Parallel()
	engine, world := newRestrictedCatalog(t)
	for _, id := range []string{"open", "closed", "opentop"} {
		world.Put(t, urn.Make("application", id), "applicationProperties", `{"name":"`+id+`"}`)
	}
	const question = `{ application(urn: "urn:li:application:open") { parentApplications { count applications { urn } } } }`
	for parent, want := range map[string]string{
		"opentop": `"parentApplications":{"count":1,"applications":[{"urn":"urn:li:application:opentop"}]}`, "closed": `"parentApplications":{"count":0,"applications":[]}`,
	} {
		world.Put(t, "urn:li:application:open", "applicationProperties", `{"name":"open","parentApplication":"urn:li:application:`+parent+`"}`)
		if got := data(t, engine, world, servicetest.Jo, question); !strings.Contains(got, want) {
			t.Errorf("below %s: got %s, want %s", parent, got, want)
		}
	}
}
