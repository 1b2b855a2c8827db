package glossary

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const relatedAspect = "glossaryRelatedTerms"

// Relation is the kind of a relationship between terms.
type Relation string

const (
	IsA  Relation = "isA"  // the term is a special case of the others
	HasA Relation = "hasA" // the term consists of the others
)

// member returns the list of the aspect that holds the terms of a relation.
func (r Relation) member() (string, error) {
	switch r {
	case IsA:
		return "isRelatedTerms", nil
	case HasA:
		return "hasRelatedTerms", nil
	}
	return "", fault.New(fault.Malformed, "relationshipType: %q is neither %s nor %s", r, IsA, HasA)
}

// Relate adds relationships from a term to others, all of which must exist. It requires the
// privilege to change the term.
func (s *Service) Relate(ctx context.Context, u urn.URN, r Relation, terms []string) error {
	others, member, decided, err := s.parseRelated(ctx, u, r, terms)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other == u {
			return fault.New(fault.Malformed, "termUrns: %s cannot relate to itself", u)
		}
	}
	if err := s.edit.MustExist(ctx, "term", u); err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, "term", others...); err != nil {
		return err
	}
	return s.changeRelated(ctx, decided, u, member, func(list []any) []any {
		present := map[any]bool{}
		for _, e := range list {
			present[e] = true
		}
		for _, other := range others {
			if !present[string(other)] {
				present[string(other)] = true
				list = append(list, string(other))
			}
		}
		return list
	})
}

// Unrelate removes relationships. Absent ones are not an error. It requires the privilege to change
// the term.
func (s *Service) Unrelate(ctx context.Context, u urn.URN, r Relation, terms []string) error {
	others, member, decided, err := s.parseRelated(ctx, u, r, terms)
	if err != nil {
		return err
	}
	gone := make(map[any]bool, len(others))
	for _, other := range others {
		gone[string(other)] = true
	}
	return s.changeRelated(ctx, decided, u, member, func(list []any) []any {
		kept := make([]any, 0, len(list))
		for _, e := range list {
			if !gone[e] {
				kept = append(kept, e)
			}
		}
		return kept
	})
}

// parseRelated parses the input and decides the privilege to change the term.
func (s *Service) parseRelated(ctx context.Context, u urn.URN, r Relation, terms []string) (others []urn.URN, member string, decided auth.Decisions, err error) {
	if u.Type() != Term {
		return nil, "", nil, fault.New(fault.Malformed, "urn: %s is not the URN of a %s", u, Term)
	}
	if member, err = r.member(); err != nil {
		return nil, "", nil, err
	}
	if others, err = s.edit.ParseAll("termUrns", terms, Term); err != nil {
		return nil, "", nil, err
	}
	decided, err = s.MayEdit(ctx, u)
	return others, member, decided, err
}

func (s *Service) changeRelated(ctx context.Context, decided auth.Decisions, u urn.URN, member string, apply func([]any) []any) error {
	_, err := s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: relatedAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		list, _ := value[member].([]any)
		next := apply(list)
		if len(next) == len(list) {
			return nil, nil
		}
		if value == nil {
			value = jsontree.Object{}
		}
		value[member] = next
		return value, nil
	}})
	return err
}
