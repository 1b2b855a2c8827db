package graphql_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	openTable   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,open.orders,PROD)"
	closedTable urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,closed.salaries,PROD)"
	behindTable urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,open.behind,PROD)"
)

// newRestrictedCatalog creates a catalog with view authorization, in which Jo views datasets with
// names that begin with open, and the entities attached to them if their names do.
func newRestrictedCatalog(t *testing.T) (*graphql.Engine, *servicetest.World) {
	t.Helper()
	w := servicetest.NewViewing(t)
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	for _, kind := range []string{"open", "closed"} {
		w.Put(t, urn.Make("tag", kind), "tagProperties", `{"name":"`+kind+` tag"}`)
		w.Put(t, urn.Make("glossaryNode", kind), "glossaryNodeInfo", `{"name":"`+kind+` node","definition":""}`)
		w.Put(t, urn.Make("glossaryTerm", kind), "glossaryTermInfo", `{"name":"`+kind+` term","definition":"","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:closed"}`)
		w.Put(t, urn.Make("domain", kind), "domainProperties", `{"name":"`+kind+` domain"}`)
		w.Put(t, urn.Make("container", kind), "containerProperties", `{"name":"`+kind+` container"}`)
		w.Put(t, urn.Make("document", kind), "documentInfo", `{"title":"`+kind+` document","contents":{"text":""},"status":{"state":"PUBLISHED"},"parentDocument":{"document":"urn:li:document:closedtop"},"created":`+stamp+`,"lastModified":`+stamp+`}`)
	}
	w.Put(t, "urn:li:container:open", "container", `{"container":"urn:li:container:closed"}`)
	both := func(member, kind string) string {
		return `{"` + member + `":"urn:li:` + kind + `:closed"},{"` + member + `":"urn:li:` + kind + `:open"}`
	}
	for _, u := range []urn.URN{openTable, closedTable, behindTable} {
		w.Put(t, u, "datasetProperties", `{"name":"orders"}`)
		w.Put(t, u, "globalTags", `{"tags":[`+both("tag", "tag")+`]}`)
		w.Put(t, u, "glossaryTerms", `{"terms":[`+both("urn", "glossaryTerm")+`],"auditStamp":`+stamp+`}`)
		w.Put(t, u, "container", `{"container":"urn:li:container:open"}`)
		w.Put(t, u, "domains", `{"domains":["urn:li:domain:closed"]}`)
		w.Put(t, u, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
			"fields":[{"fieldPath":"id","nullable":false,"recursive":false,"type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int","globalTags":{"tags":[`+both("tag", "tag")+`]}}]}`)
		w.Put(t, u, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"id","glossaryTerms":{"terms":[`+both("urn", "glossaryTerm")+`],"auditStamp":`+stamp+`}}]}`)
	}
	w.Put(t, openTable, "siblings", fmt.Sprintf(`{"siblings":[%q,%q],"primary":true}`, closedTable, behindTable))
	upstream := func(of, from urn.URN) {
		w.Put(t, of, "upstreamLineage", `{"upstreams":[{"dataset":"`+string(from)+`","type":"TRANSFORMED","auditStamp":`+stamp+`}]}`)
	}
	upstream(closedTable, openTable)
	upstream(behindTable, closedTable)
	// The policies of a new catalog and of tests let all users view all entities.
	for _, p := range []urn.URN{"urn:li:dataHubPolicy:view-entity-page-all", "urn:li:dataHubPolicy:asset-owners-metadata-policy", "urn:li:dataHubPolicy:team-metadata"} {
		w.Put(t, p, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
	}
	w.Put(t, "urn:li:dataHubPolicy:viewing", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["`+string(auth.ViewPage)+`"],
		"actors":{"users":["urn:li:corpuser:jo"],"allUsers":false,"allGroups":false,"resourceOwners":false},
		"resources":{"filter":{"criteria":[{"field":"URN","condition":"STARTS_WITH","values":["urn:li:dataset:(urn:li:dataPlatform:hive,open.","urn:li:tag:open","urn:li:glossaryTerm:open","urn:li:glossaryNode:open","urn:li:domain:open","urn:li:container:open","urn:li:document:open","urn:li:application:open"]}]}}}`)
	return engineOf(t, w, func(*graphql.Config) {})
}

func TestSearchesAndLineageShowRestrictedEntities(t *testing.T) {
	t.Parallel()
	e, w := newRestrictedCatalog(t)
	var got struct {
		Plain, Asked struct {
			Total         int
			SearchResults []struct {
				Entity        struct{ URN, Type string }
				MatchedFields []struct{ Value string }
			}
		}
		Lineage struct {
			Total         int
			SearchResults []struct {
				Degree int
				Entity struct{ URN, Type string }
				Paths  []struct{ Path []struct{ URN string } }
			}
		}
		Dataset struct {
			Lineage struct {
				Total         int
				Relationships []struct{ Entity struct{ URN, Type string } }
			}
		}
	}
	text := data(t, e, w, servicetest.Jo, `{
		plain: searchAcrossEntities(input: {query: "orders", types: [DATASET]}) { total searchResults { entity { urn type } } }
		asked: searchAcrossEntities(input: {query: "*", types: [DATASET], searchFlags: {includeRestricted: true}}) { total searchResults { entity { urn type } matchedFields { value } } }
		lineage: searchAcrossLineage(input: {urn: "`+string(openTable)+`", direction: DOWNSTREAM, lineageFlags: {}}) { total searchResults { degree entity { urn type } paths { path { urn } } } }
		dataset(urn: "`+string(openTable)+`") { lineage(input: {direction: DOWNSTREAM, separateSiblings: true}) { total relationships { entity { urn type } } } }
	}`)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "salaries") {
		t.Errorf("it is told what is hidden: %s", text)
	}
	if got.Plain.Total != 2 || got.Asked.Total != 3 || len(got.Asked.SearchResults) != 3 {
		t.Errorf("found %d, and %d with what is restricted: %s", got.Plain.Total, got.Asked.Total, text)
	}
	restricted := ""
	for _, r := range got.Asked.SearchResults {
		if r.Entity.Type == "RESTRICTED" && len(r.MatchedFields) == 0 {
			restricted = r.Entity.URN
		}
	}
	found := restricted
	if len(got.Lineage.SearchResults) == 1 {
		restricted = got.Lineage.SearchResults[0].Entity.URN // lineage uses URNs of its own
	}
	if found == "" || restricted == found {
		t.Errorf("searches name it %s, lineage %s", found, restricted)
	}
	// The sibling is a second root of the walk, so that the walk ends at the hidden entity.
	if got.Lineage.Total != 1 || len(got.Lineage.SearchResults) != 1 || got.Lineage.SearchResults[0].Entity.Type != "RESTRICTED" {
		t.Errorf("lineage is %+v, want %s", got.Lineage, restricted)
	}
	if l := got.Dataset.Lineage; l.Total != 1 || len(l.Relationships) != 1 || l.Relationships[0].Entity.URN != restricted {
		t.Errorf("the field says %+v, want %s", l, restricted)
	}
	// It can be read, and has no relationships.
	again := data(t, e, w, servicetest.Jo, `{
		entity(urn: "`+restricted+`") { urn type ... on Restricted { lineage(input: {direction: DOWNSTREAM}) { total } relationships(input: {types: ["DownstreamOf"], direction: OUTGOING}) { total } } }
		searchAcrossLineage(input: {urn: "`+restricted+`", direction: DOWNSTREAM}) { total }
	}`)
	if want := `{"entity":{"urn":"` + restricted + `","type":"RESTRICTED","lineage":{"total":0},"relationships":{"total":0}},"searchAcrossLineage":{"total":0}}`; again != want {
		t.Errorf("got %s, want %s", again, want)
	}
	for _, query := range []string{`{ entity(urn: "` + restricted + `A") { urn } }`, `{ searchAcrossLineage(input: {urn: "urn:li:restricted:x", direction: UPSTREAM}) { total } }`} {
		refused := e.Exec(w.As(t, servicetest.Jo), graphql.Request{Query: query})
		if len(refused.Errors) != 1 || refused.Errors[0].Extensions["code"] != 400 {
			t.Errorf("%s: %s %v", query, refused.Data, refused.Errors)
		}
	}
}

var restrictedName = regexp.MustCompile(`urn:li:restricted:[A-Za-z0-9_-]+`)

func TestWhatMayNotBeViewedIsAssociatedWithNothing(t *testing.T) {
	t.Parallel()
	e, w := newRestrictedCatalog(t)
	query := `{
		dataset(urn: "` + string(openTable) + `") {
			tags { tags { tag { urn } } } glossaryTerms { terms { term { urn parentNodes { count nodes { urn } } } } } domain { domain { urn } } container { urn }
			parentContainers { count containers { urn } } siblings { isPrimary siblings { urn } }
			schemaMetadata { fields { tags { tags { tag { urn } } } } } editableSchemaMetadata { editableSchemaFieldInfo { glossaryTerms { terms { term { urn } } } } }
		}
		document(urn: "urn:li:document:open") { urn info { parentDocument { document { urn } } } parentDocuments { count documents { urn } } }
	}`
	const want = `{"dataset":{"tags":{"tags":[{"tag":{"urn":"urn:li:tag:open"}}]},"glossaryTerms":{"terms":[{"term":{"urn":"urn:li:glossaryTerm:open","parentNodes":{"count":0,"nodes":[]}}}]},` +
		`"domain":null,"container":{"urn":"urn:li:container:open"},"parentContainers":{"count":2,"containers":[{"urn":"urn:li:container:open"},{"urn":"urn:li:restricted:…"}]},` +
		`"siblings":{"isPrimary":true,"siblings":[{"urn":"` + string(behindTable) + `"}]},"schemaMetadata":{"fields":[{"tags":{"tags":[{"tag":{"urn":"urn:li:tag:open"}}]}}]},` +
		`"editableSchemaMetadata":{"editableSchemaFieldInfo":[{"glossaryTerms":{"terms":[{"term":{"urn":"urn:li:glossaryTerm:open"}}]}}]}},` +
		`"document":{"urn":"urn:li:document:open","info":{"parentDocument":null},"parentDocuments":{"count":0,"documents":[]}}}`
	// The containers of an asset are returned up to the first hidden one.
	if got := restrictedName.ReplaceAllString(data(t, e, w, servicetest.Jo, query), "urn:li:restricted:…"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := data(t, e, w, servicetest.Root, query); strings.Count(got, ":closed") < 8 {
		t.Errorf("the administrator gets %s", got)
	}
}
