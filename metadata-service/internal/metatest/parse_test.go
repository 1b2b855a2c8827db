package metatest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func registry(t testing.TB) *model.Registry {
	t.Helper()
	r, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rules(predicate string) string {
	return `{"on": {"types": ["dataset"]}, "rules": ` + predicate + `}`
}

// badDefinition is a definition that Parse refuses, or accepts if path is empty.
type badDefinition struct {
	text, path, says string
	structural       bool // a JSON Schema can refuse it, too
}

func badDefinitions() []badDefinition {
	deep := strings.Repeat(`{"not": `, metatest.MaxDepth+2) + `{}` + strings.Repeat(`}`, metatest.MaxDepth+2)
	return []badDefinition{
		{`{`, "definition", "not JSON", false},
		{``, "definition", "not JSON", false},
		{`[]`, "definition", "must be an object", true},
		{"on: [", "definition", "not YAML", false},
		{"on: {1: 2}", "on", "texts as names", false},
		{strings.Repeat("x", metatest.MaxBytes+1), "definition", "at most 1048576", false},
		{"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]", "definition", "", false},
		{`{"rules": {}}`, "on", "entity types", true},
		{`{"on": {"types": []}}`, "on.types", "at least one", true},
		{`{"on": {"types": ["dataset", "table"]}}`, "on.types[1]", `"table" is no entity type`, true},
		{`{"on": {"types": ["dataHubAccessToken"]}}`, "on.types[0]", "type dataHubAccessToken", true},
		{`{"on": {"types": ["dataHubIngestionSource"]}, "rules": {"property": "dataHubIngestionSourceInfo.config.recipe", "operator": "starts_with", "values": ["x"]}}`, "on.types[0]", "entities of type dataHubIngestionSource cannot carry results of tests", true},
		{`{"on": {"types": ["dataset", "DATA_HUB_VIEW"]}}`, "on.types[1]", "entities of type dataHubView cannot carry results of tests", true},
		{rules(`{"property": "ownership.owners.owner.dataHubIngestionSourceInfo.config.recipe", "operator": "exists"}`), "rules.property", "rules read no entities of the types that have the aspect dataHubIngestionSourceInfo", false},
		{rules(`{"property": "ownership.owners.owner.dataHubViewInfo.name", "operator": "exists"}`), "rules.property", "that have the aspect dataHubViewInfo", false},
		{rules(`{"of": "ownership.owners", "rules": {"property": "owner.dataHubPolicyInfo.displayName", "operator": "exists"}}`), "rules.rules.property", "that have the aspect dataHubPolicyInfo", false},
		{`{"on": {"types": ["dataset"], "conditions": {}, "match": {}}}`, "on.match", "give one", true},
		{`{"on": {"types": ["dataset"]}, "rule": {}}`, "rule", "not known here", true},
		{rules(`"x"`), "rules", "must be an object or a list", true},
		{rules(`{"and": {}}`), "rules.and", "must be a list", true},
		{rules(`{"and": [], "or": []}`), "rules.or", "not known here", true},
		{rules(`{"or": [null]}`), "rules.or[0]", "not null", true},
		{rules(`{"not": null}`), "rules.not", "not null", true},
		{rules(deep), strings.TrimSuffix("rules"+strings.Repeat(".not", metatest.MaxDepth+1), "."), "nests deeper", false},
		{rules(`{"operator": "exists"}`), "rules.property", "must name", true},
		{rules(`{"property": "nosuch", "operator": "exists"}`), "rules.property", "no search field of dataset", false},
		{rules(`{"property": "ownership.owner", "operator": "exists"}`), "rules.property", `has no member "owner"; it has owners`, false},
		{rules(`{"property": "status.removed.x", "operator": "exists"}`), "rules.property", "has no members", false},
		{rules(`{"property": "chartInfo.title", "operator": "exists"}`), "rules.property", "no entity of type dataset has the aspect chartInfo", false},
		{rules(`{"property": "datasetProfile.rowCount", "operator": "exists"}`), "rules.property", "is a time series", false},
		{rules(`{"property": "ownership.owners.owner.groupMembership.groups.corpGroupInfo", "operator": "exists"}`), "rules.property", "more than one reference", false},
		{rules(`{"property": "ownership.owners.owner.datasetProperties", "operator": "exists"}`), "", "", false},
		{rules(`{"property": "ownership.owners.typeUrn.nosuch", "operator": "exists"}`), "rules.property", "which is no aspect", false},
		{rules(`{"property": "relationships.Knows.incoming", "operator": "exists"}`), "rules.property", "is no relationship", false},
		{rules(`{"property": "relationships.DownstreamOf", "operator": "exists"}`), "rules.property", "incoming or", false},
		{rules(`{"property": "timeseries.datasetProfile.rowCount.sum", "operator": "exists"}`), "rules.property", "must be timeseries.", false},
		{rules(`{"property": "timeseries.datasetProfile.rows.sum.30d", "operator": "exists"}`), "rules.property", `has no member "rows"; it has`, false},
		{rules(`{"property": "timeseries.datasetProfile.partitionSpec.partition.sum.30d", "operator": "exists"}`), "rules.property", "is not a number", false},
		{rules(`{"property": "timeseries.datasetProfile.rowCount.median.30d", "operator": "exists"}`), "rules.property", "no aggregation", false},
		{rules(`{"property": "timeseries.datasetProfile.rowCount.sum.30y", "operator": "exists"}`), "rules.property", "no period", false},
		{rules(`{"property": "structuredProperties.urn:li:tag:x", "operator": "exists"}`), "rules.property", "no URN of a structured property", false},
		{rules(`{"property": "urn", "query": "urn", "operator": "exists"}`), "rules.query", "give one", true},
		{rules(`{"property": "urn", "operator": "like"}`), "rules.operator", `"like" is no operator; known are after, before, contains`, true},
		{rules(`{"property": "urn"}`), "rules.operator", "must be one of", true},
		{rules(`{"property": "urn", "operator": "exists", "values": ["x"]}`), "rules.values", "takes no values", true},
		{rules(`{"property": "urn", "operator": "equals"}`), "rules.values", "needs a value", true},
		{rules(`{"property": "urn", "operator": "equals", "values": []}`), "rules.values", "needs a value", true},
		{rules(`{"property": "urn", "operator": "equals", "values": ["a", {}]}`), "rules.values[1]", "must be a text", true},
		{rules(`{"property": "urn", "operator": "regex", "values": ["a("]}`), "rules.values[0]", "is no regular expression", false},
		{rules(`{"property": "urn", "operator": "regex", "values": ["` + strings.Repeat("a", metatest.MaxPattern+1) + `"]}`), "rules.values[0]", "at most 1000 bytes", true},
		{rules(`{"property": "urn", "operator": "greater_than", "values": [1]}`), "rules.operator", "does not fit urn, which is a text", false},
		{rules(`{"property": "createdAt", "operator": "contains", "values": ["1"]}`), "rules.operator", "does not fit", false},
		{rules(`{"property": "createdAt", "operator": "greater_than", "values": ["soon"]}`), "rules.values[0]", "is no number", false},
		{rules(`{"property": "createdAt", "operator": "before", "value": "soon"}`), "rules.value", "is no time", false},
		{rules(`{"property": "createdAt", "operator": "before", "values": ["-30y"]}`), "rules.values[0]", "is no period", false},
		{rules(`{"property": "createdAt", "operator": "before", "values": ["-1d", "-2d"]}`), "rules.values", "takes one value, not 2", true},
		{rules(`{"property": "createdAt", "operator": "equals", "values": ["x"]}`), "rules.values[0]", "is no number", false},
		{rules(`{"property": "deprecated", "operator": "equals", "values": ["yes"]}`), "rules.values[0]", "neither true nor false", false},
		{rules(`{"property": "entityType", "operator": "equals", "values": ["table"]}`), "rules.values[0]", "no entity type", false},
		{rules(`{"property": "urn", "operator": "equals", "values": ["x"], "match": "80%"}`), "rules.match", "any, all or none", true},
		{rules(`{"property": "urn", "operator": "not_exists", "match": "all"}`), "rules.match", "all values together", true},
		{rules(`{"of": "columns"}`), "rules.rules", "is missing", true},
		{rules(`{"of": "columns", "match": "120%", "rules": {}}`), "rules.match", "80%", false},
		{rules(`{"of": "colums", "rules": {}}`), "rules.of", "is no list", false},
		{rules(`{"of": "ownership", "rules": {}}`), "rules.of", "no array", false},
		{rules(`{"of": "columns", "rules": {"property": "tag", "operator": "exists"}}`), "rules.rules.property", "known are description, key", false},
		{rules(`{"of": "columns", "rules": {"of": "columns", "rules": {}}}`), "rules.rules.of", "inside of a list", true},
		{`{"on": {"types": ["chart"]}, "rules": {"of": "columns", "rules": {}}}`, "rules.of", "no entity of type chart", false},
		{`{"on": {"types": ["dataset"]}, "actions": []}`, "actions", "must be an object", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"passing": {}}}`, "actions.passing", "must be a list", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"undo": 1}}`, "actions.undo", "true or false", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "EXPLODE"}]}}`, "actions.failing[0].type", "is no action; known are ADD_OWNERS", true},
		{`{"on": {"types": ["dataset", "tag"]}, "actions": {"failing": [{"type": "ADD_TAGS", "params": {"tags": ["urn:li:tag:x"]}}]}}`, "actions.failing[0].type", "changes globalTags, which entities of type tag do not have", false},
		{`{"on": {"types": ["dataset", "corpGroup"]}, "actions": {"failing": [{"type": "ADD_OWNERS", "params": {"owners": ["urn:li:corpuser:x"]}}]}}`, "actions.failing[0].type", "changes the owners of groups", false},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "ADD_TAGS"}]}}`, "actions.failing[0].params.tags", "is missing", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "ADD_TAGS", "params": {"tags": ["urn:li:domain:x"]}}]}}`, "actions.failing[0].params.tags[0]", "must be of type tag", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "SET_DOMAIN", "params": {"domain": ["urn:li:domain:x", "urn:li:domain:y"]}}]}}`, "actions.failing[0].params.domain", "one entity, not 2", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "UNSET_DOMAIN", "params": {"domain": "x"}}]}}`, "actions.failing[0].params.domain", "not known", true},
		{`{"on": {"types": ["dataset"]}, "every": "30s"}`, "every", "is no period", true},
		{`{"on": {"types": ["dataset"]}, "every": 6}`, "every", "is no period", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "WEBHOOK"}]}}`, "actions.failing[0].params.url", "is missing", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "WEBHOOK", "params": {"url": "file:///etc/passwd"}}]}}`, "actions.failing[0].params.url", "must be an address", true},
		{`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "WEBHOOK", "params": {"url": "https://jo:x@example.com"}}]}}`, "actions.failing[0].params.url", "name or password", false},
	}
}

func TestProblemsOfADefinitionNameTheirPlace(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, tt := range badDefinitions() {
		_, err := metatest.Parse(t.Context(), r, nil, []byte(tt.text))
		name := fmt.Sprintf("%.120s", tt.text)
		if tt.path == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var problems *metatest.Error
		if !errors.As(err, &problems) || !errors.Is(err, fault.Malformed) && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.ContainsFunc(problems.Problems, func(p metatest.Problem) bool { return p.Path == tt.path && strings.Contains(p.Message, tt.says) }) {
			t.Errorf("%s: problems %+v, want one at %s that says %q", name, problems.Problems, tt.path, tt.says)
		}
	}
}

func TestAllProblemsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := metatest.Parse(t.Context(), registry(t), nil, []byte(rules(`[{"property": "a", "operator": "exists"}, {"property": "urn", "operator": "b"}, {"property": "c", "operator": "equals"}]`)))
	var problems *metatest.Error
	if !errors.As(err, &problems) || len(problems.Problems) != 4 {
		t.Errorf("%v", err)
	}
	many := `{"property": "a", "operator": "exists"}` + strings.Repeat(`, {"property": "a", "operator": "exists"}`, 500)
	if _, err = metatest.Parse(t.Context(), registry(t), nil, []byte(rules("["+many+"]"))); !errors.As(err, &problems) || len(problems.Problems) != 50 {
		t.Errorf("%d problems are reported", len(problems.Problems))
	}
}

func TestLargeDefinitionsAreRefusedBeforeTheyCost(t *testing.T) {
	t.Parallel()
	r := registry(t)
	values := `"x"` + strings.Repeat(`,"x"`, metatest.MaxValues)
	if _, err := metatest.Parse(t.Context(), r, nil, []byte(rules(`{"property": "urn", "operator": "equals", "values": [`+values+`]}`))); err == nil || !strings.Contains(err.Error(), "more than 10000 values") {
		t.Errorf("too many values: %v", err)
	}
	one := `{"property": "urn", "operator": "exists"}`
	if _, err := metatest.Parse(t.Context(), r, nil, []byte(rules(`[`+one+strings.Repeat(","+one, metatest.MaxChecks)+`]`))); err == nil || !strings.Contains(err.Error(), "more than 1000 checks") {
		t.Errorf("too many checks: %v", err)
	}
}

// forms are definitions in the forms of DataHub clients, in JSON and YAML.
var forms = []string{
	`{"on": {"types": ["dataset", "DATA_JOB"], "match": [{"query": "dataPlatformInstance.platform", "operation": "equals", "value": ["urn:li:dataPlatform:hive"]}]},
		  "rules": {"or": [{"property": "forms.incompleteForms.urn", "operator": "EQUALS", "values": ["urn:li:form:f"]}, {"not": {"property": "glossaryTerms.terms.urn", "operator": "exists"}}]},
		  "actions": {"passing": [{"type": "ASSIGN_FORM", "params": {"formUrn": "urn:li:form:f"}}], "failing": [{"type": "SET_FORM_PROMPT_INCOMPLETE", "params": {"formUrn": "urn:li:form:f", "formPromptId": "p"}}]}}`,
	`
