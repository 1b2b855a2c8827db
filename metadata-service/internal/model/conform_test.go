package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

const stamp = `{"time":1,"actor":"urn:li:corpuser:demo"}`

func TestConformAcceptsEveryForm(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, aspect, in, want string }{
		{"members are sorted, space goes", "domains", ` { "domains" : [ "urn:li:domain:b" , "urn:li:domain:a" ] } `, `{"domains":["urn:li:domain:b","urn:li:domain:a"]}`},
		{"unknown members are dropped", "status", `{"removed":true,"colour":{"a":1},"x":null}`, `{"removed":true}`},
		{"nulls count as absent", "status", `{"removed":null,"lifecycleStage":null}`, `{}`},
		{"nulls inside arrays are dropped", "domains", `{"domains":[null,"urn:li:domain:a",null]}`, `{"domains":["urn:li:domain:a"]}`},
		{"nulls inside maps are dropped", "datasetProperties", `{"customProperties":{"a":null,"b":"c"}}`, `{"customProperties":{"b":"c"}}`},
		{"boolean as text", "status", `{"removed":"true"}`, `{"removed":true}`},
		{"false as text", "status", `{"removed":"false"}`, `{"removed":false}`},
		{"type tag on the aspect", "status", `{"__type":"Status","removed":true}`, `{"removed":true}`},
		{"the whole aspect wrapped", "status", `{"com.linkedin.pegasus2avro.common.Status":{"removed":true}}`, `{"removed":true}`},
		{"wrapped optional text", "datasetProperties", `{"description":{"string":"x"}}`, `{"description":"x"}`},
		{"wrapped map", "datasetProperties", `{"customProperties":{"map":{"a":"b"}}}`, `{"customProperties":{"a":"b"}}`},
		{"map with an entry named map", "datasetProperties", `{"customProperties":{"map":"b"}}`, `{"customProperties":{"map":"b"}}`},
		{"wrapped array", "datasetProperties", `{"tags":{"array":["a"]}}`, `{"tags":["a"]}`},
		{"wrapped record", "datasetProperties", `{"created":{"com.linkedin.pegasus2avro.common.TimeStamp":{"time":7}}}`, `{"created":{"time":7}}`},
		{"wrapped long inside a wrapped record", "datasetProperties", `{"created":{"com.linkedin.common.TimeStamp":{"time":{"long":7}}}}`, `{"created":{"time":7}}`},
		{"bare member of a union of one", "chartInfo", `{"title":"","description":"","lastModified":{},"inputs":["urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"]}`,
			`{"description":"","inputs":[{"string":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}],"lastModified":{},"title":""}`},
		{"bare union of the analyses", "mlModelQuantitativeAnalyses", `{"unitaryResults":"x"}`, `{"unitaryResults":{"string":"x"}}`},
		{"one-member union of the analyses", "mlModelQuantitativeAnalyses", `{"unitaryResults":{"string":"x"}}`, `{"unitaryResults":{"string":"x"}}`},
		{"aliases of a union", "cost", `{"costType":"ORG_COST_TYPE","cost":{"costCode":"a"}}`, `{"cost":{"costCode":"a"},"costType":"ORG_COST_TYPE"}`},
		{"aliases beside a discriminator", "cost", `{"costType":"ORG_COST_TYPE","cost":{"costId":null,"costCode":"a","fieldDiscriminator":"costCode"}}`, `{"cost":{"costCode":"a"},"costType":"ORG_COST_TYPE"}`},
		{"bare number of a union", "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[1.50,"a"]}]}`,
			`{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"double":1.5},{"string":"a"}]}]}`},
		{"symbol as a bare text stays text", "dataJobInfo", `{"name":"n","type":"COMMAND"}`, `{"name":"n","type":{"string":"COMMAND"}}`},
	}
	r := registry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _, _, err := r.ConformText(aspect(t, tt.aspect), []byte(tt.in))
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestSchemaFieldTypesInEveryForm(t *testing.T) {
	t.Parallel()
	want := `{"type":{"com.linkedin.schema.StringType":{}}}`
	for _, in := range []string{
		want,
		`{"type":{"com.linkedin.pegasus2avro.schema.StringType":{}}}`,
		`{"type":{"__type":"StringType"}}`,
		`{"__type":"SchemaFieldDataType","type":{"__type":"StringType","unknown":1}}`,
		`{"com.linkedin.schema.SchemaFieldDataType":{"type":{"com.linkedin.schema.StringType":{"x":1}}}}`,
		`{"type":{"com.linkedin.schema.StringType":{},"com.linkedin.schema.MapType":null}}`,
	} {
		v, err := registry(t).ConformType(namedType(t, "com.linkedin.schema.SchemaFieldDataType"), "field", tree(t, in))
		if got := string(jsontree.Encode(v)); err != nil || got != want {
			t.Errorf("%s gives %s, %v", in, got, err)
		}
	}
}

