package authn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authn"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

const secret config.Secret = "0123456789abcdef:0123456789abcdef"

// judge maps tokens to the errors of their verification.
type judge map[string]error

func (j judge) Verify(_ context.Context, text string) (token.Verified, error) {
	err, known := j[text]
	if !known {
		err = fault.New(fault.Unauthenticated, "the token is not valid here")
	}
	if err != nil {
		return token.Verified{}, err
	}
	return token.Verified{Actor: authtest.Jo, Kind: token.Personal, ID: "id-of-" + text}, nil
}

func tokens() judge {
	return judge{
		"good":    nil,
		"expired": fault.New(fault.Unauthenticated, "the token has expired"),
		"pending": fault.New(fault.Unavailable, "the store is closed"),
	}
}

type server struct {
	http.Handler
	log *bytes.Buffer
}

// serve returns a server that answers on every path with the actor of the request.
func serve(t testing.TB, enabled bool) server {
	t.Helper()
	a, err := authn.New(authn.Config{Enabled: enabled, SystemSecret: secret, Tokens: tokens()})
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	s := httpserver.New(httpserver.Config{Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	s.Echo.Use(a.Middleware())
	s.Echo.Any("/*", func(c echo.Context) error {
		actor, ok := auth.ActorFrom(c.Request().Context())
		if !ok {
			return c.String(http.StatusOK, "anonymous")
		}
		text := string(actor.URN) + " " + actor.TokenID
		if actor.System {
			text += "system"
		}
		return c.String(http.StatusOK, text)
	})
	return server{Handler: s.Echo, log: log}
}

func (s server) do(method, path string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, res *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

const (
	asSystem  = "urn:li:corpuser:__datahub_system system"
	asJo      = "urn:li:corpuser:jo id-of-good"
	challenge = "Bearer"
	invalid   = `Bearer error="invalid_token"`
)

func TestCredentials(t *testing.T) {
	t.Parallel()
	basic := "Basic __datahub_system:" + secret.Reveal()
	for name, tc := range map[string]struct {
		header []string
		actor  string // in the answer 200
		status int
		www    string
	}{
		"good token":                             {[]string{"Authorization", "Bearer good"}, asJo, 200, ""},
		"scheme in lower case":                   {[]string{"Authorization", "bearer good"}, asJo, 200, ""},
		"spaces around the token":                {[]string{"Authorization", "Bearer   good "}, asJo, 200, ""},
		"system secret":                          {[]string{"Authorization", basic}, asSystem, 200, ""},
		"nothing":                                {nil, "", 401, challenge},
		"empty header":                           {[]string{"Authorization", ""}, "", 401, challenge},
		"unknown token":                          {[]string{"Authorization", "Bearer other"}, "", 401, invalid},
		"expired token":                          {[]string{"Authorization", "Bearer expired"}, "", 401, invalid},
		"scheme alone":                           {[]string{"Authorization", "Bearer"}, "", 401, invalid},
		"token without scheme":                   {[]string{"Authorization", "good"}, "", 401, invalid},
		"another scheme":                         {[]string{"Authorization", "Digest good"}, "", 401, invalid},
		"wrong system secret":                    {[]string{"Authorization", basic + "x"}, "", 401, invalid},
		"system secret cut short":                {[]string{"Authorization", basic[:len(basic)-1]}, "", 401, invalid},
		"system without secret":                  {[]string{"Authorization", "Basic __datahub_system:"}, "", 401, invalid},
		"another id with the system secret":      {[]string{"Authorization", "Basic datahub:" + secret.Reveal()}, "", 401, invalid},
		"base64 as browsers send it":             {[]string{"Authorization", "Basic X19kYXRhaHViX3N5c3RlbTp4"}, "", 401, invalid},
		"two credentials":                        {[]string{"Authorization", "Bearer good", "Authorization", basic}, "", 400, ""},
		"credential of absurd length":            {[]string{"Authorization", "Bearer " + strings.Repeat("x", authn.MaxCredential)}, "", 401, invalid},
		"actor header is no credential":          {[]string{"X-DataHub-Actor", "urn:li:corpuser:datahub"}, "", 401, challenge},
		"actor header does not change the actor": {[]string{"Authorization", "Bearer good", "X-DataHub-Actor", "urn:li:corpuser:datahub"}, asJo, 200, ""},
		"token that cannot be judged is no 401":  {[]string{"Authorization", "Bearer pending"}, "", 503, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, true)
			res := s.do("GET", "/entities/urn%3Ali%3Acorpuser%3Ajo", tc.header...)
			text := body(t, res)
			if res.StatusCode != tc.status || res.Header.Get("WWW-Authenticate") != tc.www {
				t.Fatalf("%d, %q: %s", res.StatusCode, res.Header.Get("WWW-Authenticate"), text)
			}
			if tc.status == 200 && text != tc.actor {
				t.Errorf("actor %q, want %q", text, tc.actor)
			}
			if seen := text + s.log.String(); strings.Contains(seen, secret.Reveal()) || strings.Contains(seen, "Bearer good") {
				t.Error("a secret was shown or logged")
			}
		})
	}
}

func TestBodyOf401(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ credential, says string }{
		"without a token": {"", "no access token was sent"},
		"expired token":   {"Bearer expired", "the token has expired"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := serve(t, true).do("POST", "/entities/urn%3Ali%3Acorpuser%3Ajo?x=1", "Authorization", tc.credential)
			if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
				t.Errorf("content type %q", kind)
			}
			var got struct {
				Status               int
				Error, Message, Path string
			}
			if err := json.Unmarshal([]byte(body(t, res)), &got); err != nil {
				t.Fatal(err)
			}
			if got.Status != 401 || got.Error != "Unauthorized" || got.Path != "/entities/urn%3Ali%3Acorpuser%3Ajo" {
				t.Errorf("got %+v", got)
			}
			if !strings.Contains(got.Message, tc.says) || !strings.Contains(got.Message, "Authorization: Bearer <token>") || !strings.Contains(got.Message, "token create") {
				t.Errorf("message %q", got.Message)
			}
		})
	}
}

