package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestUnmetConditionsAreLeftOutOfAsynchronousBatches(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag, absent urn.URN = "urn:li:tag:pii", "urn:li:tag:none"
		f.Put(tag, "tagProperties", properties("a"))
		given := func(version int64, p catalog.Proposal) catalog.Proposal {
			p.Conditions = catalog.AtVersion(version)
			return p
		}
		differs := given(7, catalogtest.Proposal(tag, "tagProperties", properties("b")))
		batch := []catalog.Proposal{
			differs, differs, catalogtest.Proposal(tag, "status", `{}`),
			given(3, catalogtest.Proposal(absent, "status", `{}`)), given(1, catalogtest.Proposal(tag, "tagProperties", properties("c"))),
			given(9, catalogtest.Proposal(tag, "tagKey", "", model.Delete)),
		}
		later := catalog.WriteOptions{TraceID: strings.Repeat("1", 32), Async: true, Traced: true}
		for name, at := range map[string]catalog.WriteOptions{
			"synchronous": {TraceID: later.TraceID, Traced: true}, "not told the trace id": {TraceID: later.TraceID, Async: true},
		} {
			_, err := f.Write(f.As(root), batch, at)
			catalogtest.WantFault(t, err, fault.Precondition, "Expected version 7, actual version 1")
			if got, _ := f.Failures.Of(t.Context(), later.TraceID); got != nil {
				t.Errorf("%s: noted %v", name, got)
			}
		}
		written, err := f.Write(f.As(root), batch, later)
		if err != nil {
			t.Fatal(err)
		}
		wantOutcomes(t, written, catalog.Failed, catalog.Failed, catalog.Inserted, catalog.Failed, catalog.Updated, catalog.Failed)
		f.WantValue(tag, "tagProperties", properties("c"))
		f.WantValue(absent, "tagKey", "")
		noted, err := f.Failures.Of(t.Context(), later.TraceID)
		want := []failure.Failure{
			{URN: tag, Aspect: "tagProperties", Reason: "Expected version 7, actual version 1"},
			{URN: absent, Aspect: "status", Reason: "Expected version 3, actual version -1"},
			{URN: tag, Aspect: "tagKey", Reason: "Expected version 9, actual version 1"},
		}
		if err != nil || !slices.Equal(noted, want) {
			t.Errorf("noted are %v, %v, want %v", noted, err, want)
		}
		states, err := f.Runs.Trace(f.As(jo), later.TraceID, map[urn.URN][]string{absent: nil})
		if err != nil || len(states[absent]) != 1 || states[absent]["status"].Message != "Expected version 3, actual version -1" {
			t.Errorf("all aspects of what was not made: %v, %v", states, err)
		}
	})
}
