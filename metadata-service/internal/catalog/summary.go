package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Summary is what the service itself adds up about an entity.
type Summary struct {
	Of    store.Key    // the aspect that holds it
	Value model.Object // nil when there is nothing to tell: the aspect goes
}

// Summarized counts what KeepSummaries did.
type Summarized struct{ Written, Removed int }

// KeepSummaries makes summaries the aspects of their entities, in one transaction, as the
// service itself and by the way of every change. What is stored already is not written again.
// An entity that is not there stays absent, and one that is soft-deleted keeps what it has.
// Who may have this done is the caller's question.
func (s *Service) KeepSummaries(ctx context.Context, list []Summary) (Summarized, error) {
	items, err := s.summaries(list)
	if err != nil {
		return Summarized{}, err
	}
	if items, err = s.different(ctx, items); err != nil || len(items) == 0 {
		return Summarized{}, err
	}
	ctx = auth.WithActor(ctx, auth.Actor{URN: model.SystemActor})
	var done Summarized
	err = s.transact(ctx, WriteOptions{}, func(t *txn) error {
		done = Summarized{}
		for i := range items {
			if err := t.keepSummary(&items[i], &done); err != nil {
				return fmt.Errorf("keep %s of %s: %w", items[i].key.Aspect, items[i].key.URN, err)
			}
		}
		return nil
	})
	if err != nil {
		return Summarized{}, err
	}
	return done, nil
}

// summary is a Summary in the form of the model.
type summary struct {
	key    store.Key
	entity *model.EntitySpec
	value  model.Object
	text   []byte // of value, canonical; nil when there is none
}

func (s *Service) summaries(list []Summary) ([]summary, error) {
	items := make([]summary, len(list))
	for i, one := range list {
		_, entity, err := s.Registry.Resolve(string(one.Of.URN))
		if err != nil {
			return nil, err
		}
		spec, ok := entity.Aspect(one.Of.Aspect)
		if !ok || spec.Timeseries {
			return nil, fault.New(fault.Malformed, "%s has no aspect %q that may hold a summary", entity.Name, one.Of.Aspect)
		}
		items[i] = summary{key: one.Of, entity: entity}
		if one.Value == nil {
			continue
		}
		if items[i].text, items[i].value, _, err = s.Registry.ConformText(spec, jsontree.Encode(one.Value)); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", spec.Name, one.Of.URN, err)
		}
	}
	return items, nil
}

// different picks the summaries that are not stored, so that no transaction is asked for
// the many that are.
func (s *Service) different(ctx context.Context, items []summary) ([]summary, error) {
	keys := make([]store.Key, len(items))
	for i := range items {
		keys[i] = items[i].key
	}
	stored, err := s.Latest(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var out []summary
	for i := range items {
		if !items[i].isStored(stored[i]) {
			out = append(out, items[i])
		}
	}
	return out, nil
}

func (y *summary) isStored(rec *model.Record) bool {
	if rec == nil || y.text == nil {
		return rec == nil && y.text == nil
	}
	return bytes.Equal(rec.Value, y.text)
}

func (t *txn) keepSummary(y *summary, done *Summarized) error {
	there, err := t.exists(y.key.URN)
	if err != nil || !there {
		return err
	}
	if removed, err := t.removed(y.key.URN); err != nil || removed {
		return err
	}
	old, err := t.rows.get(t.ctx, y.key)
	if err != nil || y.isStored(old) {
		return err
	}
	if y.text == nil {
		done.Removed++
		_, err := t.removeAspect(y.entity, y.key, model.SystemMetadata{})
		return err
	}
	c, err := t.newChange(y.entity, y.key, y.value)
	if err != nil {
		return err
	}
	c.text = y.text
	if err := t.ask(c); err != nil {
		if errors.Is(err, rule.ErrUnchanged) {
			return nil
		}
		return err
	}
	if err := t.encrypt(c); err != nil {
		return err
	}
	done.Written++
	_, err = t.carry(c)
	return err
}
