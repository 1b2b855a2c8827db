package graphql

import (
	"context"
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
		within := func(at int64) bool {
			return (args.StartTimeMillis == nil || at >= int64(*args.StartTimeMillis)) && (args.EndTimeMillis == nil || at <= int64(*args.EndTimeMillis))
		}
		changes, err := a.documentChanges(ctx, at.URN)
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) []*gqltype.DocumentChange {
			out := []*gqltype.DocumentChange{}
			for _, c := range changes {
				if len(out) < limit && within(c.at) {
					out = append(out, &gqltype.DocumentChange{
						ChangeType: c.kind, Description: c.text, Actor: user(l, c.actor, w.Of("DocumentChange")["actor"]), Timestamp: gqltype.Long(c.at), Details: &[]*gqltype.StringMapEntry{},
					})
				}
			}
			return out
		})
	}
}

type documentChange struct {
	kind, text, actor string
	at                int64
}

// maxVersions is how far back changes are looked for.
const maxVersions = 500

// documentChanges compares the versions of a document's facts, newest first.
func (a *api) documentChanges(ctx context.Context, u urn.URN) ([]documentChange, error) {
	var out []documentChange
	var older jsontree.Object
	for found, err := range a.Catalog.History(ctx, u, "documentInfo", maxVersions) {
		if err == nil {
			err = charge(ctx, 1+len(found.Value)/1024)
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
	slices.Reverse(out)
	return out, nil
}

// documentDifferences tells what changed from one version to the next.
func documentDifferences(before, after jsontree.Object) []documentChange {
	stamp := jsontree.Child(after, "lastModified")
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
			out = append(out, documentChange{kind: part.kind, text: part.text, actor: jsontree.Text(stamp, "actor"), at: jsontree.Int(stamp, "time")})
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
