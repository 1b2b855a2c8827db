package catalog_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func inRun(run string, p catalog.Proposal) catalog.Proposal {
	p.System.RunID = run
	return p
}

func (f *fixture) rollback(run string, o catalog.RollbackOptions) catalog.RollbackResult {
	f.t.Helper()
	out, err := f.Rollback(f.as(root), run, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func TestRunsAreListedAndDescribed(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.write(inRun("r1", proposal(tag, "tagProperties", properties("a"))))
		f.clock.Add(1000)
		f.write(inRun("r2", proposal(tag, "tagProperties", properties("b"))), proposal(dataset, "status", `{}`))
		f.write(inRun("r2", proposal("urn:li:tag:gone", "status", `{"removed":true}`)))
		runs, err := f.Runs(f.as(jo), 0, 10)
		if err != nil || len(runs) != 2 || runs[0].ID != "r2" || runs[0].Rows != 3 || runs[1].ID != "r1" || runs[1].Rows != 2 {
			t.Errorf("got %+v, %v: newest first, without the run of those who name none", runs, err)
		}
		if some, err := f.Runs(f.as(jo), 1, 1); err != nil || len(some) != 1 || some[0].ID != "r1" {
			t.Errorf("second page: %+v, %v", some, err)
		}
		if none, err := f.Runs(f.as(jo), 5, -1); err != nil || len(none) != 0 {
			t.Errorf("beyond: %+v, %v", none, err)
		}
		describe := func(run string, offset, limit int, soft bool) (rows []string) {
			t.Helper()
			found, err := f.DescribeRun(f.as(jo), run, offset, limit, soft)
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
		wantFault(t, err, fault.Unauthenticated, "")
		_, err = f.Runs(t.Context(), 0, 10)
		wantFault(t, err, fault.Unauthenticated, "")
	})
}

func TestRollbackRestoresWhatWasBefore(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.put(tag, "tagProperties", properties("a"))
		f.write(inRun("r1", proposal(tag, "tagProperties", properties("b"))))
		f.put(tag, "tagProperties", properties("c"))
		f.write(inRun("r1", proposal(tag, "tagProperties", properties("d"))), inRun("r1", proposal(tag, "status", `{}`)))

		last, _ := f.store.Last()
		dry := f.rollback("r1", catalog.RollbackOptions{DryRun: true})
		if after, _ := f.store.Last(); after != last {
			t.Error("a dry run wrote")
		}
		out := f.rollback("r1", catalog.RollbackOptions{})
		if !reflect.DeepEqual(dry, out) {
			t.Errorf("dry run foretold %+v, was %+v", dry, out)
		}
		if out.EntitiesAffected != 1 || out.AspectsReverted != 2 || out.EntitiesDeleted != 0 || len(out.Rows) != 2 {
			t.Errorf("got %+v", out)
		}
		f.wantValue(tag, "tagProperties", properties("c"))
		f.wantValue(tag, "status", "")
		if rows, err := f.store.Rows(t.Context(), f.record(tag, "tagProperties").Key()); err != nil || len(rows) != 1 {
			t.Errorf("history %v, %v: the version of the run is still there", rows, err)
		}
		if again := f.rollback("r1", catalog.RollbackOptions{}); again.AspectsReverted != 0 {
			t.Errorf("again: %+v", again)
		}
	})
}

func TestRollbackOfEntities(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		made := func() {
			f.write(
				inRun("r1", proposal(dataset, "status", `{}`)), inRun("r1", proposal(dataset, "datasetProfile", profile(1, 1))),
				inRun("r1", proposal("urn:li:tag:own", "status", `{}`)),
			)
			f.write(proposal(dataset, "editableDatasetProperties", `{"description":"by hand"}`), proposal(dataset, "datasetProfile", profile(2, 2)))
		}
		made()
		out := f.rollback("r1", catalog.RollbackOptions{})
		if out.UnsafeCount != 1 || out.UnsafeEntities[0] != dataset || out.EntitiesDeleted != 1 || out.AspectsAffected != 1 {
			t.Errorf("safe: %+v", out)
		}
		f.wantValue(dataset, "status", `{"removed":true}`)
		f.wantValue(dataset, "editableDatasetProperties", `{"description":"by hand"}`)
		if f.record("urn:li:tag:own", "tagKey") != nil {
			t.Error("an entity of the run alone is still there")
		}
		if got := f.times(dataset); len(got) != 1 || got[0] != 2 {
			t.Errorf("documents left: %v, want that of the other run", got)
		}
		if _, err := f.DeleteEntity(f.as(root), dataset); err != nil {
			t.Fatal(err)
		}
		made()
		out = f.rollback("r1", catalog.RollbackOptions{Hard: true})
		if out.EntitiesDeleted != 2 || out.UnsafeCount != 1 || f.record(dataset, "datasetKey") != nil || f.times(dataset) != nil {
			t.Errorf("hard: %+v", out)
		}
	})
}

