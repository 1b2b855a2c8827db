package graphql

import (
	"context"
	"errors"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields from time-series aspects, newest event first.

// Default numbers of events that a field returns.
const (
	defaultEvents    = 10
	defaultRunEvents = 100
)

// events reads the events for the arguments of a field, newest first. A limit of zero returns
// none.
func (a *api) events(ctx context.Context, at place, aspect string, from, to *gqltype.Long, filter *gqltype.FilterInput, limit *int32) ([]statistics.Event, error) {
	if value(limit) < 0 {
		return nil, fault.New(fault.Malformed, "limit: must not be negative, is %d", *limit)
	}
	q := statistics.Query{URN: at.URN, Aspect: aspect, From: millis(from), To: millis(to), Limit: int(valueOr(limit, defaultEvents))}
	if limit != nil && *limit == 0 {
		return nil, nil
	}
	if filter != nil {
		q.Filter = timeseriesFilter(filter.And)
	}
	return a.timeseriesEvents(ctx, q)
}

func millis(t *gqltype.Long) *int64 {
	if t == nil {
		return nil
	}
	return ptr(int64(*t))
}

func timeseriesFilter(criteria []gqltype.FacetFilterInput) timeseries.Filter {
	all := make([]timeseries.Condition, 0, len(criteria))
	for _, c := range criteria {
		all = append(all, timeseries.Condition{
			Field: c.Field, Operator: timeseries.Operator(valueOr(c.Condition, "EQUAL")), Values: value(c.Values), Negated: value(c.Negated),
		})
	}
	if len(all) == 0 {
		return nil
	}
	return timeseries.Filter{all}
}

// projectEvents converts events to the type of a field.
func projectEvents[T any](ctx context.Context, a *api, events []statistics.Event, project func(*loader, statistics.Event) T) (*[]T, error) {
	out, err := build(ctx, a, func(l *loader) []T {
		list := make([]T, 0, len(events))
		for _, e := range events {
			list = append(list, project(l, e))
		}
		return list
	})
	return &out, err
}

// DatasetProfiles returns the profiles of a dataset, none when the actor may not see them.
func (a *api) DatasetProfiles(at place, w *set) func(context.Context, gqltype.DatasetProfilesArgs) (*[]*gqltype.DatasetProfile, error) {
	return func(ctx context.Context, args gqltype.DatasetProfilesArgs) (*[]*gqltype.DatasetProfile, error) {
		events, err := a.events(ctx, at, "datasetProfile", args.StartTimeMillis, args.EndTimeMillis, args.Filter, args.Limit)
		if err := unlessForbidden(err); err != nil {
			return nil, err
		}
		return projectEvents(ctx, a, events, func(l *loader, e statistics.Event) *gqltype.DatasetProfile {
			return l.ToDatasetProfile(ctx, at, e.Value, w)
		})
	}
}

// Operations returns the operations on a dataset, none when the actor may not see them.
func (a *api) Operations(at place, w *set) func(context.Context, gqltype.OperationsArgs) (*[]*gqltype.Operation, error) {
	return func(ctx context.Context, args gqltype.OperationsArgs) (*[]*gqltype.Operation, error) {
		events, err := a.events(ctx, at, "operation", args.StartTimeMillis, args.EndTimeMillis, args.Filter, args.Limit)
		if err := unlessForbidden(err); err != nil {
			return nil, err
		}
		return projectEvents(ctx, a, events, func(l *loader, e statistics.Event) *gqltype.Operation {
			return l.ToOperation(ctx, at, e.Value, w)
		})
	}
}

// RunStates returns the state changes of a run.
func (a *api) RunStates(at place, w *set) func(context.Context, gqltype.RunStatesArgs) (*[]*gqltype.DataProcessRunEvent, error) {
	return func(ctx context.Context, args gqltype.RunStatesArgs) (*[]*gqltype.DataProcessRunEvent, error) {
		events, err := a.events(ctx, at, "dataProcessInstanceRunEvent", args.StartTimeMillis, args.EndTimeMillis, nil, args.Limit)
		if err != nil {
			return nil, err
		}
		return projectEvents(ctx, a, events, func(l *loader, e statistics.Event) *gqltype.DataProcessRunEvent {
			return l.ToDataProcessRunEvent(ctx, at, e.Value, w)
		})
	}
}

// AssertionRunEvents returns the runs of an assertion, with totals by result.
func (a *api) AssertionRunEvents(at place, w *set) func(context.Context, gqltype.AssertionRunEventsArgs) (*gqltype.AssertionRunEventsResult, error) {
	return func(ctx context.Context, args gqltype.AssertionRunEventsArgs) (*gqltype.AssertionRunEventsResult, error) {
		filter := args.Filter
		if args.Status != nil {
			filter = &gqltype.FilterInput{And: []gqltype.FacetFilterInput{{Field: "status", Values: &[]string{*args.Status}}}}
			if args.Filter != nil {
				filter.And = append(filter.And, args.Filter.And...)
			}
		}
		limit := args.Limit
		if limit == nil {
			limit = ptr(int32(statistics.MaxEvents))
		}
		events, err := a.events(ctx, at, "assertionRunEvent", args.StartTimeMillis, args.EndTimeMillis, filter, limit)
		if err != nil {
			return nil, err
		}
		out := &gqltype.AssertionRunEventsResult{Total: int32(len(events))}
		for _, e := range events {
			switch jsontree.Text(jsontree.Child(e.Value, "result"), "type") {
			case "SUCCESS":
				out.Succeeded++
			case "FAILURE":
				out.Failed++
			case "ERROR":
				out.Errored++
			}
		}
		runs, err := projectEvents(ctx, a, events, func(l *loader, e statistics.Event) *gqltype.AssertionRunEvent {
			return l.ToAssertionRunEvent(ctx, at, e.Value, w.Of("AssertionRunEventsResult")["runEvents"])
		})
		out.RunEvents = *runs
		return out, err
	}
}

// TestRunEvents returns the results of the runs of a metadata test.
func (a *api) TestRunEvents(at place, w *set) func(context.Context, gqltype.TestRunEventsArgs) (*gqltype.TestRunEventsResult, error) {
	return func(ctx context.Context, args gqltype.TestRunEventsArgs) (*gqltype.TestRunEventsResult, error) {
		limit := ptr(valueOr(args.Limit, defaultRunEvents))
		events, err := a.events(ctx, at, metatest.RunEventAspect, args.StartTimeMillis, args.EndTimeMillis, args.Filter, limit)
		if err != nil {
			return nil, err
		}
		found, err := projectEvents(ctx, a, events, func(l *loader, e statistics.Event) *gqltype.TestRunEvent {
			return l.ToTestRunEvent(ctx, at, e.Value, w.Of("TestRunEventsResult")["runEvents"])
		})
		return &gqltype.TestRunEventsResult{Total: int32(len(events)), RunEvents: *found}, err
	}
}

// since returns the start of the period of a usage field in milliseconds: start if given,
// otherwise the start of the named range.
func (a *api) since(start *gqltype.Long, name *string) (*int64, error) {
	if start != nil {
		return millis(start), nil
	}
	from, err := a.Statistics.Since(value(name))
	return &from, err
}

// usage reads the events of a usage aspect and sums them up. Aspects other than datasetUsage also
// have events with cumulative counts, which the sum ignores.
func (a *api) usage(ctx context.Context, u urn.URN, aspect string, from, to *int64) ([]statistics.Event, statistics.Usage, error) {
	events, err := a.timeseriesEvents(ctx, statistics.Query{URN: u, Aspect: aspect, From: from, To: to})
	if aspect != datasetUsage {
		return events, statistics.Sum(statistics.Windows(events)), err
	}
	return events, statistics.Sum(events), err
}

// datasetUsage is the only usage aspect in which every event covers a period of time.
const datasetUsage = "datasetUsageStatistics"

// DatasetUsage returns the number of queries on a dataset by users and columns, per day and in
// total. It is nil when the actor may not see the usage.
func (a *api) DatasetUsage(at place, w *set) func(context.Context, gqltype.DatasetUsageArgs) (*gqltype.UsageQueryResult, error) {
	return func(ctx context.Context, args gqltype.DatasetUsageArgs) (*gqltype.UsageQueryResult, error) {
		from, err := a.since(args.StartTimeMillis, args.Range)
		if err != nil {
			return nil, err
		}
		found, err := a.usageOf(ctx, statistics.UsageQuery{Dataset: at.URN, Duration: "DAY", From: from, TimeZone: value(args.TimeZone)})
		if err != nil {
			return nil, unlessForbidden(err)
		}
		users := w.Of("UsageQueryResult")["aggregations"].Of("UsageQueryResultAggregations")["users"]
		return build(ctx, a, func(l *loader) *gqltype.UsageQueryResult {
			out := &gqltype.UsageQueryResult{Aggregations: &gqltype.UsageQueryResultAggregations{
				UniqueUserCount: ptr(int32(len(found.Users))), TotalSqlQueries: count32(found.Queries),
				Users: userCounts(l, found.Users, users), Fields: fieldCounts(found.Columns),
			}}
			buckets := make([]*gqltype.UsageAggregation, 0, len(found.Buckets))
			for _, b := range found.Buckets {
				metrics := &gqltype.UsageAggregationMetrics{UniqueUserCount: count32(b.UniqueUsers), TotalSqlQueries: count32(b.Queries)}
				if b.TopQueries != nil {
					queries := make([]*string, 0, len(b.TopQueries))
					for _, q := range b.TopQueries {
						queries = append(queries, ptr(q))
					}
					metrics.TopSqlQueries = &queries
				}
				buckets = append(buckets, &gqltype.UsageAggregation{Bucket: ptr(gqltype.Long(b.Start)), Duration: ptr("DAY"), Resource: ptr(string(at.URN)), Metrics: metrics})
			}
			out.Buckets = &buckets
			return out
		})
	}
}

// count32 converts a count to the GraphQL type Int; larger values become the largest Int.
func count32(n *int64) *int32 {
	if n == nil {
		return nil
	}
	return ptr(int32(min(*n, math.MaxInt32)))
}

// unlessForbidden returns nil for a fault.Forbidden error, because fields that the actor may not
// see are empty.
func unlessForbidden(err error) error {
	if errors.Is(err, fault.Forbidden) {
		return nil
	}
	return err
}

func userCounts(l *loader, shares []statistics.Share, w *set) *[]*gqltype.UserUsageCounts {
	out := make([]*gqltype.UserUsageCounts, 0, len(shares))
	for _, s := range shares {
		out = append(out, &gqltype.UserUsageCounts{User: user(l, s.Name, w.Of("UserUsageCounts")["user"]), Count: ptr(int32(s.Count)), UserEmail: nilIfZero(s.Email)})
	}
	return &out
}

func fieldCounts(shares []statistics.Share) *[]*gqltype.FieldUsageCounts {
	out := make([]*gqltype.FieldUsageCounts, 0, len(shares))
	for _, s := range shares {
		out = append(out, &gqltype.FieldUsageCounts{FieldName: ptr(s.Name), Count: ptr(int32(s.Count))})
	}
	return &out
}

// user returns the user with a URN, nil when the text is no URN of a user.
func user(l *loader, text string, w *set) *gqltype.CorpUser {
	u, err := urn.Parse(text)
	if err != nil || u.Type() != "corpuser" {
		return nil
	}
	return l.CorpUser(u, w)
}

func topUsers(l *loader, shares []statistics.Share, w *set) *[]*gqltype.CorpUser {
	out := []*gqltype.CorpUser{}
	for _, s := range pageOf(shares, 0, 10) {
		if u := user(l, s.Name, w); u != nil {
			out = append(out, u)
		}
	}
	return &out
}

// monthOf sums up the usage of the last 30 days.
func (a *api) monthOf(ctx context.Context, u urn.URN, aspect string) (statistics.Usage, error) {
	from := a.now().AddDate(0, 0, -30).UnixMilli()
	_, sum, err := a.usage(ctx, u, aspect, &from, nil)
	return sum, err
}

// DatasetStatsSummary is the usage of a dataset in the last 30 days, nil when the actor may not
// see it.
func (a *api) DatasetStatsSummary(ctx context.Context, l *loader, at place, w *set) (*gqltype.DatasetStatsSummary, error) {
	sum, err := a.monthOf(ctx, at.URN, datasetUsage)
	if err != nil {
		return nil, unlessForbidden(err)
	}
	features := jsontree.AsObject(at.Aspect(statistics.UsageFeatures))
	return &gqltype.DatasetStatsSummary{
		QueryCountLast30Days: ptr(int32(sum.Queries)), UniqueUserCountLast30Days: ptr(int32(sum.UniqueUsers())),
		TopUsersLast30Days:             topUsers(l, sum.Users, w.Of("DatasetStatsSummary")["topUsersLast30Days"]),
		QueryCountPercentileLast30Days: percentile(features, "queryCountPercentileLast30Days"),
		UniqueUserPercentileLast30Days: percentile(features, "uniqueUserPercentileLast30Days"),
	}, nil
}

func percentile(features jsontree.Object, member string) *int32 {
	if features[member] == nil {
		return nil
	}
	return ptr(int32(min(max(jsontree.Int(features, member), 0), 100)))
}

// DashboardStatsSummary is the usage of a dashboard: all views so far, and views and users of the
// last 30 days.
func (a *api) DashboardStatsSummary(ctx context.Context, l *loader, at place, w *set) (*gqltype.DashboardStatsSummary, error) {
	sum, err := a.monthOf(ctx, at.URN, "dashboardUsageStatistics")
	if err != nil {
		return nil, err
	}
	ever, _, err := a.usage(ctx, at.URN, "dashboardUsageStatistics", nil, nil)
	return &gqltype.DashboardStatsSummary{
		ViewCount: ptr(int32(statistics.ViewsSoFar(ever))), ViewCountLast30Days: ptr(int32(sum.Views)), UniqueUserCountLast30Days: ptr(int32(len(sum.Users))),
		TopUsersLast30Days: topUsers(l, sum.Users, w.Of("DashboardStatsSummary")["topUsersLast30Days"]),
	}, err
}

// ChartStatsSummary is the usage of a chart: all views so far, and views and users of the last 30
// days.
func (a *api) ChartStatsSummary(ctx context.Context, l *loader, at place, w *set) (*gqltype.ChartStatsSummary, error) {
	sum, err := a.monthOf(ctx, at.URN, "chartUsageStatistics")
	if err != nil {
		return nil, err
	}
	ever, _, err := a.usage(ctx, at.URN, "chartUsageStatistics", nil, nil)
	return &gqltype.ChartStatsSummary{
		ViewCount: ptr(int32(statistics.ViewsSoFar(ever))), ViewCountLast30Days: ptr(int32(sum.Views)), UniqueUserCountLast30Days: ptr(int32(len(sum.Users))),
		TopUsersLast30Days: topUsers(l, sum.Users, w.Of("ChartStatsSummary")["topUsersLast30Days"]),
	}, err
}

// DashboardUsage returns the usage of a dashboard by user, per day and in total.
func (a *api) DashboardUsage(at place, w *set) func(context.Context, gqltype.DashboardUsageArgs) (*gqltype.DashboardUsageQueryResult, error) {
	return func(ctx context.Context, args gqltype.DashboardUsageArgs) (*gqltype.DashboardUsageQueryResult, error) {
		events, total, err := a.usage(ctx, at.URN, "dashboardUsageStatistics", millis(args.StartTimeMillis), millis(args.EndTimeMillis))
		if err != nil {
			return nil, err
		}
		want := w.Of("DashboardUsageQueryResult")
		return build(ctx, a, func(l *loader) *gqltype.DashboardUsageQueryResult {
			users := []*gqltype.DashboardUserUsageCounts{}
			for _, s := range total.Users {
				users = append(users, &gqltype.DashboardUserUsageCounts{
					User:       user(l, s.Name, want["aggregations"].Of("DashboardUsageQueryResultAggregations")["users"].Of("DashboardUserUsageCounts")["user"]),
					ViewsCount: ptr(int32(s.Views)), ExecutionsCount: ptr(int32(s.Executions)), UsageCount: ptr(int32(s.Count)),
				})
			}
			buckets := []*gqltype.DashboardUsageAggregation{}
			for _, b := range statistics.ByDay(statistics.Windows(events)) {
				sum := statistics.Sum(b.Events)
				buckets = append(buckets, &gqltype.DashboardUsageAggregation{
					Bucket: ptr(gqltype.Long(b.Start)), Duration: ptr("DAY"), Resource: ptr(string(at.URN)),
					Metrics: &gqltype.DashboardUsageAggregationMetrics{
						UniqueUserCount: ptr(int32(len(sum.Users))), ViewsCount: ptr(int32(sum.Views)), ExecutionsCount: ptr(int32(sum.Executions)),
					},
				})
			}
			metrics := []*gqltype.DashboardUsageMetrics{}
			for _, e := range pageOf(events, 0, int(valueOr(args.Limit, defaultEvents))) {
				metrics = append(metrics, l.ToDashboardUsageMetrics(ctx, at, e.Value, want["metrics"]))
			}
			return &gqltype.DashboardUsageQueryResult{Buckets: &buckets, Metrics: &metrics, Aggregations: &gqltype.DashboardUsageQueryResultAggregations{
				UniqueUserCount: ptr(int32(len(total.Users))), Users: &users, ViewsCount: ptr(int32(total.Views)), ExecutionsCount: ptr(int32(total.Executions)),
			}}
		})
	}
}

// OperationsStats counts the operations on a dataset, per day and in total. It is nil when the
// actor may not see them.
func (a *api) OperationsStats(at place, _ *set) func(context.Context, gqltype.OperationsStatsArgs) (*gqltype.OperationsQueryResult, error) {
	return func(ctx context.Context, args gqltype.OperationsStatsArgs) (*gqltype.OperationsQueryResult, error) {
		var in gqltype.OperationsStatsInput
		if args.Input != nil {
			in = *args.Input
		}
		from, err := a.since(nil, in.Range)
		if err != nil {
			return nil, err
		}
		events, err := a.timeseriesEvents(ctx, statistics.Query{URN: at.URN, Aspect: "operation", From: from})
		if err != nil {
			return nil, unlessForbidden(err)
		}
		buckets := []*gqltype.OperationsAggregation{}
		for _, b := range statistics.ByDay(events) {
			buckets = append(buckets, &gqltype.OperationsAggregation{
				Bucket: ptr(gqltype.Long(b.Start)), Duration: ptr("DAY"), Resource: ptr(string(at.URN)), Aggregations: operationCounts(b.Events),
			})
		}
		return &gqltype.OperationsQueryResult{Buckets: &buckets, Aggregations: operationCounts(events)}, nil
	}
}

func operationCounts(events []statistics.Event) *gqltype.OperationsAggregationsResult {
	counted := statistics.Count(events)
	of := func(kind string) *int32 { return ptr(int32(counted.ByType[kind])) }
	custom := []*gqltype.IntMapEntry{}
	for _, name := range sortedKeys(counted.Custom) {
		custom = append(custom, &gqltype.IntMapEntry{Key: name, Value: ptr(int32(counted.Custom[name]))})
	}
	return &gqltype.OperationsAggregationsResult{
		TotalOperations: ptr(int32(counted.Total)), TotalInserts: of("INSERT"), TotalUpdates: of("UPDATE"), TotalDeletes: of("DELETE"),
		TotalCreates: of("CREATE"), TotalAlters: of("ALTER"), TotalDrops: of("DROP"), TotalCustoms: of("CUSTOM"), CustomOperationsMap: &custom,
	}
}

// TimeseriesCapabilities returns the times of the oldest operation, usage and profile events of
// an asset.
func (a *api) TimeseriesCapabilities(ctx context.Context, _ *loader, at place, _ *set) (*gqltype.TimeseriesCapabilitiesResult, error) {
	stats := &gqltype.AssetStatsResult{}
	for aspect, into := range map[string]**gqltype.Long{
		"operation": &stats.OldestOperationTime, datasetUsage: &stats.OldestDatasetUsageTime, "datasetProfile": &stats.OldestDatasetProfileTime,
	} {
		oldest, err := readWithinBudget(ctx, 1, noExtraCost, func() (int64, error) { return a.Statistics.Oldest(ctx, at.URN, aspect) })
		if err != nil {
			return nil, err
		}
		*into = nilIfZero(gqltype.Long(oldest))
	}
	return &gqltype.TimeseriesCapabilitiesResult{AssetStats: stats}, nil
}