// numbers conforms one number as the value of an int, a long or a double.
func numbers(t *testing.T, typ, in string) (string, error) {
	t.Helper()
	place := map[string]string{"int": "com.linkedin.dataset.DatasetFieldUsageCounts", "long": "com.linkedin.common.TimeStamp", "double": "com.linkedin.common.Cost"}[typ]
	value := map[string]string{"int": `{"fieldPath":"a","count":%s}`, "long": `{"time":%s}`, "double": `{"costType":"ORG_COST_TYPE","cost":{"costId":%s}}`}[typ]
	out, err := registry(t).ConformType(namedType(t, place), typ, tree(t, fmt.Sprintf(value, in)))
	if err != nil {
		return "", err
	}
	path := map[string]string{"int": "/count", "long": "/time", "double": "/cost/costId"}[typ]
	return string(jsontree.Encode(model.Select(out, path)[0])), nil
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct{ typ, in, want string }{ // an empty want means refused
		{"int", `1`, `1`},
		{"int", `-0`, `0`},
		{"int", `"42"`, `42`},
		{"int", `" 42 "`, `42`},
		{"int", `1.0`, `1`},
		{"int", `1e3`, `1000`},
		{"int", `{"int":5}`, `5`},
		{"int", `2147483647`, `2147483647`},
		{"int", `-2147483648`, `-2147483648`},
		{"int", `2147483648`, ``},
		{"int", `-2147483649`, ``},
		{"int", `1.5`, ``},
		{"int", `"x"`, ``},
		{"int", `""`, ``},
		{"int", `" "`, ``},
		{"int", `true`, ``},
		{"int", `[1]`, ``},
		{"int", `{"long":5}`, ``},
		{"long", `9223372036854775807`, `9223372036854775807`},
		{"long", `-9223372036854775808`, `-9223372036854775808`},
		{"long", `"9223372036854775807"`, `9223372036854775807`},
		{"long", `9007199254740993`, `9007199254740993`},
		{"long", `9223372036854775808`, ``},
		{"long", `1e19`, ``},
		{"long", `1e999`, ``},
		{"long", `"NaN"`, ``},
		{"long", `"Infinity"`, ``},
		{"double", `1`, `1.0`},
		{"double", `1.0`, `1.0`},
		{"double", `1.50`, `1.5`},
		{"double", `-0.0`, `0.0`},
		{"double", `"0.25"`, `0.25`},
		{"double", `100000000000000`, `100000000000000.0`},
		{"double", `1e21`, `1e+21`},
		{"double", `0.0000001`, `1e-07`},
		{"double", `0.1`, `0.1`},
		{"double", `1e999`, ``},
		{"double", `"NaN"`, ``},
		{"double", `"-inf"`, ``},
		{"double", `false`, ``},
	}
	for _, tt := range tests {
		got, err := numbers(t, tt.typ, tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s %s: got %q, %v, want %q", tt.typ, tt.in, got, err, tt.want)
		}
		if err == nil && !json.Valid([]byte(got)) {
			t.Errorf("%s %s: %s is no JSON", tt.typ, tt.in, got)
		}
	}
}

