package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// grant stores a policy for jo over the entities that match a criterion, or over all.
func grant(f *catalogtest.Fixture, id, privileges, criteria, constraints string) {
	resources := ""
	if criteria != "" || constraints != "" {
		resources = `,"resources":{"filter":{"criteria":[` + criteria + `]}`
		if constraints != "" {
			resources += `,"privilegeConstraints":{"criteria":[` + constraints + `]}`
		}
		resources += `}`
	}
	f.Put(urn.Make("dataHubPolicy", id), "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":[`+privileges+`],`+
		`"actors":{"users":["`+string(jo)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false}`+resources+`}`)
}

func is(field string, value urn.URN) string {
	return `{"field":"` + field + `","values":["` + string(value) + `"],"condition":"EQUALS"}`
}

// onPolicies runs a test in a catalog that decides by its policies.
func onPolicies(t *testing.T, story func(t *testing.T, f *catalogtest.Fixture)) {
	t.Helper()
	t.Parallel()
	for name, on := range map[string]func() catalogtest.Drivers{"memory": catalogtest.InMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		t.Run(name, func(t *testing.T) {
			f := catalogtest.New(t, on().WithPolicies(t, policy.Config{}))
			f.Grant(model.RootUser)
			f.Put(sales, "domainProperties", `{"name":"Sales"}`)
			f.Put("urn:li:domain:other", "domainProperties", `{"name":"Other"}`)
			f.Put("urn:li:domain:emea", "domainProperties", `{"name":"Emea","parentDomain":"`+string(sales)+`"}`)
			story(t, f)
		})
	}
}

func TestAPolicyOverADomainHoldsForWhatIsCreatedInIt(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"CREATE_ENTITY"`, is("DOMAIN", sales), "")
		in := func(domain urn.URN) []catalog.Proposal {
			return []catalog.Proposal{
				catalogtest.Proposal(dataset, "datasetProperties", `{"name":"orders"}`), catalogtest.Proposal(dataset, "domains", `{"domains":["`+string(domain)+`"]}`),
			}
		}
		f.RefuseAs(f.As(jo), fault.Forbidden, "CREATE", in("urn:li:domain:other")...)
		f.RefuseAs(f.As(jo), fault.Forbidden, "CREATE", in(sales)[:1]...)
		if _, err := f.Write(f.As(jo), in("urn:li:domain:emea"), catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		f.RefuseAs(f.As(jo), fault.Forbidden, "UPDATE", in("urn:li:domain:emea")[0])
	})
}

func TestWhoMovesAnAssetNeedsTheRightAfterwardsToo(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
		patch := func(op, domain string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "domains", `[{"op":"`+op+`","path":"/domains/`+domain+`","value":"`+domain+`"}]`, model.Patch)
		}
		f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to edit domains", catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:other"]}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to edit domains", catalogtest.Proposal(dataset, "domains", `{"domains":[]}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to edit domains", catalogtest.Proposal(dataset, "domains", `{"domains":[]}`), catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:other"]}`))
		f.MustAs(jo, catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:emea"]}`))
		f.MustAs(jo, patch("add", "urn:li:domain:other"))
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "UPDATE", catalogtest.Proposal(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`))
		f.Put(dataset, "domains", `{"domains":[]}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "UPDATE", patch("add", "urn:li:domain:other"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "UPDATE", patch("add", "urn:li:domain:sales"))
	})
}

// Domains that a batch proposes count for the entities that it creates. An actor with rights over a
// domain must not take over entities without a domain.
func TestProposedDomainsOpenNoEntityThatExists(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "datasetProperties", `{"name":"orders"}`)
		into := catalogtest.Proposal(dataset, "domains", `{"domains":["`+string(sales)+`"]}`)
		patch := catalogtest.Proposal(dataset, "domains", `[{"op":"add","path":"/domains/`+string(sales)+`","value":"`+string(sales)+`"}]`, model.Patch)
		mine := catalogtest.Proposal(dataset, "ownership", `{"owners":[{"owner":"`+string(jo)+`","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"`+string(jo)+`"}}`)
		gone := catalog.Proposal{URN: string(dataset), Change: model.Delete}
		for name, batch := range map[string][]catalog.Proposal{
			"a domain": {into}, "a patch": {patch}, "a domain and an owner": {into, mine}, "an owner and a domain": {mine, into}, "a patch and an owner": {patch, mine},
			"a deletion and a domain": {gone, into}, "a domain and a deletion": {into, gone}, "a deletion, an owner and a domain": {gone, mine, into},
		} {
			if _, err := f.Write(f.As(jo), batch, catalog.WriteOptions{}); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, aspect := range []string{"domains", "ownership"} {
			if rec := f.Record(dataset, aspect); rec != nil && strings.Contains(string(rec.Value), "sales") {
				t.Errorf("%s is written: %s", aspect, rec.Value)
			}
		}
		if f.Record(dataset, "datasetProperties") == nil {
			t.Error("the dataset is deleted")
		}
		fresh := catalogtest.Table("fresh")
		f.MustAs(jo, catalogtest.Proposal(fresh, "domains", `[{"op":"add","path":"/domains/`+string(sales)+`","value":"`+string(sales)+`"}]`, model.Patch))
	})
}

