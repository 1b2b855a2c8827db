package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

// small is the model of a small catalog, from which a naive evaluator takes the facts that policies
// use. It shares no code with the Engine: no index, no cache, no compiled form.
type small struct {
	groups, roles map[urn.URN][]urn.URN // groups of users, and roles of users and groups
	owners        map[urn.URN][][2]urn.URN
	domains       map[urn.URN][]urn.URN
	containers    map[urn.URN][]urn.URN
	tags, terms   map[urn.URN][]urn.URN
	instances     map[urn.URN][]urn.URN
	parents       map[urn.URN]urn.URN
	stored        func(urn.URN) bool
}

func (s *small) above(urns []urn.URN) (all []string) {
	for _, u := range urns {
		for ; u != "" && !slices.Contains(all, string(u)); u = s.parents[u] {
			all = append(all, string(u))
		}
	}
	return all
}

// values returns the values of a field by the definition of DataHub.
func (s *small) values(name string, on urn.URN, entityType string) []string {
	self := func(types ...string) []urn.URN {
		if slices.Contains(types, entityType) {
			return []urn.URN{on}
		}
		return nil
	}
	switch name = strings.ToUpper(name); {
	case name == "TYPE" || name == "RESOURCE_TYPE":
		return []string{entityType}
	case on == "":
		return nil
	}
	var plain []string
	switch name {
	case "URN", "RESOURCE_URN":
		return []string{string(on)}
	case "DOMAIN":
		return s.above(append(self("domain"), s.domains[on]...))
	case "CONTAINER":
		return s.above(append(self("container"), s.containers[on]...))
	case "GLOSSARY":
		return s.above(append(self("glossaryTerm", "glossaryNode"), s.terms[on]...))
	case "OWNER":
		for _, o := range s.owners[on] {
			plain = append(plain, string(o[0]))
		}
	case "TAG":
		for _, u := range s.tags[on] {
			plain = append(plain, string(u))
		}
	case "DATA_PLATFORM_INSTANCE":
		for _, u := range append(self("dataPlatformInstance"), s.instances[on]...) {
			plain = append(plain, string(u))
		}
	case "GROUP_MEMBERSHIP":
		if entityType == "corpuser" {
			for _, u := range s.groups[on] {
				plain = append(plain, string(u))
			}
		}
	}
	return plain
}

func (s *small) isFor(a actors, actor, on urn.URN) bool {
	groups := s.groups[actor]
	held := slices.Clone(s.roles[actor])
	for _, g := range groups {
		held = append(held, s.roles[g]...)
	}
	anyOf := func(a, b []urn.URN) bool {
		return slices.ContainsFunc(a, func(u urn.URN) bool { return slices.Contains(b, u) })
	}
	if a.AllUsers || slices.Contains(a.Users, actor) || a.AllGroups && len(groups) > 0 || anyOf(a.Groups, groups) || anyOf(a.Roles, held) {
		return true
	}
	if !a.Owners || on == "" {
		return false
	}
	return slices.ContainsFunc(s.owners[on], func(o [2]urn.URN) bool {
		mine := o[0] == actor || slices.Contains(groups, o[0])
		return mine && (a.OwnersTypes == nil || o[1] != "" && slices.Contains(*a.OwnersTypes, string(o[1])))
	})
}

// plainFields are the fields whose values a URN contains.
var plainFields = map[string]bool{"TYPE": true, "RESOURCE_TYPE": true, "URN": true, "RESOURCE_URN": true}

