package timeseries_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func sample() timeseries.Document {
	return timeseries.Document{
		ID: "id-1", URN: "urn:li:dataset:d", Time: 1_754_000_000_000, RunID: "run-1", MessageID: "Msg",
		Granularity: `{"unit":"DAY"}`, Partition: "FULL", Parent: "p-1",
		Columns: map[string]any{"rows": int64(12), "big": int64(9_007_199_254_740_993), "share": 0.5, "kind": "INSERT", "version": "10", "none": ""},
		Event: json.RawMessage(`{"status":"COMPLETE","attempt":3,"ratio":1.5,"huge":1e400,"ok":true,"nothing":null,"empty":[],
			"result":{"type":"SUCCESS"},"tags":["red","Blue"],"userCounts":[{"user":"a","count":1},{"user":"b","count":7}],
			"map":{"with.dot":"x"},"a.b":"flat","status.keyword":"odd"}`),
	}
}

func TestCondition(t *testing.T) {
	t.Parallel()
	const (
		gt, ge = timeseries.GreaterThan, timeseries.GreaterOrEqual
		lt, le = timeseries.LessThan, timeseries.LessOrEqual
	)
	for _, c := range []struct {
		name   string
		field  string
		op     timeseries.Operator
		values []string
		want   bool
	}{
		{"no operator means equal", "kind", "", []string{"INSERT"}, true},
		{"equal looks at case", "kind", timeseries.Equal, []string{"insert"}, false},
		{"equal takes any of its values", "kind", timeseries.Equal, []string{"DELETE", "INSERT"}, true},
		{"equal with no values holds for nothing", "kind", timeseries.Equal, nil, false},
		{"equal ignores case when asked", "kind", timeseries.IEqual, []string{"x", "insert"}, true},
		{"ignoring case is still the whole text", "kind", timeseries.IEqual, []string{"inser"}, false},
		{"contain ignores case", "kind", timeseries.Contain, []string{"nSe"}, true},
		{"contain misses", "kind", timeseries.Contain, []string{"nso"}, false},
		{"contain with no values holds for nothing", "kind", timeseries.Contain, nil, false},
		{"contain takes the text of a number", "rows", timeseries.Contain, []string{"2"}, true},
		{"start ignores case", "kind", timeseries.StartWith, []string{"ins"}, true},
		{"start is not contain", "kind", timeseries.StartWith, []string{"ser"}, false},
		{"end ignores case", "kind", timeseries.EndWith, []string{"ert"}, true},
		{"end is not contain", "kind", timeseries.EndWith, []string{"ser"}, false},
		{"keyword at the end means nothing", "kind.keyword", timeseries.Equal, []string{"INSERT"}, true},

		{"a number equals its text", "rows", timeseries.Equal, []string{"12"}, true},
		{"a number equals another spelling", "rows", timeseries.Equal, []string{"12.0"}, true},
		{"a number does not equal a word", "rows", timeseries.Equal, []string{"twelve"}, false},
		{"large numbers keep their last digit", "big", timeseries.Equal, []string{"9007199254740992"}, false},
		{"a float equals", "share", timeseries.Equal, []string{"0.50"}, true},
		{"a number is ordered by value", "rows", gt, []string{"9"}, true},
		{"a text is ordered by bytes", "version", gt, []string{"9"}, false},
		{"greater is strict", "rows", gt, []string{"12"}, false},
		{"greater or equal is not", "rows", ge, []string{"12"}, true},
		{"less is strict", "rows", lt, []string{"12"}, false},
		{"less or equal is not", "rows", le, []string{"12"}, true},
		{"a whole number against a fraction", "rows", lt, []string{"12.5"}, true},
		{"order uses the first value", "rows", lt, []string{"1", "100"}, false},
		{"a number has no order to a word", "rows", lt, []string{"zzz"}, false},
		{"nor to no number at all", "share", ge, []string{"NaN"}, false},
		{"text order", "kind", lt, []string{"J"}, true},

		{"urn", "urn", timeseries.Equal, []string{"urn:li:dataset:d"}, true},
		{"time by its first name", "timestampMillis", ge, []string{"1754000000000"}, true},
		{"time by its second name", "@timestamp", gt, []string{"1754000000000"}, false},
		{"run", "runId", timeseries.Equal, []string{"run-1"}, true},
		{"message", "messageId", timeseries.IEqual, []string{"msg"}, true},
		{"granularity", "eventGranularity", timeseries.Contain, []string{"day"}, true},
		{"partition", "partitionSpec.partition", timeseries.Equal, []string{"FULL"}, true},
		{"an empty fixed field is absent", "partitionSpec.timePartition", timeseries.Exists, nil, false},
		{"and null", "partitionSpec.timePartition", timeseries.IsNull, nil, true},
		{"plain", "isExploded", timeseries.Equal, []string{"false"}, true},
		{"parent", timeseries.ParentField, timeseries.Equal, []string{"p-1"}, true},

		{"a field of the event", "status", timeseries.Equal, []string{"COMPLETE"}, true},
		{"a number of the event", "attempt", gt, []string{"2"}, true},
		{"a fraction of the event", "ratio", le, []string{"1.5"}, true},
		{"a number too large to hold is a text", "huge", timeseries.Equal, []string{"1e400"}, true},
		{"a truth value of the event", "ok", timeseries.Equal, []string{"true"}, true},
		{"a path of the event", "result.type", timeseries.Equal, []string{"SUCCESS"}, true},
		{"a list holds any of its elements", "tags", timeseries.Equal, []string{"Blue"}, true},
		{"a path through a list", "userCounts.user", timeseries.Equal, []string{"b"}, true},
		{"order through a list", "userCounts.count", gt, []string{"5"}, true},
		{"a name with a dot below", "map.with.dot", timeseries.Equal, []string{"x"}, true},
		{"a name with a dot on top", "a.b", timeseries.Equal, []string{"flat"}, true},
		{"a record exists", "result", timeseries.Exists, nil, true},
		{"a record equals nothing", "result", timeseries.Equal, []string{"", "{}"}, false},
		{"a record contains nothing", "result", timeseries.Contain, []string{""}, false},
		{"a null does not exist", "nothing", timeseries.Exists, nil, false},
		{"an empty list does not exist", "empty", timeseries.Exists, nil, false},
		{"an absent field is null", "absent", timeseries.IsNull, nil, true},
		{"an absent path is null", "result.type.deeper", timeseries.IsNull, nil, true},
		{"a path that ends in a dot is null", "result.", timeseries.IsNull, nil, true},
		{"a present field is not null", "status", timeseries.IsNull, nil, false},
		{"an empty column exists", "none", timeseries.Exists, nil, true},
		{"an absent field has no order", "absent", le, []string{"5"}, false},
		{"a column hides the event", "kind", timeseries.IsNull, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, negated := range []bool{false, true} {
				condition := timeseries.Condition{Field: c.field, Operator: c.op, Values: c.values, Negated: negated}
				doc := sample()
				if got := match(t, timeseries.Query{Filter: timeseries.Filter{{condition}}}, &doc); got != (c.want != negated) {
					t.Errorf("negated %v: got %v, want %v", negated, got, c.want != negated)
				}
			}
		})
	}
}

