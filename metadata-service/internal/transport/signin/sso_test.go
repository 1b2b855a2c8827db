package signin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func TestAUserOfAnIdentityProviderIsMadeAndSignsIn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	got := f.proxy("provisionUser", `{"userUrn":"urn:li:corpuser:mia@example.org","create":true,"update":true,"fullName":"Mia","email":"mia@example.org","groups":["Data team"]}`)
	if want := `{"userUrn":"urn:li:corpuser:mia@example.org","created":true,"groupsLeftOut":0}`; got.status != 200 || got.text != want {
		t.Fatalf("%+v, want %s", got, want)
	}
	if got := f.proxy("generateSessionTokenForUser", `{"userId":"urn:li:corpuser:mia@example.org"}`); got.status != 200 {
		t.Errorf("%+v", got)
	}
}

func TestAUserOfAnIdentityProviderWhoMayNotSignInIsDeniedAndRecorded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.catalog.Set(t, authtest.Jo, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	for user, reason := range map[string]string{"jo": "SUSPENDED", "nobody": "NOT_PROVISIONED"} {
		got := f.proxy("provisionUser", `{"userUrn":"`+user+`"}`)
		if got.status != 403 || got.text != `{"loginDenialReason":"`+reason+`"}` {
			t.Errorf("%s: %+v", user, got)
		}
		if e := f.events.last(); e.Type != audit.FailedLogIn || e.Denial != reason || e.LoginSource != "ssoLogin" || e.Actor.Key() != user {
			t.Errorf("recorded %+v", e)
		}
	}
	f.proxy("provisionUser", `{"userUrn":"datahub","create":true}`)
	if e := f.events.last(); e.Type != audit.FailedLogIn || e.Actor != model.UnknownActor || e.Entity != "urn:li:corpuser:datahub" || e.Reason == "" {
		t.Errorf("recorded %+v", e)
	}
}

func TestWhatTheProxyTurnsDownIsRecorded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	if got := f.proxy("reportFailedLogIn", `{"reason":"nonce_mismatch"}`); got.status != 200 || got.text != `{"recorded":true}` {
		t.Fatalf("%+v", got)
	}
	if e := f.events.last(); e.Type != audit.FailedLogIn || e.Denial != "NONCE_MISMATCH" || e.LoginSource != "ssoLogin" || e.Actor != model.UnknownActor {
		t.Errorf("recorded %+v", e)
	}
	f.proxy("reportFailedLogIn", `{"reason":"groups_missing","userUrn":"urn:li:corpuser:jo"}`)
	if e := f.events.last(); e.Actor != authtest.Jo || e.Denial != "GROUPS_MISSING" {
		t.Errorf("recorded %+v", e)
	}
}

func TestTheProxyIsGivenTheSecretOfTheIdentityProvider(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.settings.value = jsontree.Object{"baseUrl": "https://catalog.example", "oidcSettings": jsontree.Object{
		"enabled": true, "clientId": "catalog", "clientSecret": "of the provider", "discoveryUri": "https://id.example",
	}}
	got := f.proxy("getSsoSettings", `{}`)
	var told map[string]any
	if err := json.Unmarshal([]byte(got.text), &told); err != nil || got.status != 200 {
		t.Fatalf("%+v, %v", got, err)
	}
	if told["clientSecret"] != "of the provider" || told["oidcEnabled"] != true || told["baseUrl"] != "https://catalog.example" || told["clientId"] != "catalog" {
		t.Errorf("told %v", told)
	}
	if strings.Contains(f.log.String(), "of the provider") {
		t.Error("the secret was logged")
	}
}
