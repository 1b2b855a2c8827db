package policy_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	team   urn.URN = "urn:li:corpGroup:team"
	native urn.URN = "urn:li:corpGroup:native"
	editor urn.URN = "urn:li:dataHubRole:Editor"
	reader urn.URN = "urn:li:dataHubRole:Reader"
	expert urn.URN = "urn:li:ownershipType:expert"
)

// ownership returns the aspect for one owner. An empty type is left out.
func ownership(owner, typeURN urn.URN) string {
	entry := `{"owner":"` + string(owner) + `","type":"CUSTOM"`
	if typeURN != "" {
		entry += `,"typeUrn":"` + string(typeURN) + `"`
	}
	return `{"owners":[` + entry + `}],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`
}

func TestToWhomAPolicyGrants(t *testing.T) {
	t.Parallel()
	jo := []urn.URN{authtest.Jo}
	for name, tc := range map[string]struct {
		actors actors
		facts  map[urn.URN]map[string]string
		want   bool
	}{
		"nobody":                       {actors{}, nil, false},
		"all users":                    {actors{AllUsers: true}, nil, true},
		"the user":                     {actors{Users: jo}, nil, true},
		"another user":                 {actors{Users: []urn.URN{authtest.Mia}}, nil, false},
		"all groups, who is in none":   {actors{AllGroups: true}, nil, false},
		"all groups, who is in one":    {actors{AllGroups: true}, member(native, "nativeGroupMembership", "nativeGroups"), true},
		"a group":                      {actors{Groups: []urn.URN{team}}, member(team, "groupMembership", "groups"), true},
		"a group of its own":           {actors{Groups: []urn.URN{native}}, member(native, "nativeGroupMembership", "nativeGroups"), true},
		"a group that does not exist":  {actors{Groups: []urn.URN{team}}, absent(team, member(team, "groupMembership", "groups")), false},
		"a group that is soft-deleted": {actors{Groups: []urn.URN{team}}, with(member(team, "groupMembership", "groups"), softDeleted(team)), false},
		"all groups, who is in one that does not exist":       {actors{AllGroups: true}, absent(native, member(native, "nativeGroupMembership", "nativeGroups")), false},
		"a role of a group that is soft-deleted":              {actors{Roles: []urn.URN{editor}}, with(with(member(team, "groupMembership", "groups"), roles(team, editor)), softDeleted(team)), false},
		"owners, of which a group is one that does not exist": {actors{Owners: true}, with(absent(team, member(team, "groupMembership", "groups")), owned(team, "")), false},
		"another group":                      {actors{Groups: []urn.URN{team}}, member(native, "nativeGroupMembership", "nativeGroups"), false},
		"a role":                             {actors{Roles: []urn.URN{editor}}, roles(authtest.Jo, editor), true},
		"one of several roles":               {actors{Roles: []urn.URN{editor}}, roles(authtest.Jo, reader, editor), true},
		"another role":                       {actors{Roles: []urn.URN{editor}}, roles(authtest.Jo, reader), false},
		"a role of somebody else":            {actors{Roles: []urn.URN{editor}}, roles(authtest.Mia, editor), false},
		"a role of a group":                  {actors{Roles: []urn.URN{editor}}, with(member(team, "groupMembership", "groups"), roles(team, editor)), true},
		"a role of a group of somebody else": {actors{Roles: []urn.URN{editor}}, roles(team, editor), false},
		"owners":                             {actors{Owners: true}, owned(authtest.Jo, ""), true},
		"owners, of which the actor is none": {actors{Owners: true}, owned(authtest.Mia, ""), false},
		"owners, of which a group is one":    {actors{Owners: true}, with(member(team, "groupMembership", "groups"), owned(team, "")), true},
		"owners of a type":                   {actors{Owners: true, OwnersTypes: &[]string{string(expert)}}, owned(authtest.Jo, expert), true},
		"owners of another type":             {actors{Owners: true, OwnersTypes: &[]string{string(expert)}}, owned(authtest.Jo, "urn:li:ownershipType:other"), false},
		"owners of no type":                  {actors{Owners: true, OwnersTypes: &[]string{string(expert)}}, owned(authtest.Jo, ""), false},
		"owners of none of no types":         {actors{Owners: true, OwnersTypes: &[]string{}}, owned(authtest.Jo, expert), false},
		"one of several parts":               {actors{Users: []urn.URN{authtest.Mia}, Groups: []urn.URN{team}, Owners: true}, owned(authtest.Jo, ""), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, policy.Config{})
			f.store(t, tc.facts)
			p := metadata(nil, auth.EditTags)
			p.Actors = tc.actors
			f.put(t, "p", p)
			if got := f.allows(t, authtest.Jo, auth.Over(dataset, auth.EditTags)); got != tc.want {
				t.Errorf("it grants: %v", got)
			}
		})
	}
}

func TestOwnersOwnEntitiesAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.store(t, owned(authtest.Jo, ""))
	p := metadata(nil, auth.EditTags)
	p.Actors = actors{Owners: true}
	f.put(t, "p", p)
	for name, c := range map[string]auth.Check{
		"no resource": auth.ForPlatform(auth.EditTags), "a type": {AnyOf: []auth.Privilege{auth.EditTags}, Type: "dataset"}, "another entity": auth.Over(chart, auth.EditTags),
	} {
		if f.allows(t, authtest.Jo, c) {
			t.Errorf("owners hold it over %s", name)
		}
	}
}

