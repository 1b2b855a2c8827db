package graphql_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// server answers GraphQL under the usual prefixes as the administrator.
func server(t *testing.T) http.Handler {
	t.Helper()
	engine, world := newEngine(t)
	seed(t, world)
	e := echo.New()
	engine.Mount(e, "", "/gms", "/api/gms")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.ServeHTTP(w, r.WithContext(auth.WithActor(r.Context(), auth.Actor{URN: servicetest.Root})))
	})
}

func ask(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const me = `{"query":"{ me { corpUser { username } } }"}`

func TestGraphQLIsAnsweredAtItsPaths(t *testing.T) {
	t.Parallel()
	h := server(t)
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		for _, path := range []string{"/api/graphql", "/api/v2/graphql", "/api/graphql?operationName=x"} {
			w := ask(h, http.MethodPost, prefix+path, me)
			if want := `{"data":{"me":{"corpUser":{"username":"datahub"}}},"extensions":{}}`; w.Code != http.StatusOK || w.Body.String() != want {
				t.Errorf("%s: %d %s, want %s", prefix+path, w.Code, w.Body, want)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json;charset=utf-8" {
				t.Errorf("%s: Content-Type %q", prefix+path, got)
			}
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	t.Parallel()
	h := server(t)
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions, http.MethodTrace, "SEARCH"} {
		w := ask(h, method, "/api/graphql?query={me{corpUser{urn}}}", "")
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != http.MethodPost || !strings.Contains(w.Body.String(), "POST") {
			t.Errorf("%s: %d, Allow %q: %s", method, w.Code, w.Header().Get("Allow"), w.Body)
		}
	}
}

func TestBodiesThatAreNoRequestAreRefused(t *testing.T) {
	t.Parallel()
	h := server(t)
	for name, body := range map[string]string{
		"nothing": "", "no JSON": "{", "null": "null", "an array": `[{"query":"{ __typename }"}]`, "no query": `{"variables":{}}`, "a query that is null": `{"query":null}`,
		"a query that is no text": `{"query":1}`, "two values": me + me, "a brace too many": me + "}", "a text behind": me + "x", "variables that are text": `{"query":"{ __typename }","variables":"x"}`,
	} {
		w := ask(h, http.MethodPost, "/api/graphql", body)
		if name == "variables that are text" {
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"errors"`) {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
			continue
		}
		if w.Code != http.StatusBadRequest || w.Body.Len() != 0 {
			t.Errorf("%s: %d %s, want 400 and nothing", name, w.Code, w.Body)
		}
	}
	if w := ask(h, http.MethodPost, "/api/graphql", `{"query":"`+strings.Repeat(" ", 17<<20)+`"}`); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("17 MiB: %d, want 413", w.Code)
	}
}

// A page of another site can send a form with the cookie, but no JSON.
func TestWithACookieTheBodyMustBeJSON(t *testing.T) {
	t.Parallel()
	h := server(t)
	cookie := []string{"Cookie", "PLAY_SESSION=x", "Content-Type"}
	for contentType, want := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, "text/plain": 415, "application/x-www-form-urlencoded": 415, "": 415, "application/jsonp": 415,
	} {
		if w := ask(h, http.MethodPost, "/api/graphql", me, append(cookie, contentType)...); w.Code != want {
			t.Errorf("cookie and %q: %d, want %d", contentType, w.Code, want)
		}
		if w := ask(h, http.MethodPost, "/api/graphql", me, append(cookie, contentType, "Authorization", "Bearer x")...); w.Code != 200 {
			t.Errorf("cookie, token and %q: %d, want 200", contentType, w.Code)
		}
		if w := ask(h, http.MethodPost, "/api/graphql", me, "Content-Type", contentType); w.Code != 200 {
			t.Errorf("neither, %q: %d, want 200", contentType, w.Code)
		}
	}
}

func TestErrorsComeWithStatus200(t *testing.T) {
	t.Parallel()
	h := server(t)
	for name, c := range map[string]struct{ query, want string }{
		"syntax":             {"{", `"classification":"InvalidSyntax"`},
		"an unknown field":   {"{ me { nobody } }", `Validation error (FieldUndefined@[me/nobody]) : Field 'nobody' in type 'AuthenticatedUser' is undefined`},
		"a bad URN":          {`{ dataset(urn: \"x\") { urn } }`, `"code":400`},
		"NUL":                {"{ me { corpUser { urn } } }\\u0000", `"classification":"InvalidSyntax"`},
		"too deep":           {strings.Repeat("{ entity(urn: \\\"urn:li:tag:x\\\") ", 1) + "{ " + strings.Repeat("... on Tag { relationships(input: {types: [], direction: OUTGOING}) { relationships { entity { ", 30) + "urn" + strings.Repeat(" } } } }", 30) + " } }", `maximum query depth exceeded 92 > 50`},
		"an unknown name":    {"query a { __typename } query b { __typename }", "Must provide operation name"},
		"fragments in a row": {"{ ...a } fragment a on Query { ...a }", `"classification":"ValidationError"`},
	} {
		w := ask(h, http.MethodPost, "/api/graphql", `{"query":"`+c.query+`"}`)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.600s, want %s", name, w.Code, w.Body, c.want)
		}
	}
}

func TestMutationsRunInTheirOrder(t *testing.T) {
	t.Parallel()
	h := server(t)
	var b bytes.Buffer
	b.WriteString(`{"query":"mutation { a: createTag(input: {id: \"one\", name: \"One\"}) b: setTagColor(urn: \"urn:li:tag:one\", colorHex: \"#123456\") c: deleteTag(urn: \"urn:li:tag:one\") d: createTag(input: {id: \"one\", name: \"Again\"}) }"}`)
	w := ask(h, http.MethodPost, "/api/graphql", b.String())
	if want := `{"data":{"a":"urn:li:tag:one","b":true,"c":true,"d":"urn:li:tag:one"},"extensions":{}}`; w.Body.String() != want {
		t.Errorf("got %s, want %s", w.Body, want)
	}
}

func TestADocumentThatTakesTooLongIsGivenUp(t *testing.T) {
	t.Parallel()
	engine, world := newEngineWith(t, func(c *graphql.Config) { c.Timeout = 1 })
	done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: `{ search(input: {type: DATASET, query: "orders"}) { total } }`})
	if len(done.Errors) != 1 || done.Data != nil || done.Errors[0].Extensions["code"] != 503 {
		t.Errorf("got %+v", done)
	}
}
