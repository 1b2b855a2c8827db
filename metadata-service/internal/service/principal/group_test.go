package principal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/principal"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	analysts urn.URN = "urn:li:corpGroup:analysts"
	mirror   urn.URN = "urn:li:corpGroup:mirror"
	native           = "nativeGroupMembership"
	ingested         = "groupMembership"
)

// world returns a world with a native group and an external one.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{analysts, mirror} {
		w.Put(t, u, "corpGroupInfo", `{"displayName":"`+u.Key()+`","admins":[],"members":[],"groups":[]}`)
	}
	w.Put(t, mirror, "origin", `{"type":"EXTERNAL","externalType":"LDAP"}`)
	return w
}

func TestGroupIsNativeAndItsIDIsTakenOnce(t *testing.T) {
	t.Parallel()
	w := world(t)
	granted := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageUsers}}))
	jo := w.As(t, servicetest.Jo)
	u, err := granted.CreateGroup(jo, principal.GroupDraft{ID: "writers", Name: "Writers", Description: text("They write.")})
	if err != nil || u != "urn:li:corpGroup:writers" {
		t.Fatalf("got %s, %v", u, err)
	}
	if got := w.Get(t, u, "origin"); got != `{"type":"NATIVE"}` {
		t.Errorf("origin is %s", got)
	}
	if _, err := granted.CreateGroup(jo, principal.GroupDraft{ID: "writers", Name: "Others"}); fault.KindOf(err) != fault.Malformed || fault.Message(err) != "This Group already exists!" {
		t.Errorf("the same id again: %v", err)
	}
	one, err := granted.CreateGroup(jo, principal.GroupDraft{Name: "Same"})
	if err != nil {
		t.Fatal(err)
	}
	if two, err := granted.CreateGroup(jo, principal.GroupDraft{Name: "Same"}); err != nil || one == two {
		t.Errorf("the same name again: %s, %v", two, err)
	}
	if _, err := granted.CreateGroup(jo, principal.GroupDraft{Name: " "}); !errors.Is(err, fault.Malformed) {
		t.Errorf("no name: %v", err)
	}
	if _, err := principal.New(w.Edit).CreateGroup(jo, principal.GroupDraft{ID: "writers", Name: "Writers"}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the privilege: %v", err)
	}
}

func TestMembersComeAndGo(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.Put(t, servicetest.Mia, ingested, `{"groups":["`+string(analysts)+`","`+string(mirror)+`"]}`)
	groups := principal.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{analysts: {auth.EditGroupMembers}}}))
	jo, both := w.As(t, servicetest.Jo), []string{string(servicetest.Jo), string(servicetest.Mia)}
	for range 2 {
		if err := groups.AddMembers(jo, string(analysts), both); err != nil {
			t.Fatal(err)
		}
	}
	for _, u := range []urn.URN{servicetest.Jo, servicetest.Mia} {
		if got := w.Get(t, u, native); got != `{"nativeGroups":["`+string(analysts)+`"]}` {
			t.Errorf("%s is in %s", u, got)
		}
	}
	for range 2 {
		if err := groups.RemoveMembers(jo, string(analysts), both); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Get(t, servicetest.Mia, native); got != `{"nativeGroups":[]}` {
		t.Errorf("still in %s", got)
	}
	if got := w.Get(t, servicetest.Mia, ingested); got != `{"groups":["`+string(mirror)+`"]}` {
		t.Errorf("by ingestion in %s", got)
	}
}

func TestAGroupWithoutAnOriginBecomesNativeAndKeepsItsMembers(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*principal.Service, context.Context, string, []string) error{
		"adding": (*principal.Service).AddMembers, "removing": (*principal.Service).RemoveMembers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			const many = 450
			for i := range many {
				w.Put(t, urn.URN(fmt.Sprintf("urn:li:corpuser:member%d", i)), ingested, `{"groups":["`+string(mirror)+`","`+string(analysts)+`"]}`)
			}
			groups := principal.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{analysts: {auth.EditGroupMembers}}}))
			if err := change(groups, w.As(t, servicetest.Jo), string(analysts), []string{string(servicetest.Mia)}); err != nil {
				t.Fatal(err)
			}
			if got := w.Get(t, analysts, "origin"); got != `{"type":"NATIVE"}` {
				t.Errorf("origin is %s", got)
			}
			for i := range many {
				u := urn.URN(fmt.Sprintf("urn:li:corpuser:member%d", i))
				if got := w.Get(t, u, native); got != `{"nativeGroups":["`+string(analysts)+`"]}` {
					t.Fatalf("%s is in %s", u, got)
				}
				if got := w.Get(t, u, ingested); got != `{"groups":["`+string(mirror)+`"]}` {
					t.Fatalf("%s is in %s by ingestion", u, got)
				}
			}
		})
	}
}

func TestMembersThatAreRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	groups := principal.New(w.Edit)
	jo := string(servicetest.Jo)
	for name, c := range map[string]struct {
		actor urn.URN
		group urn.URN
		users []string
		want  fault.Kind
	}{
		"ordinary user":                    {servicetest.Jo, analysts, []string{jo}, fault.Forbidden},
		"group that is not there":          {servicetest.Root, "urn:li:corpGroup:gone", []string{jo}, fault.NotFound},
		"group that ordinary users ask of": {servicetest.Jo, "urn:li:corpGroup:gone", []string{jo}, fault.Forbidden},
		"group of another system":          {servicetest.Root, mirror, []string{jo}, fault.Invalid},
		"no group":                         {servicetest.Root, servicetest.Jo, []string{jo}, fault.Malformed},
		"no user":                          {servicetest.Root, analysts, []string{string(analysts)}, fault.Malformed},
	} {
		if err := groups.AddMembers(w.As(t, c.actor), string(c.group), c.users); !errors.Is(err, c.want) {
			t.Errorf("add, %s: %v", name, err)
		}
		if err := groups.RemoveMembers(w.As(t, c.actor), string(c.group), c.users); !errors.Is(err, c.want) {
			t.Errorf("remove, %s: %v", name, err)
		}
	}
	if err := groups.AddMembers(w.As(t, servicetest.Root), string(analysts), []string{jo, "urn:li:corpuser:gone"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("a user that is not there: %v", err)
	}
	if err := groups.AddMembers(w.As(t, servicetest.Root), string(mirror), []string{jo}); !strings.Contains(fault.Message(err), "ingested from an external provider") {
		t.Errorf("a group of another system: %v", err)
	}
	if got := w.Get(t, servicetest.Jo, native); got != "" {
		t.Errorf("a refused call left %s", got)
	}
}

func TestRemovedGroupHasNoMembers(t *testing.T) {
	t.Parallel()
	w := world(t)
	groups, root := principal.New(w.Edit), w.As(t, servicetest.Root)
	if err := groups.AddMembers(root, string(analysts), []string{string(servicetest.Jo)}); err != nil {
		t.Fatal(err)
	}
	if err := groups.Remove(w.As(t, servicetest.Jo), analysts); !errors.Is(err, fault.Forbidden) {
		t.Errorf("an ordinary user: %v", err)
	}
	granted := principal.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageUsers}}))
	if err := granted.Remove(w.As(t, servicetest.Jo), analysts); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, servicetest.Jo, native); got != `{"nativeGroups":[]}` {
		t.Errorf("still in %s", got)
	}
}

func TestProfileOfAGroupNeedsTheRightForEachPart(t *testing.T) {
	t.Parallel()
	w := world(t)
	for name, c := range map[string]struct {
		has     auth.Privilege
		p       principal.GroupProfile
		refused bool
	}{
		"description with docs":    {auth.EditDocs, principal.GroupProfile{Description: text("x")}, false},
		"description with contact": {auth.EditContact, principal.GroupProfile{Description: text("x")}, true},
		"contact with contact":     {auth.EditContact, principal.GroupProfile{Email: text("x"), Slack: text("y")}, false},
		"contact with docs":        {auth.EditDocs, principal.GroupProfile{Slack: text("y")}, true},
		"picture with docs":        {auth.EditDocs, principal.GroupProfile{PictureLink: text("")}, true},
		"picture with contact":     {auth.EditContact, principal.GroupProfile{PictureLink: text("")}, false},
		"nothing with contact":     {auth.EditContact, principal.GroupProfile{}, false},
		"all with edit":            {auth.EditEntity, principal.GroupProfile{Description: text("x"), Email: text("y"), PictureLink: text("")}, false},
		"nothing with docs":        {auth.EditDocs, principal.GroupProfile{}, true},
		"nothing with edit":        {auth.EditEntity, principal.GroupProfile{}, false},
	} {
		groups := principal.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{analysts: {c.has}}}))
		if err := groups.UpdateGroup(w.As(t, servicetest.Jo), analysts, c.p); errors.Is(err, fault.Forbidden) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := principal.New(w.Edit).UpdateGroup(w.As(t, servicetest.Root), "urn:li:corpGroup:gone", principal.GroupProfile{Email: text("x")}); !errors.Is(err, fault.Malformed) {
		t.Errorf("a group that is not there: %v", err)
	}
}
