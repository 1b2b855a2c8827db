package openapi_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	tester    urn.URN = "urn:li:corpuser:tester"
	forbidden urn.URN = "urn:li:tag:forbidden"
)

// start is the fixed time of the clock in every test.
var start = time.UnixMilli(1_754_000_000_000)

var registry = sync.OnceValues(model.Load)

// guard refuses access to one tag, and platform privileges unless open.
type guard struct {
	open bool
	may  auth.Privilege
}

func (g guard) rule() authtest.Rule {
	return func(c auth.Check, on urn.URN) error {
		switch {
		case len(c.AnyOf) > 0 && !g.open && !slices.Contains(c.AnyOf, g.may):
			if c.Operation == auth.OpRead || on.Key() != "" {
				return nil // all except privileges on the platform
			}
			return auth.Lacking(tester, "", c.AnyOf, on, "%s lacks the privilege %s.", tester, c.AnyOf[0])
		case len(c.AnyOf) == 0 && on == forbidden:
			return auth.Lacking(tester, c.Operation, privilege.Needed(c.Operation, on, c.Aspect), on, "it is forbidden")
		}
		return nil
	}
}

type consumers struct{ follower *projection.Follower }

func (c consumers) Lag() []system.ConsumerLag {
	var lags []system.ConsumerLag
	for _, l := range c.follower.Status() {
		lags = append(lags, system.ConsumerLag{Name: l.Sink, Timeseries: l.Sink == "timeseries", Position: l.Position, Lag: l.Behind})
	}
	return lags
}

// service is the API over a real catalog in memory.
type service struct {
	t       testing.TB
	catalog *catalog.Service
	handler http.Handler
	events  *audit.Log
}

type options struct {
	open      bool           // the tester may manage the system
	may       auth.Privilege // an additional privilege
	anonymous bool
	limit     int // of responses, in bytes; 0 for the default
	// callers bounds the concurrent pollers of events, 0 for the default; settled is called when
	// a poller waits.
	callers int
	settled func(context.Context, uint64) error
}

func newService(t testing.TB, o options) *service {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	now := func() time.Time { return start }
	rows, documents := memory.NewStore(), memory.NewTimeseries()
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	if err != nil {
		t.Fatal(err)
	}
	indexer, err := indexing.New(t.Context(), indexing.Config{Registry: reg, Store: rows, Graph: rows, Index: index, Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := projection.Start(context.Background(), projection.Config{
		Log: rows, Now: now, Logger: log, Awaited: []projection.Sink{seriessink.New(reg, documents), indexer},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := follower.Close(); err != nil {
			t.Error(err)
		}
	})
	kept, err := recordfile.Open(recordfile.Config{Path: filepath.Join(t.TempDir(), "records.db"), Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	cipher, err := encryption.New("a key for tests, long enough")
	if err != nil {
		t.Fatal(err)
	}
	cat := catalog.New(catalog.Config{
		Failures: failure.New(kept), Cipher: cipher,
		Registry: reg, Store: rows, Graph: rows, Documents: documents, Authorizer: guard{o.open, o.may}.rule(), Follower: follower, Now: now, Log: log,
	})
	found := discover.New(discover.Config{Catalog: cat, Index: index, Graph: rows})
	tasks := task.New(task.Config{Store: memory.NewTaskStore(), Now: now, Log: log})
	operations := ops.New(ops.Config{Registry: reg, Catalog: cat, Discover: found, Indexer: indexer, Follower: follower, Authorizer: guard{o.open, o.may}.rule(), Tasks: tasks, Now: now, Log: logging.Discard()})
	beginTasks(t, tasks)
	authorizer := guard{o.open, o.may}.rule()
	events := audit.New(audit.Config{Open: func() (audit.Store, error) { return memory.NewAuditStore(), nil }, Now: now, Log: log})
	t.Cleanup(func() {
		if err := events.Close(); err != nil {
			t.Error(err)
		}
	})
	events.Record(t.Context(), audit.Event{Type: audit.LogIn, Time: start.UnixMilli() - 1000, Actor: "urn:li:corpuser:jo", Address: "192.0.2.7", LoginSource: "passwordLogin", Request: "r1"})
	concealed, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	api := openapi.New(openapi.Config{Config: system.Config{
		Audit:      auditlog.New(auditlog.Config{Log: events, Authorizer: authorizer, Aspects: []string{"tagProperties"}, Names: concealed, Now: now}),
		Lineage:    openlineage.New(openlineage.Config{}),
		Events:     event.New(event.Config{Log: rows, Rows: rows, Registry: reg, Authorizer: authorizer, Now: now, Callers: o.callers, Settled: o.settled}),
		Webhooks:   webhooks(t, kept, reg, event.New(event.Config{Log: rows, Rows: rows, Registry: reg, Authorizer: authorizer, Now: now}), authorizer, now),
		Operations: operations, Timeline: timeline.New(reg, cat, found, admission.ReserveWithWork),
		Catalog: cat, Discover: found, Registry: reg, Consumers: consumers{follower}, Now: now, Version: "v0.0.1",
		Flags: map[string]bool{"showBrowseV2": true, "readOnly": false},
		Properties: func() map[string]string {
			return map[string]string{"store.driver": "memory", "system_secret": "hunter2", "auth.salt_bytes": "16", "token.cache": "lru"}
		},
	}, Versions: version.New(&edit.Editor{Catalog: cat, Discover: found, Registry: reg, Authorizer: guard{open: o.open}.rule(), Now: now}), AnswerLimit: o.limit})
	server := httpserver.New(httpserver.Config{Log: log})
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		api.Mount(server.Echo.Group(prefix))
	}
	s := &service{t: t, catalog: cat, handler: signedIn(server.Echo, o), events: events}
	return s
}

// webhooks manages webhooks without delivering to them. They may use one host, which takes too
// long.
func webhooks(t testing.TB, kept records.Store, reg *model.Registry, events *event.Service, authorizer auth.Decider, now func() time.Time) *eventhook.Service {
	t.Helper()
	cipher, err := encryption.New("a key for tests, long enough")
	if err != nil {
		t.Fatal(err)
	}
	sender := webhook.New(webhook.Config{Hosts: []string{"hooks.example.com"}, Setting: "webhooks.hosts", Timeout: time.Millisecond})
	t.Cleanup(sender.Close)
	return eventhook.New(eventhook.Config{
		Records: kept, Events: events, Sender: sender, Authorizer: authorizer, Registry: reg, Cipher: cipher, NewID: func() string { return "5XPN2HJ6QW3KZ7RT" }, Now: now, Log: logging.Discard(),
	})
}

// signedIn puts the tester into the context, like authentication.
func signedIn(next http.Handler, o options) http.Handler {
	if o.anonymous {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(auth.WithActor(r.Context(), auth.Actor{URN: tester})))
	})
}

// do sends one request, given as "METHOD path", with a body that may be empty.
func (s *service) do(request, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	method, target, _ := strings.Cut(request, " ")
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, content)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, r)
	return rec
}

