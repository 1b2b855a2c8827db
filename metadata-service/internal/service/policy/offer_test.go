package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestWhatIsOfferedCanBeGranted(t *testing.T) {
	t.Parallel()
	offer, err := policy.Offered()
	if err != nil {
		t.Fatal(err)
	}
	if len(offer.Platform) != 44 || len(offer.All) != 44 || len(offer.Types) != 24 {
		t.Errorf("%d platform privileges, %d over entities, %d types", len(offer.Platform), len(offer.All), len(offer.Types))
	}
	lists := [][]policy.OfferedPrivilege{offer.Platform, offer.All}
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range offer.Types {
		lists = append(lists, of.Privileges)
		if entity, ok := registry.Entity(of.Type); !ok || entity.Name != of.Type || of.Title == "" {
			t.Errorf("%s (%s) is no entity type", of.Type, of.Title)
		}
	}
	for _, list := range lists {
		for _, p := range list {
			if p.Title == "" || p.Description == "" {
				t.Errorf("%s: title %q, description %q; is it in auth.Rights?", p.Privilege, p.Title, p.Description)
			}
		}
	}
}

// TestAdministratorsHoldWhatCanBeGranted: the built-in administrator and the role Admin have all
// grantable privileges, so that no custom policy has to grant them new ones.
func TestAdministratorsHoldWhatCanBeGranted(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	sets, err := registry.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]map[auth.Privilege]bool{}
	for _, set := range sets {
		for _, row := range set.Rows {
			if row.Aspect != "dataHubPolicyInfo" {
				continue
			}
			var info struct{ Privileges []auth.Privilege }
			if err := json.Unmarshal(row.Value, &info); err != nil {
				t.Fatal(err)
			}
			held[urn.URN(row.URN).Key()] = map[auth.Privilege]bool{}
			for _, p := range info.Privileges {
				held[urn.URN(row.URN).Key()][p] = true
			}
		}
	}
	for _, r := range auth.Rights() {
		policies := []string{"1", "admin-metadata-policy"}
		if r.Level == auth.Platform {
			policies = []string{"0", "admin-platform-policy"}
		}
		for _, name := range policies {
			if !held[name][r.Privilege] {
				t.Errorf("the policy %s does not grant %s", name, r.Privilege)
			}
		}
	}
}