// store writes aspects of entities.
func (f *fixture) store(t testing.TB, facts map[urn.URN]map[string]string) {
	t.Helper()
	for u, aspects := range facts {
		for aspect, value := range aspects {
			f.Set(t, u, aspect, value)
		}
	}
}

func member(group urn.URN, aspect, list string) map[urn.URN]map[string]string {
	return map[urn.URN]map[string]string{
		authtest.Jo: {aspect: `{"` + list + `":["` + string(group) + `"]}`},
		group:       {"corpGroupInfo": `{"displayName":"g","admins":[],"members":[],"groups":[]}`},
	}
}

// absent removes the facts of a group, including its role.
func absent(group urn.URN, facts map[urn.URN]map[string]string) map[urn.URN]map[string]string {
	delete(facts, group)
	return facts
}

// softDeleted returns the facts of a soft-deleted entity.
func softDeleted(u urn.URN) map[urn.URN]map[string]string {
	return map[urn.URN]map[string]string{u: {"status": `{"removed":true}`}}
}

func roles(of urn.URN, roles ...urn.URN) map[urn.URN]map[string]string {
	list := make([]string, len(roles))
	for i, r := range roles {
		list[i] = `"` + string(r) + `"`
	}
	return map[urn.URN]map[string]string{of: {"roleMembership": `{"roles":[` + strings.Join(list, ",") + `]}`}}
}

func owned(by, typeURN urn.URN) map[urn.URN]map[string]string {
	return map[urn.URN]map[string]string{dataset: {"ownership": ownership(by, typeURN)}}
}

func with(a, b map[urn.URN]map[string]string) map[urn.URN]map[string]string {
	for u, aspects := range b {
		if a[u] == nil {
			a[u] = map[string]string{}
		}
		maps.Copy(a[u], aspects)
	}
	return a
}

// asset has a value in every field, most of them with ancestors.
var asset = map[urn.URN]map[string]string{
	dataset: {
		"domains": `{"domains":["urn:li:domain:shop"]}`, "container": `{"container":"urn:li:container:schema"}`,
		"ownership": ownership(authtest.Mia, expert), "globalTags": `{"tags":[{"tag":"urn:li:tag:pii"}]}`,
		"glossaryTerms":        `{"terms":[{"urn":"urn:li:glossaryTerm:order"}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`,
		"dataPlatformInstance": `{"platform":"urn:li:dataPlatform:hive","instance":"urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,eu)"}`,
		"schemaMetadata": `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},` +
			`"fields":[{"fieldPath":"id","nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}},"globalTags":{"tags":[{"tag":"urn:li:tag:column"}]}}]}`,
	},
	"urn:li:domain:shop":        {"domainProperties": `{"name":"shop","parentDomain":"urn:li:domain:company"}`},
	"urn:li:domain:company":     {"domainProperties": `{"name":"company"}`},
	"urn:li:container:schema":   {"container": `{"container":"urn:li:container:db"}`},
	"urn:li:glossaryTerm:order": {"glossaryTermInfo": `{"definition":"","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:sales"}`},
	"urn:li:glossaryNode:sales": {"glossaryNodeInfo": `{"definition":"","parentNode":"urn:li:glossaryNode:words"}`},
	authtest.Mia:                {"groupMembership": `{"groups":["urn:li:corpGroup:team"]}`},
}

