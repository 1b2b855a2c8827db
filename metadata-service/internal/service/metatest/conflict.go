package metatest

import (
	"cmp"
	"context"
	"slices"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Conflict is two tests whose actions undo one another on assets that both may be
// about: one tags and the other takes the tag away. Evaluations end all the same,
// as what actions change does not make tests run again, but the asset changes with
// each of them.
type Conflict struct {
	A, B   urn.URN
	Action language.ActionType // of A
	Entity urn.URN             // that it is about; empty for actions without one
}

// Conflicts lists the tests that a definition undoes, or that undo it. The test
// that the definition is meant for, if there is one already, does not count. It
// needs auth.ManageTests.
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
	tests = slices.DeleteFunc(tests, func(t compiled) bool { return t.urn == of })
	return slices.DeleteFunc(conflicts(append(tests, compiled{urn: of, test: test})), func(c Conflict) bool { return c.A != of && c.B != of }), nil
}

// Other is the test of a conflict that is not the given one.
func (c Conflict) Other(than urn.URN) urn.URN {
	if c.A == than {
		return c.B
	}
	return c.A
}

// warnOfConflicts logs them, some of many.
func (s *Service) warnOfConflicts(ctx context.Context, tests []compiled) {
	const most = 20
	found := conflicts(tests)
	for _, c := range found[:min(most, len(found))] {
		s.Log.WarnContext(ctx, "metadata tests undo one another", "test", c.A, "other", c.B, "action", c.Action, "entity", c.Entity, "conflicts", len(found))
	}
}

// effect is what an action does to a thing.
type effect struct {
	of     language.ActionType // the adding action of the two
	entity urn.URN
}

// effects tells what actions add and take away.
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

// conflicts lists tests that undo one another, by their URNs.
func conflicts(tests []compiled) []Conflict {
	removers := map[effect][]compiled{}
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
				c := Conflict{A: t.urn, B: other.urn, Action: e.of, Entity: e.entity}
				if other.urn != t.urn && share(t.test.Types, other.test.Types) && !slices.Contains(out, c) {
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

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}
