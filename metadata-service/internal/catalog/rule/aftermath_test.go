package rule_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestValuesOfADeletedPropertyAreTakenOut(t *testing.T) {
	for name, remove := range map[string]func(f *catalogtest.Fixture) error{
		"the entity": func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), property); return err },
		"the definition": func(f *catalogtest.Fixture) error {
			_, err := f.DeleteAspects(f.As(root), property, "propertyDefinition")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Must(append(modelTypes(), definition("string", ""), assigned(assignment(property, text("gold"))))...)
				gold := search.Filter{{{Field: "structuredProperties.team_cost", Values: []string{"gold"}}}}
				if n := f.Found(gold); n != 1 {
					t.Fatalf("the value is found %d times", n)
				}
				f.Put(property, "status", `{"removed":true}`)
				if err := remove(f); err != nil {
					t.Fatal(err)
				}
				f.WantValue(dataset, "structuredProperties", `{"properties":[]}`)
				if n := f.Found(gold); n != 0 {
					t.Error("the value is still found")
				}
			})
		})
	}
}

func TestVersionsAreUniqueAmongAllMembers(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		model := func(n string) urn.URN { return urn.URN("urn:li:mlModel:(urn:li:dataPlatform:mlflow,m" + n + ",PROD)") }
		version := func(n, sortID string) string {
			return `{"versionSet":"urn:li:versionSet:(m,mlModel)","sortId":"` + sortID + `","version":{"versionTag":"` + n + `"},"versioningScheme":"LEXICOGRAPHIC_STRING"}`
		}
		for i, sortID := range []string{"a", "b", "c"} {
			n := string(rune('1' + i))
			f.Put(model(n), "versionProperties", version(n, sortID))
		}
		f.Refuse(fault.Invalid, "same sort id", catalogtest.Proposal(model("4"), "versionProperties", version("4", "a")))
		f.Refuse(fault.Invalid, "same label", catalogtest.Proposal(model("4"), "versionProperties", version("1", "d")))
		// The sort id of the latest version decreases: the next one takes its place.
		f.Put(model("3"), "versionProperties", version("3", "0"))
		if latest := f.Member("urn:li:versionSet:(m,mlModel)", "versionSetProperties", "latest"); latest != `"`+string(model("2"))+`"` {
			t.Errorf("the latest is %s", latest)
		}
	})
}

func TestReferencesAreTakenOutOfWhatIsSaidTwice(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const owner, domain urn.URN = "urn:li:corpuser:gone", "urn:li:domain:gone"
		f.Put(domain, "domainProperties", `{"name":"gone"}`)
		f.Put(catalogtest.Table("orders"), "ownership", `{"owners":[{"owner":"`+string(owner)+`","type":"DATAOWNER"},{"owner":"urn:li:corpuser:stays","type":"DATAOWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
		f.Put(catalogtest.Table("orders"), "domains", `{"domains":["`+string(domain)+`"]}`)
		for _, u := range []urn.URN{owner, domain} {
			if found, err := f.DeleteReferences(f.As(root), u, false); err != nil || found.Total != 1 {
				t.Fatalf("%s: %+v, %v", u, found, err)
			}
		}
		for _, aspect := range []string{"ownership", "domains"} {
			if value := f.Value(catalogtest.Table("orders"), aspect); strings.Contains(value, "gone") {
				t.Errorf("%s still says %s", aspect, value)
			}
		}
	})
}
