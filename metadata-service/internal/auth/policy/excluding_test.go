package policy_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	pii      urn.URN = "urn:li:tag:pii"
	tagged   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.salaries,PROD)"
	gone     urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.gone,PROD)"
	aboutOne urn.URN = "urn:li:incident:one"
)

// incidentAbout returns the aspect of an incident about some entities.
func incidentAbout(assets ...urn.URN) map[string]string {
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	list := ""
	for i, u := range assets {
		if i > 0 {
			list += ","
		}
		list += `"` + string(u) + `"`
	}
	return map[string]string{"incidentInfo": `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":` + stamp + `},"created":` + stamp + `,"entities":[` + list + `]}`}
}

// excludingFixture has entities about a dataset that every field excludes, about one that no field
// excludes, about one that is not stored, about none, and about entities that are about datasets
// themselves.
func excludingFixture(t *testing.T, cfg policy.Config) (f *fixture, shown, hidden []urn.URN) {
	t.Helper()
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	metric := func(name string) urn.URN { return urn.Make("metric", "urn:li:dataPlatform:x", "p", name) }
	semantic := func(name string) urn.URN { return urn.Make("semanticModel", "urn:li:dataPlatform:x", "p", name) }
	bridge := func(source urn.URN) map[string]string {
		return map[string]string{
			"subTypes": `{"typeNames":["Bridge Document"]}`,
			"documentInfo": `{"contents":{"text":""},"status":{"state":"PUBLISHED"},"created":` + stamp + `,"lastModified":` + stamp +
				`,"customProperties":{"bridge_source_entity":"` + string(source) + `","bridge_type":"dataset"}}`,
		}
	}
	sql := func(u urn.URN) map[string]string {
		return map[string]string{"assertionInfo": `{"type":"SQL","sqlAssertion":{"type":"METRIC","entity":"` + string(u) + `","statement":"select","operator":"EQUAL_TO","parameters":{"value":{"value":"0","type":"NUMBER"}}}}`}
	}
	custom := func(u urn.URN) map[string]string {
		return map[string]string{"assertionInfo": `{"type":"CUSTOM","entityUrn":"` + string(u) + `"}`}
	}
	f = newFixture(t, cfg)
	entities := map[urn.URN]map[string]string{
		dataset: {"status": `{"removed":false}`},
		tagged: {
			"globalTags": `{"tags":[{"tag":"` + string(pii) + `"}]}`, "domains": `{"domains":["urn:li:domain:pay"]}`, "container": `{"container":"urn:li:container:pay"}`,
			"ownership":            `{"owners":[{"owner":"urn:li:corpuser:boss","type":"DATAOWNER"}],"lastModified":` + stamp + `}`,
			"glossaryTerms":        `{"terms":[{"urn":"urn:li:glossaryTerm:pay"}],"auditStamp":` + stamp + `}`,
			"dataPlatformInstance": `{"platform":"urn:li:dataPlatform:hive","instance":"urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,pay)"}`,
		},
		aboutOne:                           incidentAbout(dataset),
		"urn:li:incident:none":             incidentAbout(),
		"urn:li:incident:tagged":           incidentAbout(tagged),
		"urn:li:incident:column":           incidentAbout(urn.Make("schemaField", string(tagged), "id")),
		"urn:li:incident:both":             incidentAbout(dataset, tagged),
		"urn:li:incident:gone":             incidentAbout(gone),
		"urn:li:assertion:metric":          custom(metric("tagged")),
		"urn:li:assertion:plainmetric":     custom(metric("none")),
		"urn:li:assertion:itself":          custom("urn:li:assertion:itself"),
		"urn:li:assertion:one":             sql(dataset),
		"urn:li:assertion:tagged":          sql(tagged),
		"urn:li:dataContract:one":          {"dataContractProperties": `{"entity":"` + string(dataset) + `"}`},
		"urn:li:dataContract:tagged":       {"dataContractProperties": `{"entity":"` + string(tagged) + `"}`},
		metric("none"):                     {"metricUpstreams": `{}`},
		metric("tagged"):                   {"metricUpstreams": `{"datasetUpstreams":[{"destinationUrn":"` + string(tagged) + `"}]}`},
		metric("derived"):                  {"metricRelationships": `{"derivedFrom":[{"destinationUrn":"` + string(metric("tagged")) + `"}]}`},
		metric("below"):                    {"metricRelationships": `{"parentMetric":"` + string(metric("tagged")) + `"}`},
		metric("belownone"):                {"metricRelationships": `{"parentMetric":"` + string(metric("none")) + `"}`},
		semantic("tagged"):                 {"semanticModelInfo": `{"name":"s","datasets":["` + string(tagged) + `"]}`},
		semantic("one"):                    {"semanticModelInfo": `{"name":"s","datasets":["` + string(dataset) + `"]}`},
		"urn:li:erModelRelationship:one":   {"erModelRelationshipProperties": `{"name":"r","relationshipFieldMappings":[],"source":"` + string(dataset) + `","destination":"` + string(dataset) + `"}`},
		"urn:li:erModelRelationship:mixed": {"erModelRelationshipProperties": `{"name":"r","relationshipFieldMappings":[],"source":"` + string(dataset) + `","destination":"` + string(tagged) + `"}`},
		"urn:li:document:bridge-one":       bridge(dataset),
		"urn:li:document:bridge-tagged":    bridge(tagged),
		"urn:li:document:bridge-gone":      bridge(gone),
		"urn:li:document:plain":            bridge(tagged),
	}
	f.store(t, entities)
	hidden = []urn.URN{
		tagged, "urn:li:incident:tagged", "urn:li:incident:column", "urn:li:incident:both", "urn:li:incident:gone", "urn:li:assertion:metric", "urn:li:assertion:itself", "urn:li:assertion:tagged",
		"urn:li:dataContract:tagged", metric("tagged"), metric("derived"), metric("below"), semantic("tagged"), "urn:li:erModelRelationship:mixed", "urn:li:document:bridge-tagged", "urn:li:document:bridge-gone",
	}
	for u := range entities {
		if !slices.Contains(hidden, u) {
			shown = append(shown, u)
		}
	}
	return f, shown, hidden
}

