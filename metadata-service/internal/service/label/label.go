// Package label adds tags and glossary terms to entities and to columns of datasets, and removes
// them.
//
// Labels of a column are stored in editableSchemaMetadata, separate from its ingested labels;
// labels of an entity in globalTags or glossaryTerms. The addition of a present label, or removal
// of an absent one, is not an error.
package label

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Kind is the kind of labels: tags or terms.
type Kind struct {
	name      string // for messages
	entity    string // entity type of the labels
	aspect    string // aspect of entities, and member of a column entry
	list      string // member with the list of labels
	member    string // member of a list entry with the URN
	privilege auth.Privilege
	column    auth.Privilege
	stamped   bool // the aspect has an audit stamp
}

// Tags returns the kind for tags, stored in globalTags.
func Tags() Kind {
	return Kind{"tag", "tag", "globalTags", "tags", "tag", auth.EditTags, auth.EditColumnTags, false}
}

// Terms returns the kind for glossary terms, stored in glossaryTerms.
func Terms() Kind {
	return Kind{"term", "glossaryTerm", "glossaryTerms", "terms", "urn", auth.EditTerms, auth.EditColumnTerms, true}
}

// Target is an entity or column to label.
type Target struct {
	URN string
	// Column is the path of a column; empty for the entity itself. Kind must be DATASET_FIELD with
	// a column and empty without.
	Column, Kind string
}

// Service adds and removes labels. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// maxLabels is the maximum number of labels in one call.
const maxLabels = 100

// Add adds labels to all targets, or to none. Labels and entities must exist, and columns must be
// in the schema. It requires auth.EditTags or auth.EditTerms on each entity, or the corresponding
// privilege for columns.
func (s *Service) Add(ctx context.Context, k Kind, labels []string, targets []Target) error {
	urns, places, decided, err := s.parse(ctx, k, labels, targets)
	if err != nil {
		return err
	}
	if err := s.edit.MustBeShown(ctx, k.name, urns...); err != nil {
		return err
	}
	resources := make([]urn.URN, len(places))
	for i, p := range places {
		resources[i] = p.urn
	}
	if err := s.edit.MustExist(ctx, "resource", resources...); err != nil {
		return err
	}
	for _, p := range places {
		if p.column == "" {
			continue
		}
		if err := edit.CheckColumn(ctx, s.edit, p.urn, p.column); err != nil {
			return err
		}
	}
	return s.change(ctx, decided, k, places, func(list []any) []any {
		present := members(list, k.member)
		for _, u := range urns {
			if !present[string(u)] {
				present[string(u)] = true
				list = append(list, jsontree.Object{k.member: string(u)})
			}
		}
		return list
	})
}

// Remove removes labels from all targets. It requires the same privileges as Add. The labels need
// not exist.
func (s *Service) Remove(ctx context.Context, k Kind, labels []string, targets []Target) error {
	urns, places, decided, err := s.parse(ctx, k, labels, targets)
	if err != nil {
		return err
	}
	gone := make(map[string]bool, len(urns))
	for _, u := range urns {
		gone[string(u)] = true
	}
	return s.change(ctx, decided, k, places, func(list []any) []any {
		kept := make([]any, 0, len(list))
		for _, e := range list {
			if o, ok := e.(jsontree.Object); ok {
				if u, _ := o[k.member].(string); gone[u] {
					continue
				}
			}
			kept = append(kept, e)
		}
		return kept
	})
}

func members(list []any, member string) map[string]bool {
	found := make(map[string]bool, len(list))
	for _, e := range list {
		if o, ok := e.(jsontree.Object); ok {
			if u, _ := o[member].(string); u != "" {
				found[u] = true
			}
		}
	}
	return found
}

// place is a parsed target.
type place struct {
	urn    urn.URN
	column string
}

// parse parses the input and decides the privileges. Existence is checked later, since it must not
// be disclosed without the privilege.
func (s *Service) parse(ctx context.Context, k Kind, labels []string, targets []Target) ([]urn.URN, []place, auth.Decisions, error) {
	if len(labels) > maxLabels {
		return nil, nil, nil, fault.New(fault.TooLarge, "%sUrns: %d entries, at most %d are allowed", k.name, len(labels), maxLabels)
	}
	if len(targets) > edit.MaxTargets {
		return nil, nil, nil, fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	urns, err := s.edit.ParseAll(k.name+"Urn", labels, k.entity)
	if err != nil {
		return nil, nil, nil, err
	}
	places := make([]place, 0, len(targets))
	checks := make([]auth.Check, 0, len(targets))
	for _, t := range targets {
		p, check, err := s.parseTarget(k, urns, t)
		if err != nil {
			return nil, nil, nil, err
		}
		places, checks = append(places, p), append(checks, check)
	}
	decided, err := s.edit.Decide(ctx, checks...)
	return urns, places, decided, err
}

func (s *Service) parseTarget(k Kind, labels []urn.URN, t Target) (place, auth.Check, error) {
	u, err := s.edit.Parse("resourceUrn", t.URN)
	if err != nil {
		return place{}, auth.Check{}, err
	}
	if (t.Column == "") != (t.Kind == "") {
		return place{}, auth.Check{}, fault.New(fault.Malformed, "subResource and subResourceType must be given together")
	}
	privilege := k.privilege
	if t.Column != "" {
		privilege = k.column
	}
	check := auth.Over(u, privilege, auth.EditEntity)
	if k.entity == "tag" {
		check.Tags = labels
	}
	return place{u, t.Column}, check, nil
}

// change applies a change to the list of labels of each place.
func (s *Service) change(ctx context.Context, decided auth.Decisions, k Kind, places []place, apply func([]any) []any) error {
	changes := make([]edit.Change, 0, len(places))
	for _, p := range places {
		if p.column == "" {
			changes = append(changes, edit.Change{URN: p.urn, Aspect: k.aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
				return s.relabel(ctx, k, value, apply), nil
			}})
			continue
		}
		changes = append(changes, edit.ColumnChange(ctx, s.edit, p.urn, p.column, func(column jsontree.Object) {
			labels, _ := column[k.aspect].(jsontree.Object)
			if next := s.relabel(ctx, k, labels, apply); next != nil {
				column[k.aspect] = next
			}
		}))
	}
	_, err := s.edit.Apply(ctx, decided, changes...)
	return err
}

// relabel changes an aspect with labels. It returns nil if nothing changes.
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
	value[k.list] = next
	if k.stamped {
		value["auditStamp"] = s.edit.Stamp(ctx)
	}
	return value
}
