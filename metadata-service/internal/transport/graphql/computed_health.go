package graphql

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields about problems of an asset.

// Incidents returns the incidents of an asset, newest first.
func (a *api) Incidents(at place, w *set) func(context.Context, gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
	return func(ctx context.Context, args gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
		from, size, err := page(args.Start, args.Count, defaultChildren)
		if err != nil {
			return nil, err
		}
		q := discover.SearchQuery{Types: []string{"incident"}, From: from, Size: size, Facets: []string{}, Sort: []search.Sort{{Field: "created", Descending: true}}}
		restrictTo(&q, "entities", at.URN)
		for field, v := range map[string]*string{"state": args.State, "stage": args.Stage, "priority": priorityNumber(args.Priority)} {
			if v != nil {
				q.And = append(q.And, equalTo(field, *v))
			}
		}
		if len(value(args.AssigneeUrns)) > 0 {
			q.And = append(q.And, equalTo("assignees", *args.AssigneeUrns...))
		}
		found, err := a.search(ctx, q)
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) *gqltype.EntityIncidentsResult {
			return &gqltype.EntityIncidentsResult{
				Start: int32(from), Count: int32(size), Total: int32(found.Total),
				Incidents: loadAll(urnsOf(found.Hits), w.Of("EntityIncidentsResult")["incidents"], l.Incident),
			}
		})
	}
}

// Assertions returns the assertions about a dataset.
func (a *api) Assertions(at place, w *set) func(context.Context, gqltype.AssertionsArgs) (*gqltype.EntityAssertionsResult, error) {
	return func(ctx context.Context, args gqltype.AssertionsArgs) (*gqltype.EntityAssertionsResult, error) {
		from, size, err := page(args.Start, args.Count, 200)
		if err != nil {
			return nil, err
		}
		found, err := a.relationshipPage(ctx, discover.RelationshipQuery{
			URN: at.URN, Direction: graph.Incoming, Types: []string{"Asserts"}, Start: from, Count: size, IncludeSoftDeleted: value(args.IncludeSoftDeleted),
		})
		if err != nil {
			return nil, err
		}
		return build(ctx, a, func(l *loader) *gqltype.EntityAssertionsResult {
			out := &gqltype.EntityAssertionsResult{Start: int32(from), Count: int32(size), Total: int32(found.Total), Assertions: []*gqltype.Assertion{}}
			for i := range found.Edges {
				if u := found.Edges[i].Source; u.Type() == "assertion" {
					out.Assertions = append(out.Assertions, l.Assertion(u, w.Of("EntityAssertionsResult")["assertions"]))
				}
			}
			return out
		})
	}
}

// Health summarises the problems of an asset. It always has one entry for incidents, and one for
// assertions when at least one has a result.
func (a *api) Health(ctx context.Context, _ *loader, at place, w *set) (*[]*gqltype.Health, error) {
	out := []*gqltype.Health{}
	incidents, err := a.incidentHealth(ctx, at.URN)
	if err != nil {
		return nil, err
	}
	out = append(out, incidents)
	assertions, err := a.assertionHealth(ctx, at.URN, w.Of("Health")["latestAssertionStatusByType"] != nil)
	if err != nil {
		return nil, err
	}
	if assertions != nil {
		out = append(out, assertions)
	}
	return &out, nil
}

func (a *api) incidentHealth(ctx context.Context, u urn.URN) (*gqltype.Health, error) {
	q := discover.SearchQuery{Types: []string{"incident"}, Size: 1, Facets: []string{}, Sort: []search.Sort{{Field: "created", Descending: true}}}
	restrictTo(&q, "entities", u)
	q.And = append(q.And, equalTo("state", "ACTIVE"))
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
	when := nilIfZero(gqltype.Long(jsontree.Int(jsontree.Child(jsontree.Child(info, "status"), "lastUpdated"), "time")))
	return &gqltype.Health{
		Type: "INCIDENTS", Status: "FAIL", Message: &message, ReportedAt: when, Causes: &[]string{"ACTIVE_INCIDENTS"},
		ActiveIncidentHealthDetails: &gqltype.ActiveIncidentHealthDetails{
			Count: int32(active.Total), LatestIncidentUrn: ptr(string(latest)), LatestIncidentTitle: nilIfZero(jsontree.Text(info, "title")), LastActivityAt: when,
		},
	}, nil
}

