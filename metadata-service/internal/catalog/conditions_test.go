package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestCreating(t *testing.T) {
	const tag, fresh urn.URN = "urn:li:tag:pii", "urn:li:tag:new"
	quietly := func(p catalog.Proposal) catalog.Proposal {
		p.Headers = map[string]string{"if-none-match": " * "}
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
	cases := []struct {
		name, header, value string
		pass, passAbsent    bool
	}{
		{"the version that is stored", "If-Version-Match", "1", true, false},
		{"the same in other letters", "if-VERSION-match", "+1", true, false},
		{"another version", "If-Version-Match", "2", false, false},
		{"not present", "If-Version-Match", "-1", false, true},
		{"modified since before", "If-Modified-Since", "2001-01-01T00:00:00Z", true, false},
		{"modified since after", "If-Modified-Since", "2101-01-01T00:00:00.5+02:00", false, false},
		{"unmodified since before", "If-Unmodified-Since", "2001-01-01T00:00:00Z", false, true},
		{"unmodified since after", "If-Unmodified-Since", "2101-01-01T00:00:00Z", true, true},
		{"a header that is no condition", "X-Other", "x", true, true},
	}
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			f.Put(tag, "tagProperties", properties("a"))
			conditional := func(p catalog.Proposal, pass bool) {
				t.Helper()
				p.Headers = map[string]string{c.header: c.value}
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
			restated.Headers = map[string]string{c.header: c.value}
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
		p.Headers = map[string]string{"If-Version-Match": "7"}
		f.Refuse(fault.Precondition, "Expected version 7", p)
	}
}

func TestBadConditionsAreRefused(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	for header, value := range map[string]string{"If-Version-Match": "x", "If-Modified-Since": "yesterday", "If-Unmodified-Since": "1"} {
		p := catalogtest.Proposal("urn:li:tag:x", "status", `{}`)
		p.Headers = map[string]string{header: value}
		f.Refuse(fault.Malformed, header, p)
	}
}
