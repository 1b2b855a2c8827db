package credentials_test

import (
	"regexp"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestReset(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, expires, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil || !expires.Equal(start.Add(credentials.ResetFor)) {
		t.Fatal(expires, err)
	}
	if !regexp.MustCompile(`^[a-z]{32}$`).MatchString(text.Reveal()) {
		t.Errorf("the token is %q", text.Reveal())
	}
	expect(t, f.Reset(f.system(), newbie, other, "wrong"), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), newbie, other, ""), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), authtest.Jo, other, text), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), "urn:li:corpuser:nobody", other, ""), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), newbie, "short", text), fault.Malformed, "at least 8")
	if v := f.verdict(newbie, password); !v.Match {
		t.Fatal("the password changed")
	}
	if err := f.Reset(f.system(), newbie, other, text); err != nil {
		t.Fatal(err)
	}
	if f.verdict(newbie, password).Match || !f.verdict(newbie, other).Match {
		t.Error("the password is not the new one")
	}
	expect(t, f.Reset(f.system(), newbie, password, text), fault.Malformed, "reset link")
}

func TestANewResetTokenReplacesTheFormer(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	former, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.CreateReset(f.as(authtest.Root), newbie); err != nil {
		t.Fatal(err)
	}
	expect(t, f.Reset(f.system(), newbie, other, former), fault.Malformed, "reset link")
}

func TestResetTokenExpires(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	f.now = start.Add(credentials.ResetFor)
	expect(t, f.Reset(f.system(), newbie, other, text), fault.Malformed, "reset link")
}

func TestOneResetTokenSetsOnePassword(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	failures := make([]error, 4)
	for i := range failures {
		wg.Go(func() { failures[i] = f.Reset(f.system(), newbie, other, text) })
	}
	wg.Wait()
	done := 0
	for _, err := range failures {
		if err == nil {
			done++
			continue
		}
		expect(t, err, fault.Malformed, "reset link")
	}
	if done != 1 {
		t.Errorf("%d resets succeeded", done)
	}
}

func TestWhoOffersResets(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	_, _, err := f.CreateReset(f.as(authtest.Jo), authtest.Jo)
	expect(t, err, fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	_, _, err = f.CreateReset(t.Context(), authtest.Jo)
	expect(t, err, fault.Unauthenticated, "")
	_, _, err = f.CreateReset(f.as(authtest.Root), authtest.Jo)
	expect(t, err, fault.NotFound, "Failed to generate password reset token for user: "+string(authtest.Jo))
}
