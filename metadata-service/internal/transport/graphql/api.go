package graphql

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// api holds the dependencies of operations and computed fields.
type api struct {
	Config
	now    func() time.Time
	log    *slog.Logger
	schema *ast.Schema
}

// hasOperation reports whether the schema has a query or mutation of this name.
func (a *api) hasOperation(operation string) bool {
	return a.schema.Query.Fields.ForName(operation) != nil || a.schema.Mutation.Fields.ForName(operation) != nil
}

// Aliases that keep the signatures of computed fields readable.
type (
	loader = gqltype.Loader
	place  = gqltype.Place
	set    = selection.Set
)

var (
	_ gqltype.Computed = (*api)(nil)
	_ gqltype.Reader   = (*api)(nil)
)

// Read implements gqltype.Reader. The result is nil for a URN that is invalid in the model or of
// another entity type.
func (a *api) Read(ctx context.Context, entityType string, urns []urn.URN, aspects []string) ([]*gqltype.Stored, error) {
	spec, ok := a.Registry.Entity(entityType)
	if !ok {
		return nil, fmt.Errorf("no entity type %s", entityType)
	}
	known := make([]urn.URN, 0, len(urns))
	out := make([]*gqltype.Stored, len(urns))
	for i, u := range urns {
		// A reference may be well-formed and yet no valid URN of the model.
		if _, of, err := a.Registry.Resolve(string(u)); err == nil && of.Name == spec.Name {
			known = append(known, u)
			// For an entity that the actor may not read, only the parts of its URN are shown.
			out[i] = &gqltype.Stored{URN: u, Aspects: map[string]jsontree.Object{of.Key.Name: of.KeyValue(u)}}
		}
	}
	found, err := a.entities(ctx, catalog.EntityQuery{Aspects: append([]string{spec.Key.Name}, aspects...), AlwaysKey: true, Disclosure: catalog.Located}, known...)
	if err != nil {
		return nil, err
	}
	for i, u := range urns {
		if len(found) > 0 && found[0].URN == u {
			if out[i], err = storedEntity(found[0]); err != nil {
				return nil, err
			}
			found = found[1:]
		}
	}
	return out, nil
}

func storedEntity(e catalog.Entity) (*gqltype.Stored, error) {
	s := &gqltype.Stored{URN: e.URN, Exists: e.Exists, Aspects: make(map[string]jsontree.Object, len(e.Aspects)), Written: make(map[string]gqltype.Written, len(e.Aspects))}
	for _, a := range e.Aspects {
		value, err := jsontree.DecodeObject(a.Value)
		if err != nil {
			return nil, fmt.Errorf("decode %s of %s: %w", a.Spec.Name, e.URN, err)
		}
		s.Aspects[a.Spec.Name] = value
		s.Written[a.Spec.Name] = writtenStamps(a)
	}
	return s, nil
}

// writtenStamps returns the stamps of the first and of the last write of an aspect.
func writtenStamps(a catalog.Aspect) gqltype.Written {
	w := gqltype.Written{First: model.AuditStamp{Time: a.CreatedOn, Actor: a.CreatedBy}, Last: a.CreatedOn}
	if stamp := a.System.AspectCreated; stamp != nil {
		w.First = *stamp
	}
	return w
}

// build builds values and loads the entities they refer to. It charges the size of the result to
// the budgets of the request.
func build[T any](ctx context.Context, a *api, of func(*loader) T) (T, error) {
	l := gqltype.NewLoader(a, a)
	out := of(l)
	if err := l.Load(ctx); err != nil {
		var none T
		return none, err
	}
	return out, chargeResponse(ctx, out)
}

// aspect reads an aspect of an entity. It returns nil when the aspect is absent or the actor may
// not read it.
func (a *api) aspect(ctx context.Context, u urn.URN, name string) (jsontree.Object, error) {
	entities, err := a.entities(ctx, catalog.EntityQuery{Aspects: []string{name}}, u)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	found, ok := entities[0].Find(name)
	if !ok {
		return nil, nil
	}
	return jsontree.DecodeObject(found.Value)
}

// actor returns the URN of the actor, empty for an anonymous request.
func actor(ctx context.Context) urn.URN {
	who, _ := auth.ActorFrom(ctx)
	return who.URN
}

// urnArgument parses the URN in an argument. The error is fault.Malformed and begins with the
// name of the argument.
func (a *api) urnArgument(name, text string) (urn.URN, error) {
	u, _, err := a.Registry.Resolve(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "%s: %s", name, fault.Message(err))
	}
	return u, nil
}

// entityURN parses the URN in an argument, which must be of one of the given entity types.
func (a *api) entityURN(name, text string, types ...string) (urn.URN, error) {
	u, err := a.urnArgument(name, text)
	if err != nil {
		return "", err
	}
	for _, t := range types {
		if u.Type() == t {
			return u, nil
		}
	}
	return "", fault.New(fault.Malformed, "%s: %s is no URN of a %s", name, u, types[0])
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func valueOr[T any](p *T, v T) T {
	if p != nil {
		return *p
	}
	return v
}

func ptr[T any](v T) *T { return &v }

// nilIfZero returns nil for the zero value.
func nilIfZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// page validates the offset and the size of a page. defaultSize applies without a count; sizes
// above maxCount are reduced to it.
func page(start, count *int32, defaultSize int) (from, size int, err error) {
	from, size = int(value(start)), int(valueOr(count, int32(defaultSize)))
	switch {
	case from < 0:
		return 0, 0, fault.New(fault.Malformed, "start: must not be negative, is %d", from)
	case size < 0:
		return 0, 0, fault.New(fault.Malformed, "count: must not be negative, is %d", size)
	}
	return from, min(size, maxCount), nil
}

// maxCount is the largest number of entries of one page.
const maxCount = 10_000

// pageOf returns one page of a complete list.
func pageOf[T any](all []T, from, size int) []T {
	from = min(from, len(all))
	return all[from:min(from+size, len(all))]
}
