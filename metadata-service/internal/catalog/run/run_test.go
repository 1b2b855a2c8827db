package run_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestRunsAreListedAndDescribed(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Must(catalogtest.InRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("a"))))
		f.Clock.Add(1000)
		f.Must(catalogtest.InRun("r2", catalogtest.Proposal(tag, "tagProperties", properties("b"))), catalogtest.Proposal(dataset, "status", `{}`))
		f.Must(catalogtest.InRun("r2", catalogtest.Proposal("urn:li:tag:gone", "status", `{"removed":true}`)))
		runs, err := f.Runs.List(f.As(jo), 0, 10)
		if err != nil || len(runs) != 2 || runs[0].ID != "r2" || runs[0].Rows != 3 || runs[1].ID != "r1" || runs[1].Rows != 2 {
			t.Errorf("got %+v, %v: newest first, without the run of those who name none", runs, err)
		}
		if some, err := f.Runs.List(f.As(jo), 1, 1); err != nil || len(some) != 1 || some[0].ID != "r1" {
			t.Errorf("second page: %+v, %v", some, err)
		}
		if none, err := f.Runs.List(f.As(jo), 5, -1); err != nil || len(none) != 0 {
			t.Errorf("beyond: %+v, %v", none, err)
		}
		describe := func(run string, offset, limit int, soft bool) (rows []string) {
			t.Helper()
			found, err := f.Runs.Describe(f.As(jo), run, offset, limit, soft)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range found {
				rows = append(rows, fmt.Sprintf("%s %s %d %v %v", r.Record.URN.Key(), r.Record.Aspect, r.Record.Row, r.KeyAspect, r.SoftDelete))
			}
			return rows
		}
		want := func(got []string, want ...string) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		want(describe("r1", 0, 10, false), "pii tagKey 0 true false", "pii tagProperties 1 false false")
		want(describe("r1", 1, 10, false), "pii tagProperties 1 false false")
		want(describe("r2", 0, 10, false), "pii tagProperties 0 false false")
		want(describe("r2", -1, 2, true), "gone status 0 false true", "gone tagKey 0 true true")
		want(describe("r2", 0, -1, true))
		want(describe("nothing", 0, 10, true))
		_, err = f.Runs.Describe(t.Context(), "r1", 0, 10, true)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
		_, err = f.Runs.List(t.Context(), 0, 10)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	})
}

func TestRollbackRestoresWhatWasBefore(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Put(tag, "tagProperties", properties("a"))
		f.Must(catalogtest.InRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("b"))))
		f.Put(tag, "tagProperties", properties("c"))
		f.Must(catalogtest.InRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("d"))), catalogtest.InRun("r1", catalogtest.Proposal(tag, "status", `{}`)))

		last, _ := f.Store.Last()
		dry := f.Rollback("r1", run.Options{DryRun: true})
		if after, _ := f.Store.Last(); after != last {
			t.Error("a dry run wrote")
		}
		out := f.Rollback("r1", run.Options{})
		if !reflect.DeepEqual(dry, out) {
			t.Errorf("dry run foretold %+v, was %+v", dry, out)
		}
		if out.EntitiesAffected != 1 || out.AspectsReverted != 2 || out.EntitiesDeleted != 0 || len(out.Rows) != 2 {
			t.Errorf("got %+v", out)
		}
		f.WantValue(tag, "tagProperties", properties("c"))
		f.WantValue(tag, "status", "")
		if rows, err := f.Store.Rows(t.Context(), f.Record(tag, "tagProperties").Key()); err != nil || len(rows) != 1 {
			t.Errorf("history %v, %v: the version of the run is still there", rows, err)
		}
		if again := f.Rollback("r1", run.Options{}); again.AspectsReverted != 0 {
			t.Errorf("again: %+v", again)
		}
	})
}

