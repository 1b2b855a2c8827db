package timeseriestest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func order(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(
		document("b", dataset(1), 10), document("ab", dataset(2), 10), document("a", dataset(3), 10),
		document("z", dataset(1), 5), document("c", dataset(2), 20))...)
	wantIDs(t, s, timeseries.Query{}, "c", "b", "ab", "a", "z")
	wantIDs(t, s, timeseries.Query{Ascending: true}, "z", "a", "ab", "b", "c")
	both := []urn.URN{dataset(1), dataset(2), dataset(1)}
	wantIDs(t, s, timeseries.Query{URNs: both}, "c", "b", "ab", "z")
	wantIDs(t, s, timeseries.Query{URNs: both, Ascending: true}, "z", "ab", "b", "c")
	wantIDs(t, s, timeseries.Query{URNs: both, Limit: 2}, "c", "b")
	wantIDs(t, s, timeseries.Query{IDs: []string{"z", "a", "c", "z"}}, "c", "a", "z")
	wantIDs(t, s, timeseries.Query{IDs: []string{"z", "a", "c"}, Ascending: true, Limit: 2}, "z", "a")
	wantIDs(t, s, timeseries.Query{Limit: -1, Ascending: true}, "z", "a", "ab", "b", "c")
}

func paging(t *testing.T, s timeseries.Store) {
	var all []timeseries.Document
	for n := range 50 {
		all = append(all, document(fmt.Sprintf("id%02d", n), dataset(n%3), int64(n/7)))
	}
	apply(t, s, 1, upserts(all...)...)
	for _, base := range []timeseries.Query{
		{}, {URNs: []urn.URN{dataset(1)}}, {URNs: []urn.URN{dataset(0), dataset(2)}},
		{IDs: []string{"id03", "id04", "id05", "id40"}}, {From: at(2), To: at(5)},
	} {
		for _, base.Ascending = range []bool{false, true} {
			whole := ids(find(t, s, base))
			var paged []string
			for q := base; ; {
				q.Limit = 3
				page := find(t, s, q)
				if len(page) == 0 {
					break
				}
				paged = append(paged, ids(page)...)
				last := page[len(page)-1]
				q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
			}
			if !slices.Equal(whole, paged) {
				t.Errorf("paging %+v: got %v, want %v", base, paged, whole)
			}
		}
	}
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: -1, ID: "x"}})
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: 99}, Limit: 1}, "id49")
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: 99}, Limit: 1, To: at(0)}, "id06")
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: -9}, Limit: 1, From: at(1), Ascending: true}, "id07")
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: 0, ID: "id03a"}, Limit: 1, Ascending: true}, "id04")
}

func bounds(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(document("a", dataset(1), 10), document("b", dataset(1), 20), document("c", dataset(1), 30))...)
	for _, urns := range [][]urn.URN{nil, {dataset(1)}} {
		wantIDs(t, s, timeseries.Query{URNs: urns, From: at(20)}, "c", "b")
		wantIDs(t, s, timeseries.Query{URNs: urns, To: at(20)}, "b", "a")
		wantIDs(t, s, timeseries.Query{URNs: urns, From: at(20), To: at(20)}, "b")
		wantIDs(t, s, timeseries.Query{URNs: urns, From: at(11), To: at(19)})
		wantIDs(t, s, timeseries.Query{URNs: urns, From: at(30), To: at(10)})
	}
	wantIDs(t, s, timeseries.Query{IDs: []string{"a", "b", "c"}, From: at(20), To: at(29)}, "b")
}

func extremeTimes(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(
		document("max", dataset(1), math.MaxInt64), document("min", dataset(1), math.MinInt64),
		document("neg", dataset(1), -1), document("zero", dataset(1), 0))...)
	wantIDs(t, s, timeseries.Query{Ascending: true}, "min", "neg", "zero", "max")
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(1)}}, "max", "zero", "neg", "min")
	wantIDs(t, s, timeseries.Query{From: at(math.MinInt64), To: at(math.MaxInt64)}, "max", "zero", "neg", "min")
	wantIDs(t, s, timeseries.Query{To: at(-1)}, "neg", "min")
	wantIDs(t, s, timeseries.Query{From: at(math.MaxInt64)}, "max")
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: math.MaxInt64, ID: "max"}, Limit: 1}, "zero")
	wantIDs(t, s, timeseries.Query{After: &timeseries.Position{Time: math.MaxInt64, ID: "max"}, Ascending: true})
}

