package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of hierarchies.
const (
	// maxDepth is how deep a hierarchy may be.
	maxDepth = 1000
	// maxBelow is how many entities below another one are asked about one by one.
	maxBelow = 1000
)

// checkAcyclic refuses a parent that lies below the entity itself, when the
// parent is new. The way up is read in the transaction, so that two moves at the
// same time cannot make a cycle together.
func checkAcyclic(tx Tx, c *Change) error {
	place, ok := model.ParentOf(c.URN.Type())
	if !ok || place.Aspect != c.Aspect.Name {
		return nil
	}
	parent := place.In(c.After)
	if parent == "" || c.Before != nil && parent == place.In(c.Before) {
		return nil
	}
	if parent == c.URN {
		return fault.New(fault.Malformed, "%s cannot be its own parent", c.URN)
	}
	seen := map[urn.URN]bool{}
	for at := parent; at != "" && !seen[at]; {
		if at == c.URN {
			return fault.New(fault.Malformed, "%s lies below %s: an entity cannot move to a place below itself", parent, c.URN)
		}
		if seen[at] = true; len(seen) > maxDepth {
			return fault.New(fault.Malformed, "%s lies deeper than %d levels", parent, maxDepth)
		}
		above, ok := model.ParentOf(at.Type())
		if !ok {
			return nil
		}
		value, err := tx.Value(at, above.Aspect)
		if err != nil {
			return err
		}
		at = above.In(value)
	}
	return nil
}

// demandPlace asks for the rights over a tree when a write moves an entity of it. Policies over a
// domain, or over what has a term, count for all that is below it, so a move gives their actors
// rights over assets that the one who moves has none over. An entity is created in a place, and
// deleted there, by the right over that entity alone as long as nothing lies below it. Otherwise the
// right to edit all of that does as well.
func demandPlace(rights func(parents []urn.URN) []Right) func(Tx, *Change) ([]Demand, error) {
	return func(tx Tx, c *Change) ([]Demand, error) {
		place, ok := model.ParentOf(c.URN.Type())
		if !ok || place.Aspect != c.Aspect.Name {
			return nil, nil
		}
		from, to := place.In(c.Before), place.In(c.After)
		if from == to {
			return nil, nil
		}
		moves := Demand{Rights: rights([]urn.URN{from, to}), Refusal: Refusal{"Unauthorized to move ", c.URN}}
		if tx.Created(c.URN) || c.WithEntity {
			below, all, err := tx.Below(c.URN, maxBelow)
			if err != nil || len(below) == 0 {
				return nil, err
			}
			if all {
				moves.Rights = append(moves.Rights, Right{Privileges: []string{"EDIT_ENTITY"}, On: below})
			}
			moves.Refusal = append(moves.Refusal, " with what lies below it")
		}
		return []Demand{moves}, nil
	}
}

// demandContents asks for the right to edit whatever lies in a container when a write moves it:
// policies over a container count for all that is below it. A container is placed by whoever creates
// it, and deleted, by the right to edit what lies in it at that time: clients write its aspects one by
// one, and what it holds may come before it.
func demandContents(tx Tx, c *Change) ([]Demand, error) {
	place, _ := model.ParentOf(c.URN.Type())
	if place.In(c.Before) == place.In(c.After) {
		return nil, nil
	}
	own := c.WithEntity || tx.Created(c.URN)
	if !own && c.Before == nil {
		creator, err := tx.Creator(c.URN)
		if err != nil {
			return nil, err
		}
		actor, _ := tx.Actor()
		own = creator == actor
	}
	inside := map[string][]urn.URN{}
	if own {
		below, all, err := tx.Below(c.URN, maxBelow)
		if err != nil {
			return nil, err
		}
		for _, u := range below {
			inside[u.Type()] = append(inside[u.Type()], u)
		}
		own = all
	}
	var demands []Demand
	for _, entity := range tx.Registry().Entities() {
		if _, has := entity.Aspect(place.Aspect); !has || own && inside[entity.Name] == nil {
			continue
		}
		rights := []Right{{Privileges: []string{"EDIT_ENTITY"}, Type: entity.Name, Within: c.URN}}
		if own {
			rights = append(rights, Right{Privileges: []string{"EDIT_ENTITY"}, On: inside[entity.Name]})
		}
		demands = append(demands, Demand{
			Rights:  rights,
			Refusal: Refusal{"Unauthorized to move ", c.URN, " with what is in it (requires EDIT_ENTITY over every " + entity.Name + " in it)"},
		})
	}
	return demands, nil
}

// toMoveDomains are the rights to move domains.
func toMoveDomains([]urn.URN) []Right { return []Right{{Privileges: []string{"MANAGE_DOMAINS"}}} }

// toMoveInGlossary are the rights to move terms and nodes: over the glossary, or over what is below
// both nodes.
func toMoveInGlossary(parents []urn.URN) []Right {
	rights := []Right{{Privileges: []string{"MANAGE_GLOSSARIES"}}}
	if !slices.Contains(parents, "") {
		rights = append(rights, Right{Privileges: []string{"MANAGE_GLOSSARY_CHILDREN", "MANAGE_ALL_GLOSSARY_CHILDREN"}, On: parents})
	}
	return rights
}

// sibling is the term of a name at a place of a hierarchy.
func sibling(index string, parent urn.URN, name string) Term {
	return term(index, string(parent), name)
}

// uniqueName refuses a name that another entity, which is not soft-deleted, has
// under the same term. A name that stays is not asked about: what was stored
// before the rule, or restored later, can be written again.
func uniqueName(tx Tx, c *Change, of func(value model.Object) Term, taken func(name string) error) error {
	name := jsontree.Text(c.After, "name")
	if name == "" || c.Before != nil && of(c.Before) == of(c.After) {
		return nil
	}
	for after := urn.URN(""); ; {
		found, err := tx.Lookup(of(c.After), after, 0)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, other := range found {
			if other == c.URN {
				continue
			}
			removed, err := tx.Removed(other)
			if err != nil {
				return err
			}
			if !removed {
				return taken(name)
			}
		}
		after = found[len(found)-1]
	}
}

// nameTerm gives the term of a value with a name, none for a value without.
func nameTerm(of func(value model.Object) Term) func(urn.URN, model.Object) []Term {
	return func(_ urn.URN, value model.Object) []Term {
		if jsontree.Text(value, "name") == "" {
			return nil
		}
		return []Term{of(value)}
	}
}
