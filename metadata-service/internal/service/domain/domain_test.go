package domain_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	nowhere urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.none,PROD)"
)

func id(name string) urn.URN { return urn.Make(domain.EntityType, name) }

func ptr[T any](v T) *T { return &v }

// world returns a world with the domains shop and shop/web, and a dataset.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, id("shop"), "domainProperties", `{"name":"Shop"}`)
	w.Put(t, id("web"), "domainProperties", `{"name":"Web","parentDomain":"urn:li:domain:shop"}`)
	w.Put(t, table, "datasetProperties", `{"name":"orders"}`)
	return w
}

// domainsOf returns the domains of the dataset.
func domainsOf(t *testing.T, w *servicetest.World) string {
	t.Helper()
	text := w.Get(t, table, "domains")
	if text == "" {
		return "absent"
	}
	value, err := jsontree.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(value["domains"])
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Jo)
	u, err := s.Create(ctx, domain.Draft{
		ID: "app", Name: "App", Description: ptr("Phones."), Parent: string(id("shop")), Owners: []owner.Owner{{URN: string(servicetest.Mia), Type: "NONE"}},
	})
	if err != nil || u != id("app") {
		t.Fatalf("got %s, %v", u, err)
	}
	want := fmt.Sprintf(`{"created":{"actor":"urn:li:corpuser:jo","time":%d},"description":"Phones.","name":"App","parentDomain":"urn:li:domain:shop"}`, w.Now().UnixMilli())
	if got := w.Get(t, u, "domainProperties"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, u, "ownership"); !strings.Contains(got, string(servicetest.Mia)) || strings.Contains(got, `"owner":"urn:li:corpuser:jo"`) {
		t.Errorf("its owners are %s", got)
	}
	if u, err = s.Create(ctx, domain.Draft{Name: "Web"}); err != nil {
		t.Fatalf("a name of another level: %v", err)
	}
	if got := w.Get(t, u, "ownership"); got != "" {
		t.Errorf("somebody owns it: %s", got)
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Jo)
	for _, c := range []struct {
		name  string
		draft domain.Draft
		want  fault.Kind
	}{
		{"an id that is taken", domain.Draft{ID: "shop", Name: "x"}, fault.Malformed},
		{"a name that a sibling has", domain.Draft{ID: "new", Name: "Web", Parent: string(id("shop"))}, fault.Conflict},
		{"a name that is taken at the root", domain.Draft{ID: "new", Name: "Shop"}, fault.Conflict},
		{"a parent that does not exist", domain.Draft{ID: "new", Name: "x", Parent: string(id("none"))}, fault.Malformed},
		{"a parent that is no domain", domain.Draft{ID: "new", Name: "x", Parent: string(table)}, fault.Malformed},
		{"an owner that does not exist", domain.Draft{ID: "new", Name: "x", Owners: []owner.Owner{{URN: "urn:li:corpuser:nobody", Type: "NONE"}}}, fault.Malformed},
		{"a blank name", domain.Draft{ID: "new", Name: "\t"}, fault.Malformed},
		{"a long description", domain.Draft{ID: "new", Name: "x", Description: ptr(strings.Repeat("x", 200_001))}, fault.TooLarge},
	} {
		if _, err := s.Create(ctx, c.draft); fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if there, err := w.Edit.Exists(ctx, id("new")); err != nil || there {
			t.Errorf("%s: it was made: %v", c.name, err)
		}
	}
}

func TestOneOfManyGetsAName(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Jo)
	var made atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			switch _, err := s.Create(ctx, domain.Draft{Name: "Only one"}); {
			case err == nil:
				made.Add(1)
			case fault.KindOf(err) != fault.Conflict:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if made.Load() != 1 {
		t.Errorf("%d domains of one name were made", made.Load())
	}
}

