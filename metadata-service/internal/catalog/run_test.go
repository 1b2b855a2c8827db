package catalog_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func inRun(run string, p catalog.Proposal) catalog.Proposal {
	p.System.RunID = run
	return p
}

func rollback(f *catalogtest.Fixture, run string, o catalog.RollbackOptions) catalog.RollbackResult {
	f.T.Helper()
	out, err := f.Rollback(f.As(root), run, o)
	if err != nil {
		f.T.Fatal(err)
	}
	return out
}

func TestRunsAreListedAndDescribed(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Must(inRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("a"))))
		f.Clock.Add(1000)
		f.Must(inRun("r2", catalogtest.Proposal(tag, "tagProperties", properties("b"))), catalogtest.Proposal(dataset, "status", `{}`))
		f.Must(inRun("r2", catalogtest.Proposal("urn:li:tag:gone", "status", `{"removed":true}`)))
		runs, err := f.Runs(f.As(jo), 0, 10)
		if err != nil || len(runs) != 2 || runs[0].ID != "r2" || runs[0].Rows != 3 || runs[1].ID != "r1" || runs[1].Rows != 2 {
			t.Errorf("got %+v, %v: newest first, without the run of those who name none", runs, err)
		}
		if some, err := f.Runs(f.As(jo), 1, 1); err != nil || len(some) != 1 || some[0].ID != "r1" {
			t.Errorf("second page: %+v, %v", some, err)
		}
		if none, err := f.Runs(f.As(jo), 5, -1); err != nil || len(none) != 0 {
			t.Errorf("beyond: %+v, %v", none, err)
		}
		describe := func(run string, offset, limit int, soft bool) (rows []string) {
			t.Helper()
			found, err := f.DescribeRun(f.As(jo), run, offset, limit, soft)
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
		_, err = f.DescribeRun(t.Context(), "r1", 0, 10, true)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
		_, err = f.Runs(t.Context(), 0, 10)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	})
}

func TestRollbackRestoresWhatWasBefore(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Put(tag, "tagProperties", properties("a"))
		f.Must(inRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("b"))))
		f.Put(tag, "tagProperties", properties("c"))
		f.Must(inRun("r1", catalogtest.Proposal(tag, "tagProperties", properties("d"))), inRun("r1", catalogtest.Proposal(tag, "status", `{}`)))

		last, _ := f.Store.Last()
		dry := rollback(f, "r1", catalog.RollbackOptions{DryRun: true})
		if after, _ := f.Store.Last(); after != last {
			t.Error("a dry run wrote")
		}
		out := rollback(f, "r1", catalog.RollbackOptions{})
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
		if again := rollback(f, "r1", catalog.RollbackOptions{}); again.AspectsReverted != 0 {
			t.Errorf("again: %+v", again)
		}
	})
}

func TestRollbackOfEntities(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		made := func() {
			f.Must(
				inRun("r1", catalogtest.Proposal(dataset, "status", `{}`)), inRun("r1", catalogtest.Proposal(dataset, "datasetProfile", profile(1, 1))),
				inRun("r1", catalogtest.Proposal("urn:li:tag:own", "status", `{}`)),
			)
			f.Must(catalogtest.Proposal(dataset, "editableDatasetProperties", `{"description":"by hand"}`), catalogtest.Proposal(dataset, "datasetProfile", profile(2, 2)))
		}
		made()
		out := rollback(f, "r1", catalog.RollbackOptions{})
		if out.UnsafeCount != 1 || out.UnsafeEntities[0] != dataset || out.EntitiesDeleted != 1 || out.AspectsAffected != 1 {
			t.Errorf("safe: %+v", out)
		}
		f.WantValue(dataset, "status", `{"removed":true}`)
		f.WantValue(dataset, "editableDatasetProperties", `{"description":"by hand"}`)
		if f.Record("urn:li:tag:own", "tagKey") != nil {
			t.Error("an entity of the run alone is still there")
		}
		if got := times(f, dataset); len(got) != 1 || got[0] != 2 {
			t.Errorf("documents left: %v, want that of the other run", got)
		}
		if _, err := f.DeleteEntity(f.As(root), dataset); err != nil {
			t.Fatal(err)
		}
		made()
		out = rollback(f, "r1", catalog.RollbackOptions{Hard: true})
		if out.EntitiesDeleted != 2 || out.UnsafeCount != 1 || f.Record(dataset, "datasetKey") != nil || times(f, dataset) != nil {
			t.Errorf("hard: %+v", out)
		}
	})
}

