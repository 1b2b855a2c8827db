package graphql

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that list entities found by a search.

const usualChildren = 20

// count is how many entities have a value in a field.
func (a *api) count(ctx context.Context, field string, u urn.URN, types ...string) (int, error) {
	q := catalog.SearchQuery{Types: types, Facets: []string{}}
	within(&q, field, u)
	found, err := a.search(ctx, q)
	return found.Total, err
}

// listed finds entities of one type by a field, the order being given.
func (a *api) listed(ctx context.Context, entityType, field string, u urn.URN, from, size int, by ...search.Sort) (search.Result, error) {
	q := catalog.SearchQuery{Types: []string{entityType}, From: from, Size: size, Sort: by, Facets: []string{}}
	within(&q, field, u)
	found, err := a.search(ctx, q)
	return found.Result, err
}

func urnsOf(found []search.Hit) []urn.URN {
	out := make([]urn.URN, len(found))
	for i, h := range found {
		out[i] = h.URN
	}
	return out
}

// entitiesIn is the search behind the field entities of containers and domains.
func (a *api) entitiesIn(ctx context.Context, field string, u urn.URN, query *string, start, count *int32, filters *[]gqltype.FacetFilterInput, w *set) (*gqltype.SearchResults, error) {
	q, err := a.lower(ctx, asked{query: otherwise(query, "*"), start: start, count: count, usual: usualChildren, filters: filters})
	if err != nil {
		return nil, err
	}
	within(&q, field, u)
	return a.searchResults(ctx, q, w)
}

// ContainerEntities are the assets right in a container.
func (a *api) ContainerEntities(at place, w *set) func(context.Context, gqltype.ContainerEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.ContainerEntitiesArgs) (*gqltype.SearchResults, error) {
		in := value(args.Input)
		return a.entitiesIn(ctx, "container", at.URN, in.Query, in.Start, in.Count, in.Filters, w)
	}
}

// DomainEntities are the assets of a domain.
func (a *api) DomainEntities(at place, w *set) func(context.Context, gqltype.DomainEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.DomainEntitiesArgs) (*gqltype.SearchResults, error) {
		in := value(args.Input)
		return a.entitiesIn(ctx, "domains", at.URN, in.Query, in.Start, in.Count, in.Filters, w)
	}
}

// assets searches among the assets of an application.
func (a *api) assets(ctx context.Context, field string, u urn.URN, in gqltype.SearchAcrossEntitiesInput, w *set) (*gqltype.SearchResults, error) {
	q, err := a.lower(ctx, across(in))
	if err != nil {
		return nil, err
	}
	within(&q, field, u)
	return a.searchResults(ctx, q, w)
}

func across(in gqltype.SearchAcrossEntitiesInput) asked {
	return asked{types: in.Types, query: in.Query, start: in.Start, count: in.Count, usual: usualHits, filters: in.Filters, or: in.OrFilters, flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn}
}

func scrolling(in gqltype.ScrollAcrossEntitiesInput) asked {
	return asked{types: in.Types, query: in.Query, count: in.Count, usual: usualHits, or: in.OrFilters, flags: in.SearchFlags, sort: in.SortInput, view: in.ViewUrn, scroll: in.ScrollId}
}

// DataProductEntities are the assets of a data product.
func (a *api) DataProductEntities(at place, w *set) func(context.Context, gqltype.DataProductEntitiesArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.DataProductEntitiesArgs) (*gqltype.SearchResults, error) {
		return a.productAssets(ctx, at.URN, value(args.Input), w)
	}
}

// DataProductAssets counts the assets of a data product.
func (a *api) DataProductAssets(_ context.Context, _ *loader, at place, _ *set) (*int32, error) {
	return ptr(int32(len(objects(at.Record["assets"])))), nil
}

// ApplicationAssets counts the assets of an application.
func (a *api) ApplicationAssets(ctx context.Context, _ *loader, at place, _ *set) (*int32, error) {
	n, err := a.count(ctx, "applications", at.URN)
	return ptr(int32(n)), err
}