func TestOverWhatAPolicyGrants(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.store(t, asset)
	none, some := []urn.URN{}, []urn.URN{dataset, chart}
	is := func(field string, values ...string) *resources { return where(criterion{field, values, "EQUALS"}) }
	begins := func(field string, values ...string) *resources { return where(criterion{field, values, "STARTS_WITH"}) }
	not := func(field string, values ...string) *resources { return where(criterion{field, values, "NOT_EQUALS"}) }
	over, nowhere := auth.Over(dataset, auth.EditTags), auth.ForPlatform(auth.EditTags)
	ofType := auth.Check{AnyOf: []auth.Privilege{auth.EditTags}, Type: "dataset"}
	within := auth.Check{AnyOf: []auth.Privilege{auth.EditTags}, Type: "dataset", Within: "urn:li:container:schema"}
	mia := auth.Over(authtest.Mia, auth.EditTags)
	on := func(u urn.URN) auth.Check { return auth.Over(u, auth.EditTags) }
	for name, tc := range map[string]struct {
		resources *resources
		check     auth.Check
		want      bool
	}{
		"no resources, an entity":                      {nil, over, true},
		"no resources, a type":                         {nil, ofType, true},
		"no resources, and none asked":                 {nil, nowhere, true},
		"all resources, an entity":                     {&resources{All: true}, over, true},
		"all resources, and none asked":                {&resources{All: true}, nowhere, false},
		"empty resources, an entity":                   {&resources{}, over, true},
		"an empty filter, an entity":                   {where(), over, true},
		"an empty filter, a type":                      {where(), ofType, true},
		"an empty filter, and none asked":              {where(), nowhere, false},
		"the older form by type":                       {&resources{Type: "dataset"}, over, true},
		"the older form by another type":               {&resources{Type: "chart"}, over, false},
		"the older form by URN":                        {&resources{Resources: &some}, over, true},
		"the older form by another URN":                {&resources{Resources: &[]urn.URN{chart}}, over, false},
		"the older form by no URN":                     {&resources{Type: "dataset", Resources: &none}, over, false},
		"the older form by all of a type":              {&resources{Type: "dataset", Resources: &none, All: true}, over, true},
		"the older form beside a filter is ignored":    {&resources{Type: "chart", Filter: &filter{[]criterion{}}}, over, true},
		"the older form by URN, a type":                {&resources{Resources: &some}, ofType, false},
		"the type":                                     {is("TYPE", "chart", "dataset"), over, true},
		"the type by its older name":                   {is("RESOURCE_TYPE", "dataset"), over, true},
		"another type":                                 {is("TYPE", "chart"), over, false},
		"not the type":                                 {not("TYPE", "dataset"), over, false},
		"the type, asked about it":                     {is("TYPE", "dataset"), ofType, true},
		"the URN":                                      {is("URN", string(dataset)), over, true},
		"the URN by its older name":                    {is("RESOURCE_URN", string(dataset)), over, true},
		"the beginning of the URN":                     {begins("URN", "urn:li:dataset:(urn:li:dataPlatform:hive,shop."), over, true},
		"the beginning of another":                     {begins("URN", "urn:li:dataset:(urn:li:dataPlatform:hive,Shop."), over, false},
		"the URN, asked about the type":                {begins("URN", "urn:li:dataset"), ofType, false},
		"the domain":                                   {is("DOMAIN", "urn:li:domain:shop"), over, true},
		"the domain above":                             {is("DOMAIN", "urn:li:domain:company"), over, true},
		"not the domain above":                         {not("DOMAIN", "urn:li:domain:company"), over, false},
		"another domain":                               {is("DOMAIN", "urn:li:domain:other"), over, false},
		"a domain is in itself":                        {is("DOMAIN", "urn:li:domain:shop"), on("urn:li:domain:shop"), true},
		"a domain is in that above":                    {is("DOMAIN", "urn:li:domain:company"), on("urn:li:domain:shop"), true},
		"a domain is not in that below":                {is("DOMAIN", "urn:li:domain:shop"), on("urn:li:domain:company"), false},
		"the domain, asked about the type":             {is("DOMAIN", "urn:li:domain:shop"), ofType, false},
		"not the domain, asked about the type":         {not("DOMAIN", "urn:li:domain:shop"), ofType, true},
		"the container":                                {is("CONTAINER", "urn:li:container:schema"), over, true},
		"the container above":                          {is("CONTAINER", "urn:li:container:db"), over, true},
		"a container is in itself":                     {is("CONTAINER", "urn:li:container:db"), on("urn:li:container:db"), true},
		"the container, asked about what is in it":     {is("CONTAINER", "urn:li:container:schema"), within, true},
		"the container above, asked about contents":    {is("CONTAINER", "urn:li:container:db"), within, true},
		"another container, asked about contents":      {is("CONTAINER", "urn:li:container:other"), within, false},
		"no resources, asked about contents":           {nil, within, true},
		"the type, asked about contents":               {is("TYPE", "dataset"), within, true},
		"another type, asked about contents":           {is("TYPE", "container"), within, false},
		"no tag of some, asked about contents":         {not("TAG", "urn:li:tag:pii"), within, false},
		"not the container, asked about contents":      {not("CONTAINER", "urn:li:container:db"), within, false},
		"not another container, asked about contents":  {not("CONTAINER", "urn:li:container:other"), within, true},
		"the owner":                                    {is("OWNER", string(authtest.Mia)), over, true},
		"another owner":                                {is("OWNER", string(authtest.Jo)), over, false},
		"the tag":                                      {is("TAG", "urn:li:tag:pii"), over, true},
		"the tag of a column":                          {is("TAG", "urn:li:tag:column"), over, false},
		"no tag of some":                               {not("TAG", "urn:li:tag:pii"), over, false},
		"no tag of some, where there is none":          {not("TAG", "urn:li:tag:pii"), mia, true},
		"no tag of some, of what is not stored":        {not("TAG", "urn:li:tag:pii"), on(chart), false},
		"another type, of what is not stored":          {not("TYPE", "dataset"), on(chart), true},
		"no tag of some, of what is about to be":       {not("TAG", "urn:li:tag:pii"), proposing(on(chart), "urn:li:domain:shop"), true},
		"the term":                                     {is("GLOSSARY", "urn:li:glossaryTerm:order"), over, true},
		"the node above":                               {is("GLOSSARY", "urn:li:glossaryNode:words"), over, true},
		"a term is in itself":                          {is("GLOSSARY", "urn:li:glossaryTerm:order"), on("urn:li:glossaryTerm:order"), true},
		"a node is below another":                      {is("GLOSSARY", "urn:li:glossaryNode:words"), on("urn:li:glossaryNode:sales"), true},
		"the platform instance":                        {is("DATA_PLATFORM_INSTANCE", "urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,eu)"), over, true},
		"another platform instance":                    {is("DATA_PLATFORM_INSTANCE", "urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,us)"), over, false},
		"an instance is its own":                       {begins("DATA_PLATFORM_INSTANCE", "urn:li:dataPlatformInstance:"), on("urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,eu)"), true},
		"the group of a user":                          {is("GROUP_MEMBERSHIP", string(team)), mia, true},
		"another group":                                {is("GROUP_MEMBERSHIP", string(native)), mia, false},
		"the group, of what is no user":                {is("GROUP_MEMBERSHIP", string(team)), over, false},
		"a field in lower case":                        {is("domain", "urn:li:domain:shop"), over, true},
		"a field that is not known":                    {is("COLOUR", "red"), over, false},
		"a field that is not known, and other values":  {not("COLOUR", "red"), over, false},
		"no values":                                    {is("TYPE"), over, false},
		"no beginnings":                                {begins("TYPE"), over, false},
		"other than no values":                         {not("TYPE"), over, true},
		"a condition that is not known":                {where(criterion{"TYPE", []string{"dataset"}, "LIKE"}), over, false},
		"all criteria hold":                            {where(criterion{"TYPE", []string{"dataset"}, "EQUALS"}, criterion{"DOMAIN", []string{"urn:li:domain:company"}, "EQUALS"}), over, true},
		"one of two criteria holds":                    {where(criterion{"TYPE", []string{"dataset"}, "EQUALS"}, criterion{"DOMAIN", []string{"urn:li:domain:other"}, "EQUALS"}), over, false},
		"proposed domains of an entity that has some":  {is("DOMAIN", "urn:li:domain:other"), proposing(over, "urn:li:domain:other"), false},
		"proposed domains of an entity that has none":  {is("DOMAIN", "urn:li:domain:company"), proposing(on(chart), "urn:li:domain:shop"), true},
		"domains as they will be":                      {is("DOMAIN", "urn:li:domain:other"), after(over, "urn:li:domain:other"), true},
		"domains as they will not be any more":         {is("DOMAIN", "urn:li:domain:shop"), after(over), false},
		"other domains than those that it will not be": {not("DOMAIN", "urn:li:domain:shop"), after(over), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := metadata(tc.resources, auth.EditTags)
			if got := f.wouldAllow(t, p, tc.check); got != tc.want {
				t.Errorf("it grants: %v", got)
			}
			p.Type = "PLATFORM"
			if !f.wouldAllow(t, p, tc.check) {
				t.Error("a policy over the platform looks at resources")
			}
		})
	}
}