// meets reports whether an entity meets a filter. An entity that is not stored does not meet
// NOT_EQUALS on stored fields, except as an attached tag.
func (s *small) meets(f *filter, on urn.URN, entityType string, checked func(urn.URN) bool) bool {
	for _, c := range f.Criteria {
		values := s.values(c.Field, on, entityType)
		equal := slices.ContainsFunc(values, func(v string) bool { return slices.Contains(c.Values, v) })
		begins := slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(c.Values, func(p string) bool { return strings.HasPrefix(v, p) })
		})
		if c.Condition == "NOT_EQUALS" && !plainFields[strings.ToUpper(c.Field)] && on != "" && !checked(on) {
			return false
		}
		if c.Condition == "EQUALS" && !equal || c.Condition == "NOT_EQUALS" && equal || c.Condition == "STARTS_WITH" && !begins {
			return false
		}
	}
	return true
}

func (s *small) holdsOver(p info, on urn.URN, entityType string) bool {
	r := p.Resources
	switch {
	case p.Type == "PLATFORM" || r == nil:
		return true
	case entityType == "":
		return false
	case r.Filter != nil:
		return s.meets(r.Filter, on, entityType, s.stored)
	case r.Type != "" && r.Type != entityType:
		return false
	}
	return r.All || r.Resources == nil || on != "" && slices.Contains(*r.Resources, on)
}

// namesType reports whether a policy names its type or entities.
func namesType(p info, entityType string) bool {
	r := p.Resources
	switch {
	case p.Type == "PLATFORM" || r == nil:
		return false
	case r.Filter == nil:
		return r.Type != "" || r.Resources != nil && !r.All
	}
	return slices.ContainsFunc(r.Filter.Criteria, func(c criterion) bool {
		byURN := strings.HasSuffix(strings.ToUpper(c.Field), "URN")
		if byURN && c.Condition == "STARTS_WITH" {
			return slices.ContainsFunc(c.Values, func(v string) bool { return strings.HasPrefix(v, "urn:li:"+entityType+":") })
		}
		return plainFields[strings.ToUpper(c.Field)] && c.Condition == "EQUALS"
	})
}

// grants evaluates all policies.
func (s *small) grants(policies []info, actor urn.URN, p auth.Privilege, on urn.URN, entityType string, tags []urn.URN) bool {
	if on == actor && slices.Contains([]auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity}, p) {
		return true
	}
	people := (entityType == "corpuser" || entityType == "corpGroup") && slices.Contains([]auth.Privilege{auth.CreateEntity, auth.EditEntity, auth.DeleteEntity}, p)
	return slices.ContainsFunc(policies, func(i info) bool {
		if people && !namesType(i, entityType) {
			return false
		}
		if i.State != "ACTIVE" || !slices.Contains(i.Privileges, p) || !s.isFor(i.Actors, actor, on) || !s.holdsOver(i, on, entityType) {
			return false
		}
		if i.Resources == nil || i.Resources.Constraints == nil {
			return true
		}
		return !slices.ContainsFunc(tags, func(tag urn.URN) bool {
			return !s.meets(i.Resources.Constraints, tag, "tag", func(urn.URN) bool { return true })
		})
	})
}

// world is a random small catalog, in both forms.
type world struct {
	*small
	*rand.Rand
	users, groupsOf, rolesOf, typesOf            []urn.URN
	domainsOf, containersOf, tagsOf, termsOf, on []urn.URN
	instancesOf                                  []urn.URN
	facts                                        map[urn.URN]map[string]string
}

func list(entityType string, n int) []urn.URN {
	out := make([]urn.URN, n)
	for i := range out {
		out[i] = urn.URN(fmt.Sprintf("urn:li:%s:%c%d", entityType, 'a'+i, i))
	}
	return out
}