// A column is a part of its dataset. Its entity may be new in the catalog while its dataset is not,
// so domains proposed for it grant nothing.
func TestDomainsProposedForAColumnOpenNothing(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		column := func(of urn.URN) urn.URN { return urn.Make("schemaField", string(of), "id") }
		into := func(u urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "domains", `{"domains":["`+string(sales)+`"]}`)
		}
		patched := func(u urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "domains", `[{"op":"add","path":"/domains/`+string(sales)+`","value":"`+string(sales)+`"}]`, model.Patch)
		}
		removed := func(u urn.URN) catalog.Proposal { return catalogtest.Proposal(u, "status", `{"removed":true}`) }
		refused := func(what string, batch ...catalog.Proposal) {
			t.Helper()
			if _, err := f.Write(f.As(jo), batch, catalog.WriteOptions{}); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: %v", what, err)
			}
		}
		const mine, bare = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,mine,PROD)"), urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,bare,PROD)")
		f.Put(mine, "domains", `{"domains":["`+string(sales)+`"]}`)
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
		f.Put(bare, "datasetProperties", `{"name":"bare"}`)
		for what, of := range map[string]urn.URN{"a dataset of another domain": dataset, "one of none": bare, "one that is absent": catalogtest.Table("absent")} {
			refused(what, into(column(of)), removed(column(of)))
			refused(what+", the domain last", removed(column(of)), into(column(of)))
			refused(what+", by a patch", patched(column(of)), removed(column(of)))
			refused(what+", the domain alone", into(column(of)))
		}
		refused("with the dataset, which is there", into(dataset), into(column(dataset)))
		f.Put(column(dataset), "domains", `{"domains":["`+string(sales)+`"]}`)
		refused("a column that has the domain", removed(column(dataset)))
		refused("a column that is deleted and comes back", catalog.Proposal{URN: string(column(dataset)), Change: model.Delete}, into(column(dataset)))

		f.MustAs(jo, removed(column(mine)))
		fresh := catalogtest.Table("fresh")
		f.MustAs(jo, into(fresh))
		f.MustAs(jo, removed(column(fresh)))
		both := catalogtest.Table("both")
		if _, err := f.Write(f.As(jo), []catalog.Proposal{into(both), removed(column(both))}, catalog.WriteOptions{}); err != nil {
			t.Errorf("a dataset comes with its column: %v", err)
		}
	})
}

// A document that stands for an asset is read with that asset, and cannot join a domain that the
// asset is not in.
func TestDomainsProposedForABridgeDocumentOpenNothing(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY"`, is("DOMAIN", sales), "")
		for id, refused := range map[string]bool{"bridge-x": true, "x": false} {
			u := urn.Make("document", id)
			_, err := f.Write(f.As(jo), []catalog.Proposal{
				catalogtest.Proposal(u, "domains", `{"domains":["`+string(sales)+`"]}`), catalogtest.Proposal(u, "status", `{}`),
			}, catalog.WriteOptions{})
			if (fault.KindOf(err) == fault.Forbidden) != refused {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
}

// A rule about an aspect also applies to its removal.
func TestARemovalTakesTheRightsOfTheChange(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
		const alone = "Unauthorized to edit domains"
		f.RefuseAs(f.As(jo), fault.Forbidden, alone, catalog.Proposal{URN: string(dataset), Aspect: "domains", Change: model.Delete})
		if _, err := f.DeleteAspects(f.As(jo), dataset, "domains"); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), alone) {
			t.Errorf("deleting the aspect: %v", err)
		}
		if _, err := f.ClearEntity(f.As(jo), dataset); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), alone) {
			t.Errorf("clearing the entity: %v", err)
		}
		if _, err := f.DeleteEntity(f.As(jo), dataset); err != nil {
			t.Errorf("deleting the entity: %v", err)
		}
		grant(f, "p", `"EDIT_ENTITY","DELETE_ENTITY"`, "", is("URN", "urn:li:tag:public"))
		f.Put(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:secret"}]}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", catalog.Proposal{URN: string(dataset), Aspect: "globalTags", Change: model.Delete})
		f.Put(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:public"}]}`)
		if _, err := f.DeleteAspects(f.As(jo), dataset, "globalTags"); err != nil {
			t.Errorf("deleting permitted tags: %v", err)
		}
	})
}

