package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/frontend-proxy/internal/gateway"
	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/logging"
)

const urnEncoded = "urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3As3%2Cbucket%2Fkey%2CPROD%29"

// seen is a request as it arrived at the service.
type seen struct {
	Method, URI, Host, Body string
	Header                  http.Header
}

// testGateway is a gateway in front of a service that echoes the received request.
type testGateway struct {
	url    string
	jar    *session.Jar
	served chan seen
}

func newTestGateway(t testing.TB, service http.Handler, change ...func(*gateway.Config)) *testGateway {
	t.Helper()
	d := &testGateway{served: make(chan seen, 1)}
	if service == nil {
		service = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			d.served <- seen{r.Method, r.RequestURI, r.Host, string(body), r.Header}
			_, _ = io.WriteString(w, "served")
		})
	}
	back := httptest.NewServer(service)
	t.Cleanup(back.Close)
	base, err := url.Parse(back.URL)
	if err != nil {
		t.Fatal(err)
	}
	d.jar, err = session.NewJar(session.Config{Secret: config.Secret(strings.Repeat("s", 32)), Lifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	cfg := gateway.Config{
		Upstream: base, Jar: d.jar, Log: logging.Discard(), AuthEnabled: true,
		IngestLimit: 4 << 10, BodyLimit: 1 << 10, Transport: gateway.Transport(time.Minute), Outage: outage.NewWatch(time.Now),
	}
	for _, f := range change {
		f(&cfg)
	}
	t.Cleanup((&http.Client{Transport: cfg.Transport}).CloseIdleConnections)
	server := httpserver.New(httpserver.Config{Log: logging.Discard()})
	server.Echo.IPExtractor = echo.ExtractIPDirect()
	gateway.New(cfg).Mount(server.Echo)
	front := httptest.NewServer(server.Echo)
	t.Cleanup(front.Close)
	d.url = front.URL
	return d
}

// signedIn adds the session of jo.
func (d *testGateway) signedIn(t testing.TB) func(*http.Request) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := d.jar.Start(w, "session-token", "urn:li:corpuser:jo"); err != nil {
		t.Fatal(err)
	}
	return func(r *http.Request) { r.AddCookie(w.Result().Cookies()[0]) }
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

type answer struct {
	status int
	body   string
	header http.Header
}

// do sends the target byte for byte, and does not follow redirects.
func (d *testGateway) do(t testing.TB, method, target string, body io.Reader, change ...func(*http.Request)) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, d.url, body)
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(target, "?")
	if r.URL.Path, err = url.PathUnescape(path); err != nil {
		t.Fatal(err)
	}
	r.URL.RawPath, r.URL.RawQuery = path, query
	for _, f := range change {
		f(r)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, string(text), res.Header}
}

func (d *testGateway) arrived(t testing.TB) seen {
	t.Helper()
	select {
	case s := <-d.served:
		return s
	default:
		t.Fatal("nothing arrived at the service")
		return seen{}
	}
}

func (d *testGateway) nothingArrived(t testing.TB) {
	t.Helper()
	select {
	case s := <-d.served:
		t.Errorf("arrived at the service: %s %s", s.Method, s.URI)
	default:
	}
}

