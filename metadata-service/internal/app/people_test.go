//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// answer is the response to a request.
type answer struct {
	status    int
	challenge string // of the header WWW-Authenticate
	body      string
}

const asTheSystem = "Basic __datahub_system:" + systemSecret

// ask sends a request with a credential, which may be empty.
func ask(t testing.TB, a *app.App, credential, method, path, body string) answer {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if path == "/mcp" {
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	if credential != "" {
		r.Header.Set("Authorization", credential)
	}
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	return answer{w.Code, w.Header().Get("WWW-Authenticate"), w.Body.String()}
}

// mustAsk is ask for a request that must succeed.
func mustAsk(t testing.TB, a *app.App, credential, method, path, body string) string {
	t.Helper()
	got := ask(t, a, credential, method, path, body)
	if got.status != http.StatusOK || strings.Contains(got.body, `"errors":`) {
		t.Fatalf("%s %s %s: %d %s", method, path, body, got.status, got.body)
	}
	return got.body
}

// operate executes a GraphQL operation.
func operate(t testing.TB, a *app.App, credential, document string) string {
	t.Helper()
	return mustAsk(t, a, credential, http.MethodPost, "/api/graphql", graphqlBody(document))
}

func graphqlBody(document string) string {
	body, _ := json.Marshal(map[string]string{"query": document})
	return string(body)
}

// put writes an aspect as the system.
func put(t testing.TB, a *app.App, urn, aspect, value string) {
	t.Helper()
	kind := strings.Split(urn, ":")[2]
	mustAsk(t, a, asTheSystem, http.MethodPost, "/openapi/v3/entity/"+strings.ToLower(kind)+"?async=false", fmt.Sprintf(`[{"urn":%q,%q:{"value":%s}}]`, urn, aspect, value))
}

// provision creates an active user, and returns its session and its token.
func provision(t testing.TB, a *app.App, user string) (session, token string) {
	t.Helper()
	put(t, a, user, "corpUserInfo", `{"active":true,"displayName":"Somebody"}`)
	return newSession(t, a, user), newToken(t, a, user)
}

func newSession(t testing.TB, a *app.App, user string) string {
	t.Helper()
	var out struct{ AccessToken string }
	text := mustAsk(t, a, asTheSystem, http.MethodPost, "/auth/generateSessionTokenForUser", fmt.Sprintf(`{"userId":%q}`, user))
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return "Bearer " + out.AccessToken
}

func newToken(t testing.TB, a *app.App, user string) string {
	t.Helper()
	var out struct {
		Data struct{ CreateAccessToken struct{ AccessToken string } }
	}
	text := operate(t, a, asTheSystem, fmt.Sprintf(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: %q, duration: ONE_DAY, name: "of a test"}) { accessToken } }`, user))
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return "Bearer " + out.Data.CreateAccessToken.AccessToken
}

// TestAUserWhoMayNotActIsShutOutFromTheNextRequest disables signed-in users in each way, and sends
// every request with their credentials.
func TestAUserWhoMayNotActIsShutOutFromTheNextRequest(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	remove := func(t *testing.T, u string) {
		mustAsk(t, a, asTheSystem, http.MethodDelete, "/openapi/v3/entity/corpuser/"+u, "")
	}
	for i, tt := range []struct {
		name      string
		end       func(t *testing.T, u string)
		back      func(t *testing.T, u string)
		worksThen bool // with the earlier credentials
	}{
		{
			"suspended",
			func(t *testing.T, u string) {
				operate(t, a, asTheSystem, fmt.Sprintf(`mutation { updateUserStatus(urn: %q, status: SUSPENDED) }`, u))
			},
			func(t *testing.T, u string) {
				operate(t, a, asTheSystem, fmt.Sprintf(`mutation { updateUserStatus(urn: %q, status: ACTIVE) }`, u))
			},
			true,
		},
		{
			"soft-deleted",
			func(t *testing.T, u string) { put(t, a, u, "status", `{"removed":true}`) },
			func(t *testing.T, u string) { put(t, a, u, "status", `{"removed":false}`) },
			true,
		},
		{
			"deleted for good", remove,
			func(t *testing.T, u string) {
				put(t, a, u, "corpUserInfo", `{"active":true,"displayName":"Another"}`)
			},
			false,
		},
		{
			"removed by the mutation",
			func(t *testing.T, u string) {
				operate(t, a, asTheSystem, fmt.Sprintf(`mutation { removeUser(urn: %q) }`, u))
			},
			func(t *testing.T, u string) {
				put(t, a, u, "corpUserInfo", `{"active":true,"displayName":"Another"}`)
			},
			false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := fmt.Sprintf("urn:li:corpuser:shut-out-%d", i)
			session, token := provision(t, a, u)
			requests := [][3]string{
				{http.MethodGet, "/entities/" + u, ""},
				{http.MethodGet, "/openapi/v3/entity/corpuser/" + u, ""},
				{http.MethodPost, "/api/graphql", graphqlBody(`{ me { corpUser { urn } } }`)},
			}
			each := func(when string, check func(answer) bool) {
				t.Helper()
				for _, credential := range []string{session, token} {
					for _, request := range requests {
						if got := ask(t, a, credential, request[0], request[1], request[2]); !check(got) {
							t.Errorf("%s, %s %s: %+v", when, request[0], request[1], got)
						}
					}
				}
			}
			works := func(got answer) bool { return got.status == http.StatusOK && strings.Contains(got.body, u) }
			refused := func(got answer) bool {
				return got.status == http.StatusUnauthorized && got.challenge == `Bearer error="invalid_token"`
			}
			each("before", works)
			tt.end(t, u)
			each("after", refused)
			if got := ask(t, a, asTheSystem, http.MethodPost, "/auth/generateSessionTokenForUser", fmt.Sprintf(`{"userId":%q}`, u)); got.status != http.StatusForbidden || !strings.Contains(got.body, "loginDenialReason") {
				t.Errorf("a new session: %+v", got)
			}
			tt.back(t, u)
			if tt.worksThen {
				each("back again", works)
			} else {
				each("made anew", refused)
			}
		})
	}
}

func TestTheRootUserIsNotDeletedThroughAnyAPI(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	const root, says = "urn:li:corpuser:datahub", "System users can not be deleted"
	token := newToken(t, a, root)
	for _, credential := range []string{token, asTheSystem} {
		for _, request := range [][3]string{
			{http.MethodPost, "/api/graphql", graphqlBody(`mutation { removeUser(urn: "` + root + `") }`)},
			{http.MethodPost, "/entities?action=delete", `{"urn":"` + root + `"}`},
			{http.MethodDelete, "/openapi/v3/entity/corpuser/" + root, ""},
			{http.MethodDelete, "/openapi/v2/entity/corpuser/" + root, ""},
			{http.MethodDelete, "/openapi/entities/v1/?soft=false&urns=" + root, ""},
			{http.MethodDelete, "/openapi/v3/entity/corpuser/" + root + "/corpUserInfo", ""},
			{http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"corpuser","entityUrn":"` + root + `","changeType":"DELETE","aspectName":"corpUserKey"}}`},
		} {
			if got := ask(t, a, credential, request[0], request[1], request[2]); !strings.Contains(got.body, says) {
				t.Errorf("%s %s: %+v", request[0], request[1], got)
			}
		}
	}
	if got := mustAsk(t, a, token, http.MethodPost, "/api/graphql", graphqlBody(`{ me { corpUser { urn info { displayName } } } }`)); !strings.Contains(got, root) {
		t.Errorf("afterwards: %s", got)
	}
}