// The privilege over the asset of an assertion suffices for an assertion with tags, unless the policy names other tags.
func TestAnAssertionWithTagsIsWrittenByTheRightOverItsAsset(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		schema := func(tag string) catalog.Proposal {
			return catalogtest.Proposal("urn:li:assertion:a", "assertionInfo", `{"type":"DATA_SCHEMA","schemaAssertion":{"entity":"`+string(dataset)+`","schema":{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"",
			  "platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[{"fieldPath":"id","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int","globalTags":{"tags":[{"tag":"`+tag+`"}]}}]}}}`)
		}
		grant(f, "p", `"EDIT_ENTITY_ASSERTIONS"`, is("URN", dataset), "")
		f.MustAs(jo, schema("urn:li:tag:public"))
		f.MustAs(jo, schema("urn:li:tag:other"))
		grant(f, "p", `"EDIT_ENTITY_ASSERTIONS"`, is("URN", dataset), is("URN", "urn:li:tag:other"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", schema("urn:li:tag:secret"))
	})
}

func TestAPolicyNamesTheTagsThatMayBeAttached(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY"`, "", is("URN", "urn:li:tag:public"))
		tags := func(tags string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "globalTags", `{"tags":[`+tags+`]}`)
		}
		const public, secret = `{"tag":"urn:li:tag:public"}`, `{"tag":"urn:li:tag:secret"}`
		f.MustAs(jo, tags(public))
		f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to modify one or more tag Urns: urn:li:tag:secret", tags(public+","+secret))
		f.Put(dataset, "globalTags", `{"tags":[`+public+`,`+secret+`]}`)
		f.MustAs(jo, tags(secret))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", tags(""))
		column := func(tag string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"id","globalTags":{"tags":[`+tag+`]}}]}`)
		}
		f.MustAs(jo, column(public))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", column(secret))
		schema := func(tag string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
			  "fields":[{"fieldPath":"id","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int","globalTags":{"tags":[`+tag+`]}}]}`)
		}
		f.MustAs(jo, schema(public))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", schema(secret))
		// Each column has tags of its own.
		columns := func(first, second string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"id","globalTags":{"tags":[`+first+`]}},{"fieldPath":"name","globalTags":{"tags":[`+second+`]}}]}`)
		}
		f.Must(columns(secret, public))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", columns(public, secret))
		f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", columns(secret, secret))
		f.MustAs(jo, columns(secret, ""))
		// Other aspects have tags as well.
		const fieldOf = `{"fieldPath":"id","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"int","globalTags":{"tags":[%s]}}`
		for _, other := range []struct {
			on            urn.URN
			aspect, value string
		}{
			{"urn:li:chart:(looker,c)", "inputFields", `{"fields":[{"schemaFieldUrn":"urn:li:schemaField:(` + string(dataset) + `,id)","schemaField":` + fieldOf + `}]}`},
			{"urn:li:api:a", "apiSignature", `{"inputFields":[` + fieldOf + `]}`},
			{"urn:li:api:b", "apiSignature", `{"outputFields":[` + fieldOf + `]}`},
			{"urn:li:assertion:a", "assertionInfo", `{"type":"DATA_SCHEMA","schemaAssertion":{"entity":"` + string(dataset) + `","schema":{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` + fieldOf + `]}}}`},
			{"urn:li:businessAttribute:b", "businessAttributeInfo", `{"name":"b","fieldPath":"b","created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"},"globalTags":{"tags":[%s]}}`},
		} {
			with := func(tags string) catalog.Proposal {
				return catalogtest.Proposal(other.on, other.aspect, fmt.Sprintf(other.value, tags))
			}
			f.MustAs(jo, with(""))
			f.MustAs(jo, with(public))
			f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", with(public+","+secret))
			f.Must(with(secret))
			f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:secret", with(""))
			f.MustAs(jo, with(secret))
		}
	})
}