func TestARelationshipBindsNoURNToItsTypes(t *testing.T) {
	t.Parallel()
	r := registry(t)
	const in = `{"parentInstance":"urn:li:container:a","upstreamInstances":["urn:li:chart:(looker,1)","urn:li:dataProcessInstance:b"]}`
	text, _, _, err := r.ConformText(aspect(t, "dataProcessInstanceRelationships"), []byte(in))
	if err != nil || string(text) != in {
		t.Errorf("got %s, %v", text, err)
	}
	for _, bad := range []string{"urn:li:nothing:a", "urn:li:chart:a", "container", ""} {
		if _, _, _, err := r.ConformText(aspect(t, "dataProcessInstanceRelationships"), []byte(`{"upstreamInstances":[],"parentInstance":"`+bad+`"}`)); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

func TestErrorsNamePathRuleAndValue(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, aspect, in, want string }{
		{"not an object", "status", `[]`, `status: / :: must be an object of type com.linkedin.common.Status, found []`},
		{"null", "status", `null`, `status: / :: must be an object of type com.linkedin.common.Status`},
		{"not JSON", "status", `{"removed":`, `status: / :: not valid JSON`},
		{"two values", "status", `{} {}`, `status: / :: more text after the JSON value`},
		{"nested too deep", "status", strings.Repeat("[", 300), `status: / :: nested deeper than 200 levels`},
		{"boolean", "status", `{"removed":1}`, `/removed :: must be a boolean, found 1`},
		{"text", "datasetProperties", `{"description":5}`, `/description :: must be a string, found 5`},
		{"array", "domains", `{"domains":"urn:li:domain:a"}`, `/domains :: must be an array, found "urn:li:domain:a"`},
		{"map", "datasetProperties", `{"customProperties":[]}`, `/customProperties :: must be an object, found []`},
		{"map value", "datasetProperties", `{"customProperties":{"a/b~c":{}}}`, `/customProperties/a~1b~0c :: must be a string, found {}`},
		{"required field", "globalTags", `{"tags":[{}]}`, `/tags/0/tag :: field is required but not found and has no default value`},
		{"required field that is null", "globalTags", `{"tags":[{"tag":null}]}`, `/tags/0/tag :: field is required`},
		{"index counts from the input", "globalTags", `{"tags":[null,{}]}`, `/tags/1/tag`},
		{"symbol", "cost", `{"costType":"MINE","cost":{"costId":1}}`, `/costType :: must be one of ORG_COST_TYPE, found "MINE"`},
		{"no member of a union", "cost", `{"costType":"ORG_COST_TYPE","cost":{"price":1}}`, `/cost :: must be an object with exactly one of the members costId, costCode, found {"price":1}`},
		{"two members of a union", "cost", `{"costType":"ORG_COST_TYPE","cost":{"costId":1,"costCode":"a"}}`, `/cost :: must be an object with exactly one`},
		{"unknown tag of a union", "cost", `{"costType":"ORG_COST_TYPE","cost":{"__type":"Price"}}`, `/cost :: must be an object with exactly one`},
		{"bare value that no member holds", "cost", `{"costType":"ORG_COST_TYPE","cost":true}`, `/cost :: must be an object with exactly one`},
		{"member of a union", "cost", `{"costType":"ORG_COST_TYPE","cost":{"costId":"x"}}`, `/cost/costId :: must be a finite number, found "x"`},
		{"no URN", "domains", `{"domains":["finance"]}`, `/domains/0 :: must be a URN (must start with urn:li:), found "finance"`},
		{"URN of an unknown type", "browsePathsV2", `{"path":[{"id":"a","urn":"urn:li:nothing:a"}]}`, `/path/0/urn :: must be a URN of a known entity type`},
		{"URN that does not bind", "container", `{"container":"urn:li:dataset:(a,b)"}`, `/container :: must be a URN of dataset (the key has 2 parts`},
		{"URN of another type than the field's", "globalTags", `{"tags":[{"tag":"urn:li:glossaryTerm:a"}]}`, `/tags/0/tag :: must be a URN of entity type tag, found "urn:li:glossaryTerm:a"`},
		{"URN of another type than the relationship's", "container", `{"container":"urn:li:tag:a"}`, `/container :: must be a URN of one of the entity types container, found "urn:li:tag:a"`},
		{"long values are cut", "cost", `{"costType":"` + strings.Repeat("ä", 500) + `","cost":{"costId":1}}`, "…"},
	}
	r := registry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, _, err := r.ConformText(aspect(t, tt.aspect), []byte(tt.in))
			var bad *model.ValueError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v\nwant %s", err, tt.want)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if fault.KindOf(err) != fault.Invalid || fault.Message(err) != err.Error() {
				t.Errorf("kind is %v, message %q", fault.KindOf(err), fault.Message(err))
			}
		})
	}
}

func TestAtMostTenProblemsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(`{"name":5,"description":6,"customProperties":{`)
	for i := range 50 {
		fmt.Fprintf(&text, `%s"key%02d":%d`, map[bool]string{true: ","}[i > 0], i, i)
	}
	text.WriteString(`}}`)
	var first string
	for range 20 {
		_, _, _, err := registry(t).ConformText(aspect(t, "datasetProperties"), []byte(text.String()))
		var bad *model.ValueError
		if !errors.As(err, &bad) || len(bad.Problems) != 10 {
			t.Fatalf("got %v", err)
		}
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first {
			t.Fatalf("got %s\nthen %s", first, err)
		}
	}
}
