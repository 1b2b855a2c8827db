package secret_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const slack urn.URN = "urn:li:dataHubConnection:slack"

func connectionDraft() secret.ConnectionDraft {
	name, blob := "Slack", config.Secret(`{"token":"s3cret"}`)
	return secret.ConnectionDraft{ID: "slack", Platform: "urn:li:dataPlatform:slack", Name: &name, Blob: &blob}
}

func (f fixture) upsert(t *testing.T, d secret.ConnectionDraft) urn.URN {
	t.Helper()
	u, err := f.UpsertConnection(f.ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDetailsComeBackToThoseWhoManageConnections(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if u := f.upsert(t, connectionDraft()); u != slack {
		t.Errorf("got %s, want %s", u, slack)
	}
	found, err := f.ConnectionDetails(f.ctx, slack)
	if err != nil || found.Name != "Slack" || found.Blob == nil || found.Blob.Reveal() != `{"token":"s3cret"}` {
		t.Errorf("got %v, %v", found, err)
	}
	found, err = f.ConnectionDetails(f.w.As(t, servicetest.Jo), slack)
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
	f.upsert(t, connectionDraft())
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
	f := setUp(t)
	f.upsert(t, connectionDraft())
	d := connectionDraft()
	d.Name, d.Blob = nil, nil
	f.upsert(t, d)
	found, err := f.ConnectionDetails(f.ctx, slack)
	if err != nil || found.Name != "" || found.Blob != nil {
		t.Errorf("got %v, %v; want neither name nor blob", found, err)
	}
}

func TestWithoutAnIDEveryConnectionIsNew(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	d := connectionDraft()
	d.ID = ""
	if a, b := f.upsert(t, d), f.upsert(t, d); a == b {
		t.Errorf("both are %s", a)
	}
}

func TestConnectionDraftsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for name, change := range map[string]func(*secret.ConnectionDraft){
		"a platform that is none": func(d *secret.ConnectionDraft) { d.Platform = "urn:li:corpuser:jo" },
		"no platform":             func(d *secret.ConnectionDraft) { d.Platform = "" },
		"a long id":               func(d *secret.ConnectionDraft) { d.ID = strings.Repeat("x", 401) },
		"a blob that is no JSON":  func(d *secret.ConnectionDraft) { *d.Blob = "{" },
		"an empty blob":           func(d *secret.ConnectionDraft) { *d.Blob = "" },
		"a huge blob":             func(d *secret.ConnectionDraft) { *d.Blob = config.Secret(`"` + strings.Repeat("x", 2<<20) + `"`) },
		"a long name":             func(d *secret.ConnectionDraft) { *d.Name = strings.Repeat("x", 2000) },
	} {
		d := connectionDraft()
		change(&d)
		if _, err := f.UpsertConnection(f.ctx, d); !errors.Is(err, fault.Malformed) && !errors.Is(err, fault.TooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := f.UpsertConnection(f.w.As(t, servicetest.Jo), connectionDraft()); !errors.Is(err, fault.Forbidden) {
		t.Errorf("others got %v, want forbidden", err)
	}
	if found, err := f.ConnectionDetails(f.ctx, slack); err != nil || found != nil {
		t.Errorf("something was kept: %v, %v", found, err)
	}
}

func TestDetailsEncryptedWithAnotherKeyAreAConflict(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.upsert(t, connectionDraft())
	if _, err := f.withOtherKey(t).ConnectionDetails(f.ctx, slack); !errors.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}