func TestPathsThatGoThrough(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, method, in, out string }{
		{"GraphQL", "POST", "/api/graphql", "/api/graphql"},
		{"GraphQL of the web page", "POST", "/api/v2/graphql?operationName=x", "/api/graphql?operationName=x"},
		{"GraphQL on the path the client guesses", "POST", "/api/api/v2/graphql", "/api/graphql"},
		{"prefix of the reference", "POST", "/api/gms/operations?action=getIndexSizes", "/operations?action=getIndexSizes"},
		{"short prefix", "POST", "/gms/test?action=evaluate", "/test?action=evaluate"},
		{"slash before the query is no reason to redirect", "POST", "/api/gms/aspects/?action=ingestProposal", "/aspects/?action=ingestProposal"},
		{"the root", "GET", "/api/gms", "/"},
		{"the root with a slash", "GET", "/gms/", "/"},
		{"OpenAPI is unchanged", "GET", "/openapi/v3/entity/dataset?count=1", "/openapi/v3/entity/dataset?count=1"},
		{"OpenAPI behind the prefix", "PUT", "/api/gms/openapi/v3/x", "/openapi/v3/x"},
		{"tracking", "POST", "/openapi/v1/tracking/track", "/openapi/v1/tracking/track"},
		{"PATCH", "PATCH", "/api/gms/openapi/v3/entity/dataset", "/openapi/v3/entity/dataset"},
		{"HEAD", "HEAD", "/gms/openapi/v3/entity/dataset/" + urnEncoded, "/openapi/v3/entity/dataset/" + urnEncoded},
		{"DELETE with a raw URN", "DELETE", "/openapi/v3/entity/dataset/urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", "/openapi/v3/entity/dataset/urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"},
		{"an encoded URN stays as it is", "GET", "/api/gms/entities/" + urnEncoded, "/entities/" + urnEncoded},
		{"lower-case escapes stay", "GET", "/api/gms/entities/urn%3ali%3atag%3aa%2fb", "/entities/urn%3ali%3atag%3aa%2fb"},
		{"slashes and dots inside a URN", "GET", "/api/gms/entities/urn:li:dataset:(s3://b//../k)/x", "/entities/urn:li:dataset:(s3://b//../k)/x"},
		{"an escaped percent sign is not decoded", "GET", "/gms/entities/urn:li:tag:a%2525", "/entities/urn:li:tag:a%2525"},
		{"queries stay as they are", "GET", "/api/gms/entitiesV2?ids=List(urn%3Ali%3Atag%3Aa,b)&x=a;b&y=%zz", "/entitiesV2?ids=List(urn%3Ali%3Atag%3Aa,b)&x=a;b&y=%zz"},
		{"names that only begin like private ones", "GET", "/api/gms/authors", "/authors"},
	}
	d := newTestGateway(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := d.do(t, tt.method, tt.in, nil)
			if res.status != http.StatusOK {
				t.Fatalf("got %d %s", res.status, res.body)
			}
			if got := d.arrived(t); got.URI != tt.out || got.Method != tt.method {
				t.Errorf("got  %s %s\nwant %s %s", got.Method, got.URI, tt.method, tt.out)
			}
		})
	}
}

func TestPathTricks(t *testing.T) {
	t.Parallel()
	private := []string{
		"/auth/verifyNativeUserCredentials", "/auth", "/auth/", "/actuator/prometheus", "/metrics", "/metrics/x", "/%61uth/x", "/%61%75%74%68/x",
		"/AUTH/x", "/Auth%2Fx", "//auth/x", "/./auth/x", "/%2e/auth/x", "/entities/../auth/x", "/entities/%2E%2e/auth/x",
		"/entities/%2e%2E%2Fauth/x", "/auth%2fx", "/auth%5cx", "/%5cauth/x", "/x/..%5cauth", "/auth;a=b/x", "/gms/auth/x", "/api/gms/auth/x",
		"/api/gms/gms/auth/x", "/gms//api/gms/metrics", "/entities/urn:li:tag:a/../../auth/x", "/urn:li:tag:a/../auth/x", "/urn%3Ali%3Atag%2F..%2Fauth/x",
		"/../gms/auth/x", "/%2fauth/x", "/../auth/x", "/openapi/../auth/x",
	}
	refused := []string{
		"//entities", "/entities//x", "/entities/./x", "/entities/../x", "/entities/%2e%2e/x", "/entities/a%2Fb", "/entities/a%2fb/urn:li:tag:a",
		"/entities/a%5Cb", "/entities/a%00b", "/entities/a%0Ab", "/entities/a%7f", "/entities/..", "/entities%2Furn:li:tag:a",
	}
	d := newTestGateway(t, nil)
	for _, prefix := range []string{"/api/gms", "/gms"} {
		for _, p := range private {
			if res := d.do(t, "POST", prefix+p, nil); res.status != http.StatusNotFound || !isError(res) {
				t.Errorf("%s: got %d %s, want 404", prefix+p, res.status, res.body)
			}
			d.nothingArrived(t)
		}
		for _, p := range refused {
			if res := d.do(t, "POST", prefix+p, nil); res.status != http.StatusBadRequest || !isError(res) {
				t.Errorf("%s: got %d %s, want 400", prefix+p, res.status, res.body)
			}
			d.nothingArrived(t)
		}
	}
	for p, want := range map[string]int{
		"/openapi/../auth/x": 404, "/openapi/%2e%2e/metrics": 404, "/openapi/a%2Fb": 400, "/openapi//x": 400,
		"/api%2Fgms/entities": 404, "/API/gms/entities": 404, "//api/gms/entities": 404, "/api/gmsx": 404, "/api/other": 404,
	} {
		if res := d.do(t, "POST", p, nil); res.status != want {
			t.Errorf("%s: got %d %s, want %d", p, res.status, res.body, want)
		}
		d.nothingArrived(t)
	}
}

