package access_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	etl   urn.URN = "urn:li:corpuser:etl"
	staff urn.URN = "urn:li:corpGroup:staff"
)

func setUp(t *testing.T) (*access.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, etl, "corpUserInfo", `{"active":true}`)
	w.Put(t, staff, "corpGroupInfo", `{"members":[],"admins":[],"groups":[]}`)
	return access.New(w.Edit, w.Rights, w.Tokens), w
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnExplanationNamesWhoAndWhy(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	w.Put(t, etl, "nativeGroupMembership", `{"nativeGroups":["`+string(staff)+`"]}`)
	w.Put(t, staff, "roleMembership", `{"roles":["urn:li:dataHubRole:Editor"]}`)
	a, err := s.Explain(w.As(t, servicetest.Root), access.Question{Actor: etl, Privileges: []auth.Privilege{auth.ManageTags}})
	check(t, err)
	if !a.Allowed || a.Reason != `the policy "Editors - Platform Policy" grants MANAGE_TAGS` {
		t.Errorf("allowed %v: %s", a.Allowed, a.Reason)
	}
	if !slices.Equal(a.Groups, []urn.URN{staff}) || !slices.Equal(a.Roles, []urn.URN{"urn:li:dataHubRole:Editor"}) {
		t.Errorf("groups %v, roles %v", a.Groups, a.Roles)
	}
	if len(a.Policies) < 3 || !a.Policies[0].Applies || a.Policies[1].Applies {
		t.Errorf("policies %+v", a.Policies)
	}
	w.Put(t, etl, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	a, err = s.Explain(w.As(t, servicetest.Root), access.Question{Actor: etl, Privileges: []auth.Privilege{auth.ManageTags}})
	check(t, err)
	if a.Allowed || !strings.Contains(a.Reason, "suspended") {
		t.Errorf("allowed %v: %s", a.Allowed, a.Reason)
	}
}

// TestADraftStandsInForTheStoredPolicy: a draft in place of a stored policy also shows lost
// privileges.
func TestADraftStandsInForTheStoredPolicy(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	const stored urn.URN = "urn:li:dataHubPolicy:mine"
	w.Policy(t, "mine", []auth.Privilege{auth.ManageTags}, nil, etl)
	draft := model.Object{
		"displayName": "d", "description": "", "type": "PLATFORM", "state": "INACTIVE", "privileges": []any{"MANAGE_TAGS"},
		"actors": model.Object{"users": []any{string(etl)}, "resourceOwners": true},
	}
	for _, c := range []struct {
		replaces urn.URN
		allowed  bool
	}{{"", true}, {stored, false}} {
		a, err := s.Explain(w.As(t, servicetest.Root), access.Question{Actor: etl, Privileges: []auth.Privilege{auth.ManageTags}, Draft: draft, Replaces: c.replaces})
		check(t, err)
		if a.Allowed != c.allowed {
			t.Errorf("in place of %q: allowed %v: %s", c.replaces, a.Allowed, a.Reason)
		}
		if r := a.Reach; r == nil || r.People != 1 || !r.Owners || !r.Complete || r.Assets != nil {
			t.Errorf("reach %+v", a.Reach)
		}
	}
}

func TestGrantedIsForOneselfAndForWhoManagesPolicies(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	granted, details, err := s.Granted(w.As(t, etl), access.GrantedQuery{Actor: etl, Details: true})
	check(t, err)
	if !slices.Contains(granted, auth.GenerateTokens) || slices.Contains(granted, auth.ManageTags) || details != nil {
		t.Errorf("granted %v, details %v", granted, details)
	}
	_, _, err = s.Granted(w.As(t, etl), access.GrantedQuery{Actor: servicetest.Jo})
	if fault.KindOf(err) != fault.Forbidden {
		t.Errorf("of somebody else: %v", err)
	}
	_, details, err = s.Granted(w.As(t, servicetest.Root), access.GrantedQuery{Actor: etl, Details: true})
	check(t, err)
	if !slices.ContainsFunc(details, func(v access.Verdict) bool {
		return v.URN == "urn:li:dataHubPolicy:admin-platform-policy" && v.Reason == "Actor did not match"
	}) {
		t.Errorf("details %+v", details)
	}
	_, _, err = s.Granted(context.Background(), access.GrantedQuery{Actor: etl})
	if fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("of nobody: %v", err)
	}
}

