// Package label puts tags and glossary terms on entities and on columns of
// datasets, and takes them off.
//
// A label on a column is kept in editableSchemaMetadata, beside what ingestion
// says of the column; one on an entity in globalTags or glossaryTerms. What is
// there already, or gone already, is no error.
package label

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Kind is what is put on: tags or terms.
type Kind struct {
	name      string // for messages
	entity    string // entity type of the labels
	aspect    string // on entities, and member of a column's entry
	list      string // member that lists them
	member    string // of an entry that holds the URN
	privilege auth.Privilege
	column    auth.Privilege
	stamped   bool // the aspect has an audit stamp
}

// Tags and Terms are the kinds of labels.
func Tags() Kind {
	return Kind{"tag", "tag", "globalTags", "tags", "tag", auth.EditTags, auth.EditColumnTags, false}
}

// Terms are glossary terms.
func Terms() Kind {
	return Kind{"term", "glossaryTerm", "glossaryTerms", "terms", "urn", auth.EditTerms, auth.EditColumnTerms, true}
}

// Target is where labels go.
type Target struct {
	URN string
	// Column is the path of a column; empty for the entity itself. Kind must be DATASET_FIELD
	// with a column and empty without.
	Column, Kind string
}

// Service labels. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Add puts labels on all targets, or on none. Labels and entities must exist,
// and columns be in the schema.
func (s *Service) Add(ctx context.Context, k Kind, labels []string, targets []Target) error {
	urns, err := s.edit.ParseAll(k.name+"Urns", labels, k.entity)
	if err != nil {
		return err
	}
	for _, u := range urns {
		if err := s.edit.MustExist(ctx, k.name, u); err != nil {
			return err
		}
	}
	return s.change(ctx, k, targets, true, func(list []any) []any {
		for _, u := range urns {
			if index(list, k.member, string(u)) < 0 {
				list = append(list, jsontree.Object{k.member: string(u)})
			}
		}
		return list
	})
}

// Remove takes labels off all targets. The labels need not exist.
func (s *Service) Remove(ctx context.Context, k Kind, labels []string, targets []Target) error {
	urns, err := s.edit.ParseAll(k.name+"Urns", labels, k.entity)
	if err != nil {
		return err
	}
	return s.change(ctx, k, targets, false, func(list []any) []any {
		for _, u := range urns {
			for i := index(list, k.member, string(u)); i >= 0; i = index(list, k.member, string(u)) {
				list = append(list[:i:i], list[i+1:]...)
			}
		}
		return list
	})
}

func index(list []any, member, u string) int {
	for i, e := range list {
		if o, ok := e.(jsontree.Object); ok && o[member] == u {
			return i
		}
	}
	return -1
}

// change applies a change to the list of labels of each target.
func (s *Service) change(ctx context.Context, k Kind, targets []Target, adding bool, apply func([]any) []any) error {
	if len(targets) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	changes := make([]edit.Change, 0, len(targets))
	for _, t := range targets {
		u, err := s.edit.Parse("resourceUrn", t.URN)
		if err != nil {
			return err
		}
		c, err := s.changeOf(ctx, k, u, t, adding, apply)
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := s.edit.Apply(ctx, changes...)
	return err
}

func (s *Service) changeOf(ctx context.Context, k Kind, u urn.URN, t Target, adding bool, apply func([]any) []any) (edit.Change, error) {
	if (t.Column == "") != (t.Kind == "") {
		return edit.Change{}, fault.New(fault.Malformed, "subResource and subResourceType must be given together")
	}
	privilege := k.privilege
	if t.Column != "" {
		privilege = k.column
	}
	if err := s.edit.Privileges.Allow(ctx, u, privilege, auth.EditEntity); err != nil {
		return edit.Change{}, err
	}
	if adding {
		if err := s.edit.MustExist(ctx, "resource", u); err != nil {
			return edit.Change{}, err
		}
	}
	if t.Column == "" {
		return edit.Change{URN: u, Aspect: k.aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return s.relabel(ctx, k, value, apply), nil
		}}, nil
	}
	if adding {
		if err := edit.CheckColumn(ctx, s.edit, u, t.Column); err != nil {
			return edit.Change{}, err
		}
	}
	return edit.ColumnChange(ctx, s.edit, u, t.Column, func(column jsontree.Object) {
		labels, _ := column[k.aspect].(jsontree.Object)
		if next := s.relabel(ctx, k, labels, apply); next != nil {
			column[k.aspect] = next
		}
	}), nil
}

// relabel changes an aspect of labels; nil when there is nothing to change.
func (s *Service) relabel(ctx context.Context, k Kind, value jsontree.Object, apply func([]any) []any) jsontree.Object {
	list, _ := value[k.list].([]any)
	before := len(list)
	next := apply(append([]any(nil), list...))
	if len(next) == before {
		return nil
	}
	if value == nil {
		value = jsontree.Object{}
	}
	if next == nil {
		next = []any{}
	}
	value[k.list] = next
	if k.stamped {
		value["auditStamp"] = s.edit.Stamp(ctx)
	}
	return value
}
