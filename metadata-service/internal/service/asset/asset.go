// Package asset edits general properties of entities of all types: description, name, deprecation,
// status and display.
//
// Ingested values stay unchanged where the model has a separate aspect for edits, such as
// editableDatasetProperties. Sibling packages edit properties with rules of their own: labels,
// owners, domains, the glossary.
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

// Glossary decides about terms and nodes, whose privileges depend on their place in the glossary.
type Glossary interface {
	// MayEdit decides whether the actor may change an entry of the glossary.
	MayEdit(ctx context.Context, u urn.URN) (auth.Decisions, error)
}

// Domains renames domains. Siblings must have different names.
type Domains interface {
	// Rename decides whether the actor may rename a domain, and renames it.
	Rename(ctx context.Context, u urn.URN, name string) error
}

// Service changes entities. It is safe for concurrent use.
type Service struct {
	edit     *edit.Editor
	owners   *owner.Service
	glossary Glossary
	domains  Domains
}

// New returns a Service.
func New(e *edit.Editor, owners *owner.Service, g Glossary, d Domains) *Service {
	return &Service{e, owners, g, d}
}

// Column names the column that a change concerns. Path requires the kind DATASET_FIELD; both are
// empty for the entity itself.
type Column struct{ Path, Kind string }

// check returns fault.Malformed if only one member is set, or if the dataset has no such column.
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

// amend returns a change that applies a function to an aspect in place. An absent aspect starts
// from base. If base is nil, an absent aspect is an error, since only its source knows the required
// members.
func amend(u urn.URN, aspect string, base jsontree.Object, apply func(value jsontree.Object) error) edit.Change {
	return edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			if base == nil {
				return nil, fault.New(fault.Malformed, "%s has no %s to change", u, aspect)
			}
			// Another attempt must start from an unchanged base.
			value = jsontree.Clone(base).(jsontree.Object)
		}
		return value, apply(value)
	}}
}

// setOrDelete sets a member, or deletes it if v is nil.
func setOrDelete[T any](value jsontree.Object, member string, v *T) {
	if v == nil {
		delete(value, member)
		return
	}
	value[member] = *v
}

// supports returns an error if the entity type has no such aspect.
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

// mayWriteByType decides whether the actor may write an aspect by the privilege for its entity
// type: domains and the glossary have platform privileges.
func (s *Service) mayWriteByType(ctx context.Context, u urn.URN, aspect string) (auth.Decisions, error) {
	switch u.Type() {
	case domain:
		return s.edit.Require(ctx, auth.ManageDomains)
	case term, node:
		return s.glossary.MayEdit(ctx, u)
	}
	return s.edit.Decide(ctx, auth.Over(u, auth.EditEntity).ToWrite(aspect))
}
