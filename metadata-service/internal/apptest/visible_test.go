package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	viewOfMia urn.URN = "urn:li:dataHubView:atlantis-view"
	viewOfAll urn.URN = "urn:li:dataHubView:lemuria-view"
	nightly   urn.URN = "urn:li:dataHubIngestionSource:atlantis-source"
)

// put writes facts as the system.
func put(t *testing.T, s *apptest.Service, facts ...fact) {
	t.Helper()
	for _, f := range facts {
		if status, body := writeAPIs[0].write(s, f); status != http.StatusOK {
			t.Fatalf("%s: %d %s", f, status, body)
		}
	}
}

// storeViews stores a personal view of Mia and a global one. Their names and URNs distinguish them
// in responses.
func storeViews(t *testing.T, s *apptest.Service) {
	t.Helper()
	view := func(u urn.URN, name, kind string) fact {
		const by = `{"time":1,"actor":"urn:li:corpuser:mia"}`
		return fact{u, "dataHubViewInfo", fmt.Sprintf(`{"name":%q,"type":%q,"definition":{"entityTypes":["dataset"],"filter":{"operator":"AND","filters":[]}},"created":%s,"lastModified":%s}`, name, kind, by, by)}
	}
	// Written twice, so that there is history.
	put(t, s, view(viewOfMia, "atlantis", "PERSONAL"), view(viewOfMia, "atlantis again", "PERSONAL"), view(viewOfAll, "lemuria", "GLOBAL"))
}

// question is a read request.
type question struct{ name, method, path, body string }

func graphQL(name, query string) question {
	text, _ := json.Marshal(query)
	return question{name, http.MethodPost, "/api/graphql", `{"query":` + string(text) + `}`}
}

// readings returns the requests that read one entity and its aspect.
func readings(u urn.URN, aspect string) []question {
	inPath, inQuery, kind := url.PathEscape(string(u)), url.QueryEscape(string(u)), u.Type()
	graphQLAspects := fmt.Sprintf(`aspects(input: {aspectNames: [%q]}) { aspectName payload }`, aspect)
	return []question{
		{"Rest.li aspect", "GET", "/aspects/" + inQuery + "?aspect=" + aspect + "&version=0", ""},
		{"Rest.li older version", "GET", "/aspects/" + inQuery + "?aspect=" + aspect + "&version=1", ""},
		{"Rest.li entity", "GET", "/entities/" + inQuery, ""},
		{"Rest.li entities", "GET", "/entities?ids=List(" + inQuery + ")", ""},
		{"Rest.li entitiesV2", "GET", "/entitiesV2/" + inQuery, ""},
		{"Rest.li entitiesV2 of several", "GET", "/entitiesV2?ids=List(" + inQuery + ")", ""},
		{"Rest.li entitiesVersionedV2", "GET", "/entitiesVersionedV2?ids=List((urn:" + inQuery + ",versionStamp:" + aspect + "%3A1))&entityType=" + kind, ""},
		{"OpenAPI v3 entity", "GET", "/openapi/v3/entity/" + kind + "/" + inPath, ""},
		{"OpenAPI v3 aspect", "GET", "/openapi/v3/entity/" + kind + "/" + inPath + "/" + aspect, ""},
		{"OpenAPI v3 older version", "GET", "/openapi/v3/entity/" + kind + "/" + inPath + "/" + aspect + "?version=1", ""},
		{"OpenAPI v3 batchGet", "POST", "/openapi/v3/entity/" + kind + "/batchGet", fmt.Sprintf(`[{"urn":%q,%q:{}}]`, u, aspect)},
		{"OpenAPI v3 batchGet of any type", "POST", "/openapi/v3/entity/generic/batchGet", fmt.Sprintf(`{%q:[{"urn":%q,%q:{}}]}`, kind, u, aspect)},
		{"OpenAPI v2 entity", "GET", "/openapi/v2/entity/" + kind + "/" + inPath, ""},
		{"OpenAPI v2 aspect", "GET", "/openapi/v2/entity/" + kind + "/" + inPath + "/" + aspect, ""},
		{"OpenAPI v2 batch", "POST", "/openapi/v2/entity/batch/" + kind, fmt.Sprintf(`{"urns":[%q]}`, u)},
		{"OpenAPI v1 latest", "GET", "/openapi/entities/v1/latest?urns=" + inQuery, ""},
		{"run", "POST", "/runs?action=describe", `{"runId":"no-run-id-provided","start":0,"count":10000,"includeAspect":true,"includeSoft":true}`},
		graphQL("GraphQL entity", fmt.Sprintf(`{ entity(urn: %q) { urn ... on DataHubView { name definition { entityTypes } } } }`, u)),
		graphQL("GraphQL entities", fmt.Sprintf(`{ entities(urns: [%q]) { urn ... on DataHubView { name } } }`, u)),
		graphQL("GraphQL aspects", fmt.Sprintf(`{ entities(urns: [%q]) { urn ... on Dataset { %s } } }`, u, graphQLAspects)),
	}
}