func (w *world) some(of []urn.URN, most int) []urn.URN {
	var out []urn.URN
	for range w.IntN(min(most, len(of)) + 1) {
		if u := of[w.IntN(len(of))]; !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

func quoted(urns []urn.URN) string {
	texts := make([]string, len(urns))
	for i, u := range urns {
		texts[i] = `"` + string(u) + `"`
	}
	return strings.Join(texts, ",")
}

func (w *world) set(u urn.URN, aspect, value string) {
	if w.facts[u] == nil {
		w.facts[u] = map[string]string{}
	}
	w.facts[u][aspect] = value
}

func newWorld(seed uint64) *world {
	w := &world{
		Rand: rand.New(rand.NewPCG(seed, 1)), facts: map[urn.URN]map[string]string{},
		small: &small{groups: map[urn.URN][]urn.URN{}, roles: map[urn.URN][]urn.URN{}, owners: map[urn.URN][][2]urn.URN{}, domains: map[urn.URN][]urn.URN{},
			containers: map[urn.URN][]urn.URN{}, tags: map[urn.URN][]urn.URN{}, terms: map[urn.URN][]urn.URN{}, instances: map[urn.URN][]urn.URN{}, parents: map[urn.URN]urn.URN{}},
		users: list("corpuser", 6), groupsOf: list("corpGroup", 4), rolesOf: list("dataHubRole", 3), typesOf: list("ownershipType", 3),
		domainsOf: list("domain", 6), containersOf: list("container", 6), tagsOf: list("tag", 4),
		termsOf: append(list("glossaryTerm", 4), list("glossaryNode", 4)...),
	}
	for i := range 3 {
		w.instancesOf = append(w.instancesOf, urn.URN(fmt.Sprintf("urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,i%d)", i)))
	}
	for i := range 12 {
		w.on = append(w.on, urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,t%d,PROD)", i)), urn.URN(fmt.Sprintf("urn:li:chart:(looker,c%d)", i)))
	}
	w.stored = func(u urn.URN) bool { return w.facts[u] != nil }
	w.hierarchies()
	for i, u := range w.users {
		w.groups[u], w.roles[u] = w.some(w.groupsOf, 2), w.some(w.rolesOf, 1)
		first, second := w.groups[u], []urn.URN(nil)
		if i%2 == 0 {
			first, second = second, first
		}
		w.set(u, "groupMembership", `{"groups":[`+quoted(first)+`]}`)
		w.set(u, "nativeGroupMembership", `{"nativeGroups":[`+quoted(second)+`]}`)
		w.set(u, "roleMembership", `{"roles":[`+quoted(w.roles[u])+`]}`)
	}
	for _, g := range w.groupsOf {
		w.roles[g] = w.some(w.rolesOf, 1)
		w.set(g, "roleMembership", `{"roles":[`+quoted(w.roles[g])+`]}`)
	}
	for _, u := range w.on {
		w.describe(u)
	}
	w.on = slices.Concat(w.on, w.domainsOf, w.containersOf, w.termsOf, w.instancesOf, w.users, w.tagsOf)
	return w
}

// hierarchies gives each entity except the first of a kind an earlier one as its parent. Containers
// may form a cycle.
func (w *world) hierarchies() {
	for i, u := range w.domainsOf {
		w.set(u, "domainProperties", `{"name":"`+u.Key()+`"}`)
		if i > 0 && w.IntN(3) > 0 {
			w.parents[u] = w.domainsOf[w.IntN(i)]
			w.set(u, "domainProperties", `{"name":"`+u.Key()+`","parentDomain":"`+string(w.parents[u])+`"}`)
		}
	}
	for _, u := range w.containersOf {
		if parent := w.containersOf[w.IntN(len(w.containersOf))]; parent != u {
			w.parents[u], w.containers[u] = parent, []urn.URN{parent}
			w.set(u, "container", `{"container":"`+string(parent)+`"}`)
		}
	}
	nodes := w.termsOf[4:]
	for i, u := range w.termsOf {
		parent := urn.URN("")
		if i > 4 {
			parent = nodes[w.IntN(i-4)]
		} else if i < 4 {
			parent = nodes[w.IntN(len(nodes))]
		}
		aspect, value := "glossaryTermInfo", `"definition":"","termSource":"INTERNAL","name":"`+u.Key()+`"`
		if i >= 4 {
			aspect, value = "glossaryNodeInfo", `"definition":"","name":"`+u.Key()+`"`
		}
		if parent != "" {
			w.parents[u] = parent
			value += `,"parentNode":"` + string(parent) + `"`
		}
		w.set(u, aspect, `{`+value+`}`)
	}
}

func (w *world) describe(u urn.URN) {
	w.set(u, "status", `{"removed":false}`)
	if w.domains[u] = w.some(w.domainsOf, 1); len(w.domains[u]) > 0 {
		w.set(u, "domains", `{"domains":[`+quoted(w.domains[u])+`]}`)
	}
	if w.containers[u] = w.some(w.containersOf, 1); len(w.containers[u]) > 0 {
		w.set(u, "container", `{"container":"`+string(w.containers[u][0])+`"}`)
	}
	if w.instances[u] = w.some(w.instancesOf, 1); len(w.instances[u]) > 0 {
		w.set(u, "dataPlatformInstance", `{"platform":"urn:li:dataPlatform:hive","instance":"`+string(w.instances[u][0])+`"}`)
	}
	if w.tags[u] = w.some(w.tagsOf, 2); len(w.tags[u]) > 0 {
		w.set(u, "globalTags", `{"tags":[{"tag":`+strings.ReplaceAll(quoted(w.tags[u]), `,`, `},{"tag":`)+`}]}`)
	}
	if w.terms[u] = w.some(w.termsOf[:4], 2); len(w.terms[u]) > 0 {
		w.set(u, "glossaryTerms", `{"terms":[{"urn":`+strings.ReplaceAll(quoted(w.terms[u]), `,`, `},{"urn":`)+`}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	}
	var owners []string
	for _, o := range w.some(slices.Concat(w.users, w.groupsOf), 2) {
		typeURN := w.some(w.typesOf, 1)
		entry := `{"owner":"` + string(o) + `","type":"CUSTOM"`
		if len(typeURN) > 0 {
			entry += `,"typeUrn":"` + string(typeURN[0]) + `"`
			w.owners[u] = append(w.owners[u], [2]urn.URN{o, typeURN[0]})
		} else {
			w.owners[u] = append(w.owners[u], [2]urn.URN{o, ""})
		}
		owners = append(owners, entry+`}`)
	}
	if owners != nil {
		w.set(u, "ownership", `{"owners":[`+strings.Join(owners, ",")+`],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
	}
}

var asked = []auth.Privilege{auth.ViewPage, auth.EditEntity, auth.EditTags, auth.ManageTags}

func (w *world) policy() info {
	p := info{State: "ACTIVE", Type: "METADATA", Privileges: []auth.Privilege{}}
	switch w.IntN(10) {
	case 0:
		p.State = "INACTIVE"
	case 1:
		p.Type = "PLATFORM"
	}
	for _, privilege := range asked {
		if w.IntN(2) == 0 {
			p.Privileges = append(p.Privileges, privilege)
		}
	}
	p.Actors = actors{
		AllUsers: w.IntN(12) == 0, AllGroups: w.IntN(12) == 0, Users: w.some(w.users, 1), Groups: w.some(w.groupsOf, 1), Roles: w.some(w.rolesOf, 1), Owners: w.IntN(4) == 0,
	}
	if p.Actors.Owners && w.IntN(2) == 0 {
		types := []string{}
		for _, u := range w.some(w.typesOf, 2) {
			types = append(types, string(u))
		}
		p.Actors.OwnersTypes = &types
	}
	switch w.IntN(8) {
	case 0:
	case 1:
		p.Resources = &resources{All: true}
	case 2:
		some := w.some(w.on, 3)
		p.Resources = &resources{Type: []string{"", "dataset"}[w.IntN(2)], Resources: &some, All: w.IntN(4) == 0}
		if some == nil {
			p.Resources.Resources = &[]urn.URN{}
		}
	default:
		p.Resources = &resources{Filter: w.filter()}
	}
	if p.Resources != nil && w.IntN(6) == 0 {
		p.Resources.Constraints = &filter{[]criterion{{"URN", []string{string(w.tagsOf[0]), string(w.tagsOf[1])}, "EQUALS"}}}
	}
	return p
}

func (w *world) filter() *filter {
	f := &filter{[]criterion{}}
	of := map[string][]urn.URN{
		"URN": w.on, "DOMAIN": w.domainsOf, "CONTAINER": w.containersOf, "OWNER": slices.Concat(w.users, w.groupsOf), "TAG": w.tagsOf, "GLOSSARY": w.termsOf,
		"DATA_PLATFORM_INSTANCE": w.instancesOf, "GROUP_MEMBERSHIP": w.groupsOf,
	}
	names := []string{"TYPE", "URN", "DOMAIN", "CONTAINER", "OWNER", "TAG", "GLOSSARY", "DATA_PLATFORM_INSTANCE", "GROUP_MEMBERSHIP"}
	for range w.IntN(3) {
		name := names[w.IntN(len(names))]
		c := criterion{Field: name, Values: []string{}, Condition: []string{"EQUALS", "NOT_EQUALS", "STARTS_WITH"}[w.IntN(3)]}
		if name == "TYPE" {
			c.Values = [][]string{{"dataset"}, {"chart", "domain"}, {"corpuser", "container", "glossaryTerm"}}[w.IntN(3)]
		}
		for _, u := range w.some(of[name], 3) {
			text := string(u)
			if c.Condition == "STARTS_WITH" {
				text = text[:len(text)-w.IntN(3)]
			}
			c.Values = append(c.Values, text)
		}
		f.Criteria = append(f.Criteria, c)
	}
	return f
}

// For random policies the Engine decides as the naive evaluator does, for entities, types and the
// platform, one by one and many at once.
func TestTheEngineDecidesAsItsDescriptionSays(t *testing.T) {
	t.Parallel()
	seeds := uint64(40)
	if testing.Short() {
		seeds = 4
	}
	decided, granted := 0, 0
	for seed := range seeds {
		w := newWorld(seed)
		f := newFixture(t, policy.Config{})
		for _, r := range w.rolesOf {
			f.Set(t, r, "dataHubRoleInfo", `{"name":"`+r.Key()+`","description":""}`)
		}
		f.store(t, w.facts)
		var policies []info
		for i := range 1 + w.IntN(12) {
			p := w.policy()
			policies = append(policies, p)
			f.put(t, fmt.Sprintf("p%d", i), p)
		}
		for _, actor := range w.users {
			var checks []auth.Check
			var want []bool
			add := func(c auth.Check, on urn.URN, entityType string) {
				checks = append(checks, c)
				want = append(want, w.grants(policies, actor, c.AnyOf[0], on, entityType, c.Tags))
			}
			for _, privilege := range asked {
				add(auth.ForPlatform(privilege), "", "")
				for _, entityType := range []string{"dataset", "domain", "corpuser"} {
					add(auth.Check{AnyOf: []auth.Privilege{privilege}, Type: entityType}, "", entityType)
				}
				for _, on := range w.on {
					c := auth.Over(on, privilege)
					c.Tags = w.some(w.tagsOf, 2)
					add(c, on, on.Type())
				}
			}
			got := f.decide(t, actor, checks...)
			for i := range checks {
				decided++
				if want[i] {
					granted++
				}
				if got[i].Allowed() != want[i] {
					t.Fatalf("seed %d: %s: %+v: %v, want %v by %+v", seed, actor, checks[i], got[i].Allowed(), want[i], policies)
				}
			}
		}
	}
	t.Logf("%d decisions, %d of them granted", decided, granted)
	if granted < decided/20 || granted > decided*19/20 {
		t.Errorf("%d of %d are granted: nothing is compared", granted, decided)
	}
}
