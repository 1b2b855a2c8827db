package event

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Events are in the JSON encoding of Avro: a union value is wrapped in an object under the name of
// its type, and no member is omitted.
const (
	avro        = "com.linkedin.pegasus2avro."
	jsonContent = "application/json"
)

// versionedChange encodes a log entry as a MetadataChangeLog. Writes of the value that was already
// stored give no event.
func (s *Service) versionedChange(ctx context.Context, e *store.Entry) (derived, error) {
	change, after, before := model.Upsert, e.NewVersion, e.OldVersion
	switch e.Kind {
	case store.Written:
	case store.Restated:
		change, before = model.Restate, 0
	case store.Deleted, store.EntityDeleted:
		change = model.Delete
	default:
		return derived{}, nil
	}
	spec := s.aspect(e.Aspect)
	if spec == nil {
		return derived{}, nil // from a model with an aspect that this program lacks
	}
	now, err := s.version(ctx, e, spec, after)
	if err != nil {
		return derived{}, err
	}
	was, err := s.version(ctx, e, spec, before)
	if err != nil {
		return derived{}, err
	}
	if gone := e.Gone(before); gone != nil && !spec.Confidential() {
		was = &model.Record{Value: gone}
	}
	event, err := changeLog(e, change, spec, now, was)
	return singleEvent(event), err
}

// timeseriesChange encodes a time-series document as a MetadataChangeLog.
func (s *Service) timeseriesChange(_ context.Context, e *store.Entry) (derived, error) {
	if e.Kind != store.Document {
		return derived{}, nil
	}
	spec := s.aspect(e.Aspect)
	if spec == nil {
		return derived{}, nil
	}
	var logged catalog.LoggedDocument
	if err := json.Unmarshal(e.Value, &logged); err != nil {
		return derived{}, fmt.Errorf("read entry %d of the log: %w", e.Sequence, err)
	}
	event, err := changeLog(e, model.Upsert, spec, &model.Record{Value: logged.Value, System: logged.System}, nil)
	return singleEvent(event), err
}

func (s *Service) aspect(name string) *model.AspectSpec {
	spec, ok := s.cfg.Registry.Aspect(name)
	if !ok {
		return nil
	}
	return spec
}

// version reads version n of the aspect of an entry. It returns nil for none, for versions that
// retention or a removal has deleted, and for confidential aspects, which it never reads.
func (s *Service) version(ctx context.Context, e *store.Entry, spec *model.AspectSpec, n int64) (*model.Record, error) {
	if n < 1 || spec.Confidential() {
		return nil, nil
	}
	key := store.Key{URN: e.URN, Aspect: e.Aspect}
	latest, err := s.cfg.Rows.Row(ctx, key, 0)
	if err != nil || latest == nil || store.LogicalVersion(latest) == n {
		return latest, err
	}
	return s.cfg.Rows.Row(ctx, key, n)
}

// changeLog encodes the record MetadataChangeLog.
func changeLog(e *store.Entry, change model.ChangeType, spec *model.AspectSpec, now, was *model.Record) (json.RawMessage, error) {
	aspect, system, err := generic(spec, now)
	if err != nil {
		return nil, err
	}
	previous, previousSystem, err := generic(spec, was)
	if err != nil {
		return nil, err
	}
	return jsontree.Encode(jsontree.Object{
		"auditHeader":            nil,
		"entityType":             e.URN.Type(),
		"entityUrn":              tagged("string", string(e.URN)),
		"entityKeyAspect":        nil,
		"changeType":             string(change),
		"aspectName":             tagged("string", e.Aspect),
		"aspect":                 aspect,
		"systemMetadata":         system,
		"headers":                nil,
		"previousAspectValue":    previous,
		"previousSystemMetadata": previousSystem,
		"created":                tagged(avro+"common.AuditStamp", auditStamp(e.Time, e.Actor, "")),
	}), nil
}

func tagged(name string, value any) any { return jsontree.Object{name: value} }

// generic encodes a value and its system metadata, with nil for no record.
func generic(spec *model.AspectSpec, rec *model.Record) (aspect, system any, err error) {
	if rec == nil {
		return nil, nil, nil
	}
	value, err := catalog.Masked(spec, rec.Value)
	if err != nil {
		return nil, nil, err
	}
	return tagged(avro+"mxe.GenericAspect", jsontree.Object{"value": string(value), "contentType": jsonContent}), systemMetadata(&rec.System), nil
}

func systemMetadata(s *model.SystemMetadata) any {
	optional := func(text string) any {
		if text == "" {
			return nil
		}
		return tagged("string", text)
	}
	var properties any
	if len(s.Properties) > 0 {
		all := jsontree.Object{}
		for name, value := range s.Properties {
			all[name] = value
		}
		properties = tagged("map", all)
	}
	var schema any
	if s.SchemaVersion != 0 {
		schema = tagged("long", jsontree.Number(s.SchemaVersion))
	}
	return tagged(avro+"mxe.SystemMetadata", jsontree.Object{
		"lastObserved": tagged("long", jsontree.Number(s.LastObserved)), "runId": optional(s.RunID), "lastRunId": optional(s.LastRunID),
		"pipelineName": optional(s.PipelineName), "registryName": optional(s.RegistryName), "registryVersion": optional(s.RegistryVersion),
		"properties": properties, "version": optional(s.Version), "schemaVersion": schema,
		"aspectCreated": optionalStamp(s.AspectCreated), "aspectModified": optionalStamp(s.AspectModified),
	})
}

func optionalStamp(s *model.AuditStamp) any {
	if s == nil {
		return nil
	}
	return tagged(avro+"common.AuditStamp", auditStamp(s.Time, s.Actor, s.Impersonator))
}

func auditStamp(time int64, actor, impersonator urn.URN) jsontree.Object {
	var other any
	if impersonator != "" {
		other = tagged("string", string(impersonator))
	}
	return jsontree.Object{"time": jsontree.Number(time), "actor": string(actor), "impersonator": other, "message": nil}
}
