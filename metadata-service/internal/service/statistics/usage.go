package statistics

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// datasetUsage is the aspect with the queries of a dataset.
const datasetUsage = "datasetUsageStatistics"

// MaxUsageDocuments is the maximum number of documents that one usage request of a dataset reads.
const MaxUsageDocuments = 100_000

// usageDurations are the permitted lengths of usage windows.
var usageDurations = []string{"YEAR", "MONTH", "WEEK", "DAY", "HOUR"}

// UsageQuery requests the use of a dataset over time.
type UsageQuery struct {
	Dataset  urn.URN
	Duration string // of a bucket: YEAR, MONTH, WEEK, DAY or HOUR
	// Range is a named range that ends now, see Since. From and To take precedence.
	Range    string
	From, To *int64 // epoch ms, inclusive; nil for no limit
	TimeZone string // of the buckets; empty for UTC
	// MaxBuckets limits the result to the newest buckets. If it is nil, more than MaxWindows
	// buckets are an error.
	MaxBuckets *int
}

// UsageBucket is the use in one window of time, from its latest document.
type UsageBucket struct {
	Start       int64  // epoch ms
	Queries     *int64 // nil if unknown, as in windows without documents
	UniqueUsers *int64
	TopQueries  []string
}

// DatasetUsage is the use of a dataset: by window, oldest first, and in total.
type DatasetUsage struct {
	Buckets []UsageBucket
	Queries *int64 // sum over all buckets; nil if unknown
	Users   []Share
	Columns []Share
}

// UsageOf returns the use of a dataset. It includes windows of a day or longer without data between
// the first and the last window with data, but no hours without data. It requires the privilege to
// read the aspect.
func (s *Service) UsageOf(ctx context.Context, q UsageQuery) (DatasetUsage, error) {
	w, err := s.checkUsage(&q)
	if err != nil {
		return DatasetUsage{}, err
	}
	var sum usageSum
	var buckets []UsageBucket // newest first
	err = s.visitDocuments(ctx, catalog.TimeseriesQuery{
		URN: q.Dataset, EntityType: q.Dataset.Type(), Aspect: datasetUsage, From: q.From, To: q.To, PartOfEntity: true, Disclosure: catalog.Omitted,
	}, MaxUsageDocuments, func(d *timeseries.Document) error {
		value, err := jsontree.DecodeObject(d.Event)
		if err != nil {
			return fmt.Errorf("decode %s of %s: %w", datasetUsage, q.Dataset, err)
		}
		sum.add(value)
		if start := w.start(d.Time); len(buckets) == 0 || buckets[len(buckets)-1].Start != start {
			buckets = append(buckets, usageBucket(start, value))
		}
		return nil
	})
	if err != nil {
		return DatasetUsage{}, err
	}
	total := sum.usage()
	out := DatasetUsage{Queries: queriesOf(buckets), Users: total.Users, Columns: total.Columns}
	out.Buckets, err = fillBuckets(buckets, w, q.MaxBuckets)
	return out, err
}

func (s *Service) checkUsage(q *UsageQuery) (w window, err error) {
	if q.Dataset.Type() != "dataset" {
		return w, fault.New(fault.Malformed, "resource: %s is not the URN of a dataset", q.Dataset)
	}
	if !slices.Contains(usageDurations, q.Duration) {
		return w, fault.New(fault.Malformed, "duration: must be one of YEAR, MONTH, WEEK, DAY, HOUR, is %.50q", q.Duration)
	}
	if q.MaxBuckets != nil && (*q.MaxBuckets < 1 || *q.MaxBuckets > MaxWindows) {
		return w, fault.New(fault.Malformed, "maxBuckets: must be between 1 and %d, is %d", MaxWindows, *q.MaxBuckets)
	}
	if q.Range != "" && q.From == nil {
		from, err := s.Since(q.Range)
		if err != nil {
			return w, fault.Wrap(err, fault.Malformed, "rangeFromEnd: must be one of HOUR, DAY, WEEK, MONTH, QUARTER, HALF_YEAR, YEAR, ALL, is %.50q", q.Range)
		}
		q.From = &from
	}
	if q.Range != "" && q.To == nil {
		now := s.now().UnixMilli()
		q.To = &now
	}
	low, high, err := parsePeriod("startTime", q.From, "endTime", q.To)
	if err != nil {
		return w, err
	}
	q.From, q.To = &low, &high
	return newWindow("duration", q.Duration, 1, q.TimeZone)
}

func usageBucket(start int64, value jsontree.Object) UsageBucket {
	b := UsageBucket{Start: start}
	if value["topSqlQueries"] != nil {
		b.TopQueries = jsontree.Texts(value, "topSqlQueries")
	}
	for name, into := range map[string]**int64{"totalSqlQueries": &b.Queries, "uniqueUserCount": &b.UniqueUsers} {
		if value[name] != nil {
			n := jsontree.Int(value, name)
			*into = &n
		}
	}
	return b
}

