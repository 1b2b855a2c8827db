package catalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func profile(at, rows int) string {
	return fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, at, rows)
}

func TestDocumentsAreFoundAtOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		p := catalogtest.Proposal(dataset, "datasetProfile", profile(1, 10))
		p.System.RunID = "r1"
		w := f.Must(p, catalogtest.Proposal(dataset, "datasetProfile", profile(3, 30)), catalogtest.Proposal(dataset, "datasetProfile", profile(2, 20)))
		if w[0].Outcome != catalog.Appended || string(w[0].Record.Value) == "" || w[0].Record.System.RunID != "r1" {
			t.Errorf("got %+v", w[0])
		}
		if f.Value(dataset, "datasetKey") == "" {
			t.Error("a document does not make the entity exist")
		}
		if got := f.Times(dataset); !slices.Equal(got, []int64{3, 2, 1}) {
			t.Errorf("got %v", got)
		}
		f.Put(dataset, "datasetProfile", profile(3, 31))
		if got := f.Times(dataset); len(got) != 3 {
			t.Errorf("the same document again made another one: %v", got)
		}
		entities, err := f.Entities(f.As(jo), []urn.URN{dataset}, catalog.EntityQuery{Timeseries: true, Aspects: []string{"DatasetProfile"}})
		if err != nil {
			t.Fatal(err)
		}
		if a, ok := entities[0].Find("datasetProfile"); !ok || !slices.Contains([]string{string(a.Value)}, catalogtest.Canonical(t, `{"timestampMillis":3,"rowCount":31,"partitionSpec":{"type":"FULL_TABLE","partition":"FULL_TABLE_SNAPSHOT"}}`)) && len(entities[0].Aspects) != 1 {
			t.Errorf("newest is %s", a.Value)
		}
		entries, err := f.Store.Entries(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Kind != store.Document })); n != 4 {
			t.Errorf("%d documents in the log", n)
		}
	})
}

func TestTimeseriesQueries(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		other := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,other,PROD)")
		for i := range 5 {
			f.Must(catalogtest.Proposal(dataset, "datasetProfile", profile(i, i)), catalogtest.Proposal(other, "datasetProfile", profile(i, i)))
		}
		from, to := int64(1), int64(3)
		docs, err := f.Timeseries(f.As(root), catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "datasetProfile", From: &from, To: &to, Ascending: true, Limit: 5})
		if err != nil || len(docs) != 5 || docs[0].Time != 1 || docs[4].Time != 3 {
			t.Errorf("got %d documents, %v", len(docs), err)
		}
		rest, err := f.Timeseries(f.As(root), catalog.TimeseriesQuery{
			EntityType: "dataset", Aspect: "datasetProfile", From: &from, To: &to, Ascending: true, Limit: 5,
			After: &timeseries.Position{Time: docs[4].Time, ID: docs[4].ID},
		})
		if err != nil || len(rest) != 1 {
			t.Errorf("got %d documents after, %v", len(rest), err)
		}
		few, err := f.Timeseries(f.As(root), catalog.TimeseriesQuery{
			EntityType: "dataset", Aspect: "datasetProfile", Filter: timeseries.Filter{{{Field: "rowCount", Values: []string{"4"}}}},
		})
		if err != nil || len(few) != 1 {
			t.Errorf("without a limit one is read: %d, %v", len(few), err)
		}
		_, err = f.Timeseries(f.As(root), catalog.TimeseriesQuery{EntityType: "cow"})
		catalogtest.WantFault(t, err, fault.Malformed, `"cow"`)
		_, err = f.Timeseries(f.As(root), catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "status"})
		catalogtest.WantFault(t, err, fault.Malformed, `no time-series aspect "status"`)
		_, err = f.Timeseries(t.Context(), catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "operation"})
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	})
}

func TestDeletingDocuments(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		for i := range 6 {
			f.Put(dataset, "datasetProfile", profile(i, i))
		}
		ctx := f.As(root)
		out, err := f.DeleteAspects(ctx, dataset, "DATASETPROFILE")
		if err != nil || out.TimeseriesRows != 1 || !slices.Equal(f.Times(dataset), []int64{4, 3, 2, 1, 0}) {
			t.Errorf("newest: %+v, %v, left %v", out, err, f.Times(dataset))
		}
		from, to := int64(1), int64(2)
		n, err := f.DeleteTimeseries(ctx, dataset, "datasetprofile", &from, &to)
		if err != nil || n != 2 || !slices.Equal(f.Times(dataset), []int64{4, 3, 0}) {
			t.Errorf("range: %d, %v, left %v", n, err, f.Times(dataset))
		}
		if n, err := f.DeleteTimeseries(ctx, dataset, "datasetProfile", &from, &to); err != nil || n != 0 {
			t.Errorf("again: %d, %v", n, err)
		}
		_, err = f.DeleteTimeseries(ctx, dataset, "status", nil, nil)
		catalogtest.WantFault(t, err, fault.Malformed, "no time-series aspect")
		_, err = f.DeleteTimeseries(ctx, "urn:li:cow:x", "status", nil, nil)
		catalogtest.WantFault(t, err, fault.Malformed, "unknown entity type")
		gone, err := f.DeleteEntity(ctx, dataset)
		if err != nil || gone.TimeseriesRows != 3 || f.Times(dataset) != nil {
			t.Errorf("entity: %+v, %v, left %v", gone, err, f.Times(dataset))
		}
		if out, err := f.DeleteAspects(ctx, dataset, "datasetProfile"); err != nil || out.TimeseriesRows != 0 {
			t.Errorf("none left: %+v, %v", out, err)
		}
	})
}
