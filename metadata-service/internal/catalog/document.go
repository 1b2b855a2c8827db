package catalog

import (
	"encoding/json"
	"maps"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// LoggedDocument is the value of a change log entry that appends a time-series document.
type LoggedDocument struct {
	Value  json.RawMessage      `json:"value"`
	System model.SystemMetadata `json:"system"`
}

// LoggedErasure is the value of a change log entry that deletes time-series documents.
type LoggedErasure struct {
	From  *int64   `json:"from,omitempty"`
	To    *int64   `json:"to,omitempty"`
	RunID string   `json:"runId,omitempty"`
	IDs   []string `json:"ids,omitempty"`
	// EntityType is set for a deletion from all entities of the type. The entry then names the
	// entity that represents the type.
	EntityType string `json:"entityType,omitempty"`
	// Limit bounds the number of plain documents deleted, oldest first; 0 means no bound.
	Limit int `json:"limit,omitempty"`
}

// Type is the entity type of the documents that an entry about u erases.
func (e *LoggedErasure) Type(u urn.URN) string {
	if e.EntityType != "" {
		return e.EntityType
	}
	return u.Type()
}

// document appends a time-series document to the log. The log fills the time-series index before
// the write is answered.
func (t *txn) document(it *item) error {
	if err := it.Conditions.Check(nil); err != nil {
		return err
	}
	system := it.System
	system.Properties = maps.Clone(system.Properties)
	if system.LastObserved == 0 {
		system.LastObserved = t.now
	}
	if system.RunID == "" {
		system.RunID = model.DefaultRunID
	}
	if system.SchemaVersion == 0 {
		system.SchemaVersion = it.Spec.SchemaVersion
	}
	if t.options.TraceID != "" {
		system.Set(model.PropertyTraceID, t.options.TraceID)
	}
	if source := t.source(); source != "" {
		system.Set(model.PropertySource, source)
	}
	logged, err := json.Marshal(LoggedDocument{Value: it.Text, System: system})
	if err != nil {
		return err
	}
	sequence, err := t.tx.Append(t.ctx, store.Entry{
		Kind: store.Document, URN: it.URN, Aspect: it.Spec.Name, Actor: t.actor.URN, Time: t.now,
		RunID: system.RunID, TraceID: t.options.TraceID, Value: logged,
	})
	if err != nil {
		return err
	}
	t.report(it, Appended, &model.Record{
		URN: it.URN, Aspect: it.Spec.Name, Value: it.Text, CreatedOn: t.now, CreatedBy: t.actor.URN, System: system, Sequence: sequence,
	})
	return t.settle(&change{
		Change: rule.Change{URN: it.URN, Entity: it.Entity, Aspect: it.Spec, After: it.Value}, rules: it.Rules, text: it.Text,
		system: it.System, depth: it.depth,
	})
}

// eraseDocuments logs the deletion of documents of one aspect of an entity.
func (t *txn) eraseDocuments(u urn.URN, aspect string, e LoggedErasure, run string) error {
	_, err := t.logErasure(u, aspect, e, run)
	return err
}

func (t *txn) logErasure(u urn.URN, aspect string, e LoggedErasure, run string) (sequence uint64, err error) {
	logged, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	return t.tx.Append(t.ctx, store.Entry{
		Kind: store.DocumentsErased, URN: u, Aspect: aspect, Actor: t.actor.URN, Time: t.now, RunID: run, TraceID: t.options.TraceID, Value: logged,
	})
}