// listings returns the requests that find entities of a type.
func listings(entityType, graphQLType, word string) []question {
	return []question{
		{"Rest.li search", "POST", "/entities?action=search", fmt.Sprintf(`{"entity":%q,"input":%q,"start":0,"count":10}`, entityType, word)},
		{"Rest.li search for all", "POST", "/entities?action=search", fmt.Sprintf(`{"entity":%q,"input":"*","start":0,"count":10}`, entityType)},
		{"Rest.li filter", "POST", "/entities?action=filter", fmt.Sprintf(`{"entity":%q,"start":0,"count":10,"filter":{"or":[]}}`, entityType)},
		{"Rest.li list", "POST", "/entities?action=list", fmt.Sprintf(`{"entity":%q,"start":0,"count":10,"filter":{"criteria":[]}}`, entityType)},
		{"Rest.li searchAcrossEntities", "POST", "/entities?action=searchAcrossEntities", fmt.Sprintf(`{"entities":[%q,"dataset"],"input":"*","start":0,"count":10}`, entityType)},
		{"Rest.li scrollAcrossEntities", "POST", "/entities?action=scrollAcrossEntities", fmt.Sprintf(`{"entities":[%q,"dataset"],"input":"*","count":10}`, entityType)},
		{"Rest.li autocomplete", "POST", "/entities?action=autocomplete", fmt.Sprintf(`{"entity":%q,"query":%q,"limit":10}`, entityType, word[:4])},
		{"Rest.li listUrns", "POST", "/entities?action=listUrns", fmt.Sprintf(`{"entity":%q,"start":0,"count":10}`, entityType)},
		{"OpenAPI v3 list", "GET", "/openapi/v3/entity/" + entityType + "?count=10", ""},
		{"OpenAPI v3 query", "GET", "/openapi/v3/entity/" + entityType + "?count=10&query=" + word, ""},
		{"OpenAPI v3 scroll", "POST", "/openapi/v3/entity/scroll?count=10", fmt.Sprintf(`{"entities":[%q],"aspects":[]}`, entityType)},
		{"OpenAPI v2 list", "GET", "/openapi/v2/entity/" + entityType + "?count=10", ""},
		graphQL("GraphQL search", fmt.Sprintf(`{ searchAcrossEntities(input: {types: [%s, TAG], query: "*", count: 10}) { total searchResults { entity { urn } } } }`, graphQLType)),
		graphQL("GraphQL scroll", fmt.Sprintf(`{ scrollAcrossEntities(input: {types: [%s, TAG], query: "*", count: 10}) { total searchResults { entity { urn } } } }`, graphQLType)),
		graphQL("GraphQL autocomplete", fmt.Sprintf(`{ autoCompleteForMultiple(input: {types: [%s], query: %q}) { suggestions { suggestions entities { urn } } } }`, graphQLType, word[:4])),
	}
}

func ask(c caller, q question) (int, string) { return c.Call(q.method, q.path, q.body) }

func TestAPersonalViewIsReadByItsOwnerAndWhoManagesViewsAlone(t *testing.T) {
	t.Parallel()
	s := world(t)
	storeViews(t, s)
	owner, other, admin := s.As(mia), s.As(jo), s.As("urn:li:corpuser:datahub")
	for _, q := range readings(viewOfMia, "dataHubViewInfo") {
		if status, body := ask(other, q); strings.Contains(body, "atlantis again") || strings.Contains(body, `"atlantis"`) {
			t.Errorf("%s: somebody else is shown the view: %d %.300s", q.name, status, body)
		}
	}
	for _, q := range readings(viewOfAll, "dataHubViewInfo")[:15] {
		if _, body := ask(other, q); q.name != "Rest.li entities" && q.name != "Rest.li entity" && !strings.Contains(body, "lemuria") {
			t.Errorf("%s: the view of all is hidden: %.300s", q.name, body)
		}
	}
	for _, by := range []caller{owner, admin} {
		for _, i := range []int{0, 4, 7, 8, 10, 16, 17} {
			q := readings(viewOfMia, "dataHubViewInfo")[i]
			if status, body := ask(by, q); status != http.StatusOK || !strings.Contains(body, "atlantis") {
				t.Errorf("%s: the owner or the administrator sees %d %.300s", q.name, status, body)
			}
		}
	}
}