func TestRollbackOfEntities(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		made := func() {
			f.Must(
				catalogtest.InRun("r1", catalogtest.Proposal(dataset, "status", `{}`)), catalogtest.InRun("r1", catalogtest.Proposal(dataset, "datasetProfile", profile(1, 1))),
				catalogtest.InRun("r1", catalogtest.Proposal("urn:li:tag:own", "status", `{}`)),
			)
			f.Must(catalogtest.Proposal(dataset, "editableDatasetProperties", `{"description":"by hand"}`), catalogtest.Proposal(dataset, "datasetProfile", profile(2, 2)))
		}
		made()
		out := f.Rollback("r1", run.Options{})
		if out.UnsafeCount != 1 || out.UnsafeEntities[0] != dataset || out.EntitiesDeleted != 0 || out.EntitiesAffected != 2 || out.AspectsAffected != 1 {
			t.Errorf("safe: %+v", out)
		}
		f.WantValue(dataset, "status", `{"removed":true}`)
		f.WantValue(dataset, "editableDatasetProperties", `{"description":"by hand"}`)
		if f.Record("urn:li:tag:own", "tagKey") == nil {
			t.Error("the key of an entity of the run alone is gone")
		}
		f.WantValue("urn:li:tag:own", "status", `{"removed":true}`)
		again := f.Rollback("r1", run.Options{})
		f.WantValue("urn:li:tag:own", "status", `{"removed":true}`)
		if again.AspectsReverted != 0 {
			t.Errorf("again: %+v", again)
		}
		if got := f.Times(dataset); len(got) != 1 || got[0] != 2 {
			t.Errorf("documents left: %v, want that of the other run", got)
		}
		for _, u := range []urn.URN{dataset, "urn:li:tag:own"} {
			if _, err := f.DeleteEntity(f.As(root), u); err != nil {
				t.Fatal(err)
			}
		}
		made()
		out = f.Rollback("r1", run.Options{Hard: true})
		if out.EntitiesDeleted != 2 || out.UnsafeCount != 1 || f.Record(dataset, "datasetKey") != nil || f.Times(dataset) != nil {
			t.Errorf("hard: %+v", out)
		}
	})
}