on:
  types: [dataset, dataJob]
  match:
    - {query: dataPlatformInstance.platform, operation: equals, value: ["urn:li:dataPlatform:hive"]}
rules:
  or:
    - property: forms.incompleteForms.urn
      operator: EQUALS
      values: ["urn:li:form:f"]
    - not: {property: glossaryTerms.terms.urn, operator: exists}
actions:
  passing:
    - {type: ASSIGN_FORM, params: {formUrn: "urn:li:form:f"}}
  failing:
    - {type: SET_FORM_PROMPT_INCOMPLETE, params: {formUrn: "urn:li:form:f", formPromptId: p}}
`,
}

func TestHostileDefinitionsAreAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	r := registry(t)
	nested := func(depth int) string { return strings.Repeat(`{"and": [`, depth) + `{}` + strings.Repeat(`]}`, depth) }
	for name, c := range map[string]struct{ text, says string }{
		"100 levels":              {rules(nested(100)), "deeper than"},
		"100,000 levels":          {rules(strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)), "definition"},
		"100 levels of YAML":      {"on: {types: [dataset]}\nrules: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "nests deeper than 32 levels"},
		"a megabyte and a byte":   {rules(`"` + strings.Repeat("x", metatest.MaxBytes) + `"`), "at most 1048576 are allowed"},
		"a repetition of many":    {rules(`{"property": "urn", "operator": "regex", "values": ["((a{100}){100}){100}"]}`), "regular expression"},
		"a path of 10,000 steps":  {rules(`{"property": "ownership` + strings.Repeat(".owners", 10_000) + `", "operator": "exists"}`), "rules.property"},
		"10,001 values in checks": {rules(`[{"property": "urn", "operator": "equals", "values": ["x"` + strings.Repeat(`,"x"`, 9_999) + `]}, {"property": "urn", "operator": "equals", "values": ["x"]}]`), "more than 10000 values"},
	} {
		if _, err := metatest.Parse(t.Context(), r, nil, []byte(c.text)); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 100_000 {
			t.Errorf("%s: %.300v", name, err)
		}
	}
	bomb, err := metatest.Parse(t.Context(), r, nil, []byte(rules(`{"property": "urn", "operator": "regex", "values": ["^(([a-z])+.)+[A-Z]([a-z])+$"]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := bomb.Decide(&metatest.Facts{URN: "urn:li:dataset:x", Type: "dataset", Document: &search.Document{URN: urn.URN(strings.Repeat("a", 30_000)), Type: "dataset"}}); got != metatest.Failing {
		t.Errorf("a text on which others backtrack is %d", got)
	}
}

