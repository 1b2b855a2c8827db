package rule_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestUnknownFieldsAreTrimmed(t *testing.T) {
	runRules(t, []ruleCase{{
		name: "unknown members vanish", write: catalogtest.Proposal(dataset, "status", `{"removed":false,"notAField":{"x":[1]}}`), then: `{"removed":false}`,
	}})
}

func TestAssertionsAreNamed(t *testing.T) {
	const a = urn.URN("urn:li:assertion:a")
	const about = `"urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"`
	runRules(t, []ruleCase{
		{
			name:  "the dataset of a volume assertion becomes entityUrn",
			write: catalogtest.Proposal(a, "assertionInfo", `{"type":"VOLUME","volumeAssertion":{"type":"ROW_COUNT_TOTAL","entity":`+about+`}}`),
			then:  `{"entityUrn":` + about + `,"type":"VOLUME","volumeAssertion":{"type":"ROW_COUNT_TOTAL","entity":` + about + `}}`,
		},
		{
			name: "the field of a field assertion becomes fieldPath",
			write: catalogtest.Proposal(a, "assertionInfo", `{"type":"FIELD","fieldAssertion":{"type":"FIELD_METRIC","entity":`+about+`,
				"fieldMetricAssertion":{"field":{"path":"price","type":"NUMBER","nativeType":"int"},"metric":"MAX","operator":"LESS_THAN"}}}`),
			then: `{"entityUrn":` + about + `,"type":"FIELD","fieldAssertion":{"type":"FIELD_METRIC","entity":` + about + `,"fieldPath":"price",
				"fieldMetricAssertion":{"field":{"path":"price","type":"NUMBER","nativeType":"int"},"metric":"MAX","operator":"LESS_THAN"}}}`,
		},
	})
}

func TestOwnersAreGroupedByType(t *testing.T) {
	stamp := `,"lastModified":{"actor":"urn:li:corpuser:x","time":1}`
	runRules(t, []ruleCase{
		{
			name: "by type URN, with dots escaped, each owner once",
			write: catalogtest.Proposal(dataset, "ownership", `{"owners":[
				{"owner":"urn:li:corpuser:a","type":"NONE","typeUrn":"urn:li:ownershipType:x.y"},
				{"owner":"urn:li:corpuser:b","type":"TECHNICAL_OWNER"},
				{"owner":"urn:li:corpuser:b","type":"TECHNICAL_OWNER","source":{"type":"MANUAL"}},
				{"owner":"urn:li:corpuser:c","type":"NONE"}]`+stamp+`}`),
			then: `{"owners":[
				{"owner":"urn:li:corpuser:a","type":"NONE","typeUrn":"urn:li:ownershipType:x.y"},
				{"owner":"urn:li:corpuser:b","type":"TECHNICAL_OWNER"},
				{"owner":"urn:li:corpuser:b","type":"TECHNICAL_OWNER","source":{"type":"MANUAL"}},
				{"owner":"urn:li:corpuser:c","type":"NONE"}],
				"ownerTypes":{
				"urn:li:ownershipType:x%2Ey":["urn:li:corpuser:a"],
				"urn:li:ownershipType:__system__technical_owner":["urn:li:corpuser:b"],
				"urn:li:ownershipType:__system__none":["urn:li:corpuser:c"]}` + stamp + `}`,
		},
		{name: "without owners nothing is grouped", write: catalogtest.Proposal(dataset, "ownership", `{"owners":[]`+stamp+`}`), then: `{"owners":[]` + stamp + `}`},
	})
}