func TestAssetsOfADataProductTakeTheRightToManageItOrOneOverThem(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const product urn.URN = "urn:li:dataProduct:p"
		f.Put(product, "domains", `{"domains":["urn:li:domain:sales"]}`)
		f.Put(dataset, "status", `{"removed":false}`)
		assets := catalogtest.Proposal(product, "dataProductProperties", `{"name":"p","assets":[{"destinationUrn":"`+string(dataset)+`"}]}`)
		grant(f, "p", `"EDIT_ENTITY"`, is("TYPE", "dataProduct"), "")
		f.RefuseAs(f.As(jo), fault.Forbidden, "dataProductProperties.assets", assets)
		f.MustAs(jo, catalogtest.Proposal(product, "dataProductProperties", `{"name":"other"}`))
		grant(f, "q", `"EDIT_ENTITY_DATA_PRODUCTS"`, is("URN", dataset), "")
		f.MustAs(jo, assets)
		grant(f, "q", `"MANAGE_DATA_PRODUCTS"`, is("DOMAIN", sales), "")
		f.MustAs(jo, catalogtest.Proposal(product, "dataProductProperties", `{"name":"p","assets":[]}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "dataProductProperties.assets", assets) // an actor that manages the product lists only assets that it may view
		grant(f, "r", `"VIEW_ENTITY_PAGE"`, is("URN", dataset), "")
		f.MustAs(jo, assets)
	})
}

// An editor of a domain edits its data products, but cannot list assets of other domains in them.
func TestAnEditorOfADomainListsNoAssetsOfOthers(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		const product, fresh urn.URN = "urn:li:dataProduct:p", "urn:li:dataProduct:fresh"
		const mine, seen = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,mine,PROD)"), urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,seen,PROD)")
		grant(f, "v", `"VIEW_ENTITY_PAGE"`, is("URN", seen), "")
		f.Put(product, "domains", `{"domains":["`+string(sales)+`"]}`)
		f.Put(mine, "domains", `{"domains":["`+string(sales)+`"]}`)
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
		f.Put(seen, "status", `{}`)
		listing := func(u urn.URN, assets ...urn.URN) catalog.Proposal {
			var list []string
			for _, a := range assets {
				list = append(list, `{"destinationUrn":"`+string(a)+`"}`)
			}
			return catalogtest.Proposal(u, "dataProductProperties", `{"name":"p","assets":[`+strings.Join(list, ",")+`]}`)
		}
		patch := func(op string, asset urn.URN) catalog.Proposal {
			return catalogtest.Proposal(product, "dataProductProperties", `{"arrayPrimaryKeys":{"assets":["destinationUrn"]},"patch":[{"op":"`+op+`","path":"/assets/`+string(asset)+`","value":{"destinationUrn":"`+string(asset)+`"}}],"forceGenericPatch":true}`, model.Patch)
		}
		into := catalogtest.Proposal(fresh, "domains", `{"domains":["`+string(sales)+`"]}`)
		const refusal = "Unauthorized to modify dataProductProperties.assets"
		for _, asset := range []urn.URN{dataset, seen, catalogtest.Table("absent")} {
			f.RefuseAs(f.As(jo), fault.Forbidden, refusal, listing(product, mine, asset))
			f.RefuseAs(f.As(jo), fault.Forbidden, refusal, patch("add", asset))
			f.RefuseAs(f.As(jo), fault.Forbidden, refusal, into, listing(fresh, asset))
			f.RefuseAs(f.As(jo), fault.Forbidden, refusal, listing(fresh, asset), into)
		}
		f.Put(product, "dataProductProperties", `{"name":"p","assets":[{"destinationUrn":"`+string(dataset)+`"}]}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, listing(product))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, patch("remove", dataset))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, catalog.Proposal{URN: string(product), Aspect: "dataProductProperties", Change: model.Delete})
		if _, err := f.DeleteAspects(f.As(jo), product, "dataProductProperties"); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("deleting the aspect: %v", err)
		}
		f.MustAs(jo, listing(product, dataset, mine))
		f.WantValue(mine, "dataProducts", `{"dataProducts":[{"destinationUrn":"`+string(product)+`"}]}`)
		f.MustAs(jo, patch("remove", mine))
		if _, err := f.DeleteEntity(f.As(jo), product); err != nil {
			t.Errorf("deleting the data product: %v", err)
		}
		f.MustAs(jo, into)
		f.MustAs(jo, listing(fresh, mine))
	})
}

