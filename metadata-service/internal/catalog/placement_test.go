package catalog_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A batch that deletes an entity and writes it again creates it: the required right is the one over
// the new entity, not over the entity before the batch.
func TestABatchThatCreatesAnEntityAnewIsDecidedByWhatItWillBe(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "domains", `{"domains":["`+string(sales)+`"]}`)
		const other = urn.URN("urn:li:domain:other")
		in := func(u, domain urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "domains", `{"domains":["`+string(domain)+`"]}`)
		}
		patched := func(u, domain urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "domains", `[{"op":"add","path":"/domains/`+string(domain)+`","value":"`+string(domain)+`"}]`, model.Patch)
		}
		named := func(u urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "datasetProperties", `{"name":"orders"}`)
		}
		gone := func(u urn.URN) catalog.Proposal { return catalog.Proposal{URN: string(u), Change: model.Delete} }
		fresh, column := catalogtest.Table("fresh"), urn.Make("schemaField", string(dataset), "id")
		for name, batch := range map[string][]catalog.Proposal{
			"into another domain":              {gone(dataset), in(dataset, other)},
			"into another domain by a patch":   {gone(dataset), patched(dataset, other)},
			"into none":                        {gone(dataset), named(dataset)},
			"first one aspect, then a domain":  {gone(dataset), named(dataset), in(dataset, other)},
			"twice":                            {gone(dataset), in(dataset, sales), gone(dataset), in(dataset, other)},
			"into both":                        {gone(dataset), in(dataset, sales), gone(dataset), named(dataset)},
			"after an aspect":                  {named(dataset), gone(dataset), in(dataset, other)},
			"a new one":                        {in(fresh, sales), gone(fresh), in(fresh, other)},
			"a column of one without a domain": {gone(dataset), catalogtest.Proposal(column, "status", `{"removed":false}`)},
		} {
			if _, err := f.Write(f.As(jo), batch, catalog.WriteOptions{}); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: %v", name, err)
			}
		}
		must := func(batch ...catalog.Proposal) {
			t.Helper()
			if _, err := f.Write(f.As(jo), batch, catalog.WriteOptions{}); err != nil {
				t.Error(err)
			}
		}
		must(gone(dataset), in(dataset, sales), named(dataset))
		must(gone(dataset), named(dataset), patched(dataset, sales))
		f.MustAs(jo, gone(dataset))
		must(in(dataset, sales), gone(dataset), in(dataset, "urn:li:domain:emea"))
		scoped := auth.WithActor(t.Context(), auth.Actor{URN: model.RootUser, Scope: &auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldDomain, Values: []string{string(sales)}, Condition: auth.Equals}}}})
		f.RefuseAs(scoped, fault.Forbidden, "scope", gone(dataset), in(dataset, other))
	})
}