// GlossaryChildrenCount counts what is right below a glossary node.
func (a *api) GlossaryChildrenCount(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.GlossaryNodeChildrenCount, error) {
	terms, err := a.count(ctx, "parentNode", at.URN, "glossaryTerm")
	if err != nil {
		return nil, err
	}
	nodes, err := a.count(ctx, "parentNode", at.URN, "glossaryNode")
	return &gqltype.GlossaryNodeChildrenCount{TermsCount: int32(terms), NodesCount: int32(nodes)}, err
}

// scrollIn scrolls through entities with a value in a field.
func (a *api) scrollIn(ctx context.Context, in gqltype.ScrollAcrossEntitiesInput, types []string, field string, u urn.URN, w *set) (*gqltype.ScrollResults, error) {
	q, err := a.lower(ctx, scrolling(in))
	if err != nil {
		return nil, err
	}
	if len(q.Types) == 0 {
		q.Types = types
	}
	within(&q, field, u)
	return a.scrollResults(ctx, q, w)
}

// GlossaryChildrenSearch scrolls through what is right below a glossary node.
func (a *api) GlossaryChildrenSearch(at place, w *set) func(context.Context, gqltype.GlossaryChildrenSearchArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.GlossaryChildrenSearchArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"glossaryTerm", "glossaryNode"}, "parentNode", at.URN, w)
	}
}

// ChildMetrics scrolls through the metrics below one.
func (a *api) ChildMetrics(at place, w *set) func(context.Context, gqltype.ChildMetricsArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.ChildMetricsArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"metric"}, "parentMetric", at.URN, w)
	}
}

// ModelMetrics scrolls through the metrics of a semantic model.
func (a *api) ModelMetrics(at place, w *set) func(context.Context, gqltype.ModelMetricsArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.ModelMetricsArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, []string{"metric"}, "semanticModel", at.URN, w)
	}
}

// SiblingsSearch scrolls through the siblings of a dataset.
func (a *api) SiblingsSearch(at place, w *set) func(context.Context, gqltype.SiblingsSearchArgs) (*gqltype.ScrollResults, error) {
	return func(ctx context.Context, args gqltype.SiblingsSearchArgs) (*gqltype.ScrollResults, error) {
		return a.scrollIn(ctx, args.Input, nil, "siblings", at.URN, w)
	}
}

// VersionsSearch searches among the members of a version set, newest first.
func (a *api) VersionsSearch(at place, w *set) func(context.Context, gqltype.VersionsSearchArgs) (*gqltype.SearchResults, error) {
	return func(ctx context.Context, args gqltype.VersionsSearchArgs) (*gqltype.SearchResults, error) {
		q, err := a.lower(ctx, across(args.Input))
		if err != nil {
			return nil, err
		}
		within(&q, "versionSet", at.URN)
		q.IncludeOldVersions = true
		if len(q.Sort) == 0 {
			q.Sort = []search.Sort{{Field: "versionSortId", Descending: true}}
		}
		return a.searchResults(ctx, q, w)
	}
}

// Incidents are the incidents of an asset, newest first.
func (a *api) Incidents(at place, w *set) func(context.Context, gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
	return func(ctx context.Context, args gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
		from, size, err := page(args.Start, args.Count, usualChildren)
		if err != nil {
			return nil, err
		}
		q := catalog.SearchQuery{Types: []string{"incident"}, From: from, Size: size, Facets: []string{}, Sort: []search.Sort{{Field: "created", Descending: true}}}
		within(&q, "entities", at.URN)
		for field, v := range map[string]*string{"state": args.State, "stage": args.Stage, "priority": priorityNumber(args.Priority)} {
			if v != nil {
				q.Filter = conjunction(q.Filter, search.Filter{{{Field: field, Values: []string{*v}}}})
			}
		}
		if len(value(args.AssigneeUrns)) > 0 {
			q.Filter = conjunction(q.Filter, search.Filter{{{Field: "assignees", Values: *args.AssigneeUrns}}})
		}
		found, err := a.search(ctx, q)
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) *gqltype.EntityIncidentsResult {
			return &gqltype.EntityIncidentsResult{
				Start: int32(from), Count: int32(len(found.Hits)), Total: int32(found.Total),
				Incidents: loaded(urnsOf(found.Hits), w.Of("EntityIncidentsResult")["incidents"], l.Incident),
			}
		})
	}
}

