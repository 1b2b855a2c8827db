package run

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
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
	// StatusNotTraced is the state in a storage without trace IDs.
	StatusNotTraced WriteStatus = "TRACE_NOT_IMPLEMENTED"
)

// Traced is the state of a traced write in the primary storage and in the search index, which is
// updated before the write is answered. Message describes an error.
type Traced struct {
	Primary, Search WriteStatus
	Message         string
}

// Trace returns, for each requested aspect, the state of the write with the trace ID. An empty list
// requests all aspects of the entity that are stored or failed. No write is ever pending, because a
// write is answered after it is stored. It requires the right to read each entity.
func (s *Service) Trace(ctx context.Context, traceID string, asked map[urn.URN][]string) (map[urn.URN]map[string]Traced, error) {
	failures, err := s.failures(ctx, traceID)
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]map[string]Traced, len(asked))
	for u, names := range asked {
		_, entity, err := s.registry.Resolve(string(u))
		if err != nil {
			return nil, err
		}
		if err := s.kernel.MayRead(ctx, u, ""); err != nil {
			return nil, err
		}
		if out[u], err = s.traceEntity(ctx, traceID, u, entity, names, failures[u]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// failures returns the reasons why accepted writes of a request were not carried out, by entity and
// aspect. It keeps the first reason for each aspect.
func (s *Service) failures(ctx context.Context, traceID string) (map[urn.URN]map[string]string, error) {
	if s.kernel.Failures == nil {
		return nil, nil
	}
	noted, err := s.kernel.Failures.Of(ctx, traceID)
	if err != nil {
		return nil, err
	}
	reasons := map[urn.URN]map[string]string{}
	for _, f := range noted {
		if reasons[f.URN] == nil {
			reasons[f.URN] = map[string]string{}
		}
		if reasons[f.URN][f.Aspect] == "" {
			reasons[f.URN][f.Aspect] = f.Reason
		}
	}
	return reasons, nil
}

func (s *Service) traceEntity(ctx context.Context, traceID string, u urn.URN, entity *model.EntitySpec, names []string, reasons map[string]string) (map[string]Traced, error) {
	stored, err := s.store.Aspects(ctx, []urn.URN{u})
	if err != nil {
		return nil, err
	}
	latest := map[string]*model.Record{}
	for i := range stored[0] {
		latest[stored[0][i].Aspect] = &stored[0][i]
	}
	if len(names) == 0 {
		known := slices.AppendSeq(slices.Collect(maps.Keys(latest)), maps.Keys(reasons))
		slices.Sort(known)
		for _, name := range slices.Compact(known) {
			if spec, ok := entity.Aspect(name); ok && !spec.Confidential() {
				names = append(names, name)
			}
		}
	}
	out := make(map[string]Traced, len(names))
	for _, name := range names {
		spec, ok := entity.AspectFold(name)
		switch {
		case !ok || spec.Confidential():
			out[name] = failedTrace("there is no such aspect")
		case reasons[spec.Name] != "":
			out[name] = failedTrace(reasons[spec.Name])
		case spec.Timeseries:
			// Time-series documents are stored outside of the primary storage.
			out[name] = Traced{Primary: StatusNoOp, Search: StatusNotTraced}
		case latest[spec.Name] == nil:
			out[name] = failedTrace("nothing is stored")
		default:
			status, err := s.traceAspect(ctx, traceID, latest[spec.Name], store.Key{URN: u, Aspect: spec.Name})
			if err != nil {
				return nil, err
			}
			out[name] = Traced{Primary: status, Search: status}
		}
	}
	return out, nil
}

func failedTrace(reason string) Traced {
	return Traced{Primary: StatusError, Search: StatusError, Message: reason}
}

// traceAspect compares the trace ID with those of the latest and former versions.
func (s *Service) traceAspect(ctx context.Context, traceID string, latest *model.Record, key store.Key) (WriteStatus, error) {
	if latest.System.Properties[model.PropertyTraceID] == traceID {
		if latest.System.Properties[model.PropertyNoOp] == "true" {
			return StatusNoOp, nil
		}
		return StatusActive, nil
	}
	if latest.System.Properties[model.PropertyWrittenBy] == traceID {
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
		if rec != nil && (rec.System.Properties[model.PropertyTraceID] == traceID || rec.System.Properties[model.PropertyWrittenBy] == traceID) {
			return StatusHistoric, nil
		}
	}
	// Trace IDs begin with their time. With a later ID, either another writer wrote the same value
	// or the history was trimmed.
	if stored := latest.System.Properties[model.PropertyTraceID]; stored > traceID {
		return StatusHistoric, nil
	}
	return StatusUnknown, nil
}