// isError reports whether the response is an error in the JSON form of the gateway.
func isError(a answer) bool {
	var body struct {
		Error  string
		Status int
	}
	return json.Unmarshal([]byte(a.body), &body) == nil && body.Error != "" && body.Status == a.status
}

func TestGraphQLTakesPostAlone(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil)
	for _, path := range []string{"/api/graphql", "/api/v2/graphql", "/api/api/v2/graphql"} {
		for _, method := range []string{"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "REPORT", "FOO"} {
			res := d.do(t, method, path, nil)
			if res.status != http.StatusMethodNotAllowed || res.header.Get("Allow") != "POST" || !isError(res) {
				t.Errorf("%s %s: got %d %v %s", method, path, res.status, res.header["Allow"], res.body)
			}
		}
	}
	d.nothingArrived(t)
}

func TestMethodsNobodyHasHeardOf(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil)
	for path, want := range map[string]int{"/gms": 405, "/api/gms/entities": 405, "/openapi/v3/entity/dataset": 405, "/gmsx": 404, "/elsewhere": 404} {
		res := d.do(t, "FOO", path, nil)
		if allowed := res.header.Get("Allow"); res.status != want || !isError(res) || want == 405 && allowed != "GET, HEAD, POST, PUT, PATCH, DELETE" {
			t.Errorf("%s: got %d %q %s, want %d", path, res.status, allowed, res.body, want)
		}
	}
	d.nothingArrived(t)
}