// TestTheReferenceFormIsUnderstood parses definitions in the forms of DataHub clients, and the same
// in YAML.
func TestTheReferenceFormIsUnderstood(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, form := range forms {
		test, err := metatest.Parse(t.Context(), r, nil, []byte(form))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if !slices.Equal(test.Types, []string{"dataset", "dataJob"}) || len(test.Passing) != 1 || test.Failing[0].Texts[0] != "p" {
			t.Errorf("%+v", test)
		}
		if got := test.Entities(); len(got) != 2 || got["actions.passing[0].params.formUrn"] != "urn:li:form:f" {
			t.Errorf("entities %v", got)
		}
	}
}

func TestTheFingerprintIsOfTheMeaning(t *testing.T) {
	t.Parallel()
	r := registry(t)
	print := func(text string) string {
		test, err := metatest.Parse(t.Context(), r, nil, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return test.Fingerprint
	}
	if a, b := print(`{"on":{"types":["dataset"]},"rules":[]}`), print("rules: []\non: {types: [dataset]}\n"); a != b {
		t.Errorf("the same definition has fingerprints %s and %s", a, b)
	}
	if a, b := print(`{"on":{"types":["dataset"]}}`), print(`{"on":{"types":["chart"]}}`); a == b {
		t.Error("different definitions have the same fingerprint")
	}
}

func FuzzParse(f *testing.F) {
	r := registry(f)
	f.Add([]byte(rules(`{"of": "columns", "match": "80%", "rules": [{"property": "description", "operator": "exists"}]}`)))
	f.Add([]byte("on: {types: [dataset]}\nrules: {not: {property: tags, operator: in, values: [x, 1, true]}}"))
	f.Add([]byte(`{"on": {"types": ["dataset"]}, "actions": {"failing": [{"type": "SET_DEPRECATION", "params": {"note": "https://x"}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		test, err := metatest.Parse(t.Context(), r, nil, text)
		if (test == nil) == (err == nil) {
			t.Fatalf("%v, %v", test, err)
		}
		if err == nil {
			test.Decide(&metatest.Facts{URN: "urn:li:dataset:x", Type: "dataset"})
			test.Selection(t.Context(), now, nil)
			test.Rules(t.Context(), now, nil)
		}
	})
}

// TestTestsReadNoEntitiesOfTheInstallation covers every entity type: tests apply to it, rules read
// it behind references, or tests never read it.
func TestTestsReadNoEntitiesOfTheInstallation(t *testing.T) {
	never := strings.Fields(`dataHubAccessToken dataHubAction dataHubConnection dataHubExecutionRequest dataHubFile dataHubIngestionSource
		dataHubOpenAPISchema dataHubPageModule dataHubPageTemplate dataHubPersona dataHubPolicy dataHubRetention dataHubSecret dataHubStepState
		dataHubUpgrade dataHubView document globalSettings inviteToken post searchTemplate telemetry`)
	r := registry(t)
	read := metatest.ReadTypes(r)
	var assets int
	for _, entity := range r.Entities() {
		_, err := metatest.Parse(t.Context(), r, nil, []byte(`{"on": {"types": ["`+entity.Name+`"]}}`))
		_, carries := entity.Aspect("testResults")
		if carries != (err == nil) {
			t.Errorf("a test of %s: %v, and the type carries results: %t", entity.Name, err, carries)
		}
		if carries {
			assets++
		}
		if isRead := slices.Contains(read, entity.Name); isRead == slices.Contains(never, entity.Name) || carries && !isRead {
			t.Errorf("rules read entities of type %s: %t", entity.Name, isRead)
		}
	}
	if assets < 20 {
		t.Errorf("tests are about %d types only", assets)
	}
}
