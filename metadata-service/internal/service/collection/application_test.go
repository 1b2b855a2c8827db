package collection_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/collection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	store urn.URN = "urn:li:application:store"
	till  urn.URN = "urn:li:application:till"
)

func newApplications(t *testing.T) (*collection.Applications, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	w.Put(t, "urn:li:domain:web", "domainProperties", `{"name":"Web"}`)
	s := collection.NewApplications(w.Edit)
	for _, d := range []collection.Draft{{ID: "store", Name: "Store", Domain: "urn:li:domain:web", Owned: true}, {ID: "till", Name: "Till"}} {
		if _, err := s.Create(w.As(t, servicetest.Jo), d); err != nil {
			t.Fatal(err)
		}
	}
	return s, w
}

func TestCreateAndUpdateApplications(t *testing.T) {
	t.Parallel()
	s, w := newApplications(t)
	if got := w.Get(t, store, "ownership"); !strings.Contains(got, string(servicetest.Jo)) {
		t.Errorf("got %s, want who created it", got)
	}
	if got := w.Get(t, till, "ownership"); got != "" {
		t.Errorf("got %s, want no owner", got)
	}
	if err := s.Update(w.As(t, servicetest.Jo), store, collection.Revision{Description: ptr("Where one buys.")}); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, store, "applicationProperties"); !strings.Contains(got, `"name":"Store"`) || !strings.Contains(got, "Where one buys.") {
		t.Errorf("got %s, want the name kept and the description new", got)
	}
}

func TestApplicationRefusals(t *testing.T) {
	t.Parallel()
	s, w := newApplications(t)
	ctx := w.As(t, servicetest.Jo)
	create := func(d collection.Draft) func() error {
		return func() error { _, err := s.Create(ctx, d); return err }
	}
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
	}{
		"an id that is taken":        {create(collection.Draft{ID: "store", Name: "Store"}), fault.Malformed},
		"no name":                    {create(collection.Draft{}), fault.Malformed},
		"a domain that is not there": {create(collection.Draft{Name: "N", Domain: "urn:li:domain:none"}), fault.Malformed},
		"a parent that is not there": {create(collection.Draft{Name: "N", Parent: "urn:li:application:none"}), fault.Malformed},
		"a parent of another type":   {create(collection.Draft{Name: "N", Parent: "urn:li:domain:web"}), fault.Malformed},
		"itself as its parent":       {func() error { return s.Update(ctx, store, collection.Revision{Parent: ptr(string(store))}) }, fault.Malformed},
		"a change of what is not there": {func() error {
			return s.Update(ctx, "urn:li:application:none", collection.Revision{Name: ptr("N")})
		}, fault.Malformed},
		"deletion by an ordinary user":     {func() error { return s.Delete(ctx, store) }, fault.Forbidden},
		"settings by an ordinary user":     {func() error { return s.Enable(ctx, ptr(true)) }, fault.Forbidden},
		"an application that is not there": {func() error { return s.Add(ctx, "urn:li:application:none", []string{string(orders)}) }, fault.Malformed},
		"an asset that is not there": {func() error {
			return s.Add(ctx, store, []string{"urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)"})
		}, fault.Malformed},
		"something without applications": {func() error { return s.Add(ctx, store, []string{"urn:li:tag:x"}) }, fault.Malformed},
		"an asset of others":             {func() error { return s.Clear(ctx, []string{"urn:li:domain:web"}) }, fault.Forbidden},
		"more assets than there may be":  {func() error { return s.Clear(ctx, make([]string, 1001)) }, fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

func TestAssetsOfApplicationsComeAndGo(t *testing.T) {
	t.Parallel()
	s, w := newApplications(t)
	ctx, asset := w.As(t, servicetest.Jo), []string{string(orders)}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"removing what is not in", func() error { return s.Remove(ctx, store, asset) }, ``},
		{"adding", func() error { return s.Add(ctx, store, asset) }, `{"applications":["urn:li:application:store"]}`},
		{"adding again", func() error { return s.Add(ctx, store, asset) }, `{"applications":["urn:li:application:store"]}`},
		{"adding to another one", func() error { return s.Add(ctx, till, asset) }, `{"applications":["urn:li:application:store","urn:li:application:till"]}`},
		{"removing from one", func() error { return s.Remove(ctx, store, asset) }, `{"applications":["urn:li:application:till"]}`},
		{"clearing", func() error { return s.Clear(ctx, asset) }, `{"applications":[]}`},
		{"adding once more", func() error { return s.Add(ctx, till, asset) }, `{"applications":["urn:li:application:till"]}`},
		{"deleting the application", func() error { return s.Delete(w.As(t, servicetest.Root), till) }, `{"applications":[]}`},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := w.Get(t, orders, "applications"); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
}

func TestApplicationsAreNested(t *testing.T) {
	t.Parallel()
	s, w := newApplications(t)
	ctx := w.As(t, servicetest.Jo)
	below, err := s.Create(ctx, collection.Draft{ID: "below", Name: "Below", Parent: string(store)})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		revision collection.Revision
		want     string
	}{
		{collection.Revision{Name: ptr("Beneath")}, `{"name":"Beneath","parentApplication":"urn:li:application:store"}`},
		{collection.Revision{Parent: ptr(string(till))}, `{"name":"Beneath","parentApplication":"urn:li:application:till"}`},
		{collection.Revision{Parent: ptr("")}, `{"name":"Beneath"}`},
	} {
		if err := s.Update(ctx, below, step.revision); err != nil {
			t.Fatal(err)
		}
		if got := w.Get(t, below, "applicationProperties"); got != step.want {
			t.Errorf("got %s, want %s", got, step.want)
		}
	}
}

func TestSettingsKeepTheRest(t *testing.T) {
	t.Parallel()
	s, w := newApplications(t)
	const settings urn.URN = "urn:li:globalSettings:0"
	w.Put(t, settings, "globalSettingsInfo", `{"views":{"defaultView":"urn:li:dataHubView:x"}}`)
	if on, err := s.Enabled(w.As(t, servicetest.Jo)); err != nil || on {
		t.Errorf("at first: got %v, %v, want it off", on, err)
	}
	for _, enabled := range []*bool{ptr(true), nil} {
		if err := s.Enable(w.As(t, servicetest.Root), enabled); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Get(t, settings, "globalSettingsInfo"); !strings.Contains(got, `"applications":{"enabled":true`) || !strings.Contains(got, "urn:li:dataHubView:x") {
		t.Errorf("got %s, want applications on and the view kept", got)
	}
	if on, err := s.Enabled(w.As(t, servicetest.Jo)); err != nil || !on {
		t.Errorf("got %v, %v, want it on", on, err)
	}
}
