package collection_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders    urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	customers urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.customers,PROD)"
	shop      urn.URN = "urn:li:domain:shop"
	sales     urn.URN = "urn:li:dataProduct:sales"
	web       urn.URN = "urn:li:dataProduct:web"
)

func ptr[T any](v T) *T { return &v }

// newDataProducts returns a service with two datasets and two data products of a domain; web is
// below sales.
func newDataProducts(t *testing.T) (*collection.DataProducts, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	w.Put(t, customers, "datasetProperties", `{"name":"customers"}`)
	w.Put(t, shop, "domainProperties", `{"name":"Shop"}`)
	s := collection.NewDataProducts(w.Edit)
	for _, d := range []collection.Draft{
		{ID: "sales", Name: "Sales", Domain: string(shop)},
		{ID: "web", Name: "Web", Description: ptr("On the web."), Domain: string(shop), Parent: string(sales)},
	} {
		if _, err := s.Create(w.As(t, servicetest.Root), d); err != nil {
			t.Fatal(err)
		}
	}
	return s, w
}

// members formats the data products of the datasets, from their lists and from the mirror on the
// datasets.
func members(t *testing.T, s *collection.DataProducts, w *servicetest.World) string {
	t.Helper()
	found, err := s.Of(w.As(t, servicetest.Root), []urn.URN{orders, customers})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, asset := range []urn.URN{orders, customers} {
		line := ""
		for _, m := range found[i] {
			line += m.Product.Key() + " "
			if m.OutputPort {
				line += "port "
			}
		}
		mirror := w.Get(t, asset, "dataProducts")
		for _, p := range []urn.URN{sales, web} {
			if strings.Contains(mirror, string(p)) != strings.Contains(line, p.Key()) {
				t.Errorf("the mirror of %s is %s, the data products are %s", asset, mirror, line)
			}
		}
		out = append(out, strings.TrimSpace(line))
	}
	return strings.Join(out, "; ")
}

