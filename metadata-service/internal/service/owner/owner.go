// Package owner says who owns what, and keeps the types of ownership.
//
// An owner is known by its URN and the URN of its type: one user may own an
// entity in several ways.
package owner

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	aspect       = "ownership"
	systemPrefix = "__system__"
	typeEntity   = "ownershipType"
)

// Owner is an owner to add.
type Owner struct {
	URN string
	// Kind is CORP_USER or CORP_GROUP, and must be what the URN is of; empty for either.
	Kind string
	// Type is the older word for the type, TypeURN its URN; one of them is required.
	Type, TypeURN string
}

// Target is what gets an owner. Column must be empty: columns have no owners.
type Target struct{ URN, Column string }

// Service keeps owners. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New makes a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Add adds owners to all targets, or to none. Owners, their types and the
// targets must exist. It needs auth.EditOwners on each.
func (s *Service) Add(ctx context.Context, owners []Owner, targets []Target) error {
	entries := make([]jsontree.Object, 0, len(owners))
	for _, o := range owners {
		entry, err := s.entry(ctx, o, true)
		if err != nil {
			return err
		}
		entries = append(entries, entry)
	}
	return s.change(ctx, targets, true, func(list []any) []any {
		for _, e := range entries {
			list = without(list, e["owner"].(string), e["typeUrn"].(string))
			list = append(list, e)
		}
		return list
	})
}

// Remove takes owners off all targets: of one type when that is given, of all
// types otherwise.
func (s *Service) Remove(ctx context.Context, owners []string, typeURN string, targets []Target) error {
	urns, err := s.edit.ParseAll("ownerUrns", owners, "corpuser", "corpGroup")
	if err != nil {
		return err
	}
	if typeURN != "" {
		if _, err := s.edit.Parse("ownershipTypeUrn", typeURN, typeEntity); err != nil {
			return err
		}
	}
	return s.change(ctx, targets, false, func(list []any) []any {
		for _, u := range urns {
			list = without(list, string(u), typeURN)
		}
		return list
	})
}

// Replace makes owners the only ones of an entity.
func (s *Service) Replace(ctx context.Context, u urn.URN, owners []Owner) error {
	if err := s.edit.Privileges.Allow(ctx, u, auth.EditOwners, auth.EditEntity); err != nil {
		return err
	}
	list := make([]any, 0, len(owners))
	for _, o := range owners {
		entry, err := s.entry(ctx, o, false)
		if err != nil {
			return err
		}
		list = append(list, entry)
	}
	_, err := s.edit.Apply(ctx, edit.Set(u, aspect, jsontree.Object{"owners": list, "lastModified": s.edit.Stamp(ctx)}))
	return err
}

// Check is an error when an owner could not be added.
func (s *Service) Check(ctx context.Context, o Owner) error {
	_, err := s.entry(ctx, o, true)
	return err
}

// Aspect is the ownership of something that is created with owners.
func (s *Service) Aspect(ctx context.Context, owners []Owner) (jsontree.Object, error) {
	list := make([]any, 0, len(owners))
	for _, o := range owners {
		entry, err := s.entry(ctx, o, true)
		if err != nil {
			return nil, err
		}
		list = append(list, entry)
	}
	return jsontree.Object{"owners": list, "lastModified": s.edit.Stamp(ctx)}, nil
}

// entry is an owner as the aspect holds it.
func (s *Service) entry(ctx context.Context, o Owner, mustExist bool) (jsontree.Object, error) {
	u, err := s.edit.Parse("ownerUrn", o.URN, "corpuser", "corpGroup")
	if err != nil {
		return nil, err
	}
	if kinds := map[string]string{"CORP_USER": "corpuser", "CORP_GROUP": "corpGroup"}; o.Kind != "" && kinds[o.Kind] != u.Type() {
		return nil, fault.New(fault.Malformed, "ownerEntityType: %s is no %s", u, o.Kind)
	}
	typeURN := urn.URN(o.TypeURN)
	switch {
	case o.TypeURN != "":
		if typeURN, err = s.edit.Parse("ownershipTypeUrn", o.TypeURN, typeEntity); err != nil {
			return nil, err
		}
	case o.Type != "":
		typeURN = urn.Make(typeEntity, systemPrefix+strings.ToLower(o.Type))
	default:
		return nil, fault.New(fault.Malformed, "one of type and ownershipTypeUrn is required")
	}
	if mustExist {
		if err := s.edit.MustExist(ctx, "owner", u); err != nil {
			return nil, err
		}
		if err := s.edit.MustExist(ctx, "ownership type", typeURN); err != nil {
			return nil, err
		}
	}
	return jsontree.Object{"owner": string(u), "type": word(typeURN), "typeUrn": string(typeURN), "source": jsontree.Object{"type": "MANUAL"}}, nil
}

// words are the older words for types; others are CUSTOM.
var words = map[string]bool{
	"TECHNICAL_OWNER": true, "BUSINESS_OWNER": true, "DATA_STEWARD": true, "NONE": true, "DEVELOPER": true, "DATAOWNER": true,
	"DELEGATE": true, "PRODUCER": true, "CONSUMER": true, "STAKEHOLDER": true,
}

func word(typeURN urn.URN) string {
	if w := strings.ToUpper(strings.TrimPrefix(typeURN.Key(), systemPrefix)); strings.HasPrefix(typeURN.Key(), systemPrefix) && words[w] {
		return w
	}
	return "CUSTOM"
}

// without leaves out the entries of an owner, of one type or of all.
func without(list []any, owner, typeURN string) []any {
	out := list[:0:0]
	for _, e := range list {
		o, _ := e.(jsontree.Object)
		if o["owner"] == owner && (typeURN == "" || typeOf(o) == typeURN) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// typeOf is the type of an entry; older ones say it by a word.
func typeOf(entry jsontree.Object) string {
	if t, _ := entry["typeUrn"].(string); t != "" {
		return t
	}
	w, _ := entry["type"].(string)
	return string(urn.Make(typeEntity, systemPrefix+strings.ToLower(w)))
}

func (s *Service) change(ctx context.Context, targets []Target, adding bool, apply func([]any) []any) error {
	if len(targets) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	changes := make([]edit.Change, 0, len(targets))
	for _, t := range targets {
		if t.Column != "" {
			return fault.New(fault.Malformed, "subResource: columns have no owners")
		}
		u, err := s.edit.Parse("resourceUrn", t.URN)
		if err != nil {
			return err
		}
		if err := s.edit.Privileges.Allow(ctx, u, auth.EditOwners, auth.EditEntity); err != nil {
			return err
		}
		if adding {
			if err := s.edit.MustExist(ctx, "resource", u); err != nil {
				return err
			}
		}
		changes = append(changes, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			list, _ := value["owners"].([]any)
			if value == nil {
				if !adding {
					return nil, nil
				}
				value = jsontree.Object{}
			}
			value["owners"] = apply(append([]any{}, list...))
			value["lastModified"] = s.edit.Stamp(ctx)
			return value, nil
		}})
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := s.edit.Apply(ctx, changes...)
	return err
}
