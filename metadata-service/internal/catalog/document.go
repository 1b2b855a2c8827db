package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// loggedDocument is how a time-series document rides in the change log.
type loggedDocument struct {
	Value  json.RawMessage      `json:"value"`
	System model.SystemMetadata `json:"system"`
}

// loggedErasure is how a deletion of documents rides in the change log.
type loggedErasure struct {
	From  *int64   `json:"from,omitempty"`
	To    *int64   `json:"to,omitempty"`
	RunID string   `json:"runId,omitempty"`
	IDs   []string `json:"ids,omitempty"`
}

// document appends a time-series document: it goes into the log, from which the
// time-series index is filled before the writer gets its answer.
func (t *txn) document(it *item) error {
	if err := it.conditions.check(nil); err != nil {
		return err
	}
	system := it.system
	system.Properties = maps.Clone(system.Properties)
	if system.LastObserved == 0 {
		system.LastObserved = t.now
	}
	if system.RunID == "" {
		system.RunID = model.DefaultRunID
	}
	if system.SchemaVersion == 0 {
		system.SchemaVersion = it.spec.SchemaVersion
	}
	if t.options.TraceID != "" {
		system.Set(model.PropertyTraceID, t.options.TraceID)
	}
	logged, err := json.Marshal(loggedDocument{Value: it.text, System: system})
	if err != nil {
		return err
	}
	sequence, err := t.tx.Append(t.ctx, store.Entry{
		Kind: store.Document, URN: it.urn, Aspect: it.spec.Name, Actor: t.actor.URN, Time: t.now,
		RunID: system.RunID, TraceID: t.options.TraceID, Value: logged,
	})
	if err != nil {
		return err
	}
	t.report(it, Appended, &model.Record{
		URN: it.urn, Aspect: it.spec.Name, Value: it.text, CreatedOn: t.now, CreatedBy: t.actor.URN, System: system, Sequence: sequence,
	})
	return t.settle(&change{
		Change: rule.Change{URN: it.urn, Entity: it.entity, Aspect: it.spec, After: it.value}, rules: it.rules, text: it.text,
		system: it.system, depth: it.depth,
	})
}

// eraseDocuments logs the deletion of documents of one aspect of an entity.
func (t *txn) eraseDocuments(u urn.URN, aspect string, e loggedErasure, run string) error {
	logged, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.tx.Append(t.ctx, store.Entry{
		Kind: store.DocumentsErased, URN: u, Aspect: aspect, Actor: t.actor.URN, Time: t.now, RunID: run, TraceID: t.options.TraceID, Value: logged,
	})
	return err
}

// DocumentSink fills the time-series indices from the change log.
type DocumentSink struct {
	indices timeseries.Store
	specs   map[string]timeseries.Spec // by aspect
}

// NewDocumentSink makes the sink.
func NewDocumentSink(registry *model.Registry, indices timeseries.Store) *DocumentSink {
	s := &DocumentSink{indices: indices, specs: map[string]timeseries.Spec{}}
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
func (s *DocumentSink) Name() string { return "timeseries" }

// Durable implements projection.Sink: the indices are files.
func (s *DocumentSink) Durable() bool { return true }

// Apply implements projection.Sink. The entries of each index become one batch.
func (s *DocumentSink) Apply(ctx context.Context, entries []store.Entry) error {
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

func (s *DocumentSink) add(b *timeseries.Batch, e store.Entry) error {
	if e.Kind == store.DocumentsErased {
		var erasure loggedErasure
		if err := json.Unmarshal(e.Value, &erasure); err != nil {
			return err
		}
		b.Ops = append(b.Ops, timeseries.Op{Erase: &timeseries.Query{
			URNs: []urn.URN{e.URN}, From: erasure.From, To: erasure.To, RunID: erasure.RunID, IDs: erasure.IDs,
		}})
		return nil
	}
	var logged loggedDocument
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