// wouldAllow reports whether a policy that is not stored grants Jo a check. Rules refuse to store
// some forms of policies.
func (f *fixture) wouldAllow(t testing.TB, p info, c auth.Check) bool {
	t.Helper()
	x, err := f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, c, policy.Compile("urn:li:dataHubPolicy:p", p.object(t)))
	if err != nil {
		t.Fatal(err)
	}
	return x.Decision.Allowed()
}

func proposing(c auth.Check, domains ...urn.URN) auth.Check {
	c.Domains = domains
	return c
}

func after(c auth.Check, domains ...urn.URN) auth.Check {
	c.Domains, c.DomainsAfter = domains, true
	return c
}

func TestAHierarchyThatIsACycleEnds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.store(t, map[urn.URN]map[string]string{
		dataset:              {"container": `{"container":"urn:li:container:a"}`},
		"urn:li:container:a": {"container": `{"container":"urn:li:container:b"}`},
		"urn:li:container:b": {"container": `{"container":"urn:li:container:a"}`},
	})
	for container, want := range map[string]bool{"urn:li:container:b": true, "urn:li:container:c": false} {
		f.put(t, "p", metadata(where(criterion{"CONTAINER", []string{container}, "EQUALS"}), auth.EditTags))
		if got := f.allows(t, authtest.Jo, auth.Over(dataset, auth.EditTags)); got != want {
			t.Errorf("%s: %v", container, got)
		}
	}
}

func TestConstraintsNarrowWhatMayBeAttached(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	f.put(t, "p", metadata(&resources{All: true, Constraints: &filter{[]criterion{{"URN", []string{"urn:li:tag:public"}, "EQUALS"}}}}, auth.EditTags))
	tags := func(tags ...urn.URN) auth.Check {
		c := auth.Over(dataset, auth.EditTags)
		c.Tags = tags
		return c
	}
	for name, tc := range map[string]struct {
		check auth.Check
		want  bool
	}{
		"whether tags are edited at all": {tags(), true},
		"a tag that may be attached":     {tags("urn:li:tag:public"), true},
		"one that may not":               {tags("urn:li:tag:secret"), false},
		"both":                           {tags("urn:li:tag:public", "urn:li:tag:secret"), false},
	} {
		if got := f.allows(t, authtest.Jo, tc.check); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestOnlyActivePoliciesGrant(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	for state, want := range map[string]bool{policy.Active: true, "INACTIVE": false, "DRAFT": false, "active": false, "": false} {
		p := platform(auth.ManageTags)
		p.State = state
		f.put(t, "p", p)
		if got := f.allows(t, authtest.Jo, auth.ForPlatform(auth.ManageTags)); got != want {
			t.Errorf("state %q: %v", state, got)
		}
	}
}

func TestOverOneselfEveryUserHoldsWhatReads(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	for _, p := range []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity} {
		if !f.allows(t, authtest.Jo, auth.Over(authtest.Jo, p)) || f.allows(t, authtest.Jo, auth.Over(authtest.Mia, p)) {
			t.Errorf("%s over oneself or over somebody else", p)
		}
	}
	for _, c := range []auth.Check{
		auth.Over(authtest.Jo, auth.EditProfile), auth.On(auth.OpDelete, authtest.Jo, ""), auth.On(auth.OpUpdate, authtest.Jo, "corpUserInfo"), auth.On(auth.OpUpdate, authtest.Jo, "status"),
	} {
		if f.allows(t, authtest.Jo, c) {
			t.Errorf("it goes further: %+v", c)
		}
	}
	if !f.allows(t, authtest.Jo, auth.On(auth.OpRead, authtest.Jo, "")) {
		t.Error("nobody reads oneself")
	}
}

func TestTheSystemActorMayDoEverythingAndItsNameAloneNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	c := auth.ForPlatform(auth.ManageSystem)
	if !f.allows(t, model.SystemActor, c) {
		t.Error("the system actor is refused")
	}
	err := f.Refusal(auth.WithActor(t.Context(), auth.Actor{URN: model.SystemActor}), c)
	if fault.KindOf(err) != fault.Forbidden {
		t.Errorf("its name alone: %v", err)
	}
}

