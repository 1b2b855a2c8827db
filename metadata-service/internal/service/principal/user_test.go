package principal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const nobody urn.URN = "urn:li:corpuser:nobody"

func text(s string) *string { return &s }

func TestSuspensionHoldsAtOnce(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	users, root := principal.New(w.Edit), w.As(t, servicetest.Root)
	for _, step := range []struct {
		status string
		want   account.DenialReason
	}{{account.Suspended, account.IsSuspended}, {account.Active, ""}} {
		if err := users.SetStatus(root, servicetest.Jo, step.status); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Accounts.Status(root, servicetest.Jo); err != nil || got != step.want {
			t.Errorf("%s: status is %q, %v; want %q", step.status, got, err, step.want)
		}
	}
}

func TestStatusThatIsRefused(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	users := principal.New(w.Edit)
	for name, c := range map[string]struct {
		actor, on urn.URN
		status    string
		want      fault.Kind
	}{
		"ordinary user":                {servicetest.Jo, servicetest.Mia, account.Suspended, fault.Forbidden},
		"of a user of the system":      {servicetest.Root, servicetest.Root, account.Suspended, fault.Invalid},
		"of a user that is not there":  {servicetest.Root, nobody, account.Suspended, fault.Malformed},
		"that is none":                 {servicetest.Root, servicetest.Jo, "ASLEEP", fault.Malformed},
		"ordinary user about nobody":   {servicetest.Jo, nobody, account.Suspended, fault.Forbidden},
		"ordinary user to be let free": {servicetest.Jo, servicetest.Jo, account.Active, fault.Forbidden},
	} {
		if err := users.SetStatus(w.As(t, c.actor), c.on, c.status); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := w.Get(t, nobody, account.KeyAspect); got != "" {
		t.Errorf("a refused status left %s", got)
	}
}

func TestRemovedUserIsNowhere(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, "urn:li:tag:pii", "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`)
	users := principal.New(w.Edit)
	if err := users.Remove(w.As(t, servicetest.Mia), servicetest.Jo); !errors.Is(err, fault.Forbidden) {
		t.Errorf("an ordinary user removes another: %v", err)
	}
	if err := users.Remove(w.As(t, servicetest.Root), servicetest.Root); !errors.Is(err, fault.Invalid) {
		t.Errorf("a system user is removed: %v", err)
	}
	// The privilege suffices; DELETE_ENTITY is not additionally required.
	granted := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageUsers}}))
	if err := granted.Remove(w.As(t, servicetest.Mia), servicetest.Jo); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Accounts.Status(w.As(t, servicetest.Root), servicetest.Jo); err != nil || got != account.HardDeleted {
		t.Errorf("status is %q, %v", got, err)
	}
	if owners := w.Get(t, "urn:li:tag:pii", "ownership"); !strings.Contains(owners, `"owners":[]`) {
		t.Errorf("still an owner: %s", owners)
	}
	if err := granted.Remove(w.As(t, servicetest.Mia), servicetest.Jo); err != nil {
		t.Errorf("removing again: %v", err)
	}
}

