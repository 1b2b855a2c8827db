// Package owner stores the owners of entities.
//
// The URN of an owner and the URN of its ownership type together identify an entry: one user may
// own an entity in several ways.
package owner

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	aspect     = "ownership"
	typeEntity = "ownershipType"
	userType   = "corpuser"
	groupType  = "corpGroup"
)

// Owner is an owner to add.
type Owner struct {
	URN string
	// Kind is CORP_USER or CORP_GROUP and must match the URN; empty for either.
	Kind string
	// Type is the older name of the ownership type, TypeURN its URN; one of them is required.
	Type, TypeURN string
}

// Target is an entity that gets an owner. Column must be empty: columns have no owners.
type Target struct{ URN, Column string }

// Service stores owners. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// maxOwners is the maximum number of owners in one call.
const maxOwners = 100

// Add adds owners to all targets, or to none. Owners, their types and the targets must exist. It
// requires auth.EditOwners on each target.
func (s *Service) Add(ctx context.Context, owners []Owner, targets []Target) error {
	urns, decided, err := s.targets(ctx, targets)
	if err != nil {
		return err
	}
	entries, err := s.entries(ctx, owners, true)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	return s.change(ctx, decided, urns, func(list []any) []any {
		for _, e := range entries {
			list = append(withoutOwner(list, jsontree.Text(e, "owner"), string(model.OwnershipType(e))), e)
		}
		return list
	})
}

// Remove removes owners from all targets: those of one type if it is given, otherwise of all types.
// Neither owners nor targets need to exist. It requires auth.EditOwners on each target.
func (s *Service) Remove(ctx context.Context, owners []string, typeURN string, targets []Target) error {
	urns, decided, err := s.targets(ctx, targets)
	if err != nil {
		return err
	}
	if len(owners) > maxOwners {
		return tooMany(len(owners))
	}
	gone, err := s.edit.ParseAll("ownerUrn", owners, userType, groupType)
	if err != nil {
		return err
	}
	if typeURN != "" {
		if _, err := s.edit.Parse("ownershipTypeUrn", typeURN, typeEntity); err != nil {
			return err
		}
	}
	return s.change(ctx, decided, urns, func(list []any) []any {
		before := len(list)
		for _, u := range gone {
			list = withoutOwner(list, string(u), typeURN)
		}
		if len(list) == before {
			return nil
		}
		return list
	})
}

// Replace replaces all owners of an entity. Owners need not exist. It requires auth.EditOwners on
// the entity.
func (s *Service) Replace(ctx context.Context, u urn.URN, owners []Owner) error {
	change, decided, err := s.Replacement(ctx, u, owners)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, change)
	return err
}

// Replacement returns the change of Replace with its decision, for callers that write further
// changes with it.
func (s *Service) Replacement(ctx context.Context, u urn.URN, owners []Owner) (edit.Change, auth.Decisions, error) {
	decided, err := s.edit.RequireOver(ctx, u, auth.EditOwners, auth.EditEntity)
	if err != nil {
		return edit.Change{}, nil, err
	}
	entries, err := s.entries(ctx, owners, false)
	if err != nil {
		return edit.Change{}, nil, err
	}
	return edit.Set(u, aspect, s.value(ctx, entries)), decided, nil
}

// Check returns an error if an owner could not be added.
func (s *Service) Check(ctx context.Context, o Owner) error {
	_, err := s.entry(ctx, o, true)
	return err
}

// Aspect returns the ownership of a new entity. All owners must exist.
func (s *Service) Aspect(ctx context.Context, owners []Owner) (jsontree.Object, error) {
	entries, err := s.entries(ctx, owners, true)
	if err != nil {
		return nil, err
	}
	return s.value(ctx, entries), nil
}

// value returns the aspect with these owners, without duplicates.
func (s *Service) value(ctx context.Context, entries []jsontree.Object) jsontree.Object {
	list := []any{}
	for _, e := range entries {
		list = append(withoutOwner(list, jsontree.Text(e, "owner"), string(model.OwnershipType(e))), e)
	}
	return jsontree.Object{"owners": list, "lastModified": s.edit.Stamp(ctx)}
}