func TestWithPoliciesSwitchedOffEverybodyWhoIsSignedInMayDoEverything(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{Off: true})
	for _, c := range []auth.Check{auth.ForPlatform(auth.ManageSystem), auth.On(auth.OpDelete, dataset, ""), auth.OfType(auth.OpRead, "dataHubSecret"), auth.ManageType("corpuser")} {
		if !f.allows(t, authtest.Jo, c) {
			t.Errorf("%+v is refused", c)
		}
	}
	if err := f.Refusal(t.Context(), auth.ForPlatform(auth.ManageSystem)); fault.KindOf(err) != fault.Unauthenticated || !strings.Contains(fault.Message(err), "Bearer") {
		t.Errorf("without an actor: %v", err)
	}
	if f.Deciding() != nil {
		t.Errorf("decisions depend on %v", f.Deciding())
	}
}

func TestManagingATypeTakesUpdatingAndDeletingIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	both := []auth.Check{auth.ManageType("corpuser"), auth.ManageType("corpGroup")}
	for name, tc := range map[string]struct {
		privileges []auth.Privilege
		want       []bool
	}{
		"one privilege for both":     {[]auth.Privilege{auth.ManageUsers}, []bool{true, true}},
		"updating users and groups":  {[]auth.Privilege{auth.UpdateUsersAndGroups}, []bool{false, false}},
		"creating users and groups":  {[]auth.Privilege{auth.CreateUsersAndGroups}, []bool{false, false}},
		"users alone":                {[]auth.Privilege{auth.UpdateUsers}, []bool{true, false}},
		"users, and groups":          {[]auth.Privilege{auth.UpdateUsers, auth.UpdateGroups}, []bool{true, true}},
		"editing and deleting":       {[]auth.Privilege{auth.EditEntity, auth.DeleteEntity}, []bool{false, false}},
		"what is about other things": {[]auth.Privilege{auth.ManagePolicies}, []bool{false, false}},
	} {
		f.put(t, "p", platform(tc.privileges...))
		got := f.decide(t, authtest.Jo, both...)
		if allowed := []bool{got[0].Allowed(), got[1].Allowed()}; !slices.Equal(allowed, tc.want) {
			t.Errorf("%s: %v, want %v", name, allowed, tc.want)
		}
	}
	f.put(t, "p", platform(auth.EditEntity, auth.DeleteEntity))
	if f.allows(t, authtest.Jo, auth.ManageType("dataHubAccessToken")) {
		t.Error("editing and deleting counts as managing tokens")
	}
	if f.allows(t, authtest.Jo, auth.ManageType("form")) {
		t.Error("editing and deleting everything counts as managing forms")
	}
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"form"}, "EQUALS"}), auth.EditEntity, auth.DeleteEntity))
	if !f.allows(t, authtest.Jo, auth.ManageType("form")) {
		t.Error("editing and deleting all forms does not count as managing them")
	}
	// The service applies the actions of a test to any asset.
	f.put(t, "p", platform(auth.CreateEntity, auth.EditEntity, auth.DeleteEntity))
	for _, op := range []auth.Operation{auth.OpCreate, auth.OpUpdate, auth.OpDelete} {
		if f.allows(t, authtest.Jo, auth.On(op, "urn:li:test:x", "testInfo")) {
			t.Errorf("rights over a test are enough to %s it", op)
		}
	}
}

func TestColumnsAreReadAsTheirDatasets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	const column urn.URN = "urn:li:schemaField:(" + dataset + ",id)"
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"dataset"}, "EQUALS"}), auth.ViewPage, auth.EditEntity))
	if !f.allows(t, authtest.Jo, auth.On(auth.OpRead, column, "")) || f.allows(t, authtest.Jo, auth.On(auth.OpUpdate, column, "globalTags")) {
		t.Error("columns are read as their datasets, and written by themselves")
	}
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"schemaField"}, "EQUALS"}), auth.ViewPage))
	if !f.allows(t, authtest.Jo, auth.On(auth.OpRead, column, "")) {
		t.Error("the right over the column does not suffice")
	}
}

func TestBridgeDocumentsAreReadAsTheirSources(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{})
	document := func(source string) string {
		return `{"contents":{"text":""},"status":{"state":"PUBLISHED"},"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"},` +
			`"customProperties":{"bridge_source_entity":"` + source + `","bridge_type":"dataset"}}`
	}
	bridge := `{"typeNames":["Bridge Document"]}`
	f.store(t, map[urn.URN]map[string]string{
		dataset:                        {"status": `{"removed":false}`},
		"urn:li:document:bridge-1":     {"documentInfo": document(string(dataset)), "subTypes": bridge},
		"urn:li:document:bridge-gone":  {"documentInfo": document("urn:li:dataset:(urn:li:dataPlatform:hive,gone,PROD)"), "subTypes": bridge},
		"urn:li:document:bridge-plain": {"documentInfo": document(string(dataset))},
		"urn:li:document:other":        {"documentInfo": document(string(dataset)), "subTypes": bridge},
	})
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"dataset"}, "EQUALS"}), auth.ViewPage))
	for id, want := range map[string]bool{"bridge-1": true, "bridge-gone": false, "bridge-plain": false, "other": false} {
		if got := f.allows(t, authtest.Jo, auth.On(auth.OpRead, urn.Make("document", id), "")); got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
	f.put(t, "p", platform(auth.ManageDocuments))
	if !f.allows(t, authtest.Jo, auth.On(auth.OpRead, "urn:li:document:other", "")) {
		t.Error("who manages documents does not read them")
	}
}

