package metatest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/pkg/trials"
)

var update = flag.Bool("update", false, "write the JSON Schema of definitions to the documentation")

const schemaFile = "../../../docs/api/metadata-test.schema.json"

// schemaOf returns the JSON Schema as parsed by a library.
func schemaOf(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(metatest.Schema(registry(t)), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// plainTree decodes JSON or YAML as editors do before validation.
func plainTree(t testing.TB, text string) any {
	t.Helper()
	var tree any
	if json.Unmarshal([]byte(text), &tree) == nil {
		return tree
	}
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	again, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTheSchemaOfThePageIsThatOfTheLanguage(t *testing.T) {
	t.Parallel()
	var want bytes.Buffer
	if err := json.Indent(&want, metatest.Schema(registry(t)), "", " "); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	if *update {
		if err := os.WriteFile(schemaFile, want.Bytes(), 0o644); err != nil { //nolint:gosec // documentation
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("docs/api/metadata-test.schema.json is not what the language says; run the test with -update (%v)", err)
	}
}

func TestTheSchemaTakesWhatTheLanguageTakes(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t)
	texts := append(examples(t), forms...)
	texts = append(texts, accepted...)
	made := definitions{rand.New(rand.NewPCG(11, 13))} //nolint:gosec // definitions of a test
	for range trials.Count(300) {
		text, err := json.Marshal(made.definition())
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	r := registry(t)
	for _, text := range texts {
		if _, err := metatest.Parse(t.Context(), r, nil, []byte(text)); err != nil && !strings.Contains(err.Error(), "no entity of type dataset has the aspect") && !metatest.IsDraft(text) {
			t.Errorf("the language refuses %s: %v", text, err)
		}
		if err := schema.Validate(plainTree(t, text)); err != nil {
			t.Errorf("the schema refuses %s: %v", text, err)
		}
	}
}

// accepted are definitions with less usual spellings.
var accepted = []string{
	`{}`,
	`{"on": {"types": ["dataset"]}, "every": "6h", "$schema": "x"}`,
	`{"on": {"types": ["DATA_JOB", "Dataset"], "match": null}, "every": null, "rules": null, "actions": null}`,
	rules(`{"property": "urn", "operator": "EQUALS", "value": "x"}`),
	rules(`{"query": "createdAt", "operation": "Greater Than", "values": 1}`),
	rules(`{"property": "urn", "operator": "is-not", "values": ["x"], "match": null}`),
	rules(`{"property": "urn", "operator": "exists", "values": []}`),
	rules(`{"not": [{"property": "urn", "operator": "exists", "values": null}]}`),
	rules(`{"of": "columns", "match": "ALL", "rules": [{"or": [{"property": "path", "operator": "matches", "value": "^x"}]}]}`),
	`{"on": {"types": ["dataset"]}, "actions": {"undo": null, "passing": null, "failing": [
	  {"type": "add_owners", "params": {"owners": "urn:li:corpuser:a", "ownershipType": "urn:li:ownershipType:x"}}, {"type": "UNSET_DOMAIN"},
	  {"type": "SET_DEPRECATION", "params": {"note": ["old"], "replacement": "urn:li:dataset:(urn:li:dataPlatform:hive,x,PROD)"}},
	  {"type": "SET_STRUCTURED_PROPERTY", "params": {"property": ["urn:li:structuredProperty:x"], "values": [1, "two"]}},
	  {"type": "WEBHOOK", "params": {"url": "https://hooks.example.com/x?y=1"}}]}}`,
}

// TestTheSchemaRefusesWhatIsWronglyMade covers the definitions that Parse refuses in other tests.
// The schema does not check facts of the model, such as names of properties and whether an operator
// fits.
func TestTheSchemaRefusesWhatIsWronglyMade(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t)
	refused := 0
	for _, tt := range badDefinitions() {
		if !tt.structural {
			continue
		}
		refused++
		if schema.Validate(plainTree(t, tt.text)) == nil {
			t.Errorf("the schema takes %.200s", tt.text)
		}
	}
	if refused < 30 {
		t.Errorf("%d definitions are shown to the schema", refused)
	}
}