func TestRollbackOfTypesWithoutStatus(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	const domain urn.URN = "urn:li:domain:d"
	f.write(inRun("r1", proposal(domain, "domainProperties", `{"name":"d"}`)))
	f.put(domain, "ownership", `{"owners":[],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	out := f.rollback("r1", catalog.RollbackOptions{})
	if out.UnsafeCount != 1 || f.record(domain, "domainKey") == nil {
		t.Errorf("got %+v", out)
	}
}

func TestRollbackOfManyEntities(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	const many = 1500
	batch := make([]catalog.Proposal, many)
	for i := range batch {
		batch[i] = inRun("r1", proposal(urn.URN(fmt.Sprintf("urn:li:tag:%04d", i)), "status", `{}`))
	}
	f.write(batch...)
	if rows, err := f.DescribeRun(f.as(jo), "r1", 2*many-1, 10, true); err != nil || len(rows) != 1 {
		t.Errorf("last page: %d rows, %v", len(rows), err)
	}
	out := f.rollback("r1", catalog.RollbackOptions{})
	if out.EntitiesDeleted != many || out.AspectsReverted != 2*many || len(out.Rows) != 100 {
		t.Errorf("deleted %d, reverted %d, listed %d", out.EntitiesDeleted, out.AspectsReverted, len(out.Rows))
	}
	if n, err := f.store.Count(t.Context(), "tag"); n != 0 || err != nil {
		t.Errorf("%d left, %v", n, err)
	}
}

func TestRollbackIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
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
		_, err := f.Rollback(f.as(c.actor), c.run, catalog.RollbackOptions{})
		wantFault(t, err, c.kind, c.text)
	}
	_, err := f.Rollback(t.Context(), "r1", catalog.RollbackOptions{})
	wantFault(t, err, fault.Unauthenticated, "")
	_, err = f.RollbackRegistry(f.as(jo), "a:1", catalog.RollbackOptions{})
	wantFault(t, err, fault.Forbidden, "")
	_, err = f.RollbackRegistry(f.as(root), "a", catalog.RollbackOptions{})
	wantFault(t, err, fault.Malformed, "name:version")
	f.writeAs(model.SystemActor, inRun("r1", proposal(jo, "corpUserInfo", `{"active":true,"system":true}`)))
	out := f.rollback("r1", catalog.RollbackOptions{Hard: true})
	if out.UnsafeCount != 1 || out.AspectsReverted != 0 {
		t.Errorf("a system user: %+v", out)
	}
	f.wantValue(jo, "corpUserInfo", `{"active":true,"system":true}`)
}

func TestRollbackOfARegistry(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	p := proposal("urn:li:tag:a", "status", `{}`)
	p.System.RegistryName, p.System.RegistryVersion = "custom", "0.1:x"
	f.write(p, proposal("urn:li:tag:b", "status", `{}`))
	out, err := f.RollbackRegistry(f.as(root), "custom:0.1:x", catalog.RollbackOptions{})
	if err != nil || out.EntitiesDeleted != 1 || f.record("urn:li:tag:a", "tagKey") != nil || f.record("urn:li:tag:b", "tagKey") == nil {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestRollbackKeepsWhatARunOnlySawAgain(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		write := func(run, value string) {
			t.Helper()
			p := proposal(dataset, "status", value)
			p.System.RunID = run
			if _, err := f.Write(f.as(root), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		write("first", `{"removed":false}`)
		write("second", `{"removed":false}`)
		if out := f.rollback("second", catalog.RollbackOptions{}); out.AspectsReverted != 0 || len(out.Rows) != 0 {
			t.Errorf("got %+v, want nothing reverted", out)
		}
		a, err := f.Aspect(f.as(root), dataset, "status", 0)
		if err != nil || a.System.RunID != "first" || a.System.Properties[model.PropertyNoOp] != "" {
			t.Fatalf("got %+v, %v, want the version of the first run", a.System, err)
		}
		if out := f.rollback("first", rollbackHard); out.EntitiesDeleted != 1 {
			t.Errorf("got %+v, want the entity of the first run gone", out)
		}
	})
}

func TestRollbackNeedsTheRightToDeleteEachEntityItTouches(t *testing.T) {
	t.Parallel()
	on, rule := inMemory(), &recorder{}
	on.authorizer = asking(rule)
	f := newFixture(t, on)
	const tag, policy urn.URN = "urn:li:tag:pii", "urn:li:dataHubPolicy:mine"
	f.write(inRun("r", proposal(tag, "tagProperties", properties("a"))), inRun("r", proposal(tag, "status", `{}`)), inRun("r", proposal(policy, "dataHubPolicyInfo",
		`{"displayName":"x","description":"","type":"PLATFORM","state":"ACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)))
	rule.take()
	rule.refuse = "DELETE " + string(policy)
	for _, o := range []catalog.RollbackOptions{{}, {DryRun: true}, {Hard: true}} {
		_, err := f.Rollback(f.as(jo), "r", o)
		wantFault(t, err, fault.Forbidden, "refused: DELETE "+string(policy))
		if f.record(tag, "tagProperties") == nil {
			t.Fatal("a refused rollback took back a part")
		}
	}
	rule.take()
	rule.refuse = ""
	if _, err := f.Rollback(f.as(jo), "r", catalog.RollbackOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"MANAGE_INGESTION", "DELETE " + string(policy) + " ", "DELETE " + string(tag) + " "}
	if got := rule.take(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	if f.record(tag, "tagProperties") != nil {
		t.Error("the run is not taken back")
	}
}
