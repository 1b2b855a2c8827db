// Package policy stores access policies and lists the privileges that they can grant. Package
// auth/policy evaluates policies in requests; package rule validates them.
package policy

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of policies, and Info the aspect with the policy.
const (
	EntityType = "dataHubPolicy"
	Info       = "dataHubPolicyInfo"
)

// Draft is a policy as written by a user. It has no roles: an update keeps the roles of the stored
// policy.
type Draft struct {
	Type, Name, State, Description string
	Privileges                     []string
	Actors                         Actors
	Resources                      *Resources // nil for no limit
}

// Actors are the actors that get the privileges. The members are alternatives.
type Actors struct {
	Users, Groups                       *[]string
	AllUsers, AllGroups, ResourceOwners bool
	// OwnershipTypes restricts ResourceOwners; nil means any type, an empty list means none.
	OwnershipTypes *[]string
}

// Resources restrict a policy. Type, URNs and All are the older form of Filter.
type Resources struct {
	Type                string
	URNs                *[]string
	All                 *bool
	Filter, Constraints *Filter
}

// Filter matches a resource if all criteria match; nil criteria mean none.
type Filter struct{ Criteria *[]Criterion }

// Criterion compares a field of a resource with values.
type Criterion struct {
	Field, Condition string
	Values           []string
}

// Service stores policies. All changes require the privilege to manage them. It is safe for
// concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Managing returns the check of the privilege to manage policies: to change and delete any policy.
func Managing() auth.Check { return auth.ManageType(EntityType) }

// MayManage returns an error unless the actor may manage policies.
func (s *Service) MayManage(ctx context.Context) error {
	_, err := s.edit.Decide(ctx, Managing())
	return err
}

// Create stores a new policy with a random id. It applies from the next request on.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.Decide(ctx, Managing())
	if err != nil {
		return "", err
	}
	value, err := s.value(d)
	if err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Policy", EntityType, "")
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, Info, value))
	return u, err
}

// Update replaces a policy except for its roles, and creates it if it does not exist. It applies
// from the next request on.
func (s *Service) Update(ctx context.Context, u urn.URN, d Draft) error {
	decided, err := s.edit.Decide(ctx, Managing())
	if err != nil {
		return err
	}
	value, err := s.value(d)
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: Info, Apply: func(stored jsontree.Object) (jsontree.Object, error) {
		return keepRoles(value, stored), nil
	}})
	return err
}

// keepRoles copies the roles of a stored policy.
func keepRoles(value, stored jsontree.Object) jsontree.Object {
	roles := jsontree.Child(stored, "actors")["roles"]
	if roles == nil {
		return value
	}
	return jsontree.With(value, jsontree.Object{"actors": jsontree.With(jsontree.Child(value, "actors"), jsontree.Object{"roles": roles})})
}

// Delete deletes a policy permanently. A policy that does not exist is not an error.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.edit.Decide(ctx, Managing())
	if err != nil {
		return err
	}
	_, err = s.edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// value returns a draft in the form of the aspect.
func (s *Service) value(d Draft) (jsontree.Object, error) {
	if err := edit.NameAndDescription(&d.Name, &d.Description); err != nil {
		return nil, err
	}
	actors, err := s.actors(d.Actors)
	if err != nil {
		return nil, err
	}
	value := jsontree.Object{
		"type": d.Type, "displayName": d.Name, "state": d.State, "description": d.Description, "editable": true,
		"privileges": texts(d.Privileges), "actors": actors, "lastUpdatedTimestamp": jsontree.Number(s.edit.Now().UnixMilli()),
	}
	if d.Resources != nil {
		value["resources"] = d.Resources.value()
	}
	return value, nil
}

func (s *Service) actors(a Actors) (jsontree.Object, error) {
	value := jsontree.Object{"allUsers": a.AllUsers, "allGroups": a.AllGroups, "resourceOwners": a.ResourceOwners}
	for _, part := range []struct {
		name, entityType string
		urns             *[]string
	}{{"users", "corpuser", a.Users}, {"groups", "corpGroup", a.Groups}, {"resourceOwnersTypes", "ownershipType", a.OwnershipTypes}} {
		if part.urns == nil {
			continue
		}
		for _, text := range *part.urns {
			if _, err := s.edit.Parse("actors."+part.name, text, part.entityType); err != nil {
				return nil, err
			}
		}
		value[part.name] = texts(*part.urns)
	}
	return value, nil
}

func (r *Resources) value() jsontree.Object {
	value := jsontree.Object{}
	if r.Type != "" {
		value["type"] = r.Type
	}
	if r.URNs != nil {
		value["resources"] = texts(*r.URNs)
	}
	if r.All != nil {
		value["allResources"] = *r.All
	}
	for name, filter := range map[string]*Filter{"filter": r.Filter, "privilegeConstraints": r.Constraints} {
		if filter != nil {
			value[name] = filter.value()
		}
	}
	return value
}

func (f *Filter) value() jsontree.Object {
	criteria := []any{}
	if f.Criteria != nil {
		for _, c := range *f.Criteria {
			criteria = append(criteria, jsontree.Object{"field": c.Field, "values": texts(c.Values), "condition": c.Condition})
		}
	}
	return jsontree.Object{"criteria": criteria}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}
