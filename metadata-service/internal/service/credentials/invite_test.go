package credentials_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestInvitations(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	root := f.as(authtest.Root)
	plain, err := f.Invite(root, credentials.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	withRole, err := f.Invite(root, credentials.Terms{Role: editor})
	if err != nil || withRole == plain {
		t.Fatalf("invitations with and without a role are one, or %v", err)
	}
	if again, err := f.Invite(root, credentials.Terms{Role: editor}); err != nil || again != withRole {
		t.Errorf("the invitation changed, or %v", err)
	}
	renewed, err := f.RenewInvite(root, credentials.Terms{Role: editor})
	if err != nil || renewed == withRole {
		t.Fatalf("the invitation did not change, or %v", err)
	}
	expect(t, f.SignUp(f.system(), newcomer(withRole)), fault.Malformed, "inviteToken")
	for i, invite := range []config.Secret{plain, plain, renewed} { // reusable
		n := newcomer(invite)
		n.Email += string(rune('a' + i))
		n.User = ""
		if err := f.SignUp(f.system(), n); err != nil {
			t.Fatal(err)
		}
	}
	_, err = f.Invite(f.as(authtest.Jo), credentials.Terms{})
	expect(t, err, fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	_, err = f.RenewInvite(f.as(authtest.Jo), credentials.Terms{Role: editor})
	expect(t, err, fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	_, err = f.Invite(root, credentials.Terms{Role: authtest.Jo})
	expect(t, err, fault.Malformed, "not a role")
}

func TestInvitationsHave32Letters(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, err := f.Invite(f.as(authtest.Root), credentials.Terms{})
	if err != nil || !regexp.MustCompile(`^[a-z]{32}$`).MatchString(text.Reveal()) {
		t.Errorf("got %q, %v", text.Reveal(), err)
	}
}

func TestInvitedTo(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, role := range []urn.URN{"", editor} {
		text, err := f.Invite(f.as(authtest.Root), credentials.Terms{Role: role})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.InvitedTo(f.as(authtest.Jo), text); err != nil || got != role {
			t.Errorf("got %q, %v, want %q", got, err, role)
		}
	}
	_, err := f.InvitedTo(f.as(authtest.Jo), "aaaa")
	expect(t, err, fault.NotFound, "no such invitation")
}

// TestInvitationsOfAnEarlierVersionStayGood: earlier versions issued texts in hexadecimal digits.
// They stay valid, and are shown again rather than replaced.
func TestInvitationsOfAnEarlierVersionStayGood(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	const nonce = "00112233445566778899aabbccddeeff"
	mac := hmac.New(sha256.New, []byte("key of invitations"))
	mac.Write([]byte("invitation " + nonce))
	text := hex.EncodeToString(mac.Sum(nil)[:16])
	sum := sha256.Sum256([]byte(text))
	f.catalog.Set(t, urn.Make("inviteToken", base64.StdEncoding.EncodeToString(sum[:])), "inviteToken", `{"token":"`+nonce+`"}`)
	got, err := f.Invite(f.as(authtest.Root), credentials.Terms{})
	if err != nil || got.Reveal() != text {
		t.Errorf("got %q, %v", got.Reveal(), err)
	}
	if err := f.SignUp(f.system(), newcomer(got)); err != nil {
		t.Error(err)
	}
}

func TestManyWhoInviteAtOnceGetOneInvitation(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	texts := make([]config.Secret, 20)
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			var err error
			if texts[i], err = f.Invite(f.as(authtest.Root), credentials.Terms{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(texts)
	if len(slices.Compact(texts)) != 1 {
		t.Errorf("got %d invitations", len(texts))
	}
}
