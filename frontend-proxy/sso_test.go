package main_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/sso"
	"github.com/cartulary/cartulary/frontend-proxy/internal/sso/ssotest"
)

// throughProvider is redirected to the provider and back, as a browser is. It returns the final
// redirect target and the cookies of the session.
func (in *installation) throughProvider(t *testing.T) (location, cookies string) {
	t.Helper()
	begun := in.exchange(t, http.MethodGet, "http://"+in.proxy+"/authenticate?redirect_uri=/tags", "")
	begun.Body.Close()
	there := in.exchange(t, http.MethodGet, begun.Header.Get("Location"), "")
	there.Body.Close()
	back := in.exchange(t, http.MethodGet, there.Header.Get("Location"), "", "Cookie", cookieHeader(begun.Cookies()))
	back.Body.Close()
	return back.Header.Get("Location"), cookieHeader(back.Cookies())
}

func cookieHeader(cookies []*http.Cookie) string {
	var pairs []string
	for _, c := range cookies {
		if c.MaxAge >= 0 {
			pairs = append(pairs, c.Name+"="+c.Value)
		}
	}
	return strings.Join(pairs, "; ")
}

// With both programs and a provider: the user is created, added to its groups, recorded, and
// suspended.
func TestPeopleOfAProviderComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test builds and starts both programs")
	}
	p := ssotest.New(t)
	in := build(t)
	in.start(t, "AUTH_OIDC_ENABLED=true", "AUTH_OIDC_CLIENT_ID="+ssotest.ClientID, "AUTH_OIDC_DISCOVERY_URI="+p.DiscoveryURI(),
		"AUTH_OIDC_BASE_URL=http://"+in.proxy, "AUTH_OIDC_EXTRACT_GROUPS_ENABLED=true", "CARTULARY_OIDC_LOGOUT_AT_PROVIDER=true")
	root := in.firstToken(t)
	as := func(cookies, document string) (answer string) {
		_, answer = in.send(t, http.MethodPost, "http://"+in.proxy+"/api/graphql", `{"query":`+quoted(t, document)+`}`, "Cookie", cookies)
		return answer
	}

	// The catalog keeps the client secret, encrypted; until it is stored, no user can sign in.
	p.Claims["groups"] = []string{"Data team", "readers"}
	if location, _ := in.throughProvider(t); !strings.HasPrefix(location, "/login?error_code=not_configured&") {
		t.Errorf("without a secret: to %s", location)
	}
	status, answer := in.send(t, http.MethodPost, "http://"+in.service+"/openapi/v3/entity/globalsettings?async=false",
		`[{"urn":"urn:li:globalSettings:0","globalSettingsInfo":{"value":{"sso":{"baseUrl":"https://catalog.example","oidcSettings":{"enabled":true,"clientId":"catalog","clientSecret":`+
			quoted(t, ssotest.ClientSecret)+`,"discoveryUri":"https://id.example"}}}}}]`, "Authorization", "Bearer "+root)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}

	location, mia := in.throughProvider(t)
	if location != "/tags" {
		t.Fatalf("to %s", location)
	}
	answer = as(mia, `{ me { corpUser { urn info { fullName email } groups: relationships(input: {types: ["IsMemberOfGroup"], direction: OUTGOING}) { relationships { entity { urn } } } } } }`)
	for _, want := range []string{`"urn":"urn:li:corpuser:mia@example.org"`, `"fullName":"Mia May"`, `"email":"mia@example.org"`, "urn:li:corpGroup:Data+team", "urn:li:corpGroup:readers"} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %s: %s", want, answer)
		}
	}
	if answer = as(mia, `mutation { createTag(input: {id: "x", name: "x"}) }`); !strings.Contains(answer, "403") {
		t.Errorf("a new user writes: %s", answer)
	}
	if got := in.audited(t, root, `{"eventTypes":["LogInEvent"]}`, func(e auditRow) bool { return strings.Contains(e.ActorURN, "mia") }); got.LoginSource != "SSO_LOGIN" || got.SourceIP != "127.0.0.1" {
		t.Errorf("recorded %+v", got)
	}

	// A user who leaves a group at the provider is removed from it here.
	p.Claims["groups"] = []string{"readers"}
	_, again := in.throughProvider(t)
	if answer = as(again, `{ me { corpUser { groups: relationships(input: {types: ["IsMemberOfGroup"], direction: OUTGOING}) { relationships { entity { urn } } } } } }`); strings.Contains(answer, "Data+team") || !strings.Contains(answer, "readers") {
		t.Errorf("groups: %s", answer)
	}

	// A sign-out ends the session, and redirects to the provider.
	out := in.exchange(t, http.MethodGet, "http://"+in.proxy+"/logOut", "", "Cookie", again)
	out.Body.Close()
	if !strings.HasPrefix(out.Header.Get("Location"), p.URL+"/end_session?") {
		t.Errorf("to %s", out.Header.Get("Location"))
	}
	if answer = as(again, `{ me { corpUser { urn } } }`); !strings.Contains(answer, `"status":401`) {
		t.Errorf("the session goes on: %s", answer)
	}

	// An invalid token and a suspended user are refused and recorded.
	p.Change = func(claims map[string]any) { claims["aud"] = "another" }
	if location, cookies := in.throughProvider(t); !strings.HasPrefix(location, "/login?error_code=audience_mismatch&") || strings.Contains(cookies, "PLAY_SESSION") {
		t.Errorf("to %s with %s", location, cookies)
	}
	in.audited(t, root, `{"eventTypes":["FailedLogInEvent"]}`, func(e auditRow) bool { return e.LoginSource == "SSO_LOGIN" })
	p.Change = nil
	if _, answer = in.send(t, http.MethodPost, "http://"+in.service+"/api/graphql", `{"query":"mutation { updateUserStatus(urn: \"urn:li:corpuser:mia@example.org\", status: SUSPENDED) }"}`,
		"Authorization", "Bearer "+root); strings.Contains(answer, "errors") {
		t.Fatal(answer)
	}
	if location, _ := in.throughProvider(t); !strings.HasPrefix(location, "/login?error_code=suspended&") {
		t.Errorf("to %s", location)
	}
	if answer = as(mia, `{ me { corpUser { urn } } }`); !strings.Contains(answer, `"status":401`) {
		t.Errorf("a session outlasts the suspension: %s", answer)
	}

	// An account that another person signed up under a user's name loses its access once the user
	// signs in by the provider.
	_, answer = in.send(t, http.MethodPost, "http://"+in.service+"/api/graphql", `{"query":"mutation { createInviteToken(input: {}) { inviteToken } }"}`, "Authorization", "Bearer "+root)
	_, invitation, _ := strings.Cut(answer, `"inviteToken":"`)
	invitation, _, _ = strings.Cut(invitation, `"`)
	signUp := func() (int, string) {
		res := in.exchange(t, http.MethodPost, "http://"+in.proxy+"/signUp",
			`{"fullName":"x","email":"ann@example.org","password":"correct horse","title":"x","inviteToken":`+quoted(t, invitation)+`}`)
		res.Body.Close()
		return res.StatusCode, cookieHeader(res.Cookies())
	}
	status, squatter := signUp()
	if answer = as(squatter, `{ me { corpUser { urn } } }`); status != http.StatusOK || !strings.Contains(answer, "corpuser:ann@example.org") {
		t.Fatalf("signed up with %d: %s", status, answer)
	}
	_, answer = in.send(t, http.MethodPost, "http://"+in.proxy+"/api/graphql",
		`{"query":"mutation { createAccessToken(input: {type: PERSONAL, actorUrn: \"urn:li:corpuser:ann@example.org\", duration: ONE_DAY, name: \"x\"}) { accessToken } }"}`, "Cookie", squatter)
	p.Claims["email"] = "ann@example.org"
	location, owner := in.throughProvider(t)
	if mine := as(owner, `{ me { corpUser { urn } } }`); location != "/tags" || !strings.Contains(mine, "corpuser:ann@example.org") {
		t.Errorf("the owner gets to %s: %s", location, mine)
	}
	if theirs := as(squatter, `{ me { corpUser { urn } } }`); !strings.Contains(theirs, `"status":401`) {
		t.Errorf("the session goes on: %s", theirs)
	}
	if _, token, made := strings.Cut(answer, `"accessToken":"`); made {
		token, _, _ = strings.Cut(token, `"`)
		if status, _ := in.send(t, http.MethodPost, "http://"+in.service+"/api/graphql", `{"query":"{ me { corpUser { urn } } }"}`, "Authorization", "Bearer "+token); status != http.StatusUnauthorized {
			t.Errorf("the token is answered %d", status)
		}
	} else {
		t.Errorf("no token was made: %s", answer)
	}
	if status, _ := in.send(t, http.MethodPost, "http://"+in.proxy+"/logIn", `{"username":"ann@example.org","password":"correct horse"}`); status != http.StatusBadRequest {
		t.Errorf("the password is answered %d", status)
	}
	if status, _ := signUp(); status != http.StatusBadRequest {
		t.Errorf("signing up again is answered %d", status)
	}
	p.Claims["email"] = "Ann@example.org"
	if location, _ := in.throughProvider(t); !strings.HasPrefix(location, "/login?error_code=user_name_taken&") {
		t.Errorf("another spelling gets to %s", location)
	}

	// No user name of the provider results in the root user.
	p.Claims["email"] = "datahub"
	if location, _ := in.throughProvider(t); !strings.HasPrefix(location, "/login?error_code=user_refused&") {
		t.Errorf("to %s", location)
	}
}

// The page documents each code, and no others.
func TestThePageOnSingleSignOnTellsEveryCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/sign-in.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| Code | Means |")
	var told []sso.Code
	for line := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for name := range strings.SplitSeq(first, ",") {
			if name = strings.Trim(name, " `"); name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == "" {
				told = append(told, sso.Code(name))
			}
		}
	}
	for _, code := range sso.Codes() {
		if !slices.Contains(told, code) {
			t.Errorf("the page lacks %s", code)
		}
	}
	for _, code := range told {
		if !slices.Contains(sso.Codes(), code) {
			t.Errorf("the page tells of %s, which is no code", code)
		}
	}
}