// assertionHealth returns the results of the newest run of each assertion, in total and, if
// requested, by assertion type. An assertion that could not be run is a warning, since it says
// nothing about the data. The result is nil when no assertion has a result. It considers at most
// 500 assertions.
func (a *api) assertionHealth(ctx context.Context, u urn.URN, byType bool) (*gqltype.Health, error) {
	found, err := a.relationshipPage(ctx, discover.RelationshipQuery{URN: u, Direction: graph.Incoming, Types: []string{"Asserts"}, Count: 500})
	if err != nil || len(found.Edges) == 0 {
		return nil, err
	}
	assertions := make([]urn.URN, 0, len(found.Edges))
	for i := range found.Edges {
		if source := found.Edges[i].Source; source.Type() == "assertion" {
			assertions = append(assertions, source)
		}
	}
	if err := charge(ctx, len(assertions)); err != nil {
		return nil, err
	}
	newest, err := a.Catalog.Newest(ctx, "assertion", "assertionRunEvent", assertions)
	if err != nil {
		return nil, err
	}
	failing, broken, judged := []string{}, []string{}, map[urn.URN]verdict{}
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
		v := verdict{at: run.Time}
		switch jsontree.Text(jsontree.Child(event, "result"), "type") {
		case "FAILURE":
			v.status = "FAIL"
			failing = append(failing, string(assertion))
		case "ERROR":
			v.status = "WARN"
			broken = append(broken, string(assertion))
		case "SUCCESS":
			v.status = "PASS"
		default:
			continue // INIT: there is no result yet
		}
		judged[assertion] = v
		last = max(last, v.at)
	}
	if len(judged) == 0 {
		return nil, nil
	}
	out := &gqltype.Health{Type: "ASSERTIONS", ReportedAt: nilIfZero(gqltype.Long(last))}
	switch of := " of " + plural(len(judged), ""); {
	case len(failing) > 0:
		out.Status, out.Causes, out.Message = "FAIL", &failing, ptr(plural(len(failing), "assertion")+of+" failing")
	case len(broken) > 0:
		out.Status, out.Causes, out.Message = "WARN", &broken, ptr(plural(len(broken), "assertion")+of+" could not be run")
	default:
		out.Status, out.Causes, out.Message = "PASS", &[]string{}, ptr("All assertions are passing")
	}
	if byType {
		types, err := a.statusByType(ctx, assertions, judged)
		if err != nil {
			return nil, err
		}
		out.LatestAssertionStatusByType = &types
	}
	return out, nil
}

// verdict is the result of the newest run of an assertion, zero when there is none.
type verdict struct {
	status string
	at     int64
}

// statusByType counts assertions by type. The status of a type is the worst status of its
// assertions. Types without a result are left out. The types are sorted by name.
func (a *api) statusByType(ctx context.Context, assertions []urn.URN, judged map[urn.URN]verdict) ([]*gqltype.AssertionHealthStatusByType, error) {
	entities, err := a.entities(ctx, catalog.EntityQuery{Aspects: []string{"assertionInfo"}}, assertions...)
	if err != nil {
		return nil, err
	}
	types := map[string]*typeVerdicts{}
	for _, e := range entities {
		info, ok := e.Find("assertionInfo")
		if !ok {
			continue
		}
		value, err := jsontree.DecodeObject(info.Value)
		if err != nil {
			return nil, fmt.Errorf("decode assertionInfo of %s: %w", e.URN, err)
		}
		kind := jsontree.Text(value, "type")
		if types[kind] == nil {
			types[kind] = &typeVerdicts{by: map[string]statusCount{}}
		}
		types[kind].add(judged[e.URN])
	}
	out := []*gqltype.AssertionHealthStatusByType{}
	for _, kind := range slices.Sorted(maps.Keys(types)) {
		for _, status := range []string{"FAIL", "WARN", "PASS"} {
			if of := types[kind].by[status]; of.count > 0 {
				out = append(out, &gqltype.AssertionHealthStatusByType{
					Type: kind, Status: status, Total: types[kind].total, StatusCount: of.count, LastStatusResultAt: ptr(gqltype.Long(of.last)),
				})
				break
			}
		}
	}
	return out, nil
}

// typeVerdicts counts the results of assertions of one type by their status.
type typeVerdicts struct {
	total int32
	by    map[string]statusCount
}

// statusCount is the number of assertions with a status, and the time of their newest run.
type statusCount struct {
	count int32
	last  int64
}

func (t *typeVerdicts) add(v verdict) {
	t.total++
	t.by[v.status] = statusCount{t.by[v.status].count + 1, max(t.by[v.status].last, v.at)}
}