// A member that joins a version set takes the latest mark from another member.
func TestJoiningAVersionSetTakesTheRightOverItOrItsLatest(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const set, other = urn.URN("urn:li:versionSet:(s,dataset)"), urn.URN("urn:li:versionSet:(t,dataset)")
		const mine = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,mine,PROD)")
		version := func(u, set urn.URN, sortID string) catalog.Proposal {
			return catalogtest.Proposal(u, "versionProperties", `{"versionSet":"`+string(set)+`","sortId":"`+sortID+`","version":{"versionTag":"v`+sortID+`"}}`)
		}
		grant(f, "p", `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(mine, "domains", `{"domains":["`+string(sales)+`"]}`)
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
		f.Must(version(dataset, set, "B"))
		before := f.Value(dataset, "versionProperties")
		const refusal = "Unauthorized to join version set"
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, version(mine, set, "C"))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, version(mine, set, "A"))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, catalogtest.Proposal(mine, "versionProperties",
			`{"forceGenericPatch":true,"patch":[{"op":"add","path":"/versionSet","value":"`+string(set)+`"},{"op":"add","path":"/sortId","value":"C"},{"op":"add","path":"/version","value":{"versionTag":"c"}}]}`, model.Patch))
		f.MustAs(jo, version(mine, other, "C")) // the actor's own set
		f.MustAs(jo, version(mine, other, "D"))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, version(mine, set, "C"))
		f.WantValue(dataset, "versionProperties", before)
		f.Must(version(mine, set, "A"))
		f.MustAs(jo, version(mine, set, "A"))
		f.RefuseAs(f.As(jo), fault.Forbidden, refusal, version(mine, set, "C"))
		grant(f, "q", `"EDIT_ENTITY"`, is("URN", set), "")
		f.MustAs(jo, version(mine, set, "C"))
		grant(f, "q", `"EDIT_ENTITY"`, is("TYPE", "dataset"), "") // as pipelines have it
		f.MustAs(jo, version(catalogtest.Table("more"), set, "D"))
	})
}

func TestALogicalParentTakesTheRightOverIt(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		logical := catalogtest.Table("logical")
		link := catalogtest.Proposal(dataset, "logicalParent", `{"parent":{"destinationUrn":"`+string(logical)+`"}}`)
		f.Put(dataset, "status", `{"removed":false}`)
		grant(f, "p", `"EDIT_ENTITY"`, is("URN", dataset), "")
		f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to modify logicalParent", link)
		grant(f, "q", `"EDIT_ENTITY"`, is("URN", logical), "")
		f.MustAs(jo, link)
		grant(f, "q", `"VIEW_ENTITY_PAGE"`, is("URN", logical), "")
		f.MustAs(jo, catalogtest.Proposal(dataset, "logicalParent", `{}`))
	})
}

func TestARunTakesTheRightToRunItsSource(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const source urn.URN = "urn:li:dataHubIngestionSource:s"
		input := catalogtest.Proposal("urn:li:dataHubExecutionRequest:r", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","args":{},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"`+string(source)+`"}}`)
		grant(f, "p", `"EDIT_ENTITY"`, is("TYPE", "dataHubExecutionRequest"), "")
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute this Ingestion", input)
		f.MustAs(jo, catalogtest.Proposal("urn:li:dataHubExecutionRequest:own", "dataHubExecutionRequestInput",
			`{"task":"CLI Ingestion","args":{},"executorId":"__datahub_cli_","requestedAt":1,"source":{"type":"CLI_INGESTION_SOURCE","ingestionSource":"urn:li:dataHubIngestionSource:cli-x"}}`))
		// Without a source no policies can decide.
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute this Ingestion", catalogtest.Proposal("urn:li:dataHubExecutionRequest:none", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"}}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "execute this Ingestion", catalogtest.Proposal("urn:li:dataHubExecutionRequest:own", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"}}`))
		grant(f, "q", `"EXECUTE_ENTITY"`, is("URN", source), "")
		f.MustAs(jo, input)
		with := func(args string) catalog.Proposal {
			return catalogtest.Proposal("urn:li:dataHubExecutionRequest:w", "dataHubExecutionRequestInput",
				`{"task":"RUN_INGEST","args":`+args+`,"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"`+string(source)+`"}}`)
		}
		f.Put(source, "dataHubIngestionSourceInfo", `{"name":"s","type":"x","config":{"executorId":"default","recipe":"{}"}}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, "another way", with(`{"recipe":"{'pw':'${PW}'}"}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "another way", with(`{"recipe":"{}","extra_pip_requirements":"[]"}`))
		f.MustAs(jo, with(`{"recipe":"{}"}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "another way", catalogtest.Proposal("urn:li:dataHubExecutionRequest:w", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"mine","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"`+string(source)+`"}}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "another way", catalogtest.Proposal("urn:li:dataHubExecutionRequest:w", "dataHubExecutionRequestInput",
			`{"task":"RUN_ANYTHING","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE","ingestionSource":"`+string(source)+`"}}`))
		grant(f, "r", `"EDIT_ENTITY"`, is("URN", source), "")
		f.MustAs(jo, with(`{"recipe":"{'a':1}"}`))
		grant(f, "q", `"MANAGE_INGESTION"`, "", "")
		f.MustAs(jo, catalogtest.Proposal("urn:li:dataHubExecutionRequest:none", "dataHubExecutionRequestInput",
			`{"task":"RUN_INGEST","args":{"recipe":"{}"},"executorId":"default","requestedAt":1,"source":{"type":"MANUAL_INGESTION_SOURCE"}}`))
	})
}

// An editor of an asset answers its forms, but neither assigns one nor verifies it for another
// user.
func TestFormsAreAssignedByWhoManagesThem(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const form = `"urn":"urn:li:form:review","incompletePrompts":[],"completedPrompts":[]`
		forms := func(incomplete, completed, verifications string) catalog.Proposal {
			return catalogtest.Proposal(dataset, "forms", `{"incompleteForms":[`+incomplete+`],"completedForms":[`+completed+`],"verifications":[`+verifications+`]}`)
		}
		by := func(who urn.URN) string {
			return `{"form":"urn:li:form:review","lastModified":{"time":1,"actor":"` + string(who) + `"}}`
		}
		const assigns = "Unauthorized to change form assignments on entity: urn:li:dataset"
		f.Put(dataset, "status", `{"removed":false}`)
		grant(f, "p", `"EDIT_ENTITY","DELETE_ENTITY"`, "", "")
		grant(f, "forms", `"EDIT_ENTITY"`, is("TYPE", "form"), "")
		f.RefuseAs(f.As(jo), fault.Forbidden, assigns, forms(`{`+form+`}`, "", ""))
		f.RefuseAs(f.As(jo), fault.Forbidden, assigns, catalogtest.Proposal(dataset, "forms", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/incompleteForms","value":[]},{"op":"add","path":"/completedForms","value":[{`+form+`}]}]}`, model.Patch))
		f.RefuseAs(f.As(jo), fault.Forbidden, "change form assignments on entity: urn:li:form:review", catalogtest.Proposal("urn:li:form:review", "dynamicFormAssignment", `{"filter":{"or":[]}}`))
		f.Put(dataset, "forms", `{"incompleteForms":[{`+form+`}],"completedForms":[],"verifications":[]}`)
		f.RefuseAs(f.As(jo), fault.Forbidden, assigns, forms("", "", ""))
		f.RefuseAs(f.As(jo), fault.Forbidden, assigns, catalog.Proposal{URN: string(dataset), Aspect: "forms", Change: model.Delete})
		f.RefuseAs(f.As(jo), fault.Forbidden, "/verifications/*/lastModified/actor must be "+string(jo), forms("", `{`+form+`}`, by(model.RootUser)))
		f.MustAs(jo, forms("", `{`+form+`}`, by(jo)))
		f.Put(dataset, "forms", `{"incompleteForms":[],"completedForms":[{`+form+`}],"verifications":[`+by(model.RootUser)+`]}`)
		f.MustAs(jo, forms(`{`+form+`}`, "", by(model.RootUser))) // the verification of another user remains
		grant(f, "q", `"MANAGE_DOCUMENTATION_FORMS"`, "", "")
		f.MustAs(jo, forms("", "", ""))
		f.MustAs(jo, catalogtest.Proposal("urn:li:form:review", "dynamicFormAssignment", `{"filter":{"or":[]}}`))
		f.RefuseAs(f.As(jo), fault.Forbidden, "must be "+string(jo), forms(`{`+form+`}`, "", by(model.RootUser)))
		grant(f, "r", `"MANAGE_SYSTEM_OPERATIONS"`, "", "") // the right of an actor that imports another catalog
		f.MustAs(jo, forms(`{`+form+`}`, "", by(model.RootUser)))
	})
}