func selections(t *testing.T, s timeseries.Store) {
	second := document("b", dataset(1), 20)
	second.RunID = "run-2"
	apply(t, s, 1, upserts(document("a", dataset(1), 10), second, document("c", dataset(2), 30))...)
	wantIDs(t, s, timeseries.Query{RunID: "run-2"}, "b")
	wantIDs(t, s, timeseries.Query{RunID: "run-1", URNs: []urn.URN{dataset(1)}}, "a")
	wantIDs(t, s, timeseries.Query{RunID: "run"})
	wantIDs(t, s, timeseries.Query{IDs: []string{"c", "a", "absent"}}, "c", "a")
	wantIDs(t, s, timeseries.Query{IDs: []string{"c", "a"}, URNs: []urn.URN{dataset(2)}}, "c")
	wantIDs(t, s, timeseries.Query{IDs: []string{""}})
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(9)}})
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(9), dataset(2)}}, "c")
}

func exploded(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(document("a", dataset(1), 10), element("a1", "a", dataset(1), 10), element("a2", "a", dataset(1), 10))...)
	wantIDs(t, s, timeseries.Query{}, "a")
	wantIDs(t, s, timeseries.Query{Exploded: true}, "a2", "a1")
	wantIDs(t, s, timeseries.Query{URNs: []urn.URN{dataset(1)}, Exploded: true, Ascending: true}, "a1", "a2")
	wantIDs(t, s, timeseries.Query{IDs: []string{"a", "a1"}}, "a")
	wantIDs(t, s, timeseries.Query{IDs: []string{"a", "a1"}, Exploded: true}, "a1")
}

func counting(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(
		document("a", dataset(1), 10), document("b", dataset(1), 20), document("c", dataset(2), 30),
		element("a1", "a", dataset(1), 10), element("a2", "a", dataset(1), 10))...)
	for _, c := range []struct {
		q    timeseries.Query
		want int64
	}{
		{timeseries.Query{}, 3},
		{timeseries.Query{Exploded: true}, 2},
		{timeseries.Query{Limit: 1}, 3},
		{timeseries.Query{After: &timeseries.Position{Time: 20, ID: "b"}, Ascending: true}, 3},
		{timeseries.Query{After: &timeseries.Position{Time: 20, ID: "b"}, From: at(10), To: at(20)}, 2},
		{timeseries.Query{URNs: []urn.URN{dataset(1)}}, 2},
		{timeseries.Query{URNs: []urn.URN{dataset(1), dataset(2)}, From: at(11)}, 2},
		{timeseries.Query{RunID: "run-1"}, 3},
		{timeseries.Query{RunID: "none"}, 0},
		{timeseries.Query{IDs: []string{"a", "a1"}}, 1},
		{timeseries.Query{Filter: timeseries.Filter{{{Field: "urn", Values: []string{string(dataset(2))}}}}}, 1},
	} {
		if got := count(t, s, c.q); got != c.want {
			t.Errorf("count %+v: got %d, want %d", c.q, got, c.want)
		}
	}
}

func latest(t *testing.T, s timeseries.Store) {
	apply(t, s, 1, upserts(
		document("a", dataset(1), 10), document("b", dataset(1), 20), element("b1", "b", dataset(1), 30),
		document("c", dataset(2), 5), document("d", dataset(2), 5), element("e", "x", dataset(3), 1))...)
	got, err := s.Latest(ctx, index, []urn.URN{dataset(1), dataset(2), dataset(3), dataset(4), dataset(1)})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Errorf("got %d documents, want those of two URNs: %v", len(got), got)
	}
	wantDocument(t, got[dataset(1)], document("b", dataset(1), 20))
	wantDocument(t, got[dataset(2)], document("d", dataset(2), 5))
	apply(t, s, 2, erase(timeseries.Query{IDs: []string{"b"}})...)
	if got, err = s.Latest(ctx, index, []urn.URN{dataset(1)}); err != nil || got[dataset(1)].ID != "a" {
		t.Errorf("latest after the newest was erased: got %v, %v, want a", got, err)
	}
	if got, err = s.Latest(ctx, index, nil); err != nil || len(got) != 0 {
		t.Errorf("latest of nothing: got %v, %v", got, err)
	}
}

