package token_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestAllTokensOfAUserAreRevoked(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	first, _ := f.Own(authtest.Jo, time.Hour)
	given, _ := f.CreateFor(authtest.Root, authtest.Jo)
	made, _ := f.CreateFor(authtest.Root, authtest.Mia)
	own, _ := f.Own(authtest.Root, time.Hour)
	for _, text := range []string{first, given, made, own} {
		f.Accepts(text)
	}
	if n, err := f.RevokeAll(f.As(authtest.Root), authtest.Jo, false); err != nil || n != 2 {
		t.Errorf("revoked %d, %v", n, err)
	}
	f.Refuses(first, "revoked")
	f.Refuses(given, "revoked")
	f.Accepts(made)
	if n, err := f.RevokeAll(f.As(authtest.Root), authtest.Root, true); err != nil || n != 2 {
		t.Errorf("with what it made: %d, %v", n, err)
	}
	f.Refuses(made, "revoked")
	f.Refuses(own, "revoked")
	if n, err := f.RevokeAll(f.As(authtest.Root), "urn:li:corpuser:nobody", true); err != nil || n != 0 {
		t.Errorf("of nobody: %d, %v", n, err)
	}
}

func TestWhoMayRevokeAll(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	first, _ := f.Own(authtest.Jo, time.Hour)
	_, err := f.RevokeAll(f.As(authtest.Mia), authtest.Jo, false)
	tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	_, err = f.RevokeAll(t.Context(), authtest.Jo, false)
	tokentest.Expect(t, err, fault.Unauthenticated, "sign in")
	_, err = f.RevokeAll(f.As(authtest.Root), "urn:li:corpGroup:g", false)
	tokentest.Expect(t, err, fault.Malformed, "belong to a user")
	f.Accepts(first)
	if n, err := f.RevokeAll(f.As(authtest.Jo), authtest.Jo, false); err != nil || n != 1 {
		t.Errorf("one's own: %d, %v", n, err)
	}
	own, _ := f.Own(authtest.Jo, time.Hour)
	f.CreateFor(authtest.Root, authtest.Jo)
	_, err = f.RevokeAll(f.As(authtest.Jo), authtest.Jo, false)
	tokentest.Expect(t, err, fault.Forbidden, "MANAGE_ACCESS_TOKENS")
	f.Accepts(own)
}

func TestRevokingAllGoesOnBehindAFailure(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	f.Catalog.Fail(errors.New("broken"))
	if n, err := f.RevokeAll(f.As(authtest.Root), authtest.Jo, false); err == nil || n != 0 {
		t.Errorf("revoked %d, %v", n, err)
	}
	f.Catalog.Fail(nil)
	f.Accepts(text)
}

func TestANameMayBeUsedTwice(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	one, first := f.Own(authtest.Jo, time.Hour)
	two, second := f.Own(authtest.Jo, time.Hour)
	if first.Name != second.Name || first.ID == second.ID || one == two {
		t.Fatalf("%+v and %+v", first, second)
	}
	if err := f.Revoke(f.As(authtest.Jo), first.ID); err != nil {
		t.Fatal(err)
	}
	f.Refuses(one, "revoked")
	f.Accepts(two)
}

func TestNoTokenIsMadeWhileNobodyIsAskedForOne(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	f.Unchecked = true
	f.Open()
	_, _, err := f.Create(f.As(authtest.Root), token.Draft{Actor: authtest.Jo, Name: "n", Lifetime: time.Hour})
	tokentest.Expect(t, err, fault.Unsupported, "Token based authentication is disabled")
	text, info, err := f.Create(f.As(authtest.Root), token.Draft{Actor: authtest.Jo, Name: "n", Lifetime: time.Hour, Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	if page, err := f.List(f.System(), token.Query{}); err != nil || page.Total != 1 {
		t.Errorf("listed %+v, %v", page, err)
	}
	if err := f.Revoke(f.System(), info.ID); err != nil {
		t.Error(err)
	}
	f.Refuses(text, "revoked")
}