// Decisions cached earlier in a request do not count for a write: the transaction checks the state
// that the new decision was made on.
func TestAWriteIsDecidedAnewInARequestThatRememberedADecision(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
		ctx := auth.WithDecisionCache(f.As(jo))
		if err := f.Permit(ctx, auth.On(auth.OpUpdate, dataset, "status")); err != nil {
			t.Fatal(err)
		}
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
		f.RefuseAs(ctx, fault.Forbidden, "UPDATE", catalogtest.Proposal(dataset, "status", `{"removed":true}`))
	})
}

func TestALinkIsTakenBackByTheRightToChangeItsEntity(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		const link = `{"parent":{"destinationUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,sales.customers,PROD)"}}`
		f.Put(dataset, "logicalParent", link)
		grant(f, "p", `"DELETE_ENTITY"`, is("URN", dataset), "")
		if _, err := f.UnsetAspect(f.As(jo), dataset, "logicalParent"); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), "EDIT_ENTITY") {
			t.Errorf("by the right to delete: %v", err)
		}
		grant(f, "p", `"EDIT_ENTITY"`, is("URN", dataset), "")
		for range 2 { // an absent aspect is no error
			if _, err := f.UnsetAspect(f.As(jo), dataset, "logicalParent"); err != nil {
				t.Fatal(err)
			}
		}
		if f.Record(dataset, "logicalParent") != nil {
			t.Error("it is still there")
		}
		for _, aspect := range []string{"datasetKey", "datasetProfile", "nonsense"} {
			if _, err := f.UnsetAspect(f.As(jo), dataset, aspect); fault.KindOf(err) != fault.Malformed {
				t.Errorf("%s: %v", aspect, err)
			}
		}
	})
}

