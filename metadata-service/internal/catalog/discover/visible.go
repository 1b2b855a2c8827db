package discover

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Views restrict searches. A personal one is its owner's business: it tells what
// somebody works on.
const (
	viewEntity = "dataHubView"
	globalView = "GLOBAL"
)

// visibleViews leaves personal views of others out of a search for some types;
// nil when there is nothing to leave out.
func (s *Service) visibleViews(ctx context.Context, types []string) (search.Filter, error) {
	var views, others bool
	for _, t := range types {
		views, others = views || t == viewEntity, others || t != viewEntity
	}
	if !views {
		return nil, nil
	}
	all, err := s.Catalog.SeesAllViews(ctx)
	if err != nil || all {
		return nil, err
	}
	actor, _ := auth.ActorFrom(ctx)
	isView := search.Criterion{Field: typeField, Values: []string{viewEntity}}
	filter := search.Filter{
		{isView, {Field: "type", Values: []string{globalView}}},
		{isView, {Field: "createdBy", Values: []string{string(actor.URN)}}},
	}
	if others {
		isView.Negated = true
		filter = append(filter, []search.Criterion{isView})
	}
	return filter, nil
}

// readableTypes keeps the entity types that the actor may read. When there is
// none the error is the refusal of the first.
func (s *Service) readableTypes(ctx context.Context, types []string) ([]string, error) {
	kept := make([]string, 0, len(types))
	var refused error
	for _, name := range types {
		err := s.Catalog.MayRead(ctx, urn.URN(urn.TypePrefix(name)), "")
		switch {
		case err == nil:
			kept = append(kept, name)
		case !errors.Is(err, fault.Forbidden):
			return nil, err
		case refused == nil:
			refused = err
		}
	}
	if len(kept) == 0 {
		return nil, refused
	}
	return kept, nil
}

// readableByType drops entities of types that the actor may not read, and
// personal views of others. The types asked about are remembered in known, so
// that many entities cost few questions.
func (s *Service) readableByType(ctx context.Context, urns []urn.URN, known map[string]bool) ([]urn.URN, error) {
	kept := urns[:0]
	for _, u := range urns {
		readable, asked := known[u.Type()]
		if !asked {
			_, err := s.readableTypes(ctx, []string{u.Type()})
			if err != nil && !errors.Is(err, fault.Forbidden) {
				return nil, err
			}
			readable = err == nil
			known[u.Type()] = readable
		}
		if !readable {
			continue
		}
		if u.Type() == viewEntity {
			err := s.Catalog.MayRead(ctx, u, "")
			if errors.Is(err, fault.Forbidden) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		kept = append(kept, u)
	}
	return kept, nil
}

// readable tells which entities the actor may read.
func (s *Service) readable(ctx context.Context, urns []urn.URN) ([]bool, error) {
	out := make([]bool, len(urns))
	for i, u := range urns {
		err := s.Catalog.MayRead(ctx, u, "")
		if err != nil && !errors.Is(err, fault.Forbidden) {
			return nil, err
		}
		out[i] = err == nil
	}
	return out, nil
}