// filters checks only that a driver passes complete documents to the Matcher. Tests of Matcher
// cover the operators.
func filters(t *testing.T, s timeseries.Store) {
	special := document("b", dataset(2), 20)
	special.Event = []byte(`{"operationType":"INSERT","user":{"name":"Jo"},"timestampMillis":20}`)
	special.Columns = map[string]any{"operationType": "INSERT", "rows": int64(12), "share": 0.25}
	apply(t, s, 1, upserts(document("a", dataset(1), 10), special, element("b1", "b", dataset(2), 20))...)
	for _, c := range []struct {
		condition timeseries.Condition
		want      []string
	}{
		{timeseries.Condition{Field: "urn", Values: []string{string(dataset(2))}}, []string{"b"}},
		{timeseries.Condition{Field: "operationType.keyword", Operator: timeseries.IEqual, Values: []string{"insert"}}, []string{"b"}},
		{timeseries.Condition{Field: "operationType", Values: []string{"INSERT"}, Negated: true}, []string{"a"}},
		{timeseries.Condition{Field: "rows", Operator: timeseries.GreaterThan, Values: []string{"9"}}, []string{"b"}},
		{timeseries.Condition{Field: "share", Operator: timeseries.LessOrEqual, Values: []string{"0.25"}}, []string{"b"}},
		{timeseries.Condition{Field: "user.name", Operator: timeseries.StartWith, Values: []string{"j"}}, []string{"b"}},
		{timeseries.Condition{Field: "user", Operator: timeseries.IsNull}, []string{"a"}},
		{timeseries.Condition{Field: "user", Operator: timeseries.Exists}, []string{"b"}},
		{timeseries.Condition{Field: "@timestamp", Operator: timeseries.GreaterOrEqual, Values: []string{"10"}}, []string{"b", "a"}},
		{timeseries.Condition{Field: "messageId", Operator: timeseries.EndWith, Values: []string{"-A"}}, []string{"a"}},
		{timeseries.Condition{Field: "eventGranularity", Operator: timeseries.Contain, Values: []string{"day"}}, []string{"b", "a"}},
		{timeseries.Condition{Field: "partitionSpec.timePartition", Operator: timeseries.Exists}, []string{"b", "a"}},
		{timeseries.Condition{Field: "partitionSpec.partition", Values: []string{"q", "p"}}, []string{"b", "a"}},
		{timeseries.Condition{Field: "isExploded", Values: []string{"true"}}, nil},
		{timeseries.Condition{Field: "runId", Values: []string{"run-1"}}, []string{"b", "a"}},
	} {
		wantIDs(t, s, timeseries.Query{Filter: timeseries.Filter{{c.condition}}}, c.want...)
	}
	isA := timeseries.Condition{Field: "messageId", Values: []string{"m-a"}}
	isB := timeseries.Condition{Field: "messageId", Values: []string{"m-b"}}
	wantIDs(t, s, timeseries.Query{Filter: timeseries.Filter{{isA}, {isB}}}, "b", "a")
	wantIDs(t, s, timeseries.Query{Filter: timeseries.Filter{{isA}, {isB}}, Limit: 1}, "b")
	wantIDs(t, s, timeseries.Query{Filter: timeseries.Filter{{isA, isB}}})
	ofB := timeseries.Filter{{{Field: timeseries.ParentField, Values: []string{"b"}}}}
	wantIDs(t, s, timeseries.Query{Filter: ofB, Exploded: true}, "b1")
}

func badFilter(t *testing.T, s timeseries.Store) {
	for name, c := range map[string]timeseries.Condition{
		"unknown operator": {Field: "a", Operator: "LIKE"},
		"no field":         {Values: []string{"a"}},
		"only a suffix":    {Field: ".keyword"},
		"order to nothing": {Field: "a", Operator: timeseries.LessThan},
	} {
		q := timeseries.Query{Filter: timeseries.Filter{{c}}}
		_, findErr := s.Find(ctx, index, q)
		_, countErr := s.Count(ctx, index, q)
		if !errors.Is(findErr, fault.Invalid) || !errors.Is(countErr, fault.Invalid) {
			t.Errorf("%s: find %v, count %v, want both invalid", name, findErr, countErr)
		}
	}
	tooMany := timeseries.Filter{make([]timeseries.Condition, timeseries.MaxConditions+1)}
	if _, err := s.Find(ctx, index, timeseries.Query{Filter: tooMany}); !errors.Is(err, fault.Invalid) {
		t.Errorf("too many conditions: got %v, want invalid", err)
	}
}