func TestMoveAndRename(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Root)
	w.Put(t, id("bare"), "domainKey", `{"id":"bare"}`)
	w.Put(t, id("web2"), "domainProperties", `{"name":"Web"}`)
	move := func(u, to urn.URN) func() error { return func() error { return s.Move(ctx, u, string(to)) } }
	rename := func(u urn.URN, name string) func() error { return func() error { return s.Rename(ctx, u, name) } }
	const kept = fault.Internal // means no error
	for _, c := range []struct {
		name string
		do   func() error
		want fault.Kind
	}{
		{"below itself", move(id("shop"), id("web")), fault.Malformed},
		{"into itself", move(id("shop"), id("shop")), fault.Malformed},
		{"to where its name is taken", move(id("web"), ""), fault.Conflict},
		{"to where it is", move(id("web"), id("shop")), kept},
		{"a parent that does not exist", move(id("web"), id("none")), fault.Malformed},
		{"a parent that is no domain", move(id("web"), table), fault.Malformed},
		{"a domain that does not exist", move(id("none"), id("shop")), fault.Malformed},
		{"to a name that is taken", rename(id("web2"), "Shop"), fault.Conflict},
		{"to its own name", rename(id("web2"), "Web"), kept},
		{"to a blank name", rename(id("web2"), ""), fault.Malformed},
		{"a domain that does not exist, renamed", rename(id("none"), "x"), fault.Malformed},
		{"to another name", rename(id("web2"), "Old web"), kept},
		{"now to the root", move(id("web"), ""), kept},
		{"what was above it into it", move(id("shop"), id("web")), kept},
		{"one of which only the key is known", move(id("bare"), id("web")), kept},
	} {
		err := c.do()
		if (err == nil) != (c.want == kept) || err != nil && fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	for u, want := range map[urn.URN]string{
		id("web"):  `{"name":"Web"}`,
		id("shop"): `{"name":"Shop","parentDomain":"urn:li:domain:web"}`,
		id("web2"): `{"name":"Old web"}`,
		id("bare"): `{"name":"bare","parentDomain":"urn:li:domain:web"}`,
	} {
		if got := w.Get(t, u, "domainProperties"); got != want {
			t.Errorf("%s: got %s, want %s", u, got, want)
		}
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Root)
	w.Put(t, table, "domains", `{"domains":["urn:li:domain:shop"]}`)
	if err := s.Delete(ctx, id("shop")); fault.KindOf(err) != fault.Malformed {
		t.Errorf("one with others below it: got %v", err)
	}
	for _, u := range []urn.URN{id("web"), id("shop"), id("shop")} { // an absent domain is not an error
		if err := s.Delete(ctx, u); err != nil {
			t.Fatal(err)
		}
	}
	if got := domainsOf(t, w); got != "[]" {
		t.Errorf("what was in it is in %s", got)
	}
}

func TestADeletionDoesNotTellOfHiddenDomains(t *testing.T) {
	t.Parallel()
	w := servicetest.NewViewing(t)
	w.Put(t, id("shop"), "domainProperties", `{"name":"Shop"}`)
	w.Put(t, id("web"), "domainProperties", `{"name":"Web","parentDomain":"urn:li:domain:shop"}`)
	w.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"domain"}, servicetest.Root) // everybody by default
	w.Policy(t, "domains", []auth.Privilege{auth.ManageDomains}, nil, servicetest.Jo)
	s := domain.New(w.Edit)
	if err := s.Delete(w.As(t, servicetest.Root), id("shop")); fault.KindOf(err) != fault.Malformed {
		t.Fatalf("an administrator, who sees the domain below: got %v", err)
	}
	if err := s.Delete(w.As(t, servicetest.Jo), id("shop")); err != nil {
		t.Fatalf("a user who does not see the domain below: got %v", err)
	}
	if got := w.Get(t, id("web"), "domainProperties"); got == "" || strings.Contains(got, "parentDomain") {
		t.Errorf("the hidden domain is %s, want one at the top", got)
	}
}

