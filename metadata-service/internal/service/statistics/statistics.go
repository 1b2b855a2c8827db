// Package statistics summarizes usage data in time-series aspects: users and number of queries of a
// dataset, views of a dashboard, operations on a dataset. It reads aspects through the catalog,
// which checks the privileges of the actor.
package statistics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxEvents is the maximum number of documents in a summary: the newest ones.
const MaxEvents = 10_000

// Catalog reads and writes time-series documents. catalog.Service implements it.
type Catalog interface {
	Timeseries(ctx context.Context, q catalog.TimeseriesQuery) ([]timeseries.Document, error)
	Series(entityType, aspect string) (catalog.Series, error)
	Write(ctx context.Context, proposals []catalog.Proposal, o catalog.WriteOptions) ([]catalog.Written, error)
}

// Limits restrict the series reads of a request. Nil members set no limit.
type Limits struct {
	// Alone waits until no other part of the request reads a series. The caller must call end
	// afterwards.
	Alone func(ctx context.Context) (end func(), err error)
	// Reserve reserves bytes of memory and processor time, like admission.ReserveWithWork.
	Reserve func(ctx context.Context, bytes int64, work time.Duration) error
}

const (
	// decodedFactor is the memory of a decoded document as a multiple of its text.
	decodedFactor = 8
	// byteTime is the processor time for reading and decoding one byte of a document.
	byteTime = 20 * time.Nanosecond
	// leastWork is the minimum processor time of a read of documents.
	leastWork = 200 * time.Microsecond
)

// Service computes summaries. It is safe for concurrent use.
type Service struct {
	documents Catalog
	limits    Limits
	now       func() time.Time
}

// New returns a Service.
func New(documents Catalog, limits Limits, now func() time.Time) *Service {
	if limits.Alone == nil {
		limits.Alone = func(context.Context) (func(), error) { return func() {}, nil }
	}
	if limits.Reserve == nil {
		limits.Reserve = func(context.Context, int64, time.Duration) error { return nil }
	}
	return &Service{documents: documents, limits: limits, now: now}
}

// Query selects events of an entity, newest first.
type Query struct {
	URN      urn.URN
	Aspect   string
	From, To *int64 // epoch ms, inclusive
	Filter   timeseries.Filter
	Limit    int // 0 for MaxEvents
}

// Event is one document of a time-series aspect.
type Event struct {
	Time  int64 // epoch ms
	Value jsontree.Object
}

