package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/outage"
	"github.com/cartulary/cartulary/frontend-proxy/internal/upstream"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/forwarded"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	jo     = urn.URN("urn:li:corpuser:jo")
	secret = config.Secret("the-system-secret")
)

// service gives every call the same response and records the last request.
func service(t *testing.T, status int, answer string) (*upstream.Client, *string) {
	t.Helper()
	seen := new(string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*seen = fmt.Sprintf("%s %s %s %s|%s|%s", r.Method, r.URL.Path, body,
			r.Header.Get("Authorization"), r.Header.Get("X-DataHubLoginSource"), r.Header.Get("X-Request-Id"))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return upstream.New(base, secret, http.DefaultTransport, outage.NewWatch(time.Now), forwarded.NewKey(secret)), seen
}

// isEpoch fails for another epoch than that of the answers of the tests.
func isEpoch(epoch string, err error) error {
	if err == nil && epoch != "ep" {
		return fmt.Errorf("got the epoch %q", epoch)
	}
	return err
}

func calls(c *upstream.Client) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Verify": func(ctx context.Context) error {
			epoch, err := c.Verify(ctx, jo, "pw")
			return isEpoch(epoch, err)
		},
		"StartSession": func(ctx context.Context) error {
			token, err := c.StartSession(ctx, jo, "passwordLogin", "ep")
			if err == nil && token != "tok" {
				return fmt.Errorf("got token %q", token)
			}
			return err
		},
		"EndSession": func(ctx context.Context) error { return c.EndSession(ctx, "tok") },
		"SignUp": func(ctx context.Context) error {
			epoch, err := c.SignUp(ctx, upstream.NewUser{URN: jo, FullName: "Jo", Email: "jo@x", Password: "pw", InviteToken: "i"})
			return isEpoch(epoch, err)
		},
		"ResetPassword": func(ctx context.Context) error {
			epoch, err := c.ResetPassword(ctx, jo, "pw", "rt")
			return isEpoch(epoch, err)
		},
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	tail := " Basic __datahub_system:the-system-secret|%s|r1"
	tests := []struct{ name, answer, path, body, source string }{
		{"Verify", `{"doesPasswordMatch":true,"sessionEpoch":"ep"}`, "verifyNativeUserCredentials", `{"password":"pw","userUrn":"urn:li:corpuser:jo"}`, "passwordLogin"},
		{"StartSession", `{"accessToken":"tok"}`, "generateSessionTokenForUser", `{"sessionEpoch":"ep","userId":"urn:li:corpuser:jo"}`, "passwordLogin"},
		{"EndSession", ``, "endSession", `{"accessToken":"tok"}`, ""},
		{
			"SignUp", `{"isNativeUserCreated":true,"sessionEpoch":"ep"}`, "signUp",
			`{"userUrn":"urn:li:corpuser:jo","fullName":"Jo","email":"jo@x","password":"pw","inviteToken":"i"}`, "",
		},
		{
			"ResetPassword", `{"areNativeUserCredentialsReset":true,"sessionEpoch":"ep"}`, "resetNativeUserCredentials",
			`{"password":"pw","resetToken":"rt","userUrn":"urn:li:corpuser:jo"}`, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, seen := service(t, http.StatusOK, tt.answer)
			if err := calls(c)[tt.name](logging.WithRequestID(t.Context(), "r1")); err != nil {
				t.Fatal(err)
			}
			if want := "POST /auth/" + tt.path + " " + tt.body + fmt.Sprintf(tail, tt.source); *seen != want {
				t.Errorf("got  %s\nwant %s", *seen, want)
			}
		})
	}
}

func TestAnswersThatRefuse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, call string
		status     int
		answer     string
		kind       fault.Kind
		message    string
	}{
		{"a wrong password", "Verify", 200, `{"doesPasswordMatch":false}`, fault.Unauthenticated, "Invalid Credentials"},
		{"a denied match", "Verify", 200, `{"doesPasswordMatch":true,"loginDenialReason":"SUSPENDED"}`, fault.Unauthenticated, "suspended"},
		{"a denied session", "StartSession", 403, `{"loginDenialReason":"SOFT_DELETED"}`, fault.Unauthenticated, "SOFT_DELETED"},
		{"a session without a token", "StartSession", 200, `{}`, fault.Internal, ""},
		{"a bad invitation", "SignUp", 400, `{"message":"Invite is old"}`, fault.Invalid, "Invite is old"},
		{"an error member", "SignUp", 400, `{"error":"Invite is old"}`, fault.Invalid, "Invite is old"},
		{"no reason", "SignUp", 400, ``, fault.Invalid, "refused"},
		{"not done", "SignUp", 200, `{}`, fault.Invalid, "could not"},
		{"reset not done", "ResetPassword", 200, `{}`, fault.Invalid, "could not"},
		{"a service that starts", "Verify", 503, ``, fault.Unavailable, "not ready"},
		{"another system secret", "Verify", 401, `{"error":"x"}`, fault.Internal, ""},
		{"a redirect is not followed", "Verify", 302, ``, fault.Internal, ""},
		{"a service of another release", "Verify", 404, `{"error":"x"}`, fault.Internal, ""},
		{"no JSON", "Verify", 200, `<html>`, fault.Internal, ""},
		{"a defect there", "ResetPassword", 500, `{"message":"stack trace"}`, fault.Internal, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, _ := service(t, tt.status, tt.answer)
			err := calls(c)[tt.call](t.Context())
			if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(fault.Message(err), tt.message) {
				t.Errorf("got %v (%v)", err, fault.KindOf(err))
			}
			if err != nil && strings.Contains(err.Error(), secret.Reveal()) {
				t.Errorf("error shows the secret: %v", err)
			}
		})
	}
}

func TestEndSessionToleratesAServiceWithoutIt(t *testing.T) {
	t.Parallel()
	c, _ := service(t, http.StatusNotFound, "")
	if err := c.EndSession(t.Context(), "tok"); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestAServiceThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	watch := outage.NewWatch(func() time.Time { return time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC) })
	for name, call := range calls(upstream.New(base, secret, http.DefaultTransport, watch, forwarded.NewKey(secret))) {
		err := call(t.Context())
		if !errors.Is(err, fault.Unavailable) || !strings.Contains(fault.Message(err), "since 2026-08-01T12:00:00Z") {
			t.Errorf("%s: got %v", name, err)
		}
		if wait, ok := fault.RetryAfter(err); !ok || wait != time.Second {
			t.Errorf("%s: wait %v, %v", name, wait, ok)
		}
	}
}

func TestTheAddressOfTheClientIsHandedOnWithAProof(t *testing.T) {
	t.Parallel()
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		_, _ = io.WriteString(w, `{"doesPasswordMatch":true}`)
	}))
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proofs := forwarded.NewKey(secret)
	c := upstream.New(base, secret, http.DefaultTransport, outage.NewWatch(time.Now), proofs)
	ctx := forwarded.WithAddress(logging.WithRequestID(t.Context(), "r1"), "192.0.2.7")
	if _, err := c.Verify(ctx, jo, "pw"); err != nil {
		t.Fatal(err)
	}
	if address, ok := proofs.Address(got); address != "192.0.2.7" || !ok {
		t.Errorf("got %q, %v of %v", address, ok, got)
	}
	if forwarded.IsKnownBrowser(got) {
		t.Error("the browser counts as known")
	}
	if _, err := c.Verify(forwarded.WithKnownBrowser(ctx), jo, "pw"); err != nil || !forwarded.IsKnownBrowser(got) {
		t.Errorf("a known browser: %v, %v", err, got)
	}
}
