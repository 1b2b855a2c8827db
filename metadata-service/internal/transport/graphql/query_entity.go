package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxURNs bounds the number of entities that one call reads.
const maxURNs = 1000

// readEntity reads one entity. It returns a value for every URN of the types, even if the entity
// was never written.
func readEntity[T any](ctx context.Context, a *api, operation, text string, types []string, of func(*loader, urn.URN, *set) *T) (*T, error) {
	u, err := a.entityURN("urn", text, types...)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *T { return of(l, u, selectionOf(ctx, operation)) })
}

// readExisting reads one entity of a type for which clients expect null when it does not exist.
// It returns nil, too, when the actor may not read the entity.
func readExisting[T any](ctx context.Context, a *api, operation, text string, types []string, of func(*loader, urn.URN, *set) *T) (*T, error) {
	u, err := a.entityURN("urn", text, types...)
	if err != nil {
		return nil, err
	}
	there, err := a.Edit.Exists(ctx, u)
	if err != nil {
		return nil, err
	}
	readable, err := a.Catalog.MayReadEach(ctx, []urn.URN{u}, "")
	if err != nil || !there || !readable[0] {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *T { return of(l, u, selectionOf(ctx, operation)) })
}

// Entity reads an entity of any type.
func (q *query) Entity(ctx context.Context, args gqltype.EntityArgs) (*gqltype.Entity, error) {
	u, err := q.api.anyURN("urn", args.Urn)
	if err != nil {
		return nil, err
	}
	return build(ctx, q.api, func(l *loader) *gqltype.Entity { return entityOrRestricted(l, u, selectionOf(ctx, "entity")) })
}

// Entities reads entities in the order of urns, with one slot for each. With checkForExistence,
// entities that do not exist are left out.
func (q *query) Entities(ctx context.Context, args gqltype.EntitiesArgs) (*[]*gqltype.Entity, error) {
	if len(args.Urns) > maxURNs {
		return nil, fault.New(fault.TooLarge, "urns: %d entries, at most %d are allowed", len(args.Urns), maxURNs)
	}
	urns := make([]urn.URN, 0, len(args.Urns))
	for _, text := range args.Urns {
		u, err := q.api.anyURN("urns", text)
		if err != nil {
			return nil, err
		}
		urns = append(urns, u)
	}
	if value(args.CheckForExistence) {
		var err error
		if urns, err = q.api.existingOnly(ctx, urns); err != nil {
			return nil, err
		}
	}
	want := selectionOf(ctx, "entities")
	return build(ctx, q.api, func(l *loader) *[]*gqltype.Entity {
		out := make([]*gqltype.Entity, 0, len(urns))
		for _, u := range urns {
			out = append(out, entityOrRestricted(l, u, want))
		}
		return &out
	})
}

// anyURN parses a URN of any type, including types that the model does not have.
func (a *api) anyURN(name, text string) (urn.URN, error) {
	if isRestricted(text) {
		return urn.URN(text), a.Discover.CheckRestricted(urn.URN(text))
	}
	u, err := urn.Parse(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "%s: %s", name, err)
	}
	if _, known := a.Registry.Entity(u.Type()); known {
		return a.urnArgument(name, text)
	}
	return u, nil
}

// existingOnly returns the URNs of entities that were written.
func (a *api) existingOnly(ctx context.Context, urns []urn.URN) ([]urn.URN, error) {
	known := make([]urn.URN, 0, len(urns))
	for _, u := range urns {
		if _, _, err := a.Registry.Resolve(string(u)); err == nil {
			known = append(known, u)
		}
	}
	if err := charge(ctx, len(known)); err != nil {
		return nil, err
	}
	there, err := a.Catalog.Exists(ctx, known, true)
	if err != nil {
		return nil, err
	}
	out := known[:0]
	for i, u := range known {
		if there[i] {
			out = append(out, u)
		}
	}
	return out, nil
}

// EntityExists reports whether an entity was ever written. It requires the privilege to learn
// about its existence.
func (q *query) EntityExists(ctx context.Context, args gqltype.EntityExistsArgs) (*bool, error) {
	u, err := q.api.urnArgument("urn", args.Urn)
	if err != nil {
		return nil, err
	}
	there, err := q.api.Catalog.Exists(ctx, []urn.URN{u}, true)
	if err != nil {
		return nil, err
	}
	return &there[0], nil
}
