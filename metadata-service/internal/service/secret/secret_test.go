package secret_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const password urn.URN = "urn:li:dataHubSecret:password"

type fixture struct {
	*secret.Service
	w   *servicetest.World
	ctx context.Context
}

func setUp(t *testing.T) fixture {
	t.Helper()
	w := servicetest.New(t)
	f := fixture{newService(w, w.Cipher), w, w.As(t, servicetest.Root)}
	description := "of the Orders database"
	if _, err := f.Create(f.ctx, secret.Draft{Name: "password", Value: "s3cret", Description: &description}); err != nil {
		t.Fatal(err)
	}
	return f
}

func newService(w *servicetest.World, cipher *encryption.Cipher) *secret.Service {
	return secret.New(w.Edit, w.Catalog.Managed(secret.ValueAspect, secret.ConnectionAspect), cipher)
}

// withOtherKey returns a service over the same catalog whose key decrypts none of its values.
func (f fixture) withOtherKey(t *testing.T) *secret.Service {
	t.Helper()
	other, err := encryption.New("another key of the installation, long enough")
	if err != nil {
		t.Fatal(err)
	}
	return newService(f.w, other)
}

func (f fixture) values(t *testing.T, names ...string) map[string]string {
	t.Helper()
	found, err := f.Values(f.ctx, names)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, v := range found {
		out[v.Name] = v.Value.Reveal()
	}
	return out
}

func TestValuesComeBackToThoseWhoManageSecrets(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	want := map[string]string{"password": "s3cret"}
	if got := f.values(t, "password", "unknown", "", strings.Repeat("x", 10_000)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOneOfManyCreatesASecret(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for round := range 5 {
		var made atomic.Int64
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				switch _, err := f.Create(f.ctx, secret.Draft{Name: fmt.Sprint("many", round), Value: "x"}); {
				case err == nil:
					made.Add(1)
				case !errors.Is(err, fault.Malformed):
					t.Error(err)
				}
			})
		}
		group.Wait()
		if made.Load() != 1 {
			t.Errorf("made %d times", made.Load())
		}
	}
}

func TestTheStoreHoldsNoValue(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	row, err := f.w.Catalog.Managed(secret.ValueAspect).Get(f.ctx, password, secret.ValueAspect)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(row.Value), "s3cret") {
		t.Errorf("the store holds %s", row.Value)
	}
	if got := f.w.Get(t, password, secret.ValueAspect); strings.Contains(got, "s3cret") || !strings.Contains(got, catalog.Mask) {
		t.Errorf("a generic read gives %s", got)
	}
}

func TestUpdatingASecret(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if err := f.Update(f.ctx, password, secret.Draft{Name: "Password", Value: "other"}); err != nil {
		t.Fatal(err)
	}
	// Recipes refer to the id, which stays the same.
	if got, want := f.values(t, "password", "Password"), map[string]string{"password": "other"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	found, err := f.List(f.ctx, "")
	if err != nil || len(found) != 1 || found[0].Name != "Password" || *found[0].Description != "of the Orders database" {
		t.Errorf("got %v, %v; want the new name and the old description", found, err)
	}
	if err := f.Update(f.ctx, "urn:li:dataHubSecret:unknown", secret.Draft{Name: "unknown"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("an unknown secret gave %v, want malformed", err)
	}
}

func TestListsAreOrderedAndNarrowed(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, name := range []string{"token", "api key"} {
		if _, err := f.Create(f.ctx, secret.Draft{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{"": "[api key password token]", "ORDERS": "[password]", "k": "[api key token]", "s3cret": "[]"} {
		found, err := f.List(f.ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, s := range found {
			names = append(names, s.Name)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestADeletedSecretIsGone(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if err := f.Delete(f.ctx, password); err != nil {
		t.Fatal(err)
	}
	if got := f.values(t, "password"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if found, err := f.List(f.ctx, ""); err != nil || len(found) != 0 {
		t.Errorf("got %v, %v", found, err)
	}
	if _, err := f.Create(f.ctx, secret.Draft{Name: "password", Value: "again"}); err != nil {
		t.Errorf("the name cannot be used again: %v", err)
	}
}

func TestDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	long := strings.Repeat("x", 300_000)
	for name, d := range map[string]secret.Draft{
		"a name that is taken": {Name: "password"},
		"no name":              {Name: " "},
		"a long name":          {Name: strings.Repeat("x", 900)},
		"a long value":         {Name: "x", Value: config.Secret(long)},
		"a long description":   {Name: "x", Description: &long},
	} {
		_, err := f.Create(f.ctx, d)
		if !errors.Is(err, fault.Malformed) && !errors.Is(err, fault.TooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := f.Values(f.ctx, make([]string, secret.MaxNames+1)); !errors.Is(err, fault.TooLarge) {
		t.Errorf("too many names gave %v", err)
	}
}

func TestOthersMayNothing(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	ctx := f.w.As(t, servicetest.Jo)
	_, create := f.Create(ctx, secret.Draft{Name: "x"})
	_, list := f.List(ctx, "")
	_, values := f.Values(ctx, []string{"password"})
	for name, err := range map[string]error{
		"create": create, "list": list, "values": values,
		"update": f.Update(ctx, password, secret.Draft{Name: "x"}), "delete": f.Delete(ctx, password),
	} {
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: got %v, want forbidden", name, err)
		}
	}
}

func TestAValueEncryptedWithAnotherKeyIsAConflict(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if _, err := f.withOtherKey(t).Values(f.ctx, []string{"password"}); !errors.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}
