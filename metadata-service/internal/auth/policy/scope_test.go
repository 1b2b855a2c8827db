package policy_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func scoped(t *testing.T, user urn.URN, scope auth.Scope) context.Context {
	t.Helper()
	checked, err := auth.NewScope(scope)
	if err != nil {
		t.Fatal(err)
	}
	return auth.WithActor(t.Context(), auth.Actor{URN: user, TokenID: "id", Scope: checked})
}

func TestAScopeNarrowsWhatTheUserMayDo(t *testing.T) {
	t.Parallel()
	readOnly := auth.Scope{ReadOnly: true}
	charts := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldType, Values: []string{"chart"}}}}
	this := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldURN, Values: []string{string(dataset)}}}}
	for name, tc := range map[string]struct {
		user  urn.URN
		scope auth.Scope
		check auth.Check
		says  string // text of the refusal, empty if allowed
	}{
		"reading with a read-only token":                   {authtest.Jo, readOnly, auth.On(auth.OpRead, dataset, "ownership"), ""},
		"writing with a read-only token":                   {authtest.Jo, readOnly, auth.On(auth.OpUpdate, dataset, "ownership"), "read-only"},
		"administrator writing with a read-only token":     {authtest.Root, readOnly, auth.On(auth.OpUpdate, dataset, "ownership"), "read-only"},
		"administrator managing with a read-only token":    {authtest.Root, readOnly, auth.ForPlatform(auth.ManagePolicies), "MANAGE_POLICIES"},
		"administrator listing with a read-only token":     {authtest.Root, readOnly, auth.ForPlatform(auth.ManageTokens).ToRead(), ""},
		"changing oneself with a read-only token":          {authtest.Jo, readOnly, auth.On(auth.OpUpdate, authtest.Jo, "corpUserEditableInfo"), "unauthorized"},
		"the privilege that is named":                      {authtest.Root, auth.Scope{Privileges: []auth.Privilege{auth.ManageTags}}, auth.ForPlatform(auth.CreateTags, auth.ManageTags), ""},
		"a privilege that is not named":                    {authtest.Root, auth.Scope{Privileges: []auth.Privilege{auth.ManageTags}}, auth.ForPlatform(auth.ManagePolicies), "MANAGE_TAGS"},
		"naming a privilege does not give it":              {authtest.Jo, auth.Scope{Privileges: []auth.Privilege{auth.ManagePolicies}}, auth.ForPlatform(auth.ManagePolicies), "needs the privilege MANAGE_POLICIES"},
		"a part of a privilege that the user holds":        {authtest.Jo, auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.Over(dataset, auth.EditTags, auth.EditEntity), ""},
		"the rest of that privilege":                       {authtest.Jo, auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.On(auth.OpUpdate, dataset, "datasetProperties"), "EDIT_ENTITY_TAGS"},
		"another part of it":                               {authtest.Jo, auth.Scope{Privileges: []auth.Privilege{auth.EditTags}}, auth.Over(dataset, auth.EditOwners, auth.EditEntity), "EDIT_ENTITY_TAGS"},
		"a part of what the user does not hold":            {authtest.Jo, auth.Scope{Privileges: []auth.Privilege{auth.CreateTags}}, auth.ForPlatform(auth.CreateTags, auth.ManageTags), "unauthorized"},
		"an entity of the type":                            {authtest.Jo, charts, auth.On(auth.OpUpdate, "urn:li:chart:(looker,x)", "ownership"), ""},
		"the type itself":                                  {authtest.Jo, charts, auth.OfType(auth.OpRead, "chart"), ""},
		"an entity of another type":                        {authtest.Jo, charts, auth.On(auth.OpUpdate, dataset, "ownership"), "TYPE EQUALS chart"},
		"the platform with a scope of resources":           {authtest.Root, charts, auth.ForPlatform(auth.ManagePolicies), "TYPE EQUALS chart"},
		"the entity that is named":                         {authtest.Jo, this, auth.On(auth.OpUpdate, dataset, "ownership"), ""},
		"a type of which an entity is named":               {authtest.Jo, this, auth.OfType(auth.OpRead, "dataset"), "URN EQUALS"},
		"each of some entities, of which one is out of it": {authtest.Jo, this, auth.OverEach([]urn.URN{dataset, "urn:li:tag:x"}, auth.EditEntity), "urn:li:tag:x"},
		"one of some entities":                             {authtest.Jo, this, auth.OverOne([]urn.URN{"urn:li:tag:x", dataset}, auth.EditEntity), ""},
		"facts that are stored":                            {authtest.Jo, auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals}}}, auth.On(auth.OpRead, authtest.Jo, ""), ""},
		"facts of what is not stored":                      {authtest.Jo, auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals}}}, auth.On(auth.OpRead, dataset, ""), "TAG NOT_EQUALS"},
		"facts of a type":                                  {authtest.Jo, auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals}}}, auth.OfType(auth.OpRead, "dataset"), "TAG NOT_EQUALS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := plainly(t).Refusal(scoped(t, tc.user, tc.scope), tc.check)
			if tc.says == "" && err != nil || tc.says != "" && (!errors.Is(err, fault.Forbidden) || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAScopeNarrowsWhatIsSeen(t *testing.T) {
	t.Parallel()
	charts := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldType, Values: []string{"chart"}}}}
	for _, user := range []urn.URN{authtest.Jo, authtest.Root} {
		ctx := scoped(t, user, charts)
		v, err := plainly(t).Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataset", "chart"}})
		if err != nil || !slices.Equal(v.Types, []string{"chart"}) {
			t.Errorf("%s sees %v, %v", user, v.Types, err)
		}
		sees, err := v.Sees(ctx, []urn.URN{dataset, "urn:li:chart:(looker,x)", dataset})
		if err != nil || !slices.Equal(sees, []bool{false, true, false}) {
			t.Errorf("%s meets %v, %v", user, sees, err)
		}
	}
}

