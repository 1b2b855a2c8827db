package principal_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func expect(t *testing.T, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(fault.Message(err), message) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLifeOfAServiceAccount(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageServiceAcct}}))
	ctx := w.As(t, servicetest.Jo)
	u, err := s.CreateServiceAccount(ctx, "ETL", "loads at night")
	check(t, err)
	if id, ok := strings.CutPrefix(string(u), "urn:li:corpuser:service_"); !ok || len(id) != 36 {
		t.Errorf("URN %s", u)
	}
	if got := w.Get(t, u, "corpUserInfo"); !strings.Contains(got, `"displayName":"ETL"`) || !strings.Contains(got, `"title":"loads at night"`) || !strings.Contains(got, `"active":true`) {
		t.Errorf("info %s", got)
	}
	if got := w.Get(t, u, "subTypes"); got != `{"typeNames":["SERVICE_ACCOUNT"]}` {
		t.Errorf("types %s", got)
	}
	plain, err := s.CreateServiceAccount(ctx, "", "")
	check(t, err)
	if got := w.Get(t, plain, "corpUserInfo"); !strings.Contains(got, `"displayName":"service_`) || strings.Contains(got, "title") {
		t.Errorf("info without a name %s", got)
	}
	if there, err := s.FindServiceAccount(ctx, u); err != nil || !there {
		t.Errorf("found %v, %v", there, err)
	}
	check(t, s.DeleteServiceAccount(ctx, u))
	if there, err := s.FindServiceAccount(ctx, u); err != nil || there {
		t.Errorf("found after deletion %v, %v", there, err)
	}
	expect(t, s.DeleteServiceAccount(ctx, u), fault.Malformed, "The specified URN is not a service account: "+string(u))
	_, err = s.CreateServiceAccount(ctx, strings.Repeat("x", 10_000), "")
	expect(t, err, fault.TooLarge, "displayName")
}

func TestOrdinaryUsersAreNoServiceAccounts(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := principal.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	w.Put(t, "urn:li:corpuser:service_mia", "corpUserInfo", `{"active":true}`)
	for _, u := range []urn.URN{servicetest.Jo, "urn:li:corpuser:service_mia"} {
		text := "The specified URN is not a service account: " + string(u)
		expect(t, s.DeleteServiceAccount(ctx, u), fault.Malformed, text)
		expect(t, s.SetDefaultView(ctx, u, ""), fault.Malformed, text)
		_, err := s.FindServiceAccount(ctx, u)
		expect(t, err, fault.Malformed, text)
	}
	// The sub-type determines a service account, not the id.
	w.Put(t, "urn:li:corpuser:robot", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	if there, err := s.FindServiceAccount(ctx, "urn:li:corpuser:robot"); err != nil || !there {
		t.Errorf("found %v, %v", there, err)
	}
}

func TestServiceAccountsNeedThePrivilege(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	u, err := principal.New(w.Edit).CreateServiceAccount(w.As(t, servicetest.Root), "ETL", "")
	check(t, err)
	// Neither the privilege to manage users nor that to create tokens suffices.
	s := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageUsers, auth.ManageTokens, auth.ManageCredentials}}))
	ctx := w.As(t, servicetest.Jo)
	_, err = s.CreateServiceAccount(ctx, "ETL", "")
	expect(t, err, fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS")
	_, err = s.FindServiceAccount(ctx, u)
	expect(t, err, fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS")
	expect(t, s.DeleteServiceAccount(ctx, u), fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS")
	expect(t, s.SetDefaultView(ctx, u, ""), fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS")
	expect(t, s.MayReadServiceAccounts(ctx), fault.Forbidden, "MANAGE_SERVICE_ACCOUNTS")
}

func TestDefaultViewOfAServiceAccount(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	const stamps = `"definition":{"entityTypes":[],"filter":{"operator":"AND","filters":[]}},"created":{"time":1,"actor":"urn:li:corpuser:mia"},"lastModified":{"time":1,"actor":"urn:li:corpuser:mia"}}`
	w.Put(t, "urn:li:dataHubView:all", "dataHubViewInfo", `{"type":"GLOBAL","name":"All",`+stamps)
	w.Put(t, "urn:li:dataHubView:own", "dataHubViewInfo", `{"type":"PERSONAL","name":"Own",`+stamps)
	s := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageServiceAcct}}))
	ctx := w.As(t, servicetest.Jo)
	u, err := s.CreateServiceAccount(ctx, "ETL", "")
	check(t, err)
	check(t, s.SetDefaultView(ctx, u, "urn:li:dataHubView:all"))
	if got := w.Get(t, u, "corpUserSettings"); !strings.Contains(got, `"views":{"defaultView":"urn:li:dataHubView:all"}`) {
		t.Errorf("settings %s", got)
	}
	expect(t, s.SetDefaultView(ctx, u, "urn:li:dataHubView:none"), fault.Malformed, "does not exist")
	expect(t, s.SetDefaultView(ctx, u, "urn:li:dataHubView:own"), fault.Malformed, "Only public (global) views can be set")
	expect(t, s.SetDefaultView(ctx, u, "urn:li:tag:x"), fault.Malformed, "defaultView")
	check(t, s.SetDefaultView(ctx, u, ""))
	if got := w.Get(t, u, "corpUserSettings"); strings.Contains(got, "defaultView") {
		t.Errorf("settings after clearing %s", got)
	}
}

func TestTokensOfAServiceAccountEndWithIt(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := principal.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	for name, tc := range map[string]struct {
		end  func(u urn.URN)
		says string
	}{
		"deletion": {func(u urn.URN) { check(t, s.DeleteServiceAccount(ctx, u)) }, "revoked"},
		"suspension": {func(u urn.URN) {
			w.Put(t, u, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
		}, "suspended"},
		"soft deletion": {func(u urn.URN) { w.Put(t, u, "status", `{"removed":true}`) }, "removed"},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := s.CreateServiceAccount(ctx, "ETL", "")
			check(t, err)
			text, info, err := w.Tokens.Create(ctx, token.Draft{Kind: authtoken.ServiceAccount, Actor: u, Name: "nightly"})
			check(t, err)
			if v, err := w.Authority.Verify(ctx, text); err != nil || v.Kind != authtoken.ServiceAccount || v.Actor != u || info.Owner != servicetest.Root {
				t.Fatalf("verified %+v, %v", v, err)
			}
			tc.end(u)
			_, err = w.Authority.Verify(ctx, text)
			expect(t, err, fault.Unauthenticated, tc.says)
		})
	}
}
