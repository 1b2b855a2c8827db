package authtest

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Hiding is an authorizer that hides single entities from all actors but the system actor, and
// otherwise decides as Plain does.
type Hiding struct {
	Plain
	Hidden []urn.URN
}

// Decide refuses every check that names a hidden entity.
func (h Hiding) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	decisions, err := h.Plain.Decide(ctx, checks)
	actor, _ := auth.ActorFrom(ctx)
	for i := range decisions {
		if !actor.System && slices.ContainsFunc(checks[i].Entities, h.hides) {
			decisions[i] = auth.Refuse(actor.URN, checks[i], fault.New(fault.Forbidden, "%s is hidden", checks[i].Entities))
		}
	}
	return decisions, err
}

// Visible excludes the hidden entities.
func (h Hiding) Visible(_ context.Context, reading auth.Reading) (auth.Visibility, error) {
	values := make([]string, len(h.Hidden))
	for i, u := range h.Hidden {
		values[i] = string(u)
	}
	return auth.Visibility{
		Types:  reading.Types,
		Filter: search.Filter{{{Field: "urn", Values: values, Negated: true}}},
		Each: func(_ context.Context, urns []urn.URN) ([]bool, error) {
			out := make([]bool, len(urns))
			for i, u := range urns {
				out[i] = !h.hides(u)
			}
			return out, nil
		},
	}, nil
}

// ExcludesBy implements catalog.Authorizer: no policy excludes by URN.
func (h Hiding) ExcludesBy(context.Context, urn.URN) (bool, error) { return false, nil }

// Restricted implements catalog.Authorizer: it returns the types of the hidden entities.
func (h Hiding) Restricted(context.Context) ([]string, error) {
	var types []string
	for _, u := range h.Hidden {
		types = append(types, u.Type())
	}
	return types, nil
}

func (h Hiding) hides(u urn.URN) bool { return slices.Contains(h.Hidden, u) }
