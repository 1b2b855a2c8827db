package graphql_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
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

// The parent is the entity in the URN of the column, whatever its type.
func TestAColumnOfAChartHasTheChartAsItsParent(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const chart, read = "urn:li:chart:(looker,c)", "urn:li:schemaField:(urn:li:chart:(looker,c),total)"
	world.Put(t, chart, "inputFields", `{"fields":[{"schemaFieldUrn":"`+read+`","schemaField":{"fieldPath":"sum","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int"}}]}`)
	got := data(t, engine, world, servicetest.Root, `{ chart(urn: "`+chart+`") { inputFields { fields { schemaField { schemaFieldEntity { urn fieldPath parent { urn } } } } } } }`)
	want := `{"chart":{"inputFields":{"fields":[{"schemaField":{"schemaFieldEntity":{"urn":"` + read + `","fieldPath":"total","parent":{"urn":"` + chart + `"}}}}]}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The health of entities other than datasets depends on their incidents alone.
func TestHealthOfOtherAssetsIsThatOfTheirIncidents(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const flow, incident = "urn:li:dataFlow:(airflow,load,prod)", "urn:li:incident:late"
	assets := map[string]string{
		"chart": "urn:li:chart:(looker,c)", "dashboard": "urn:li:dashboard:(looker,d)", "dataFlow": flow, "dataJob": "urn:li:dataJob:(" + flow + ",j)",
	}
	for name, u := range assets {
		for _, step := range []struct{ state, want string }{{"", "PASS"}, {"ACTIVE", "FAIL"}, {"RESOLVED", "PASS"}} {
			if step.state != "" {
				world.Put(t, incident, "incidentInfo", `{"type":"OPERATIONAL","title":"Late","entities":["`+u+`"],"status":{"state":"`+step.state+`","lastUpdated":{"time":5,"actor":"urn:li:corpuser:jo"}},"created":{"time":4,"actor":"urn:li:corpuser:jo"}}`)
			}
			got := data(t, engine, world, servicetest.Root, `{ `+name+`(urn: "`+u+`") { health { type status } incidents(state: ACTIVE, start: 0, count: 9) { count } } }`)
			if want := `{"` + name + `":{"health":[{"type":"INCIDENTS","status":"` + step.want + `"}],"incidents":{"count":9}}}`; got != want {
				t.Errorf("%s, %q: got %s, want %s", name, step.state, got, want)
			}
		}
	}
}

// In the older browse tree, metadata counts the entities in the groups, and total counts the
// listed entries.
func TestBrowseCountsWhatLiesBelow(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	for name, path := range map[string]string{"a": "/prod/hive/sales", "b": "/prod/hive/sales", "c": "/prod/hive/hr", "d": "/prod/hive"} {
		u := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
		world.Put(t, u, "browsePaths", `{"paths":["`+path+`"]}`)
	}
	for path, want := range map[string]string{
		`["prod"]`:                  `{"total":1,"groups":[{"name":"hive","count":4}],"entities":[],"metadata":{"totalNumEntities":4}}`,
		`["prod", "hive"]`:          `{"total":3,"groups":[{"name":"sales","count":2},{"name":"hr","count":1}],"entities":[{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,d,PROD)"}],"metadata":{"totalNumEntities":3}}`,
		`["prod", "hive", "sales"]`: `{"total":2,"groups":[],"entities":[{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"},{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)"}],"metadata":{"totalNumEntities":0}}`,
	} {
		got := data(t, engine, world, servicetest.Root, `{ browse(input: {type: DATASET, path: `+path+`, start: 0, count: 10}) { total groups { name count } entities { urn } metadata { totalNumEntities } } }`)
		if want = `{"browse":` + want + `}`; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", path, got, want)
		}
	}
}

