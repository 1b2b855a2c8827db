package bootstrap_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestBootstrap(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		boot := func() uint64 {
			t.Helper()
			before, _ := f.Store.Last()
			if err := f.Boot.DefaultData(t.Context()); err != nil {
				t.Fatal(err)
			}
			f.Clock.Add(60_000)
			after, _ := f.Store.Last()
			return after - before
		}
		if boot() == 0 {
			t.Fatal("the first start wrote nothing")
		}
		for entityType, want := range map[string]int{"dataHubRole": 3, "ownershipType": 4, "dataType": 5, "dataHubPolicy": 16, "entityType": len(f.Registry.Entities())} {
			if got, err := f.Store.Count(t.Context(), entityType); err != nil || got != want {
				t.Errorf("%s: %d (%v), want %d", entityType, got, err, want)
			}
		}
		if n := boot(); n != 0 {
			t.Errorf("the second start wrote %d entries", n)
		}
		t.Run("what users changed stays, what belongs to the system is put right", func(t *testing.T) {
			var editable, fixed urn.URN
			sets, err := f.Registry.Defaults()
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range sets {
				for _, row := range set.Rows {
					if set.Name != "policies" || row.Aspect != "dataHubPolicyInfo" {
						continue
					}
					if row.Change == model.Create {
						editable = urn.URN(row.URN)
					} else {
						fixed = urn.URN(row.URN)
					}
				}
			}
			if editable == "" || fixed == "" {
				t.Fatal("the default data has no policies of both kinds")
			}
			const inactive = `{"displayName":"x","description":"x","type":"PLATFORM","state":"INACTIVE","privileges":[],"editable":false,"actors":{"resourceOwners":false,"allUsers":false,"allGroups":false}}`
			original := f.Value(fixed, "dataHubPolicyInfo")
			f.MustAs(model.SystemActor, catalogtest.Proposal(fixed, "dataHubPolicyInfo", inactive))
			f.Put(editable, "dataHubPolicyInfo", inactive)
			settings := catalogtest.Proposal("urn:li:globalSettings:0", "globalSettingsInfo", `{}`)
			f.Must(settings)
			boot()
			f.WantValue(fixed, "dataHubPolicyInfo", original)
			f.WantValue(editable, "dataHubPolicyInfo", inactive)
			f.WantValue("urn:li:globalSettings:0", "globalSettingsInfo", `{}`)
			if _, err := f.DeleteEntity(f.As(model.SystemActor), editable); err != nil {
				t.Fatal(err)
			}
			if n := boot(); n != 0 {
				t.Errorf("a start after the deletion of %s wrote %d entries", editable, n)
			}
		})
	})
}
