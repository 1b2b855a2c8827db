package businessattribute_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/businessattribute"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	id       urn.URN = "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD),id)"
	buyer    urn.URN = "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD),buyer)"
	customer urn.URN = "urn:li:businessAttribute:customer"
	price    urn.URN = "urn:li:businessAttribute:price"
)

func ptr[T any](v T) *T { return &v }

func newService(t *testing.T) (*businessattribute.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	s := businessattribute.New(w.Edit)
	for _, d := range []businessattribute.Draft{{ID: "customer", Name: "Customer", Type: "STRUCT"}, {ID: "price", Name: "Price"}} {
		if _, err := s.Create(w.As(t, servicetest.Jo), d); err != nil {
			t.Fatal(err)
		}
	}
	return s, w
}

func TestCreateAndUpdate(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	if got := w.Get(t, customer, "businessAttributeInfo"); !strings.Contains(got, `"type":{"type":{"com.linkedin.schema.RecordType":{}}}`) {
		t.Errorf("got %s, want the type", got)
	}
	if got := w.Get(t, customer, "ownership"); !strings.Contains(got, string(servicetest.Jo)) {
		t.Errorf("got %s, want who created it", got)
	}
	if err := s.Update(w.As(t, servicetest.Root), customer, businessattribute.Revision{Name: ptr("Buyer"), Type: ptr("STRING")}); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, customer, "businessAttributeInfo"); !strings.Contains(got, `"name":"Buyer"`) || !strings.Contains(got, "StringType") || strings.Contains(got, "RecordType") {
		t.Errorf("got %s, want the new name and type", got)
	}
	// The previous name is free again.
	if _, err := s.Create(w.As(t, servicetest.Jo), businessattribute.Draft{Name: "Customer"}); err != nil {
		t.Error(err)
	}
}

func TestOneOfManyGetsAName(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	root := w.As(t, servicetest.Root)
	var named atomic.Int64
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			var err error
			if i == 0 {
				err = s.Update(root, customer, businessattribute.Revision{Name: ptr("Only one")})
			} else {
				_, err = s.Create(root, businessattribute.Draft{Name: "Only one"})
			}
			switch {
			case err == nil:
				named.Add(1)
			case fault.KindOf(err) != fault.Conflict:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if named.Load() != 1 {
		t.Errorf("%d business attributes got one name", named.Load())
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	root, jo := w.As(t, servicetest.Root), w.As(t, servicetest.Jo)
	const none urn.URN = "urn:li:businessAttribute:none"
	create := func(d businessattribute.Draft) func() error {
		return func() error { _, err := s.Create(jo, d); return err }
	}
	assign := func(u urn.URN, t businessattribute.Target) func() error {
		return func() error { return s.Assign(jo, u, []businessattribute.Target{t}) }
	}
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
	}{
		"an id that is taken":            {create(businessattribute.Draft{ID: "price", Name: "N"}), fault.Malformed},
		"a name that is taken":           {create(businessattribute.Draft{Name: "Price"}), fault.Conflict},
		"no name":                        {create(businessattribute.Draft{}), fault.Malformed},
		"a type that is none":            {create(businessattribute.Draft{Name: "N", Type: "COLOUR"}), fault.Malformed},
		"a change by an ordinary user":   {func() error { return s.Update(jo, price, businessattribute.Revision{}) }, fault.Forbidden},
		"a change to a taken name":       {func() error { return s.Update(root, price, businessattribute.Revision{Name: ptr("Customer")}) }, fault.Conflict},
		"a change of what is not there":  {func() error { return s.Update(root, none, businessattribute.Revision{}) }, fault.Malformed},
		"deletion by an ordinary user":   {func() error { return s.Delete(jo, price) }, fault.Forbidden},
		"deletion of what is not there":  {func() error { return s.Delete(root, none) }, fault.Malformed},
		"assigning what is not there":    {assign(none, businessattribute.Target{URN: string(id)}), fault.Malformed},
		"a dataset as a whole":           {assign(price, businessattribute.Target{URN: string(orders)}), fault.Malformed},
		"a column of a column":           {assign(price, businessattribute.Target{URN: string(id), Column: "id"}), fault.Malformed},
		"something without columns":      {assign(price, businessattribute.Target{URN: "urn:li:tag:x", Column: "id"}), fault.Malformed},
		"a dataset that is not there":    {assign(price, businessattribute.Target{URN: "urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)", Column: "id"}), fault.Malformed},
		"more columns than there may be": {func() error { return s.Assign(jo, price, make([]businessattribute.Target, 1001)) }, fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	both := []businessattribute.Target{{URN: string(id)}, {URN: string(orders), Column: "buyer"}}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"assigning", func() error { return s.Assign(ctx, customer, both) }, "customer customer"},
		{"assigning another one to one column", func() error { return s.Assign(ctx, price, both[:1]) }, "price customer"},
		{"taking off one that is on one column", func() error { return s.Unassign(ctx, customer, both) }, "price -"},
		{"taking it off again", func() error { return s.Unassign(ctx, customer, both) }, "price -"},
		{"deleting the other one", func() error { return s.Delete(w.As(t, servicetest.Root), price) }, "- -"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		var got []string
		for _, u := range []urn.URN{id, buyer} {
			value, name := w.Get(t, u, "businessAttributes"), "-"
			for _, a := range []urn.URN{customer, price} {
				if strings.Contains(value, string(a)) {
					name = a.Key()
				}
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != step.want {
			t.Errorf("%s: got %v, want %s", step.name, got, step.want)
		}
	}
}

// TestThePrivilegeIsEnoughToDelete: the catalog does not additionally require DELETE_ENTITY.
func TestThePrivilegeIsEnoughToDelete(t *testing.T) {
	t.Parallel()
	_, w := newService(t)
	granted := businessattribute.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageBusinessAttribute}}))
	if err := granted.Delete(w.As(t, servicetest.Mia), price); err != nil {
		t.Error(err)
	}
}
