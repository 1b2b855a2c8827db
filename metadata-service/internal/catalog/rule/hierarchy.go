package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of hierarchies.
const (
	// maxDepth is the maximum depth of a hierarchy.
	maxDepth = 1000
	// maxBelow is the maximum number of entities below another one that are authorized one by one.
	maxBelow = 1000
)

// checkAcyclic refuses a new parent that is below the entity itself. It reads the ancestors in the
// transaction, so that two concurrent moves cannot create a cycle together.
func checkAcyclic(tx Tx, c *Change) error { return acyclicBy(model.ParentOf)(tx, c) }

// placeOf returns where entities of a type name their parent, as model.ParentOf does.
type placeOf func(entityType string) (model.Parent, bool)

// acyclicBy is checkAcyclic for a hierarchy that privileges, policies and searches ignore. The
// parent may be absent, because files list entities in any order.
func acyclicBy(of placeOf) func(tx Tx, c *Change) error {
	return func(tx Tx, c *Change) error {
		place, ok := of(c.URN.Type())
		if !ok || place.Aspect != c.Aspect.Name {
			return nil
		}
		return checkPlace(tx, c, place, of)
	}
}

func checkPlace(tx Tx, c *Change, place model.Parent, of placeOf) error {
	parent := place.In(c.After)
	if parent == "" || c.Before != nil && parent == place.In(c.Before) {
		return nil
	}
	if parent == c.URN {
		return fault.New(fault.Malformed, "%s cannot be its own parent", c.URN)
	}
	// The error must not distinguish a hidden parent below the entity from an absent one.
	if !tx.Created(parent) {
		hidden, err := tx.Hides(parent)
		if err != nil {
			return err
		}
		if hidden {
			return fault.New(fault.Invalid, "%s: the parent %s does not exist, or you may not view it", place.Aspect, parent)
		}
	}
	depth := 0
	return ascendBy(tx, of, parent, func(at urn.URN) (bool, error) {
		if at == c.URN {
			return false, fault.New(fault.Malformed, "%s lies below %s: an entity cannot move to a place below itself", parent, c.URN)
		}
		if depth++; depth > maxDepth {
			return false, fault.New(fault.Malformed, "%s lies deeper than %d levels", parent, maxDepth)
		}
		return true, nil
	})
}

// ascend visits an entity and its ancestors, the nearest first, while visit returns true. It stops
// at a cycle.
func ascend(tx Tx, from urn.URN, visit func(at urn.URN) (more bool, err error)) error {
	return ascendBy(tx, model.ParentOf, from, visit)
}

