package catalog_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestValuesOfADeletedPropertyAreTakenOut(t *testing.T) {
	for name, remove := range map[string]func(f *fixture) error{
		"the entity": func(f *fixture) error { _, err := f.DeleteEntity(f.as(root), property); return err },
		"the definition": func(f *fixture) error {
			_, err := f.DeleteAspects(f.as(root), property, "propertyDefinition")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			onDrivers(t, func(t *testing.T, f *fixture) {
				f.write(append(modelTypes(), definition("string", ""), assigned(assignment(property, text("gold"))))...)
				gold := search.Filter{{{Field: "structuredProperties.team_cost", Values: []string{"gold"}}}}
				if n := f.found(gold); n != 1 {
					t.Fatalf("the value is found %d times", n)
				}
				if err := remove(f); err != nil {
					t.Fatal(err)
				}
				f.wantValue(dataset, "structuredProperties", `{"properties":[]}`)
				if n := f.found(gold); n != 0 {
					t.Error("the value is still found")
				}
			})
		})
	}
}

func TestADeletedIncidentLeavesTheSummaries(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const incident urn.URN = "urn:li:incident:late"
		f.put(table("orders"), "datasetProperties", `{"name":"orders"}`)
		f.put(incident, "incidentInfo", `{"type":"FRESHNESS","entities":["`+dataset+`"],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
		active := search.Filter{{{Field: "hasActiveIncidents", Values: []string{"true"}}}}
		if n := f.found(active); n != 1 {
			t.Fatalf("%d tables have active incidents", n)
		}
		if _, err := f.DeleteEntity(f.as(root), incident); err != nil {
			t.Fatal(err)
		}
		if n := f.found(active); n != 0 {
			t.Error("the table still has an active incident")
		}
	})
}

func TestVersionsAreUniqueAmongAllMembers(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		model := func(n string) urn.URN { return urn.URN("urn:li:mlModel:(urn:li:dataPlatform:mlflow,m" + n + ",PROD)") }
		version := func(n, sortID string) string {
			return `{"versionSet":"urn:li:versionSet:(m,mlModel)","sortId":"` + sortID + `","version":{"versionTag":"` + n + `"},"versioningScheme":"LEXICOGRAPHIC_STRING"}`
		}
		for i, sortID := range []string{"a", "b", "c"} {
			n := string(rune('1' + i))
			f.put(model(n), "versionProperties", version(n, sortID))
		}
		f.refuse(fault.Invalid, "same sort id", proposal(model("4"), "versionProperties", version("4", "a")))
		f.refuse(fault.Invalid, "same label", proposal(model("4"), "versionProperties", version("1", "d")))
		// The latest one is lowered: the next one takes its place.
		f.put(model("3"), "versionProperties", version("3", "0"))
		if latest := f.member("urn:li:versionSet:(m,mlModel)", "versionSetProperties", "latest"); latest != `"`+string(model("2"))+`"` {
			t.Errorf("the latest is %s", latest)
		}
	})
}

func TestReferencesAreTakenOutOfWhatIsSaidTwice(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const owner, domain urn.URN = "urn:li:corpuser:gone", "urn:li:domain:gone"
		f.put(domain, "domainProperties", `{"name":"gone"}`)
		f.put(table("orders"), "ownership", `{"owners":[{"owner":"`+string(owner)+`","type":"DATAOWNER"},{"owner":"urn:li:corpuser:stays","type":"DATAOWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
		f.put(table("orders"), "domains", `{"domains":["`+string(domain)+`"]}`)
		for _, u := range []urn.URN{owner, domain} {
			if found, err := f.DeleteReferences(f.as(root), u, false); err != nil || found.Total != 1 {
				t.Fatalf("%s: %+v, %v", u, found, err)
			}
		}
		for _, aspect := range []string{"ownership", "domains"} {
			if value := f.value(table("orders"), aspect); strings.Contains(value, "gone") {
				t.Errorf("%s still says %s", aspect, value)
			}
		}
	})
}