// want sends a request and compares status and whole body.
func (s *service) want(request, body string, status int, answer string) {
	s.t.Helper()
	rec := s.do(request, body)
	got := strings.TrimSpace(rec.Body.String())
	if rec.Code != status || got != answer {
		s.t.Errorf("%s gives %d\n%s\nwant %d\n%s", request, rec.Code, got, status, answer)
	}
}

// ok sends a request that must succeed and returns its body as a tree.
func (s *service) ok(request, body string) any {
	s.t.Helper()
	rec := s.do(request, body)
	if rec.Code < 200 || rec.Code > 299 {
		s.t.Fatalf("%s gives %d: %s", request, rec.Code, rec.Body)
	}
	if rec.Body.Len() == 0 {
		return nil
	}
	tree, err := jsontree.Decode(rec.Body.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %v in %s", request, err, rec.Body)
	}
	return tree
}

// at follows member names and indices in a tree.
func at(t testing.TB, tree any, steps ...any) any {
	t.Helper()
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			o, ok := tree.(jsontree.Object)
			if !ok {
				t.Fatalf("no member %s in %s", step, jsontree.Encode(tree))
			}
			tree = o[step]
		case int:
			list, ok := tree.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("no element %d in %s", step, jsontree.Encode(tree))
			}
			tree = list[step]
		}
	}
	return tree
}

// wantAt compares one place of a tree with a value written as JSON.
func wantAt(t testing.TB, tree any, want string, steps ...any) {
	t.Helper()
	if got := string(jsontree.Encode(at(t, tree, steps...))); got != want {
		t.Errorf("at %v is %s, want %s", steps, got, want)
	}
}

func errorOf(t testing.TB, rec *httptest.ResponseRecorder) (title, message string) {
	t.Helper()
	var body struct{ Error, Message string }
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil {
		t.Fatalf("the error answer is no JSON: %s", rec.Body)
	}
	return body.Error, body.Message
}

// tag writes a tag with a name.
func (s *service) tag(id string) string {
	s.t.Helper()
	u := "urn:li:tag:" + id
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"`+u+`","tagProperties":{"value":{"name":"`+id+`"}}}]`)
	return u
}

func (s *service) context() context.Context {
	return auth.WithActor(s.t.Context(), auth.Actor{URN: tester})
}

// credentials is the write of a secret that contains the word pepper.
func credentials(u string) []catalog.Proposal {
	return []catalog.Proposal{{URN: u, Aspect: "corpUserCredentials", Value: json.RawMessage(`{"salt":"pepper","hashedPassword":"pepper"}`)}}
}

func encode(tree any) string { return string(jsontree.Encode(tree)) }

func itoa(n int) string { return strconv.Itoa(n) }

func number(t testing.TB, v any) int64 {
	t.Helper()
	n, ok := v.(json.Number)
	if !ok {
		t.Fatalf("%v is no number", v)
	}
	i, err := n.Int64()
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// beginTasks runs tasks until the end of the test.
func beginTasks(t testing.TB, tasks *task.Manager) {
	t.Helper()
	if err := tasks.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tasks.Close(); err != nil {
			t.Error(err)
		}
	})
}