// Assertions are the assertions about a dataset.
func (a *api) Assertions(at place, w *set) func(context.Context, gqltype.AssertionsArgs) (*gqltype.EntityAssertionsResult, error) {
	return func(ctx context.Context, args gqltype.AssertionsArgs) (*gqltype.EntityAssertionsResult, error) {
		from, size, err := page(args.Start, args.Count, 200)
		if err != nil {
			return nil, err
		}
		found, err := a.walk(ctx, catalog.RelationshipQuery{
			URN: at.URN, Direction: graph.Incoming, Types: []string{"Asserts"}, Start: from, Count: size, IncludeSoftDeleted: value(args.IncludeSoftDeleted),
		})
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) *gqltype.EntityAssertionsResult {
			out := &gqltype.EntityAssertionsResult{Start: int32(from), Count: int32(len(found.Edges)), Total: int32(found.Total), Assertions: []*gqltype.Assertion{}}
			for i := range found.Edges {
				if u := found.Edges[i].Source; u.Type() == "assertion" {
					out.Assertions = append(out.Assertions, l.Assertion(u, w.Of("EntityAssertionsResult")["assertions"]))
				}
			}
			return out
		})
	}
}

// runs are the runs of a job or flow, or those that read or write a dataset,
// newest first.
func (a *api) runs(ctx context.Context, field string, u urn.URN, start, count *int32, w *set) (*gqltype.DataProcessInstanceResult, error) {
	from, size, err := page(start, count, usualChildren)
	if err != nil {
		return nil, err
	}
	found, err := a.listed(ctx, "dataProcessInstance", field, u, from, size, search.Sort{Field: "created", Descending: true})
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.DataProcessInstanceResult {
		return &gqltype.DataProcessInstanceResult{
			Start: ptr(int32(from)), Count: ptr(int32(len(found.Hits))), Total: ptr(int32(found.Total)),
			Runs: ptr(loaded(urnsOf(found.Hits), w.Of("DataProcessInstanceResult")["runs"], l.DataProcessInstance)),
		}
	})
}

// Runs are the runs of a job or flow.
func (a *api) Runs(at place, w *set) func(context.Context, gqltype.RunsArgs) (*gqltype.DataProcessInstanceResult, error) {
	return func(ctx context.Context, args gqltype.RunsArgs) (*gqltype.DataProcessInstanceResult, error) {
		return a.runs(ctx, "parentTemplate", at.URN, args.Start, args.Count, w)
	}
}

// DatasetRuns are the runs that wrote (INCOMING) or read (OUTGOING) a dataset.
func (a *api) DatasetRuns(at place, w *set) func(context.Context, gqltype.DatasetRunsArgs) (*gqltype.DataProcessInstanceResult, error) {
	return func(ctx context.Context, args gqltype.DatasetRunsArgs) (*gqltype.DataProcessInstanceResult, error) {
		field := "outputs"
		if graph.Direction(args.Direction) == graph.Outgoing {
			field = "inputs"
		}
		return a.runs(ctx, field, at.URN, args.Start, args.Count, w)
	}
}

// DatasetContract is the contract of a dataset.
func (a *api) DatasetContract(ctx context.Context, l *loader, at place, w *set) (*gqltype.DataContract, error) {
	found, err := a.walk(ctx, catalog.RelationshipQuery{URN: at.URN, Direction: graph.Incoming, Types: []string{"ContractFor"}, Count: 1})
	if err != nil || len(found.Edges) == 0 {
		return nil, err
	}
	return l.DataContract(found.Edges[0].Source, w), nil
}