// A policy that excludes an entity also excludes the entities about it, for reads and for writes.
func TestWhatAPolicyExcludesIsExcludedWithWhatIsAboutIt(t *testing.T) {
	t.Parallel()
	for field, value := range map[string]string{
		"TAG": string(pii), "DOMAIN": "urn:li:domain:pay", "CONTAINER": "urn:li:container:pay", "OWNER": "urn:li:corpuser:boss", "GLOSSARY": "urn:li:glossaryTerm:pay",
		"DATA_PLATFORM_INSTANCE": "urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,pay)", "URN": string(tagged),
	} {
		for _, on := range []bool{true, false} {
			f, shown, hidden := excludingFixture(t, policy.Config{ViewAuthorization: on})
			f.put(t, "p", metadata(where(criterion{field, []string{value}, "NOT_EQUALS"}), auth.ViewPage, auth.EditEntity, auth.DeleteEntity))
			checks := func(u urn.URN) []auth.Check {
				all := []auth.Check{auth.On(auth.OpRead, u, ""), auth.On(auth.OpDelete, u, ""), auth.Over(u, auth.EditEntity)}
				if u.Type() == "document" && !on {
					return all[2:] // a privilege of their own permits reading whole types
				}
				return all
			}
			for want, urns := range map[bool][]urn.URN{true: shown, false: hidden} {
				for _, u := range urns {
					if field == "URN" && u == "urn:li:incident:gone" {
						continue // the URN of an entity that is not stored is known, so an incident about it is readable
					}
					for _, c := range checks(u) {
						together := f.decide(t, authtest.Jo, c, auth.On(auth.OpRead, dataset, ""))[0].Allowed()
						if alone := f.allows(t, authtest.Jo, c); alone != want || together != want {
							t.Errorf("%s, view authorization %v: %s %v of %s is %v, with others %v; want %v", field, on, c.Operation, c.AnyOf, u, alone, together, want)
						}
					}
				}
			}
		}
	}
}

// A column is written with its dataset. A policy with a positive criterion grants access to the
// column by itself.
func TestWhatAPolicyExcludesIsNotWrittenByItsColumns(t *testing.T) {
	t.Parallel()
	f, _, _ := excludingFixture(t, policy.Config{})
	f.put(t, "p", metadata(where(criterion{"TAG", []string{string(pii)}, "NOT_EQUALS"}), auth.EditEntity, auth.CreateEntity))
	for of, want := range map[urn.URN]bool{dataset: true, tagged: false} {
		column := urn.Make("schemaField", string(of), "id")
		for _, c := range []auth.Check{auth.On(auth.OpUpdate, column, "documentation"), auth.On(auth.OpCreate, column, "documentation"), auth.Over(column, auth.EditEntity)} {
			if got := f.allows(t, authtest.Jo, c); got != want {
				t.Errorf("%s %v of %s: %v", c.Operation, c.AnyOf, column, got)
			}
		}
	}
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"incident"}, "EQUALS"}), auth.EditEntity))
	if !f.allows(t, authtest.Jo, auth.Over("urn:li:incident:tagged", auth.EditEntity)) {
		t.Error("a policy without NOT_EQUALS grants nothing over an incident")
	}
}

// Only a grant that excludes nothing, over the metric or over the incident, shows an assertion
// about a metric.
func TestWhatIsAboutWhatNamesOthersTakesAGrantThatExcludesNothing(t *testing.T) {
	t.Parallel()
	f, _, _ := excludingFixture(t, policy.Config{ViewAuthorization: true})
	read := auth.On(auth.OpRead, "urn:li:assertion:metric", "")
	f.put(t, "p", metadata(where(criterion{"TAG", []string{"urn:li:tag:other"}, "NOT_EQUALS"}), auth.ViewPage))
	metric := auth.On(auth.OpRead, urn.Make("metric", "urn:li:dataPlatform:x", "p", "tagged"), "")
	got := f.decide(t, authtest.Jo, metric, read, metric)
	if !got[0].Allowed() || got[1].Allowed() || !got[2].Allowed() {
		t.Errorf("the metric %v, the assertion %v", got[0].Allowed(), got[1].Allowed())
	}
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"metric"}, "EQUALS"}), auth.ViewPage))
	if f.allows(t, authtest.Jo, metric) != f.allows(t, authtest.Jo, read) {
		t.Error("not by the right over all metrics")
	}
}