func TestProfileOfAnotherUserNeedsTheRightForEachPart(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	profile, contact, both := principal.UserProfile{Title: text("Boss")}, principal.UserProfile{Slack: text("@mia")}, principal.UserProfile{Title: text("Boss"), Phone: text("1")}
	for name, c := range map[string]struct {
		has     []auth.Privilege
		p       principal.UserProfile
		refused bool
	}{
		"profile without a right":       {nil, profile, true},
		"nothing without a right":       {nil, principal.UserProfile{}, true},
		"profile with profile":          {[]auth.Privilege{auth.EditProfile}, profile, false},
		"contact with profile":          {[]auth.Privilege{auth.EditProfile}, contact, true},
		"contact with contact":          {[]auth.Privilege{auth.EditContact}, contact, false},
		"profile with contact":          {[]auth.Privilege{auth.EditContact}, profile, true},
		"both with profile":             {[]auth.Privilege{auth.EditProfile}, both, true},
		"both with contact":             {[]auth.Privilege{auth.EditContact}, both, true},
		"both with both":                {[]auth.Privilege{auth.EditContact, auth.EditProfile}, both, false},
		"both with the right to edit":   {[]auth.Privilege{auth.EditEntity}, both, false},
		"nothing with the profile only": {[]auth.Privilege{auth.EditProfile}, principal.UserProfile{}, false},
	} {
		users := principal.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{servicetest.Mia: c.has}}))
		if err := users.UpdateUser(w.As(t, servicetest.Jo), servicetest.Mia, c.p); errors.Is(err, fault.Forbidden) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOwnProfile(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	users, jo := principal.New(w.Granting(servicetest.Grants{})), w.As(t, servicetest.Jo)
	update := func(p principal.UserProfile) {
		t.Helper()
		if err := users.UpdateUser(jo, servicetest.Jo, p); err != nil {
			t.Fatal(err)
		}
	}
	update(principal.UserProfile{})
	if got := w.Get(t, servicetest.Jo, "corpUserEditableInfo"); got != "" {
		t.Errorf("an empty update wrote %s", got)
	}
	update(principal.UserProfile{DisplayName: text("Jo"), Skills: &[]string{"sql"}, Platforms: &[]string{"urn:li:dataPlatform:hive"}, Persona: text("urn:li:dataHubPersona:analyst")})
	update(principal.UserProfile{DisplayName: text(""), Persona: text("")})
	want := `{"displayName":"","platforms":["urn:li:dataPlatform:hive"],"skills":["sql"],"teams":[]}`
	if got := w.Get(t, servicetest.Jo, "corpUserEditableInfo"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestProfileThatIsRefused(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	users := principal.New(w.Edit)
	many := make([]string, 201)
	for i := range many {
		many[i] = "x"
	}
	for name, c := range map[string]struct {
		p    principal.UserProfile
		want fault.Kind
	}{
		"title that is too long":   {principal.UserProfile{Title: text(strings.Repeat("x", 1001))}, fault.TooLarge},
		"too many teams":           {principal.UserProfile{Teams: &many}, fault.TooLarge},
		"empty skill":              {principal.UserProfile{Skills: &[]string{" "}}, fault.Malformed},
		"platform that is none":    {principal.UserProfile{Platforms: &[]string{"urn:li:tag:pii"}}, fault.Malformed},
		"persona that is none":     {principal.UserProfile{Persona: text("urn:li:tag:pii")}, fault.Malformed},
		"picture that is no https": {principal.UserProfile{PictureLink: text("http://example.org/x.png")}, fault.Invalid},
	} {
		if err := users.UpdateUser(w.As(t, servicetest.Jo), servicetest.Jo, c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := users.UpdateUser(w.As(t, servicetest.Root), nobody, principal.UserProfile{Title: text("x")}); !errors.Is(err, fault.Malformed) {
		t.Errorf("a user that is not there: %v", err)
	}
	if err := users.UpdateUser(t.Context(), servicetest.Jo, principal.UserProfile{Title: text("x")}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody asks: %v", err)
	}
	if got := w.Get(t, servicetest.Jo, "corpUserEditableInfo"); got != "" {
		t.Errorf("a refused update wrote %s", got)
	}
}

func TestManagingUsersIsOnePrivilegeOrTwoTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		has     []auth.Privilege
		refused bool
	}{
		"the one of that name":      {[]auth.Privilege{auth.ManageUsers}, false},
		"users and groups":          {[]auth.Privilege{auth.UpdateUsers, auth.UpdateGroups}, false},
		"users alone":               {[]auth.Privilege{auth.UpdateUsers}, true},
		"groups alone":              {[]auth.Privilege{auth.UpdateGroups}, true},
		"updating without deleting": {[]auth.Privilege{auth.UpdateUsersAndGroups}, true},
		"creating":                  {[]auth.Privilege{auth.CreateUsersAndGroups, auth.CreateUsers, auth.CreateGroups}, true},
		"nothing of all this":       {[]auth.Privilege{auth.ManagePolicies}, true},
	} {
		w := servicetest.New(t)
		users := principal.New(w.Granting(servicetest.Grants{Platform: c.has}))
		if err := users.MayManage(w.As(t, servicetest.Jo)); errors.Is(err, fault.Forbidden) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