func TestQueriesAreReadByWhoeverReadsAllTheyAsk(t *testing.T) {
	t.Parallel()
	f := newFixture(t, policy.Config{ViewAuthorization: true})
	f.store(t, map[urn.URN]map[string]string{
		"urn:li:query:one":  {"querySubjects": `{"subjects":[{"entity":"` + string(dataset) + `"}]}`},
		"urn:li:query:both": {"querySubjects": `{"subjects":[{"entity":"` + string(dataset) + `"},{"entity":"` + string(chart) + `"}]}`},
		"urn:li:query:none": {"querySubjects": `{"subjects":[]}`},
	})
	want := func(name string, one, both, none bool) {
		t.Helper()
		got := f.decide(t, authtest.Jo, auth.On(auth.OpRead, "urn:li:query:one", ""), auth.On(auth.OpRead, "urn:li:query:both", ""), auth.On(auth.OpRead, "urn:li:query:none", ""))
		if got[0].Allowed() != one || got[1].Allowed() != both || got[2].Allowed() != none {
			t.Errorf("%s: one %v, both %v, none %v", name, got[0].Allowed(), got[1].Allowed(), got[2].Allowed())
		}
	}
	f.put(t, "p", metadata(where(criterion{"TYPE", []string{"dataset", "query"}, "EQUALS"}), auth.ViewPage))
	want("reading datasets", true, false, false)
	f.put(t, "q", metadata(where(criterion{"TYPE", []string{"chart"}, "EQUALS"}), auth.EditQueries))
	want("editing queries of charts as well", true, true, false)
	f.put(t, "p", metadata(nil, auth.ViewPage))
	want("reading everything", true, true, true)
}

func TestWhatIsAboutAssetsIsReadByWhoeverReadsThemAll(t *testing.T) {
	t.Parallel()
	const other urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.secret,PROD)"
	column := string(urn.Make("schemaField", string(dataset), "id"))
	const model = `{"upstreams":[{"dataset":"%s","type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}]}`
	aspects := map[urn.URN][2]string{
		"urn:li:incident:one":                                          {"incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"entities":["` + string(dataset) + `"]}`},
		"urn:li:incident:column":                                       {"incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"entities":["` + column + `"]}`},
		"urn:li:incident:both":                                         {"incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"entities":["` + string(dataset) + `","` + string(other) + `"]}`},
		"urn:li:incident:none":                                         {"incidentInfo", `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"entities":[]}`},
		"urn:li:assertion:one":                                         {"assertionInfo", `{"type":"SQL","sqlAssertion":{"type":"METRIC","entity":"` + string(dataset) + `","statement":"select","operator":"EQUAL_TO","parameters":{"value":{"value":"0","type":"NUMBER"}}}}`},
		"urn:li:assertion:column":                                      {"assertionInfo", `{"type":"DATASET","datasetAssertion":{"scope":"DATASET_COLUMN","operator":"EQUAL_TO","dataset":"` + string(dataset) + `","fields":["` + column + `"]}}`},
		"urn:li:assertion:none":                                        {"assertionInfo", `{"type":"CUSTOM"}`},
		"urn:li:dataContract:one":                                      {"dataContractProperties", `{"entity":"` + string(dataset) + `"}`},
		"urn:li:erModelRelationship:one":                               {"erModelRelationshipProperties", `{"name":"r","relationshipFieldMappings":[],"source":"` + string(dataset) + `","destination":"` + string(dataset) + `"}`},
		"urn:li:erModelRelationship:both":                              {"erModelRelationshipProperties", `{"name":"r","relationshipFieldMappings":[],"source":"` + string(dataset) + `","destination":"` + string(other) + `"}`},
		urn.Make("metric", "urn:li:dataPlatform:x", "p", "one"):        {"metricUpstreams", `{"fieldUpstreams":[{"destinationUrn":"` + column + `"}]}`},
		urn.Make("metric", "urn:li:dataPlatform:x", "p", "none"):       {"metricUpstreams", `{}`},
		urn.Make("semanticModel", "urn:li:dataPlatform:x", "p", "one"): {"upstreamLineage", fmt.Sprintf(model, dataset)},
		urn.Make("dataProcess", "both", "airflow", "PROD"):             {"dataProcessInfo", `{"inputs":["` + string(dataset) + `"],"outputs":["` + string(other) + `"]}`},
	}
	f := newFixture(t, policy.Config{ViewAuthorization: true})
	var all []urn.URN
	for u, aspect := range aspects {
		all = append(all, u)
		f.store(t, map[urn.URN]map[string]string{u: {aspect[0]: aspect[1]}})
	}
	all = append(all, "urn:li:incident:absent")
	want := func(name string, reads func(u urn.URN) bool) {
		t.Helper()
		visible, err := f.Visible(request(t, authtest.Jo), auth.Reading{Kind: auth.ReadSearch, Types: []string{"incident", "dataset"}})
		if err != nil {
			t.Fatal(err)
		}
		sees, err := visible.Sees(request(t, authtest.Jo), all)
		if err != nil {
			t.Fatal(err)
		}
		var checks []auth.Check
		for _, u := range all {
			checks = append(checks, auth.On(auth.OpRead, u, ""))
		}
		for i, d := range f.decide(t, authtest.Jo, checks...) {
			alone, aspect := f.allows(t, authtest.Jo, checks[i]), f.allows(t, authtest.Jo, auth.On(auth.OpRead, all[i], aspects[all[i]][0]))
			if want := reads(all[i]); d.Allowed() != want || alone != want || aspect != want || len(visible.Filter) > 0 && sees[i] != want {
				t.Errorf("%s: %s is read: %v, alone: %v, its aspect: %v, seen: %v; want %v", name, all[i], d.Allowed(), alone, aspect, sees[i], want)
			}
		}
	}
	has := func(parts ...string) func(u urn.URN) bool {
		return func(u urn.URN) bool {
			return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(string(u), part) })
		}
	}
	want("without any right", has())
	f.put(t, "q", metadata(where(criterion{"URN", []string{string(other)}, "EQUALS"}), auth.EditIncidents, auth.EditAssertions, auth.EditContract))
	want("writing about another alone", has())
	f.put(t, "p", metadata(where(criterion{"URN", []string{string(dataset)}, "EQUALS"}), auth.ViewPage))
	f.put(t, "q", metadata(where(criterion{"URN", []string{string(other)}, "EQUALS"}), auth.ViewProfile))
	want("reading a dataset", has(":one", "column"))
	f.put(t, "q", metadata(where(criterion{"URN", []string{string(other)}, "EQUALS"}), auth.EditIncidents))
	want("writing incidents of another as well", has(":one", "column", "incident:both"))
	f.put(t, "q", metadata(where(criterion{"URN", []string{"urn:li:erModelRelationship:both"}, "EQUALS"}), auth.ViewPage))
	want("by a grant on the entity itself", has(":one", "column", "erModelRelationship:both"))
	f.put(t, "p", metadata(nil, auth.ViewPage))
	want("reading everything", func(urn.URN) bool { return true })
}

