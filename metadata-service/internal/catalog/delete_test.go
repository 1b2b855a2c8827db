package catalog_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestDeletingForGood(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		ctx := f.as(root)
		f.write(proposal(tag, "tagProperties", properties("a")), proposal(tag, "tagProperties", properties("b")), proposal(tag, "status", `{}`))

		out, err := f.DeleteAspects(ctx, tag, "TAGPROPERTIES", "ownership")
		if err != nil || out.Rows != 2 || f.record(tag, "tagProperties") != nil || f.record(tag, "status") == nil {
			t.Errorf("aspects: %+v, %v", out, err)
		}
		_, err = f.DeleteAspects(ctx, tag, "tagKey", "colour")
		wantFault(t, err, fault.Malformed, `no aspect "colour"`)
		if f.record(tag, "tagKey") == nil {
			t.Fatal("a refused deletion deleted")
		}
		if w := f.put(tag, "tagProperties", properties("c")); w.Record.System.Version != "1" {
			t.Errorf("a deleted aspect begins again at version %s", w.Record.System.Version)
		}
		out, err = f.ClearEntity(ctx, tag)
		if err != nil || out.Rows != 2 || f.record(tag, "tagKey") == nil || f.record(tag, "status") != nil {
			t.Errorf("clear: %+v, %v", out, err)
		}
		f.put(tag, "status", `{}`)
		out, err = f.DeleteAspects(ctx, tag, "status", "tagkey")
		if err != nil || out.Rows != 2 || f.record(tag, "tagKey") != nil {
			t.Errorf("key: %+v, %v", out, err)
		}
		last, _ := f.store.Last()
		out, err = f.DeleteEntity(ctx, tag)
		if after, _ := f.store.Last(); err != nil || out != (catalog.Deleted{}) || after != last {
			t.Errorf("absent: %+v, %v, %d log entries", out, err, after-last)
		}
		_, err = f.DeleteEntity(ctx, "urn:li:cow:x")
		wantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.ClearEntity(ctx, "urn:li:cow:x")
		wantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.DeleteAspects(ctx, "urn:li:cow:x", "status")
		wantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.DeleteAspects(t.Context(), tag)
		wantFault(t, err, fault.Unauthenticated, "who deletes")
	})
}

func TestDeletingByProposal(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.write(proposal(tag, "tagProperties", properties("a")), proposal(tag, "status", `{}`))
		wantOutcomes(t, f.write(proposal(tag, "tagProperties", "", model.Delete), proposal(tag, "ownership", "", model.Delete)), catalog.Removed, catalog.Removed)
		if f.record(tag, "tagProperties") != nil || f.record(tag, "status") == nil {
			t.Error("the wrong aspects went")
		}
		wantOutcomes(t, f.write(proposal(tag, "", "", model.Delete), proposal(tag, "tagKey", `{}`, model.CreateEntity)), catalog.Removed, catalog.Inserted)
		if f.record(tag, "status") != nil || f.record(tag, "tagKey") == nil {
			t.Error("the entity was not made anew")
		}
	})
}

func TestSoftDeletion(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag, none urn.URN = "urn:li:tag:pii", "urn:li:tag:none"
		exists := func(soft bool) []bool {
			t.Helper()
			got, err := f.Exists(f.as(jo), []urn.URN{tag, none}, soft)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		f.put(tag, "tagProperties", properties("a"))
		if got := exists(false); !slices.Equal(got, []bool{true, false}) {
			t.Errorf("got %v", got)
		}
		f.put(tag, "status", `{"removed":true}`)
		f.put(tag, "tagProperties", properties("b"))
		if hard, soft := exists(true), exists(false); !hard[0] || soft[0] {
			t.Errorf("removed: with %v, without %v", hard, soft)
		}
		f.put(tag, "status", `{"removed":false}`)
		if got := exists(false); !got[0] {
			t.Error("not restored")
		}
		_, err := f.Exists(f.as(jo), []urn.URN{"urn:li:cow:x"}, true)
		wantFault(t, err, fault.Malformed, "Invalid urn!: urn:li:cow:x")
		_, err = f.Exists(t.Context(), []urn.URN{tag}, true)
		wantFault(t, err, fault.Unauthenticated, "who reads")
	})
}

func TestReadingEntities(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.write(proposal(tag, "tagProperties", properties("a")), proposal(dataset, "status", `{}`))
		names := func(e catalog.Entity) (list []string) {
			for _, a := range e.Aspects {
				list = append(list, a.Spec.Name)
			}
			return list
		}
		read := func(q catalog.EntityQuery, urns ...urn.URN) []catalog.Entity {
			t.Helper()
			entities, err := f.Entities(f.as(jo), urns, q)
			if err != nil {
				t.Fatal(err)
			}
			return entities
		}
		all := read(catalog.EntityQuery{}, tag, "urn:li:tag:none", dataset)
		if !all[0].Exists || all[1].Exists || all[1].Aspects != nil || !slices.Equal(names(all[0]), []string{"tagKey", "tagProperties"}) {
			t.Errorf("got %+v", all)
		}
		some := read(catalog.EntityQuery{Aspects: []string{"TagProperties", "status", "nothing"}, AlwaysKey: true}, dataset, tag, "urn:li:tag:none")
		if !slices.Equal(names(some[0]), []string{"datasetKey", "status"}) || !slices.Equal(names(some[1]), []string{"tagKey", "tagProperties"}) {
			t.Errorf("got %v, %v", names(some[0]), names(some[1]))
		}
		if a, ok := some[2].Find("tagKey"); !ok || some[2].Exists || string(a.Value) != `{"name":"none"}` {
			t.Errorf("the key of an absent entity: %+v", some[2])
		}
		if _, ok := read(catalog.EntityQuery{Aspects: []string{"status"}}, tag)[0].Find("tagKey"); ok {
			t.Error("the key was not asked for")
		}
		_, err := f.Entities(f.as(jo), []urn.URN{"urn:li:cow:x"}, catalog.EntityQuery{})
		wantFault(t, err, fault.Malformed, "urn:li:cow:x")
		_, err = f.Entities(t.Context(), []urn.URN{tag}, catalog.EntityQuery{})
		wantFault(t, err, fault.Unauthenticated, "")
		for _, c := range []struct {
			urn    urn.URN
			aspect string
			kind   fault.Kind
		}{
			{"urn:li:cow:x", "status", fault.Malformed}, {tag, "nothing", fault.NotFound}, {dataset, "datasetProfile", fault.NotFound},
			{tag, "ownership", fault.NotFound}, {"urn:li:tag:none", "tagKey", fault.NotFound},
		} {
			_, err := f.Aspect(f.as(jo), c.urn, c.aspect, 0)
			wantFault(t, err, c.kind, "")
		}
		_, err = f.Aspect(t.Context(), tag, "tagKey", 0)
		wantFault(t, err, fault.Unauthenticated, "")
	})
}