func lossOf(r access.Report, p auth.Privilege) access.Loss {
	for _, l := range r.Losses {
		if slices.Contains(l.Privileges, p) {
			return l
		}
	}
	return access.Loss{}
}

func TestTheReportNamesWhatUsersAndTokensLost(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	lifetime, err := token.ParseLifetime("ONE_DAY")
	check(t, err)
	for _, name := range []string{"nightly", "hourly"} {
		_, _, err = w.Tokens.Create(w.As(t, servicetest.Root), token.Draft{Actor: etl, Name: name, Lifetime: lifetime, Kind: "PERSONAL"})
		check(t, err)
	}
	r, err := s.Report(w.As(t, servicetest.Root))
	check(t, err)
	if l := lossOf(r, auth.CreateTags); l.Users != 1 || !slices.Equal(l.Examples, []urn.URN{etl}) {
		t.Errorf("creating tags: %+v", l)
	}
	if l := lossOf(r, auth.EditEntity); !slices.Contains(l.Examples, etl) || !slices.Contains(l.Types, "dataset") {
		t.Errorf("ingestion: %+v", l)
	}
	if l := lossOf(r, auth.GenerateTokens); l.Users != 0 {
		t.Errorf("making tokens, which all users may: %+v", l)
	}
	i := slices.IndexFunc(r.Tokens, func(l access.TokenLoss) bool { return l.Actor == etl })
	if i < 0 || len(r.Tokens[i].Tokens) != 2 || !slices.Contains(r.Tokens[i].Types, "dataset") {
		t.Fatalf("tokens %+v", r.Tokens)
	}
	// The privileges that the loss names are sufficient.
	var types []string
	for _, entity := range w.Registry.Entities() {
		types = append(types, entity.Name)
	}
	w.Policy(t, "ingestion", []auth.Privilege{auth.CreateEntity, auth.EditEntity}, types, etl)
	r, err = s.Report(w.As(t, servicetest.Root))
	check(t, err)
	if slices.ContainsFunc(r.Tokens, func(l access.TokenLoss) bool { return l.Actor == etl }) {
		t.Errorf("with a policy: %+v", r.Tokens)
	}
	if _, err := s.Report(w.As(t, servicetest.Jo)); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by an ordinary user: %v", err)
	}
}

// took writes a membership of Mia as she could do herself when every user could.
func took(t *testing.T, w *servicetest.World) {
	t.Helper()
	w.Policy(t, "open", []auth.Privilege{auth.ManagePolicies}, nil, servicetest.Mia)
	_, err := w.Catalog.Write(w.As(t, servicetest.Mia), []catalog.Proposal{{URN: string(servicetest.Mia), Aspect: "roleMembership", Value: []byte(`{"roles":["urn:li:dataHubRole:Admin"]}`)}}, catalog.WriteOptions{})
	check(t, err)
	check(t, func() error {
		_, err := w.Catalog.DeleteEntity(w.As(t, model.SystemActor), "urn:li:dataHubPolicy:open")
		return err
	}())
}

func TestTheFirstStartTellsOnce(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	took(t, w)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	w.Pass(time.Hour)
	check(t, s.Announce(w.As(t, model.SystemActor), log))
	for _, want := range []string{"policies are enforced from now on", "metadata-service access report", "create tags", "urn:li:corpuser:etl", "assigned this to itself", "holder=urn:li:corpuser:mia", "urn:li:dataHubRole:Admin"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	check(t, s.Announce(w.As(t, model.SystemActor), log))
	if out.Len() > 0 {
		t.Errorf("told again: %s", out.String())
	}
	// Later memberships, as by an invitation, are ignored.
	w.Pass(time.Hour)
	w.Policy(t, "open", []auth.Privilege{auth.ManagePolicies}, nil, servicetest.Jo)
	_, err := w.Catalog.Write(w.As(t, servicetest.Jo), []catalog.Proposal{{URN: string(servicetest.Jo), Aspect: "roleMembership", Value: []byte(`{"roles":["urn:li:dataHubRole:Reader"]}`)}}, catalog.WriteOptions{})
	check(t, err)
	r, err := s.Report(w.As(t, servicetest.Root))
	check(t, err)
	if len(r.Memberships) != 1 || r.Memberships[0].Holder != servicetest.Mia || r.Memberships[0].By != servicetest.Mia {
		t.Errorf("memberships %+v", r.Memberships)
	}
}
