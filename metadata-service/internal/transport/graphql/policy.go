package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ListPolicies lists policies, most recently updated first.
func (q *query) ListPolicies(ctx context.Context, args gqltype.ListPoliciesArgs) (*gqltype.ListPoliciesResult, error) {
	if err := q.api.Policies.MayManage(ctx); err != nil {
		return nil, err
	}
	in := args.Input
	found, err := q.api.list(ctx, policy.EntityType, in.Query, in.Start, in.Count, defaultListing, []search.Filter{allConditions(in.OrFilters)},
		search.Sort{Field: "lastUpdatedTimestamp", Descending: true})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listPolicies").Of("ListPoliciesResult")["policies"]
	policies, err := q.api.policies(ctx, found.urns, want)
	if err != nil {
		return nil, err
	}
	return &gqltype.ListPoliciesResult{Start: found.start, Count: found.size, Total: found.total, Policies: policies}, nil
}

// allConditions combines all conditions of a filter by AND, however they are grouped.
func allConditions(or *[]gqltype.AndFilterInput) search.Filter {
	var all []gqltype.FacetFilterInput
	for _, alternative := range value(or) {
		all = append(all, value(alternative.And)...)
	}
	return buildFilter(&all, nil)
}

// policies loads policies in the form that listings return. A policy that was deleted after the
// search is left out.
func (a *api) policies(ctx context.Context, urns []urn.URN, w *set) ([]*gqltype.Policy, error) {
	out := make([]*gqltype.Policy, 0, len(urns))
	if w == nil || len(urns) == 0 {
		return out, nil
	}
	found, err := a.entities(ctx, catalog.EntityQuery{Aspects: []string{policy.Info}}, urns...)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) []*gqltype.Policy {
		for _, e := range found {
			info, ok := e.Find(policy.Info)
			if !ok {
				continue
			}
			if info, err := jsontree.DecodeObject(info.Value); err == nil {
				out = append(out, l.ToPolicy(ctx, place{URN: e.URN, Type: "DATAHUB_POLICY"}, info, w))
			}
		}
		return out
	})
}

// grantedRefusal is the message that clients compare for equality.
const grantedRefusal = "Unauthorized to get privileges for the given author."

// GetGrantedPrivileges lists the privileges that policies grant an actor.
func (q *query) GetGrantedPrivileges(ctx context.Context, args gqltype.GetGrantedPrivilegesArgs) (*gqltype.Privileges, error) {
	in := args.Input
	actor, err := q.api.entityURN("actorUrn", in.ActorUrn, account.EntityType)
	if err != nil {
		return nil, err
	}
	request := access.GrantedQuery{Actor: actor, Details: in.IncludeEvaluationDetails}
	if spec := in.ResourceSpec; spec != nil {
		if request.Resource, err = q.api.urnArgument("resourceSpec.resourceUrn", spec.ResourceUrn); err != nil {
			return nil, err
		}
	}
	granted, others, err := q.api.Access.Granted(ctx, request)
	if err != nil {
		return nil, withMessage(err, grantedRefusal)
	}
	out := &gqltype.Privileges{Privileges: make([]string, len(granted))}
	for i, p := range granted {
		out.Privileges[i] = string(p)
	}
	if others != nil {
		details := make([]*gqltype.PolicyEvaluationDetail, len(others))
		for i, v := range others {
			details[i] = &gqltype.PolicyEvaluationDetail{PolicyName: v.Name, Reason: v.Reason}
		}
		out.EvaluationDetails = &details
	}
	return out, nil
}

// CreatePolicy creates a policy and returns its URN.
func (m *mutation) CreatePolicy(ctx context.Context, args gqltype.CreatePolicyArgs) (*string, error) {
	u, err := m.api.Policies.Create(ctx, policyDraft(args.Input))
	if err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// UpdatePolicy replaces a policy and returns its URN.
func (m *mutation) UpdatePolicy(ctx context.Context, args gqltype.UpdatePolicyArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, policy.EntityType)
	if err != nil {
		return nil, err
	}
	if err := m.api.Policies.Update(ctx, u, policyDraft(args.Input)); err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

// DeletePolicy deletes a policy and returns its URN.
func (m *mutation) DeletePolicy(ctx context.Context, args gqltype.DeletePolicyArgs) (*string, error) {
	u, err := m.api.entityURN("urn", args.Urn, policy.EntityType)
	if err != nil {
		return nil, err
	}
	if err := m.api.Policies.Delete(ctx, u); err != nil {
		return nil, err
	}
	return ptr(string(u)), nil
}

func policyDraft(in gqltype.PolicyUpdateInput) policy.Draft {
	d := policy.Draft{
		Type: in.Type, Name: in.Name, State: in.State, Description: value(in.Description), Privileges: in.Privileges,
		Actors: policy.Actors{
			Users: in.Actors.Users, Groups: in.Actors.Groups, AllUsers: in.Actors.AllUsers, AllGroups: in.Actors.AllGroups,
			ResourceOwners: in.Actors.ResourceOwners, OwnershipTypes: in.Actors.ResourceOwnersTypes,
		},
	}
	if r := in.Resources; r != nil {
		d.Resources = &policy.Resources{
			Type: value(r.Type), URNs: r.Resources, All: r.AllResources, Filter: policyFilter(r.Filter), Constraints: policyFilter(r.PrivilegeConstraints),
		}
	}
	return d
}

func policyFilter(in *gqltype.PolicyMatchFilterInput) *policy.Filter {
	if in == nil {
		return nil
	}
	out := &policy.Filter{}
	if in.Criteria == nil {
		return out
	}
	criteria := make([]policy.Criterion, len(*in.Criteria))
	for i, c := range *in.Criteria {
		criteria[i] = policy.Criterion{Field: c.Field, Condition: c.Condition, Values: c.Values}
	}
	out.Criteria = &criteria
	return out
}
