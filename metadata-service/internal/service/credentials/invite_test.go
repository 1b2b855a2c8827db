package credentials_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
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
	expect(t, err, fault.Forbidden, "MANAGE_USERS_AND_GROUPS")
	_, err = f.RenewInvite(f.as(authtest.Jo), credentials.Terms{})
	expect(t, err, fault.Forbidden, "MANAGE_USERS_AND_GROUPS")
	_, err = f.Invite(root, credentials.Terms{Role: authtest.Jo})
	expect(t, err, fault.Malformed, "not a role")
}