// A policy or a token that excludes assets also excludes entities about these assets, even for an
// actor that writes such an entity again or makes it refer to another asset.
func TestNothingIsMadeAboutWhatAPolicyExcludes(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const pii, stamp = urn.URN("urn:li:tag:pii"), `{"time":1,"actor":"urn:li:corpuser:x"}`
		excluding := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{string(pii)}, Condition: auth.NotEquals}}}
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY"`, `{"field":"TAG","values":["`+string(pii)+`"],"condition":"NOT_EQUALS"}`, "")
		grant(f, "all", `"MANAGE_GLOBAL_ANNOUNCEMENTS"`, "", "")
		tagged, plain := catalogtest.Table("tagged"), catalogtest.Table("plain")
		f.Put(tagged, "globalTags", `{"tags":[{"tag":"`+string(pii)+`"}]}`)
		f.Put(plain, "datasetProperties", `{"name":"plain"}`)
		column := func(of urn.URN) urn.URN { return urn.Make("schemaField", string(of), "id") }
		metric := urn.Make("metric", "urn:li:dataPlatform:x", "p", "m")
		for name, about := range map[string]func(of urn.URN) catalog.Proposal{
			"incident": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:incident:i", "incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":`+stamp+`},"created":`+stamp+`,"entities":["`+string(of)+`"]}`)
			},
			"incident of a column": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:incident:c", "incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":`+stamp+`},"created":`+stamp+`,"entities":["`+string(plain)+`","`+string(column(of))+`"]}`)
			},
			"assertion": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:assertion:a", "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"x","entity":"`+string(of)+`","logic":"x"}}`)
			},
			"contract": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:dataContract:d", "dataContractProperties", `{"entity":"`+string(of)+`"}`)
			},
			"query": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:query:q", "querySubjects", `{"subjects":[{"entity":"`+string(of)+`"}]}`)
			},
			"relationship": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal("urn:li:erModelRelationship:r", "erModelRelationshipProperties", `{"name":"r","relationshipFieldMappings":[],"source":"`+string(plain)+`","destination":"`+string(of)+`"}`)
			},
			"metric": func(of urn.URN) catalog.Proposal {
				return catalogtest.Proposal(metric, "metricUpstreams", `{"datasetUpstreams":[{"destinationUrn":"`+string(of)+`"}]}`)
			},
		} {
			scoped := auth.WithActor(t.Context(), auth.Actor{URN: model.RootUser, Scope: &excluding})
			f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to write", about(tagged))
			f.RefuseAs(scoped, fault.Forbidden, "Unauthorized to write", about(tagged))
			f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to write", about(plain), about(tagged))
			f.MustAs(jo, about(plain))
			f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to write", about(tagged))
			f.RefuseAs(scoped, fault.Forbidden, "Unauthorized to write", about(tagged))
			made := catalogtest.Table("made-" + urn.URN(name).Key())
			if _, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(made, "datasetProperties", `{"name":"made"}`), about(made)}, catalog.WriteOptions{}); err != nil {
				t.Errorf("%s of a dataset that the batch creates: %v", name, err)
			}
		}
	})
}

// An actor that sets the schedule of a source, or the recipe of a scheduled source, makes it run
// with every secret that the recipe names.
func TestAScheduleTakesTheRightToRunItsSource(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const source, idle urn.URN = "urn:li:dataHubIngestionSource:s", "urn:li:dataHubIngestionSource:idle"
		info := func(schedule, recipe string) string {
			return `{"name":"s","type":"x",` + schedule + `"config":{"executorId":"default","recipe":"` + recipe + `"}}`
		}
		const hourly, daily = `"schedule":{"interval":"0 * * * *","timezone":"UTC"},`, `"schedule":{"interval":"0 0 * * *","timezone":"UTC"},`
		grant(f, "p", `"EDIT_ENTITY"`, is("TYPE", "dataHubIngestionSource"), "")
		f.Put(source, "dataHubIngestionSourceInfo", info(hourly, "{}"))
		f.Put(idle, "dataHubIngestionSourceInfo", info("", "{}"))
		write := func(on urn.URN, schedule, recipe string) catalog.Proposal {
			return catalogtest.Proposal(on, "dataHubIngestionSourceInfo", info(schedule, recipe))
		}
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute", write(idle, hourly, "{}"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute", write(source, daily, "{}"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute", write(source, hourly, "{'pw':'${PW}'}"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute", catalogtest.Proposal(idle, "dataHubIngestionSourceInfo", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/schedule","value":{"interval":"0 * * * *","timezone":"UTC"}}]}`, model.Patch))
		f.MustAs(jo, write(idle, "", "{'a':1}"))
		f.MustAs(jo, catalogtest.Proposal(source, "dataHubIngestionSourceInfo", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/name","value":"renamed"}]}`, model.Patch))
		f.MustAs(jo, write(source, "", "{'a':1}"))
		grant(f, "run", `"EXECUTE_ENTITY"`, is("URN", source), "")
		f.MustAs(jo, write(source, hourly, "{'a':2}"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute", write(idle, hourly, "{}"))
	})
}

// Personal entities in the name of another user require the right to manage the personal entities
// of all users.
func TestNothingPersonalIsMadeInTheNameOfAnother(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const mia urn.URN = "urn:li:corpuser:mia"
		by := func(who urn.URN) string { return `{"time":1,"actor":"` + string(who) + `"}` }
		for _, tc := range []struct {
			entityType, aspect, manage string
			value                      func(who urn.URN, scope string) string
		}{
			{"dataHubView", "dataHubViewInfo", "MANAGE_GLOBAL_VIEWS", func(who urn.URN, scope string) string {
				return `{"name":"x","type":"` + scope + `","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + by(who) + `,"lastModified":` + by(who) + `}`
			}},
			{"dataHubPageTemplate", "dataHubPageTemplateProperties", "MANAGE_HOME_PAGE_TEMPLATES", func(who urn.URN, scope string) string {
				return `{"rows":[],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"` + scope + `"},"created":` + by(who) + `,"lastModified":` + by(who) + `}`
			}},
			{"dataHubPageModule", "dataHubPageModuleProperties", "MANAGE_HOME_PAGE_TEMPLATES", func(who urn.URN, scope string) string {
				return `{"name":"x","type":"DOMAINS","params":{},"visibility":{"scope":"` + scope + `"},"created":` + by(who) + `,"lastModified":` + by(who) + `}`
			}},
		} {
			grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY"`, is("TYPE", urn.URN(tc.entityType)), "")
			grant(f, "q", `"EDIT_ENTITY_TAGS"`, "", "")
			u, global := urn.Make(tc.entityType, "x"), urn.Make(tc.entityType, "global")
			f.Put(global, tc.aspect, tc.value(mia, "GLOBAL"))
			write := func(on, who urn.URN, scope string) catalog.Proposal {
				return catalogtest.Proposal(on, tc.aspect, tc.value(who, scope))
			}
			f.RefuseAs(f.As(jo), fault.Forbidden, "in the name of another user: needs "+tc.manage, write(u, mia, "PERSONAL"))
			f.RefuseAs(f.As(jo), fault.Forbidden, "in the name of another user", write(global, mia, "PERSONAL"))
			f.MustAs(jo, write(u, jo, "PERSONAL"))
			f.RefuseAs(f.As(jo), fault.Forbidden, "", write(u, mia, "PERSONAL"))
			grant(f, "q", `"`+tc.manage+`"`, "", "")
			f.MustAs(jo, write(u, mia, "PERSONAL"))
		}
	})
}