func TestRollbackOfTypesWithoutStatus(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const domain urn.URN = "urn:li:domain:d"
	f.Must(catalogtest.InRun("r1", catalogtest.Proposal(domain, "domainProperties", `{"name":"d"}`)))
	f.Put(domain, "ownership", `{"owners":[],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	out := f.Rollback("r1", run.Options{})
	if out.UnsafeCount != 1 || f.Record(domain, "domainKey") == nil || f.Record(domain, "status") != nil {
		t.Errorf("got %+v", out)
	}
}

func TestRollbackOfManyEntities(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const many = 1500
	batch := make([]catalog.Proposal, many)
	for i := range batch {
		batch[i] = catalogtest.InRun("r1", catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:tag:%04d", i)), "status", `{}`))
	}
	f.Must(batch...)
	if rows, err := f.Runs.Describe(f.As(jo), "r1", 2*many-1, 10, true); err != nil || len(rows) != 1 {
		t.Errorf("last page: %d rows, %v", len(rows), err)
	}
	out := f.Rollback("r1", run.Options{Hard: true})
	if out.EntitiesDeleted != many || out.AspectsReverted != 2*many || len(out.Rows) != 100 {
		t.Errorf("deleted %d, reverted %d, listed %d", out.EntitiesDeleted, out.AspectsReverted, len(out.Rows))
	}
	if n, err := f.Store.Count(t.Context(), "tag"); n != 0 || err != nil {
		t.Errorf("%d left, %v", n, err)
	}
}

func TestRollbackIsRefused(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	for _, c := range []struct {
		actor urn.URN
		run   string
		kind  fault.Kind
		text  string
	}{
		{root, "", fault.Malformed, "runId is required"},
		{root, model.DefaultRunID, fault.Invalid, "cannot be rolled back"},
		{jo, "r1", fault.Forbidden, "MANAGE_INGESTION"},
	} {
		_, err := f.Runs.Rollback(f.As(c.actor), c.run, run.Options{})
		catalogtest.WantFault(t, err, c.kind, c.text)
	}
	_, err := f.Runs.Rollback(t.Context(), "r1", run.Options{})
	catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	_, err = f.Runs.RollbackRegistry(f.As(jo), "a:1", run.Options{})
	catalogtest.WantFault(t, err, fault.Forbidden, "")
	_, err = f.Runs.RollbackRegistry(f.As(root), "a", run.Options{})
	catalogtest.WantFault(t, err, fault.Malformed, "name:version")
	f.MustAs(model.SystemActor, catalogtest.InRun("r1", catalogtest.Proposal(jo, "corpUserInfo", `{"active":true,"system":true}`)))
	out := f.Rollback("r1", run.Options{Hard: true})
	if out.UnsafeCount != 1 || out.AspectsReverted != 0 {
		t.Errorf("a system user: %+v", out)
	}
	f.WantValue(jo, "corpUserInfo", `{"active":true,"system":true}`)
}

func TestRollbackOfARegistry(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	p := catalogtest.Proposal("urn:li:tag:a", "status", `{}`)
	p.System.RegistryName, p.System.RegistryVersion = "custom", "0.1:x"
	f.Must(p, catalogtest.Proposal("urn:li:tag:b", "status", `{}`))
	out, err := f.Runs.RollbackRegistry(f.As(root), "custom:0.1:x", run.Options{})
	if err != nil || out.EntitiesDeleted != 1 || f.Record("urn:li:tag:a", "tagKey") != nil || f.Record("urn:li:tag:b", "tagKey") == nil {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestRollbackKeepsWhatARunOnlySawAgain(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		write := func(run, value string) {
			t.Helper()
			p := catalogtest.Proposal(dataset, "status", value)
			p.System.RunID = run
			if _, err := f.Write(f.As(root), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		write("first", `{"removed":false}`)
		write("second", `{"removed":false}`)
		if out := f.Rollback("second", run.Options{}); out.AspectsReverted != 0 || len(out.Rows) != 0 {
			t.Errorf("got %+v, want nothing reverted", out)
		}
		a, err := f.Aspect(f.As(root), dataset, "status", 0, catalog.Concealed)
		if err != nil || a.System.RunID != "first" || a.System.Properties[model.PropertyNoOp] != "" {
			t.Fatalf("got %+v, %v, want the version of the first run", a.System, err)
		}
		if out := f.Rollback("first", rollbackHard); out.EntitiesDeleted != 1 {
			t.Errorf("got %+v, want the entity of the first run gone", out)
		}
	})
}

// The log names the rolled-back run, for aspects and for entities.
func TestARollbackIsLoggedWithItsRun(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const kept, gone urn.URN = "urn:li:tag:kept", "urn:li:tag:gone"
		f.Put(kept, "tagProperties", properties("a"))
		f.Must(catalogtest.InRun("r", catalogtest.Proposal(kept, "tagProperties", properties("b"))), catalogtest.InRun("r", catalogtest.Proposal(kept, "status", `{}`)))
		f.Must(catalogtest.InRun("r", catalogtest.Proposal(gone, "tagProperties", properties("c"))))
		last, _ := f.Store.Last()
		f.Rollback("r", run.Options{})
		entries, err := f.Store.Entries(t.Context(), last, 0)
		if err != nil || len(entries) < 3 {
			t.Fatalf("%d entries, %v", len(entries), err)
		}
		for _, e := range entries {
			hides := e.Kind == store.Written && e.Aspect == "status" // written by the actor of the rollback
			if e.RunID != "r" && !hides {
				t.Errorf("%s of %s %s is logged with the run %q", e.Kind, e.URN, e.Aspect, e.RunID)
			}
		}
	})
}