func TestWhetherAnAspectIsThereTakesTheRightToKnowOfItsEntity(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "datasetProperties", `{"name":"orders"}`)
		f.Put(jo, "corpUserInfo", `{"active":true}`)
		exists := func(u urn.URN, aspect string) (bool, error) {
			entity, _ := f.Registry.Entity(u.Type())
			spec, ok := entity.AspectFold(aspect)
			if !ok {
				t.Fatal(aspect)
			}
			return f.AspectExists(f.As(jo), u, spec, false)
		}
		if _, err := exists(dataset, "datasetProperties"); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("without a right: %v", err)
		}
		// EXISTS_ENTITY is no right to read.
		grant(f, "p", `"EXISTS_ENTITY"`, "", "")
		for aspect, want := range map[string]bool{"datasetProperties": true, "status": false, "partitionsSummary": false, "datasetKey": true} {
			if there, err := exists(dataset, aspect); err != nil || there != want {
				t.Errorf("%s: %v, %v", aspect, there, err)
			}
		}
		const job urn.URN = "urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)"
		f.Put(job, "datahubIngestionCheckpoint", `{"timestampMillis":1,"pipelineName":"p","platformInstanceId":"","config":"","state":{"formatVersion":"1","serde":"","payload":""},"runId":"r"}`)
		if there, err := exists(job, "datahubIngestionCheckpoint"); err != nil || !there {
			t.Errorf("a document: %v, %v", there, err)
		}
		// Measured data requires a privilege of its own, because the existence of a time-series
		// document reveals something about it too.
		f.Put(dataset, "datasetProfile", `{"timestampMillis":1,"rowCount":1}`)
		if _, err := exists(dataset, "datasetProfile"); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("a profile: %v", err)
		}
		grant(f, "p", `"EXISTS_ENTITY","VIEW_ENTITY_PAGE","VIEW_DATASET_PROFILE"`, "", "")
		if there, err := exists(dataset, "datasetProfile"); err != nil || !there {
			t.Errorf("a profile with the privilege: %v, %v", there, err)
		}
		f.Put(dataset, "status", `{"removed":true}`)
		if there, err := exists(dataset, "datasetProperties"); err != nil || there {
			t.Errorf("of what is soft-deleted: %v, %v", there, err)
		}
	})
}
