package role_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/role"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	reader urn.URN = "urn:li:dataHubRole:Reader"
	editor urn.URN = "urn:li:dataHubRole:Editor"
	group  urn.URN = "urn:li:corpGroup:data"
)

func setUp(t *testing.T) (*role.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, group, "corpGroupInfo", `{"members":[],"admins":[],"groups":[]}`)
	return role.New(w.Edit, w.Credentials), w
}

func wantRoles(t *testing.T, w *servicetest.World, actor urn.URN, want string) {
	t.Helper()
	if got := w.Get(t, actor, role.Membership); got != want {
		t.Errorf("%s holds %s, want %s", actor, got, want)
	}
}

func only(r urn.URN) string { return `{"roles":["` + string(r) + `"]}` }

func TestARoleTakesThePlaceOfTheFormer(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	root := w.As(t, servicetest.Root)
	w.Put(t, servicetest.Jo, role.Membership, `{"roles":["`+string(reader)+`","urn:li:dataHubRole:Admin"]}`)
	if err := s.Assign(root, editor, []string{string(servicetest.Jo), string(group), string(servicetest.Jo)}); err != nil {
		t.Fatal(err)
	}
	wantRoles(t, w, servicetest.Jo, only(editor))
	wantRoles(t, w, group, only(editor))
	if err := s.Assign(root, "", []string{string(servicetest.Jo), string(servicetest.Mia)}); err != nil {
		t.Fatal(err)
	}
	wantRoles(t, w, servicetest.Jo, `{"roles":[]}`)
	wantRoles(t, w, servicetest.Mia, "") // no write without roles
	wantRoles(t, w, group, only(editor))
}

func TestActorsThatAreNoneArePassedOver(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	root := w.As(t, servicetest.Root)
	if err := s.Assign(root, reader, []string{"jo", "urn:li:corpuser:nobody", "urn:li:tag:pii", "", string(servicetest.Mia)}); err != nil {
		t.Fatal(err)
	}
	wantRoles(t, w, servicetest.Mia, only(reader))
	wantRoles(t, w, "urn:li:corpuser:nobody", "")
	if err := s.Assign(root, reader, nil); err != nil {
		t.Error(err)
	}
}

func invitation(t *testing.T, w *servicetest.World, to urn.URN) config.Secret {
	t.Helper()
	text, err := w.Credentials.Invite(w.As(t, servicetest.Root), credentials.Terms{Role: to})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAnInvitationGivesItsRoleToWhoAcceptsIt(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	w.Put(t, servicetest.Jo, role.Membership, only(reader))
	if err := s.Accept(w.As(t, servicetest.Jo), invitation(t, w, editor)); err != nil {
		t.Fatal(err)
	}
	wantRoles(t, w, servicetest.Jo, only(editor))
	wantRoles(t, w, servicetest.Mia, "")
}

func TestAnInvitationWithoutRoleTakesNothingAway(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	w.Put(t, servicetest.Jo, role.Membership, only(editor))
	if err := s.Accept(w.As(t, servicetest.Jo), invitation(t, w, "")); err != nil {
		t.Fatal(err)
	}
	wantRoles(t, w, servicetest.Jo, only(editor))
}

func TestAFormerInvitationEndsAtOnce(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	former := invitation(t, w, editor)
	if _, err := w.Credentials.RenewInvite(w.As(t, servicetest.Root), credentials.Terms{Role: editor}); err != nil {
		t.Fatal(err)
	}
	err := s.Accept(w.As(t, servicetest.Jo), former)
	text := former.Reveal()
	if want := "Failed to accept role using invite token " + text + ". Root cause: Invite token " + text + " is invalid"; fault.KindOf(err) != fault.Malformed || fault.Message(err) != want {
		t.Errorf("got %v, want %q", err, want)
	}
	wantRoles(t, w, servicetest.Jo, "")
}

// TestNoOtherPrivilegeGivesRoles: no privilege to change users includes the assignment of roles;
// only that to manage policies does.
func TestNoOtherPrivilegeGivesRoles(t *testing.T) {
	t.Parallel()
	for _, held := range []auth.Privilege{auth.ManageUsers, auth.ManageCredentials, auth.EditEntity, auth.DeleteEntity, auth.ManageTokens} {
		_, w := setUp(t)
		s := role.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{held}}), w.Credentials)
		if err := s.Assign(w.As(t, servicetest.Jo), editor, []string{string(servicetest.Jo)}); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", held, err)
		}
		wantRoles(t, w, servicetest.Jo, "")
	}
}

func TestEachPrivilegeSufficesForWhatItIsAbout(t *testing.T) {
	t.Parallel()
	_, w := setUp(t)
	text := invitation(t, w, reader)
	s := role.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManagePolicies}}), w.Credentials)
	if err := s.Assign(w.As(t, servicetest.Jo), editor, []string{string(servicetest.Mia), string(group)}); err != nil {
		t.Error(err)
	}
	if err := s.Accept(w.As(t, servicetest.Jo), text); err != nil {
		t.Error(err)
	}
	wantRoles(t, w, servicetest.Jo, only(reader))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	root, jo := w.As(t, servicetest.Root), w.As(t, servicetest.Jo)
	gone := invitation(t, w, "urn:li:dataHubRole:None")
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
		says string
	}{
		"a role that does not exist":   {func() error { return s.Assign(root, "urn:li:dataHubRole:None", []string{string(servicetest.Jo)}) }, fault.Malformed, "Role urn:li:dataHubRole:None does not exist"},
		"an invitation to one":         {func() error { return s.Accept(jo, gone) }, fault.Malformed, "Role urn:li:dataHubRole:None does not exist"},
		"what is no invitation":        {func() error { return s.Accept(jo, "x") }, fault.Malformed, "Invite token x is invalid"},
		"assignment by somebody else":  {func() error { return s.Assign(jo, reader, []string{string(servicetest.Jo)}) }, fault.Forbidden, "MANAGE_POLICIES"},
		"taking away by somebody else": {func() error { return s.Assign(jo, "", []string{string(servicetest.Mia)}) }, fault.Forbidden, "MANAGE_POLICIES"},
		"nobody who accepts":           {func() error { return s.Accept(context.Background(), "x") }, fault.Unauthenticated, ""},
		"too many actors":              {func() error { return s.Assign(root, reader, make([]string, 2000)) }, fault.TooLarge, "actors"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want || !strings.Contains(fault.Message(err), tc.says) {
				t.Errorf("got %v, want %v with %q", err, tc.want, tc.says)
			}
		})
	}
}
