package policy_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
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
