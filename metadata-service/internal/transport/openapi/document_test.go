package openapi_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

var update = flag.Bool("update", false, "write the golden files anew")

var groups = []string{"openapi-v3", "operations", "openapi-v2", "openapi-v1"}

// description serves the documents of the real registry. They need no other dependencies, and are
// generated once for all tests.
var description = sync.OnceValues(func() (http.Handler, error) {
	reg, err := registry()
	if err != nil {
		return nil, err
	}
	server := httpserver.New(httpserver.Config{Log: slog.New(slog.DiscardHandler)})
	api := openapi.New(openapi.Config{Config: system.Config{Registry: reg, Now: time.Now, Version: "v0.0.1"}})
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		api.Mount(server.Echo.Group(prefix))
	}
	return server.Echo, nil
})

func newDescription(t testing.TB) *service {
	t.Helper()
	handler, err := description()
	if err != nil {
		t.Fatal(err)
	}
	return &service{t: t, handler: handler}
}

func (s *service) document(group string) jsontree.Object {
	s.t.Helper()
	return s.ok("GET /openapi/v3/api-docs/"+group, "").(jsontree.Object)
}

func TestEveryEndpointIsDescribed(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	described := map[string]jsontree.Object{}
	for _, group := range groups {
		for path, item := range at(t, s.document(group), "paths").(jsontree.Object) {
			described[group+" "+path] = item.(jsontree.Object)
		}
	}
	endpoints := newAPI(t).Endpoints()
	if len(endpoints) < 50 {
		t.Fatalf("%d endpoints, want all of them", len(endpoints))
	}
	for _, e := range endpoints {
		operation, ok := described[e.Group+" "+e.Path][strings.ToLower(e.Method)].(jsontree.Object)
		if !ok {
			t.Errorf("%s %s is not described in %s", e.Method, e.Path, e.Group)
			continue
		}
		if e.Summary == "" || operation["summary"] != e.Summary {
			t.Errorf("%s %s has the summary %v", e.Method, e.Path, operation["summary"])
		}
	}
}

func TestDescribedPathsAreServed(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	api := newAPI(t)
	for _, group := range groups {
		for path := range at(t, s.document(group), "paths").(jsontree.Object) {
			concrete := strings.NewReplacer("{urn}", "urn:li:tag:a", "{childUrn}", "urn:li:tag:a", "{parentUrn}", "urn:li:tag:b",
				"{versionSetUrn}", "urn:li:versionSet:(a,tag)", "{entityUrn}", "urn:li:tag:a", "{", "", "}", "").Replace(strings.TrimPrefix(path, "/openapi"))
			if pattern, _, err := api.Match(concrete); pattern == "" || err != nil {
				t.Errorf("%s is described and not served: %v", path, err)
			}
		}
	}
}

func TestDocumentsReferToWhatTheyHold(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	for _, group := range groups {
		document := s.document(group)
		ids := map[string]bool{}
		var visit func(node any)
		visit = func(node any) {
			switch node := node.(type) {
			case jsontree.Object:
				if ref, ok := node["$ref"].(string); ok {
					steps := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
					if o, ok := at(t, document, steps[0], steps[1]).(jsontree.Object)[steps[2]].(jsontree.Object); !ok || len(o) == 0 {
						t.Errorf("%s: %s leads nowhere", group, ref)
					}
				}
				if id, ok := node["operationId"].(string); ok {
					if ids[id] {
						t.Errorf("%s: operation %s is there twice", group, id)
					}
					ids[id] = true
				}
				for _, member := range node {
					visit(member)
				}
			case []any:
				for _, element := range node {
					visit(element)
				}
			}
		}
		visit(document)
	}
}

