// Package apptest starts the whole service in process for scenario tests: the real configuration,
// drivers and transports, over a data directory that is removed with the test. A scenario consists
// of requests and their expected responses.
package apptest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const systemSecret = "a secret of tests that is long enough"

// Credential is the Authorization header of the system actor.
var Credential = "Basic " + model.SystemActor.Key() + ":" + systemSecret

// Service is a running service.
type Service struct {
	// URL is the base address of the service, without a trailing slash.
	URL string
	// DataDir is the data directory. Start with the same directory continues a stopped service.
	DataDir string

	t    testing.TB
	stop func() error
}

// New starts a service on an empty data directory. The end of the test stops it.
func New(t testing.TB) *Service {
	t.Helper()
	return Start(t, t.TempDir())
}

// Start starts a service on a data directory that no other service uses, with the default
// configuration modified by the given functions.
func Start(t testing.TB, dataDir string, changes ...func(*app.Config)) *Service {
	t.Helper()
	cfg := app.Defaults()
	cfg.Listen, cfg.DataDir = "127.0.0.1:0", dataDir
	cfg.SystemSecret = config.Secret(systemSecret)
	for _, change := range changes {
		change(&cfg)
	}
	a, err := app.Open(t.Context(), cfg, "test", logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	s := &Service{URL: "http://" + a.Addr(), DataDir: dataDir, t: t}
	s.stop = func() error {
		cancel()
		s.stop = func() error { return nil }
		if err := <-done; err != nil {
			return err
		}
		return a.Close()
	}
	t.Cleanup(s.Stop)
	return s
}

// Stop shuts the service down in the way an operator does. It may be called more than once.
func (s *Service) Stop() {
	s.t.Helper()
	if err := s.stop(); err != nil {
		s.t.Errorf("the service did not end well: %v", err)
	}
}

// Call sends a request as the system actor, with a JSON body unless body is empty, and returns
// status and body of the response.
func (s *Service) Call(method, path, body string) (int, string) {
	s.t.Helper()
	return s.send(Credential, method, path, body)
}

// User is a user that sends requests with an access token.
type User struct {
	// URN is the URN of the user.
	URN urn.URN

	service *Service
	token   string
}

// As returns a user with a new access token. It creates the user if it is absent.
func (s *Service) As(user urn.URN) User {
	s.t.Helper()
	s.JSON(http.MethodPost, "/openapi/v3/entity/corpuser?async=false", `[{"urn":"`+string(user)+`","corpUserInfo":{"value":{"active":true}}}]`, nil)
	var made struct {
		Data struct{ CreateAccessToken struct{ AccessToken string } }
	}
	s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { createAccessToken(input: {type: PERSONAL, actorUrn: \"`+string(user)+
		`\", duration: ONE_HOUR, name: \"tests\"}) { accessToken } }"}`, &made)
	if made.Data.CreateAccessToken.AccessToken == "" {
		s.t.Fatalf("%s got no token", user)
	}
	return User{URN: user, service: s, token: made.Data.CreateAccessToken.AccessToken}
}

// Token is the user's access token.
func (u User) Token() string { return u.token }

// WithToken returns a User without a URN that sends requests with an access token.
func (s *Service) WithToken(token string) User { return User{service: s, token: token} }

// Call sends a request as the user, like Service.Call.
func (u User) Call(method, path, body string) (int, string) {
	u.service.t.Helper()
	return u.service.send("Bearer "+u.token, method, path, body)
}

func (s *Service) send(authorization, method, path, body string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", authorization)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// JSON is Call for a JSON response with the status 200, which it decodes into target unless target
// is nil.
func (s *Service) JSON(method, path, body string, target any) {
	s.t.Helper()
	status, text := s.Call(method, path, body)
	if status != http.StatusOK {
		s.t.Fatalf("%s %s: status %d: %s", method, path, status, text)
	}
	if target == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), target); err != nil {
		s.t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
}