func TestNothingIsWrittenOnWhatWasAskedInOrderToRead(t *testing.T) {
	t.Parallel()
	check := auth.ForPlatform(auth.ManageTags)
	for asked, want := range map[*auth.Check]bool{new(check): true, new(check.ToRead()): false} {
		decisions, err := plainly(t).Decide(authtest.As(t, authtest.Root), []auth.Check{*asked})
		if err != nil || !decisions[0].Allowed() {
			t.Fatal(err)
		}
		if got := decisions[0].Covers(authtest.Root, auth.OpUpdate, "urn:li:tag:x", "tagProperties"); got != want {
			t.Errorf("operation %q covers a write: %v", asked.Operation, got)
		}
	}
}

func TestAScopeOfResourcesNarrowsSearchesByAFilter(t *testing.T) {
	t.Parallel()
	domain := auth.Criterion{Field: auth.FieldDomain, Values: []string{"urn:li:domain:sales"}}
	for name, tc := range map[string]struct {
		scope auth.Scope
		types []string
		want  search.Filter
	}{
		"a domain, which is in itself": {auth.Scope{Resources: []auth.Criterion{domain}}, []string{"dataset", "domain"}, search.Filter{
			{{Field: "_entityType", Values: []string{"dataset", "domain"}}, {Field: document.AncestorDomains, Values: []string{"urn:li:domain:sales"}}},
			{{Field: "_entityType", Values: []string{"dataset", "domain"}}, {Field: "_entityType", Values: []string{"domain"}}, {Field: "urn", Values: []string{"urn:li:domain:sales"}}},
		}},
		"types and what is not tagged": {auth.Scope{Resources: []auth.Criterion{
			{Field: auth.FieldType, Values: []string{"dataset"}}, {Field: auth.FieldTag, Values: []string{"urn:li:tag:pii"}, Condition: auth.NotEquals},
		}}, []string{"dataset", "chart"}, search.Filter{{{Field: "_entityType", Values: []string{"dataset"}}, {Field: "tags", Values: []string{"urn:li:tag:pii"}, Negated: true}}}},
		"types alone": {auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldType, Values: []string{"dataset"}}}}, []string{"dataset", "chart"}, nil},
		"queries are readable by what they are about": {auth.Scope{Resources: []auth.Criterion{domain}}, []string{"dataset", "query", "document"}, search.Filter{
			{{Field: "_entityType", Values: []string{"dataset"}}, {Field: document.AncestorDomains, Values: []string{"urn:li:domain:sales"}}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := plainly(t).Visible(scoped(t, authtest.Root, tc.scope), auth.Reading{Kind: auth.ReadSearch, Types: tc.types})
			if err != nil || !reflect.DeepEqual(v.Filter, tc.want) {
				t.Errorf("got  %v, %v\nwant %v", v.Filter, err, tc.want)
			}
		})
	}
}

