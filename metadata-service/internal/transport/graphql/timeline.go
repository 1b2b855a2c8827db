package graphql

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// GetTimeline returns the history of an entity, oldest change first.
func (q *query) GetTimeline(ctx context.Context, args gqltype.GetTimelineArgs) (*gqltype.GetTimelineResult, error) {
	in := args.Input
	u, err := q.api.urnArgument("urn", in.Urn)
	if err != nil {
		return nil, err
	}
	request := timeline.Query{URN: u, VersionSet: value(in.IncludeVersionSet)}
	for _, c := range value(in.ChangeCategories) {
		category, err := timeline.ParseCategory(c)
		if err != nil {
			return nil, err
		}
		request.Categories = append(request.Categories, category)
	}
	if len(request.Categories) == 0 {
		// The GraphQL schema has no category for deprecation.
		request.Categories = slices.DeleteFunc(timeline.Categories(), func(c timeline.Category) bool { return c == timeline.Deprecation })
	}
	found, err := q.api.Timeline.Timeline(ctx, request)
	if err != nil {
		return nil, err
	}
	out := &gqltype.GetTimelineResult{ChangeTransactions: []*gqltype.ChangeTransaction{}, SkippedVersionCount: ptr(int32(found.Skipped))}
	for _, t := range found.Transactions {
		out.ChangeTransactions = append(out.ChangeTransactions, transaction(t))
	}
	return out, nil
}

func transaction(t timeline.Transaction) *gqltype.ChangeTransaction {
	changes := make([]*gqltype.ChangeEvent, 0, len(t.Events))
	for _, e := range t.Events {
		entries := make([]*gqltype.TimelineParameterEntry, 0, len(e.Parameters))
		for _, p := range e.Parameters {
			entries = append(entries, &gqltype.TimelineParameterEntry{Key: ptr(p.Name), Value: ptr(fmt.Sprint(p.Value))})
		}
		changes = append(changes, &gqltype.ChangeEvent{
			Urn: string(e.URN), Category: ptr(string(e.Category)), Operation: ptr(string(e.Operation)), Modifier: nilIfZero(e.Modifier), Parameters: &entries,
			AuditStamp: &gqltype.AuditStamp{Time: gqltype.Long(e.Time), Actor: nilIfZero(string(e.Actor))}, Description: ptr(e.Description),
		})
	}
	return &gqltype.ChangeTransaction{
		TimestampMillis: gqltype.Long(t.Time), LastSemanticVersion: t.Version, VersionStamp: t.Stamp, ChangeType: string(t.Operation),
		Actor: nilIfZero(string(t.Actor)), Changes: &changes,
	}
}

func schemaVersion(v timeline.SchemaVersion) *gqltype.SemanticVersionStruct {
	return &gqltype.SemanticVersionStruct{
		SemanticVersion: ptr(v.Version), SemanticVersionTimestamp: ptr(gqltype.Long(v.Time)), VersionStamp: ptr(v.Stamp),
	}
}

// GetSchemaVersionList lists the versions of a dataset's schema, newest first.
func (q *query) GetSchemaVersionList(ctx context.Context, args gqltype.GetSchemaVersionListArgs) (*gqltype.GetSchemaVersionListResult, error) {
	u, err := q.api.entityURN("datasetUrn", args.Input.DatasetUrn, "dataset")
	if err != nil {
		return nil, err
	}
	found, err := q.api.Timeline.SchemaVersions(ctx, u)
	if err != nil {
		return nil, err
	}
	list := make([]*gqltype.SemanticVersionStruct, 0, len(found))
	for _, v := range slices.Backward(found) {
		list = append(list, schemaVersion(v))
	}
	out := &gqltype.GetSchemaVersionListResult{SemanticVersionList: &list}
	if len(list) > 0 {
		out.LatestVersion, out.Version = list[0], list[0]
	}
	return out, nil
}

// GetSchemaBlame returns, for each column, the version that changed it last.
func (q *query) GetSchemaBlame(ctx context.Context, args gqltype.GetSchemaBlameArgs) (*gqltype.GetSchemaBlameResult, error) {
	u, err := q.api.entityURN("datasetUrn", args.Input.DatasetUrn, "dataset")
	if err != nil {
		return nil, err
	}
	found, err := q.api.Timeline.Blame(ctx, u, value(args.Input.Version))
	if err != nil {
		return nil, err
	}
	columns := make([]*gqltype.SchemaFieldBlame, 0, len(found.Columns))
	for _, c := range found.Columns {
		columns = append(columns, &gqltype.SchemaFieldBlame{FieldPath: c.Path, SchemaFieldChange: &gqltype.SchemaFieldChange{
			TimestampMillis: gqltype.Long(c.Version.Time), LastSemanticVersion: c.Version.Version, VersionStamp: c.Version.Stamp,
			ChangeType: string(c.Operation), LastSchemaFieldChange: nilIfZero(c.Description),
		}})
	}
	out := &gqltype.GetSchemaBlameResult{SchemaFieldBlameList: &columns}
	if found.Version != nil {
		out.Version = schemaVersion(*found.Version)
	}
	return out, nil
}

// VersionedDataset reads an older state of a dataset: the aspects in the version stamp in their
// stated versions, other aspects in their latest version.
func (q *query) VersionedDataset(ctx context.Context, args gqltype.VersionedDatasetArgs) (*gqltype.VersionedDataset, error) {
	u, err := q.api.entityURN("urn", args.Urn, "dataset")
	if err != nil {
		return nil, err
	}
	versions, err := timeline.ParseStamp(value(args.VersionStamp))
	if err != nil {
		return nil, err
	}
	spec, _ := q.api.Registry.Entity(u.Type())
	for name := range versions {
		if _, ok := spec.Aspect(name); !ok {
			return nil, fault.New(fault.Malformed, "versionStamp: datasets have no aspect %.60q", name)
		}
	}
	l := gqltype.NewLoader(versionReader{q.api, u, versions}, q.api)
	out := l.VersionedDataset(u, selectionOf(ctx, "versionedDataset"))
	if err := l.Load(ctx); err != nil {
		return nil, err
	}
	return out, chargeResponse(ctx, out)
}

// versionReader reads older versions of some aspects of one entity.
type versionReader struct {
	*api
	entity   urn.URN
	versions map[string]int64
}

// Read implements gqltype.Reader.
func (p versionReader) Read(ctx context.Context, entityType string, urns []urn.URN, aspects []string) ([]*gqltype.Stored, error) {
	out, err := p.api.Read(ctx, entityType, urns, aspects)
	if err != nil {
		return nil, err
	}
	for i, u := range urns {
		if u != p.entity || out[i] == nil {
			continue
		}
		for _, name := range aspects {
			version := p.versions[name]
			if version == 0 {
				continue
			}
			found, err := p.version(ctx, u, name, version)
			if errors.Is(err, fault.NotFound) {
				return nil, fault.Wrap(err, fault.NotFound, "versionStamp: there is no version %d of %s, or it is not kept any more", version, name)
			}
			if err != nil {
				return nil, err
			}
			if out[i].Aspects[name], err = jsontree.DecodeObject(found.Value); err != nil {
				return nil, err
			}
			out[i].Written[name] = writtenStamps(found)
		}
	}
	return out, nil
}
