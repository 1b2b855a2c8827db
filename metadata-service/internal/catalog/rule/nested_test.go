package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A data product or an application cannot have a parent below itself, for any actor and any form of
// write.
func TestCollectionsAreNestedWithoutCycles(t *testing.T) {
	t.Parallel()
	for entityType, place := range map[string]model.Parent{
		"dataProduct": {Aspect: "dataProductProperties", Path: "parentDataProduct"}, "application": {Aspect: "applicationProperties", Path: "parentApplication"},
	} {
		t.Run(entityType, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) { nest(t, f, entityType, place) })
		})
	}
}

func nest(t *testing.T, f *catalogtest.Fixture, entityType string, place model.Parent) {
	a, b, c, d, e := urn.Make(entityType, "a"), urn.Make(entityType, "b"), urn.Make(entityType, "c"), urn.Make(entityType, "d"), urn.Make(entityType, "e")
	below := func(child, parent urn.URN) catalog.Proposal {
		return catalogtest.Proposal(child, place.Aspect, fmt.Sprintf(`{"name":%q,%q:%q}`, child.Key(), place.Path, parent))
	}
	patch := func(child, parent urn.URN) catalog.Proposal {
		return catalog.Proposal{URN: string(child), Change: model.Patch, Aspect: place.Aspect, Value: fmt.Appendf(nil, `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/%s","value":%q}]}`, place.Path, parent)}
	}
	f.Refuse(fault.Malformed, "cannot be its own parent", below(a, a))
	f.Refuse(fault.Invalid, "must be a URN of one of the entity types "+entityType, below(a, "urn:li:tag:x"))
	f.Must(below(b, a)) // before the parent exists
	f.Put(a, place.Aspect, `{"name":"a"}`)
	f.Must(below(c, b))
	for _, parent := range []urn.URN{b, c} {
		f.Refuse(fault.Malformed, "lies below", below(a, parent))
		f.Refuse(fault.Malformed, "lies below", patch(a, parent))
	}
	f.Refuse(fault.Malformed, "lies below", below(d, e), below(e, d))
	f.Must(patch(c, a))
	f.Must(below(b, c))
	if got := f.Member(c, place.Aspect, place.Path); got != fmt.Sprintf("%q", a) {
		t.Errorf("the parent is %s", got)
	}
}