// A rollback that moves an asset back requires the right over the asset in its new place, as a
// write does.
func TestARollbackIntoAnotherDomainTakesTheRightAfterwardsToo(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		grant(f, "q", `"MANAGE_INGESTION"`, "", "")
		in := func(domain string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:`+domain+`"]}`)
		}
		f.Must(catalogtest.InRun("from", in("other")))
		f.Must(catalogtest.InRun("moved", in("sales")))
		_, err := f.Runs.Rollback(f.As(jo), "moved", run.Options{})
		catalogtest.WantFault(t, err, fault.Forbidden, "Unauthorized to edit domains")
		f.Must(catalogtest.InRun("within", in("emea")))
		if _, err := f.Runs.Rollback(f.As(jo), "within", run.Options{}); err != nil {
			t.Error(err)
		}
		fresh := catalogtest.Table("fresh")
		f.Must(catalogtest.InRun("created", catalogtest.Proposal(fresh, "domains", `{"domains":["`+string(sales)+`"]}`)))
		if _, err := f.Runs.Rollback(f.As(jo), "created", run.Options{Hard: true}); err != nil {
			t.Error(err)
		}
	})
}

// A parent that the actor may not view gets the same error as an absent one, wherever it is in the
// tree: the rule against cycles would otherwise reveal which hidden entities are below it.
func TestANewParentIsOneThatItsWriterViews(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t).WithPolicies(t, policy.Config{ViewAuthorization: true}))
	f.Grant(model.RootUser)
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	for entityType, tree := range map[string]struct {
		aspect string
		value  func(name, parent string) string
	}{
		"document": {"documentInfo", func(name, parent string) string {
			if parent != "" {
				parent = `,"parentDocument":{"document":"` + parent + `"}`
			}
			return `{"title":"` + name + `","status":{"state":"PUBLISHED"},"contents":{"text":"x"},"created":` + stamp + `,"lastModified":` + stamp + parent + `}`
		}},
		"dataProduct":  {"dataProductProperties", within("parentDataProduct", "")},
		"domain":       {"domainProperties", within("parentDomain", "")},
		"glossaryNode": {"glossaryNodeInfo", within("parentNode", `,"definition":""`)},
	} {
		named := func(id string) urn.URN { return urn.Make(entityType, id) }
		seen, other, below, deep, elsewhere := named("seen"), named("other"), named("below"), named("deep"), named("elsewhere")
		grant(f, "p", `"VIEW_ENTITY_PAGE","EDIT_ENTITY"`, `{"field":"URN","values":["`+string(seen)+`","`+string(other)+`","`+string(named("new"))+`"],"condition":"EQUALS"}`, "")
		grant(f, "q", `"MANAGE_DOMAINS","MANAGE_GLOSSARIES"`, "", "")
		put := func(u, parent urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, tree.aspect, tree.value(string(u), string(parent)))
		}
		f.Must(put(seen, ""), put(other, ""), put(below, seen), put(deep, below), put(elsewhere, ""))
		answers := map[string]bool{}
		for _, parent := range []urn.URN{below, deep, elsewhere, named("absent")} {
			_, err := f.Write(f.As(jo), []catalog.Proposal{put(seen, parent)}, catalog.WriteOptions{})
			if err == nil {
				t.Errorf("%s below %s is accepted", seen, parent)
				continue
			}
			answers[strings.ReplaceAll(err.Error(), string(parent), "P")] = true
		}
		if len(answers) != 1 {
			t.Errorf("%s: %d answers: %v", entityType, len(answers), answers)
		}
		if _, err := f.Write(f.As(jo), []catalog.Proposal{put(named("new"), ""), put(seen, named("new"))}, catalog.WriteOptions{}); err != nil {
			t.Errorf("%s below one that the batch creates: %v", seen, err)
		}
		f.MustAs(jo, put(seen, other))
		f.Must(put(seen, elsewhere))
		f.MustAs(jo, put(seen, "")) // the unchanged parent is hidden
	}
}

