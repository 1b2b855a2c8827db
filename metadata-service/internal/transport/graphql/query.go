package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	queries "github.com/cartulary/cartulary/metadata-service/internal/service/query"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
)

const defaultQueries = 100

// withMessage replaces the message of a fault.Forbidden error. It returns other errors unchanged.
func withMessage(err error, text string) error {
	if fault.KindOf(err) != fault.Forbidden {
		return err
	}
	return messageError{message: text, cause: err}
}

// ListQueries lists saved queries, newest first by default.
func (q *query) ListQueries(ctx context.Context, args gqltype.ListQueriesArgs) (*gqltype.ListQueriesResult, error) {
	in := args.Input
	filters := []search.Filter{buildFilter(nil, in.OrFilters)}
	if in.Source != nil {
		filters = append(filters, equalTo("source", *in.Source))
	}
	if in.DatasetUrn != nil {
		filters = append(filters, equalTo("entities", *in.DatasetUrn))
	}
	by := search.Sort{Field: "createdAt", Descending: true}
	if in.SortInput != nil {
		by = search.Sort{Field: in.SortInput.SortCriterion.Field, Descending: in.SortInput.SortCriterion.SortOrder == "DESCENDING"}
	}
	found, err := q.api.list(ctx, queries.EntityType, in.Query, in.Start, in.Count, defaultQueries, filters, by)
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listQueries").Of("ListQueriesResult")["queries"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListQueriesResult {
		return &gqltype.ListQueriesResult{Start: found.start, Count: found.size, Total: found.total, Queries: loadAll(found.urns, want, l.QueryEntity)}
	})
}

// CreateQuery saves a query.
func (m *mutation) CreateQuery(ctx context.Context, args gqltype.CreateQueryArgs) (*gqltype.QueryEntity, error) {
	in := args.Input.Properties
	draft := queries.Draft{Name: in.Name, Description: in.Description, Statement: queries.Statement{Text: in.Statement.Value, Language: in.Statement.Language}}
	for _, subject := range args.Input.Subjects {
		draft.Datasets = append(draft.Datasets, subject.DatasetUrn)
	}
	u, err := m.api.Queries.Create(ctx, draft)
	if err != nil {
		return nil, withMessage(err, "Unauthorized to create Query. Please contact your DataHub administrator.")
	}
	return build(ctx, m.api, func(l *loader) *gqltype.QueryEntity { return l.QueryEntity(u, selectionOf(ctx, "createQuery")) })
}

// UpdateQuery updates a saved query.
func (m *mutation) UpdateQuery(ctx context.Context, args gqltype.UpdateQueryArgs) (*gqltype.QueryEntity, error) {
	u, err := m.api.entityURN("urn", args.Urn, queries.EntityType)
	if err != nil {
		return nil, err
	}
	var changed queries.Update
	if in := args.Input.Properties; in != nil {
		changed.Name, changed.Description = in.Name, in.Description
		if in.Statement != nil {
			changed.Statement = &queries.Statement{Text: in.Statement.Value, Language: in.Statement.Language}
		}
	}
	if args.Input.Subjects != nil {
		datasets := []string{}
		for _, subject := range *args.Input.Subjects {
			datasets = append(datasets, subject.DatasetUrn)
		}
		changed.Datasets = &datasets
	}
	if err := m.api.Queries.Update(ctx, u, changed); err != nil {
		return nil, withMessage(err, "Unauthorized to update Query. Please contact your DataHub administrator.")
	}
	return build(ctx, m.api, func(l *loader) *gqltype.QueryEntity { return l.QueryEntity(u, selectionOf(ctx, "updateQuery")) })
}

// DeleteQuery deletes a saved query permanently.
func (m *mutation) DeleteQuery(ctx context.Context, args gqltype.DeleteQueryArgs) (*bool, error) {
	u, err := m.api.entityURN("urn", args.Urn, queries.EntityType)
	if err != nil {
		return nil, err
	}
	return trueResult(withMessage(m.api.Queries.Delete(ctx, u), "Unauthorized to delete Query. Please contact your DataHub administrator."))
}