func TestDocumentsOfASessionMustBeJSON(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil)
	for _, path := range []string{
		"/api/graphql", "/api/v2/graphql", "/api/gms/api/graphql", "/gms/api/graphql", "/gms/api/v2/graphql", "/api/gms/api/v2/graphql",
		"/gms/gms/api/graphql", "/gms/api/gms/api/v2/graphql", "/gms/api/%67raphql", "/mcp", "/gms/mcp",
	} {
		for kind, want := range map[string]int{"text/plain": 415, "": 415, "application/json; charset=utf-8": 200} {
			res := d.do(t, "POST", path, strings.NewReader("{}"), d.signedIn(t), header("Content-Type", kind))
			if res.status != want {
				t.Errorf("%s as %q: got %d %s, want %d", path, kind, res.status, res.body, want)
			}
			if want == 200 {
				d.arrived(t)
			}
		}
	}
	res := d.do(t, "POST", "/api/graphql", strings.NewReader("{}"), header("Authorization", "Bearer x"))
	if res.status != http.StatusOK {
		t.Errorf("with a bearer token any type will do: got %d", res.status)
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, authorization    string
		session, authOff       bool
		path                   string
		status                 int
		sent, actor, sourceHdr string
	}{
		{name: "a session becomes a bearer token", session: true, status: 200, sent: "Bearer session-token", sourceHdr: "BROWSER"},
		{name: "a bearer token passes", authorization: "Bearer mine", status: 200, sent: "Bearer mine", sourceHdr: "SDK"},
		{name: "the scheme may be lower case", authorization: "bearer mine", status: 200, sent: "Bearer mine", sourceHdr: "SDK"},
		{name: "a bearer token wins over the session", authorization: "Bearer mine", session: true, status: 200, sent: "Bearer mine", sourceHdr: "SDK"},
		{name: "Basic never passes", authorization: "Basic __datahub_system:x", status: 200, sourceHdr: "SDK"},
		{name: "Basic does not hide the session", authorization: "Basic a:b", session: true, status: 200, sent: "Bearer session-token", sourceHdr: "BROWSER"},
		{name: "an empty bearer token is none", authorization: "Bearer ", status: 200, sourceHdr: "SDK"},
		{name: "an empty bearer token hides the session", authorization: "Bearer ", session: true, status: 200, sourceHdr: "SDK"},
		{name: "a token without its scheme hides the session", authorization: "mine", session: true, status: 200, sourceHdr: "SDK"},
		{name: "an empty header hides nothing", authorization: " ", session: true, status: 200, sent: "Bearer session-token", sourceHdr: "BROWSER"},
		{name: "anonymous requests are the service's business", status: 200, sourceHdr: "SDK"},
		{name: "auth off: the session's actor is asserted", authOff: true, session: true, status: 200, actor: "urn:li:corpuser:jo", sourceHdr: "BROWSER"},
		{name: "auth off: a session is needed", authOff: true, status: 401},
		{name: "auth off: a header does not help", authOff: true, authorization: "Bearer mine", status: 401},
		{name: "auth off: health is nobody's", authOff: true, path: "/api/gms/health", status: 200, actor: "urn:li:corpuser:UNKNOWN", sourceHdr: "SDK"},
		{name: "auth off: configuration is open", authOff: true, path: "/gms/config", status: 200, actor: "urn:li:corpuser:UNKNOWN", sourceHdr: "SDK"},
		{name: "auth off: feature flags are open", authOff: true, path: "/openapi/operations/dev/featureFlags/x", status: 200, actor: "urn:li:corpuser:UNKNOWN", sourceHdr: "SDK"},
		{name: "auth off: logos are open", authOff: true, path: "/assets/platforms/hive.svg", status: 200, actor: "urn:li:corpuser:UNKNOWN", sourceHdr: "SDK"},
		{name: "auth off: open paths do not open what is below", authOff: true, path: "/gms/health/../entities", status: 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			proofs := forwarded.NewKey("a secret of the two programs, long enough")
			d := newTestGateway(t, nil, func(c *gateway.Config) { c.AuthEnabled, c.Addresses = !tt.authOff, proofs })
			change := []func(*http.Request){
				header("X-DataHub-Actor", "urn:li:corpuser:datahub"), header("X-DataHub-Request-Source", "BROWSER"),
				header("X-Forwarded-For", "1.2.3.4"), header("X-Forwarded-Proto", "https"), header("Forwarded", "for=1.2.3.4"),
				header("X-DataHubLoginSource", "x"), header(forwarded.ProofHeader, "forged"),
			}
			if tt.session {
				change = append(change, d.signedIn(t))
			}
			if tt.authorization != "" {
				change = append(change, header("Authorization", tt.authorization))
			}
			path := tt.path
			if path == "" {
				path = "/api/gms/entities/x"
			}
			res := d.do(t, "GET", path, nil, change...)
			if res.status != tt.status {
				t.Fatalf("got %d %s", res.status, res.body)
			}
			if tt.status != http.StatusOK {
				if tt.status == 401 && (res.header.Get("WWW-Authenticate") != "Bearer" || !isError(res)) {
					t.Errorf("401 says %v %s", res.header, res.body)
				}
				d.nothingArrived(t)
				return
			}
			got := d.arrived(t).Header
			for name, want := range map[string]string{
				"Authorization": tt.sent, "X-DataHub-Actor": tt.actor, "X-DataHub-Request-Source": tt.sourceHdr,
				"Cookie": "", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "http", "Forwarded": "", "X-DataHubLoginSource": "",
			} {
				if got.Get(name) != want || len(got.Values(name)) > 1 {
					t.Errorf("%s: got %q, want %q", name, got.Values(name), want)
				}
			}
			if address, ok := proofs.Address(got); address != "127.0.0.1" || !ok || len(got.Values(forwarded.ProofHeader)) != 1 {
				t.Errorf("the address is proven as %q, %v", address, ok)
			}
		})
	}
}