// Entities of types that can be in a domain are assets, which a policy may hide.
func TestNoAssetIsUnrestrictedByDefault(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	assets := 0
	for _, entity := range registry.Entities() {
		if _, has := entity.Aspect("domains"); !has {
			continue
		}
		assets++
		if entity.ViewUnrestricted || slices.Contains(policy.DefaultUnrestricted(), entity.Name) {
			t.Errorf("everybody views each %s, which may lie in a domain", entity.Name)
		}
	}
	if assets < 20 {
		t.Errorf("only %d types may lie in a domain", assets)
	}
}

func TestNothingThatIsAboutAssetsIsUnrestrictedByItself(t *testing.T) {
	t.Parallel()
	for _, name := range policy.DefaultUnrestricted() {
		if aspect := document.SubjectsAspect(name); aspect != "" {
			t.Errorf("everybody views each %s, which names assets in %s", name, aspect)
		}
	}
	// An operator may list such a type.
	f := newFixture(t, policy.Config{ViewAuthorization: true, Unrestricted: []string{"incident"}})
	f.store(t, map[urn.URN]map[string]string{"urn:li:incident:one": {"incidentInfo": `{"type":"OPERATIONAL","status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"},"entities":["` + string(dataset) + `"]}`}})
	if !f.allows(t, authtest.Jo, auth.On(auth.OpRead, "urn:li:incident:one", "")) {
		t.Error("an incident is hidden, while everybody views incidents")
	}
}

func TestPersonalViewsAreReadByTheirCreatorsAndByWhoManagesViews(t *testing.T) {
	t.Parallel()
	const mine, shared urn.URN = "urn:li:dataHubView:mine", "urn:li:dataHubView:shared"
	f := plainly(t)
	all := metadata(nil, auth.ViewPage)
	all.Actors = actors{AllUsers: true}
	f.put(t, "everybody", all)
	stamp := `"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"},"name":"v","definition":{"entityTypes":[],"filter":{"or":[]}}`
	f.store(t, map[urn.URN]map[string]string{mine: {"dataHubViewInfo": `{"type":"PERSONAL",` + stamp + `}`}, shared: {"dataHubViewInfo": `{"type":"GLOBAL",` + stamp + `}`}})
	for _, c := range []struct {
		actor urn.URN
		sees  []bool
	}{{authtest.Jo, []bool{true, true, true}}, {authtest.Mia, []bool{false, true, true}}, {authtest.Root, []bool{true, true, true}}} {
		ctx := request(t, c.actor)
		asked := []urn.URN{mine, shared, dataset}
		visible, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubView", "dataset"}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := visible.Sees(ctx, asked); err != nil || !slices.Equal(got, c.sees) {
			t.Errorf("%s sees %v, %v; want %v", c.actor, got, err, c.sees)
		}
		if restricted := visible.Filter != nil; restricted != (c.actor != authtest.Root) {
			t.Errorf("%s searches by %v", c.actor, visible.Filter)
		}
		for i, d := range f.decide(t, c.actor, auth.On(auth.OpRead, mine, ""), auth.On(auth.OpRead, shared, "dataHubViewInfo"), auth.On(auth.OpRead, dataset, "")) {
			if d.Allowed() != c.sees[i] {
				t.Errorf("%s reads %s: %v", c.actor, asked[i], d.Err())
			}
		}
	}
}

