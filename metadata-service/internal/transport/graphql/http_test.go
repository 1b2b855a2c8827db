package graphql_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// server serves GraphQL below the usual prefixes, as the administrator.
func server(t *testing.T) http.Handler {
	t.Helper()
	engine, world := newEngine(t)
	seed(t, world)
	e := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)}).Echo
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

func TestBodiesThatAreNoRequestAreToldWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := server(t)
	for name, c := range map[string]struct{ body, want string }{
		"nothing":                  {"", "the body is empty: send JSON such as"},
		"no JSON":                  {"{", "the body is not JSON: byte 1: unexpected end of JSON input"},
		"null":                     {"null", "query: is missing"},
		"an array":                 {`[{"query":"{ __typename }"}]`, "the body must be one JSON object with a query, is an array; send the requests of a batch one by one"},
		"a text":                   {`"{ __typename }"`, "the body must be one JSON object with a query, is a string"},
		"no query":                 {`{"variables":{}}`, "query: is missing; it must be the text of a GraphQL document"},
		"a query that is null":     {`{"query":null}`, "query: is missing"},
		"a query that is no text":  {`{"query":1}`, "query: must be text, is a number"},
		"a name that is no text":   {`{"query":"{ __typename }","operationName":[]}`, "operationName: must be text, is an array"},
		"two values":               {me + me, "the body is not JSON: byte 45: invalid character '{' after top-level value"},
		"a brace too many":         {me + "}", "after top-level value"},
		"a text behind":            {me + "x", "after top-level value"},
		"bytes that are no UTF-8":  {"{\"query\":\"{ __typename }\",\"variables\":{\"a\":\"\xff\"}}", "not valid UTF-8"},
		"half of a surrogate pair": {`{"query":"{ __typename }","variables":{"a":"\ud800"}}`, "half of a surrogate pair"},
	} {
		w := ask(h, http.MethodPost, "/api/graphql", c.body)
		var answer struct {
			Error  string
			Status int
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusBadRequest || answer.Status != w.Code || !strings.Contains(answer.Error, c.want) {
			t.Errorf("%s: %d %s, want 400 and %q", name, w.Code, w.Body, c.want)
		}
	}
	if w := ask(h, http.MethodPost, "/api/graphql", `{"query":"{ __typename }","variables":"x"}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `Variables are not a JSON object`) {
		t.Errorf("variables that are text: %d %s", w.Code, w.Body)
	}
	if w := ask(h, http.MethodPost, "/api/graphql", `{"query":"`+strings.Repeat(" ", 4<<20)+`"}`); w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "3 MiB") {
		t.Errorf("4 MiB: %d %s, want 413", w.Code, w.Body)
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
	for text, want := range map[string]string{
		`{ search(input: {type: DATASET, query: "orders"}) { total } }`: "was given up; ask for less at once",
		`mutation { createTag(input: {id: "late", name: "Late"}) }`:     "was given up; changes made until then stay",
	} {
		done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: text})
		if len(done.Errors) != 1 || done.Data != nil || done.Errors[0].Extensions["code"] != 503 || !strings.Contains(done.Errors[0].Message, want) {
			t.Errorf("%s: got %+v, want %q", text, done, want)
		}
	}
}

// A client that reads a response slowly keeps its allocated memory in use.
func TestACachedAnswerIsNotCopied(t *testing.T) {
	h := server(t)
	const question = `{"query":"{ __schema { types { name description fields { name description args { name type { name } } type { name } } } } }"}`
	answer := ask(h, http.MethodPost, "/api/graphql", question).Body.Bytes()
	if len(answer) < 256<<10 || !json.Valid(answer) {
		t.Fatalf("got %d bytes %.200s", len(answer), answer)
	}
	r := httptest.NewRequest(http.MethodPost, "/api/graphql", strings.NewReader(question))
	w := &discardingWriter{header: http.Header{}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; w.n != len(answer) || took > 128<<10 {
		t.Errorf("%d KiB are allocated for %d of %d bytes", took>>10, w.n, len(answer))
	}
}

// discardingWriter counts the bytes of a response and drops them.
type discardingWriter struct {
	header http.Header
	n      int
}

func (d *discardingWriter) Header() http.Header { return d.header }
func (d *discardingWriter) WriteHeader(int)     {}
func (d *discardingWriter) Write(p []byte) (int, error) {
	d.n += len(p)
	return len(p), nil
}
