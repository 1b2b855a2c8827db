package timeseries_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
)

var usage = timeseries.Spec{
	Stats: []timeseries.Stat{
		{Path: "/partitionSpec/partition", Name: "partition", Type: "KEYWORD", Agg: "LATEST"},
		{Path: "/uniqueUserCount", Name: "uniqueUserCount", Type: "INT", Agg: "LATEST"},
		{Path: "/topSqlQueries", Name: "topSqlQueries", Type: "KEYWORD", Agg: "LATEST"},
		{Path: "/cost", Name: "cost", Type: "DOUBLE", Agg: "SUM"},
		{Path: "/at", Name: "at", Type: "DATETIME", Agg: "LATEST"},
		{Path: "/fieldCounts/*/fieldPath", Name: "paths", Type: "KEYWORD", Agg: "LATEST"},
	},
	Collections: []timeseries.Collection{
		{Path: "/userCounts/*", Name: "userCounts", Key: "user", Stats: []timeseries.Stat{
			{Path: "/count", Name: "count", Type: "INT", Agg: "LATEST"},
			{Path: "/userEmail", Name: "userEmail", Type: "KEYWORD", Agg: "LATEST"},
		}},
		{Path: "/fieldCounts/*", Name: "fieldCounts", Key: "fieldPath", Stats: []timeseries.Stat{
			{Path: "/count", Name: "count", Type: "INT", Agg: "LATEST"},
		}},
	},
}

const usageValue = `{
	"timestampMillis":1754000000000,"messageId":"m-1","eventGranularity":{"unit":"DAY","multiple":1},
	"partitionSpec":{"type":"PARTITION","partition":"<p>","timePartition":{"startTimeMillis":5}},
	"uniqueUserCount":2,"topSqlQueries":["select 1 < 2"],"cost":"1.5","at":1754000000001,
	"userCounts":[{"user":"urn:li:corpuser:a","count":3,"userEmail":"a@example.com"},{"user":"same","count":4},{"user":"same","count":5}],
	"fieldCounts":{"z":{"fieldPath":"same","count":1},"y":{"fieldPath":"y"}}}`