func TestAssignAndClear(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := domain.New(w.Edit), w.As(t, servicetest.Jo)
	here := []domain.Target{{URN: string(table)}}
	for _, step := range []struct {
		name string
		do   func() error
		ok   bool
		want string
	}{
		{"out of none", func() error { return s.Clear(ctx, here) }, true, "absent"},
		{"into a domain", func() error { return s.Assign(ctx, string(id("shop")), here) }, true, "[urn:li:domain:shop]"},
		{"into another", func() error { return s.Assign(ctx, string(id("web")), here) }, true, "[urn:li:domain:web]"},
		{"into one that does not exist", func() error { return s.Assign(ctx, string(id("none")), here) }, false, "[urn:li:domain:web]"},
		{"into what is no domain", func() error { return s.Assign(ctx, string(table), here) }, false, "[urn:li:domain:web]"},
		{"into nothing", func() error { return s.Assign(ctx, "", here) }, false, "[urn:li:domain:web]"},
		{"with what does not exist", func() error {
			return s.Assign(ctx, string(id("shop")), append(here, domain.Target{URN: string(nowhere)}))
		}, false, "[urn:li:domain:web]"},
		{"with a column", func() error { return s.Clear(ctx, append(here, domain.Target{URN: string(table), Column: "id"})) }, false, "[urn:li:domain:web]"},
		{"out again", func() error { return s.Clear(ctx, here) }, true, "[]"},
	} {
		if err := step.do(); (err == nil) != step.ok || err != nil && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", step.name, err)
		}
		if got := domainsOf(t, w); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
	if err := s.Clear(ctx, make([]domain.Target, 1001)); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("too many: got %v", err)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	platform := func(p auth.Privilege) servicetest.Grants {
		return servicetest.Grants{Platform: []auth.Privilege{p}}
	}
	over := func(u urn.URN, p auth.Privilege) servicetest.Grants {
		return servicetest.Grants{Over: map[urn.URN][]auth.Privilege{u: {p}}}
	}
	create := func(s *domain.Service) error {
		_, err := s.Create(ctx, domain.Draft{Name: "x " + w.Now().String()})
		return err
	}
	move := func(s *domain.Service) error { return s.Move(ctx, id("web"), string(id("shop"))) }
	rename := func(s *domain.Service) error { return s.Rename(ctx, id("web"), "Web") }
	remove := func(s *domain.Service) error { return s.Delete(ctx, id("gone")) }
	assign := func(s *domain.Service) error {
		return s.Assign(ctx, string(id("web")), []domain.Target{{URN: string(table)}})
	}
	clearOut := func(s *domain.Service) error { return s.Clear(ctx, []domain.Target{{URN: string(table)}}) }
	for _, c := range []struct {
		name  string
		with  servicetest.Grants
		do    func(*domain.Service) error
		allow bool
	}{
		{"creating without a right", servicetest.Grants{}, create, false},
		{"creating by the right to create", platform(auth.CreateDomains), create, true},
		{"creating by the right to manage", platform(auth.ManageDomains), create, true},
		{"moving by the right to create", platform(auth.CreateDomains), move, false},
		{"moving by the right over the domain", over(id("web"), auth.EditEntity), move, false},
		{"moving by the right to manage", platform(auth.ManageDomains), move, true},
		{"renaming by the right to create", platform(auth.CreateDomains), rename, false},
		{"renaming by the right to manage", platform(auth.ManageDomains), rename, true},
		{"deleting by the right to create", platform(auth.CreateDomains), remove, false},
		{"deleting by the right to manage", platform(auth.ManageDomains), remove, true},
		{"deleting by the right over the domain", over(id("gone"), auth.DeleteEntity), remove, true},
		{"assigning by the right to manage", platform(auth.ManageDomains), assign, false},
		{"assigning by the right over the domain", over(id("web"), auth.EditEntity), assign, false},
		{"assigning by the right over the asset's domain", over(table, auth.EditDomains), assign, true},
		{"assigning by the right over the asset", over(table, auth.EditEntity), assign, true},
		{"clearing without a right", servicetest.Grants{}, clearOut, false},
		{"clearing by the right over the asset's domain", over(table, auth.EditDomains), clearOut, true},
	} {
		w.Pass(1)
		w.Put(t, id("gone"), "domainProperties", `{"name":"Gone"}`)
		err := c.do(domain.New(w.Granting(c.with)))
		if c.allow != (err == nil) || err != nil && fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if _, err := domain.New(w.Edit).Create(t.Context(), domain.Draft{Name: "x"}); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: got %v", err)
	}
}