func TestHeadHasNoBody(t *testing.T) {
	t.Parallel()
	res := serve(t, true).do("HEAD", "/entities/x")
	if text := body(t, res); res.StatusCode != 401 || text != "" || res.Header.Get("WWW-Authenticate") != challenge {
		t.Errorf("%d %q", res.StatusCode, text)
	}
}

func TestOpenPaths(t *testing.T) {
	t.Parallel()
	s := serve(t, true)
	for _, path := range []string{
		"/health", "/gms/health", "/api/gms/health", "/health/live", "/health/detailed", "/config", "/gms/config", "/api/gms/config",
		"/config/search/export", "/schema-registry/api/subjects", "/public-iceberg/v1", "/actuator/prometheus", "/metrics",
		"/api/graphiql", "/api/graphiql/x.js", "/assets/platforms/hive.svg", "/openapi/swagger-ui", "/openapi/swagger-ui/index.html",
		"/openapi/operations/dev/featureFlags", "/openapi/operations/dev/featureFlags/x", "/gms/openapi/operations/dev/featureFlags/x",
	} {
		if res := s.do("GET", path); res.StatusCode != 200 || body(t, res) != "anonymous" {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	for _, path := range []string{
		"/", "/entities/x", "/auth/signUp", "/health/", "/healthy", "/Health", "/config/", "/config/other", "/%68ealth", "/gms/actuator/prometheus",
		"/api/gms/metrics", "/gms/gms/health", "/api/health", "/actuator", "/actuator/env", "/openapi/v3/api-docs", "/openapi/v3/api-docs/swagger-config", "/gms/openapi/swagger-ui", "//health",
		"/entities/../health", "/entities/..%2Fhealth", "/schema-registry", "/openapi/operations/dev/featureFlagsX",
		"/api/graphql", "/api/graphiqlX", "/gms/api/graphiql", "/assets/hive.svg",
	} {
		if res := s.do("GET", path); res.StatusCode != 401 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}

func TestTwoCredentialsAreRefusedAtOpenPathsToo(t *testing.T) {
	t.Parallel()
	for _, enabled := range []bool{true, false} {
		res := serve(t, enabled).do("GET", "/config", "Authorization", "Bearer good", "Authorization", "Bearer other")
		if text := body(t, res); res.StatusCode != 400 || !strings.Contains(text, "send one") {
			t.Errorf("authentication %v: %d %s", enabled, res.StatusCode, text)
		}
	}
}

func TestOpenPathTakesAnyCredential(t *testing.T) {
	t.Parallel()
	s := serve(t, true)
	for credential, want := range map[string]string{"Bearer other": "anonymous", "Bearer pending": "anonymous", "Bearer good": asJo} {
		if res := s.do("GET", "/config", "Authorization", credential); res.StatusCode != 200 || body(t, res) != want {
			t.Errorf("%s: %d", credential, res.StatusCode)
		}
	}
}

func TestDisabledAuthenticationTakesTheActorsWord(t *testing.T) {
	t.Parallel()
	s := serve(t, false)
	for actor, want := range map[string]string{
		"":                                 asSystem,
		"urn:li:corpuser:jo":               "urn:li:corpuser:jo ",
		"urn:li:corpuser:datahub":          "urn:li:corpuser:datahub ",
		"urn:li:corpuser:__datahub_system": asSystem,
	} {
		if res := s.do("GET", "/entities/x", authn.ActorHeader, actor); res.StatusCode != 200 {
			t.Errorf("%s: %d", actor, res.StatusCode)
		} else if got := body(t, res); got != want {
			t.Errorf("%q acts as %q", actor, got)
		}
	}
	if got := body(t, s.do("GET", "/entities/x", "Authorization", "Bearer expired")); got != asSystem {
		t.Errorf("a token matters: %q", got)
	}
	for _, actor := range []string{"jo", "urn:li:corpGroup:g", "urn:li:corpuser:" + strings.Repeat("x", 600)} {
		res := s.do("GET", "/entities/x", authn.ActorHeader, actor)
		if text := body(t, res); res.StatusCode != 401 || !strings.Contains(text, authn.ActorHeader) {
			t.Errorf("%.40s: %d %s", actor, res.StatusCode, text)
		}
	}
}

func TestEnabledAuthenticationNeedsASystemSecret(t *testing.T) {
	t.Parallel()
	if _, err := authn.New(authn.Config{Enabled: true, Tokens: tokens()}); err == nil {
		t.Error("accepted")
	}
}

func FuzzAuthenticate(f *testing.F) {
	a, err := authn.New(authn.Config{Enabled: true, SystemSecret: secret, Tokens: tokens()})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "Bearer good", "Basic a:b", "Basic", "Bearer  ", " Bearer good", "Basic __datahub_system:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, credential string) {
		actor, err := a.Authenticate(t.Context(), http.Header{"Authorization": {credential}})
		if (err == nil) == (actor.URN == "") {
			t.Fatalf("%q: actor %q, %v", credential, actor.URN, err)
		}
		if actor.System && !strings.HasSuffix(credential, " __datahub_system:"+secret.Reveal()) {
			t.Fatalf("%q is the system actor", credential)
		}
	})
}

func BenchmarkAuthenticate(b *testing.B) {
	a, err := authn.New(authn.Config{Enabled: true, SystemSecret: secret, Tokens: tokens()})
	if err != nil {
		b.Fatal(err)
	}
	for name, credential := range map[string]string{"bearer": "Bearer good", "system": "Basic __datahub_system:" + secret.Reveal()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			h := http.Header{"Authorization": {credential}}
			for b.Loop() {
				if _, err := a.Authenticate(b.Context(), h); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
