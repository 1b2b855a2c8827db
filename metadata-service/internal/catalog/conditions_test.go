package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
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
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.put(tag, "tagProperties", properties("a"))
		wantOutcomes(t, f.write(proposal(tag, "status", `{}`, model.Create)), catalog.Inserted)
		create := proposal(tag, "tagProperties", properties("b"), model.Create)
		f.refuse(fault.Invalid, "Cannot perform CREATE since the aspect exists already", create)
		wantOutcomes(t, f.write(quietly(create)), catalog.Dropped)
		f.wantValue(tag, "tagProperties", properties("a"))

		entity := proposal(tag, "tagProperties", properties("b"), model.CreateEntity)
		f.refuse(fault.Invalid, "Cannot perform CREATE_ENTITY", entity)
		f.refuse(fault.Invalid, "Cannot perform CREATE_ENTITY", proposal(tag, "tagKey", `{}`, model.CreateEntity))
		f.refuse(fault.Invalid, "Cannot perform CREATE since", proposal(tag, "tagKey", `{}`, model.Create))
		wantOutcomes(t, f.write(quietly(entity)), catalog.Dropped)
		wantOutcomes(t, f.write(
			proposal(fresh, "tagKey", `{}`, model.CreateEntity), proposal(fresh, "tagProperties", properties("b"), model.CreateEntity),
		), catalog.Inserted, catalog.Inserted)
		for _, change := range []model.ChangeType{model.Update, model.Restate} {
			wantOutcomes(t, f.write(proposal(fresh, "tagProperties", properties(string(change)), change)), catalog.Updated)
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
			f := newFixture(t, inMemory())
			f.put(tag, "tagProperties", properties("a"))
			conditional := func(p catalog.Proposal, pass bool) {
				t.Helper()
				p.Headers = map[string]string{c.header: c.value}
				if pass {
					f.write(p)
					return
				}
				f.refuse(fault.Precondition, "", p)
			}
			conditional(proposal(tag, "tagKey", `{}`), c.pass)
			conditional(proposal("urn:li:tag:other", "tagKey", `{}`), c.passAbsent)
			conditional(proposal(tag, "tagProperties", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/name","value":"pii"}]}`, model.Patch), c.pass)
			conditional(proposal(tag, "tagProperties", properties("b")), c.pass)
			conditional(proposal(tag, "status", `{}`), c.passAbsent)
			restated := proposal(tag, "tagProperties", properties("a"), model.Restate)
			restated.Headers = map[string]string{c.header: c.value}
			f.write(restated)
		})
	}
}

func TestConditionsGuardDeletions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	const tag urn.URN = "urn:li:tag:pii"
	f.write(proposal(tag, "tagProperties", properties("a")), proposal(tag, "tagProperties", properties("b")))
	for _, aspect := range []string{"tagProperties", "tagKey"} {
		p := proposal(tag, aspect, "", model.Delete)
		p.Headers = map[string]string{"If-Version-Match": "7"}
		f.refuse(fault.Precondition, "Expected version 7", p)
	}
}

func TestBadConditionsAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	for header, value := range map[string]string{"If-Version-Match": "x", "If-Modified-Since": "yesterday", "If-Unmodified-Since": "1"} {
		p := proposal("urn:li:tag:x", "status", `{}`)
		p.Headers = map[string]string{header: value}
		f.refuse(fault.Malformed, header, p)
	}
}