func explode(t *testing.T, value string) []timeseries.Document {
	t.Helper()
	docs, err := timeseries.Explode(usage, "urn:li:dataset:d", json.RawMessage(value), model.SystemMetadata{RunID: "run-1"})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func TestExplodePlainDocument(t *testing.T) {
	t.Parallel()
	got := explode(t, usageValue)[0]
	want := timeseries.Document{
		ID: got.ID, URN: "urn:li:dataset:d", Time: 1_754_000_000_000, RunID: "run-1", MessageID: "m-1",
		Granularity: `{"multiple":1,"unit":"DAY"}`, Partition: "<p>", TimePartition: `{"startTimeMillis":5}`,
		Event: json.RawMessage(usageValue), System: model.SystemMetadata{RunID: "run-1"},
		Columns: map[string]any{
			"partition": "<p>", "uniqueUserCount": int64(2), "topSqlQueries": `["select 1 < 2"]`,
			"cost": 1.5, "at": int64(1_754_000_000_001), "paths": `["y","same"]`,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestExplodeElements(t *testing.T) {
	t.Parallel()
	docs := explode(t, usageValue)
	want := []map[string]any{
		{"userCounts.user": "urn:li:corpuser:a", "userCounts.count": int64(3), "userCounts.userEmail": "a@example.com"},
		{"userCounts.user": "same", "userCounts.count": int64(5)},
		{"fieldCounts.fieldPath": "y"},
		{"fieldCounts.fieldPath": "same", "fieldCounts.count": int64(1)},
	}
	if len(docs) != 1+len(want) {
		t.Fatalf("got %d documents, want %d", len(docs), 1+len(want))
	}
	seen := map[string]bool{docs[0].ID: true}
	for i, d := range docs[1:] {
		if !reflect.DeepEqual(d.Columns, want[i]) {
			t.Errorf("columns of element %d: got %v, want %v", i, d.Columns, want[i])
		}
		if !d.Exploded || d.Event != nil || d.Parent != docs[0].ID || d.Time != docs[0].Time || d.Partition != "<p>" || seen[d.ID] {
			t.Errorf("element %d: got %+v, want an exploded document of the plain one with its own id", i, d)
		}
		seen[d.ID] = true
	}
}

func TestDocumentIDIsKept(t *testing.T) {
	t.Parallel()
	// Printed once and copied: ids are stored, so they must never change.
	const plain, bare = "b61d491c4cf2226ce75b936ef322b730", "665c2800ef32498614c4ee68123f7439"
	if got := explode(t, usageValue)[0].ID; got != plain {
		t.Errorf("got %s, want %s", got, plain)
	}
	if got := explode(t, `{"timestampMillis":1}`)[0].ID; got != bare {
		t.Errorf("got %s, want %s", got, bare)
	}
}

func TestDocumentIDDependsOnItsPartsAlone(t *testing.T) {
	t.Parallel()
	base := `{"timestampMillis":1,"messageId":"m","eventGranularity":{"unit":"DAY"},"partitionSpec":{"partition":"p"}}`
	id := explode(t, base)[0].ID
	for _, same := range []string{
		`{"timestampMillis":1,"messageId":"m","eventGranularity":{ "unit":"DAY"},"partitionSpec":{"partition":"p"},"cost":5}`,
		`{"partitionSpec":{"partition":"p"},"eventGranularity":{"unit":"DAY"},"messageId":"m","timestampMillis":1}`,
	} {
		if got := explode(t, same)[0].ID; got != id {
			t.Errorf("%s: got another id than without the difference", same)
		}
	}
	for _, change := range [][2]string{
		{`"timestampMillis":1`, `"timestampMillis":2`}, {`"messageId":"m"`, `"messageId":"n"`},
		{`"DAY"`, `"HOUR"`}, {`"partition":"p"`, `"partition":"q"`}, {`"messageId":"m",`, ``},
	} {
		if got := explode(t, strings.Replace(base, change[0], change[1], 1))[0].ID; got == id {
			t.Errorf("%s for %s: got the same id", change[1], change[0])
		}
	}
}

func TestExplodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, names string }{
		{"no time", `{"cost":1}`, "timestampMillis"},
		{"a null time", `{"timestampMillis":null}`, "timestampMillis"},
		{"a time that is a text", `{"timestampMillis":"1"}`, "timestampMillis"},
		{"a time with a fraction", `{"timestampMillis":1.5}`, "timestampMillis"},
		{"a time out of range", `{"timestampMillis":9223372036854775808}`, "timestampMillis"},
		{"a list", `[]`, "object"},
		{"broken JSON", `{"timestampMillis":1`, "JSON"},
		{"nothing", ``, "JSON"},
		{"two values", `{"timestampMillis":1}{}`, "JSON"},
		{"a word for a whole number", `{"timestampMillis":1,"uniqueUserCount":"many"}`, "/uniqueUserCount"},
		{"a fraction for a whole number", `{"timestampMillis":1,"uniqueUserCount":1.5}`, "/uniqueUserCount"},
		{"a word for a number", `{"timestampMillis":1,"cost":"NaN"}`, "/cost"},
		{"an element without its key", `{"timestampMillis":1,"userCounts":[{"user":"a"},{"count":1}]}`, "userCounts: element 1 has no user"},
		{"an element that is no record", `{"timestampMillis":1,"userCounts":["a"]}`, "userCounts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := timeseries.Explode(usage, "urn:li:dataset:d", json.RawMessage(c.value), model.SystemMetadata{})
			if !errors.Is(err, fault.Invalid) || !strings.Contains(err.Error(), c.names) {
				t.Errorf("got %v, want invalid with %q", err, c.names)
			}
		})
	}
}

func TestExplodeLeavesOutWhatIsAbsent(t *testing.T) {
	t.Parallel()
	docs := explode(t, `{"timestampMillis":1,"partitionSpec":"odd","messageId":7,"userCounts":null,"fieldCounts":3,"cost":null}`)
	if len(docs) != 1 || len(docs[0].Columns) != 0 || docs[0].MessageID != "" || docs[0].Partition != "" {
		t.Errorf("got %+v, want one document without columns", docs)
	}
}

func TestExplodeRefusesAnUnknownType(t *testing.T) {
	t.Parallel()
	spec := timeseries.Spec{Stats: []timeseries.Stat{{Path: "/cost", Name: "cost", Type: "MONEY"}}}
	_, err := timeseries.Explode(spec, "urn:li:dataset:d", json.RawMessage(`{"timestampMillis":1,"cost":1}`), model.SystemMetadata{})
	if fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("got %v, want an internal error: the registry is wrong, not the caller", err)
	}
}

func TestIndexName(t *testing.T) {
	t.Parallel()
	name := timeseries.IndexName("dataset", "datasetProfile")
	if name != "dataset_datasetprofileaspect_v1" {
		t.Errorf("got %s", name)
	}
	if err := timeseries.CheckIndex(name); err != nil {
		t.Error(err)
	}
}

func FuzzExplode(f *testing.F) {
	f.Add(usageValue)
	f.Add(`{"timestampMillis":1,"userCounts":[[{}]]}`)
	f.Fuzz(func(t *testing.T, value string) {
		docs, err := timeseries.Explode(usage, "urn:li:dataset:d", json.RawMessage(value), model.SystemMetadata{})
		if err != nil {
			if !errors.Is(err, fault.Invalid) {
				t.Fatalf("got %v, want invalid", err)
			}
			return
		}
		batch := timeseries.Batch{Sequence: 1, Ops: timeseries.Replace(nil, docs)}
		if err := batch.Check(); err != nil {
			t.Errorf("a driver would refuse the result: %v", err)
		}
	})
}