func (s *Service) entries(ctx context.Context, owners []Owner, mustExist bool) ([]jsontree.Object, error) {
	if len(owners) > maxOwners {
		return nil, tooMany(len(owners))
	}
	out := make([]jsontree.Object, 0, len(owners))
	for _, o := range owners {
		e, err := s.entry(ctx, o, mustExist)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func tooMany(n int) error {
	return fault.New(fault.TooLarge, "owners: %d entries, at most %d are allowed", n, maxOwners)
}

// entry returns an owner in the form of the aspect.
func (s *Service) entry(ctx context.Context, o Owner, mustExist bool) (jsontree.Object, error) {
	u, err := s.edit.Parse("ownerUrn", o.URN, userType, groupType)
	if err != nil {
		return nil, err
	}
	if o.Kind != "" && o.Kind != kindOf(u) {
		return nil, fault.New(fault.Malformed, "ownerEntityType: %s is no %s", u, o.Kind)
	}
	var typeURN urn.URN
	switch {
	case o.TypeURN != "":
		if typeURN, err = s.edit.Parse("ownershipTypeUrn", o.TypeURN, typeEntity); err != nil {
			return nil, err
		}
	case o.Type != "":
		typeURN = urn.Make(typeEntity, model.BuiltInOwnershipType+strings.ToLower(o.Type))
	default:
		return nil, fault.New(fault.Malformed, "one of type and ownershipTypeUrn is required")
	}
	if mustExist {
		if err := s.edit.MustBeShown(ctx, "owner", u); err != nil {
			return nil, err
		}
		if err := s.edit.MustBeShown(ctx, "ownership type", typeURN); err != nil {
			return nil, err
		}
	}
	return jsontree.Object{"owner": string(u), "type": olderName(typeURN), "typeUrn": string(typeURN), "source": jsontree.Object{"type": "MANUAL"}}, nil
}

func kindOf(u urn.URN) string {
	if u.Type() == groupType {
		return "CORP_GROUP"
	}
	return "CORP_USER"
}

// olderName returns the older name of a type, CUSTOM for types without one.
func olderName(typeURN urn.URN) string {
	name, ok := strings.CutPrefix(typeURN.Key(), model.BuiltInOwnershipType)
	if !ok {
		return "CUSTOM"
	}
	switch w := strings.ToUpper(name); w {
	case "TECHNICAL_OWNER", "BUSINESS_OWNER", "DATA_STEWARD", "NONE", "DEVELOPER", "DATAOWNER", "DELEGATE", "PRODUCER", "CONSUMER", "STAKEHOLDER":
		return w
	}
	return "CUSTOM"
}

// withoutOwner removes the entries of an owner, of one type or of all.
func withoutOwner(list []any, owner, typeURN string) []any {
	out := make([]any, 0, len(list)+1)
	for _, e := range list {
		o, _ := e.(jsontree.Object)
		if jsontree.Text(o, "owner") == owner && (typeURN == "" || string(model.OwnershipType(o)) == typeURN) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// targets parses targets and decides that the actor may change their owners.
func (s *Service) targets(ctx context.Context, targets []Target) ([]urn.URN, auth.Decisions, error) {
	if len(targets) > edit.MaxTargets {
		return nil, nil, fault.New(fault.TooLarge, "resources: %d entries, at most %d are allowed", len(targets), edit.MaxTargets)
	}
	urns := make([]urn.URN, 0, len(targets))
	for _, t := range targets {
		if t.Column != "" {
			return nil, nil, fault.New(fault.Malformed, "subResource: columns have no owners")
		}
		u, err := s.edit.Parse("resourceUrn", t.URN)
		if err != nil {
			return nil, nil, err
		}
		urns = append(urns, u)
	}
	decided, err := s.edit.RequireEach(ctx, urns, auth.EditOwners, auth.EditEntity)
	return urns, decided, err
}

// change applies a change to the list of owners of each target. A nil result leaves the list
// unchanged.
func (s *Service) change(ctx context.Context, decided auth.Decisions, urns []urn.URN, apply func([]any) []any) error {
	changes := make([]edit.Change, 0, len(urns))
	for _, u := range urns {
		changes = append(changes, edit.Change{URN: u, Aspect: aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			list, _ := value["owners"].([]any)
			next := apply(list)
			if next == nil {
				return nil, nil
			}
			if value == nil {
				value = jsontree.Object{}
			}
			value["owners"] = next
			value["lastModified"] = s.edit.Stamp(ctx)
			return value, nil
		}})
	}
	_, err := s.edit.Apply(ctx, decided, changes...)
	return err
}
