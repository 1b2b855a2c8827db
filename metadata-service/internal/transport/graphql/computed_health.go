package graphql

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Fields that tell what is wrong with an asset.

// Incidents are the incidents of an asset, newest first.
func (a *api) Incidents(at place, w *set) func(context.Context, gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
	return func(ctx context.Context, args gqltype.IncidentsArgs) (*gqltype.EntityIncidentsResult, error) {
		from, size, err := page(args.Start, args.Count, usualChildren)
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

// Assertions are the assertions about a dataset.
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

// Health says what is wrong with an asset: one entry for incidents always, one for
// assertions when there are any about it.
func (a *api) Health(ctx context.Context, _ *loader, at place, _ *set) (*[]*gqltype.Health, error) {
	out := []*gqltype.Health{}
	incidents, err := a.incidentHealth(ctx, at.URN)
	if err != nil {
		return nil, err
	}
	out = append(out, incidents)
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

// assertionHealth is the verdict of the newest run of each assertion: one that could not be
// run is a warning, as it tells nothing about the data.
func (a *api) assertionHealth(ctx context.Context, u urn.URN) (*gqltype.Health, error) {
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
	failing, broken, judged := []string{}, []string{}, 0
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
		switch jsontree.Text(jsontree.Child(event, "result"), "type") {
		case "FAILURE":
			failing = append(failing, string(assertion))
		case "ERROR":
			broken = append(broken, string(assertion))
		case "SUCCESS":
		default:
			continue // INIT: there is no verdict yet
		}
		judged++
		last = max(last, run.Time)
	}
	if judged == 0 {
		return nil, nil
	}
	out := &gqltype.Health{Type: "ASSERTIONS", ReportedAt: nilIfZero(gqltype.Long(last))}
	switch of := " of " + plural(judged, ""); {
	case len(failing) > 0:
		out.Status, out.Causes, out.Message = "FAIL", &failing, ptr(plural(len(failing), "assertion")+of+" failing")
	case len(broken) > 0:
		out.Status, out.Causes, out.Message = "WARN", &broken, ptr(plural(len(broken), "assertion")+of+" could not be run")
	default:
		out.Status, out.Causes, out.Message = "PASS", &[]string{}, ptr("All assertions are passing")
	}
	return out, nil
}