// Events returns events, newest first. It requires the privilege to read the aspect.
func (s *Service) Events(ctx context.Context, q Query) ([]Event, error) {
	if q.Limit <= 0 || q.Limit > MaxEvents {
		q.Limit = MaxEvents
	}
	read := catalog.TimeseriesQuery{URN: q.URN, EntityType: q.URN.Type(), Aspect: q.Aspect, From: q.From, To: q.To, Filter: q.Filter, Limit: q.Limit, PartOfEntity: true, Disclosure: catalog.Omitted}
	end, err := s.limits.Alone(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := s.limits.Reserve(ctx, 0, leastWork); err != nil {
		return nil, err
	}
	documents, err := s.documents.Timeseries(ctx, read)
	if err != nil {
		return nil, err
	}
	size := sizeOf(documents)
	if err := s.limits.Reserve(ctx, decodedFactor*size, byteTime*time.Duration(size)); err != nil {
		return nil, err
	}
	events := make([]Event, 0, len(documents))
	for _, d := range documents {
		value, err := jsontree.DecodeObject(d.Event)
		if err != nil {
			return nil, fmt.Errorf("decode %s of %s: %w", q.Aspect, q.URN, err)
		}
		events = append(events, Event{Time: d.Time, Value: value})
	}
	return events, nil
}

func sizeOf(documents []timeseries.Document) (bytes int64) {
	for i := range documents {
		bytes += int64(len(documents[i].Event))
	}
	return bytes
}

// Oldest returns the time of the first event of an aspect in epoch ms, or 0 if there is none.
func (s *Service) Oldest(ctx context.Context, u urn.URN, aspect string) (int64, error) {
	documents, err := s.documents.Timeseries(ctx, catalog.TimeseriesQuery{URN: u, EntityType: u.Type(), Aspect: aspect, Ascending: true, Limit: 1, PartOfEntity: true})
	if err != nil || len(documents) == 0 {
		return 0, err
	}
	return documents[0].Time, nil
}

// ranges are the lengths of named ranges in hours: one hour or day more than the name, so that the
// first bucket is complete.
var ranges = map[string]int64{"HOUR": 2, "DAY": 2 * 24, "WEEK": 8 * 24, "MONTH": 31 * 24, "QUARTER": 92 * 24, "HALF_YEAR": 183 * 24, "YEAR": 366 * 24}

// Since returns the start of a range that ends now, in epoch ms. ALL and the empty name start at 0.
// An unknown name is fault.Malformed.
func (s *Service) Since(name string) (int64, error) {
	if name == "" || name == "ALL" {
		return 0, nil
	}
	hours, ok := ranges[name]
	if !ok {
		return 0, fault.New(fault.Malformed, "range: %.50q is unknown", name)
	}
	return s.now().UnixMilli() - hours*hourMillis, nil
}

// Share is the use by one user, or of one column.
type Share struct {
	Name  string // URN of the user, path of the column
	Email string
	Count int
	// Views and Executions are set for dashboards only.
	Views, Executions int
}

// Usage is the sum of the use of an asset over events.
type Usage struct {
	Queries int // of datasets
	Views   int // of dashboards and charts
	// Executions of dashboards.
	Executions int
	Users      []Share // most active first
	Columns    []Share
	// MostUsers is the maximum of the user counts of single events.
	MostUsers int
	// Latest is the value of the newest event, with favorites and the time of the last view.
	Latest jsontree.Object
}

// UniqueUsers returns the number of users of a dataset. If events contain only the number of users
// and not their names, it is at least the number of the period with the most users.
func (u *Usage) UniqueUsers() int { return max(len(u.Users), u.MostUsers) }

// Windows removes running totals. Events of dashboards and charts without an eventGranularity count
// all views so far; the others count the views of a period.
func Windows(events []Event) []Event {
	out := make([]Event, 0, len(events))
	for _, e := range events {
		if e.Value["eventGranularity"] != nil {
			out = append(out, e)
		}
	}
	return out
}

// ViewsSoFar returns the number of all views of a dashboard or chart: the newest running total, or
// else the sum of all periods. Events must be ordered newest first.
func ViewsSoFar(events []Event) int {
	for _, e := range events {
		if e.Value["eventGranularity"] == nil && e.Value["viewsCount"] != nil {
			return int(jsontree.Int(e.Value, "viewsCount"))
		}
	}
	return Sum(events).Views
}

// Sum adds up events of datasetUsageStatistics, dashboardUsageStatistics or chartUsageStatistics,
// which must be ordered newest first.
func Sum(events []Event) Usage {
	var sum usageSum
	for _, e := range events {
		sum.add(e.Value)
	}
	return sum.usage()
}

// usageSum is a sum of values that are added newest first.
type usageSum struct {
	sum            Usage
	users, columns map[string]*Share
}

func (s *usageSum) add(value jsontree.Object) {
	if s.sum.Latest == nil {
		s.sum.Latest, s.users, s.columns = value, map[string]*Share{}, map[string]*Share{}
	}
	s.sum.Queries += int(jsontree.Int(value, "totalSqlQueries"))
	s.sum.Views += int(jsontree.Int(value, "viewsCount"))
	s.sum.Executions += int(jsontree.Int(value, "executionsCount"))
	s.sum.MostUsers = max(s.sum.MostUsers, int(jsontree.Int(value, "uniqueUserCount")))
	for _, c := range jsontree.Children(value, "userCounts") {
		of := shareOf(s.users, jsontree.Text(c, "user"))
		of.Count += int(jsontree.Int(c, "count")) + int(jsontree.Int(c, "usageCount"))
		of.Views += int(jsontree.Int(c, "viewsCount"))
		of.Executions += int(jsontree.Int(c, "executionsCount"))
		of.Email = cmp.Or(of.Email, jsontree.Text(c, "userEmail"))
	}
	for _, c := range jsontree.Children(value, "fieldCounts") {
		shareOf(s.columns, jsontree.Text(c, "fieldPath")).Count += int(jsontree.Int(c, "count"))
	}
}

func (s *usageSum) usage() Usage {
	s.sum.Users, s.sum.Columns = sortShares(s.users), sortShares(s.columns)
	return s.sum
}

func shareOf(of map[string]*Share, name string) *Share {
	s := of[name]
	if s == nil {
		s = &Share{Name: name}
		of[name] = s
	}
	return s
}

func sortShares(of map[string]*Share) []Share {
	out := make([]Share, 0, len(of))
	for name, s := range of {
		if name != "" {
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Count+b.Views+b.Executions, a.Count+a.Views+a.Executions), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Operations counts operations on a dataset by type.
type Operations struct {
	Total  int
	ByType map[string]int
	Custom map[string]int // of type CUSTOM, by their custom type
}

// Count counts events of the aspect operation.
func Count(events []Event) Operations {
	o := Operations{Total: len(events), ByType: map[string]int{}, Custom: map[string]int{}}
	for _, e := range events {
		kind := jsontree.Text(e.Value, "operationType")
		o.ByType[kind]++
		if kind == "CUSTOM" {
			o.Custom[jsontree.Text(e.Value, "customOperationType")]++
		}
	}
	return o
}

// Bucket is a period with its events.
type Bucket struct {
	Start  int64
	Events []Event
}

// ByDay groups events by day (UTC), oldest first. Events must be ordered newest first.
func ByDay(events []Event) []Bucket {
	const day = 86_400_000
	var out []Bucket
	for _, e := range slices.Backward(events) {
		start := e.Time - e.Time%day
		if n := len(out); n == 0 || out[n-1].Start != start {
			out = append(out, Bucket{Start: start})
		}
		out[len(out)-1].Events = append(out[len(out)-1].Events, e)
	}
	return out
}