// TestNobodySignsUpForRightsThatAreLeft deletes users named by metadata that grants rights, or who
// own metadata, and signs up under their names, with a password and by an identity provider.
// Refusals must equal those for existing names: the holder of an invitation must not learn which
// users policies name.
func TestNobodySignsUpForRightsThatAreLeft(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer func() { shut(t, a) }()
	put(t, a, "urn:li:dataHubPolicy:boss", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"PLATFORM","state":"INACTIVE",
		"privileges":["MANAGE_POLICIES"],"actors":{"users":["urn:li:corpuser:boss"]}}`)
	put(t, a, "urn:li:tag:owned", "ownership", `{"owners":[{"owner":"urn:li:corpuser:owner","type":"DATAOWNER"}]}`)
	put(t, a, "urn:li:form:f", "formInfo", `{"name":"f","prompts":[],"actors":{"owners":false,"users":["urn:li:corpuser:asked"]}}`)
	by := func(user string) string {
		return `{"time":1,"actor":"urn:li:corpuser:` + user + `"}`
	}
	viewOf := func(kind, user string) string {
		return `{"name":"v","type":"` + kind + `","definition":{"entityTypes":[],"filter":{}},"created":` + by(user) + `,"lastModified":` + by(user) + `}`
	}
	put(t, a, "urn:li:dataHubView:v", "dataHubViewInfo", viewOf("PERSONAL", "viewer"))
	put(t, a, "urn:li:dataHubView:w", "dataHubViewInfo", viewOf("GLOBAL", "nobody"))
	for scope, user := range map[string]string{"PERSONAL": "homely", "GLOBAL": "nobody"} {
		put(t, a, "urn:li:dataHubPageModule:"+scope, "dataHubPageModuleProperties", `{"name":"m","type":"RICH_TEXT","visibility":{"scope":"`+scope+`"},
			"params":{"richTextParams":{"content":"c"}},"created":`+by(user)+`,"lastModified":`+by(user)+`}`)
		put(t, a, "urn:li:dataHubPageTemplate:"+scope, "dataHubPageTemplateProperties", `{"rows":[],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"`+scope+`"},
			"created":`+by("templated"+user)+`,"lastModified":`+by("templated"+user)+`}`)
	}
	put(t, a, "urn:li:dataHubStepState:urn:li:corpuser:stepped-tour", "dataHubStepStateProperties", `{"properties":{},"lastModified":`+by("stepped")+`}`)
	put(t, a, "urn:li:dataHubStepState:urn:li:corpuser:nobody-else-tour", "dataHubStepStateProperties", `{"properties":{},"lastModified":`+by("nobody")+`}`)
	put(t, a, "urn:li:corpuser:nobody-else", "corpUserInfo", `{"active":true}`)
	put(t, a, "urn:li:corpGroup:listing", "corpGroupInfo", `{"displayName":"g","admins":["urn:li:corpuser:nobody"],"members":["urn:li:corpuser:nobody"],"groups":[]}`)
	var out struct {
		Data struct {
			CreateInviteToken struct{ InviteToken string }
		}
	}
	text := mustAsk(t, a, asTheSystem, http.MethodPost, "/api/graphql", `{"query":"mutation { createInviteToken(input: {}) { inviteToken } }"}`)
	if err := json.Unmarshal([]byte(text), &out); err != nil || out.Data.CreateInviteToken.InviteToken == "" {
		t.Fatalf("%s (%v)", text, err)
	}
	for name, want := range map[string]int{
		"boss": http.StatusConflict, "owner": http.StatusConflict, "asked": http.StatusConflict, "viewer": http.StatusConflict, "homely": http.StatusConflict,
		"templatedhomely": http.StatusConflict, "stepped": http.StatusConflict, "piper": http.StatusConflict, "nobody": http.StatusOK, "templatednobody": http.StatusOK,
	} {
		user := "urn:li:corpuser:" + name
		put(t, a, user, "corpUserInfo", `{"active":true}`)
		if name == "piper" {
			_, token := provision(t, a, user)
			mustAsk(t, a, token, http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataHubIngestionSource","entityUrn":"urn:li:dataHubIngestionSource:cli-piper",
				"changeType":"UPSERT","aspectName":"dataHubIngestionSourceInfo","aspect":{"contentType":"application/json",
				"value":"{\"name\":\"p\",\"type\":\"hive\",\"config\":{\"recipe\":\"{}\",\"version\":\"1\",\"executorId\":\"__datahub_cli_\"}}"}}}`)
		}
		if got := ask(t, a, asTheSystem, http.MethodDelete, "/openapi/v3/entity/corpuser/"+user, ""); got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if want == http.StatusConflict {
			if got := ask(t, a, asTheSystem, http.MethodPost, "/auth/provisionUser", fmt.Sprintf(`{"userUrn":%q,"create":true}`, user)); got.status != want {
				t.Errorf("%s by a provider: %d %s, want %d", name, got.status, got.body, want)
			}
		}
		body := fmt.Sprintf(`{"userUrn":%q,"fullName":"N","email":"n@example.com","password":"a long password","title":"t","inviteToken":%q}`, user, out.Data.CreateInviteToken.InviteToken)
		if got := ask(t, a, asTheSystem, http.MethodPost, "/auth/signUp", body); got.status != want {
			t.Errorf("%s: %d %s, want %d", name, got.status, got.body, want)
		} else if says := "the user " + user + " exists already"; want == http.StatusConflict && !strings.Contains(got.body, says) {
			t.Errorf("%s: %s, want %s", name, got.body, says)
		}
	}
}
