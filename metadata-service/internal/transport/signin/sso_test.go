package signin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestAUserOfAnIdentityProviderIsMadeAndSignsIn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	got := f.proxy("provisionUser", `{"userUrn":"urn:li:corpuser:mia@example.org","create":true,"update":true,"fullName":"Mia","email":"mia@example.org","groups":["Data team"]}`)
	if want := `{"userUrn":"urn:li:corpuser:mia@example.org","created":true,"groupsLeftOut":0}`; got.status != 200 || got.text != want {
		t.Fatalf("%+v, want %s", got, want)
	}
	if got := f.provider("generateSessionTokenForUser", `{"userId":"urn:li:corpuser:mia@example.org"}`); got.status != 200 {
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

// TestAnAccountThatSomebodyElseHasSignedUpForIsNotShared signs up with the address of a
// colleague, who then signs in with the identity provider for the first time.
func TestAnAccountThatSomebodyElseHasSignedUpForIsNotShared(t *testing.T) {
	t.Parallel()
	const user = "urn:li:corpuser:new@example.org"
	f := setUp(t)
	f.signUp()
	reset, _, err := f.credentials.CreateReset(authtest.As(t, authtest.Root), user)
	check(t, err)
	begin := func(by func(action, body string) answer) string {
		t.Helper()
		var session struct{ AccessToken string }
		got := by("generateSessionTokenForUser", `{"userId":"`+user+`"}`)
		check(t, json.Unmarshal([]byte(got.text), &session))
		return session.AccessToken
	}
	session := begin(f.proxy)
	own, _, err := f.tokens.Create(authtest.As(t, user), token.Draft{Actor: user, Name: "own"})
	check(t, err)
	f.catalog.Set(t, "urn:li:corpuser:service_x", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	passedOn, info, err := f.tokens.Create(authtest.As(t, authtest.Root), token.Draft{Actor: "urn:li:corpuser:service_x", Name: "passed on"})
	check(t, err)
	row, err := f.catalog.Get(t.Context(), info.URN, "dataHubAccessTokenInfo")
	check(t, err)
	f.catalog.Set(t, info.URN, "dataHubAccessTokenInfo", strings.Replace(string(row.Value), `"ownerUrn":"urn:li:corpuser:datahub"`, `"ownerUrn":"`+user+`"`, 1))
	unrelated, _, err := f.tokens.Create(authtest.As(t, authtest.Root), token.Draft{Actor: authtest.Root, Name: "of the root user"})
	check(t, err)

	if got := f.proxy("provisionUser", `{"userUrn":"`+user+`","fullName":"The Owner","email":"new@example.org"}`); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	if got := f.proxy("verifyNativeUserCredentials", `{"userUrn":"`+user+`","password":"`+password+`"}`); !strings.Contains(got.text, `"doesPasswordMatch":false`) {
		t.Errorf("the password is good: %+v", got)
	}
	if got := f.proxy("resetNativeUserCredentials", `{"userUrn":"`+user+`","password":"`+otherPassword+`","resetToken":"`+reset.Reveal()+`"}`); got.status != 400 {
		t.Errorf("a password can be set: %+v", got)
	}
	for name, text := range map[string]string{"session": session, "token": own, "token of a service account": passedOn} {
		if _, err := f.tokens.Verify(t.Context(), text); fault.KindOf(err) != fault.Unauthenticated {
			t.Errorf("the %s from before is good: %v", name, err)
		}
	}
	if _, err := f.tokens.Verify(t.Context(), unrelated); err != nil {
		t.Errorf("the token of somebody else: %v", err)
	}
	if !strings.Contains(f.log.String(), "password removed") {
		t.Error("the log does not tell")
	}
	// The tokens and sessions of the owner remain valid after the next sign-in.
	session = begin(f.provider)
	own, _, err = f.tokens.Create(authtest.As(t, user), token.Draft{Actor: user, Name: "own"})
	check(t, err)
	if got := f.proxy("provisionUser", `{"userUrn":"`+user+`"}`); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	for name, text := range map[string]string{"session": session, "token": own} {
		if _, err := f.tokens.Verify(t.Context(), text); err != nil {
			t.Errorf("the %s of the owner: %v", name, err)
		}
	}
	if got := f.proxy("signUp", `{"fullName":"x","email":"new@example.org","password":"`+password+`","inviteToken":"`+f.invite()+`"}`); got.status != 409 {
		t.Errorf("signed up for again: %+v", got)
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
