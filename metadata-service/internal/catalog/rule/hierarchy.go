package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxDepth is how deep a hierarchy may be.
const maxDepth = 1000

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
// rights over assets that the one who moves has none over. Moves by the rights over the single
// entity alone are those of an entity that the batch creates.
func demandPlace(rights func(parents []urn.URN) []Right) func(Tx, *Change) ([]Demand, error) {
	return func(tx Tx, c *Change) ([]Demand, error) {
		place, ok := model.ParentOf(c.URN.Type())
		if !ok || place.Aspect != c.Aspect.Name || tx.Created(c.URN) {
			return nil, nil
		}
		from, to := place.In(c.Before), place.In(c.After)
		if from == to {
			return nil, nil
		}
		return []Demand{{Rights: rights([]urn.URN{from, to}), Refusal: Refusal{"Unauthorized to move ", c.URN}}}, nil
	}
}

// demandContents asks for the right to edit whatever lies in a container when a write moves it:
// policies over a container count for all that is below it. A container without a place is placed by
// whoever created it, by the right to create it: clients write its aspects one by one.
func demandContents(tx Tx, c *Change) ([]Demand, error) {
	place, _ := model.ParentOf(c.URN.Type())
	if c.WithEntity || tx.Created(c.URN) || place.In(c.Before) == place.In(c.After) {
		return nil, nil
	}
	if c.Before == nil {
		creator, err := tx.Creator(c.URN)
		if actor, _ := tx.Actor(); err != nil || creator == actor {
			return nil, err
		}
	}
	var demands []Demand
	for _, entity := range tx.Registry().Entities() {
		if _, has := entity.Aspect(place.Aspect); has {
			demands = append(demands, Demand{
				Rights:  []Right{{Privileges: []string{"EDIT_ENTITY"}, Type: entity.Name, Within: c.URN}},
				Refusal: Refusal{"Unauthorized to move ", c.URN, " with what is in it (requires EDIT_ENTITY over every " + entity.Name + " in it)"},
			})
		}
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
