package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	noon    = 1754000000000 // the fixed time of the clock of these tests
	dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"
	jo      = urn.URN("urn:li:corpuser:jo")
)

// rights is an Authorizer that grants everything except one privilege.
type rights struct{ denied string }

func (r rights) rule() authtest.Rule {
	return func(c auth.Check, on urn.URN) error {
		switch {
		case r.denied == "":
			return nil
		case slices.Contains(c.AnyOf, auth.Privilege(r.denied)):
			return auth.Lacking(jo, "", c.AnyOf, on, "privilege %s is missing", r.denied)
		case strings.HasPrefix(string(on), r.denied):
			return auth.Lacking(jo, c.Operation, privilege.Needed(c.Operation, on, c.Aspect), on, "no right to %s %s", c.Operation, on)
		}
		return nil
	}
}

// service is the API over a catalog in memory.
type service struct {
	testing.TB
	handler http.Handler
	catalog *catalog.Service
	tasks   *task.Manager
	ready   atomic.Bool
}

// setting holds the properties of a service that tests change.
type setting struct {
	deps      rest.Deps
	rights    rights
	anonymous bool
}

type option func(*setting)

func denying(what string) option { return func(s *setting) { s.rights.denied = what } }

func deniedStatus(status int) option { return func(s *setting) { s.deps.DeniedStatus = status } }

func anonymous(s *setting) { s.anonymous = true }

func asJo(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		c.SetRequest(r.WithContext(auth.WithActor(r.Context(), auth.Actor{URN: jo})))
		return next(c)
	}
}

// loadOnce loads the model once for all tests, as none changes it.
var loadOnce = sync.OnceValues(model.Load)

func newService(t testing.TB, options ...option) *service {
	t.Helper()
	registry, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	s := &service{TB: t}
	s.ready.Store(true)
	set := setting{deps: rest.Deps{
		Commit: "0a1b2c3d",
		Health: func() rest.Health {
			ready := s.ready.Load()
			return rest.Health{Bootstrapped: true, Ready: ready, Search: "green", Detail: "no lag", Writes: "green", Background: "green", Projections: []rest.Projection{
				{Name: "search", Awaited: true, State: "green", Behind: 3, Failures: 2, Panics: 1},
			}}
		},
		Now: func() time.Time { return time.UnixMilli(noon) },
	}}
	for _, o := range options {
		o(&set)
	}
	deps := set.deps
	rows, documents := memory.NewStore(), memory.NewTimeseries()
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(registry)})
	if err != nil {
		t.Fatal(err)
	}
	indexer, err := indexing.New(t.Context(), indexing.Config{
		Registry: registry, Store: rows, Graph: rows, Index: index, Now: deps.Now, Log: logging.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: rows, Now: deps.Now, Logger: logging.Discard(), Awaited: []projection.Sink{seriessink.New(registry, documents), indexer},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, c := range []io.Closer{follower, documents, rows} {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	s.catalog = catalog.New(catalog.Config{
		Registry: registry, Store: rows, Graph: rows, Documents: documents, Authorizer: set.rights.rule(), Follower: follower, Now: deps.Now, Log: logging.Discard(),
	})
	deps.Catalog = s.catalog
	deps.Discover = discover.New(discover.Config{Catalog: s.catalog, Index: index, Graph: rows})
	tasks := task.New(task.Config{Store: memory.NewTaskStore(), Now: deps.Now, Log: logging.Discard()})
	deps.Operations = ops.New(ops.Config{
		Registry: registry, Catalog: s.catalog, Discover: deps.Discover, Indexer: indexer, Follower: follower, Authorizer: set.rights.rule(), Tasks: tasks, Now: deps.Now, Log: logging.Discard(),
	})
	deps.Statistics = statistics.New(s.catalog, statistics.Limits{}, deps.Now)
	s.tasks = tasks
	beginTasks(t, tasks)
	editor := &edit.Editor{Catalog: s.catalog, Discover: deps.Discover, Registry: registry, Authorizer: set.rights.rule(), Now: deps.Now}
	deps.Tests = metatest.New(metatest.Config{Edit: editor, Reader: rows, Graph: rows, Documents: documents, Log: logging.Discard()})
	server := httpserver.New(httpserver.Config{Log: logging.Discard(), NewID: func() string { return "request-1" }})
	if !set.anonymous {
		server.Echo.Use(asJo)
	}
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		rest.Mount(server.Echo.Group(prefix), deps)
	}
	s.handler = server.Echo
	return s
}

// reply is a response.
type reply struct {
	testing.TB
	what string
	*httptest.ResponseRecorder
}

func (s *service) do(method, target, body string) reply {
	s.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return reply{TB: s.TB, what: method + " " + target, ResponseRecorder: w}
}

func (s *service) get(target string) reply { s.Helper(); return s.do(http.MethodGet, target, "") }

func (s *service) post(target, body string) reply {
	s.Helper()
	return s.do(http.MethodPost, target, body)
}

// ingest upserts an aspect and requires success.
func (s *service) ingest(u, aspect, value string, more ...string) {
	s.Helper()
	changes := `{"entityType":` + quote(urn.URN(u).Type()) + `,"entityUrn":` + quote(u) + `,"aspectName":` + quote(aspect) +
		`,"aspect":{"contentType":"application/json","value":` + quote(value) + `}` + strings.Join(more, "") + `}`
	s.post("/aspects?action=ingestProposal", `{"proposal":`+envelope(s.TB, changes)+`}`).is(http.StatusOK, `{"value":"success"}`)
}

func quote(text string) string { return string(jsontree.AppendString(nil, text)) }

func encode(u string) string { return url.QueryEscape(u) }

// traceIDs are random; comparisons replace them by zeros.
var traceIDs = regexp.MustCompile(`[0-9a-f]{32}`)

const noTrace = "00000000000000000000000000000000"

// is compares status and JSON body; an empty want is an empty body.
func (r reply) is(status int, want string) {
	r.Helper()
	if r.Code != status {
		r.Fatalf("%s: got status %d, want %d; body %s", r.what, r.Code, status, r.Body)
	}
	got := traceIDs.ReplaceAllString(r.Body.String(), noTrace)
	if want == "" || got == "" {
		if got != want {
			r.Fatalf("%s: got body %q, want %q", r.what, got, want)
		}
		return
	}
	if g, w := canonical(r.TB, got), canonical(r.TB, want); g != w {
		r.Fatalf("%s: got\n%s\nwant\n%s", r.what, g, w)
	}
}

// fails checks status and error body; part must occur in the message.
func (r reply) fails(status int, part string) {
	r.Helper()
	if r.Code != status {
		r.Fatalf("%s: got status %d, want %d; body %s", r.what, r.Code, status, r.Body)
	}
	body, err := jsontree.DecodeObject(r.Body.Bytes())
	if err != nil {
		r.Fatalf("%s: body %q: %v", r.what, r.Body, err)
	}
	message, _ := body["message"].(string)
	if !strings.Contains(message, part) || body["exceptionClass"] != "com.linkedin.restli.server.RestLiServiceException" ||
		string(jsontree.Encode(body["status"])) != string(jsontree.Encode(status)) {
		r.Errorf("%s: got body %s, want a message with %q", r.what, r.Body, part)
	}
	if r.Header().Get("X-RestLi-Error-Response") != "true" {
		r.Errorf("%s: error header is missing", r.what)
	}
}

func canonical(t testing.TB, text string) string {
	t.Helper()
	tree, err := jsontree.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return string(jsontree.Encode(tree))
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