// within returns a function for values of an entity in a tree; member names its parent.
func within(member, more string) func(name, parent string) string {
	return func(name, parent string) string {
		if parent != "" {
			parent = `,"` + member + `":"` + parent + `"`
		}
		return `{"name":"` + name + `"` + more + parent + `}`
	}
}

// The privilege over assets permits creating entities about them, and changing these to other
// permitted assets, as editors do.
func TestWhatIsAboutAssetsIsMadeByTheRightOverThem(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
		a, b, column := catalogtest.Table("a"), catalogtest.Table("b"), urn.Make("schemaField", string(catalogtest.Table("a")), "id")
		grant(f, "p", `"EDIT_ENTITY_INCIDENTS","EDIT_ENTITY_ASSERTIONS","EDIT_ENTITY_DATA_CONTRACT"`, is("TYPE", "dataset"), "")
		f.Put(a, "datasetProperties", `{"name":"a"}`)
		f.Put(b, "datasetProperties", `{"name":"b"}`)
		incident := func(of urn.URN) catalog.Proposal {
			return catalogtest.Proposal("urn:li:incident:i", "incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":`+stamp+`},"created":`+stamp+`,"entities":["`+string(of)+`"]}`)
		}
		assertion := func(of urn.URN) catalog.Proposal {
			return catalogtest.Proposal("urn:li:assertion:a", "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"x","entity":"`+string(of)+`","logic":"x"}}`)
		}
		contract := func(of urn.URN) catalog.Proposal {
			return catalogtest.Proposal("urn:li:dataContract:d", "dataContractProperties", `{"entity":"`+string(of)+`"}`)
		}
		f.MustAs(jo, incident(a))
		f.MustAs(jo, incident(b))
		f.MustAs(jo, incident(column))
		f.MustAs(jo, assertion(a))
		f.MustAs(jo, assertion(b))
		f.MustAs(jo, contract(a))
		f.MustAs(jo, contract(b))
	})
}

// For an entity that a batch creates again, its former data does not determine which assets it is
// about.
func TestAnEntityCreatedAnewIsAboutNothingExcluded(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const pii, query urn.URN = "urn:li:tag:pii", "urn:li:query:q"
		tagged, plain := catalogtest.Table("tagged"), catalogtest.Table("plain")
		f.Put(tagged, "globalTags", `{"tags":[{"tag":"`+string(pii)+`"}]}`)
		f.Put(tagged, "domains", `{"domains":["`+string(sales)+`"]}`)
		f.Put(plain, "datasetProperties", `{"name":"plain"}`)
		about := func(of urn.URN) catalog.Proposal {
			return catalogtest.Proposal(query, "querySubjects", `{"subjects":[{"entity":"`+string(of)+`"}]}`)
		}
		gone := catalog.Proposal{URN: string(query), Change: model.Delete}
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, `{"field":"TAG","values":["`+string(pii)+`"],"condition":"NOT_EQUALS"}`, "")
		grant(f, "q", `"MANAGE_INGESTION"`, "", "")
		for _, excluding := range []auth.Criterion{
			{Field: auth.FieldTag, Values: []string{string(pii)}, Condition: auth.NotEquals}, {Field: auth.FieldDomain, Values: []string{string(sales)}, Condition: auth.NotEquals},
		} {
			f.Must(about(plain))
			scoped := auth.WithActor(t.Context(), auth.Actor{URN: model.RootUser, Scope: &auth.Scope{Resources: []auth.Criterion{excluding}}})
			f.RefuseAs(scoped, fault.Forbidden, "", gone, about(tagged))
			f.RefuseAs(f.As(jo), fault.Forbidden, "", gone, about(tagged))
		}
		// A rollback of the change requires the same right.
		f.Must(catalogtest.InRun("from", about(tagged)))
		f.Must(catalogtest.InRun("turned", about(plain)))
		_, err := f.Runs.Rollback(f.As(jo), "turned", run.Options{})
		catalogtest.WantFault(t, err, fault.Forbidden, "excludes the asset that it would be about")
	})
}

