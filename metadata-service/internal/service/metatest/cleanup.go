package metatest

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// CleanupKind is the kind of the task that removes obsolete results of a test. After a deletion it
// removes them from all assets, after a change from assets of the entity types that the test no
// longer covers.
const CleanupKind = "metadata-test-cleanup"

// cleanupParams are the parameters of a cleanup task.
type cleanupParams struct {
	Test urn.URN `json:"test"`
}

// cleanupPage is the number of results per page.
const cleanupPage = 500

// startCleanup starts a cleanup task if assets of foreign types have results of the test. It does
// nothing when such a task already runs.
func (s *Service) startCleanup(ctx context.Context, test urn.URN) error {
	if s.Tasks == nil {
		return nil
	}
	types, err := s.foreignTypes(ctx, test)
	if err != nil || len(types) == 0 {
		return err
	}
	found, err := s.Graph.Edges(ctx, obsoleteResults(test, types, nil, 1))
	if err != nil || len(found) == 0 {
		return err
	}
	_, err = s.Tasks.Start(ctx, CleanupKind, cleanupParams{test}, CleanupKind+" "+string(test))
	if fault.KindOf(err) == fault.Conflict {
		return nil
	}
	return err
}

// foreignTypes returns the entity types that can have results but are outside the test. It returns
// all such types when the test does not exist or is a draft, and none when the definition is
// invalid, since that may be a mistake.
func (s *Service) foreignTypes(ctx context.Context, test urn.URN) ([]string, error) {
	found, err := s.compile(ctx, []urn.URN{test}, func(_ urn.URN, err error) error {
		if fault.KindOf(err) == fault.NotFound {
			return nil
		}
		return err
	})
	if fault.KindOf(err) == fault.Malformed {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	spec, _ := s.Edit.Registry.Aspect(resultsAspect)
	types := slices.Clone(spec.Entities)
	if len(found) > 0 {
		types = slices.DeleteFunc(types, func(name string) bool { return slices.Contains(found[0].test.Types, name) })
	}
	return types, nil
}

// obsoleteResults is a query for results of a test on assets of some entity types.
func obsoleteResults(test urn.URN, types []string, after *model.EdgeKey, limit int) graph.Query {
	return graph.Query{
		Nodes: []urn.URN{test}, Direction: graph.Incoming, Types: []string{"IsPassing", "IsFailing"}, NeighborTypes: types, After: after, Limit: limit,
	}
}

// cleanup executes a cleanup task. It can be repeated at any time, since removed results are not
// found again.
func (s *Service) cleanup(ctx context.Context, run *task.Run) error {
	var params cleanupParams
	if err := run.Params(&params); err != nil {
		return err
	}
	ctx = store.WithOrigin(ctx, SinkName)
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return err
	}
	types, err := s.foreignTypes(ctx, params.Test)
	if err != nil || len(types) == 0 {
		return err
	}
	total, err := s.Graph.CountEdges(ctx, obsoleteResults(params.Test, types, nil, 0))
	if err != nil {
		return err
	}
	var after *model.EdgeKey
	for done := 0; ; {
		edges, err := s.Graph.Edges(ctx, obsoleteResults(params.Test, types, after, cleanupPage))
		if err != nil || len(edges) == 0 {
			return err
		}
		if err := s.removeResults(ctx, decided, params.Test, edges); err != nil {
			return err
		}
		key := edges[len(edges)-1].Key()
		after = &key
		done += len(edges)
		if err := run.SetResult(map[string]int{"assets": done}); err != nil {
			return err
		}
		if err := run.Save(ctx, task.Progress{Done: int64(done), Total: int64(max(total, done))}, nil); err != nil {
			return err
		}
	}
}

// removeResults removes the results of a test from the source assets of edges.
func (s *Service) removeResults(ctx context.Context, decided auth.Decisions, test urn.URN, edges []model.Edge) error {
	var changes []edit.Change
	for i := range edges {
		changes = append(changes, edit.Change{URN: edges[i].Source, Aspect: resultsAspect, Existing: true, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			return withoutTest(value, test), nil
		}})
	}
	_, err := s.Edit.Apply(ctx, decided, changes...)
	return err
}

// withoutTest removes a test from results. It returns nil when they do not contain it.
func withoutTest(results jsontree.Object, test urn.URN) jsontree.Object {
	if verdictIn(results, test) == language.NotSelected {
		return nil
	}
	members := jsontree.Object{}
	for _, member := range []string{"passing", "failing"} {
		kept := []any{}
		for _, r := range jsontree.Array(results, member) {
			if jsontree.Text(jsontree.AsObject(r), "test") != string(test) {
				kept = append(kept, r)
			}
		}
		members[member] = kept
	}
	return jsontree.With(results, members)
}
