package rest

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (s *handlers) usageActions() []action {
	return []action{
		typedAction("query", queryLimit, s.queryUsage),
		typedAction("queryRange", queryLimit, s.queryUsageRange),
		typedAction("batchIngest", ingestLimit, s.ingestUsage),
	}
}

type usageInput struct {
	Resource   string    `json:"resource" param:"required"`
	Duration   string    `json:"duration" param:"required"`
	Start      *looseInt `json:"startTime"`
	End        *looseInt `json:"endTime"`
	MaxBuckets *looseInt `json:"maxBuckets"`
	TimeZone   string    `json:"timeZone"`
}

func (s *handlers) queryUsage(ctx context.Context, in usageInput) (any, error) {
	q := statistics.UsageQuery{Duration: in.Duration, From: in.Start.int64(), To: in.End.int64(), TimeZone: in.TimeZone}
	if n := in.MaxBuckets.int64(); n != nil {
		most := int(*n)
		q.MaxBuckets = &most
	}
	return s.usage(ctx, in.Resource, q)
}

type usageRangeInput struct {
	Resource string    `json:"resource" param:"required"`
	Duration string    `json:"duration" param:"required"`
	Range    string    `json:"rangeFromEnd" param:"required"`
	Start    *looseInt `json:"startTime"` // replaces the start of the range
	TimeZone string    `json:"timeZone"`
}

func (s *handlers) queryUsageRange(ctx context.Context, in usageRangeInput) (any, error) {
	return s.usage(ctx, in.Resource, statistics.UsageQuery{Duration: in.Duration, Range: in.Range, From: in.Start.int64(), TimeZone: in.TimeZone})
}

func (s *handlers) usage(ctx context.Context, resource string, q statistics.UsageQuery) (any, error) {
	var err error
	if q.Dataset, err = s.urnOf("resource", resource); err != nil {
		return nil, err
	}
	found, err := s.Statistics.UsageOf(ctx, q)
	if err != nil {
		return nil, err
	}
	buckets := make([]any, len(found.Buckets))
	for i, b := range found.Buckets {
		metrics := object{}
		putCount(metrics, "uniqueUserCount", b.UniqueUsers)
		putCount(metrics, "totalSqlQueries", b.Queries)
		if b.TopQueries != nil {
			metrics["topSqlQueries"] = list(b.TopQueries)
		}
		buckets[i] = object{"bucket": b.Start, "duration": q.Duration, "resource": string(q.Dataset), "metrics": metrics}
	}
	users := make([]any, len(found.Users))
	for i, u := range found.Users {
		user := object{"user": u.Name, "count": u.Count}
		if u.Email != "" {
			user["userEmail"] = u.Email
		}
		users[i] = user
	}
	fields := make([]any, len(found.Columns))
	for i, c := range found.Columns {
		fields[i] = object{"fieldName": c.Name, "count": c.Count}
	}
	aggregations := object{"uniqueUserCount": len(users), "users": users, "fields": fields}
	putCount(aggregations, "totalSqlQueries", found.Queries)
	return object{"buckets": buckets, "aggregations": aggregations}, nil
}

func putCount(to object, name string, n *int64) {
	if n != nil {
		to[name] = *n
	}
}

type ingestUsageInput struct {
	Buckets boundedList[usageBucket] `json:"buckets" param:"required"`
}

type usageBucket struct {
	Bucket   *looseInt     `json:"bucket"`
	Duration string        `json:"duration"`
	Resource string        `json:"resource"`
	Metrics  *usageMetrics `json:"metrics"`
}

type usageMetrics struct {
	UniqueUsers *looseInt           `json:"uniqueUserCount"`
	Queries     *looseInt           `json:"totalSqlQueries"`
	TopQueries  boundedList[string] `json:"topSqlQueries"`
	Users       boundedList[struct {
		User  string   `json:"user"`
		Count looseInt `json:"count"`
		Email string   `json:"userEmail"`
	}] `json:"users"`
	Fields boundedList[struct {
		Name  string   `json:"fieldName"`
		Count looseInt `json:"count"`
	}] `json:"fields"`
}

// ingestUsage stores usage reports of older clients.
func (s *handlers) ingestUsage(ctx context.Context, in ingestUsageInput) (any, error) {
	reports := make([]statistics.UsageReport, len(in.Buckets))
	for i := range in.Buckets {
		var err error
		if reports[i], err = s.usageReport(fmt.Sprintf("buckets[%d]", i), &in.Buckets[i]); err != nil {
			return nil, err
		}
	}
	return noValue{}, s.Statistics.ReportUsage(ctx, reports, s.writeOptions(false))
}

func (s *handlers) usageReport(at string, in *usageBucket) (r statistics.UsageReport, err error) {
	for _, must := range []struct {
		name  string
		there bool
	}{{"bucket", in.Bucket != nil}, {"duration", in.Duration != ""}, {"resource", in.Resource != ""}, {"metrics", in.Metrics != nil}} {
		if !must.there {
			return r, fault.New(fault.Malformed, "%s.%s is required and not there", at, must.name)
		}
	}
	r = statistics.UsageReport{
		Start: int64(*in.Bucket), Duration: in.Duration, UniqueUsers: in.Metrics.UniqueUsers.int64(), Queries: in.Metrics.Queries.int64(), TopQueries: in.Metrics.TopQueries,
	}
	if r.Dataset, err = s.urnOf(at+".resource", in.Resource); err != nil {
		return r, err
	}
	for _, u := range in.Metrics.Users {
		r.Users = append(r.Users, statistics.Share{Name: u.User, Count: int(u.Count), Email: u.Email})
	}
	for _, f := range in.Metrics.Fields {
		r.Columns = append(r.Columns, statistics.Share{Name: f.Name, Count: int(f.Count)})
	}
	return r, nil
}