// A search decides about types with a part of the scope. Its cached decisions must not answer
// checks with the whole scope.
func TestASearchLeavesNoWiderDecisionBehind(t *testing.T) {
	t.Parallel()
	f := plainly(t)
	ctx := auth.WithDecisionCache(scoped(t, authtest.Jo, auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldDomain, Values: []string{"urn:li:domain:sales"}}}}))
	if v, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataset"}}); err != nil || len(v.Filter) == 0 {
		t.Fatalf("sees %+v, %v", v, err)
	}
	if err := f.Refusal(ctx, auth.OfType(auth.OpRead, "dataset")); !errors.Is(err, fault.Forbidden) {
		t.Errorf("the type as a whole: %v", err)
	}
}

func TestAScopeThatTakesTooLongAFilterFindsNothing(t *testing.T) {
	t.Parallel()
	var many []auth.Criterion
	for _, field := range []auth.ResourceField{auth.FieldDomain, auth.FieldContainer, auth.FieldGlossary} {
		for _, condition := range []auth.Condition{auth.StartsWith, auth.NotEquals} {
			many = append(many, auth.Criterion{Field: field, Values: []string{"urn:li:x:y"}, Condition: condition})
		}
	}
	_, err := plainly(t).Visible(scoped(t, authtest.Root, auth.Scope{Resources: many}), auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataset"}})
	if !errors.Is(err, fault.Forbidden) {
		t.Errorf("got %v", err)
	}
}

func TestATokenIsNotToldWhatThereIsBeyondItsScope(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{ViewAuthorization: true})
	f.put(t, "p", metadata(where(criterion{"URN", []string{string(dataset)}, "EQUALS"}), auth.ViewPage))
	narrow := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldDomain, Values: []string{"urn:li:domain:sales"}}}}
	types := []string{"dataset", "dataHubView", "tag"}
	for name, c := range map[string]struct {
		ctx  context.Context
		kind auth.ReadingKind
		want []string
	}{
		"a user":                             {request(t, authtest.Jo), auth.ReadSearch, []string{"dataset", "tag"}},
		"a token":                            {scoped(t, authtest.Jo, narrow), auth.ReadSearch, nil},
		"what is left out for a user":        {request(t, authtest.Jo), auth.ReadAssociations, []string{"dataset", "tag"}},
		"it is left out for its token, too":  {scoped(t, authtest.Jo, narrow), auth.ReadAssociations, []string{"dataset", "tag"}},
		"nothing is hidden from the service": {authtest.As(t, "urn:li:corpuser:__datahub_system"), auth.ReadSearch, nil},
	} {
		v, err := f.Visible(c.ctx, auth.Reading{Kind: c.kind, Types: types})
		if err != nil || !slices.Equal(v.Restricted, c.want) {
			t.Errorf("%s: %v, %v; want %v", name, v.Restricted, err, c.want)
		}
	}
}

