package apptest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// delayedBodies sends requests whose body begins only after the service has accepted the credential
// and requests the body. Before it sends the body, it calls meanwhile.
type delayedBodies struct {
	t           *testing.T
	url, bearer string
	meanwhile   func()
}

// callbackBody is a body that calls a function before its first read.
type callbackBody struct {
	io.Reader
	call func()
}

func (b *callbackBody) Read(p []byte) (int, error) {
	if call := b.call; call != nil {
		b.call = nil
		call()
	}
	return b.Reader.Read(p)
}

func (h delayedBodies) Call(method, path, body string) (int, string) {
	h.t.Helper()
	called := false
	held := &callbackBody{strings.NewReader(body), func() { called = true; h.meanwhile() }}
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, held)
	if err != nil {
		h.t.Fatal(err)
	}
	r.ContentLength = int64(len(body))
	r.Header.Set("Authorization", "Bearer "+h.bearer)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Expect", "100-continue")
	transport := &http.Transport{ExpectContinueTimeout: time.Hour}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !called {
		h.t.Fatalf("%s %s: the body was asked for: %v; %v", method, path, called, err)
	}
	return answer.StatusCode, string(text)
}

// A client that sends the body of a request after its credential has ended must not act by it.
func TestARequestThatIsHeldBackEndsWithItsCredential(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const user urn.URN = "urn:li:corpuser:datahub"
	tag := fact{"urn:li:tag:late", "tagProperties", `{"name":"late"}`}
	late := append([]writeAPI{
		{"GraphQL createAccessToken", func(c caller, _ fact) (int, string) {
			return graphql(t, c, fmt.Sprintf(`mutation { createAccessToken(input: {type: PERSONAL, actorUrn: %q, duration: ONE_YEAR, name: "late"}) { accessToken } }`, user), nil)
		}},
		{"GraphQL search", func(c caller, _ fact) (int, string) {
			return graphql(t, c, `{ search(input: {type: CORP_USER, query: "*"}) { total } }`, nil)
		}},
		{"Rest.li search", func(c caller, _ fact) (int, string) {
			return c.Call(http.MethodPost, "/entities?action=search", `{"entity":"corpuser","input":"*","start":0,"count":10}`)
		}},
		{"OpenAPI batchGet", func(c caller, _ fact) (int, string) {
			return c.Call(http.MethodPost, "/openapi/v3/entity/corpuser/batchGet", fmt.Sprintf(`[{"urn":%q}]`, user))
		}},
		{"MCP", func(c caller, _ fact) (int, string) {
			return c.Call(http.MethodPost, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entities","arguments":{"urns":[%q]}}}`, user))
		}},
	}, writeAPIs...)
	for _, d := range late {
		text, id := makeToken(t, s, user, "")
		if status, answer := d.write(delayedBodies{t, s.URL, text, func() { revokeToken(t, s, id) }}, tag); status != http.StatusUnauthorized {
			t.Errorf("%s with a revoked token: %d %.300s", d.name, status, answer)
		}
	}
	if got := stored(s, tag.urn, tag.aspect); got != "" {
		t.Errorf("written: %s", got)
	}
	// The end of other requirements than the token has the same effect.
	remove := func(u urn.URN, path string) func() {
		return func() {
			if status, answer := s.Call(http.MethodDelete, "/openapi/v3/entity/corpuser/"+string(u)+path, ""); status != http.StatusOK {
				t.Errorf("removing: %d %s", status, answer)
			}
		}
	}
	for name, end := range map[string]func(u urn.URN) func(){
		"a user is removed": func(u urn.URN) func() { return remove(u, "") },
		"a user is suspended": func(u urn.URN) func() {
			return func() {
				s.JSON(http.MethodPost, "/openapi/v3/entity/corpuser?async=false", fmt.Sprintf(`[{"urn":%q,"corpUserStatus":{"value":{"status":"SUSPENDED",%s}}}]`, u, tokenStamp), nil)
			}
		},
	} {
		who := s.As("urn:li:corpuser:leaving")
		status, answer := graphql(t, delayedBodies{t, s.URL, who.Token(), end(who.URN)}, `{ me { corpUser { urn } } }`, nil)
		if status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, status, answer)
		}
		remove(who.URN, "")()
	}
}
