package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// replacements converts the owners that replace all others.
func replacements(in gqltype.OwnershipUpdate) []owner.Owner {
	out := make([]owner.Owner, 0, len(in.Owners))
	for _, o := range in.Owners {
		out = append(out, owner.Owner{URN: o.Owner, Type: value(o.Type), TypeURN: value(o.OwnershipTypeUrn)})
	}
	return out
}

func additions(in []gqltype.OwnerInput) []owner.Owner {
	out := make([]owner.Owner, 0, len(in))
	for _, o := range in {
		out = append(out, owner.Owner{URN: o.OwnerUrn, Kind: o.OwnerEntityType, Type: value(o.Type), TypeURN: value(o.OwnershipTypeUrn)})
	}
	return out
}

func ownerTargets(resources []*gqltype.ResourceRefInput) []owner.Target {
	out := make([]owner.Target, 0, len(resources))
	for _, r := range dereference(resources) {
		out = append(out, owner.Target{URN: r.ResourceUrn, Column: value(r.SubResource)})
	}
	return out
}

// AddOwner adds an owner to an entity.
func (m *mutation) AddOwner(ctx context.Context, args gqltype.AddOwnerArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Owners.Add(ctx, []owner.Owner{{URN: in.OwnerUrn, Kind: in.OwnerEntityType, Type: value(in.Type), TypeURN: value(in.OwnershipTypeUrn)}},
		[]owner.Target{{URN: in.ResourceUrn}}))
}

// AddOwners adds owners to an entity.
func (m *mutation) AddOwners(ctx context.Context, args gqltype.AddOwnersArgs) (*bool, error) {
	return trueResult(m.api.Owners.Add(ctx, additions(args.Input.Owners), []owner.Target{{URN: args.Input.ResourceUrn}}))
}

// RemoveOwner removes an owner from an entity.
func (m *mutation) RemoveOwner(ctx context.Context, args gqltype.RemoveOwnerArgs) (*bool, error) {
	in := args.Input
	return trueResult(m.api.Owners.Remove(ctx, []string{in.OwnerUrn}, value(in.OwnershipTypeUrn), []owner.Target{{URN: in.ResourceUrn}}))
}

// BatchAddOwners adds owners to several entities.
func (m *mutation) BatchAddOwners(ctx context.Context, args gqltype.BatchAddOwnersArgs) (*bool, error) {
	owners := additions(args.Input.Owners)
	for i := range owners {
		if owners[i].Type == "" && owners[i].TypeURN == "" {
			owners[i].TypeURN = value(args.Input.OwnershipTypeUrn)
		}
	}
	return trueResult(m.api.Owners.Add(ctx, owners, ownerTargets(args.Input.Resources)))
}

// BatchRemoveOwners removes owners from several entities.
func (m *mutation) BatchRemoveOwners(ctx context.Context, args gqltype.BatchRemoveOwnersArgs) (*bool, error) {
	return trueResult(m.api.Owners.Remove(ctx, args.Input.OwnerUrns, value(args.Input.OwnershipTypeUrn), ownerTargets(args.Input.Resources)))
}