func TestBothAnswersOfWritesAreDescribed(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	const aspect = "/{urn}/tagproperties"
	for operation, statuses := range map[string][]string{
		// Writes without changes return 200.
		"openapi-v1 post /openapi/entities/v1": {"200", "201"}, "openapi-v2 post /openapi/v2/platform/entities/v1": {"200", "201"},
		// Asynchronous writes return 202.
		"openapi-v3 post /openapi/v3/entity/tag": {"200", "202"}, "openapi-v3 post /openapi/v3/entity/tag" + aspect: {"200", "202"}, "openapi-v2 post /openapi/v2/entity/{type}/{urn}/{aspect}": {"200", "202"},
		// Asynchronous or not, these writes return 200.
		"openapi-v3 patch /openapi/v3/entity/tag" + aspect: {"200"}, "openapi-v2 patch /openapi/v2/entity/{type}/{urn}/{aspect}": {"200"},
	} {
		of := strings.Fields(operation)
		responses := at(t, s.document(of[0]), "paths", of[2], of[1], "responses").(jsontree.Object)
		if got := slices.Sorted(maps.Keys(responses)); !slices.Equal(got, append(statuses, "4XX")) {
			t.Errorf("%s has the statuses %q, want %q", operation, got, statuses)
		}
		for _, status := range statuses {
			if kind := at(t, responses, status, "content", "application/json", "schema"); kind == nil {
				t.Errorf("%s has no schema of the answer with %s", operation, status)
			}
		}
	}
}

// addTag is a patch that also creates the aspect globalTags.
const addTag = `{"patch":[{"op":"add","path":"/tags/urn:li:tag:a","value":{"tag":"urn:li:tag:a"}}]}`

