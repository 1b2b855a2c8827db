package owner_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	builtIn urn.URN = "urn:li:ownershipType:__system__data_steward"
)

func ptr[T any](v T) *T { return &v }

// newService returns a service with a custom type, with which Jo owns a dataset.
func newService(t *testing.T) (*owner.Types, *servicetest.World, urn.URN) {
	t.Helper()
	w := servicetest.New(t)
	s := owner.NewTypes(w.Edit)
	u, err := s.Create(w.As(t, servicetest.Root), "Curator", "Keeps it tidy.")
	if err != nil {
		t.Fatal(err)
	}
	w.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"CUSTOM","typeUrn":"`+string(u)+`"}]}`)
	return s, w, u
}

func TestUpdateKeepsTheRest(t *testing.T) {
	t.Parallel()
	s, w, u := newService(t)
	if err := s.Update(w.As(t, servicetest.Root), u, ptr("Keeper"), nil); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, u, "ownershipTypeInfo"); !strings.Contains(got, `"name":"Keeper"`) || !strings.Contains(got, "Keeps it tidy.") {
		t.Errorf("got %s, want a new name and the description kept", got)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		references bool
		named      bool // the owner still has the type
	}{
		"references stay unless asked for": {false, true},
		"references go when asked for":     {true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w, u := newService(t)
			if err := s.Delete(w.As(t, servicetest.Root), u, tc.references); err != nil {
				t.Fatal(err)
			}
			if got := w.Get(t, u, "ownershipTypeInfo"); got != "" {
				t.Errorf("got %s, want nothing", got)
			}
			if got := w.Get(t, orders, "ownership"); strings.Contains(got, string(u)) != tc.named || !strings.Contains(got, string(servicetest.Jo)) {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestDeleteHidesWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	s, w, _ := newService(t)
	if err := s.Delete(w.As(t, servicetest.Root), builtIn, false); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, builtIn, "status"); !strings.Contains(got, `"removed":true`) {
		t.Errorf("got %s, want it hidden", got)
	}
	if got := w.Get(t, builtIn, "ownershipTypeInfo"); got == "" {
		t.Error("it is gone for good")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, w, u := newService(t)
	root, jo := w.As(t, servicetest.Root), w.As(t, servicetest.Jo)
	const none urn.URN = "urn:li:ownershipType:none"
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
	}{
		"creation by an ordinary user":  {func() error { _, err := s.Create(jo, "N", ""); return err }, fault.Forbidden},
		"a change by an ordinary user":  {func() error { return s.Update(jo, u, ptr("N"), nil) }, fault.Forbidden},
		"deletion by an ordinary user":  {func() error { return s.Delete(jo, u, false) }, fault.Forbidden},
		"no name":                       {func() error { _, err := s.Create(root, " ", ""); return err }, fault.Malformed},
		"a change to no name":           {func() error { return s.Update(root, u, ptr(""), nil) }, fault.Malformed},
		"a name that is too long":       {func() error { return s.Update(root, u, ptr(strings.Repeat("x", 2000)), nil) }, fault.TooLarge},
		"a change of what is not there": {func() error { return s.Update(root, none, ptr("N"), nil) }, fault.Malformed},
		"deletion of what is not there": {func() error { return s.Delete(root, none, true) }, fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}
