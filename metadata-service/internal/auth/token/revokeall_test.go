package token_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (f *fixture) createFor(by, actor urn.URN) (string, token.Info) {
	f.t.Helper()
	text, info, err := f.Create(f.as(by), token.Draft{Actor: actor, Name: "notebook", Lifetime: time.Hour})
	if err != nil {
		f.t.Fatal(err)
	}
	return text, info
}

func TestAllTokensOfAUserAreRevoked(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	first, _ := f.create(authtest.Jo, time.Hour)
	given, _ := f.createFor(authtest.Root, authtest.Jo)
	made, _ := f.createFor(authtest.Root, authtest.Mia)
	own, _ := f.create(authtest.Root, time.Hour)
	for _, text := range []string{first, given, made, own} {
		f.accepts(text)
	}
	if n, err := f.RevokeAll(f.as(authtest.Root), authtest.Jo, false); err != nil || n != 2 {
		t.Errorf("revoked %d, %v", n, err)
	}
	f.refuses(first, "revoked")
	f.refuses(given, "revoked")
	f.accepts(made)
	if n, err := f.RevokeAll(f.as(authtest.Root), authtest.Root, true); err != nil || n != 2 {
		t.Errorf("with what it made: %d, %v", n, err)
	}
	f.refuses(made, "revoked")
	f.refuses(own, "revoked")
	if n, err := f.RevokeAll(f.as(authtest.Root), "urn:li:corpuser:nobody", true); err != nil || n != 0 {
		t.Errorf("of nobody: %d, %v", n, err)
	}
}

func TestWhoMayRevokeAll(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	first, _ := f.create(authtest.Jo, time.Hour)
	_, err := f.RevokeAll(f.as(authtest.Mia), authtest.Jo, false)
	expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	_, err = f.RevokeAll(t.Context(), authtest.Jo, false)
	expect(t, err, fault.Unauthenticated, "sign in")
	_, err = f.RevokeAll(f.as(authtest.Root), "urn:li:corpGroup:g", false)
	expect(t, err, fault.Malformed, "belong to a user")
	f.accepts(first)
	if n, err := f.RevokeAll(f.as(authtest.Jo), authtest.Jo, false); err != nil || n != 1 {
		t.Errorf("one's own: %d, %v", n, err)
	}
	own, _ := f.create(authtest.Jo, time.Hour)
	f.createFor(authtest.Root, authtest.Jo)
	_, err = f.RevokeAll(f.as(authtest.Jo), authtest.Jo, false)
	expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	f.accepts(own)
}

func TestRevokingAllGoesOnBehindAFailure(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, _ := f.create(authtest.Jo, time.Hour)
	f.catalog.Fail(errors.New("broken"))
	if n, err := f.RevokeAll(f.as(authtest.Root), authtest.Jo, false); err == nil || n != 0 {
		t.Errorf("revoked %d, %v", n, err)
	}
	f.catalog.Fail(nil)
	f.accepts(text)
}

func TestANameMayBeUsedTwice(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	one, first := f.create(authtest.Jo, time.Hour)
	two, second := f.create(authtest.Jo, time.Hour)
	if first.Name != second.Name || first.ID == second.ID || one == two {
		t.Fatalf("%+v and %+v", first, second)
	}
	if err := f.Revoke(f.as(authtest.Jo), first.ID); err != nil {
		t.Fatal(err)
	}
	f.refuses(one, "revoked")
	f.accepts(two)
}

func TestNoTokenIsMadeWhileNobodyIsAskedForOne(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.unchecked = true
	f.open()
	_, _, err := f.Create(f.as(authtest.Root), token.Draft{Actor: authtest.Jo, Name: "n", Lifetime: time.Hour})
	expect(t, err, fault.Unsupported, "Token based authentication is disabled")
	text, info, err := f.Create(f.as(authtest.Root), token.Draft{Actor: authtest.Jo, Name: "n", Lifetime: time.Hour, Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	if page, err := f.List(f.system(), token.Query{}); err != nil || page.Total != 1 {
		t.Errorf("listed %+v, %v", page, err)
	}
	if err := f.Revoke(f.system(), info.ID); err != nil {
		t.Error(err)
	}
	f.refuses(text, "revoked")
}