// asynchronousWrites are requests for all operations with a parameter async. Those with proposals
// have a condition that does not hold.
var asynchronousWrites = map[string]struct{ path, body string }{
	"POST /v3/entity/{type}":                 {"/v3/entity/tag", "[" + tagA + "]"},
	"PATCH /v3/entity/{type}":                {"/v3/entity/chart", `[{"urn":"urn:li:chart:(looker,c)","globalTags":{"value":` + addTag + `}}]`},
	"POST /v3/entity/generic":                {"/v3/entity/generic", `{"tag":[` + tagA + `]}`},
	"PATCH /v3/entity/generic":               {"/v3/entity/generic", `{"chart":[{"urn":"urn:li:chart:(looker,c)","globalTags":{"value":` + addTag + `}}]}`},
	"POST /v3/entity/{type}/{urn}/{aspect}":  {"/v3/entity/tag/urn:li:tag:a/tagProperties", `{"value":{"name":"a"}}`},
	"PATCH /v3/entity/{type}/{urn}/{aspect}": {"/v3/entity/chart/urn:li:chart:(looker,c)/globalTags", addTag},
	"POST /v2/entity/{type}":                 {"/v2/entity/tag", `[{"urn":"urn:li:tag:a","aspects":{"tagProperties":{"value":{"name":"a"}}}}]`},
	"PATCH /v2/entity/{type}":                {"/v2/entity/chart", `[{"urn":"urn:li:chart:(looker,c)","aspects":{"globalTags":{"value":` + addTag + `}}}]`},
	"POST /v2/entity/{type}/{urn}/{aspect}":  {"/v2/entity/tag/urn:li:tag:a/tagProperties", `{"name":"a"}`},
	"PATCH /v2/entity/{type}/{urn}/{aspect}": {"/v2/entity/chart/urn:li:chart:(looker,c)/globalTags", addTag},
	"POST /v2/platform/entities/v1": {"/v2/platform/entities/v1", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties",` +
		`"headers":{"If-Version-Match":"7"},"aspect":{"contentType":"application/json","value":"{\"name\":\"a\"}"}}]`},
	"POST /entities/v1": {"/entities/v1", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","aspect":{"__type":"TagProperties","name":"a"}}]`},
}

func TestWhatTheParameterAsyncSaysIsSo(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, op := range openapi.AsynchronousOperations() {
		group, method := op[0], op[1]
		name := method + " " + op[2]
		asked[name] = true
		write, known := asynchronousWrites[name]
		if !known {
			t.Errorf("%s takes async, and no request for it is among asynchronousWrites", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			about, statuses := newDescription(t).asynchronous(group, method, op[2], write.path)
			s := newService(t, options{})
			rec := s.do(method+" /openapi"+write.path+"?async=true", write.body)
			if says := strings.HasPrefix(about, "Answer 202;"); says != (rec.Code == http.StatusAccepted) {
				t.Errorf("it is answered by %d %s, while the document says: %s", rec.Code, rec.Body, about)
			}
			if !slices.Contains(statuses, strconv.Itoa(rec.Code)) {
				t.Errorf("it is answered by %d, and the document has %v", rec.Code, statuses)
			}
			if strings.HasPrefix(about, "Leave out proposals whose condition does not hold") {
				if strings.TrimSpace(rec.Body.String()) != "[]" {
					t.Errorf("with a condition that does not hold it is answered by %d %s", rec.Code, rec.Body)
				}
				if rec := s.do(method+" /openapi"+write.path+"?async=false", write.body); rec.Code < 400 {
					t.Errorf("it does not hold, and without async it is answered by %d %s", rec.Code, rec.Body)
				}
			}
		})
	}
	for name := range asynchronousWrites {
		if !asked[name] {
			t.Errorf("%s takes no parameter async", name)
		}
	}
}

// asynchronous returns the description of the parameter async of an operation in a document, and
// the statuses of the operation. The third generation has a path for every type and aspect.
func (s *service) asynchronous(group, method, pattern, example string) (about string, statuses []string) {
	s.t.Helper()
	path := pattern
	if group == "openapi-v3" {
		shown, given := strings.Split(pattern, "/"), strings.Split(example, "/")
		for i, segment := range shown {
			if segment == "{type}" || segment == "{aspect}" {
				shown[i] = strings.ToLower(given[i])
			}
		}
		path = strings.Join(shown, "/")
	}
	document := s.document(group)
	described := at(s.t, document, "paths", "/openapi"+path, strings.ToLower(method)).(jsontree.Object)
	for _, p := range described["parameters"].([]any) {
		ref, _ := p.(jsontree.Object)["$ref"].(string)
		name, isShared := strings.CutPrefix(ref, "#/components/parameters/")
		if !isShared {
			continue
		}
		if shared := at(s.t, document, "components", "parameters", name).(jsontree.Object); shared["name"] == "async" {
			about = shared["description"].(string)
		}
	}
	return about, slices.Sorted(maps.Keys(described["responses"].(jsontree.Object)))
}

func TestDocumentsTellWhereTheyAreServed(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	for prefix, url := range map[string]string{"": `"/"`, "/gms": `"/gms/"`, "/api/gms": `"/api/gms/"`} {
		document := s.ok("GET "+prefix+"/openapi/v3/api-docs", "")
		wantAt(t, document, url, "servers", 0, "url")
		wantAt(t, document, `"3.0.3"`, "openapi")
		config := s.ok("GET "+prefix+"/openapi/v3/api-docs/swagger-config", "")
		for i, group := range groups {
			wantAt(t, config, `"`+group+`"`, "urls", i, "name")
			if rec := s.do("GET "+at(t, config, "urls", i, "url").(string), ""); rec.Code != 200 {
				t.Errorf("the document %s gives %d", group, rec.Code)
			}
		}
	}
}

func TestSecretsAreNotDescribed(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	paths := at(t, s.document("openapi-v3"), "paths").(jsontree.Object)
	for _, path := range []string{"/openapi/v3/entity/corpuser/{urn}/corpusercredentials", "/openapi/v3/entity/datahubaccesstoken"} {
		if paths[path] != nil {
			t.Errorf("%s is described", path)
		}
	}
	if paths["/openapi/v3/entity/corpuser/{urn}/corpuserinfo"] == nil {
		t.Error("other aspects of the entity type are not described")
	}
}

// The documents are too large for a review, so the golden files contain one entity type in full,
// and a digest for each path and schema of the rest.
func TestDocumentsAreAsRecorded(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	for _, group := range groups {
		golden(t, group+".txt", digest(t, s.document(group)))
	}
	golden(t, "tag.json", slice(t, s.document("openapi-v3"), "tag"))
}

func digest(t *testing.T, document jsontree.Object) []byte {
	t.Helper()
	var b bytes.Buffer
	section := func(name string, members any) {
		for _, key := range slices.Sorted(maps.Keys(members.(jsontree.Object))) {
			sum := sha256.Sum256(jsontree.Encode(members.(jsontree.Object)[key]))
			fmt.Fprintf(&b, "%s %s %x\n", name, key, sum[:6])
		}
	}
	section("path", document["paths"])
	section("parameter", at(t, document, "components", "parameters"))
	section("schema", at(t, document, "components", "schemas"))
	return b.Bytes()
}

// slice reduces a document to the paths of an entity type and its own schemas.
func slice(t *testing.T, document jsontree.Object, entity string) []byte {
	t.Helper()
	kept := jsontree.Object{}
	for path, item := range document["paths"].(jsontree.Object) {
		if strings.HasPrefix(path+"/", "/openapi/v3/entity/"+entity+"/") {
			kept[path] = item
		}
	}
	schemas := jsontree.Object{}
	for name, schema := range at(t, document, "components", "schemas").(jsontree.Object) {
		if strings.HasPrefix(name, entity) || strings.HasPrefix(name, "com.linkedin.tag.") {
			schemas[name] = schema
		}
	}
	text, err := json.MarshalIndent(jsontree.Object{"paths": kept, "schemas": schemas}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(wantLines), len(gotLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Errorf("%s differs at line %d; run go test with -update when the change is meant", path, i+1)
			return
		}
	}
}

func TestTheDocumentPageComesFromHereAlone(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	for _, prefix := range []string{"", "/gms"} {
		rec := s.do("GET "+prefix+"/openapi/swagger-ui", "")
		if want := prefix + "/openapi/swagger-ui/index.html"; rec.Code != 302 || rec.Header().Get("Location") != want {
			t.Errorf("the short address gives %d to %s, want 302 to %s", rec.Code, rec.Header().Get("Location"), want)
		}
	}
	index := s.do("GET /openapi/swagger-ui/index.html", "")
	if policy := index.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self'") {
		t.Errorf("the page has the policy %q", policy)
	}
	page := index.Body.String()
	if strings.Contains(page, "://") {
		t.Errorf("the page refers to a foreign host:\n%s", page)
	}
	for file, contentType := range map[string]string{
		"index.html": "text/html", "index.css": "text/css", "swagger-ui.css": "text/css", "swagger-ui-bundle.js": "javascript",
		"swagger-ui-standalone-preset.js": "javascript", "swagger-initializer.js": "javascript", "favicon-32x32.png": "image/png",
	} {
		rec := s.do("GET /openapi/swagger-ui/"+file, "")
		if rec.Code != 200 || rec.Body.Len() == 0 || !strings.Contains(rec.Header().Get("Content-Type"), contentType) {
			t.Errorf("%s gives %d with %d bytes as %s", file, rec.Code, rec.Body.Len(), rec.Header().Get("Content-Type"))
		}
	}
	start := s.do("GET /openapi/swagger-ui/swagger-initializer.js", "").Body.String()
	for _, want := range []string{`"../v3/api-docs"`, "validatorUrl: null"} {
		if !strings.Contains(start, want) {
			t.Errorf("the start of the page lacks %s:\n%s", want, start)
		}
	}
	if strings.Contains(start, "://") {
		t.Errorf("the start of the page refers to a foreign host:\n%s", start)
	}
}

