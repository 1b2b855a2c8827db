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

// Summary is a value that the service itself aggregates about an entity.
type Summary struct {
	Of    store.Key    // aspect that holds the summary
	Value model.Object // nil for an empty summary, which removes the aspect
}

// Summarized counts the changes of KeepSummaries.
type Summarized struct{ Written, Removed int }

// KeepSummaries stores summaries as aspects of their entities, in one transaction, as the system
// actor and with all rules. It does not write summaries that are already stored. It does not create
// absent entities and does not change soft-deleted ones. It checks no authorization; the caller
// must do so.
func (s *Service) KeepSummaries(ctx context.Context, list []Summary) (Summarized, error) {
	items, err := s.summaries(list)
	if err != nil {
		return Summarized{}, err
	}
	if items, err = s.changedSummaries(ctx, items); err != nil || len(items) == 0 {
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

// summary is a Summary conformed to the model.
type summary struct {
	key    store.Key
	entity *model.EntitySpec
	value  model.Object
	text   []byte // canonical text of value; nil if there is none
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

// changedSummaries returns the summaries that are not stored yet, so that unchanged ones cost no
// transaction.
func (s *Service) changedSummaries(ctx context.Context, items []summary) ([]summary, error) {
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
	if err := t.applyRules(c); err != nil {
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