func TestRollbackOfTypesWithoutStatus(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const domain urn.URN = "urn:li:domain:d"
	f.Must(inRun("r1", catalogtest.Proposal(domain, "domainProperties", `{"name":"d"}`)))
	f.Put(domain, "ownership", `{"owners":[],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	out := rollback(f, "r1", catalog.RollbackOptions{})
	if out.UnsafeCount != 1 || f.Record(domain, "domainKey") == nil {
		t.Errorf("got %+v", out)
	}
}

func TestRollbackOfManyEntities(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const many = 1500
	batch := make([]catalog.Proposal, many)
	for i := range batch {
		batch[i] = inRun("r1", catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:tag:%04d", i)), "status", `{}`))
	}
	f.Must(batch...)
	if rows, err := f.DescribeRun(f.As(jo), "r1", 2*many-1, 10, true); err != nil || len(rows) != 1 {
		t.Errorf("last page: %d rows, %v", len(rows), err)
	}
	out := rollback(f, "r1", catalog.RollbackOptions{})
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
		_, err := f.Rollback(f.As(c.actor), c.run, catalog.RollbackOptions{})
		catalogtest.WantFault(t, err, c.kind, c.text)
	}
	_, err := f.Rollback(t.Context(), "r1", catalog.RollbackOptions{})
	catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	_, err = f.RollbackRegistry(f.As(jo), "a:1", catalog.RollbackOptions{})
	catalogtest.WantFault(t, err, fault.Forbidden, "")
	_, err = f.RollbackRegistry(f.As(root), "a", catalog.RollbackOptions{})
	catalogtest.WantFault(t, err, fault.Malformed, "name:version")
	f.MustAs(model.SystemActor, inRun("r1", catalogtest.Proposal(jo, "corpUserInfo", `{"active":true,"system":true}`)))
	out := rollback(f, "r1", catalog.RollbackOptions{Hard: true})
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
	out, err := f.RollbackRegistry(f.As(root), "custom:0.1:x", catalog.RollbackOptions{})
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
		if out := rollback(f, "second", catalog.RollbackOptions{}); out.AspectsReverted != 0 || len(out.Rows) != 0 {
			t.Errorf("got %+v, want nothing reverted", out)
		}
		a, err := f.Aspect(f.As(root), dataset, "status", 0)
		if err != nil || a.System.RunID != "first" || a.System.Properties[model.PropertyNoOp] != "" {
			t.Fatalf("got %+v, %v, want the version of the first run", a.System, err)
		}
		if out := rollback(f, "first", rollbackHard); out.EntitiesDeleted != 1 {
			t.Errorf("got %+v, want the entity of the first run gone", out)
		}
	})
}

func TestRollbackNeedsTheRightToDeleteEachEntityItTouches(t *testing.T) {
	t.Parallel()
	on, rule := catalogtest.InMemory(), &recorder{}
	on.Authorizer = asking(rule)
	f := catalogtest.New(t, on)
	const tag, policy urn.URN = "urn:li:tag:pii", "urn:li:dataHubPolicy:mine"
	f.Must(inRun("r", catalogtest.Proposal(tag, "tagProperties", properties("a"))), inRun("r", catalogtest.Proposal(tag, "status", `{}`)), inRun("r", catalogtest.Proposal(policy, "dataHubPolicyInfo",
		`{"displayName":"x","description":"","type":"PLATFORM","state":"ACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)))
	rule.take()
	rule.refuse = "DELETE " + string(policy)
	for _, o := range []catalog.RollbackOptions{{}, {DryRun: true}, {Hard: true}} {
		_, err := f.Rollback(f.As(jo), "r", o)
		catalogtest.WantFault(t, err, fault.Forbidden, "refused: DELETE "+string(policy))
		if f.Record(tag, "tagProperties") == nil {
			t.Fatal("a refused rollback took back a part")
		}
	}
	rule.take()
	rule.refuse = ""
	if _, err := f.Rollback(f.As(jo), "r", catalog.RollbackOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"MANAGE_INGESTION", "DELETE " + string(policy) + " ", "DELETE " + string(tag) + " "}
	if got := rule.take(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	if f.Record(tag, "tagProperties") != nil {
		t.Error("the run is not taken back")
	}
}

// Readers of the log learn which run was rolled back, of aspects as of entities.
func TestARollbackIsLoggedWithItsRun(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const kept, gone urn.URN = "urn:li:tag:kept", "urn:li:tag:gone"
		f.Put(kept, "tagProperties", properties("a"))
		f.Must(inRun("r", catalogtest.Proposal(kept, "tagProperties", properties("b"))), inRun("r", catalogtest.Proposal(kept, "status", `{}`)))
		f.Must(inRun("r", catalogtest.Proposal(gone, "tagProperties", properties("c"))))
		last, _ := f.Store.Last()
		rollback(f, "r", catalog.RollbackOptions{})
		entries, err := f.Store.Entries(t.Context(), last, 0)
		if err != nil || len(entries) < 3 {
			t.Fatalf("%d entries, %v", len(entries), err)
		}
		for _, e := range entries {
			if e.RunID != "r" {
				t.Errorf("%s of %s %s is logged with the run %q", e.Kind, e.URN, e.Aspect, e.RunID)
			}
		}
	})
}