func TestDocumentsAreMadeOnce(t *testing.T) {
	t.Parallel()
	s := newDescription(t)
	first := s.do("GET /openapi/v3/api-docs/openapi-v3", "").Body.Bytes()
	second := s.do("GET /openapi/v3/api-docs/openapi-v3", "").Body.Bytes()
	if !bytes.Equal(first, second) {
		t.Error("two readings of a document differ")
	}
	t.Logf("the largest document has %d KiB", len(first)>>10)
}

// A client that reads a response slowly keeps its allocated memory in use.
func TestSharedContentIsNotCopiedForEachAnswer(t *testing.T) {
	s := newDescription(t)
	for _, path := range []string{"/v3/api-docs", "/v3/api-docs/openapi-v2", "/swagger-ui/swagger-ui-bundle.js"} {
		get := func() {
			if status := s.serve(http.MethodGet, "/openapi"+path, ""); status != http.StatusOK {
				t.Fatalf("%s: status %d", path, status)
			}
		}
		get() // generates the document
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		get()
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 128<<10 {
			t.Errorf("%s: %d KiB are allocated for one answer", path, took>>10)
		}
	}
}

func TestAPageOfSpecificationsIsSentByElements(t *testing.T) {
	s := newService(t, options{open: true})
	const path = "/openapi/v1/registry/models/entity/specifications?count=1000"
	elements := len(at(t, s.ok("GET "+path, ""), "elements").([]any))
	w := &countedWrites{ResponseRecorder: httptest.NewRecorder()}
	s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.n < elements {
		t.Errorf("%d elements are sent by %d writes", elements, w.n)
	}
}

// countedWrites counts the pieces of a response.
type countedWrites struct {
	*httptest.ResponseRecorder
	n int
}

func (w *countedWrites) Write(p []byte) (int, error) {
	w.n++
	return w.ResponseRecorder.Write(p)
}