func match(t *testing.T, q timeseries.Query, d *timeseries.Document) bool {
	t.Helper()
	m, err := q.Matcher()
	if err != nil {
		t.Fatal(err)
	}
	return m.Match(d)
}

func TestMatcher(t *testing.T) {
	t.Parallel()
	early, late := int64(1), int64(2_000_000_000_000)
	yes := timeseries.Condition{Field: "urn", Operator: timeseries.Exists}
	no := timeseries.Condition{Field: "urn", Operator: timeseries.IsNull}
	for _, c := range []struct {
		name string
		q    timeseries.Query
		want bool
	}{
		{"the zero query matches", timeseries.Query{}, true},
		{"exploded is not its part", timeseries.Query{Exploded: true}, true},
		{"one of the urns", timeseries.Query{URNs: []urn.URN{"urn:li:dataset:x", "urn:li:dataset:d"}}, true},
		{"none of the urns", timeseries.Query{URNs: []urn.URN{"urn:li:dataset:x"}}, false},
		{"one of the ids", timeseries.Query{IDs: []string{"id-1"}}, true},
		{"none of the ids", timeseries.Query{IDs: []string{"id"}}, false},
		{"between the bounds", timeseries.Query{From: &early, To: &late}, true},
		{"after the upper bound", timeseries.Query{To: &early}, false},
		{"before the lower bound", timeseries.Query{From: &late}, false},
		{"another run", timeseries.Query{RunID: "run"}, false},
		{"all of an alternative", timeseries.Query{Filter: timeseries.Filter{{yes, yes}}}, true},
		{"not all of an alternative", timeseries.Query{Filter: timeseries.Filter{{yes, no}}}, false},
		{"the second alternative", timeseries.Query{Filter: timeseries.Filter{{no}, {yes}}}, true},
		{"an empty alternative holds", timeseries.Query{Filter: timeseries.Filter{{}}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := sample()
			if got := match(t, c.q, &doc); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestMatcherSurvivesADamagedEvent(t *testing.T) {
	t.Parallel()
	doc := sample()
	doc.Event = json.RawMessage(`{"status":`)
	q := timeseries.Query{Filter: timeseries.Filter{{{Field: "status", Operator: timeseries.IsNull}}}}
	if !match(t, q, &doc) {
		t.Error("a field of an unreadable event should be null")
	}
}

func TestMatcherNamesTheFieldItRefuses(t *testing.T) {
	t.Parallel()
	q := timeseries.Query{Filter: timeseries.Filter{{{Field: "rows", Operator: "NEAR", Values: []string{"1"}}}}}
	_, err := q.Matcher()
	const want = `filter on field "rows": unknown operator "NEAR"`
	if !errors.Is(err, fault.Invalid) || err.Error() != want {
		t.Errorf("got %v, want invalid: %s", err, want)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("userCounts.count", "GREATER_THAN", "5", `{"userCounts":[{"count":7}]}`)
	f.Add("a..b.", "EQUAL", "", `{"a":{"":{"b":[[1]]}}}`)
	f.Fuzz(func(t *testing.T, field, op, value, event string) {
		doc := timeseries.Document{ID: "a", Event: json.RawMessage(event)}
		condition := timeseries.Condition{Field: field, Operator: timeseries.Operator(op), Values: []string{value}}
		q := timeseries.Query{Filter: timeseries.Filter{{condition}}}
		m, err := q.Matcher()
		if err != nil {
			if !errors.Is(err, fault.Invalid) {
				t.Fatalf("got %v, want invalid", err)
			}
			return
		}
		q.Filter[0][0].Negated = true
		if m.Match(&doc) == match(t, q, &doc) {
			t.Error("a condition and its negation agree")
		}
	})
}
