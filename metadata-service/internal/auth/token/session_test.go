package token_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (f *fixture) session() string {
	f.t.Helper()
	text, err := f.NewSession(f.system(), authtest.Jo)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func TestSessionIsGoodForADay(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text := f.session()
	v, err := f.Verify(t.Context(), text)
	if err != nil || v.Kind != token.Session || v.Actor != authtest.Jo || v.ID != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if c := claimsOf(t, text); c["version"] != "1" || c["type"] != "SESSION" {
		t.Errorf("claims %v", c)
	}
	f.clock.advance(24 * time.Hour)
	f.refuses(text, "expired")
}

func TestASessionIsOfOneLifeAndOnePassword(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	password := func(salt, reset string) {
		t.Helper()
		f.catalog.Set(t, authtest.Jo, account.PasswordAspect, `{"salt":"`+salt+`","hashedPassword":"h","passwordResetToken":"`+reset+`"}`)
	}
	personal, _ := f.create(authtest.Jo, time.Hour)
	first := f.session()
	f.accepts(first)
	password("one", "")
	f.refuses(first, "ended")
	second := f.session()
	password("one", "a link to reset it")
	f.catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true,"title":"other"}`)
	f.accepts(second)
	f.open() // a restart
	f.accepts(second)
	password("two", "")
	f.refuses(second, "ended")
	third := f.session()
	f.accepts(personal) // passwords are no matter of access tokens
	f.catalog.Remove(t, authtest.Jo)
	f.refuses(third, "does not exist")
	f.catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true}`)
	f.refuses(third, "ended")
	f.refuses(personal, "revoked")
	f.accepts(f.session())
}

func TestEndedSessionStaysEnded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, other := f.session(), f.session()
	f.accepts(text)
	for range 2 { // ending twice is fine
		if err := f.EndSession(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	f.refuses(text, "ended")
	f.accepts(other)
	f.open() // a restart
	f.refuses(text, "ended")
	f.accepts(other)
	f.clock.advance(25 * time.Hour)
	if err := f.EndSession(t.Context(), other); err != nil {
		t.Errorf("ending an expired session: %v", err)
	}
}

func TestOnlySessionsEnd(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, _ := f.create(authtest.Jo, time.Hour)
	for _, bad := range []string{text, "", "x", f.session() + "x"} {
		expect(t, f.EndSession(t.Context(), bad), fault.Malformed, "not the token of a session")
	}
	f.clock.advance(time.Hour)
	expect(t, f.EndSession(t.Context(), text), fault.Malformed, "not the token of a session")
}

func TestWhoStartsSessionsAndForWhom(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	_, err := f.NewSession(f.as(authtest.Root), authtest.Jo)
	expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(t.Context(), authtest.Jo)
	expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(f.system(), model.SystemActor)
	expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.system(), "urn:li:corpGroup:g")
	expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.system(), "urn:li:corpuser:nobody")
	var denied *account.DeniedError
	if !errors.As(err, &denied) || denied.Reason != account.HardDeleted {
		t.Errorf("got %v", err)
	}
}