// executions are the runs of an ingestion source, newest first.
func (a *api) executions(ctx context.Context, u urn.URN, start, count *int32, filter search.Filter, w *set) (*gqltype.IngestionSourceExecutionRequests, error) {
	from, size, err := page(start, count, usualChildren)
	if err != nil {
		return nil, err
	}
	q := catalog.SearchQuery{Types: []string{"dataHubExecutionRequest"}, From: from, Size: size, Filter: filter, Facets: []string{}, Sort: []search.Sort{{Field: "requestTimeMs", Descending: true}}}
	if u != "" {
		within(&q, "ingestionSource", u)
	}
	found, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return build(ctx, a, func(l *loader) *gqltype.IngestionSourceExecutionRequests {
		return &gqltype.IngestionSourceExecutionRequests{
			Start: ptr(int32(from)), Count: ptr(int32(len(found.Hits))), Total: ptr(int32(found.Total)),
			ExecutionRequests: loaded(urnsOf(found.Hits), w.Of("IngestionSourceExecutionRequests")["executionRequests"], l.ExecutionRequest),
		}
	})
}

// IngestionExecutions are the runs of an ingestion source.
func (a *api) IngestionExecutions(at place, w *set) func(context.Context, gqltype.IngestionExecutionsArgs) (*gqltype.IngestionSourceExecutionRequests, error) {
	return func(ctx context.Context, args gqltype.IngestionExecutionsArgs) (*gqltype.IngestionSourceExecutionRequests, error) {
		return a.executions(ctx, at.URN, args.Start, args.Count, nil, w)
	}
}

// LatestSuccessfulExecution is the newest run of an ingestion source that succeeded.
func (a *api) LatestSuccessfulExecution(ctx context.Context, l *loader, at place, w *set) (*gqltype.ExecutionRequest, error) {
	found, err := a.listed(ctx, "dataHubExecutionRequest", "ingestionSource", at.URN, 0, 100, search.Sort{Field: "requestTimeMs", Descending: true})
	if err != nil {
		return nil, err
	}
	runs, err := a.entities(ctx, catalog.EntityQuery{Aspects: []string{"dataHubExecutionRequestResult"}}, urnsOf(found.Hits)...)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		outcome, ok := runs[i].Find("dataHubExecutionRequestResult")
		if !ok {
			continue
		}
		result, err := jsontree.DecodeObject(outcome.Value)
		if err != nil {
			return nil, fmt.Errorf("decode the result of %s: %w", runs[i].URN, err)
		}
		if text(result, "status") == "SUCCESS" {
			return l.ExecutionRequest(runs[i].URN, w), nil
		}
	}
	return nil, nil
}

// Health says what is wrong with an asset: one entry for incidents, one for
// assertions, each only when there are any.
func (a *api) Health(ctx context.Context, _ *loader, at place, _ *set) (*[]*gqltype.Health, error) {
	out := []*gqltype.Health{}
	incidents, err := a.incidentHealth(ctx, at.URN)
	if err != nil {
		return nil, err
	}
	if incidents != nil {
		out = append(out, incidents)
	}
	assertions, err := a.assertionHealth(ctx, at.URN)
	if err != nil {
		return nil, err
	}
	if assertions != nil {
		out = append(out, assertions)
	}
	return &out, nil
}

func (a *api) incidentHealth(ctx context.Context, u urn.URN) (*gqltype.Health, error) {
	q := catalog.SearchQuery{Types: []string{"incident"}, Size: 1, Facets: []string{}, Sort: []search.Sort{{Field: "created", Descending: true}}}
	within(&q, "entities", u)
	ever, err := a.search(ctx, q)
	if err != nil || ever.Total == 0 {
		return nil, err
	}
	q.Filter = conjunction(q.Filter, search.Filter{{{Field: "state", Values: []string{"ACTIVE"}}}})
	active, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	if active.Total == 0 {
		return &gqltype.Health{Type: "INCIDENTS", Status: "PASS"}, nil
	}
	latest := active.Hits[0].URN
	info, err := a.aspect(ctx, latest, "incidentInfo")
	if err != nil {
		return nil, err
	}
	message := "1 active incident"
	if active.Total > 1 {
		message = plural(active.Total, "active incident")
	}
	when := filled(gqltype.Long(intOf(object(object(info["status"])["lastUpdated"])["time"])))
	return &gqltype.Health{
		Type: "INCIDENTS", Status: "FAIL", Message: &message, ReportedAt: when, Causes: &[]string{"ACTIVE_INCIDENTS"},
		ActiveIncidentHealthDetails: &gqltype.ActiveIncidentHealthDetails{
			Count: int32(active.Total), LatestIncidentUrn: ptr(string(latest)), LatestIncidentTitle: filled(text(info, "title")), LastActivityAt: when,
		},
	}, nil
}