// The creator of a token for a service account holds the platform privileges that the scope names.
// A scope without them must therefore grant none, regardless of the privileges of the account.
func TestAScopeWithoutAPrivilegeOfThePlatformGivesNothingByIt(t *testing.T) {
	t.Parallel()
	for _, entityType := range policy.ConfiguredTypes() {
		u := urn.Make(entityType, "x")
		manage := privilege.Needed(auth.OpDelete, u, "")[0]
		f := newFixture(t, policy.Config{})
		f.put(t, "p", platform(manage))
		for _, scope := range []auth.Scope{
			{Privileges: []auth.Privilege{auth.EditEntity, auth.CreateEntity, auth.DeleteEntity, auth.ExecuteEntity}},
			{Resources: []auth.Criterion{{Field: auth.FieldType, Values: []string{entityType}, Condition: auth.Equals}}},
			{Resources: []auth.Criterion{{Field: auth.FieldTag, Values: []string{"urn:li:tag:x"}, Condition: auth.NotEquals}}},
		} {
			ctx := scoped(t, authtest.Jo, scope)
			for _, c := range []auth.Check{
				auth.On(auth.OpCreate, u, ""), auth.On(auth.OpUpdate, u, ""), auth.On(auth.OpDelete, u, ""), auth.On(auth.OpExecute, u, ""), auth.ManageType(entityType), auth.Over(u, manage, auth.EditEntity),
			} {
				if err := f.Refusal(ctx, c); fault.KindOf(err) != fault.Forbidden {
					t.Errorf("%s by %+v: %s %v: %v", u, scope, c.Operation, c.AnyOf, err)
				}
			}
		}
		if err := f.Refusal(scoped(t, authtest.Jo, auth.Scope{Privileges: []auth.Privilege{manage}}), auth.On(auth.OpUpdate, u, "")); err != nil {
			t.Errorf("%s by the privilege: %v", u, err)
		}
	}
}

// A token limited to resources must not accept a role for its user, which would apply everywhere.
func TestATokenLimitedToResourcesAcceptsNoInvitation(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	accepting := auth.Over(authtest.Jo, auth.AcceptRole)
	for name, c := range map[string]auth.Criterion{
		"the own account": {Field: auth.FieldURN, Values: []string{string(authtest.Jo)}, Condition: auth.Equals}, "users": {Field: auth.FieldType, Values: []string{"corpuser"}, Condition: auth.Equals},
		"all without a tag": {Field: auth.FieldTag, Values: []string{"urn:li:tag:x"}, Condition: auth.NotEquals},
	} {
		if err := f.Refusal(scoped(t, authtest.Jo, auth.Scope{Resources: []auth.Criterion{c}}), accepting); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !f.allows(t, authtest.Jo, accepting) {
		t.Error("a user accepts no invitation")
	}
}

// Recipes contain passwords, so only the privilege to manage ingestion, and a policy that names
// sources, permit reading them.
func TestWhatHoldsPasswordsIsReadByPoliciesThatNameIt(t *testing.T) {
	t.Parallel()
	const source urn.URN = "urn:li:dataHubIngestionSource:x"
	owners := metadata(nil, auth.EditEntity, auth.ViewPage)
	owners.Actors = actors{Owners: true}
	for name, tc := range map[string]struct {
		policy info
		want   bool
	}{
		"over everything":          {metadata(nil, auth.EditEntity, auth.ViewPage), false},
		"of the platform":          {platform(auth.EditEntity, auth.ViewPage), false},
		"for owners":               {owners, false},
		"over the type":            {metadata(where(criterion{"TYPE", []string{"dataHubIngestionSource"}, "EQUALS"}), auth.EditEntity), true},
		"over one":                 {metadata(where(criterion{"URN", []string{string(source)}, "EQUALS"}), auth.EditEntity), true},
		"of who manages them":      {platform(auth.ManageIngestion), true},
		"of who manages and edits": {platform(auth.ManageIngestion, auth.EditEntity), true},
	} {
		for _, on := range []bool{true, false} {
			f := newFixture(t, policy.Config{ViewAuthorization: on})
			f.put(t, "p", tc.policy)
			f.store(t, map[urn.URN]map[string]string{source: {"ownership": `{"owners":[{"owner":"` + string(authtest.Jo) + `","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`}})
			if got := f.allows(t, authtest.Jo, auth.On(auth.OpRead, source, "dataHubIngestionSourceInfo")); got != tc.want {
				t.Errorf("%s: read %v", name, got)
			}
			visible, err := f.Visible(request(t, authtest.Jo), auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubIngestionSource", "corpuser"}})
			if err != nil && fault.KindOf(err) != fault.Forbidden {
				t.Fatal(err)
			}
			if slices.Contains(visible.Types, "dataHubIngestionSource") != (tc.want && name != "over one") {
				t.Errorf("%s: a search looks at %v", name, visible.Types)
			}
		}
	}
}

// With an administrator's token, searches find exactly the entities that single reads return, for
// each type and for each privilege in its scope.
func TestSearchesFindByATokenWhatItReads(t *testing.T) {
	t.Parallel()
	types := privilege.Types()
	var all []auth.Privilege
	for _, r := range auth.Rights() {
		all = append(all, r.Privilege)
	}
	for _, view := range []bool{false, true} {
		f := newFixture(t, policy.Config{ViewAuthorization: view, Unrestricted: policy.DefaultUnrestricted()})
		f.put(t, "a", metadata(nil, all...))
		f.put(t, "b", platform(all...))
		found := 0
		for _, p := range all {
			ctx := scoped(t, authtest.Jo, auth.Scope{Privileges: []auth.Privilege{p}})
			for _, entityType := range types {
				if entityType == "dataHubView" {
					continue // some are personal
				}
				v, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{entityType}})
				whole := err == nil && len(v.Types) == 1 && v.Filter == nil
				if reads := f.Refusal(ctx, auth.On(auth.OpRead, urn.Make(entityType, "x"), "")) == nil; whole != reads {
					t.Errorf("view authorization %v, scope %s: %s is found as a whole: %v, read: %v", view, p, entityType, whole, reads)
				}
				if whole {
					found++
				}
			}
		}
		if found < 200 {
			t.Errorf("only %d types are found", found)
		}
	}
}