func TestDomainsAndAssociationsAreEqual(t *testing.T) {
	const a, b = `"urn:li:domain:a"`, `"urn:li:domain:b"`
	propagated := `{"domain":` + a + `,"attribution":{"time":1,"actor":"urn:li:corpuser:x","sourceDetail":{"propagated":"true"}}}`
	manual := `{"domain":` + b + `}`
	domains := func(value string) catalog.Proposal { return catalogtest.Proposal(dataset, "domains", value) }
	stored := domains(`{"domains":[` + a + `],"domainAssociations":[{"domain":` + a + `,"context":"kept"}]}`)
	exist := []catalog.Proposal{catalogtest.Proposal("urn:li:domain:a", "domainProperties", `{"name":"a"}`), catalogtest.Proposal("urn:li:domain:b", "domainProperties", `{"name":"b"}`)}
	with := func(more ...catalog.Proposal) []catalog.Proposal {
		return append(append([]catalog.Proposal{}, exist...), more...)
	}
	runRules(t, []ruleCase{
		{name: "associations follow domains", before: with(), write: domains(`{"domains":[` + a + `]}`), then: `{"domains":[` + a + `],"domainAssociations":[{"domain":` + a + `}]}`},
		{
			name: "what is known of an association is kept, former ones in their order before new ones", before: with(stored), write: domains(`{"domains":[` + b + `,` + a + `]}`),
			then: `{"domains":[` + a + `,` + b + `],"domainAssociations":[{"domain":` + a + `,"context":"kept"},{"domain":` + b + `}]}`,
		},
		{
			name: "domains alone changed beside associations as they are stored", before: with(stored), write: domains(`{"domains":[` + b + `],"domainAssociations":[{"domain":` + a + `,"context":"kept"}]}`),
			then: `{"domains":[` + b + `],"domainAssociations":[{"domain":` + b + `}]}`,
		},
		{
			name: "domains follow associations, those of people first", before: with(), write: domains(`{"domains":[],"domainAssociations":[` + propagated + `,` + manual + `]}`),
			then: `{"domains":[` + b + `,` + a + `],"domainAssociations":[` + manual + `,` + propagated + `]}`,
		},
		{
			name: "also when both name the same domains", before: with(), write: domains(`{"domains":[` + a + `,` + b + `],"domainAssociations":[` + strings.Replace(propagated, `"true"`, `"TRUE"`, 1) + `,` + manual + `]}`),
			then: `{"domains":[` + b + `,` + a + `],"domainAssociations":[` + manual + `,` + strings.Replace(propagated, `"true"`, `"TRUE"`, 1) + `]}`,
		},
		{
			name: "a domain that is associated twice is named once", before: with(), write: domains(`{"domains":[` + a + `],"domainAssociations":[` + propagated + `,{"domain":` + a + `}]}`),
			then: `{"domains":[` + a + `],"domainAssociations":[{"domain":` + a + `},` + propagated + `]}`,
		},
		{
			name: "associations alone changed", before: with(stored), write: domains(`{"domains":[` + a + `],"domainAssociations":[` + manual + `]}`),
			then: `{"domains":[` + b + `],"domainAssociations":[` + manual + `]}`,
		},
		{
			name: "a cleared list clears both", before: with(stored), write: domains(`{"domains":[],"domainAssociations":[{"domain":` + a + `,"context":"kept"}]}`),
			then: `{"domains":[],"domainAssociations":[]}`,
		},
		{
			name: "other associations beside a cleared list are taken", before: with(stored), write: domains(`{"domains":[],"domainAssociations":[` + manual + `]}`),
			then: `{"domains":[` + b + `],"domainAssociations":[` + manual + `]}`,
		},
		{
			name: "both changed and different is refused", before: with(stored, catalogtest.Proposal("urn:li:domain:c", "domainProperties", `{"name":"c"}`)),
			write: domains(`{"domains":[` + b + `],"domainAssociations":[{"domain":"urn:li:domain:c"}]}`), refused: "Exceptions: [Cannot update both /domains and", // clients compare the beginning
		},
	})
}

func TestLifecycleStages(t *testing.T) {
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	stage := func(id, more string) catalog.Proposal {
		return catalogtest.Proposal(urn.Make("lifecycleStageType", id), "lifecycleStageTypeInfo",
			`{"name":"n","settings":{},"created":`+stamp+`,"lastModified":`+stamp+more+`}`)
	}
	set := func(id string) catalog.Proposal {
		return catalogtest.Proposal(dataset, "status", `{"removed":false,"lifecycleStage":"urn:li:lifecycleStageType:`+id+`"}`)
	}
	strict := stage("strict", `,"transitionPolicy":{"allowedPreviousStages":["urn:li:lifecycleStageType:draft"]}`)
	runRules(t, []ruleCase{
		{name: "a stage that exists passes", before: []catalog.Proposal{stage("draft", "")}, write: set("draft")},
		{name: "a stage that is absent is refused", write: set("draft"), refused: "must be"},
		{name: "a stage for the type passes", before: []catalog.Proposal{stage("draft", `,"entityTypes":["dataset"]`)}, write: set("draft")},
		{name: "a stage for another type is refused", before: []catalog.Proposal{stage("draft", `,"entityTypes":["chart"]`)}, write: set("draft"), refused: "is for chart"},
		{name: "an allowed change passes", before: []catalog.Proposal{stage("draft", ""), strict, set("draft")}, write: set("strict"), then: string(set("strict").Value)},
		{
			name: "another change is taken back", before: []catalog.Proposal{stage("other", ""), strict, set("other")},
			write: set("strict"), then: string(set("other").Value),
		},
	})
}
