package policy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const absent urn.URN = "urn:li:dataHubPolicy:absent"

func draft(name string) policy.Draft {
	return policy.Draft{Type: "METADATA", Name: name, State: "ACTIVE", Privileges: []string{"EDIT_ENTITY"}, Actors: policy.Actors{AllUsers: true}}
}

func TestAPolicyIsStoredAsItIsWritten(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := policy.New(w.Edit)
	d := draft("Stewards")
	d.Actors.OwnershipTypes = &[]string{}
	d.Resources = &policy.Resources{Filter: &policy.Filter{Criteria: &[]policy.Criterion{{Field: "domain", Condition: "EQUALS", Values: []string{"urn:li:domain:sales"}}}}}
	u, err := s.Create(w.As(t, servicetest.Root), d)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"actors":{"allGroups":false,"allUsers":true,"resourceOwners":false,"resourceOwnersTypes":[]},"description":"","displayName":"Stewards","editable":true,` +
		`"lastUpdatedTimestamp":1772445600000,"privileges":["EDIT_ENTITY"],"resources":{"filter":{"criteria":[{"condition":"EQUALS","field":"DOMAIN","values":["urn:li:domain:sales"]}]}},"state":"ACTIVE","type":"METADATA"}`
	if got := w.Get(t, u, policy.Info); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnUpdateReplacesAllButTheRoles(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := policy.New(w.Edit)
	w.Put(t, absent, policy.Info, `{"displayName":"Old","description":"old","type":"PLATFORM","state":"ACTIVE","privileges":["MANAGE_TAGS"],"resources":{"type":"tag"},
		"actors":{"users":["urn:li:corpuser:jo"],"roles":["urn:li:dataHubRole:Editor"]}}`)
	w.Pass(time.Second)
	if err := s.Update(w.As(t, servicetest.Root), absent, draft("New")); err != nil {
		t.Fatal(err)
	}
	const want = `{"actors":{"allGroups":false,"allUsers":true,"resourceOwners":false,"roles":["urn:li:dataHubRole:Editor"]},"description":"","displayName":"New","editable":true,` +
		`"lastUpdatedTimestamp":1772445601000,"privileges":["EDIT_ENTITY"],"state":"ACTIVE","type":"METADATA"}`
	if got := w.Get(t, absent, policy.Info); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnUpdateOfWhatIsNotThereWritesIt(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	if err := policy.New(w.Edit).Update(w.As(t, servicetest.Root), absent, draft("New")); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, absent, policy.Info); !strings.Contains(got, `"New"`) {
		t.Errorf("got %s", got)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := policy.New(w.Edit)
	ctx := w.As(t, servicetest.Root)
	u, err := s.Create(ctx, draft("Short"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // an absent policy is not an error
		if err := s.Delete(ctx, u); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Get(t, u, policy.Info); got != "" {
		t.Errorf("it still says %s", got)
	}
}

func TestWhoManagesPoliciesNeedsNothingElse(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := policy.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{urn.URN(urn.TypePrefix(policy.EntityType)): {auth.ManagePolicies}}}))
	u, err := s.Create(w.As(t, servicetest.Jo), draft("Jo's"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(w.As(t, servicetest.Jo), u, draft("Still")); err != nil {
		t.Error(err)
	}
	if err := s.Delete(w.As(t, servicetest.Jo), u); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := policy.New(w.Edit)
	root, jo := w.As(t, servicetest.Root), w.As(t, servicetest.Jo)
	with := func(change func(*policy.Draft)) policy.Draft {
		d := draft("N")
		change(&d)
		return d
	}
	create := func(ctx context.Context, d policy.Draft) func() error {
		return func() error { _, err := s.Create(ctx, d); return err }
	}
	fixed := urn.URN("urn:li:dataHubPolicy:admin-platform-policy")
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
		says string
	}{
		"creation by an ordinary user":    {create(jo, draft("N")), fault.Forbidden, "MANAGE_POLICIES"},
		"a change by an ordinary user":    {func() error { return s.Update(jo, absent, draft("N")) }, fault.Forbidden, "MANAGE_POLICIES"},
		"deletion by an ordinary user":    {func() error { return s.Delete(jo, absent) }, fault.Forbidden, "MANAGE_POLICIES"},
		"a look by an ordinary user":      {func() error { return s.MayManage(jo) }, fault.Forbidden, "MANAGE_POLICIES"},
		"no name":                         {create(root, draft(" ")), fault.Malformed, "name"},
		"a name that is too long":         {create(root, draft(strings.Repeat("x", 2000))), fault.TooLarge, "name"},
		"a user that is no URN":           {create(root, with(func(d *policy.Draft) { d.Actors.Users = &[]string{"jo"} })), fault.Malformed, "actors.users"},
		"a user that is a group":          {create(root, with(func(d *policy.Draft) { d.Actors.Users = &[]string{"urn:li:corpGroup:g"} })), fault.Malformed, "actors.users"},
		"a group that is a user":          {create(root, with(func(d *policy.Draft) { d.Actors.Groups = &[]string{"urn:li:corpuser:jo"} })), fault.Malformed, "actors.groups"},
		"a type of ownership that is not": {create(root, with(func(d *policy.Draft) { d.Actors.OwnershipTypes = &[]string{"TECHNICAL_OWNER"} })), fault.Malformed, "actors.resourceOwnersTypes"},
		"an unknown field": {create(root, with(func(d *policy.Draft) {
			d.Resources = &policy.Resources{Constraints: &policy.Filter{Criteria: &[]policy.Criterion{{Field: "COLOUR", Condition: "EQUALS"}}}}
		})), fault.Invalid, "Invalid field type 'COLOUR'"},
		"one that is not editable":        {func() error { return s.Update(root, fixed, draft("N")) }, fault.Invalid, "Attempting to edit not editable policy."},
		"deletion of the administrator's": {func() error { return s.Delete(root, "urn:li:dataHubPolicy:0") }, fault.Invalid, "System policies can not be deleted."},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want || !strings.Contains(fault.Message(err), tc.says) {
				t.Errorf("got %v, want %v with %q", err, tc.want, tc.says)
			}
		})
	}
}
