package graphql_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// putDocument writes a knowledge document one minute after the previous write.
func putDocument(t *testing.T, w *servicetest.World, id, state, more string) urn.URN {
	t.Helper()
	w.Pass(time.Minute)
	u := urn.Make("document", id)
	stamp := fmt.Sprintf(`{"time":%d,"actor":"urn:li:corpuser:jo"}`, w.Now().UnixMilli())
	w.Put(t, u, "documentInfo", `{"title":"`+id+`","source":{"sourceType":"NATIVE"},"status":{"state":"`+state+`"},"contents":{"text":"x"},"created":`+stamp+`,"lastModified":`+stamp+more+`}`)
	return u
}

// Each search over all entities returns published knowledge documents, and all of them with the
// flag.
func TestSearchesOverAllEntitiesLeaveOutWhatIsNotPublished(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	for _, u := range []urn.URN{
		putDocument(t, world, "open", "PUBLISHED", ""), putDocument(t, world, "closed", "UNPUBLISHED", ""), putDocument(t, world, "aside", "PUBLISHED", ""),
	} {
		world.Put(t, u, "browsePathsV2", `{"path":[{"id":"guides"}]}`)
		world.Put(t, u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	}
	world.Put(t, "urn:li:document:aside", "documentSettings", `{"showInGlobalContext":false,"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	const documents = `types: [DOCUMENT], query: "*"`
	for name, operation := range map[string]struct{ document, want string }{
		"search":    {`{ found: searchAcrossEntities(input: {` + documents + ` FLAGS}) { total } }`, `{"found":{"total":%d}}`},
		"scroll":    {`{ found: scrollAcrossEntities(input: {` + documents + ` FLAGS}) { total } }`, `{"found":{"total":%d}}`},
		"aggregate": {`{ found: aggregateAcrossEntities(input: {` + documents + `, facets: ["_entityType"] FLAGS}) { facets { aggregations { count } } } }`, `{"found":{"facets":[{"aggregations":[{"count":%d}]}]}}`},
		"browse":    {`{ found: browseV2(input: {types: [DOCUMENT], path: [] FLAGS}) { groups { count } } }`, `{"found":{"groups":[{"count":%d}]}}`},
		"a group":   {`{ found: browseV2(input: {types: [DOCUMENT], path: ["guides"] FLAGS}) { metadata { totalNumEntities } } }`, `{"found":{"metadata":{"totalNumEntities":%d}}}`},
	} {
		for _, c := range []struct {
			as    urn.URN
			flags string
			want  int
		}{
			{servicetest.Mia, "", 1}, {servicetest.Jo, "", 1}, // owners are no exception here
			{servicetest.Root, "", 2}, // an actor with the privilege to manage documents finds unpublished ones
			{servicetest.Mia, ", searchFlags: {includeHiddenLifecycleStages: true}", 3},
		} {
			got := data(t, engine, world, c.as, strings.Replace(operation.document, " FLAGS", c.flags, 1))
			if want := fmt.Sprintf(operation.want, c.want); got != want {
				t.Errorf("%s as %s%s: got %s, want %s", name, c.as, c.flags, got, want)
			}
		}
	}
}

// The rules of knowledge documents decide about their stages, so a stage that is hidden in
// searches does not hide a document from its owner.
func TestOwnersFindDocumentsInHiddenStages(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	const stage, table = "urn:li:lifecycleStageType:REVIEW", "urn:li:dataset:(urn:li:dataPlatform:hive,reviewed,PROD)"
	world.Put(t, stage, "lifecycleStageTypeInfo", `{"name":"Review","settings":{"hideInSearch":true},"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	reviewed := putDocument(t, world, "reviewed", "PUBLISHED", `,"relatedAssets":[{"asset":"`+table+`"}]`)
	world.Put(t, reviewed, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	for _, u := range []urn.URN{reviewed, table} {
		world.Put(t, u, "status", `{"removed":false,"lifecycleStage":"`+stage+`"}`)
	}
	gone := putDocument(t, world, "gone", "PUBLISHED", "")
	world.Put(t, gone, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	world.Put(t, gone, "status", `{"removed":true,"lifecycleStage":"`+stage+`"}`)
	for name, c := range map[string]struct {
		as          urn.URN
		query, want string
	}{
		"the owner":                 {servicetest.Jo, `{ searchDocuments(input: {}) { documents { urn } } }`, `{"searchDocuments":{"documents":[{"urn":"urn:li:document:reviewed"}]}}`},
		"among others":              {servicetest.Jo, `{ searchDocuments(input: {states: [UNPUBLISHED]}) { total } }`, `{"searchDocuments":{"total":1}}`},
		"published ones":            {servicetest.Jo, `{ searchDocuments(input: {states: [PUBLISHED]}) { total } }`, `{"searchDocuments":{"total":0}}`},
		"who manages documents":     {servicetest.Root, `{ searchDocuments(input: {}) { total } }`, `{"searchDocuments":{"total":1}}`},
		"somebody else":             {servicetest.Mia, `{ searchDocuments(input: {}) { total } }`, `{"searchDocuments":{"total":0}}`},
		"of an asset":               {servicetest.Jo, `{ dataset(urn: "` + table + `") { relatedDocuments(input: {}) { total } } }`, `{"dataset":{"relatedDocuments":{"total":1}}}`},
		"of an asset, by others":    {servicetest.Mia, `{ dataset(urn: "` + table + `") { relatedDocuments(input: {}) { total } } }`, `{"dataset":{"relatedDocuments":{"total":0}}}`},
		"a search over all":         {servicetest.Jo, `{ searchAcrossEntities(input: {types: [DOCUMENT, DATASET], query: "reviewed"}) { total } }`, `{"searchAcrossEntities":{"total":0}}`},
		"a search over all, of all": {servicetest.Root, `{ searchAcrossEntities(input: {query: "reviewed"}) { total } }`, `{"searchAcrossEntities":{"total":0}}`},
	} {
		if got := data(t, engine, world, c.as, c.query); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestDocumentsRelatedToAnAsset(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	const asset = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	const about = `,"relatedAssets":[{"asset":"` + asset + `"}]`
	putDocument(t, world, "older", "PUBLISHED", about)
	putDocument(t, world, "elsewhere", "PUBLISHED", "")
	own := putDocument(t, world, "own", "UNPUBLISHED", about)
	world.Put(t, own, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	world.Put(t, own, "subTypes", `{"typeNames":["Runbook"]}`)
	aside := putDocument(t, world, "aside", "PUBLISHED", about)
	world.Put(t, aside, "documentSettings", `{"showInGlobalContext":false,"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	for _, c := range []struct {
		as          urn.URN
		input, want string
	}{
		{servicetest.Mia, "", `aside older`},
		{servicetest.Jo, "", `aside own older`}, // the last modified first
		{servicetest.Jo, `, types: ["Runbook"]`, `own`},
		{servicetest.Mia, `, types: ["Runbook"]`, ``},
	} {
		var documents []string
		for id := range strings.FieldsSeq(c.want) {
			documents = append(documents, `{"urn":"urn:li:document:`+id+`"}`)
		}
		want := fmt.Sprintf(`{"dataset":{"relatedDocuments":{"start":0,"count":7,"total":%d,"documents":[%s]}}}`, len(documents), strings.Join(documents, ","))
		got := data(t, engine, world, c.as, `{ dataset(urn: "`+asset+`") { relatedDocuments(input: {start: 0, count: 7`+c.input+`}) { start count total documents { urn } } } }`)
		if got != want {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.as, c.input, got, want)
		}
	}
}

func TestParentsOfDocumentsAreTheNearestFifty(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	putDocument(t, world, "0", "PUBLISHED", "")
	for i := 1; i < 60; i++ {
		putDocument(t, world, fmt.Sprint(i), "PUBLISHED", fmt.Sprintf(`,"parentDocument":{"document":"urn:li:document:%d"}`, i-1))
	}
	for from, count := range map[int]int{59: 50, 3: 3, 0: 0} {
		var documents []string
		for i := range count {
			documents = append(documents, fmt.Sprintf(`{"urn":"urn:li:document:%d"}`, from-1-i))
		}
		got := data(t, engine, world, servicetest.Root, fmt.Sprintf(`{ document(urn: "urn:li:document:%d") { parentDocuments { count documents { urn } } } }`, from))
		if want := fmt.Sprintf(`{"document":{"parentDocuments":{"count":%d,"documents":[%s]}}}`, count, strings.Join(documents, ",")); got != want {
			t.Errorf("of %d: got %s, want %s", from, got, want)
		}
	}
}

func TestMovedDocumentsTellItInTheirHistory(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	putDocument(t, world, "above", "PUBLISHED", "")
	for i := range 60 { // move it back and forth
		more := ""
		if i%2 == 1 {
			more = `,"parentDocument":{"document":"urn:li:document:above"}`
		}
		putDocument(t, world, "moved", "PUBLISHED", more)
	}
	got := data(t, engine, world, servicetest.Root, `{ document(urn: "urn:li:document:moved") { changeHistory { changeType } } }`)
	// Twenty versions are retained; the oldest of them counts as the creation.
	if n := strings.Count(got, "PARENT_CHANGED"); n != 19 || !strings.HasSuffix(got, `{"changeType":"CREATED"}]}}`) {
		t.Errorf("%d moves in %s", n, got)
	}
}

// The history has at most fifty entries by default.
func TestTheHistoryOfADocumentHasFiftyEntries(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	var assets []string
	for i := range 55 {
		assets = append(assets, fmt.Sprintf(`{"asset":"urn:li:tag:t%d"}`, i))
	}
	putDocument(t, world, "wide", "PUBLISHED", "")
	putDocument(t, world, "wide", "PUBLISHED", `,"relatedAssets":[`+strings.Join(assets, ",")+`]`)
	for arguments, want := range map[string]int{"": 50, "(limit: 200)": 56} {
		got := data(t, engine, world, servicetest.Root, `{ document(urn: "urn:li:document:wide") { changeHistory`+arguments+` { changeType } } }`)
		if n := strings.Count(got, `{"changeType"`); n != want {
			t.Errorf("%q: %d entries, want %d", arguments, n, want)
		}
	}
}

// Each condition of a search for knowledge documents finds the one document that matches it.
func TestDocumentsAreSearchedByEachOfTheirFacts(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	const asset = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	putDocument(t, world, "other", "PUBLISHED", `,"parentDocument":{"document":"urn:li:document:nothing"}`)
	u := putDocument(t, world, "found", "PUBLISHED", `,"relatedAssets":[{"asset":"`+asset+`"}]`)
	for aspect, value := range map[string]string{
		"subTypes": `{"typeNames":["Runbook"]}`, "domains": `{"domains":["urn:li:domain:shop"]}`, "globalTags": `{"tags":[{"tag":"urn:li:tag:pii"}]}`,
		"glossaryTerms":        `{"terms":[{"urn":"urn:li:glossaryTerm:revenue"}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:jo"}}`,
		"dataPlatformInstance": `{"platform":"urn:li:dataPlatform:notion"}`,
	} {
		world.Put(t, u, aspect, value)
	}
	world.Put(t, "urn:li:dataHubView:runbooks", "dataHubViewInfo", `{"name":"Runbooks","type":"GLOBAL","definition":{"entityTypes":[],"filter":{"operator":"AND","filters":[],"or":[{"and":[{"field":"typeNames","condition":"EQUAL","negated":false,"values":["Runbook"]}]}]}},
		"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	world.Put(t, "urn:li:document:other", "documentInfo", strings.Replace(world.Get(t, "urn:li:document:other", "documentInfo"), `"NATIVE"`, `"EXTERNAL"`, 1))
	for input, want := range map[string]string{
		``: `found other`, `query: "found"`: `found`, `types: ["Runbook", "FAQ"]`: `found`, `domains: ["urn:li:domain:shop"]`: `found`, `tags: ["urn:li:tag:pii"]`: `found`,
		`glossaryTerms: ["urn:li:glossaryTerm:revenue"]`: `found`, `platforms: ["urn:li:dataPlatform:notion"]`: `found`, `relatedAssets: ["` + asset + `"]`: `found`,
		`rootOnly: true`: `found`, `sourceType: EXTERNAL`: `other`, `parentDocuments: ["urn:li:document:nothing"]`: `other`, `viewUrn: "urn:li:dataHubView:runbooks"`: `found`,
		`creators: ["urn:li:corpuser:jo"]`: `found other`, `creators: ["urn:li:corpuser:mia"]`: ``, `types: ["Runbook"], sourceType: EXTERNAL`: ``,
		`sortInput: {sortCriterion: {field: "createdAt", sortOrder: ASCENDING}}`: `other found`,
	} {
		var documents []string
		for id := range strings.FieldsSeq(want) {
			documents = append(documents, `{"urn":"urn:li:document:`+id+`"}`)
		}
		want := fmt.Sprintf(`{"searchDocuments":{"start":0,"count":20,"total":%d,"documents":[%s]}}`, len(documents), strings.Join(documents, ","))
		if got := data(t, engine, world, servicetest.Mia, `{ searchDocuments(input: {`+input+`}) { start count total documents { urn } } }`); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", input, got, want)
		}
	}
}