func (a *api) assertionHealth(ctx context.Context, u urn.URN) (*gqltype.Health, error) {
	found, err := a.walk(ctx, catalog.RelationshipQuery{URN: u, Direction: graph.Incoming, Types: []string{"Asserts"}, Count: 500})
	if err != nil || len(found.Edges) == 0 {
		return nil, err
	}
	assertions := make([]urn.URN, 0, len(found.Edges))
	for i := range found.Edges {
		if source := found.Edges[i].Source; source.Type() == "assertion" {
			assertions = append(assertions, source)
		}
	}
	newest, err := a.Catalog.Newest(ctx, "assertion", "assertionRunEvent", assertions)
	if err != nil {
		return nil, err
	}
	failing, judged := []string{}, 0
	var last int64
	for _, assertion := range assertions {
		run, ok := newest[assertion]
		if !ok {
			continue
		}
		event, err := jsontree.DecodeObject(run.Event)
		if err != nil {
			return nil, fmt.Errorf("decode assertionRunEvent of %s: %w", assertion, err)
		}
		judged++
		last = max(last, run.Time)
		if kind := text(object(event["result"]), "type"); kind == "FAILURE" || kind == "ERROR" {
			failing = append(failing, string(assertion))
		}
	}
	if judged == 0 {
		return nil, nil
	}
	out := &gqltype.Health{Type: "ASSERTIONS", Status: "PASS", ReportedAt: filled(gqltype.Long(last)), Message: ptr("All assertions are passing"), Causes: &failing}
	if len(failing) > 0 {
		out.Status, out.Message = "FAIL", ptr(plural(len(failing), "assertion")+" of "+plural(judged, "")+" failing")
	}
	return out, nil
}

// RelatedDocuments are the documents that name an asset.
func (a *api) RelatedDocuments(at place, w *set) func(context.Context, gqltype.RelatedDocumentsArgs) (*gqltype.RelatedDocumentsResult, error) {
	return func(ctx context.Context, args gqltype.RelatedDocumentsArgs) (*gqltype.RelatedDocumentsResult, error) {
		from, size, err := page(args.Input.Start, args.Input.Count, 100)
		if err != nil {
			return nil, err
		}
		q := catalog.SearchQuery{Types: []string{"document"}, From: from, Size: size, Filter: documentFilter(args.Input), Sort: []search.Sort{{Field: "lastModifiedAt", Descending: true}}}
		within(&q, "relatedAssets", at.URN)
		found, err := a.search(ctx, q)
		if err != nil {
			return nil, err
		}
		want := w.Of("RelatedDocumentsResult")
		return build(ctx, a, func(l *loader) *gqltype.RelatedDocumentsResult {
			return &gqltype.RelatedDocumentsResult{
				Start: int32(from), Count: int32(len(found.Hits)), Total: int32(found.Total),
				Documents: loaded(urnsOf(found.Hits), want["documents"], l.Document), Facets: ptr(a.facets(l, found.Facets, want["facets"])),
			}
		})
	}
}

func documentFilter(in gqltype.RelatedDocumentsInput) search.Filter {
	var all []search.Criterion
	for field, values := range map[string]*[]string{"parentDocument": in.ParentDocuments, "types": in.Types, "domains": in.Domains} {
		if values != nil {
			all = append(all, search.Criterion{Field: field, Values: *values})
		}
	}
	if value(in.RootOnly) {
		all = append(all, search.Criterion{Field: "parentDocument", Condition: search.Exists, Negated: true})
	}
	if in.SourceType != nil {
		all = append(all, search.Criterion{Field: "sourceType", Values: []string{*in.SourceType}})
	}
	if len(all) == 0 {
		return nil
	}
	return search.Filter{all}
}
