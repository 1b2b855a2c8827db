package event

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// discloser takes what view authorization hides from the actor out of the events that are told
// to it. It remembers what it has decided, so it serves one request.
type discloser struct {
	*Service
	hidden map[urn.URN]bool
}

func (s *Service) discloser() *discloser { return &discloser{s, map[urn.URN]bool{}} }

func (d *discloser) isHidden(u urn.URN) bool { return d.hidden[u] }

// decide finds out which of some URNs are hidden.
func (d *discloser) decide(ctx context.Context, named []urn.URN) error {
	var open []urn.URN
	for _, u := range named {
		if _, known := d.hidden[u]; !known {
			d.hidden[u] = false
			open = append(open, u)
		}
	}
	if len(open) == 0 {
		return nil
	}
	answers, err := d.cfg.Hidden(ctx, open)
	if err != nil {
		return err
	}
	for i, u := range open {
		d.hidden[u] = answers[i]
	}
	return nil
}

// changes are the changes that the entity change events of an entry tell, between values of the
// aspect without what is hidden, as timelines show them.
func (d *discloser) changes(ctx context.Context, e *store.Entry) ([]change, error) {
	r := &reading{Service: d.Service, withoutEdges: true}
	v, err := r.values(ctx, e)
	if err != nil {
		return nil, err
	}
	if v.before, err = d.value(ctx, v.spec, v.before); err != nil {
		return nil, err
	}
	if v.after, err = d.value(ctx, v.spec, v.after); err != nil {
		return nil, err
	}
	return r.changes(ctx, e, v)
}

func (d *discloser) value(ctx context.Context, spec *model.AspectSpec, value jsontree.Object) (jsontree.Object, error) {
	if value == nil {
		return nil, nil
	}
	var named []urn.URN
	redact.URNs(value, func(u urn.URN) { named = append(named, u) })
	if err := d.decide(ctx, named); err != nil {
		return nil, err
	}
	return redact.Omit(spec, value, d.isHidden), nil
}

// actor is who made a change, and the unknown actor in the place of one that is hidden.
func (d *discloser) actor(ctx context.Context, u urn.URN) (urn.URN, error) {
	if err := d.decide(ctx, []urn.URN{u}); err != nil || !d.hidden[u] {
		return u, err
	}
	return model.UnknownActor, nil
}
