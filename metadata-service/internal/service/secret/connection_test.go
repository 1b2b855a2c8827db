package secret_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const slack urn.URN = "urn:li:dataHubConnection:slack"

type connectionFixture struct {
	*secret.Connections
	w   *servicetest.World
	ctx context.Context
}

func setUpConnections(t *testing.T) connectionFixture {
	t.Helper()
	w := servicetest.New(t)
	return connectionFixture{secret.NewConnections(w.Edit, w.Catalog.Managed(secret.ConnectionAspect), w.Cipher), w, w.As(t, servicetest.Root)}
}

func draft() secret.ConnectionDraft {
	name, blob := "Slack", config.Secret(`{"token":"s3cret"}`)
	return secret.ConnectionDraft{ID: "slack", Platform: "urn:li:dataPlatform:slack", Name: &name, Blob: &blob}
}

func (f connectionFixture) upsert(t *testing.T, d secret.ConnectionDraft) urn.URN {
	t.Helper()
	u, err := f.Upsert(f.ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDetailsComeBackToThoseWhoManageConnections(t *testing.T) {
	t.Parallel()
	f := setUpConnections(t)
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
	f := setUpConnections(t)
	f.upsert(t, draft())
	row, err := f.w.Catalog.Managed(secret.ConnectionAspect).Get(f.ctx, slack, secret.ConnectionAspect)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(row.Value), "s3cret") {
		t.Errorf("the store holds %s", row.Value)
	}
}

func TestUpsertReplaces(t *testing.T) {
	t.Parallel()
	f := setUpConnections(t)
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
	f := setUpConnections(t)
	d := draft()
	d.ID = ""
	if a, b := f.upsert(t, d), f.upsert(t, d); a == b {
		t.Errorf("both are %s", a)
	}
}

func TestConnectionDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUpConnections(t)
	for name, change := range map[string]func(*secret.ConnectionDraft){
		"a platform that is none": func(d *secret.ConnectionDraft) { d.Platform = "urn:li:corpuser:jo" },
		"no platform":             func(d *secret.ConnectionDraft) { d.Platform = "" },
		"a long id":               func(d *secret.ConnectionDraft) { d.ID = strings.Repeat("x", 401) },
		"a blob that is no JSON":  func(d *secret.ConnectionDraft) { *d.Blob = "{" },
		"an empty blob":           func(d *secret.ConnectionDraft) { *d.Blob = "" },
		"a huge blob":             func(d *secret.ConnectionDraft) { *d.Blob = config.Secret(`"` + strings.Repeat("x", 2<<20) + `"`) },
		"a long name":             func(d *secret.ConnectionDraft) { *d.Name = strings.Repeat("x", 2000) },
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
	f := setUpConnections(t)
	f.upsert(t, draft())
	other, err := encryption.New("another key of the installation, long enough")
	if err != nil {
		t.Fatal(err)
	}
	s := secret.NewConnections(f.w.Edit, f.w.Catalog.Managed(secret.ConnectionAspect), other)
	if _, err := s.Details(f.ctx, slack); !errors.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}