func TestAPersonalViewIsFoundByItsOwnerAndWhoManagesViewsAlone(t *testing.T) {
	t.Parallel()
	s := world(t)
	storeViews(t, s)
	owner, other, admin := s.As(mia), s.As(jo), s.As("urn:li:corpuser:datahub")
	for _, q := range listings("dataHubView", "DATAHUB_VIEW", "atlantis") {
		status, body := ask(other, q)
		if strings.Contains(body, "atlantis") && !strings.Contains(body, `"query":"atlantis"`) {
			t.Errorf("%s: somebody else finds the view: %.400s", q.name, body)
		}
		if status != http.StatusOK {
			t.Errorf("%s: the views of others make a list fail: %d %.300s", q.name, status, body)
		}
		for _, by := range []caller{owner, admin} {
			if _, body := ask(by, q); !strings.Contains(body, "atlantis-view") && !strings.Contains(body, `"atlantis again"`) {
				t.Errorf("%s: the owner or the administrator does not find it: %.300s", q.name, body)
			}
		}
	}
	for _, q := range listings("dataHubView", "DATAHUB_VIEW", "lemuria") {
		if _, body := ask(other, q); !strings.Contains(body, "lemuria") {
			t.Errorf("%s: the view of all is hidden: %.300s", q.name, body)
		}
	}
	// Totals must count only the entities shown.
	var page struct{ TotalCount int }
	for by, want := range map[caller]int{other: 1, owner: 2} {
		_, body := ask(by, question{"", "POST", "/openapi/v3/entity/scroll?count=10", `{"entities":["dataHubView"]}`})
		if err := json.Unmarshal([]byte(body), &page); err != nil || page.TotalCount != want {
			t.Errorf("total %d, %v; want %d", page.TotalCount, err, want)
		}
	}
}

func TestAPersonalViewIsNoEndOfARelationshipForOthers(t *testing.T) {
	t.Parallel()
	s := world(t)
	storeViews(t, s)
	put(t, s, fact{"urn:li:globalSettings:0", "globalSettingsInfo", `{"views":{"defaultView":"` + string(viewOfMia) + `"}}`})
	for _, q := range []question{
		{"OpenAPI v1", "GET", "/openapi/relationships/v1?urn=" + url.QueryEscape(string(viewOfMia)) + "&relationshipTypes=viewedWith&direction=INCOMING", ""},
		{"OpenAPI v3 scroll", "GET", "/openapi/v3/relationship/viewedWith?count=10", ""},
		{"OpenAPI v3 of the type", "GET", "/openapi/v3/relationship/dataHubView/" + url.PathEscape(string(viewOfMia)) + "?direction=INCOMING", ""},
		{"Rest.li", "GET", "/relationships?urn=" + url.QueryEscape(string(viewOfMia)) + "&types=List(viewedWith)&direction=INCOMING", ""},
	} {
		if status, body := ask(s.As(jo), q); status == http.StatusOK && strings.Contains(body, "globalSettings:0") {
			t.Errorf("%s: somebody else sees the view in a relationship: %.400s", q.name, body)
		}
		if status, body := ask(s.As(mia), q); status != http.StatusOK {
			t.Errorf("%s: the owner is answered %d %.300s", q.name, status, body)
		}
	}
}

