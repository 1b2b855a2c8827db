package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestSummariesAreKeptOfWhatIsThereAndOnlyWhenTheyDiffer(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		kept, removed, absent := catalogtest.Table("kept"), catalogtest.Table("removed"), catalogtest.Table("absent")
		f.Put(kept, "globalTags", `{"tags":[]}`)
		f.Put(removed, "status", `{"removed":true}`)
		keep := func(rows int, want catalog.Summarized) {
			t.Helper()
			var list []catalog.Summary
			for _, u := range []urn.URN{kept, removed, absent} {
				s := catalog.Summary{Of: store.Key{URN: u, Aspect: "storageFeatures"}}
				if rows > 0 {
					s.Value = model.Object{"rowCount": rows}
				}
				list = append(list, s)
			}
			if got, err := f.KeepSummaries(f.As("urn:li:corpuser:jo"), list); err != nil || got != want {
				t.Errorf("%d rows: %+v, %v, want %+v", rows, got, err, want)
			}
		}
		keep(0, catalog.Summarized{})
		keep(7, catalog.Summarized{Written: 1})
		f.WantValue(kept, "storageFeatures", `{"rowCount":7}`)
		if rec := f.Record(kept, "storageFeatures"); rec.CreatedBy != model.SystemActor {
			t.Errorf("written by %s, want the service", rec.CreatedBy)
		}
		if n := f.Found(search.Filter{{{Field: "rowCount", Values: []string{"7"}}}}); n != 1 {
			t.Errorf("%d entities are found by it, want 1", n)
		}
		before, _ := f.Store.Last()
		keep(7, catalog.Summarized{})
		if now, _ := f.Store.Last(); now != before {
			t.Errorf("what is stored already was written again")
		}
		keep(8, catalog.Summarized{Written: 1})
		keep(0, catalog.Summarized{Removed: 1})
		for _, u := range []urn.URN{kept, removed, absent} {
			f.WantValue(u, "storageFeatures", "")
		}
		f.WantValue(absent, "datasetKey", "")
	})
}

func TestSummariesThatAreNoneOfTheModelAreRefusedAltogether(t *testing.T) {
	f := catalogtest.New(t, catalogtest.InMemory())
	u := catalogtest.Table("orders")
	f.Put(u, "globalTags", `{"tags":[]}`)
	good := catalog.Summary{Of: store.Key{URN: u, Aspect: "storageFeatures"}, Value: model.Object{"rowCount": 1}}
	for name, bad := range map[string]catalog.Summary{
		"an aspect that the type has not": {Of: store.Key{URN: u, Aspect: "chartInfo"}, Value: model.Object{}},
		"a time series":                   {Of: store.Key{URN: u, Aspect: "datasetProfile"}, Value: model.Object{"timestampMillis": 1}},
		"no URN":                          {Of: store.Key{URN: "orders", Aspect: "storageFeatures"}, Value: model.Object{}},
		"another form":                    {Of: store.Key{URN: u, Aspect: "storageFeatures"}, Value: model.Object{"rowCount": "many"}},
	} {
		if _, err := f.KeepSummaries(f.As("urn:li:corpuser:jo"), []catalog.Summary{good, bad}); fault.KindOf(err) != fault.Malformed && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
		f.WantValue(u, "storageFeatures", "")
	}
}
