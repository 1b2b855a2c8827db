package catalog_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func history(f *catalogtest.Fixture, u urn.URN, aspect string) []int64 {
	f.T.Helper()
	rows, err := f.Store.Rows(f.T.Context(), store.Key{URN: u, Aspect: aspect})
	if err != nil {
		f.T.Fatal(err)
	}
	return rows
}

func keep(f *catalogtest.Fixture, entityType, aspect, rule string) {
	f.T.Helper()
	f.Put(urn.Make("dataHubRetention", entityType, aspect), "dataHubRetentionConfig", `{"retention":{`+rule+`}}`)
}

func change(f *catalogtest.Fixture, u urn.URN, times int) {
	f.T.Helper()
	for range times {
		f.Put(u, "tagProperties", properties(fmt.Sprint(f.Clock.Add(1000))))
	}
}

func TestRetentionTakesEffectAtOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const a, b, c, d urn.URN = "urn:li:tag:a", "urn:li:tag:b", "urn:li:tag:c", "urn:li:tag:d"
		change(f, a, 22)
		if got := history(f, a, "tagProperties"); len(got) != 19 || got[0] != 3 {
			t.Errorf("without rules history is %v", got)
		}
		keep(f, "*", "*", `"version":{"maxVersions":5}`)
		change(f, b, 8)
		if got := history(f, b, "tagProperties"); fmt.Sprint(got) != "[4 5 6 7]" {
			t.Errorf("with a rule for all history is %v", got)
		}
		keep(f, "tag", "*", `"version":{"maxVersions":3}`)
		keep(f, "*", "tagProperties", `"version":{"maxVersions":9}`)
		change(f, c, 8)
		if got := history(f, c, "tagProperties"); fmt.Sprint(got) != "[6 7]" {
			t.Errorf("the rule of the type comes before that of the aspect: %v", got)
		}
		keep(f, "tag", "tagProperties", `"version":{"maxVersions":1}`)
		change(f, d, 3)
		if got := history(f, d, "tagProperties"); len(got) != 0 {
			t.Errorf("a cap of one keeps no history: %v", got)
		}
		n, err := f.ApplyRetention(f.As(root), a, "tagProperties")
		if err != nil || n != 19 {
			t.Errorf("applied to one: %d, %v", n, err)
		}
		if n, err = f.ApplyRetention(f.As(root), "", "status"); err != nil || n != 0 {
			t.Errorf("applied to another aspect: %d, %v", n, err)
		}
		if n, err = f.ApplyRetention(f.As(root), "", ""); err != nil || n != 6 || history(f, b, "tagProperties") != nil {
			t.Errorf("applied to all: %d, %v", n, err)
		}
		_, err = f.DeleteEntity(f.As(root), urn.Make("dataHubRetention", "tag", "tagProperties"))
		if err != nil {
			t.Fatal(err)
		}
		change(f, d, 3)
		if got := history(f, d, "tagProperties"); len(got) != 2 {
			t.Errorf("a rule that is gone still holds: %v", got)
		}
	})
}

func TestRetentionByAge(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		keep(f, "tag", "tagProperties", `"time":{"maxAgeInSeconds":3}`)
		change(f, "urn:li:tag:a", 8)
		if got := history(f, "urn:li:tag:a", "tagProperties"); fmt.Sprint(got) != "[5 6 7]" {
			t.Errorf("history is %v", got)
		}
	})
}

func TestReadOnlyModeRefusesChanges(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	ctx := f.As(root)
	f.Put("urn:li:tag:a", "status", `{}`)
	catalogtest.WantFault(t, f.SetWritable(f.As(jo), false), fault.Forbidden, "SET_WRITEABLE")
	catalogtest.WantFault(t, f.SetWritable(t.Context(), false), fault.Unauthenticated, "")
	if err := f.SetWritable(ctx, false); err != nil {
		t.Fatal(err)
	}
	_, deleted := f.DeleteEntity(ctx, "urn:li:tag:a")
	_, aspects := f.DeleteAspects(ctx, "urn:li:tag:a", "status")
	_, cleared := f.ClearEntity(ctx, "urn:li:tag:a")
	_, documents := f.DeleteTimeseries(ctx, dataset, "datasetProfile", nil, nil)
	_, rolled := f.Runs.Rollback(ctx, "r1", rollbackHard)
	_, retained := f.ApplyRetention(ctx, "", "")
	for what, err := range map[string]error{
		"delete": deleted, "aspects": aspects, "clear": cleared, "documents": documents, "rollback": rolled, "retention": retained,
	} {
		if fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: %v", what, err)
		}
	}
	f.Refuse(fault.Unavailable, "read-only", catalogtest.Proposal("urn:li:tag:a", "status", `{"removed":true}`))
	if _, err := f.Aspect(f.As(jo), "urn:li:tag:a", "status", 0, catalog.Concealed); err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := f.SetWritable(ctx, true); err != nil {
		t.Fatal(err)
	}
	f.Put("urn:li:tag:a", "status", `{"removed":true}`)
	_, err := f.ApplyRetention(f.As(jo), "", "")
	catalogtest.WantFault(t, err, fault.Forbidden, "APPLY_RETENTION")
}
