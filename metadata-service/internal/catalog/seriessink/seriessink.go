// Package seriessink fills the time-series indices from the change log, in which the
// kernel logs the documents that are appended and erased.
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

// New makes the sink.
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

// Apply implements projection.Sink. The entries of each index become one batch.
func (s *Sink) Apply(ctx context.Context, entries []store.Entry) error {
	batches := map[string]*timeseries.Batch{}
	var order []string
	for _, e := range entries {
		if e.Kind != store.Document && e.Kind != store.DocumentsErased {
			continue
		}
		index := timeseries.IndexName(e.URN.Type(), e.Aspect)
		b := batches[index]
		if b == nil {
			b = &timeseries.Batch{}
			batches[index] = b
			order = append(order, index)
		}
		if err := s.add(b, e); err != nil {
			return fmt.Errorf("entry %d: %w", e.Sequence, err)
		}
		b.Sequence = e.Sequence
	}
	for _, index := range order {
		if err := s.indices.Apply(ctx, index, *batches[index]); err != nil {
			return fmt.Errorf("index %s: %w", index, err)
		}
	}
	return nil
}

func (s *Sink) add(b *timeseries.Batch, e store.Entry) error {
	if e.Kind == store.DocumentsErased {
		var erasure catalog.LoggedErasure
		if err := json.Unmarshal(e.Value, &erasure); err != nil {
			return err
		}
		b.Ops = append(b.Ops, timeseries.Op{Erase: &timeseries.Query{
			URNs: []urn.URN{e.URN}, From: erasure.From, To: erasure.To, RunID: erasure.RunID, IDs: erasure.IDs,
		}})
		return nil
	}
	var logged catalog.LoggedDocument
	if err := json.Unmarshal(e.Value, &logged); err != nil {
		return err
	}
	docs, err := timeseries.Explode(s.specs[e.Aspect], e.URN, logged.Value, logged.System)
	if err != nil {
		return err
	}
	b.Ops = append(b.Ops, timeseries.Replace(s.specs[e.Aspect], docs)...)
	return nil
}
