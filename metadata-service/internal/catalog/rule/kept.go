package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// demandOverAssets holds a write that the table permits by a privilege over assets, and not by
// a right over the incident, assertion or contract itself, to what that privilege reaches: all assets
// that are named before and after. What names no asset takes the right over the entity itself.
func demandOverAssets(privilege string) func(Tx, *Change) ([]Demand, error) {
	return func(_ Tx, c *Change) ([]Demand, error) {
		if c.By != privilege {
			return nil, nil
		}
		var about set.Set[urn.URN]
		names := func(value model.Object) bool {
			found := false
			for _, text := range model.SubjectsOf(c.Entity.Name).In(value) {
				if text == "" {
					continue
				}
				found = true
				about.Add(urn.URN(text))
			}
			return found
		}
		refusal := Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, ": needs " + privilege + " over each asset that it names, or the right over the entity itself"}
		if before := names(c.Before); !names(c.After) || c.Before != nil && !before {
			return []Demand{{Rights: []Right{{Operation: "UPDATE", On: []urn.URN{c.URN}}}, Refusal: refusal}}, nil
		}
		return []Demand{{Rights: []Right{{Privileges: []string{privilege, "EDIT_ENTITY"}, On: about.List()}}, Refusal: refusal}}, nil
	}
}
