package graphql

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const maxHistory = 200

// DocumentHistory lists the changes of a document, newest first. Without a time range it lists
// those of the last 30 days.
func (a *api) DocumentHistory(at place, w *set) func(context.Context, gqltype.DocumentHistoryArgs) ([]*gqltype.DocumentChange, error) {
	return func(ctx context.Context, args gqltype.DocumentHistoryArgs) ([]*gqltype.DocumentChange, error) {
		limit := int(args.Limit)
		if limit < 0 || limit > maxHistory {
			return nil, fault.New(fault.Malformed, "limit: must be between 0 and %d, is %d", maxHistory, limit)
		}
		from, to := a.historyRange(args)
		changes, err := a.documentChanges(ctx, at.URN)
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) []*gqltype.DocumentChange {
			out := []*gqltype.DocumentChange{}
			for _, c := range changes {
				if len(out) < limit && c.at >= from && c.at <= to {
					out = append(out, &gqltype.DocumentChange{
						ChangeType: c.kind, Description: c.text, Actor: user(l, c.actor, w.Of("DocumentChange")["actor"]), Timestamp: gqltype.Long(c.at), Details: c.details(),
					})
				}
			}
			return out
		})
	}
}

// defaultHistory is the default period of the history.
const defaultHistory = 30 * 24 * time.Hour

func (a *api) historyRange(args gqltype.DocumentHistoryArgs) (from, to int64) {
	to = math.MaxInt64
	if args.StartTimeMillis == nil && args.EndTimeMillis == nil {
		return a.Now().Add(-defaultHistory).UnixMilli(), to
	}
	if args.StartTimeMillis != nil {
		from = int64(*args.StartTimeMillis)
	}
	if args.EndTimeMillis != nil {
		to = int64(*args.EndTimeMillis)
	}
	return from, to
}

type documentChange struct {
	kind, text, actor string
	at                int64
	// entity was added or removed, according to operation; both are empty for other changes.
	entity, operation string
}

func (c documentChange) details() *[]*gqltype.StringMapEntry {
	if c.entity == "" {
		return &[]*gqltype.StringMapEntry{}
	}
	return &[]*gqltype.StringMapEntry{{Key: "entityUrn", Value: ptr(c.entity)}, {Key: "operation", Value: ptr(c.operation)}}
}

// maxVersions is the number of versions of an aspect that are searched for changes.
const maxVersions = 500

// documentChanges returns the differences between the versions of a document's documentInfo
// aspect and the deletions of the document, newest first.
func (a *api) documentChanges(ctx context.Context, u urn.URN) ([]documentChange, error) {
	var out []documentChange
	var older jsontree.Object
	reserved := 0 // bytes of the longest version decoded so far
	for found, err := range a.Catalog.History(ctx, u, "documentInfo", maxVersions) {
		if err == nil {
			err = charge(ctx, 1+len(found.Value)/1024)
		}
		if longer := len(found.Value) - reserved; err == nil && longer > 0 {
			// Two versions are in memory at a time.
			err, reserved = admission.Reserve(ctx, 2*decodedFactor*int64(longer)), len(found.Value)
		}
		if err != nil {
			return nil, err
		}
		value, err := jsontree.DecodeObject(found.Value)
		if err != nil {
			return nil, fmt.Errorf("decode documentInfo of %s: %w", u, err)
		}
		if older == nil {
			created := jsontree.Child(value, "created")
			out = append(out, documentChange{kind: "CREATED", text: "Document was created", actor: jsontree.Text(created, "actor"), at: jsontree.Int(created, "time")})
		} else {
			out = append(out, documentDifferences(older, value)...)
		}
		older = value
	}
	deleted, err := a.documentDeletions(ctx, u)
	if err != nil {
		return nil, err
	}
	out = append(out, deleted...)
	slices.SortStableFunc(out, func(a, b documentChange) int { return cmp.Compare(a.at, b.at) })
	slices.Reverse(out)
	return out, nil
}

// documentDeletions returns the times at which a document was soft-deleted.
func (a *api) documentDeletions(ctx context.Context, u urn.URN) ([]documentChange, error) {
	var out []documentChange
	removed := false
	for found, err := range a.Catalog.History(ctx, u, "status", maxVersions) {
		if err == nil {
			err = charge(ctx, 1)
		}
		if err != nil {
			return nil, err
		}
		value, err := jsontree.DecodeObject(found.Value)
		if err != nil {
			return nil, fmt.Errorf("decode status of %s: %w", u, err)
		}
		if now := jsontree.Bool(value, "removed"); now != removed {
			if removed = now; removed {
				out = append(out, documentChange{kind: "DELETED", text: "Document was deleted", actor: string(found.CreatedBy), at: found.CreatedOn})
			}
		}
	}
	return out, nil
}

// documentDifferences returns the changes from one version to the next.
func documentDifferences(before, after jsontree.Object) []documentChange {
	stamp := jsontree.Child(after, "lastModified")
	change := documentChange{actor: jsontree.Text(stamp, "actor"), at: jsontree.Int(stamp, "time")}
	var out []documentChange
	for _, part := range []struct{ member, kind, text string }{
		{"title", "TITLE_CHANGED", "Title was changed"},
		{"contents", "TEXT_CHANGED", "Content was changed"},
		{"status", "STATE_CHANGED", "State was changed"},
		{"parentDocument", "PARENT_CHANGED", "Document was moved"},
	} {
		if !jsontree.Equal(before[part.member], after[part.member]) {
			change.kind, change.text = part.kind, part.text
			out = append(out, change)
		}
	}
	for _, list := range []struct{ member, of, kind, what string }{
		{"relatedAssets", "asset", "RELATED_ASSETS_CHANGED", "Related asset"},
		{"relatedDocuments", "document", "RELATED_DOCUMENTS_CHANGED", "Related document"},
	} {
		was, is := namedIn(before, list.member, list.of), namedIn(after, list.member, list.of)
		for _, step := range []struct {
			from, without   []string
			operation, verb string
		}{{is, was, "ADD", "was added"}, {was, is, "REMOVE", "was removed"}} {
			for _, entity := range step.from {
				if !slices.Contains(step.without, entity) {
					change.kind, change.text, change.entity, change.operation = list.kind, list.what+" "+step.verb, entity, step.operation
					out = append(out, change)
				}
			}
		}
	}
	return out
}

func namedIn(value jsontree.Object, list, member string) []string {
	var out []string
	for _, o := range jsontree.Children(value, list) {
		out = append(out, jsontree.Text(o, member))
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
