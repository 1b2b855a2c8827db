package connection_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/service/connection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const slack urn.URN = "urn:li:dataHubConnection:slack"

type fixture struct {
	*connection.Service
	w   *servicetest.World
	ctx context.Context
}

func setUp(t *testing.T) fixture {
	t.Helper()
	w := servicetest.New(t)
	return fixture{connection.New(w.Edit, w.Catalog.Managed(connection.DetailsAspect), w.Cipher), w, w.As(t, servicetest.Root)}
}

func draft() connection.Draft {
	name, blob := "Slack", config.Secret(`{"token":"s3cret"}`)
	return connection.Draft{ID: "slack", Platform: "urn:li:dataPlatform:slack", Name: &name, Blob: &blob}
}

func (f fixture) upsert(t *testing.T, d connection.Draft) urn.URN {
	t.Helper()
	u, err := f.Upsert(f.ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDetailsComeBackToThoseWhoManageConnections(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if u := f.upsert(t, draft()); u != slack {
		t.Errorf("got %s, want %s", u, slack)
	}
	found, err := f.Details(f.ctx, slack)
	if err != nil || found.Name != "Slack" || found.Blob == nil || found.Blob.Reveal() != `{"token":"s3cret"}` {
		t.Errorf("got %v, %v", found, err)
	}
	found, err = f.Details(f.w.As(t, servicetest.Jo), slack)
	if err != nil || found.Name != "Slack" || found.Blob != nil {
		t.Errorf("others got %v, %v; want the name alone", found, err)
	}
	if got, want := f.w.Get(t, slack, "dataPlatformInstance"), `{"platform":"urn:li:dataPlatform:slack"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheStoreHoldsNoDetails(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.upsert(t, draft())
	row, err := f.w.Catalog.Managed(connection.DetailsAspect).Get(f.ctx, slack, connection.DetailsAspect)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(row.Value), "s3cret") {
		t.Errorf("the store holds %s", row.Value)
	}
}

func TestUpsertReplaces(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.upsert(t, draft())
	d := draft()
	d.Name, d.Blob = nil, nil
	f.upsert(t, d)
	found, err := f.Details(f.ctx, slack)
	if err != nil || found.Name != "" || found.Blob != nil {
		t.Errorf("got %v, %v; want neither name nor blob", found, err)
	}
}

func TestWithoutAnIDEveryConnectionIsNew(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	d := draft()
	d.ID = ""
	if a, b := f.upsert(t, d), f.upsert(t, d); a == b {
		t.Errorf("both are %s", a)
	}
}

func TestDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for name, change := range map[string]func(*connection.Draft){
		"a platform that is none": func(d *connection.Draft) { d.Platform = "urn:li:corpuser:jo" },
		"no platform":             func(d *connection.Draft) { d.Platform = "" },
		"a long id":               func(d *connection.Draft) { d.ID = strings.Repeat("x", 401) },
		"a blob that is no JSON":  func(d *connection.Draft) { *d.Blob = "{" },
		"an empty blob":           func(d *connection.Draft) { *d.Blob = "" },
		"a huge blob":             func(d *connection.Draft) { *d.Blob = config.Secret(`"` + strings.Repeat("x", 2<<20) + `"`) },
		"a long name":             func(d *connection.Draft) { *d.Name = strings.Repeat("x", 2000) },
	} {
		d := draft()
		change(&d)
		if _, err := f.Upsert(f.ctx, d); !errors.Is(err, fault.Malformed) && !errors.Is(err, fault.TooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := f.Upsert(f.w.As(t, servicetest.Jo), draft()); !errors.Is(err, fault.Forbidden) {
		t.Errorf("others got %v, want forbidden", err)
	}
	if found, err := f.Details(f.ctx, slack); err != nil || found != nil {
		t.Errorf("something was kept: %v, %v", found, err)
	}
}

func TestDetailsEncryptedWithAnotherKeyAreAConflict(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.upsert(t, draft())
	other, err := encryption.New("another key of the installation, long enough")
	if err != nil {
		t.Fatal(err)
	}
	s := connection.New(f.w.Edit, f.w.Catalog.Managed(connection.DetailsAspect), other)
	if _, err := s.Details(f.ctx, slack); !errors.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}
