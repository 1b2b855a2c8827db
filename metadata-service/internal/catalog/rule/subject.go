package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// assetPrivileges maps aspects about assets to the privilege over these assets that permits writing
// them.
var assetPrivileges = map[string]auth.Privilege{
	"incidentInfo": auth.EditIncidents, "assertionInfo": auth.EditAssertions, "dataContractProperties": auth.EditContract,
}

// namingRules apply exclusions of policies to entities that are about assets.
func namingRules() []Rule {
	var rules []Rule
	for _, entityType := range model.TypesWithSubjects() {
		rules = append(rules, Rule{
			Name: "rights over what is about assets: " + entityType, Types: []string{entityType}, Aspects: model.SubjectsOf(entityType).Aspects(),
			Demands: demandNamed, DemandsOfRollbacks: true,
		})
	}
	return rules
}

// demandNamed requires the right over an entity as it is after a write that makes it refer to
// further subjects: a policy or a token scope that excludes assets also excludes entities about
// them. Entities that the batch creates are not excluded. The privilege over the assets suffices as
// well; demandOverAssets restricts writes that the privilege table permits by it.
func demandNamed(tx Tx, c *Change) ([]Demand, error) {
	over := assetPrivileges[c.Aspect.Name]
	if over != "" && c.By == over {
		return nil, nil
	}
	before := set.Of(subjectsIn(c, c.Before))
	var found set.Set[urn.URN]
	for _, u := range subjectsIn(c, c.After) {
		whole := model.ParentOfColumn(u)
		if before.Has(u) || tx.Created(u) || whole != "" && tx.Created(whole) {
			continue
		}
		if found.Add(u); whole != "" {
			found.Add(whole)
		}
	}
	further := found.List()
	if len(further) == 0 {
		return nil, nil
	}
	operation := auth.OpUpdate
	if tx.Created(c.URN) {
		operation = auth.OpCreate
	}
	rights := []auth.Check{{Operation: operation, Entities: []urn.URN{c.URN}, Names: further}}
	if over != "" {
		rights = append(rights, auth.Check{AnyOf: []auth.Privilege{over}, Entities: further})
	}
	return []Demand{{
		OneOf:   rights,
		Refusal: Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, ": the privilege over it excludes the asset that it would be about"},
	}}, nil
}

// subjectsIn returns the subjects that a value of the changed aspect names, without duplicates.
func subjectsIn(c *Change, value model.Object) []urn.URN {
	var named set.Set[urn.URN]
	for _, text := range model.SubjectsOf(c.Entity.Name).In(c.Aspect.Name, value) {
		if text != "" {
			named.Add(urn.URN(text))
		}
	}
	return named.List()
}

// demandOverAssets restricts a write that the table permits by a privilege over assets, and not by
// a right over the incident, assertion or contract itself: the actor must have the privilege over
// all assets named before and after. If there are none, the write requires the right over the
// entity itself.
func demandOverAssets(aspect string) func(Tx, *Change) ([]Demand, error) {
	privilege := assetPrivileges[aspect]
	return func(_ Tx, c *Change) ([]Demand, error) {
		if c.By != privilege {
			return nil, nil
		}
		before, after := subjectsIn(c, c.Before), subjectsIn(c, c.After)
		refusal := Refusal{"Unauthorized to write " + c.Aspect.Name + " of ", c.URN, ": needs " + string(privilege) + " over each asset that it names, or the right over the entity itself"}
		if len(after) == 0 || c.Before != nil && len(before) == 0 {
			return []Demand{{OneOf: []auth.Check{{Operation: auth.OpUpdate, Entities: []urn.URN{c.URN}}}, Refusal: refusal}}, nil
		}
		about := set.Of(slices.Concat(before, after))
		return []Demand{{OneOf: []auth.Check{{AnyOf: []auth.Privilege{privilege, auth.EditEntity}, Entities: about.List()}}, Refusal: refusal}}, nil
	}
}
