package catalog_test

import (
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestWhatIsVisibleIsReadAndTheRestLeftOut(t *testing.T) {
	t.Parallel()
	on, rule := catalogtest.InMemory(), &recorder{}
	on.Authorizer = asking(rule)
	f := catalogtest.New(t, on)
	const first, hidden, last urn.URN = "urn:li:tag:first", "urn:li:tag:hidden", "urn:li:tag:last"
	for _, u := range []urn.URN{first, hidden, last} {
		f.Put(u, "tagProperties", properties(u.Key()))
	}
	rule.refuse = "hidden"
	asked := []urn.URN{hidden, first, hidden, last}
	found, err := f.Entities(f.As(jo), asked, catalog.EntityQuery{Visible: true})
	if err != nil || len(found) != 2 || found[0].URN != first || found[1].URN != last {
		t.Fatalf("got %v, %v; want the first and the last", found, err)
	}
	if a, ok := found[1].Find("tagProperties"); !ok || string(a.Value) != catalogtest.Canonical(t, properties("last")) {
		t.Errorf("the last has %s: aspects of one entity are read for another", a.Value)
	}
	if _, err := f.Entities(f.As(jo), asked, catalog.EntityQuery{}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without asking for what is visible: %v, want forbidden", err)
	}
	rule.fail = fault.New(fault.Unavailable, "rules cannot be read")
	if _, err := f.Entities(f.As(jo), asked, catalog.EntityQuery{Visible: true}); !errors.Is(err, fault.Unavailable) {
		t.Errorf("got %v: what cannot be decided is not merely left out", err)
	}
}

func TestTheNewestDocumentsOfSeveralAreReadTogether(t *testing.T) {
	t.Parallel()
	on, rule := catalogtest.InMemory(), &recorder{}
	on.Authorizer = asking(rule)
	f := catalogtest.New(t, on)
	of := func(name string) urn.URN {
		return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
	}
	for _, name := range []string{"a", "b", "hidden"} {
		f.Put(of(name), "datasetProfile", profile(1, 10))
		f.Put(of(name), "datasetProfile", profile(3, 30))
		f.Put(of(name), "datasetProfile", profile(2, 20))
	}
	rule.refuse = "hidden"
	found, err := f.Newest(f.As(jo), "dataset", "datasetprofile", []urn.URN{of("a"), of("hidden"), of("never"), of("b")})
	if err != nil || len(found) != 2 || found[of("a")].Time != 3 || found[of("b")].Time != 3 {
		t.Errorf("got %v, %v; want the ones of time 3 of a and b", found, err)
	}
	for _, c := range []struct{ entityType, aspect string }{{"nothing", "datasetProfile"}, {"dataset", "status"}, {"dataset", "nothing"}} {
		if _, err := f.Newest(f.As(jo), c.entityType, c.aspect, nil); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s of %s: %v, want malformed", c.aspect, c.entityType, err)
		}
	}
	rule.fail = fault.New(fault.Unavailable, "rules cannot be read")
	if _, err := f.Newest(f.As(jo), "dataset", "datasetProfile", []urn.URN{of("a")}); !errors.Is(err, fault.Unavailable) {
		t.Errorf("got %v: what cannot be decided is not merely left out", err)
	}
}
