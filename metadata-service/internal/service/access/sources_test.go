package access_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestWhatDecidesAboutAUser(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := access.New(w.Edit, w.Rights, w.Tokens)
	root := w.As(t, servicetest.Root)
	before, err := s.Sources(root, servicetest.Jo)
	if err != nil {
		t.Fatal(err)
	}
	const nobody = `"users":[],"groups":[],"roles":[],"allUsers":false,"allGroups":false,"resourceOwners":false`
	policies := map[urn.URN]struct{ state, actors string }{
		"urn:li:dataHubPolicy:u": {"ACTIVE", `"users":["urn:li:corpuser:jo"],"allUsers":false,"allGroups":false,"resourceOwners":false`},
		"urn:li:dataHubPolicy:g": {"ACTIVE", `"groups":["urn:li:corpGroup:b"],"allUsers":false,"allGroups":false,"resourceOwners":false`},
		"urn:li:dataHubPolicy:r": {"INACTIVE", `"roles":["urn:li:dataHubRole:Editor"],"allUsers":false,"allGroups":false,"resourceOwners":false`},
		"urn:li:dataHubPolicy:s": {"ACTIVE", `"allUsers":false,"allGroups":true,"resourceOwners":false`},
		"urn:li:dataHubPolicy:o": {"ACTIVE", `"allUsers":false,"allGroups":false,"resourceOwners":true`},
		"urn:li:dataHubPolicy:n": {"ACTIVE", nobody},
	}
	for u, p := range policies {
		w.Put(t, u, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"PLATFORM","state":"`+p.state+`","privileges":["OF_`+u.Key()+`"],"actors":{`+p.actors+`}}`)
	}
	for _, group := range []urn.URN{"urn:li:corpGroup:a", "urn:li:corpGroup:b", "urn:li:corpGroup:gone"} {
		w.Put(t, group, "corpGroupInfo", `{"displayName":"g","admins":[],"members":[],"groups":[]}`)
	}
	w.Put(t, "urn:li:corpGroup:gone", "roleMembership", `{"roles":["urn:li:dataHubRole:Admin"]}`)
	w.Put(t, "urn:li:corpGroup:gone", "status", `{"removed":true}`)
	w.Put(t, servicetest.Jo, "groupMembership", `{"groups":["urn:li:corpGroup:a","urn:li:corpGroup:gone","urn:li:corpGroup:never"]}`)
	w.Put(t, servicetest.Jo, "nativeGroupMembership", `{"nativeGroups":["urn:li:corpGroup:b","urn:li:corpGroup:a"]}`)
	w.Put(t, servicetest.Jo, "roleMembership", `{"roles":["urn:li:dataHubRole:Reader"]}`)
	w.Put(t, "urn:li:corpGroup:b", "roleMembership", `{"roles":["urn:li:dataHubRole:Editor"]}`)
	got, err := s.Sources(root, servicetest.Jo)
	if err != nil {
		t.Fatal(err)
	}
	known := map[urn.URN]bool{}
	for _, p := range before.Policies {
		known[p] = true
	}
	var added []urn.URN
	for _, p := range got.Policies {
		if policies[p].state != "" {
			added = append(added, p)
		}
	}
	if want := []urn.URN{"urn:li:dataHubPolicy:g", "urn:li:dataHubPolicy:r", "urn:li:dataHubPolicy:s", "urn:li:dataHubPolicy:u"}; !reflect.DeepEqual(added, want) {
		t.Errorf("policies %v", added)
	}
	held := map[string]bool{}
	for _, p := range got.Privileges {
		held[p] = true
	}
	if !held["OF_u"] || !held["OF_g"] || !held["OF_s"] || held["OF_r"] || held["OF_o"] || held["OF_n"] {
		t.Errorf("privileges %v", got.Privileges)
	}
	got.Policies, got.Privileges = nil, nil
	want := access.Sources{
		Roles: []urn.URN{"urn:li:dataHubRole:Reader"}, Groups: []urn.URN{"urn:li:corpGroup:a", "urn:li:corpGroup:b"},
		GroupsWithRoles: []urn.URN{"urn:li:corpGroup:b"}, RolesViaGroups: []urn.URN{"urn:li:dataHubRole:Editor"},
		AllRoles: []urn.URN{"urn:li:dataHubRole:Editor", "urn:li:dataHubRole:Reader"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if _, err := s.Sources(w.As(t, servicetest.Jo), servicetest.Jo); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the privilege: %v", err)
	}
}
