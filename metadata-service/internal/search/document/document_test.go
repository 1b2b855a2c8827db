package document_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// shelf is a reader of records given as JSON by URN and aspect.
type shelf map[urn.URN]map[string]string

func (s shelf) records(u urn.URN) []model.Record {
	var list []model.Record
	for i, aspect := range slices.Sorted(maps.Keys(s[u])) {
		list = append(list, model.Record{
			URN: u, Aspect: aspect, Value: json.RawMessage(s[u][aspect]), CreatedOn: 1000 + int64(i), Sequence: uint64(i + 1),
			System: model.SystemMetadata{RunID: "run-1", AspectModified: &model.AuditStamp{Time: 2000}},
		})
	}
	return list
}

func (s shelf) Aspects(_ context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	out := make([][]model.Record, len(urns))
	for i, u := range urns {
		for _, rec := range s.records(u) {
			if len(names) == 0 || slices.Contains(names, rec.Aspect) {
				out[i] = append(out[i], rec)
			}
		}
	}
	return out, nil
}

func registry(t testing.TB) *model.Registry {
	t.Helper()
	r, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

func shop() shelf {
	return shelf{
		orders: {
			"datasetKey":                `{"name":"shop.orders","origin":"PROD","platform":"urn:li:dataPlatform:hive"}`,
			"datasetProperties":         `{"customProperties":{"team":"shop","tier":"1"},"description":"All <b>orders</b> \"ever\" made","name":"orders","tags":[]}`,
			"ownership":                 `{"lastModified":{"actor":"urn:li:corpuser:unknown","time":0},"ownerTypes":{"urn:li:ownershipType:__system__technical_owner":["urn:li:corpuser:ada"]},"owners":[{"owner":"urn:li:corpuser:ada","type":"TECHNICAL_OWNER","typeUrn":"urn:li:ownershipType:__system__technical_owner"}]}`,
			"globalTags":                `{"tags":[{"tag":"urn:li:tag:pii"},{"tag":"urn:li:tag:gold"}]}`,
			"glossaryTerms":             `{"auditStamp":{"actor":"urn:li:corpuser:ada","time":5},"terms":[{"urn":"urn:li:glossaryTerm:order"}]}`,
			"domains":                   `{"domains":["urn:li:domain:retail"]}`,
			"container":                 `{"container":"urn:li:container:schema"}`,
			"status":                    `{"removed":false}`,
			"subTypes":                  `{"typeNames":["Table"]}`,
			"browsePathsV2":             `{"path":[{"id":"hive"},{"id":"urn:li:container:schema","urn":"urn:li:container:schema"}]}`,
			"structuredProperties":      `{"properties":[{"propertyUrn":"urn:li:structuredProperty:shop.retention","values":[{"double":90}]}]}`,
			"schemaMetadata":            `{"fields":[{"fieldPath":"order_id","globalTags":{"tags":[{"tag":"urn:li:tag:key"}]},"nativeDataType":"int"},{"description":"who","fieldPath":"customer","nativeDataType":"text"}],"hash":"","platform":"urn:li:dataPlatform:hive","schemaName":"orders","version":0}`,
			"editableDatasetProperties": `{"created":{"actor":"urn:li:corpuser:ada","time":7},"description":"Every order","lastModified":{"actor":"urn:li:corpuser:ada","time":8}}`,
		},
		"urn:li:domain:retail":                       {"domainKey": `{"id":"retail"}`, "domainProperties": `{"name":"Retail","parentDomain":"urn:li:domain:business"}`},
		"urn:li:domain:business":                     {"domainKey": `{"id":"business"}`, "domainProperties": `{"name":"Business"}`},
		"urn:li:glossaryTerm:order":                  {"glossaryTermInfo": `{"definition":"","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:sales"}`},
		"urn:li:glossaryNode:sales":                  {"glossaryNodeInfo": `{"definition":"","parentNode":"urn:li:glossaryNode:business"}`},
		"urn:li:container:schema":                    {"containerKey": `{"guid":"schema"}`, "container": `{"container":"urn:li:container:db"}`},
		"urn:li:structuredProperty:shop.retention":   {"propertyDefinition": `{"entityTypes":[],"qualifiedName":"shop.retention","valueType":"urn:li:dataType:datahub.number"}`},
		"urn:li:businessAttribute:customer":          {"businessAttributeKey": `{"id":"customer"}`, "businessAttributeInfo": `{"fieldPath":"customer","name":"Customer number"}`},
		"urn:li:schemaField:(urn:li:tag:x,customer)": {"schemaFieldKey": `{"fieldPath":"customer","parent":"urn:li:tag:x"}`, "businessAttributes": `{"businessAttribute":{"businessAttributeUrn":"urn:li:businessAttribute:customer"}}`},
	}
}

func build(t testing.TB, s shelf, records []model.Record) *search.Document {
	t.Helper()
	docs, err := document.NewBuilder(registry(t), s).Build(t.Context(), []document.Source{{URN: records[0].URN, Records: records}})
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

func words(values []search.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

func TestDocumentOfADataset(t *testing.T) {
	t.Parallel()
	s := shop()
	doc := build(t, s, s.records(orders))
	if doc.URN != orders || doc.Type != "dataset" {
		t.Fatalf("the document is of %s, a %s", doc.URN, doc.Type)
	}
	want := map[string][]string{
		"name":              {"orders"},
		"platform":          {"urn:li:dataPlatform:hive"},
		"origin":            {"PROD"},
		"description":       {`All  orders  "ever" made`},
		"editedDescription": {"Every order"},
		"hasDescription":    {"true"},
		"customProperties":  {"team=shop", "tier=1"},
		"owners":            {"urn:li:corpuser:ada"},
		"ownerTypes":        {"urn:li:ownershipType:__system__technical_owner=urn:li:corpuser:ada"},
		"hasOwners":         {"true"},
		"_owners":           {"urn:li:corpuser:ada", "urn:li:ownershipType:__system__technical_owner␟urn:li:corpuser:ada"},
		"tags":              {"urn:li:tag:pii", "urn:li:tag:gold"},
		"glossaryTerms":     {"urn:li:glossaryTerm:order"},
		"_terms":            {"urn:li:glossaryTerm:order", "urn:li:glossaryNode:sales", "urn:li:glossaryNode:business"},
		"domains":           {"urn:li:domain:retail"},
		"_domains":          {"urn:li:domain:retail", "urn:li:domain:business"},
		"container":         {"urn:li:container:schema"},
		"_containers":       {"urn:li:container:schema", "urn:li:container:db"},
		"removed":           {"false"},
		"typeNames":         {"Table"},
		"browsePathV2":      {"␟hive␟urn:li:container:schema"},
		"fieldPaths":        {"order_id", "customer"},
		"fieldTags":         {"urn:li:tag:key"},
		"fieldDescriptions": {"who"},
		"hasRoles":          {"false"},
		"hasSiblings":       {"false"},
		"runId":             {"run-1"},
	}
	for name, texts := range want {
		if got := words(doc.Fields[name]); !slices.Equal(got, texts) {
			t.Errorf("%s is %q, want %q", name, got, texts)
		}
	}
	for name, number := range map[string]float64{"structuredProperties.shop_retention": 90, "termsModifiedAt": 2000, "systemCreated": 1000} {
		if got := doc.Fields[name]; len(got) != 1 || got[0].Number != number {
			t.Errorf("%s is %v, want %v", name, got, number)
		}
	}
	if kind := doc.Kinds["structuredProperties.shop_retention"]; kind != search.Double {
		t.Errorf("the property is a %s", kind)
	}
}

func TestReferencedEntitiesLendTheirFields(t *testing.T) {
	t.Parallel()
	s := shop()
	doc := build(t, s, s.records("urn:li:schemaField:(urn:li:tag:x,customer)"))
	if got := words(doc.Fields["businessAttributeRef.urn"]); !slices.Equal(got, []string{"urn:li:businessAttribute:customer"}) {
		t.Errorf("the reference is %q", got)
	}
	if got := words(doc.Fields["businessAttributeRef.name"]); !slices.Equal(got, []string{"Customer number"}) {
		t.Errorf("the name of the attribute is %q", got)
	}
}

func TestOrderOfRecordsDoesNotMatter(t *testing.T) {
	t.Parallel()
	s := shop()
	records := s.records(orders)
	want := search.Fingerprint(build(t, s, records))
	random := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		random.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		if got := search.Fingerprint(build(t, s, records)); got != want {
			t.Fatal("the document depends on the order of its records")
		}
	}
}

func TestLaterAspectsDecideSharedFields(t *testing.T) {
	t.Parallel()
	s := shop()
	u := urn.URN("urn:li:tag:pii")
	s[u] = map[string]string{"tagKey": `{"name":"pii"}`, "tagProperties": `{"name":"Personal"}`}
	records := s.records(u)
	if got := words(build(t, s, records).Fields["name"]); !slices.Equal(got, []string{"Personal"}) {
		t.Errorf("the name is %q, want the one written last", got)
	}
}

func TestParentsAreForgottenWhenTold(t *testing.T) {
	t.Parallel()
	s := shop()
	b := document.NewBuilder(registry(t), s)
	domains := func() []string {
		docs, err := b.Build(t.Context(), []document.Source{{URN: orders, Records: s.records(orders)}})
		if err != nil {
			t.Fatal(err)
		}
		return words(docs[0].Fields[document.AncestorDomains])
	}
	before := domains()
	s["urn:li:domain:retail"]["domainProperties"] = `{"name":"Retail"}`
	b.Invalidate("urn:li:domain:retail")
	if after := domains(); len(before) != 2 || len(after) != 1 {
		t.Errorf("ancestors were %q and are %q", before, after)
	}
	if got := b.Dependents("urn:li:domain:retail", "domainProperties"); !slices.Equal(got, []string{document.AncestorDomains}) {
		t.Errorf("dependents are found by %q", got)
	}
}

func TestPoliciesFindUsersByTheirGroupsAndTermsByTheNodesAbove(t *testing.T) {
	t.Parallel()
	s := shop()
	const ada = "urn:li:corpuser:ada"
	s[ada] = map[string]string{
		"groupMembership": `{"groups":["urn:li:corpGroup:ldap"]}`, "nativeGroupMembership": `{"nativeGroups":["urn:li:corpGroup:own","urn:li:corpGroup:ldap"]}`,
	}
	got := words(build(t, s, s.records(ada)).Fields[document.Groups])
	slices.Sort(got)
	if !slices.Equal(got, []string{"urn:li:corpGroup:ldap", "urn:li:corpGroup:own"}) {
		t.Errorf("groups are %q", got)
	}
	const term = "urn:li:glossaryTerm:order"
	if got := words(build(t, s, s.records(term)).Fields[document.AncestorTerms]); !slices.Equal(got, []string{"urn:li:glossaryNode:sales", "urn:li:glossaryNode:business"}) {
		t.Errorf("above the term are %q", got)
	}
	if got := document.NewBuilder(registry(t), s).Dependents("urn:li:glossaryNode:sales", "glossaryNodeInfo"); !slices.Equal(got, []string{document.AncestorTerms}) {
		t.Errorf("dependents are found by %q", got)
	}
}

func TestSchemasCoverTheRegistry(t *testing.T) {
	t.Parallel()
	schemas := document.Schemas(registry(t))
	have := map[string]bool{}
	for _, s := range schemas {
		have[s.EntityType] = true
		names := map[string]bool{}
		for _, f := range s.Fields {
			if names[f.Name] {
				t.Errorf("%s has %s twice", s.EntityType, f.Name)
			}
			names[f.Name] = true
		}
	}
	for _, name := range slices.Concat(document.SearchTypes(), document.AutocompleteTypes(), document.BrowseTypes()) {
		if !have[name] {
			t.Errorf("%s is searched by default and has no schema", name)
		}
	}
	if have["dataHubAccessToken"] {
		t.Error("access tokens are searched")
	}
	facets := document.DefaultFacets(schemas, []string{"dataset"})
	for _, want := range []string{"_entityType", "_entityType␞typeNames", "platform", "tags", "owners", "domains", "hasSiblings"} {
		if !slices.Contains(facets, want) {
			t.Errorf("%s is no facet of datasets: %q", want, facets)
		}
	}
}

func FuzzBuild(f *testing.F) {
	r := registry(f)
	f.Add("datasetProperties", `{"name":"a","customProperties":{"k":"v\n"}}`)
	f.Add("schemaMetadata", `{"fields":[{"fieldPath":"a"},[[{}]],null,"x"]}`)
	f.Add("browsePathsV2", `{"path":[{"id":"`)
	f.Fuzz(func(t *testing.T, aspect, value string) {
		s := shelf{orders: {aspect: value}}
		// Invalid JSON is never stored, but reading it must end.
		docs, err := document.NewBuilder(r, s).Build(t.Context(), []document.Source{{URN: orders, Records: s.records(orders)}})
		if err == nil && docs[0] == nil {
			t.Fatal("an entity with a record has no document")
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	s := shop()
	builder := document.NewBuilder(registry(b), s)
	source := []document.Source{{URN: orders, Records: s.records(orders)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := builder.Build(b.Context(), source); err != nil {
			b.Fatal(err)
		}
	}
}

// TestABrowsePathIsMadeOfURNs indexes entries of a browse path whose ids repeat the names of their
// entities.
func TestABrowsePathIsMadeOfURNs(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`{"path":[{"id":"finance","urn":"urn:li:container:a"},{"urn":"urn:li:container:b","id":"ledger"},{"id":"open"}]}`:  "␟urn:li:container:a␟urn:li:container:b␟open",
		`{"path":[{"id":"a","urn":null},{"id":"b","more":{"id":"c","urn":"urn:li:container:d"}},{},{"id":""},{"id":"e"}]}`: "␟a␟b␟e",
		`{"path":[{"urn" : "urn:li:container:a" , "id" : "x\"y"} , {"id" : "x\"y"}]}`:                                      "␟urn:li:container:a␟x\"y",
	} {
		s := shelf{orders: {"browsePathsV2": value}}
		if got := words(build(t, s, s.records(orders)).Fields["browsePathV2"]); !slices.Equal(got, []string{want}) {
			t.Errorf("%s gives %q, want %q", value, got, want)
		}
	}
}

// TestSubjectsAreWhatRelationshipsName compares the places in which entities name the assets that
// they are about with the relationships of the model.
func TestSubjectsAreWhatRelationshipsName(t *testing.T) {
	t.Parallel()
	r := registry(t)
	relationships := map[string][]string{
		"incident": {"IncidentOn"}, "assertion": {"Asserts"}, "dataContract": {"ContractFor"}, "erModelRelationship": {"ermodelrelationA", "ermodelrelationB"},
		"metric": {"Consumes", "IsPartOf", "DerivedFrom"}, "semanticModel": {"DownstreamOf"}, "dataProcess": {"Consumes"}, "post": {"PostTarget"}, "query": {}, // without a relationship
	}
	for _, entity := range r.Entities() {
		name := document.SubjectsAspect(entity.Name)
		if (name != "") != (relationships[entity.Name] != nil) {
			t.Errorf("%s is about assets by %q", entity.Name, name)
		}
		if name == "" {
			continue
		}
		var all []model.Relationship
		of := map[string]string{} // aspects by path
		for _, name := range model.SubjectsOf(entity.Name).Aspects() {
			i := slices.IndexFunc(entity.Aspects, func(a *model.AspectSpec) bool { return a.Name == name })
			if i < 0 {
				t.Errorf("%s has no aspect %s", entity.Name, name)
				continue
			}
			for _, relationship := range entity.Aspects[i].Relationships {
				all = append(all, relationship)
				of[fmt.Sprint(relationship.Path)] = name
			}
		}
		named := 0
		for _, relationship := range all {
			if !slices.Contains(relationships[entity.Name], relationship.Name) {
				continue
			}
			// A value with one URN, at the path of the relationship.
			var value any = string(orders)
			parts := strings.Split(strings.Trim(fmt.Sprint(relationship.Path), "/"), "/")
			for _, part := range slices.Backward(parts) {
				if part == "*" {
					value = []any{value}
				} else {
					value = map[string]any{part: value}
				}
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			named++
			if got, err := document.SubjectsOf(entity.Name, of[fmt.Sprint(relationship.Path)], text); err != nil || !slices.Equal(got, []urn.URN{orders}) {
				t.Errorf("%s names %v by %s (%v)", entity.Name, got, text, err)
			}
		}
		if named == 0 && len(relationships[entity.Name]) > 0 {
			t.Errorf("%s names nothing by %v", entity.Name, relationships[entity.Name])
		}
	}
}

func TestMoreSubjectsThanAFieldHoldsAreOneThatNobodyReads(t *testing.T) {
	t.Parallel()
	list := make([]string, search.MaxListValues+1)
	for i := range list {
		list[i] = fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,t%d,PROD)", i)
	}
	text, err := json.Marshal(map[string]any{"entities": list})
	if err != nil {
		t.Fatal(err)
	}
	const incident urn.URN = "urn:li:incident:x"
	s := shelf{incident: {"incidentInfo": string(text)}}
	docs, err := document.NewBuilder(registry(t), s).Build(t.Context(), []document.Source{{URN: incident, Records: s.records(incident)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := docs[0].Fields[document.Subjects]; !slices.Equal(got, []search.Value{{Text: string(incident)}}) {
		t.Errorf("the subjects are %d, of which the first is %v", len(got), got[0])
	}
}
