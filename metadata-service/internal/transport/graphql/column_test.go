package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// difficultColumns are field paths that could be split as parts of a URN, or look encoded.
var difficultColumns = []string{
	"Amount (EUR)", "Last, First", "half (", "),(", "100%", "%2541", `the "net" 'sum'`, "[0].x", "prix 💶", "شحن (كغ)", "id",
}

// Every operation on a column reads and writes the entity with the URN that clients build.
func TestColumnsWithReservedCharactersHaveOneURN(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const dataset urn.URN = "urn:li:dataset:(urn:li:dataPlatform:mssql,erp.invoice,PROD)"
	const view urn.URN = "urn:li:dataset:(urn:li:dataPlatform:mssql,erp.v_invoice,PROD)"
	var fields, lineage []string
	for _, path := range difficultColumns {
		fields = append(fields, fmt.Sprintf(`{"fieldPath":%s,"type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int"}`, quoted(t, path)))
		lineage = append(lineage, fmt.Sprintf(`{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":[%s],"downstreams":[%s]}`,
			quoted(t, string(model.ColumnURN(dataset, path))), quoted(t, string(model.ColumnURN(view, path)))))
	}
	schema := `{"schemaName":"s","platform":"urn:li:dataPlatform:mssql","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` + strings.Join(fields, ",") + `]}`
	world.Put(t, dataset, "schemaMetadata", schema)
	world.Put(t, view, "schemaMetadata", schema)
	world.Put(t, view, "upstreamLineage", `{"upstreams":[{"dataset":"`+string(dataset)+`","type":"TRANSFORMED"}],"fineGrainedLineages":[`+strings.Join(lineage, ",")+`]}`)
	world.Put(t, "urn:li:businessAttribute:sum", "businessAttributeInfo", `{"fieldPath":"sum","name":"Sum","created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)

	read := data(t, engine, world, servicetest.Root, `query($u: String!) { dataset(urn: $u) {
		schemaMetadata { fields { fieldPath schemaFieldEntity { urn fieldPath parent { urn } } } }
		fineGrainedLineages { upstreams { urn path } downstreams { path } }
	} }`, variables(t, "u", view))
	var got struct {
		Dataset struct {
			SchemaMetadata struct {
				Fields []struct {
					FieldPath         string
					SchemaFieldEntity struct {
						URN, FieldPath string
						Parent         struct{ URN string }
					}
				}
			}
			FineGrainedLineages []struct{ Upstreams, Downstreams []struct{ URN, Path string } }
		}
	}
	if err := json.Unmarshal([]byte(read), &got); err != nil {
		t.Fatal(err)
	}
	for i, path := range difficultColumns {
		column := model.ColumnURN(view, path)
		field := got.Dataset.SchemaMetadata.Fields[i]
		if e := field.SchemaFieldEntity; field.FieldPath != path || e.URN != string(column) || e.FieldPath != path || e.Parent.URN != string(view) {
			t.Errorf("column %q is read as %+v", path, field)
		}
		if l := got.Dataset.FineGrainedLineages[i]; l.Upstreams[0].URN != string(dataset) || l.Upstreams[0].Path != path || l.Downstreams[0].Path != path {
			t.Errorf("lineage of %q is read as %+v", path, l)
		}
		reached := data(t, engine, world, servicetest.Root, `query($u: String!) { searchAcrossLineage(input: {urn: $u, direction: UPSTREAM, query: "*"}) { total } }`, variables(t, "u", column))
		if reached != `{"searchAcrossLineage":{"total":1}}` {
			t.Errorf("upstream of %q: %s", path, reached)
		}
		data(t, engine, world, servicetest.Root, `mutation($u: String!, $p: String!) {
			updateDeprecation(input: {urn: $u, deprecated: true, subResource: $p, subResourceType: DATASET_FIELD})
			addBusinessAttribute(input: {businessAttributeUrn: "urn:li:businessAttribute:sum", resourceUrn: [{resourceUrn: $u, subResource: $p, subResourceType: DATASET_FIELD}]})
		}`, variables(t, "u", view, "p", path))
		if !strings.Contains(world.Get(t, column, "deprecation"), `"deprecated":true`) || !strings.Contains(world.Get(t, column, "businessAttributes"), "businessAttribute:sum") {
			t.Errorf("%q is not deprecated, or lacks its attribute", column)
		}
		made := data(t, engine, world, servicetest.Root, `mutation($u: String!, $p: String!) {
			upsertCustomAssertion(input: {entityUrn: $u, type: "M", description: "x", platform: {name: "me"}, fieldPath: $p}) { urn info { customAssertion { field { urn path } } } }
		}`, variables(t, "u", view, "p", path))
		if want := `"path":` + quoted(t, path); !strings.Contains(made, want) {
			t.Errorf("the assertion of %q has no %s: %s", path, want, made)
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// variables encodes the variables of a request, given as names and values in turn.
func variables(t *testing.T, list ...any) string {
	t.Helper()
	out := map[string]any{}
	for i := 0; i < len(list); i += 2 {
		out[list[i].(string)] = list[i+1]
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The note of an assertion has an aspect of its own; older notes are in the definition.
func TestNotesOfAssertionsAreRead(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const stamp = `"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}`
	const check urn.URN = "urn:li:assertion:noted"
	note := func(want string) {
		t.Helper()
		got := data(t, engine, world, servicetest.Root, `{ assertion(urn: "urn:li:assertion:noted") { info { note } } }`)
		if got != `{"assertion":{"info":{"note":`+want+`}}}` {
			t.Errorf("got %s, want the note %s", got, want)
		}
	}
	world.Put(t, check, "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"t","entity":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}}`)
	note("null")
	world.Put(t, check, "assertionInfo", `{"type":"CUSTOM","note":{"content":"embedded",`+stamp+`},"customAssertion":{"type":"t","entity":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}}`)
	note(`"embedded"`)
	world.Put(t, check, "assertionNote", `{"content":"own",`+stamp+`}`)
	note(`"own"`)
	world.Put(t, check, "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"t","entity":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}}`)
	note(`"own"`)
	world.Put(t, check, "assertionNote", `{"content":"",`+stamp+`}`)
	note("null")
}
