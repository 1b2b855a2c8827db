package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestTraces(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		id := func(digit string) string { return strings.Repeat(digit, 32) }
		write := func(trace string, p ...catalog.Proposal) {
			t.Helper()
			if _, err := f.Write(f.As(root), p, catalog.WriteOptions{TraceID: trace}); err != nil {
				t.Fatal(err)
			}
		}
		want := func(trace string, u urn.URN, aspect string, want run.WriteStatus) {
			t.Helper()
			got, err := f.Runs.Trace(f.As(jo), trace, map[urn.URN][]string{u: {aspect}})
			if err != nil || got[u][aspect].Primary != want || len(got[u]) != 1 {
				t.Errorf("%s of %s under %s: got %v (%v), want %s", aspect, u, trace[:1], got[u], err, want)
			}
		}
		write(id("1"), catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(dataset, "datasetProfile", profile(1, 1)))
		want(id("1"), tag, "tagProperties", run.StatusActive)
		want(id("1"), tag, "tagKey", run.StatusActive)
		want(id("1"), tag, "status", run.StatusError)
		want(id("1"), tag, "nothing", run.StatusError)
		want(id("1"), dataset, "datasetProfile", run.StatusNoOp)
		write(id("2"), catalogtest.Proposal(tag, "tagProperties", properties("b")))
		want(id("1"), tag, "tagProperties", run.StatusHistoric)
		want(id("2"), tag, "tagProperties", run.StatusActive)
		write(id("3"), catalogtest.Proposal(tag, "tagProperties", properties("b")))
		want(id("3"), tag, "tagProperties", run.StatusNoOp)
		want(id("2"), tag, "tagProperties", run.StatusActive) // it wrote the value
		write(id("4"), catalogtest.Proposal(tag, "tagProperties", properties("b")))
		want(id("4"), tag, "tagProperties", run.StatusNoOp)
		want(id("2"), tag, "tagProperties", run.StatusActive)
		write(id("5"), catalogtest.Proposal(tag, "tagProperties", properties("c")))
		want(id("2"), tag, "tagProperties", run.StatusHistoric)
		want(id("9"), tag, "tagProperties", run.StatusUnknown)

		all, err := f.Runs.Trace(f.As(jo), id("1"), map[urn.URN][]string{tag: nil})
		if err != nil || len(all[tag]) != 2 {
			t.Errorf("all aspects: %v, %v", all, err)
		}
		_, err = f.Runs.Trace(f.As(jo), id("1"), map[urn.URN][]string{"urn:li:cow:x": nil})
		catalogtest.WantFault(t, err, fault.Malformed, "")
		_, err = f.Runs.Trace(t.Context(), id("1"), map[urn.URN][]string{tag: nil})
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	})
}

// Histories are trimmed. A trace ID contains its time, which distinguishes overwritten values from
// those never written.
func TestATraceWhoseVersionIsGoneIsHistoric(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		id := func(n int) string { return fmt.Sprintf("%032x", n) }
		for n := 1; n <= catalog.DefaultVersions+5; n++ {
			p := catalogtest.Proposal(tag, "tagProperties", properties(fmt.Sprint(n)))
			if _, err := f.Write(f.As(root), []catalog.Proposal{p}, catalog.WriteOptions{TraceID: id(n)}); err != nil {
				t.Fatal(err)
			}
		}
		if rows, err := f.Store.Rows(t.Context(), f.Record(tag, "tagProperties").Key()); err != nil || len(rows) >= catalog.DefaultVersions {
			t.Fatalf("%d former versions are kept, %v", len(rows), err)
		}
		for trace, want := range map[int]run.WriteStatus{1: run.StatusHistoric, 10: run.StatusHistoric, 25: run.StatusActive, 26: run.StatusUnknown} {
			got, err := f.Runs.Trace(f.As(jo), id(trace), map[urn.URN][]string{tag: {"TAGPROPERTIES"}})
			if err != nil || got[tag]["TAGPROPERTIES"].Primary != want {
				t.Errorf("trace %d: got %v, %v, want %s", trace, got, err, want)
			}
		}
	})
}
