package run

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// WriteStatus is the state of a traced write.
type WriteStatus string

const (
	StatusActive   WriteStatus = "ACTIVE_STATE"
	StatusHistoric WriteStatus = "HISTORIC_STATE"
	StatusNoOp     WriteStatus = "NO_OP"
	StatusUnknown  WriteStatus = "UNKNOWN"
	StatusError    WriteStatus = "ERROR"
)

// Trace tells for each asked aspect what became of the write with the trace id;
// an empty list asks for all stored aspects of the entity. Since a write is
// answered when it is stored, nothing is ever pending.
func (s *Service) Trace(ctx context.Context, traceID string, asked map[urn.URN][]string) (map[urn.URN]map[string]WriteStatus, error) {
	out := make(map[urn.URN]map[string]WriteStatus, len(asked))
	for u, names := range asked {
		_, entity, err := s.registry.Resolve(string(u))
		if err != nil {
			return nil, err
		}
		if err := s.kernel.MayRead(ctx, u, ""); err != nil {
			return nil, err
		}
		if out[u], err = s.traceEntity(ctx, traceID, u, entity, names); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Service) traceEntity(ctx context.Context, traceID string, u urn.URN, entity *model.EntitySpec, names []string) (map[string]WriteStatus, error) {
	stored, err := s.store.Aspects(ctx, []urn.URN{u})
	if err != nil {
		return nil, err
	}
	latest := map[string]*model.Record{}
	for i := range stored[0] {
		latest[stored[0][i].Aspect] = &stored[0][i]
	}
	if len(names) == 0 {
		for name := range latest {
			if spec, ok := entity.Aspect(name); ok && !spec.Secret {
				names = append(names, name)
			}
		}
	}
	out := make(map[string]WriteStatus, len(names))
	for _, name := range names {
		spec, ok := entity.AspectFold(name)
		switch {
		case !ok || spec.Secret:
			out[name] = StatusError
		case spec.Timeseries:
			out[name], err = s.traceDocument(ctx, traceID, u, entity, spec)
		default:
			out[name], err = s.traceAspect(ctx, traceID, latest[spec.Name], store.Key{URN: u, Aspect: spec.Name})
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// traceAspect compares with the trace ids of the latest and of former versions.
func (s *Service) traceAspect(ctx context.Context, traceID string, latest *model.Record, key store.Key) (WriteStatus, error) {
	if latest == nil {
		return StatusError, nil
	}
	if latest.System.Properties[model.PropertyTraceID] == traceID {
		if latest.System.Properties[model.PropertyNoOp] == "true" {
			return StatusNoOp, nil
		}
		return StatusActive, nil
	}
	rows, err := s.store.Rows(ctx, key)
	if err != nil {
		return "", err
	}
	for _, n := range rows {
		rec, err := s.store.Row(ctx, key, n)
		if err != nil {
			return "", err
		}
		if rec != nil && rec.System.Properties[model.PropertyTraceID] == traceID {
			return StatusHistoric, nil
		}
	}
	// Trace ids begin with their time: a later writer may have written the same value,
	// or history may have been trimmed.
	if stored := latest.System.Properties[model.PropertyTraceID]; stored > traceID {
		return StatusHistoric, nil
	}
	return StatusUnknown, nil
}

// traceDocument looks for a document the traced write appended.
func (s *Service) traceDocument(ctx context.Context, traceID string, u urn.URN, entity *model.EntitySpec, spec *model.AspectSpec) (WriteStatus, error) {
	const newest = 1000
	docs, err := s.kernel.Documents.Find(ctx, timeseries.IndexName(entity.Name, spec.Name), timeseries.Query{URNs: []urn.URN{u}, Limit: newest})
	if err != nil {
		return "", err
	}
	for _, doc := range docs {
		if doc.System.Properties[model.PropertyTraceID] == traceID {
			return StatusActive, nil
		}
	}
	return StatusUnknown, nil
}