// A token excludes entities through several steps, too.
func TestWhatAScopeExcludesIsExcludedThroughSeveralSteps(t *testing.T) {
	t.Parallel()
	f, _, _ := excludingFixture(t, policy.Config{ViewAuthorization: true})
	f.put(t, "p", metadata(nil, auth.ViewPage, auth.EditEntity))
	ctx := scoped(t, authtest.Jo, auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{string(pii)}, Condition: auth.NotEquals}}})
	for u, want := range map[urn.URN]bool{"urn:li:assertion:metric": false, "urn:li:assertion:plainmetric": true} {
		for _, c := range []auth.Check{auth.On(auth.OpRead, u, ""), auth.Over(u, auth.EditEntity)} {
			if decisions, err := f.Decide(ctx, []auth.Check{c}); err != nil || decisions[0].Allowed() != want {
				t.Errorf("%s %v: %v, %v", u, c.AnyOf, decisions, err)
			}
		}
	}
}

func TestDecisionsDependOnWhatEntitiesNameWhereAPolicyExcludes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "p", metadata(where(criterion{"TAG", []string{string(pii)}, "NOT_EQUALS"}), auth.EditEntity))
	for _, aspect := range []string{"globalTags", "incidentInfo", "assertionInfo", "querySubjects", "documentInfo"} {
		if got := f.Deciding(); !slices.Contains(got, aspect) {
			t.Errorf("decisions depend on %v, not on %s", got, aspect)
		}
	}
}

// Decisions about an entity that is about an excluded one are those about an absent entity, for
// every privilege. Otherwise they would reveal which entities exist.
func TestWhatIsAboutAnExcludedEntityIsNotToldFromWhatIsAbsent(t *testing.T) {
	t.Parallel()
	const timeline auth.Privilege = "GET_TIMELINE_PRIVILEGE"
	held := []auth.Privilege{auth.ViewPage, auth.ExistsEntity, timeline, auth.EditEntity}
	asked := 0
	for field, value := range map[auth.ResourceField]string{
		auth.FieldTag: string(pii), auth.FieldDomain: "urn:li:domain:pay", auth.FieldContainer: "urn:li:container:pay", auth.FieldOwner: "urn:li:corpuser:boss", auth.FieldGlossary: "urn:li:glossaryTerm:pay",
		auth.FieldPlatformInstance: "urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,pay)", auth.FieldURN: string(tagged),
	} {
		f, _, hidden := excludingFixture(t, policy.Config{ViewAuthorization: true})
		f.store(t, map[urn.URN]map[string]string{urn.Make("schemaField", string(tagged), "id"): {"status": `{"removed":false}`}})
		hidden = append(hidden, urn.Make("schemaField", string(tagged), "id"))
		excluding := auth.Scope{Resources: []auth.Criterion{{Field: field, Values: []string{value}, Condition: auth.NotEquals}}}
		f.put(t, "p", metadata(where(criterion{string(field), []string{value}, "NOT_EQUALS"}), held...))
		policied := request(t, authtest.Jo)
		for name, ctx := range map[string]context.Context{"policy": policied, "scope": scoped(t, authtest.Root, excluding), "read-only scope": scoped(t, authtest.Root, auth.Scope{ReadOnly: true, Resources: excluding.Resources})} {
			for _, u := range hidden {
				if u == tagged || field == auth.FieldURN && u == "urn:li:incident:gone" {
					continue
				}
				absent := urn.Make(u.Type(), "absent")
				switch u.Type() {
				case "schemaField":
					absent = urn.Make("schemaField", string(tagged), "absent")
				case "metric", "semanticModel":
					absent = urn.Make(u.Type(), "urn:li:dataPlatform:x", "p", "absent")
				case "document":
					absent = "urn:li:document:bridge-absent"
				}
				for _, check := range []func(on urn.URN) auth.Check{
					func(on urn.URN) auth.Check { return auth.On(auth.OpRead, on, "") },
					func(on urn.URN) auth.Check { return auth.On(auth.OpExists, on, "") },
					func(on urn.URN) auth.Check { return auth.Over(on, timeline).ToRead() },
				} {
					asked++
					there, gone := f.Refusal(ctx, check(u)), f.Refusal(ctx, check(absent))
					if (there == nil) != (gone == nil) {
						t.Errorf("%s NOT_EQUALS by a %s, %s %v: %s: %v, absent: %v", field, name, check(u).Operation, check(u).AnyOf, u, there, gone)
					}
				}
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d questions", asked)
	}
}