func queriesOf(buckets []UsageBucket) *int64 {
	var sum *int64
	for _, b := range buckets {
		if b.Queries == nil {
			continue
		}
		if sum == nil {
			sum = new(int64)
		}
		*sum += *b.Queries
	}
	return sum
}

// fillBuckets returns buckets oldest first, with the missing windows between them.
func fillBuckets(newestFirst []UsageBucket, w window, most *int) ([]UsageBucket, error) {
	limit := MaxWindows
	if most != nil {
		limit = *most
	}
	var out []UsageBucket // newest first
	for i, b := range newestFirst {
		if i > 0 && w.countable() {
			for n := w.number(newestFirst[i-1].Start) - 1; n > w.number(b.Start) && len(out) < limit; n-- {
				out = append(out, UsageBucket{Start: w.begin(n)})
			}
		}
		if len(out) >= limit {
			if most == nil {
				return nil, fault.New(fault.TooLarge, "duration: the data has more than %d buckets of a %s; ask for a longer duration, a shorter time or maxBuckets", limit, w.unit)
			}
			break
		}
		out = append(out, b)
	}
	slices.Reverse(out)
	return out, nil
}

// visitDocuments visits documents newest first, page by page. More than most documents are
// fault.TooLarge. Parts of a request run it one at a time, with memory for one page.
func (s *Service) visitDocuments(ctx context.Context, q catalog.TimeseriesQuery, most int, visit func(*timeseries.Document) error) error {
	end, err := s.limits.Alone(ctx)
	if err != nil {
		return err
	}
	defer end()
	const page = 250
	q.Limit = page
	reserved, work := int64(0), leastWork
	for seen := 0; ; {
		if err := s.limits.Reserve(ctx, 0, work); err != nil {
			return err
		}
		found, err := s.documents.Timeseries(ctx, q)
		if err != nil {
			return err
		}
		size := sizeOf(found)
		if size > reserved {
			if err := s.limits.Reserve(ctx, size-reserved, 0); err != nil {
				return err
			}
			reserved = size
		}
		work = max(leastWork, byteTime*time.Duration(size))
		if seen += len(found); seen > most {
			return fault.New(fault.TooLarge, "more than %d documents of %s are within the time and filter; narrow them", most, q.Aspect)
		}
		for i := range found {
			if err := visit(&found[i]); err != nil {
				return err
			}
		}
		if len(found) < page {
			return nil
		}
		last := &found[page-1]
		q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
	}
}

// UsageReport is the reported use of a dataset in one window.
type UsageReport struct {
	Dataset     urn.URN
	Start       int64 // epoch ms
	Duration    string
	UniqueUsers *int64
	Queries     *int64
	TopQueries  []string
	Users       []Share // nil if not reported
	Columns     []Share
}

// ReportUsage stores reports, all or none. It requires the privilege to write the usage of each
// dataset.
func (s *Service) ReportUsage(ctx context.Context, reports []UsageReport, o catalog.WriteOptions) error {
	proposals := make([]catalog.Proposal, len(reports))
	for i := range reports {
		value, err := reports[i].value(fmt.Sprintf("buckets[%d]", i))
		if err != nil {
			return err
		}
		proposals[i] = catalog.Proposal{URN: string(reports[i].Dataset), Aspect: datasetUsage, Value: value}
	}
	if len(proposals) == 0 {
		return nil
	}
	_, err := s.documents.Write(ctx, proposals, o)
	return err
}

func (r *UsageReport) value(at string) (json.RawMessage, error) {
	switch {
	case r.Dataset.Type() != "dataset":
		return nil, fault.New(fault.Malformed, "%s.resource: %s is not the URN of a dataset", at, r.Dataset)
	case !slices.Contains(usageDurations, r.Duration):
		return nil, fault.New(fault.Malformed, "%s.duration: must be one of YEAR, MONTH, WEEK, DAY, HOUR, is %.50q", at, r.Duration)
	}
	if _, _, err := parsePeriod(at+".bucket", &r.Start, "", nil); err != nil {
		return nil, err
	}
	value := jsontree.Object{
		"timestampMillis": r.Start, "eventGranularity": jsontree.Object{"unit": r.Duration, "multiple": 1},
	}
	for name, n := range map[string]*int64{"uniqueUserCount": r.UniqueUsers, "totalSqlQueries": r.Queries} {
		if n != nil {
			value[name] = *n
		}
	}
	if r.TopQueries != nil {
		value["topSqlQueries"] = r.TopQueries
	}
	if r.Users != nil {
		users := make([]any, len(r.Users))
		for i, u := range r.Users {
			user := jsontree.Object{"user": u.Name, "count": u.Count}
			if u.Email != "" {
				user["userEmail"] = u.Email
			}
			users[i] = user
		}
		value["userCounts"] = users
	}
	if r.Columns != nil {
		columns := make([]any, len(r.Columns))
		for i, c := range r.Columns {
			columns[i] = jsontree.Object{"fieldPath": c.Name, "count": c.Count}
		}
		value["fieldCounts"] = columns
	}
	return json.Marshal(value)
}
