package graphql

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const maxHistory = 200

// DocumentHistory tells what changed in a document, newest first.
func (a *api) DocumentHistory(at place, w *set) func(context.Context, gqltype.DocumentHistoryArgs) ([]*gqltype.DocumentChange, error) {
	return func(ctx context.Context, args gqltype.DocumentHistoryArgs) ([]*gqltype.DocumentChange, error) {
		limit := int(args.Limit)
		if limit < 0 || limit > maxHistory {
			return nil, fault.New(fault.Malformed, "limit: must be between 0 and %d, is %d", maxHistory, limit)
		}
		changes, err := a.documentChanges(ctx, at.URN, limit)
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) []*gqltype.DocumentChange {
			out := []*gqltype.DocumentChange{}
			for _, c := range changes {
				if args.StartTimeMillis != nil && c.at < int64(*args.StartTimeMillis) || args.EndTimeMillis != nil && c.at > int64(*args.EndTimeMillis) {
					continue
				}
				out = append(out, &gqltype.DocumentChange{
					ChangeType: c.kind, Description: c.text, Actor: user(l, c.actor, w.Of("DocumentChange")["actor"]), Timestamp: gqltype.Long(c.at), Details: &[]*gqltype.StringMapEntry{},
				})
			}
			return cut(out, 0, limit)
		})
	}
}

type documentChange struct {
	kind, text, actor string
	at                int64
}

// documentChanges compares the versions of a document's facts, newest first.
func (a *api) documentChanges(ctx context.Context, u urn.URN, limit int) ([]documentChange, error) {
	var out []documentChange
	var newer jsontree.Object
	for version := int64(0); len(out) < limit; version-- {
		found, err := a.Catalog.Aspect(ctx, u, "documentInfo", version)
		if errors.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		value, err := jsontree.DecodeObject(found.Value)
		if err != nil {
			return nil, fmt.Errorf("decode documentInfo of %s: %w", u, err)
		}
		if newer != nil {
			out = append(out, documentDifferences(value, newer)...)
		}
		newer = value
	}
	if newer != nil && len(out) < limit {
		created := object(newer["created"])
		out = append(out, documentChange{kind: "CREATED", text: "Document was created", actor: text(created, "actor"), at: intOf(created["time"])})
	}
	return out, nil
}

// documentDifferences tells what changed from one version to the next.
func documentDifferences(before, after jsontree.Object) []documentChange {
	stamp := object(after["lastModified"])
	var out []documentChange
	for _, part := range []struct{ member, kind, text string }{
		{"title", "TITLE_CHANGED", "Title was changed"},
		{"contents", "TEXT_CHANGED", "Content was changed"},
		{"status", "STATE_CHANGED", "State was changed"},
		{"parentDocument", "PARENT_CHANGED", "Document was moved"},
		{"relatedAssets", "RELATED_ASSETS_CHANGED", "Related assets were changed"},
		{"relatedDocuments", "RELATED_DOCUMENTS_CHANGED", "Related documents were changed"},
	} {
		if !jsontree.Equal(before[part.member], after[part.member]) {
			out = append(out, documentChange{kind: part.kind, text: part.text, actor: text(stamp, "actor"), at: intOf(stamp["time"])})
		}
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