func ascendBy(tx Tx, of placeOf, from urn.URN, visit func(at urn.URN) (more bool, err error)) error {
	seen := map[urn.URN]bool{}
	for at := from; at != "" && !seen[at]; {
		seen[at] = true
		if more, err := visit(at); !more || err != nil {
			return err
		}
		above, ok := of(at.Type())
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

// treeRights are the privileges to move entities of a tree.
type treeRights struct {
	tree auth.Privilege   // over the whole tree
	part []auth.Privilege // over the entities below one, at both places; may be empty
}

var (
	toMoveDomains    = treeRights{tree: auth.ManageDomains}
	toMoveInGlossary = treeRights{tree: auth.ManageGlossaries, part: []auth.Privilege{auth.ManageGlossaryChildren, auth.ManageGlossaryBelow}}
)

// demandPlace requires the rights over a tree if a write moves an entity of it. Policies over a
// domain, or over entities with a term, apply to everything below, so a move gives their actors
// rights over assets that the moving actor may have no rights over. Creating an entity with nothing
// below it requires only the right over that entity. So does deleting one that has nothing below
// it, or whose place no policy excludes. Otherwise the change requires the rights over the tree, or
// over all entities below.
func (r treeRights) demandPlace(tx Tx, c *Change) ([]Demand, error) {
	place, ok := model.ParentOf(c.URN.Type())
	if !ok || place.Aspect != c.Aspect.Name {
		return nil, nil
	}
	from, to := place.In(c.Before), place.In(c.After)
	if from == to {
		return nil, nil
	}
	if c.takesPlaceBack() {
		if excludes, err := excludesByPlace(tx, from); !excludes || err != nil {
			return nil, err
		}
		return r.demandBelow(tx, c)
	}
	if tx.Created(c.URN) {
		return r.demandBelow(tx, c)
	}
	moves := Demand{
		OneOf: []auth.Check{{AnyOf: []auth.Privilege{r.tree}}}, WaivedBy: append([]auth.Privilege{r.tree}, r.part...),
		Refusal: Refusal{"Unauthorized to move ", c.URN},
	}
	if len(r.part) > 0 && from != "" && to != "" {
		moves.OneOf = append(moves.OneOf, auth.Check{AnyOf: r.part, Entities: []urn.URN{from, to}})
	}
	return []Demand{moves}, nil
}

// demandBelow requires the rights to create an entity in its place, or to remove it from there,
// with the entities below it.
func (r treeRights) demandBelow(tx Tx, c *Change) ([]Demand, error) {
	below, all, err := tx.Below(c.URN, maxBelow)
	if err != nil || len(below) == 0 {
		return nil, err
	}
	d := Demand{
		OneOf: []auth.Check{{AnyOf: []auth.Privilege{r.tree}}}, WaivedBy: []auth.Privilege{r.tree},
		Refusal: Refusal{"Unauthorized to move ", c.URN, " with its descendants"},
	}
	if all {
		d.OneOf = append(d.OneOf, auth.Check{AnyOf: contentPrivileges(c), Entities: below})
	}
	return []Demand{d}, nil
}

// takesPlaceBack reports whether a change removes the place of an entity with the entity, or by a
// rollback.
func (c *Change) takesPlaceBack() bool { return c.After == nil && (c.WithEntity || c.Reverted) }

// excludesByPlace reports whether a policy excludes resources by a place or by one of its
// ancestors, or the access token reaches only some resources. In both cases entities that leave the
// place may become accessible to other actors.
func excludesByPlace(tx Tx, place urn.URN) (excludes bool, err error) {
	err = ascend(tx, place, func(at urn.URN) (bool, error) {
		var failed error
		excludes, failed = tx.ExcludesBy(at)
		return !excludes, failed
	})
	return excludes, err
}

// contentPrivileges returns the privileges over the entities below one that are required to place
// it or to delete it.
func contentPrivileges(c *Change) []auth.Privilege {
	if c.takesPlaceBack() {
		return []auth.Privilege{auth.EditEntity, auth.DeleteEntity}
	}
	return []auth.Privilege{auth.EditEntity}
}

// demandContents requires the right to edit everything in a container if a write moves the
// container, because policies over a container apply to everything below it. The creator of a
// container places it by the right to edit its present contents: clients write its aspects one by
// one, and its contents may be written before it. If a policy excludes by its place, deleting it
// requires the same right.
func demandContents(tx Tx, c *Change) ([]Demand, error) {
	place, _ := model.ParentOf(c.URN.Type())
	from := place.In(c.Before)
	if from == place.In(c.After) {
		return nil, nil
	}
	if c.takesPlaceBack() {
		if excludes, err := excludesByPlace(tx, from); !excludes || err != nil {
			return nil, err
		}
	}
	own, err := isPlacedByContents(tx, c)
	if err != nil {
		return nil, err
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
		rights := []auth.Check{{AnyOf: []auth.Privilege{auth.EditEntity}, Type: entity.Name, Within: c.URN}}
		if own {
			rights = append(rights, auth.Check{AnyOf: contentPrivileges(c), Entities: inside[entity.Name]})
		}
		demands = append(demands, Demand{OneOf: rights, Refusal: Refusal{"Unauthorized to move ", c.URN, " with its content (requires EDIT_ENTITY over every asset in it)"}})
	}
	return demands, nil
}

// isPlacedByContents reports whether the right over the present contents of a container suffices to
// change its place: the batch creates or deletes it, or the actor created it and it has no place.
func isPlacedByContents(tx Tx, c *Change) (bool, error) {
	if c.takesPlaceBack() || tx.Created(c.URN) {
		return true, nil
	}
	if c.Before != nil {
		return false, nil
	}
	creator, err := tx.Creator(c.URN)
	actor, _ := tx.Actor()
	return creator == actor, err
}

// siblingTerm is the term of a name at a place of a hierarchy.
func siblingTerm(index string, parent urn.URN, name string) Term {
	return term(index, string(parent), name)
}

// uniqueName refuses a name, chosen by a person, that another entity has under the same term and
// that is not soft-deleted. It does not check an unchanged name, so names stored by programs or
// restored by a rollback can be written again.
func uniqueName(tx Tx, c *Change, of func(value model.Object) Term, taken func(name string) error) error {
	name := jsontree.Text(c.After, "name")
	if !c.UniqueName || name == "" || c.Before != nil && of(c.Before) == of(c.After) {
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

// nameTerm returns the term of a value with a name, none for a value without.
func nameTerm(of func(value model.Object) Term) func(urn.URN, model.Object) []Term {
	return func(_ urn.URN, value model.Object) []Term {
		if jsontree.Text(value, "name") == "" {
			return nil
		}
		return []Term{of(value)}
	}
}
