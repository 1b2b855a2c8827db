package catalog_test

import (
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestCreating(t *testing.T) {
	const tag, fresh urn.URN = "urn:li:tag:pii", "urn:li:tag:new"
	quietly := func(p catalog.Proposal) catalog.Proposal {
		p.Conditions.NoneMatch = true
		return p
	}
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(tag, "tagProperties", properties("a"))
		wantOutcomes(t, f.Must(catalogtest.Proposal(tag, "status", `{}`, model.Create)), catalog.Inserted)
		create := catalogtest.Proposal(tag, "tagProperties", properties("b"), model.Create)
		f.Refuse(fault.Invalid, "Cannot perform CREATE since the aspect exists already", create)
		wantOutcomes(t, f.Must(quietly(create)), catalog.Dropped)
		f.WantValue(tag, "tagProperties", properties("a"))

		entity := catalogtest.Proposal(tag, "tagProperties", properties("b"), model.CreateEntity)
		f.Refuse(fault.Invalid, "Cannot perform CREATE_ENTITY", entity)
		f.Refuse(fault.Invalid, "Cannot perform CREATE_ENTITY", catalogtest.Proposal(tag, "tagKey", `{}`, model.CreateEntity))
		f.Refuse(fault.Invalid, "Cannot perform CREATE since", catalogtest.Proposal(tag, "tagKey", `{}`, model.Create))
		wantOutcomes(t, f.Must(quietly(entity)), catalog.Dropped)
		wantOutcomes(t, f.Must(
			catalogtest.Proposal(fresh, "tagKey", `{}`, model.CreateEntity), catalogtest.Proposal(fresh, "tagProperties", properties("b"), model.CreateEntity),
		), catalog.Inserted, catalog.Inserted)
		for _, change := range []model.ChangeType{model.Update, model.Restate} {
			wantOutcomes(t, f.Must(catalogtest.Proposal(fresh, "tagProperties", properties(string(change)), change)), catalog.Updated)
		}
	})
}

func TestConditions(t *testing.T) {
	const tag urn.URN = "urn:li:tag:pii"
	past, future := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC)
	cases := []struct {
		name             string
		conditions       catalog.Conditions
		pass, passAbsent bool
	}{
		{"the version that is stored", catalog.AtVersion(1), true, false},
		{"another version", catalog.AtVersion(2), false, false},
		{"not present", catalog.AtVersion(catalog.Absent), false, true},
		{"modified since before", catalog.Conditions{ModifiedSince: &past}, true, false},
		{"modified since after", catalog.Conditions{ModifiedSince: &future}, false, false},
		{"unmodified since before", catalog.Conditions{UnmodifiedSince: &past}, false, true},
		{"unmodified since after", catalog.Conditions{UnmodifiedSince: &future}, true, true},
		{"none", catalog.Conditions{}, true, true},
	}
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			f.Put(tag, "tagProperties", properties("a"))
			conditional := func(p catalog.Proposal, pass bool) {
				t.Helper()
				p.Conditions = c.conditions
				if pass {
					f.Must(p)
					return
				}
				f.Refuse(fault.Precondition, "", p)
			}
			conditional(catalogtest.Proposal(tag, "tagKey", `{}`), c.pass)
			conditional(catalogtest.Proposal("urn:li:tag:other", "tagKey", `{}`), c.passAbsent)
			conditional(catalogtest.Proposal(tag, "tagProperties", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/name","value":"pii"}]}`, model.Patch), c.pass)
			conditional(catalogtest.Proposal(tag, "tagProperties", properties("b")), c.pass)
			conditional(catalogtest.Proposal(tag, "status", `{}`), c.passAbsent)
			restated := catalogtest.Proposal(tag, "tagProperties", properties("a"), model.Restate)
			restated.Conditions = c.conditions
			f.Must(restated)
		})
	}
}

func TestConditionsGuardDeletions(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const tag urn.URN = "urn:li:tag:pii"
	f.Must(catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(tag, "tagProperties", properties("b")))
	for _, aspect := range []string{"tagProperties", "tagKey"} {
		p := catalogtest.Proposal(tag, aspect, "", model.Delete)
		p.Conditions = catalog.AtVersion(7)
		f.Refuse(fault.Precondition, "Expected version 7", p)
	}
}
