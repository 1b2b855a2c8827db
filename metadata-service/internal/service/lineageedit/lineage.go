// Package lineageedit adds and removes lineage manually.
//
// Lineage is derived from aspects. The types of the two entities determine the aspect with the
// edge: that of the downstream entity, except for outputs of jobs. Manual edges are marked, so that
// ingestion can distinguish them from its own.
package lineageedit

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Edge states that Downstream is derived from Upstream.
type Edge struct{ Downstream, Upstream string }

// Service edits lineage. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Update adds and removes edges, all or none. An edge in both lists is added. It requires
// auth.EditLineage on all ends, which must exist.
func (s *Service) Update(ctx context.Context, add, remove []Edge) error {
	if len(add)+len(remove) > edit.MaxTargets {
		return fault.New(fault.TooLarge, "edges: %d entries, at most %d are allowed", len(add)+len(remove), edit.MaxTargets)
	}
	removals, err := s.parse("edgesToRemove", remove)
	if err != nil {
		return err
	}
	additions, err := s.parse("edgesToAdd", add)
	if err != nil {
		return err
	}
	all := append(append([]edge{}, removals...), additions...)
	decided, err := s.checkEnds(ctx, all)
	if err != nil || len(all) == 0 {
		return err
	}
	changes := make([]edit.Change, 0, len(all))
	for i, e := range all {
		change := e.remove
		if i >= len(removals) {
			stamp := s.edit.Stamp(ctx)
			change = func(value jsontree.Object) { e.add(value, stamp) }
		}
		changes = append(changes, s.change(ctx, e, i >= len(removals), change))
	}
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

func (s *Service) parse(name string, list []Edge) ([]edge, error) {
	out := make([]edge, 0, len(list))
	for _, e := range list {
		down, err := s.edit.Parse(name+".downstreamUrn", e.Downstream)
		if err != nil {
			return nil, err
		}
		up, err := s.edit.Parse(name+".upstreamUrn", e.Upstream)
		if err != nil {
			return nil, err
		}
		if down == up {
			return nil, fault.New(fault.Malformed, "%s: %s cannot be made from itself", name, down)
		}
		at, ok := placeOf(up.Type(), down.Type())
		if !ok {
			return nil, fault.New(fault.Malformed, "%s: a %s is never made from a %s (%s, %s)", name, down.Type(), up.Type(), down, up)
		}
		out = append(out, at.between(up, down))
	}
	return out, nil
}

// checkEnds decides the privilege on every end, and then checks that it exists.
func (s *Service) checkEnds(ctx context.Context, edges []edge) (auth.Decisions, error) {
	var ends []urn.URN
	seen := map[urn.URN]bool{}
	for _, e := range edges {
		for _, u := range []urn.URN{e.holder, e.other} {
			if !seen[u] {
				seen[u] = true
				ends = append(ends, u)
			}
		}
	}
	decided, err := s.edit.RequireEach(ctx, ends, auth.EditLineage, auth.EditEntity)
	if err != nil {
		return nil, err
	}
	return decided, s.edit.MustExist(ctx, "entity", ends...)
}

// change applies a change to the aspect with an edge. Removals from an absent aspect do nothing.
func (s *Service) change(ctx context.Context, e edge, adding bool, apply func(value jsontree.Object)) edit.Change {
	return edit.Change{URN: e.holder, Aspect: e.aspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			if !adding {
				return nil, nil
			}
			value = e.base(e.holder, s.edit.Stamp(ctx))
		}
		apply(value)
		return value, nil
	}}
}