// An error about a batch lists all assets that do not exist, so that the client can correct all
// of them at once.
func TestBatchesNameEveryAssetThatDoesNotExist(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	const there, one, two = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,none1,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,none2,PROD)"
	const assets = `["` + one + `", "` + there + `", "` + two + `"]`
	const resources = `[{resourceUrn: "` + one + `"}, {resourceUrn: "` + there + `"}, {resourceUrn: "` + two + `"}]`
	for name, mutation := range map[string]string{
		"forms":       `batchAssignForm(input: {formUrn: "urn:li:form:review", entityUrns: ` + assets + `})`,
		"tags":        `batchAddTags(input: {tagUrns: ["urn:li:tag:pii"], resources: ` + resources + `})`,
		"domains":     `batchSetDomain(input: {domainUrn: "urn:li:domain:shop", resources: ` + resources + `})`,
		"removal":     `batchUpdateSoftDeleted(input: {deleted: true, urns: ` + assets + `})`,
		"owners":      `batchAddOwners(input: {owners: [{ownerUrn: "urn:li:corpuser:jo", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER}], resources: ` + resources + `})`,
		"incidents":   `raiseIncident(input: {type: OPERATIONAL, resourceUrns: ` + assets + `})`,
		"updates":     `updateDatasets(input: [{urn: "` + one + `", update: {}}, {urn: "` + there + `", update: {}}, {urn: "` + two + `", update: {}}]) { urn }`,
		"deprecation": `batchUpdateDeprecation(input: {deprecated: true, resources: ` + resources + `})`,
	} {
		done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: "mutation { " + mutation + " }"})
		if len(done.Errors) != 1 || !strings.Contains(done.Errors[0].Message, one) || !strings.Contains(done.Errors[0].Message, two) || strings.Contains(done.Errors[0].Message, there) {
			t.Errorf("%s: %+v", name, done.Errors)
		}
	}
	const absent = "urn:li:structuredProperty:none"
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: `mutation { upsertStructuredProperties(input: {assetUrn: "` + there + `", structuredPropertyInputParams: [
		{structuredPropertyUrn: "` + absent + `1", values: [{stringValue: "a"}]}, {structuredPropertyUrn: "` + absent + `2", values: [{stringValue: "a"}]}]}) { properties { structuredProperty { urn } } } }`})
	if len(done.Errors) != 1 || !strings.Contains(done.Errors[0].Message, absent+"1") || !strings.Contains(done.Errors[0].Message, absent+"2") {
		t.Errorf("properties: %+v", done.Errors)
	}
}

func TestAHitTellsTheValuesItIsSortedBy(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dated, undated = "urn:li:dataset:(urn:li:dataPlatform:hive,dated,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,undated,PROD)"
	world.Put(t, dated, "datasetProperties", `{"name":"dated","lastModified":{"time":1700000000123}}`)
	world.Put(t, undated, "datasetProperties", `{"name":"undated"}`)
	ask := func(sort string) string {
		return data(t, engine, world, servicetest.Root, `{ searchAcrossEntities(input: {types: [DATASET], query: "dated undated", `+sort+`}) { searchResults { entity { urn } extraProperties { name value } } } }`)
	}
	got := ask(`sortInput: {sortCriteria: [{field: "noSuchField", sortOrder: ASCENDING}, {field: "lastModifiedAt", sortOrder: DESCENDING}]}`)
	want := `{"searchAcrossEntities":{"searchResults":[{"entity":{"urn":"` + dated + `"},"extraProperties":[{"name":"lastModifiedAt","value":"1700000000123"}]},` +
		`{"entity":{"urn":"` + undated + `"},"extraProperties":[]}]}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := ask(""); strings.Contains(got, "value") {
		t.Errorf("hits without an order of their own tell %s", got)
	}
}

// Ingestion writes the URL of a chart or a dashboard to a member of its own.
func TestAReportLeadsToItsPlatform(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const audit = `"title":"t","description":"","lastModified":{"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`
	for name, r := range map[string]struct {
		urn         urn.URN
		aspect, own string
	}{
		"chart":     {"urn:li:chart:(looker,c)", "chartInfo", "chartUrl"},
		"dashboard": {"urn:li:dashboard:(looker,d)", "dashboardInfo", "dashboardUrl"},
	} {
		for _, step := range []struct{ members, want string }{
			{``, `null`},
			{`,"` + r.own + `":"https://looker.example/own"`, `"https://looker.example/own"`},
			{`,"` + r.own + `":"https://looker.example/own","externalUrl":"https://looker.example/external"`, `"https://looker.example/external"`},
		} {
			world.Put(t, r.urn, r.aspect, `{`+audit+step.members+`}`)
			got := data(t, engine, world, servicetest.Root, `{ `+name+`(urn: "`+string(r.urn)+`") { properties { externalUrl } info { externalUrl } } }`)
			if want := `{"` + name + `":{"properties":{"externalUrl":` + step.want + `},"info":{"externalUrl":` + step.want + `}}}`; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}