func TestRecipesSecretsAndSettingsAreNeitherReadNorFoundWithoutThePrivilege(t *testing.T) {
	t.Parallel()
	s := world(t)
	put(t, s,
		fact{nightly, "dataHubIngestionSourceInfo", `{"name":"atlantis","type":"mysql","config":{"recipe":"password: 'atlantis-password'","executorId":"default"}}`},
		fact{"urn:li:dataHubExecutionRequest:atlantis-run", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"},"args":{"recipe":"password: 'atlantis-password'"}}`},
		fact{"urn:li:dataHubSecret:atlantis-secret", "dataHubSecretKey", `{"id":"atlantis-secret"}`},
		fact{"urn:li:globalSettings:0", "globalSettingsInfo", `{"sso":{"baseUrl":"https://atlantis"}}`},
	)
	user, admin := s.As(jo), s.As("urn:li:corpuser:datahub")
	for u, aspect := range map[urn.URN]string{
		nightly: "dataHubIngestionSourceInfo", "urn:li:dataHubExecutionRequest:atlantis-run": "dataHubExecutionRequestInput",
		"urn:li:dataHubSecret:atlantis-secret": "dataHubSecretKey", "urn:li:globalSettings:0": "globalSettingsInfo",
	} {
		for _, q := range readings(u, aspect) {
			status, body := ask(user, q)
			for _, told := range []string{"atlantis-password", `"atlantis"`, "https://atlantis", `"id":"atlantis-secret"`} {
				if strings.Contains(body, told) {
					t.Errorf("%s of %s: told %s: %d %.300s", q.name, u, told, status, body)
				}
			}
		}
		if status, body := ask(admin, readings(u, aspect)[7]); status != http.StatusOK || !strings.Contains(body, "atlantis") {
			t.Errorf("the administrator reads %s: %d %.300s", u, status, body)
		}
	}
	for entityType, graphQLType := range map[string]string{"dataHubIngestionSource": "INGESTION_SOURCE", "dataHubExecutionRequest": "EXECUTION_REQUEST", "dataHubSecret": "SECRET"} {
		for _, q := range listings(entityType, graphQLType, "atlantis") {
			if status, body := ask(user, q); strings.Contains(body, ":atlantis-") || strings.Contains(body, `"atlantis"`) {
				t.Errorf("%s of %s: found: %d %.400s", q.name, entityType, status, body)
			}
		}
		if status, body := ask(admin, listings(entityType, graphQLType, "atlantis")[11]); status != http.StatusOK || !strings.Contains(body, "atlantis") {
			t.Errorf("the administrator lists %s: %d %.300s", entityType, status, body)
		}
	}
}

// A pattern of URNs could be used to guess names letter by letter.
func TestCountsTellNothingOfWhatMayNotBeRead(t *testing.T) {
	t.Parallel()
	s := world(t)
	storeViews(t, s)
	put(t, s, fact{"urn:li:dataHubSecret:atlantis-secret", "dataHubSecretKey", `{"id":"atlantis-secret"}`})
	count := func(c caller, aspect, like string) string {
		t.Helper()
		status, body := ask(c, question{"", "POST", "/aspects?action=getCount", fmt.Sprintf(`{"aspect":%q,"urnLike":%q}`, aspect, like)})
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		return body
	}
	user, admin := s.As(jo), s.As("urn:li:corpuser:datahub")
	for aspect, like := range map[string]string{"dataHubSecretKey": "urn:li:dataHubSecret:atlan%", "dataHubViewInfo": "urn:li:dataHubView:atlan%"} {
		if got := count(user, aspect, like); got != `{"value":0}` {
			t.Errorf("somebody counts %s of %s", got, like)
		}
		if got := count(admin, aspect, like); got != `{"value":1}` {
			t.Errorf("the administrator counts %s of %s", got, like)
		}
	}
	for by, want := range map[caller]string{user: `{"entityType":"dataHubSecret","count":0}`, admin: `{"entityType":"dataHubSecret","count":1}`} {
		if _, body := ask(by, question{"", "GET", "/openapi/v1/entities/counts?types=dataHubSecret", ""}); !strings.Contains(body, want) {
			t.Errorf("want %s in %s", want, body)
		}
	}
}

// The restriction of a search by a view could be inferred from its results.
func TestAPersonalViewOfSomebodyElseNarrowsASearchAsLittleAsOneThatIsGone(t *testing.T) {
	t.Parallel()
	s := world(t)
	storeViews(t, s)
	total := func(c caller, view urn.URN) string {
		t.Helper()
		_, body := ask(c, graphQL("search", fmt.Sprintf(`{ searchAcrossEntities(input: {types: [], query: "*", viewUrn: %q}) { total } }`, view)))
		return body
	}
	owner, other := s.As(mia), s.As(jo)
	all, narrowed := total(other, "urn:li:dataHubView:gone"), total(other, viewOfAll)
	if all == narrowed || strings.Contains(all+narrowed, `"errors"`) {
		t.Fatalf("without a view %s, with the view of all %s", all, narrowed)
	}
	if got := total(other, viewOfMia); got != all {
		t.Errorf("somebody else finds %s, want %s", got, all)
	}
	if got := total(owner, viewOfMia); got != narrowed {
		t.Errorf("the owner finds %s, want %s", got, narrowed)
	}
}
