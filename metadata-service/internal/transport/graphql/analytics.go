package graphql

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/service/analytics"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Ids and titles of the groups of charts. Clients use these ids.
const (
	landscapeID    = "GlobalMetadataAnalytics"
	landscapeTitle = "Data Landscape Summary"
	resultsID      = "FilteredMetadataAnalytics"
	resultsTitle   = "Data Landscape"
)

// IsAnalyticsEnabled is true, so that clients show the page of charts.
func (q *query) IsAnalyticsEnabled(context.Context) (bool, error) { return true, nil }

// GetAnalyticsCharts returns charts about the whole catalog.
func (q *query) GetAnalyticsCharts(ctx context.Context) ([]*gqltype.AnalyticsChartGroup, error) {
	return q.api.landscapeCharts(ctx, discover.SearchQuery{}, landscapeID, landscapeTitle)
}

// GetMetadataAnalyticsCharts returns charts about the results of a search.
func (q *query) GetMetadataAnalyticsCharts(ctx context.Context, args gqltype.GetMetadataAnalyticsChartsArgs) ([]*gqltype.AnalyticsChartGroup, error) {
	in := args.Input
	within := searchRequest{query: value(in.Query)}
	if within.query == "" {
		within.query = "*"
	}
	if in.EntityType != nil {
		within.types = &[]string{*in.EntityType}
	}
	query, err := q.api.toQuery(ctx, within)
	if err != nil {
		return nil, err
	}
	if d := value(in.Domain); d != "" && d != analytics.AllDomains {
		domain, err := q.api.entityURN("domain", *in.Domain, "domain")
		if err != nil {
			return nil, err
		}
		restrictToDomain(&query, domain)
	}
	return q.api.landscapeCharts(ctx, query, resultsID, resultsTitle)
}

func restrictToDomain(q *discover.SearchQuery, domain urn.URN) { restrictTo(q, "domains", domain) }

func (a *api) landscapeCharts(ctx context.Context, within discover.SearchQuery, id, title string) ([]*gqltype.AnalyticsChartGroup, error) {
	charts, err := a.Analytics.Landscape(ctx, within)
	if err != nil {
		return nil, err
	}
	group := &gqltype.AnalyticsChartGroup{GroupId: id, Title: title, Charts: []*gqltype.AnalyticsChart{}}
	for _, c := range charts {
		group.Charts = append(group.Charts, gqltype.NewAnalyticsChart(barChart(c)))
	}
	return []*gqltype.AnalyticsChartGroup{group}, nil
}

func barChart(c analytics.Chart) *gqltype.BarChart {
	out := &gqltype.BarChart{Title: c.Title, Bars: []*gqltype.NamedBar{}}
	for _, b := range c.Bars {
		out.Bars = append(out.Bars, &gqltype.NamedBar{
			Name: facetValue(c.Field, b.Name), Segments: []*gqltype.BarSegment{{Label: "Count", Value: int32(b.Count)}},
		})
	}
	return out
}

// GetHighlights counts the entities of the main types.
func (q *query) GetHighlights(ctx context.Context) ([]*gqltype.Highlight, error) {
	found, err := q.api.Analytics.Highlights(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*gqltype.Highlight, 0, len(found))
	for _, h := range found {
		out = append(out, &gqltype.Highlight{Value: int32(h.Value), Title: h.Title, Body: h.Body})
	}
	return out, nil
}
