package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/service/lineageedit"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
)

// UpdateLineage adds and removes lineage edges.
func (m *mutation) UpdateLineage(ctx context.Context, args gqltype.UpdateLineageArgs) (*bool, error) {
	return trueResult(m.api.LineageEdits.Update(ctx, edges(args.Input.EdgesToAdd), edges(args.Input.EdgesToRemove)))
}

func edges(list []*gqltype.LineageEdge) []lineageedit.Edge {
	out := make([]lineageedit.Edge, 0, len(list))
	for _, e := range dereference(list) {
		out = append(out, lineageedit.Edge{Downstream: e.DownstreamUrn, Upstream: e.UpstreamUrn})
	}
	return out
}