// A refusal to write a personal entity does not reveal whether it exists.
func TestRefusalsDoNotTellWhatIsPersonalToOthers(t *testing.T) {
	t.Parallel()
	const stamp = `{"time":1,"actor":"urn:li:corpuser:mia"}`
	f := newFixture(t, policy.Config{})
	f.store(t, map[urn.URN]map[string]string{
		"urn:li:dataHubView:there": {"dataHubViewInfo": `{"name":"x","type":"PERSONAL","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}`},
		"urn:li:dataHubPageTemplate:there": {
			"dataHubPageTemplateProperties": `{"rows":[],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"PERSONAL"},"created":` + stamp + `,"lastModified":` + stamp + `}`,
		},
		"urn:li:dataHubPageModule:there": {
			"dataHubPageModuleProperties": `{"name":"x","type":"DOMAINS","params":{},"visibility":{"scope":"PERSONAL"},"created":` + stamp + `,"lastModified":` + stamp + `}`,
		},
	})
	for _, entityType := range []string{"dataHubView", "dataHubPageTemplate", "dataHubPageModule"} {
		there, absent := urn.Make(entityType, "there"), urn.Make(entityType, "absent")
		for _, op := range []auth.Operation{auth.OpCreate, auth.OpUpdate, auth.OpDelete} {
			told := func(u urn.URN) string {
				err := f.Refusal(request(t, authtest.Jo), auth.On(op, u, ""))
				if fault.KindOf(err) != fault.Forbidden {
					t.Errorf("%s %s: %v", op, u, err)
				}
				refused := fault.RefusalOf(err)
				refused.Missing[0].Resource = ""
				return strings.ReplaceAll(fmt.Sprintf("%v %+v", err, refused), string(u), "U")
			}
			if a, b := told(there), told(absent); a != b {
				t.Errorf("%s: one that exists: %s, one that is absent: %s", op, a, b)
			}
		}
	}
}
