package ermodel_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ermodel"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders    urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	customers urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.customers,PROD)"
	payments  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.payments,PROD)"
)

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, customers, payments} {
		w.Put(t, u, "status", `{"removed":false}`)
	}
	return w
}

func join(from, to urn.URN) *ermodel.Join {
	return &ermodel.Join{Name: "placed by", Source: string(from), Destination: string(to)}
}

// made creates a relationship between orders and customers as root.
func made(t *testing.T, w *servicetest.World) urn.URN {
	t.Helper()
	u, err := ermodel.New(w.Edit).Create(w.As(t, servicetest.Root), join(orders, customers), nil)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestTheRightOverBothDatasetsIsWhatItTakes(t *testing.T) {
	t.Parallel()
	relate, whole := []auth.Privilege{auth.CreateERRelationship}, []auth.Privilege{auth.EditEntity}
	for _, c := range []struct {
		name string
		over map[urn.URN][]auth.Privilege
		want bool
	}{
		{"to relate both", map[urn.URN][]auth.Privilege{orders: relate, customers: relate}, true},
		{"to edit both", map[urn.URN][]auth.Privilege{orders: whole, customers: whole}, true},
		{"one of each", map[urn.URN][]auth.Privilege{orders: relate, customers: whole}, true},
		{"only the source", map[urn.URN][]auth.Privilege{orders: whole}, false},
		{"only the destination", map[urn.URN][]auth.Privilege{customers: relate}, false},
		{"another right", map[urn.URN][]auth.Privilege{orders: {auth.EditDocs}, customers: {auth.EditDocs}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			u := made(t, w)
			s, ctx := ermodel.New(w.Granting(servicetest.Grants{Over: c.over})), w.As(t, servicetest.Jo)
			expect(t, "update", s.Update(ctx, u, join(orders, customers), &ermodel.Label{Description: "x"}), c.want)
			expect(t, "delete", s.Delete(ctx, u), c.want)
			_, err := s.Create(ctx, &ermodel.Join{Name: "again", Source: string(orders), Destination: string(customers)}, &ermodel.Label{})
			expect(t, "create", err, c.want)
		})
	}
}

func expect(t *testing.T, what string, err error, allowed bool) {
	t.Helper()
	if allowed && err != nil || !allowed && fault.KindOf(err) != fault.Forbidden {
		t.Errorf("%s: got %v, want allowed: %t", what, err, allowed)
	}
}

func TestTheRightOverARelationshipChangesIt(t *testing.T) {
	t.Parallel()
	w := world(t)
	u := made(t, w)
	over := map[urn.URN][]auth.Privilege{u: {auth.EditDocs}}
	s, ctx := ermodel.New(w.Granting(servicetest.Grants{Over: over})), w.As(t, servicetest.Jo)
	expect(t, "a label with the right to describe", s.Update(ctx, u, nil, &ermodel.Label{Description: "x"}), true)
	expect(t, "a join with it", s.Update(ctx, u, join(orders, customers), nil), false)
	over[u] = []auth.Privilege{auth.EditEntity}
	expect(t, "a join with the right to edit", s.Update(ctx, u, join(orders, customers), nil), true)
	expect(t, "other datasets with it", s.Update(ctx, u, join(orders, payments), nil), false)
	expect(t, "to delete with it", s.Delete(ctx, u), false)
	over[orders], over[payments] = []auth.Privilege{auth.EditEntity}, []auth.Privilege{auth.CreateERRelationship}
	expect(t, "other datasets with the right over them", s.Update(ctx, u, join(orders, payments), nil), true)
	over[u] = []auth.Privilege{auth.DeleteEntity}
	delete(over, orders)
	expect(t, "to delete with the right to", s.Delete(ctx, u), true)
}

func TestWhoMadeItStays(t *testing.T) {
	t.Parallel()
	w := world(t)
	u := made(t, w)
	s := ermodel.New(w.Edit)
	j := join(orders, customers)
	j.Name, j.Created, j.Creator = "renamed", 5, string(servicetest.Mia)
	if err := s.Update(w.As(t, servicetest.Jo), u, j, nil); err != nil {
		t.Fatal(err)
	}
	got := w.Get(t, u, "erModelRelationshipProperties")
	if !strings.Contains(got, `"created":{"actor":"urn:li:corpuser:datahub","time":1772445600000}`) || !strings.Contains(got, `"lastModified":{"actor":"urn:li:corpuser:jo"`) {
		t.Errorf("got %s", got)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := ermodel.New(w.Edit), w.As(t, servicetest.Root)
	many := join(orders, customers)
	many.Pairs = make([]ermodel.Pair, 1001)
	long := join(orders, customers)
	long.Pairs = []ermodel.Pair{{Source: strings.Repeat("a", 4001), Destination: "b"}}
	stranger := join(orders, customers)
	stranger.Created, stranger.Creator = 1, "mia"
	kind := join(orders, customers)
	kind.Cardinality = "TWO"
	for name, c := range map[string]struct {
		join  *ermodel.Join
		label *ermodel.Label
		want  fault.Kind
	}{
		"too many pairs":         {many, nil, fault.TooLarge},
		"a long path":            {long, nil, fault.TooLarge},
		"a creator that is none": {stranger, nil, fault.Malformed},
		"a long text":            {join(orders, customers), &ermodel.Label{Description: strings.Repeat("a", 200_001)}, fault.TooLarge},
		"an unknown cardinality": {kind, nil, fault.Invalid},
	} {
		u, err := s.Create(ctx, c.join, c.label)
		if fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if u != "" && w.Get(t, u, "erModelRelationshipProperties") != "" {
			t.Errorf("%s: it was made all the same", name)
		}
	}
}