func TestCreateDataProducts(t *testing.T) {
	t.Parallel()
	_, w := newDataProducts(t)
	if got, want := w.Get(t, web, "dataProductProperties"), `{"description":"On the web.","name":"Web","parentDataProduct":"urn:li:dataProduct:sales"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, web, "domains"); !strings.Contains(got, string(shop)) {
		t.Errorf("got %s, want the domain", got)
	}
	if got := w.Get(t, web, "ownership"); !strings.Contains(got, `"owner":"urn:li:corpuser:datahub"`) {
		t.Errorf("got %s, want who created it", got)
	}
}

func TestDataProductRefusals(t *testing.T) {
	t.Parallel()
	s, w := newDataProducts(t)
	create := func(as urn.URN, d collection.Draft) func() error {
		return func() error { _, err := s.Create(w.As(t, as), d); return err }
	}
	root := w.As(t, servicetest.Root)
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("urn:li:dataProduct:p%d", i)
	}
	assets := make([]string, 100)
	for i := range assets {
		assets[i] = string(orders)
	}
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
	}{
		"an id that is taken":        {create(servicetest.Root, collection.Draft{ID: "sales", Name: "Sales", Domain: string(shop)}), fault.Malformed},
		"no name":                    {create(servicetest.Root, collection.Draft{Domain: string(shop)}), fault.Malformed},
		"no domain":                  {create(servicetest.Root, collection.Draft{Name: "Plain"}), fault.Malformed},
		"a domain that is not there": {create(servicetest.Root, collection.Draft{Name: "Plain", Domain: "urn:li:domain:none"}), fault.Malformed},
		"a parent that is not there": {create(servicetest.Root, collection.Draft{Name: "Plain", Domain: string(shop), Parent: "urn:li:dataProduct:none"}), fault.Malformed},
		"a domain of others":         {create(servicetest.Jo, collection.Draft{Name: "Plain", Domain: string(shop)}), fault.Forbidden},
		"below itself":               {func() error { return s.Update(root, sales, collection.Revision{Parent: ptr(string(sales))}) }, fault.Malformed},
		"below what lies below it":   {func() error { return s.Update(root, sales, collection.Revision{Parent: ptr(string(web))}) }, fault.Malformed},
		"a change of what is not there": {func() error {
			return s.Update(root, "urn:li:dataProduct:none", collection.Revision{Name: ptr("N")})
		}, fault.Malformed},
		"a change to no name":              {func() error { return s.Update(root, sales, collection.Revision{Name: ptr(" ")}) }, fault.Malformed},
		"deletion by an ordinary user":     {func() error { return s.Delete(w.As(t, servicetest.Jo), sales) }, fault.Forbidden},
		"an asset that is not there":       {func() error { return s.Add(root, []string{string(sales)}, []string{"urn:li:container:none"}) }, fault.Malformed},
		"a data product that is not there": {func() error { return s.Set(root, "urn:li:dataProduct:none", []string{string(orders)}) }, fault.Malformed},
		"a data product of others":         {func() error { return s.Set(w.As(t, servicetest.Jo), sales, []string{string(orders)}) }, fault.Forbidden},
		"too much at once":                 {func() error { return s.Add(root, many, assets) }, fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
	if got := members(t, s, w); got != "; " {
		t.Errorf("got %s, want no members", got)
	}
}

func TestAssetsOfDataProductsComeAndGo(t *testing.T) {
	t.Parallel()
	s, w := newDataProducts(t)
	jo, root := w.As(t, servicetest.Jo), w.As(t, servicetest.Root)
	both := []string{string(orders), string(customers)}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"adding to two", func() error { return s.Add(jo, []string{string(sales), string(web)}, both) }, "sales web; sales web"},
		{"adding again", func() error { return s.Add(jo, []string{string(sales)}, append(both, both...)) }, "sales web; sales web"},
		{"removing from one", func() error { return s.Remove(jo, []string{string(web)}, []string{string(customers)}) }, "sales web; sales"},
		{"removing again", func() error { return s.Remove(jo, []string{string(web)}, []string{string(customers)}) }, "sales web; sales"},
		{"setting one", func() error { return s.Set(root, web, both) }, "web; web"},
		{"setting it again", func() error { return s.Set(root, web, both) }, "web; web"},
		{"setting none", func() error { return s.Set(jo, "", []string{string(orders)}) }, "; web"},
		{"nothing at all", func() error { return s.Set(jo, "", nil) }, "; web"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := members(t, s, w); got != step.want {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
	if got, err := s.Assets(jo, web); err != nil || len(got) != 1 || got[0] != customers {
		t.Errorf("got %v, %v, want the customers", got, err)
	}
}

// TestSettingOneAsksForTheDataProduct: an actor that may only change the assets can remove them
// from data products, but cannot add them to one.
func TestSettingOneAsksForTheDataProduct(t *testing.T) {
	t.Parallel()
	const garden, plants urn.URN = "urn:li:domain:garden", "urn:li:dataProduct:plants"
	ofAsset := map[urn.URN][]auth.Privilege{orders: {auth.EditDataProducts}}
	ofShop := map[urn.URN][]auth.Privilege{shop: {auth.ManageDataProducts}}
	for name, tc := range map[string]struct {
		in      urn.URN // where the asset is
		has     map[urn.URN][]auth.Privilege
		to      urn.URN
		refused bool
	}{
		"into one, with nothing":                               {"", nil, sales, true},
		"into one, with the asset":                             {"", ofAsset, sales, true},
		"into one, with the domain":                            {"", ofShop, sales, false},
		"into one, with a right to edit the domain":            {"", map[urn.URN][]auth.Privilege{shop: {auth.EditEntity}}, sales, true},
		"into one, with a right to edit it":                    {"", map[urn.URN][]auth.Privilege{sales: {auth.EditEntity}}, sales, true},
		"into one, with a right to edit it and the asset":      {"", map[urn.URN][]auth.Privilege{sales: {auth.EditEntity}, orders: {auth.EditEntity}}, sales, true},
		"out of one, with a right to edit its domain":          {web, map[urn.URN][]auth.Privilege{sales: {auth.EditEntity}, shop: {auth.EditEntity}}, sales, true},
		"from one to another of the domain":                    {web, ofShop, sales, false},
		"out of one of another domain":                         {plants, ofShop, sales, true},
		"out of one of another domain, with the asset as well": {plants, map[urn.URN][]auth.Privilege{orders: {auth.EditDataProducts}, shop: {auth.ManageDataProducts}}, sales, false},
		"to none, with nothing":                                {web, nil, "", true},
		"to none, with the domain":                             {web, ofShop, "", true},
		"to none, with the asset":                              {web, ofAsset, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := newDataProducts(t)
			root := w.As(t, servicetest.Root)
			w.Put(t, garden, "domainProperties", `{"name":"Garden"}`)
			if _, err := s.Create(root, collection.Draft{ID: plants.Key(), Name: "Plants", Domain: string(garden)}); err != nil {
				t.Fatal(err)
			}
			if tc.in != "" {
				if err := s.Add(root, []string{string(tc.in)}, []string{string(orders)}); err != nil {
					t.Fatal(err)
				}
			}
			granted := collection.NewDataProducts(w.Granting(servicetest.Grants{Over: tc.has}))
			err := granted.Set(w.As(t, servicetest.Jo), tc.to, []string{string(orders)})
			if errors.Is(err, fault.Forbidden) != tc.refused || err != nil && !tc.refused {
				t.Fatalf("got %v", err)
			}
			want := tc.to
			if tc.refused {
				want = tc.in
			}
			if got := w.Get(t, orders, "dataProducts"); want != "" && !strings.Contains(got, string(want)) || want == "" && strings.Contains(got, "urn:li:dataProduct:") {
				t.Errorf("the asset is in %s, want %s", got, want)
			}
		})
	}
}

func TestOutputPortsStay(t *testing.T) {
	t.Parallel()
	s, w := newDataProducts(t)
	w.Put(t, sales, "dataProductProperties", `{"name":"Sales","assets":[{"destinationUrn":"`+string(orders)+`","outputPort":true}]}`)
	if err := s.Set(w.As(t, servicetest.Root), sales, []string{string(orders), string(customers)}); err != nil {
		t.Fatal(err)
	}
	if got, want := members(t, s, w), "sales port; sales"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMoveAndDelete(t *testing.T) {
	t.Parallel()
	s, w := newDataProducts(t)
	ctx := w.As(t, servicetest.Root)
	if err := s.Update(ctx, web, collection.Revision{Parent: ptr(""), Name: ptr("The web")}); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, web, "dataProductProperties"); strings.Contains(got, "parentDataProduct") || !strings.Contains(got, "The web") {
		t.Errorf("got %s, want no parent", got)
	}
	if err := s.Update(ctx, sales, collection.Revision{Parent: ptr(string(web))}); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(ctx, []string{string(web)}, []string{string(orders)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(ctx, web); err != nil {
		t.Fatal(err)
	}
	if got := members(t, s, w); got != "; " {
		t.Errorf("got %q, want no members", got)
	}
	if got := w.Get(t, sales, "dataProductProperties"); strings.Contains(got, string(web)) {
		t.Errorf("got %s, want no parent", got)
	}
	if err := s.Delete(ctx, web); fault.KindOf(err) != fault.Malformed {
		t.Errorf("once more: got %v", err)
	}
}

// TestSettingOneThatIsInNoDomainAsksForTheAssets: a data product without a domain requires the
// general privileges on it and on its assets.
func TestSettingOneThatIsInNoDomainAsksForTheAssets(t *testing.T) {
	t.Parallel()
	for _, withAsset := range []bool{false, true} {
		_, w := newDataProducts(t)
		w.Put(t, sales, "domains", `{"domains":[]}`)
		has := map[urn.URN][]auth.Privilege{sales: {auth.EditEntity}}
		if withAsset {
			has[orders] = []auth.Privilege{auth.EditDataProducts}
		}
		granted := collection.NewDataProducts(w.Granting(servicetest.Grants{Over: has}))
		if err := granted.Set(w.As(t, servicetest.Jo), sales, []string{string(orders)}); errors.Is(err, fault.Forbidden) == withAsset || err != nil && withAsset {
			t.Errorf("with the asset %v: %v", withAsset, err)
		}
	}
}

// TestARightToEditADomainIsNotOneToManageItsDataProducts: every editor of the content of a domain
// may edit the domain.
func TestARightToEditADomainIsNotOneToManageItsDataProducts(t *testing.T) {
	t.Parallel()
	_, w := newDataProducts(t)
	granted := collection.NewDataProducts(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{shop: {auth.EditEntity, auth.DeleteEntity}}}))
	jo := w.As(t, servicetest.Jo)
	_, err := granted.Create(jo, collection.Draft{Name: "Mine", Domain: string(shop)})
	for what, err := range map[string]error{
		"create": err, "update": granted.Update(jo, sales, collection.Revision{Name: ptr("x")}), "delete": granted.Delete(jo, sales),
	} {
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestThePrivilegeIsEnoughToDelete: the catalog does not additionally require DELETE_ENTITY.
func TestThePrivilegeIsEnoughToDelete(t *testing.T) {
	t.Parallel()
	_, w := newDataProducts(t)
	granted := collection.NewDataProducts(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{shop: {auth.ManageDataProducts}}}))
	if err := granted.Delete(w.As(t, servicetest.Mia), sales); err != nil {
		t.Error(err)
	}
}
