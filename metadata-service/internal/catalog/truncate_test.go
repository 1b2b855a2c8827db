package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestASeriesIsTruncated(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		for at := 1; at <= 5; at++ {
			f.Put(dataset, "datasetProfile", profile(at, at))
		}
		of, err := f.Series("DATASET", "datasetprofile")
		if err != nil || of.Index() != timeseries.IndexName("dataset", "datasetProfile") {
			t.Fatalf("the series is %v (%v)", of, err)
		}
		ctx := f.As(root)
		until, all, err := f.CountUntil(ctx, of, 3)
		if err != nil || until != 3 || all != 5 {
			t.Errorf("%d of %d documents are at or before 3 (%v)", until, all, err)
		}
		if found, err := f.EraseOldest(ctx, of, 3, 2); err != nil || !found {
			t.Errorf("found %v (%v)", found, err)
		}
		if got := f.Times(dataset); !slices.Equal(got, []int64{5, 4, 3}) {
			t.Errorf("after two were erased there are %v", got)
		}
		for _, want := range []bool{true, false} {
			if found, err := f.EraseOldest(ctx, of, 3, 2); err != nil || found != want {
				t.Errorf("found %v (%v), want %v", found, err, want)
			}
		}
		if got := f.Times(dataset); !slices.Equal(got, []int64{5, 4}) {
			t.Errorf("documents after the end were erased: there are %v", got)
		}
		if _, err := f.CompactSeries(ctx, of); err != nil {
			t.Error(err)
		}
		if got := f.Times(dataset); !slices.Equal(got, []int64{5, 4}) {
			t.Errorf("after compaction there are %v", got)
		}
		sizes, err := f.SeriesSizes(ctx)
		if err != nil || !slices.ContainsFunc(sizes, func(s timeseries.Size) bool { return s.Index == of.Index() }) {
			t.Errorf("sizes are %v (%v)", sizes, err)
		}
	})
}

func TestTruncationTakesItsPrivilege(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "datasetProfile", profile(1, 1))
		of, err := f.Series("dataset", "datasetProfile")
		if err != nil {
			t.Fatal(err)
		}
		ctx := f.As(jo)
		for name, call := range map[string]func() error{
			"count":   func() error { _, _, err := f.CountUntil(ctx, of, 9); return err },
			"erase":   func() error { _, err := f.EraseOldest(ctx, of, 9, 9); return err },
			"compact": func() error { _, err := f.CompactSeries(ctx, of); return err },
			"sizes":   func() error { _, err := f.SeriesSizes(ctx); return err },
		} {
			if err := call(); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: %v, want a refusal", name, err)
			}
		}
		if got := f.Times(dataset); len(got) != 1 {
			t.Errorf("there are %v", got)
		}
		for _, c := range [][2]string{{"nothing", "datasetProfile"}, {"dataset", "status"}, {strings.Repeat("x", 1_000), "status"}} {
			_, err := f.Series(c[0], c[1])
			catalogtest.WantFault(t, err, fault.Malformed, "")
			if len(err.Error()) > 300 {
				t.Errorf("the refusal has %d bytes", len(err.Error()))
			}
		}
	})
}

func TestADecisionReadsWhatIsStored(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		withSecrets(f)
		f.Put(dataset, "status", `{"removed":true}`)
		stored, err := f.Stored(t.Context(), dataset, "STATUS")
		if err != nil || string(stored.Value) != `{"removed":true}` {
			t.Errorf("stored is %s (%v)", stored.Value, err)
		}
		for _, c := range []struct {
			urn, aspect, text string
			kind              fault.Kind
		}{
			{string(dataset), "globalTags", "does not exist", fault.NotFound},
			{string(dataset), "datasetProfile", "no versioned aspect", fault.NotFound},
			{string(dataset), "nothing", "no versioned aspect", fault.NotFound},
			{string(jo), "corpUserCredentials", "is not readable", fault.NotFound},
			{"urn:li:nothing:x", "status", "", fault.Malformed},
		} {
			_, err := f.Stored(t.Context(), urn.URN(c.urn), c.aspect)
			catalogtest.WantFault(t, err, c.kind, c.text)
		}
		there, err := f.StoredEntities(t.Context(), dataset, token, "urn:li:tag:absent")
		if err != nil || !slices.Equal(there, []bool{true, false, false}) {
			t.Errorf("stored are %v (%v)", there, err)
		}
	})
}
