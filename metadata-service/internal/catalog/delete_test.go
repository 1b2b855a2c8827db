package catalog_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestDeletingForGood(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		ctx := f.As(root)
		f.Must(catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(tag, "tagProperties", properties("b")), catalogtest.Proposal(tag, "status", `{}`))

		out, err := f.DeleteAspects(ctx, tag, "TAGPROPERTIES", "ownership")
		if err != nil || out.Rows != 2 || f.Record(tag, "tagProperties") != nil || f.Record(tag, "status") == nil {
			t.Errorf("aspects: %+v, %v", out, err)
		}
		_, err = f.DeleteAspects(ctx, tag, "tagKey", "colour")
		catalogtest.WantFault(t, err, fault.Malformed, `no aspect "colour"`)
		if f.Record(tag, "tagKey") == nil {
			t.Fatal("a refused deletion deleted")
		}
		if w := f.Put(tag, "tagProperties", properties("c")); w.Record.System.Version != "1" {
			t.Errorf("a deleted aspect begins again at version %s", w.Record.System.Version)
		}
		out, err = f.ClearEntity(ctx, tag)
		if err != nil || out.Rows != 2 || f.Record(tag, "tagKey") == nil || f.Record(tag, "status") != nil {
			t.Errorf("clear: %+v, %v", out, err)
		}
		f.Put(tag, "status", `{}`)
		out, err = f.DeleteAspects(ctx, tag, "status", "tagkey")
		if err != nil || out.Rows != 2 || f.Record(tag, "tagKey") != nil {
			t.Errorf("key: %+v, %v", out, err)
		}
		last, _ := f.Store.Last()
		out, err = f.DeleteEntity(ctx, tag)
		if after, _ := f.Store.Last(); err != nil || out != (catalog.Deleted{}) || after != last {
			t.Errorf("absent: %+v, %v, %d log entries", out, err, after-last)
		}
		_, err = f.DeleteEntity(ctx, "urn:li:cow:x")
		catalogtest.WantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.ClearEntity(ctx, "urn:li:cow:x")
		catalogtest.WantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.DeleteAspects(ctx, "urn:li:cow:x", "status")
		catalogtest.WantFault(t, err, fault.Malformed, "unknown entity type")
		_, err = f.DeleteAspects(t.Context(), tag)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "the request has no actor")
	})
}

func TestDeletingByProposal(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Must(catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(tag, "status", `{}`))
		wantOutcomes(t, f.Must(catalogtest.Proposal(tag, "tagProperties", "", model.Delete), catalogtest.Proposal(tag, "ownership", "", model.Delete)), catalog.Removed, catalog.Removed)
		if f.Record(tag, "tagProperties") != nil || f.Record(tag, "status") == nil {
			t.Error("the wrong aspects went")
		}
		wantOutcomes(t, f.Must(catalogtest.Proposal(tag, "", "", model.Delete), catalogtest.Proposal(tag, "tagKey", `{}`, model.CreateEntity)), catalog.Removed, catalog.Inserted)
		if f.Record(tag, "status") != nil || f.Record(tag, "tagKey") == nil {
			t.Error("the entity was not made anew")
		}
	})
}

func TestSoftDeletion(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag, none urn.URN = "urn:li:tag:pii", "urn:li:tag:none"
		exists := func(soft bool) []bool {
			t.Helper()
			got, err := f.Exists(f.As(jo), []urn.URN{tag, none}, soft)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		f.Put(tag, "tagProperties", properties("a"))
		if got := exists(false); !slices.Equal(got, []bool{true, false}) {
			t.Errorf("got %v", got)
		}
		f.Put(tag, "status", `{"removed":true}`)
		f.Put(tag, "tagProperties", properties("b"))
		if hard, soft := exists(true), exists(false); !hard[0] || soft[0] {
			t.Errorf("removed: with %v, without %v", hard, soft)
		}
		f.Put(tag, "status", `{"removed":false}`)
		if got := exists(false); !got[0] {
			t.Error("not restored")
		}
		_, err := f.Exists(f.As(jo), []urn.URN{"urn:li:cow:x"}, true)
		catalogtest.WantFault(t, err, fault.Malformed, "Invalid urn!: urn:li:cow:x")
		_, err = f.Exists(t.Context(), []urn.URN{tag}, true)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "the request has no actor")
	})
}

func TestReadingEntities(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		f.Must(catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(dataset, "status", `{}`))
		names := func(e catalog.Entity) (list []string) {
			for _, a := range e.Aspects {
				list = append(list, a.Spec.Name)
			}
			return list
		}
		read := func(q catalog.EntityQuery, urns ...urn.URN) []catalog.Entity {
			t.Helper()
			entities, err := f.Entities(f.As(jo), urns, q)
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
		_, err := f.Entities(f.As(jo), []urn.URN{"urn:li:cow:x"}, catalog.EntityQuery{})
		catalogtest.WantFault(t, err, fault.Malformed, "urn:li:cow:x")
		_, err = f.Entities(t.Context(), []urn.URN{tag}, catalog.EntityQuery{})
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
		for _, c := range []struct {
			urn    urn.URN
			aspect string
			kind   fault.Kind
		}{
			{"urn:li:cow:x", "status", fault.Malformed}, {tag, "nothing", fault.NotFound}, {dataset, "datasetProfile", fault.NotFound},
			{tag, "ownership", fault.NotFound}, {"urn:li:tag:none", "tagKey", fault.NotFound},
		} {
			_, err := f.Aspect(f.As(jo), c.urn, c.aspect, 0, catalog.Concealed)
			catalogtest.WantFault(t, err, c.kind, "")
		}
		_, err = f.Aspect(t.Context(), tag, "tagKey", 0, catalog.Concealed)
		catalogtest.WantFault(t, err, fault.Unauthenticated, "")
	})
}