// Columns remain when a batch deletes their dataset: their stored data determines the decision.
func TestColumnsOfADatasetCreatedAnewAreDecidedByWhatTheyAre(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const pii urn.URN = "urn:li:tag:pii"
		grant(f, "p", `"CREATE_ENTITY","DELETE_ENTITY"`, is("TYPE", "dataset"), "")
		grant(f, "q", `"CREATE_ENTITY"`, is("TYPE", "schemaField"), "")
		column, fresh := urn.Make("schemaField", string(dataset), "id"), urn.Make("schemaField", string(dataset), "fresh")
		documented := func(u urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "documentation", `{"documentations":[{"documentation":"mine"}]}`)
		}
		again := []catalog.Proposal{{URN: string(dataset), Change: model.Delete}, catalogtest.Proposal(dataset, "datasetProperties", `{"name":"x"}`)}
		put := func() {
			f.Put(dataset, "datasetProperties", `{"name":"x"}`)
			f.Put(column, "globalTags", `{"tags":[{"tag":"`+string(pii)+`"}]}`)
		}
		put()
		f.RefuseAs(f.As(jo), fault.Forbidden, "UPDATE", append(again, documented(column))...)
		scoped := auth.WithActor(t.Context(), auth.Actor{URN: model.RootUser, Scope: &auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{string(pii)}, Condition: auth.NotEquals}}}})
		f.RefuseAs(scoped, fault.Forbidden, "scope", append(again, documented(column))...)
		f.RefuseAs(scoped, fault.Forbidden, "scope", again[0], catalog.Proposal{URN: string(column), Change: model.Delete})
		if _, err := f.Write(f.As(jo), append(again, documented(fresh)), catalog.WriteOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// A rollback creates no cycle either.
func TestARollbackMakesNoCycle(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		for entityType, member := range map[string]string{"application": "parentApplication", "domain": "parentDomain", "dataProduct": "parentDataProduct"} {
			a, b, value := urn.Make(entityType, "a"), urn.Make(entityType, "b"), within(member, "")
			put := func(u, parent urn.URN) catalog.Proposal {
				return catalogtest.Proposal(u, entityType+"Properties", value(string(u), string(parent)))
			}
			f.Must(put(a, ""), put(b, ""))
			f.Must(catalogtest.InRun("below "+entityType, put(a, b)))
			f.Must(catalogtest.InRun("out "+entityType, put(a, "")))
			f.Must(catalogtest.InRun("above "+entityType, put(b, a)))
			_, err := f.Runs.Rollback(f.As(model.RootUser), "out "+entityType, run.Options{})
			catalogtest.WantFault(t, err, fault.Malformed, "lies below")
		}
	})
}

// A URN that is no structured property or entity type gets the same error as an absent entity, so
// the error does not reveal its existence.
func TestReferencesOfPropertiesDoNotTellWhatExists(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t))
	f.Put(dataset, "status", `{"removed":false}`)
	answers := func(write func(of urn.URN) catalog.Proposal, of ...urn.URN) map[string]bool {
		all := map[string]bool{}
		for _, u := range of {
			_, err := f.Write(f.As(model.RootUser), []catalog.Proposal{write(u)}, catalog.WriteOptions{})
			if err == nil {
				t.Errorf("%s is accepted", u)
				continue
			}
			all[strings.ReplaceAll(err.Error(), string(u), "U")] = true
		}
		return all
	}
	there, absent := catalogtest.Table("there"), catalogtest.Table("absent")
	f.Put(there, "status", `{"removed":false}`)
	assigned := func(property urn.URN) catalog.Proposal {
		return catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[{"propertyUrn":"`+string(property)+`","values":[{"string":"x"}]}]}`)
	}
	patched := func(property urn.URN) catalog.Proposal {
		return catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"add","path":"/properties/`+string(property)+`","value":{"propertyUrn":"`+string(property)+`","values":[{"string":"x"}]}}]`, model.Patch)
	}
	f.Put("urn:li:dataType:datahub.urn", "dataTypeInfo", `{"qualifiedName":"datahub.urn"}`)
	f.Put("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`)
	allowed := func(of urn.URN) catalog.Proposal {
		return catalogtest.Proposal("urn:li:structuredProperty:p", "propertyDefinition", `{"qualifiedName":"p","valueType":"urn:li:dataType:datahub.urn","entityTypes":["urn:li:entityType:datahub.dataset"],"cardinality":"SINGLE","typeQualifier":{"allowedTypes":["`+string(of)+`"]}}`)
	}
	for name, write := range map[string]func(urn.URN) catalog.Proposal{"assigned": assigned, "patched": patched, "allowed": allowed} {
		if got := answers(write, there, absent); len(got) != 1 {
			t.Errorf("%s: %d answers: %v", name, len(got), got)
		}
	}
}
