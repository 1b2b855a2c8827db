// Package seriessink fills the time-series indices from the change log, in which the kernel logs
// appended and erased documents.
package seriessink

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Sink fills the time-series indices from the change log.
type Sink struct {
	indices timeseries.Store
	specs   map[string]timeseries.Spec // by aspect
}

// New returns a Sink for all time-series aspects of the registry.
func New(registry *model.Registry, indices timeseries.Store) *Sink {
	s := &Sink{indices: indices, specs: map[string]timeseries.Spec{}}
	for _, a := range registry.Aspects() {
		if a.Timeseries {
			s.specs[a.Name] = documentSpec(a)
		}
	}
	return s
}

func documentSpec(a *model.AspectSpec) timeseries.Spec {
	spec := timeseries.Spec{Stats: documentStats(a.Stats)}
	for _, c := range a.Collections {
		spec.Collections = append(spec.Collections, timeseries.Collection{Path: c.Path, Name: c.Name, Key: c.Key, Stats: documentStats(c.Stats)})
	}
	return spec
}

func documentStats(stats []model.Stat) []timeseries.Stat {
	out := make([]timeseries.Stat, len(stats))
	for i, s := range stats {
		out[i] = timeseries.Stat{Path: s.Path, Name: s.Name, Type: s.Type, Agg: s.Aggregation}
	}
	return out
}

// Name implements projection.Sink.
func (s *Sink) Name() string { return "timeseries" }

// Durable implements projection.Sink: the indices are files.
func (s *Sink) Durable() bool { return true }

// Concerns implements projection.SelectiveSink.
func (s *Sink) Concerns(kind store.EntryKind) bool {
	return kind == store.Document || kind == store.DocumentsErased
}

// Apply implements projection.Sink. It applies the entries of each index as one batch.
func (s *Sink) Apply(ctx context.Context, entries []store.Entry) error {
	pages := map[string]*page{}
	var order []string
	for _, e := range entries {
		if !s.Concerns(e.Kind) {
			continue
		}
		index, next, err := s.step(e)
		if err != nil {
			return fmt.Errorf("entry %d: %w", e.Sequence, err)
		}
		p := pages[index]
		if p == nil {
			p = &page{spec: s.specs[e.Aspect], elements: map[string][]string{}}
			pages[index] = p
			order = append(order, index)
		}
		p.steps = append(p.steps, next)
		p.sequence = e.Sequence
	}
	for _, index := range order {
		p := pages[index]
		if err := p.readElements(ctx, s.indices, index); err != nil {
			return fmt.Errorf("index %s: %w", index, err)
		}
		if err := s.indices.Apply(ctx, index, timeseries.Batch{Sequence: p.sequence, Ops: p.ops()}); err != nil {
			return fmt.Errorf("index %s: %w", index, err)
		}
	}
	return nil
}

// step returns the effect of an entry and the index that it changes.
func (s *Sink) step(e store.Entry) (index string, next step, err error) {
	if e.Kind == store.DocumentsErased {
		var erasure catalog.LoggedErasure
		if err := json.Unmarshal(e.Value, &erasure); err != nil {
			return "", step{}, err
		}
		q := &timeseries.Query{From: erasure.From, To: erasure.To, RunID: erasure.RunID, IDs: erasure.IDs, Limit: erasure.Limit}
		if erasure.EntityType == "" {
			q.URNs = []urn.URN{e.URN}
		}
		return timeseries.IndexName(erasure.Type(e.URN), e.Aspect), step{erase: q}, nil
	}
	var logged catalog.LoggedDocument
	if err := json.Unmarshal(e.Value, &logged); err != nil {
		return "", step{}, err
	}
	docs, err := timeseries.Explode(s.specs[e.Aspect], e.URN, logged.Value, logged.System)
	return timeseries.IndexName(e.URN.Type(), e.Aspect), step{docs: docs}, err
}
