// Package asset changes what people say of entities of every type: their
// description, name, deprecation, status and looks.
//
// What ingestion says stays as it is wherever the model has a place of its own
// for people, such as editableDatasetProperties. The packages beside this one
// change what has rules of its own: labels, owners, domains, the glossary.
package asset

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types with rules of their own.
const (
	dataset           = "dataset"
	domain            = "domain"
	term              = "glossaryTerm"
	node              = "glossaryNode"
	group             = "corpGroup"
	dataProduct       = "dataProduct"
	businessAttribute = "businessAttribute"
)

// Glossary decides about terms and nodes, whose rights depend on where they stand.
type Glossary interface {
	// MayEdit decides whether the actor may change an entry of the glossary.
	MayEdit(ctx context.Context, u urn.URN) (auth.Decisions, error)
}

// Domains names domains, which no two siblings may be called alike.
type Domains interface {
	// Rename decides whether the actor may, and gives a domain another name.
	Rename(ctx context.Context, u urn.URN, name string) error
}

// Service changes entities. It is safe for concurrent use.
type Service struct {
	edit     *edit.Editor
	owners   *owner.Service
	glossary Glossary
	domains  Domains
}

// New makes a Service.
func New(e *edit.Editor, owners *owner.Service, g Glossary, d Domains) *Service {
	return &Service{e, owners, g, d}
}

// Column names what a change concerns besides the entity itself. Path must be
// given with the kind DATASET_FIELD; both are empty for the entity.
type Column struct{ Path, Kind string }

// check is an error when a column is named by halves or is none of the dataset's.
func (c Column) check(ctx context.Context, e *edit.Editor, u urn.URN) error {
	switch {
	case (c.Path == "") != (c.Kind == ""):
		return fault.New(fault.Malformed, "subResource and subResourceType must be given together")
	case c.Path == "":
		return nil
	case u.Type() != dataset:
		return fault.New(fault.Malformed, "subResource: %s has no columns, only datasets do", u)
	}
	return edit.CheckColumn(ctx, e, u, c.Path)
}

// amend changes an aspect in place. An absent one starts from base; without a
// base it must be there, for nobody but its source can say what it requires.
func amend(u urn.URN, aspect string, base jsontree.Object, apply func(value jsontree.Object) error) edit.Change {
	return edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			if base == nil {
				return nil, fault.New(fault.Malformed, "%s has no %s to change", u, aspect)
			}
			// Another attempt must not see what this one changes.
			value = jsontree.Clone(base).(jsontree.Object)
		}
		return value, apply(value)
	}}
}

// put sets a member, or takes it out when there is no value.
func put[T any](value jsontree.Object, member string, v *T) {
	if v == nil {
		delete(value, member)
		return
	}
	value[member] = *v
}

// supports is an error when entities of a type have no such aspect.
func (s *Service) supports(u urn.URN, aspect string) error {
	spec, ok := s.edit.Registry.Entity(u.Type())
	if ok {
		_, ok = spec.Aspect(aspect)
	}
	if !ok {
		return fault.New(fault.Malformed, "Unsupported resource type: %s has no %s", u, aspect)
	}
	return nil
}

// maySteer decides whether the actor may write an aspect of an entity by the right over
// its kind: domains and the glossary have one of the platform.
func (s *Service) maySteer(ctx context.Context, u urn.URN, aspect string) (auth.Decisions, error) {
	switch u.Type() {
	case domain:
		return s.edit.Require(ctx, auth.ManageDomains)
	case term, node:
		return s.glossary.MayEdit(ctx, u)
	}
	return s.edit.Decide(ctx, auth.Over(u, auth.EditEntity).ToWrite(aspect))
}
