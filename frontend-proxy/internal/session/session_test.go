package session_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/frontend-proxy/internal/session"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const jo = urn.URN("urn:li:corpuser:jo")

var (
	secretA = config.Secret(strings.Repeat("a", seal.MinSecret))
	secretB = config.Secret(strings.Repeat("b", seal.MinSecret))
)

func jar(t testing.TB, cfg session.Config) *session.Jar {
	t.Helper()
	if cfg.Secret == "" {
		cfg.Secret = secretA
	}
	if cfg.Lifetime == 0 {
		cfg.Lifetime = time.Hour
	}
	j, err := session.NewJar(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func start(t testing.TB, j *session.Jar, actor urn.URN) []*http.Cookie {
	t.Helper()
	w := httptest.NewRecorder()
	if err := j.Start(w, "service-token", actor); err != nil {
		t.Fatal(err)
	}
	return w.Result().Cookies()
}

func request(values ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, v := range values {
		r.AddCookie(&http.Cookie{Name: session.CookieName, Value: v})
	}
	return r
}

func TestSessionRoundTrip(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	j := jar(t, session.Config{Now: func() time.Time { return now }})
	cookies := start(t, j, jo)
	got, err := j.Open(request(cookies[0].Value))
	want := session.Session{Token: "service-token", Actor: jo, Issued: now, Expires: now.Add(time.Hour)}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if raw, _ := base64.RawURLEncoding.DecodeString(cookies[0].Value); strings.Contains(string(raw), "service-token") {
		t.Error("the token is readable in the cookie")
	}
	if again := start(t, j, jo); again[0].Value == cookies[0].Value {
		t.Error("two sessions have the same encrypted text")
	}
}

func TestCookieAttributes(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("secure %v", secure), func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			if err := jar(t, session.Config{Secure: secure}).Start(w, "t", jo); err != nil {
				t.Fatal(err)
			}
			lines := w.Header()["Set-Cookie"]
			tail := "; Path=/; Max-Age=3600"
			flags := "; SameSite=Lax"
			if secure {
				flags = "; Secure" + flags
			}
			if !strings.HasPrefix(lines[0], "PLAY_SESSION=") || !strings.HasSuffix(lines[0], tail+"; HttpOnly"+flags) {
				t.Errorf("session: %s", lines[0])
			}
			if want := "actor=urn:li:corpuser:jo" + tail + flags; lines[1] != want {
				t.Errorf("actor: got %s, want %s", lines[1], want)
			}
		})
	}
}

func TestActorCookieHoldsAnyURN(t *testing.T) {
	t.Parallel()
	cookies := start(t, jar(t, session.Config{}), `urn:li:corpuser:a b,c;"%é`)
	if got, want := cookies[1].Value, "urn:li:corpuser:a%20b%2Cc%3B%22%25%C3%A9"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEndRemovesBothCookies(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	jar(t, session.Config{}).End(w.Header())
	for _, c := range w.Result().Cookies() {
		if c.Value != "" || c.MaxAge >= 0 || c.Path != "/" {
			t.Errorf("got %v", c)
		}
	}
	if n := len(w.Result().Cookies()); n != 2 {
		t.Errorf("got %d cookies", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	j := jar(t, session.Config{Now: func() time.Time { return now }})
	good := start(t, j, jo)[0].Value
	early := jar(t, session.Config{Now: func() time.Time { return now.Add(-time.Hour) }})
	foreign := jar(t, session.Config{Secret: secretB})
	tests := []struct {
		name   string
		values []string
	}{
		{"no cookie", nil},
		{"an empty cookie", []string{""}},
		{"no base64", []string{"%%%"}},
		{"too short to be encrypted", []string{"AAAA"}},
		{"cut off", []string{good[:len(good)-4]}},
		{"a session at its end", []string{start(t, early, jo)[0].Value}},
		{"another secret", []string{start(t, foreign, jo)[0].Value}},
		{"far too long", []string{strings.Repeat("A", 20<<10)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := j.Open(request(tt.values...)); !errors.Is(err, fault.Unauthenticated) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("any changed bit", func(t *testing.T) {
		t.Parallel()
		encrypted, err := base64.RawURLEncoding.DecodeString(good)
		if err != nil {
			t.Fatal(err)
		}
		for i := range encrypted {
			encrypted[i] ^= 1
			if _, err := j.Open(request(base64.RawURLEncoding.EncodeToString(encrypted))); err == nil {
				t.Errorf("byte %d may change", i)
			}
			encrypted[i] ^= 1
		}
	})
	t.Run("a bad cookie beside a good one does no harm", func(t *testing.T) {
		t.Parallel()
		if _, err := j.Open(request("AAAA", good)); err != nil {
			t.Errorf("got %v", err)
		}
	})
}

func TestPreviousSecretDecryptsAndDoesNotEncrypt(t *testing.T) {
	t.Parallel()
	before := jar(t, session.Config{Secret: secretA})
	during := jar(t, session.Config{Secret: secretB, Previous: secretA})
	after := jar(t, session.Config{Secret: secretB})
	old := start(t, before, jo)[0].Value
	if _, err := during.Open(request(old)); err != nil {
		t.Errorf("old session while rotating: %v", err)
	}
	if _, err := after.Open(request(old)); err == nil {
		t.Error("old session opens after the rotation")
	}
	if _, err := after.Open(request(start(t, during, jo)[0].Value)); err != nil {
		t.Errorf("session made while rotating: %v", err)
	}
}

func TestShortSecretsAreRefused(t *testing.T) {
	t.Parallel()
	short := secretA[:seal.MinSecret-1]
	for name, cfg := range map[string]session.Config{
		"none": {}, "short": {Secret: short}, "short previous": {Secret: secretA, Previous: short},
	} {
		_, err := session.NewJar(cfg)
		if err == nil || strings.Contains(err.Error(), "aaa") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	j := jar(f, session.Config{})
	good := start(f, j, jo)[0].Value
	f.Add(good)
	f.Add("")
	f.Add(good[1:])
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", session.CookieName+"="+value)
		s, err := j.Open(r)
		if err == nil && (s.Actor != jo || s.Token != "service-token") {
			t.Errorf("forged session %+v from %q", s, value)
		}
		if err != nil && !errors.Is(err, fault.Unauthenticated) {
			t.Errorf("got %v", err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	j := jar(b, session.Config{})
	r := request(start(b, j, jo)[0].Value)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := j.Open(r); err != nil {
			b.Fatal(err)
		}
	}
}
