package catalog_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (f *fixture) history(u urn.URN, aspect string) []int64 {
	f.t.Helper()
	rows, err := f.store.Rows(f.t.Context(), store.Key{URN: u, Aspect: aspect})
	if err != nil {
		f.t.Fatal(err)
	}
	return rows
}

func (f *fixture) keep(entityType, aspect, rule string) {
	f.t.Helper()
	f.put(urn.Make("dataHubRetention", entityType, aspect), "dataHubRetentionConfig", `{"retention":{`+rule+`}}`)
}

func (f *fixture) change(u urn.URN, times int) {
	f.t.Helper()
	for range times {
		f.put(u, "tagProperties", properties(fmt.Sprint(f.clock.Add(1000))))
	}
}

func TestRetentionTakesEffectAtOnce(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const a, b, c, d urn.URN = "urn:li:tag:a", "urn:li:tag:b", "urn:li:tag:c", "urn:li:tag:d"
		f.change(a, 22)
		if got := f.history(a, "tagProperties"); len(got) != 19 || got[0] != 3 {
			t.Errorf("without rules history is %v", got)
		}
		f.keep("*", "*", `"version":{"maxVersions":5}`)
		f.change(b, 8)
		if got := f.history(b, "tagProperties"); fmt.Sprint(got) != "[4 5 6 7]" {
			t.Errorf("with a rule for all history is %v", got)
		}
		f.keep("tag", "*", `"version":{"maxVersions":3}`)
		f.keep("*", "tagProperties", `"version":{"maxVersions":9}`)
		f.change(c, 8)
		if got := f.history(c, "tagProperties"); fmt.Sprint(got) != "[6 7]" {
			t.Errorf("the rule of the type comes before that of the aspect: %v", got)
		}
		f.keep("tag", "tagProperties", `"version":{"maxVersions":1}`)
		f.change(d, 3)
		if got := f.history(d, "tagProperties"); len(got) != 0 {
			t.Errorf("a cap of one keeps no history: %v", got)
		}
		n, err := f.ApplyRetention(f.as(root), a, "tagProperties")
		if err != nil || n != 19 {
			t.Errorf("applied to one: %d, %v", n, err)
		}
		if n, err = f.ApplyRetention(f.as(root), "", "status"); err != nil || n != 0 {
			t.Errorf("applied to another aspect: %d, %v", n, err)
		}
		if n, err = f.ApplyRetention(f.as(root), "", ""); err != nil || n != 6 || f.history(b, "tagProperties") != nil {
			t.Errorf("applied to all: %d, %v", n, err)
		}
		_, err = f.DeleteEntity(f.as(root), urn.Make("dataHubRetention", "tag", "tagProperties"))
		if err != nil {
			t.Fatal(err)
		}
		f.change(d, 3)
		if got := f.history(d, "tagProperties"); len(got) != 2 {
			t.Errorf("a rule that is gone still holds: %v", got)
		}
	})
}

func TestRetentionByAge(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.keep("tag", "tagProperties", `"time":{"maxAgeInSeconds":3}`)
		f.change("urn:li:tag:a", 8)
		if got := f.history("urn:li:tag:a", "tagProperties"); fmt.Sprint(got) != "[5 6 7]" {
			t.Errorf("history is %v", got)
		}
	})
}

func TestTheLatchRefusesChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	ctx := f.as(root)
	f.put("urn:li:tag:a", "status", `{}`)
	wantFault(t, f.SetWritable(f.as(jo), false), fault.Forbidden, "SET_WRITEABLE")
	wantFault(t, f.SetWritable(t.Context(), false), fault.Unauthenticated, "")
	if err := f.SetWritable(ctx, false); err != nil {
		t.Fatal(err)
	}
	_, deleted := f.DeleteEntity(ctx, "urn:li:tag:a")
	_, aspects := f.DeleteAspects(ctx, "urn:li:tag:a", "status")
	_, cleared := f.ClearEntity(ctx, "urn:li:tag:a")
	_, documents := f.DeleteTimeseries(ctx, dataset, "datasetProfile", nil, nil)
	_, rolled := f.Rollback(ctx, "r1", rollbackHard)
	_, retained := f.ApplyRetention(ctx, "", "")
	for what, err := range map[string]error{
		"delete": deleted, "aspects": aspects, "clear": cleared, "documents": documents, "rollback": rolled, "retention": retained,
	} {
		if fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: %v", what, err)
		}
	}
	f.refuse(fault.Unavailable, "read-only", proposal("urn:li:tag:a", "status", `{"removed":true}`))
	if _, err := f.Aspect(f.as(jo), "urn:li:tag:a", "status", 0); err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := f.SetWritable(ctx, true); err != nil {
		t.Fatal(err)
	}
	f.put("urn:li:tag:a", "status", `{"removed":true}`)
	_, err := f.ApplyRetention(f.as(jo), "", "")
	wantFault(t, err, fault.Forbidden, "APPLY_RETENTION")
}