func TestHeadersOnTheWay(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, nil, func(c *gateway.Config) { c.TLS = true })
	d.do(t, "POST", "/api/gms/aspects", strings.NewReader("body"),
		header("X-Request-Id", "abc"), header("Connection", "X-Custom"), header("X-Custom", "1"), header("Accept-Encoding", "gzip"),
		header("X-RestLi-Protocol-Version", "2.0.0"), header("User-Agent", "client"), func(r *http.Request) { r.Host = "catalog.example" })
	got := d.arrived(t)
	for name, want := range map[string]string{
		"X-Request-Id": "abc", "X-Custom": "", "Accept-Encoding": "gzip", "X-RestLi-Protocol-Version": "2.0.0", "User-Agent": "client",
		"X-Forwarded-Host": "catalog.example", "X-Forwarded-Proto": "https",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: got %q, want %q", name, got.Header.Get(name), want)
		}
	}
	if got.Host == "catalog.example" || got.Body != "body" {
		t.Errorf("got host %q, body %q", got.Host, got.Body)
	}
}

func TestAnswersAreTidied(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Set-Cookie", "a=b")
		h.Set("Server", "x")
		h.Set("X-Request-Id", "theirs")
		h.Set("Not-Found-Reason", "ENTITY")
		h.Set("Location", strings.ReplaceAll(r.URL.Query().Get("to"), "HOST", "http://"+r.Host))
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	for to, want := range map[string]string{
		"HOST/x?a=b": "/api/gms/x?a=b", "/x%2Fy": "/api/gms/x%2Fy", "x": "x", "https://elsewhere.example/x": "https://elsewhere.example/x",
	} {
		res := d.do(t, "GET", "/api/gms/entities?to="+url.QueryEscape(to), nil, header("X-Request-Id", "ours"))
		if res.status != http.StatusTemporaryRedirect || res.header.Get("Location") != want {
			t.Errorf("%s: got %d %q, want %q", to, res.status, res.header.Get("Location"), want)
		}
		if res.header.Get("Set-Cookie") != "" || res.header.Get("Server") != "" || res.header.Get("Not-Found-Reason") != "ENTITY" {
			t.Errorf("headers: %v", res.header)
		}
		if got := res.header.Values("X-Request-Id"); len(got) != 1 || got[0] != "ours" {
			t.Errorf("request id: %v", got)
		}
	}
	if res := d.do(t, "GET", "/openapi/x?to=/openapi/y", nil); res.header.Get("Location") != "/openapi/y" {
		t.Errorf("without a prefix: got %q", res.header.Get("Location"))
	}
}

func TestASessionEndsAtABadCredentialAlone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status        int
		challenge     string
		authorization string
		ends          bool
	}{
		"the session is over":              {401, `Bearer error="invalid_token"`, "", true},
		"a privilege is missing":           {401, `Bearer error="insufficient_scope"`, "", false},
		"a path that takes no session":     {401, "Bearer", "", false},
		"a refusal with a challenge":       {403, `Bearer error="invalid_token"`, "", false},
		"the token of the header is bad":   {401, `Bearer error="invalid_token"`, "Bearer mine", false},
		"an answer with cookies of others": {200, "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestGateway(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Set-Cookie", "PLAY_SESSION=of the service")
				if tt.challenge != "" {
					w.Header().Set("WWW-Authenticate", tt.challenge)
				}
				w.WriteHeader(tt.status)
			}))
			change := []func(*http.Request){d.signedIn(t)}
			if tt.authorization != "" {
				change = append(change, header("Authorization", tt.authorization))
			}
			res := d.do(t, "GET", "/api/gms/entities/x", nil, change...)
			if res.status != tt.status || res.header.Get("WWW-Authenticate") != tt.challenge {
				t.Fatalf("got %d %v", res.status, res.header)
			}
			var ended []string
			for _, text := range res.header.Values("Set-Cookie") {
				cookie, err := http.ParseSetCookie(text)
				if err != nil || cookie.MaxAge >= 0 || cookie.Path != "/" {
					t.Fatalf("cookie %q, %v", text, err)
				}
				ended = append(ended, cookie.Name)
			}
			if want := []string{"PLAY_SESSION", "actor"}; tt.ends != slices.Equal(ended, want) || !tt.ends && len(ended) > 0 {
				t.Errorf("cookies that end: %v, want the session to end: %v", ended, tt.ends)
			}
		})
	}
}