// MANAGE_GLOBAL_VIEWS is a platform privilege, which a token with criteria on resources cannot use.
func TestATokenWithCriteriaReadsNoPersonalViewsOfOthers(t *testing.T) {
	t.Parallel()
	const mine, shared urn.URN = "urn:li:dataHubView:mine", "urn:li:dataHubView:shared"
	f := plainly(t)
	stamp := `"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"},"name":"v","definition":{"entityTypes":[],"filter":{"or":[]}}`
	f.store(t, map[urn.URN]map[string]string{mine: {"dataHubViewInfo": `{"type":"PERSONAL",` + stamp + `}`}, shared: {"dataHubViewInfo": `{"type":"GLOBAL",` + stamp + `}`}})
	for _, c := range []auth.Criterion{
		{Field: auth.FieldType, Values: []string{"dataHubView"}, Condition: auth.Equals}, {Field: auth.FieldURN, Values: []string{string(mine), string(shared)}, Condition: auth.Equals},
		{Field: auth.FieldType, Values: []string{"tag"}, Condition: auth.NotEquals},
	} {
		ctx := scoped(t, authtest.Root, auth.Scope{Resources: []auth.Criterion{c}})
		if err := f.Refusal(ctx, auth.On(auth.OpRead, mine, "dataHubViewInfo")); !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s %s: a personal view of another user: %v", c.Field, c.Condition, err)
		}
		if err := f.Refusal(ctx, auth.On(auth.OpRead, shared, "dataHubViewInfo")); err != nil {
			t.Errorf("%s %s: a global view: %v", c.Field, c.Condition, err)
		}
	}
}

func TestAReadingOfNothingThatMayBeReadIsRefused(t *testing.T) {
	t.Parallel()
	f := plainly(t)
	ctx := request(t, authtest.Jo)
	if _, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubSecret", "globalSettings"}}); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), "MANAGE_SECRETS") {
		t.Errorf("got %v", err)
	}
	visible, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubSecret", "dataset"}})
	if err != nil || !slices.Equal(visible.Types, []string{"dataset"}) || visible.Filter != nil {
		t.Errorf("got %+v, %v", visible, err)
	}
}

func TestUnrestrictedTypesAreViewedByEverybodyUnlessTheyAreKeptBack(t *testing.T) {
	t.Parallel()
	const container, secret urn.URN = "urn:li:container:c", "urn:li:dataHubSecret:s"
	for _, on := range []bool{true, false} {
		f := newFixture(t, policy.Config{ViewAuthorization: on, Unrestricted: []string{"container", "dataHubSecret"}})
		for u, want := range map[urn.URN]bool{container: on, secret: false, dataset: false} {
			if got := f.allows(t, authtest.Jo, auth.On(auth.OpRead, u, "")); got != want {
				t.Errorf("view authorization %v: %s is read: %v", on, u, got)
			}
			if f.allows(t, authtest.Jo, auth.On(auth.OpUpdate, u, "")) {
				t.Errorf("%s is written", u)
			}
		}
		v, err := f.Visible(request(t, authtest.Jo), auth.Reading{Kind: auth.ReadSearch, Types: []string{"container", "dataHubSecret", "dataset"}})
		if on && (err != nil || !slices.Equal(v.Types, []string{"container", "dataset"}) || v.Filter == nil) || !on && fault.KindOf(err) != fault.Forbidden {
			t.Errorf("view authorization %v: %+v, %v", on, v, err)
		}
		if !on {
			continue
		}
		if sees, err := v.Sees(request(t, authtest.Jo), []urn.URN{container, secret, dataset}); err != nil || !slices.Equal(sees, []bool{true, false, false}) {
			t.Errorf("on the way are seen %v, %v", sees, err)
		}
	}
}

func TestATypeThatIsReadExceptForSomeIsSeenInPart(t *testing.T) {
	t.Parallel()
	const other urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.secret,PROD)"
	f := newFixture(t, policy.Config{})
	f.put(t, "p", metadata(where(criterion{"URN", []string{string(other)}, "NOT_EQUALS"}), auth.ViewPage))
	ctx := request(t, authtest.Jo)
	reading := auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataset"}}
	v, err := f.Visible(ctx, reading)
	if err != nil || len(v.Filter) != 1 || !v.Filter[0][1].Negated || v.Key == "" {
		t.Fatalf("sees %+v, %v", v, err)
	}
	if sees, err := v.Sees(ctx, []urn.URN{dataset, other, chart}); err != nil || !slices.Equal(sees, []bool{true, false, true}) {
		t.Errorf("on the way are seen %v, %v", sees, err)
	}
	// A policy on the whole type, and one without values, exclude nothing.
	for _, c := range []criterion{{"TYPE", []string{"dataset"}, "EQUALS"}, {"DOMAIN", []string{}, "NOT_EQUALS"}} {
		f.put(t, "q", metadata(where(c), auth.GetEntity))
		if v, err := f.Visible(request(t, authtest.Jo), reading); err != nil || v.Filter != nil {
			t.Errorf("with %+v: %+v, %v", c, v.Filter, err)
		}
	}
	// A policy on some entities does not open the type.
	f.put(t, "p", metadata(where(criterion{"URN", []string{string(dataset)}, "EQUALS"}), auth.ViewPage))
	f.put(t, "q", metadata(where(criterion{"TYPE", []string{"chart"}, "EQUALS"}), auth.ViewPage))
	if _, err := f.Visible(request(t, authtest.Jo), reading); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by policies over others: %v", err)
	}
}
