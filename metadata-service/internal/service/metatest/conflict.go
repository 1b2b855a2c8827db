package metatest

import (
	"cmp"
	"context"
	"slices"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Conflict is a pair of tests whose actions undo each other on assets that both may select: for
// example, one adds a tag that the other removes. Evaluations still terminate, since changes made
// by actions do not trigger tests, but each evaluation changes the asset.
type Conflict struct {
	A, B   urn.URN
	Action language.ActionType // of A
	Entity urn.URN             // target of the action; empty for actions without one
}

// Conflicts lists the conflicts between a definition and the stored tests, ordered by test URNs,
// action and entity. It excludes the stored test of, for which the definition is meant. A draft has
// no conflicts. It requires auth.ManageTests. An invalid definition gives a *metatest.Error.
func (s *Service) Conflicts(ctx context.Context, definition string, of urn.URN) ([]Conflict, error) {
	if err := s.MayManage(ctx); err != nil || language.IsDraft(definition) {
		return nil, err
	}
	test, err := language.Parse(ctx, s.Edit.Registry, s.programs, []byte(definition))
	if err != nil {
		return nil, err
	}
	tests, _, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	tests = slices.DeleteFunc(tests, func(t compiledTest) bool { return t.urn == of })
	return slices.DeleteFunc(conflicts(append(tests, compiledTest{urn: of, test: test})), func(c Conflict) bool { return c.A != of && c.B != of }), nil
}

// Other returns the test of a conflict that differs from the given one.
func (c Conflict) Other(than urn.URN) urn.URN {
	if c.A == than {
		return c.B
	}
	return c.A
}

// warnOfConflicts logs up to 20 conflicts between tests.
func (s *Service) warnOfConflicts(ctx context.Context, tests []compiledTest) {
	const most = 20
	found := conflicts(tests)
	for _, c := range found[:min(most, len(found))] {
		s.Log.WarnContext(ctx, "metadata tests undo one another", "test", c.A, "other", c.B, "action", c.Action, "entity", c.Entity, "conflicts", len(found))
	}
}

// effect is the result of an action on an entity.
type effect struct {
	action language.ActionType // the adding action of the pair
	entity urn.URN
}

// effects returns the effects that the actions of a test add and those that they remove.
func effects(test *language.Test) (adds, removes []effect) {
	for _, a := range slices.Concat(test.Passing, test.Failing) {
		entities := a.Entities
		if len(entities) == 0 || a.Type == language.SetDomain {
			entities = []urn.URN{""}
		}
		adding, isRemoval := a.Undoes()
		for _, u := range entities {
			if isRemoval {
				removes = append(removes, effect{adding, u})
			} else {
				adds = append(adds, effect{a.Type, u})
			}
		}
	}
	return adds, removes
}

// conflicts returns the conflicts between tests, ordered by test URNs, action and entity.
func conflicts(tests []compiledTest) []Conflict {
	removers := map[effect][]compiledTest{}
	for _, t := range tests {
		_, removes := effects(t.test)
		for _, e := range removes {
			removers[e] = append(removers[e], t)
		}
	}
	var out []Conflict
	for _, t := range tests {
		adds, _ := effects(t.test)
		for _, e := range adds {
			for _, other := range removers[e] {
				c := Conflict{A: t.urn, B: other.urn, Action: e.action, Entity: e.entity}
				if other.urn != t.urn && typesOverlap(t.test.Types, other.test.Types) && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Action, b.Action), cmp.Compare(a.Entity, b.Entity))
	})
	return out
}

func typesOverlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}
