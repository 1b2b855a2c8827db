package policy

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity type and aspect of policies.
const (
	policyEntity = "dataHubPolicy"
	policyInfo   = "dataHubPolicyInfo"
)

// Policy is a compiled policy. It is immutable. The zero value grants nothing.
type Policy struct {
	URN         urn.URN
	Name        string
	State       string
	Privileges  []auth.Privilege
	actors      actorFilter
	platform    bool    // applies to every resource
	resources   *filter // nil: applies to every resource, and without one
	constraints *filter // on the entities that may be attached to resources; nil: any
}

// names returns the URNs of the only entities to which the policy applies. It is nil if the policy
// does not list URNs.
func (p *Policy) names() map[string]bool {
	if p.platform || p.resources == nil {
		return nil
	}
	for i := range p.resources.criteria {
		if c := &p.resources.criteria[i]; c.field == urnOf && c.condition == equals {
			return c.values
		}
	}
	return nil
}

// Active is the only state in which a policy grants privileges.
const Active = "ACTIVE"

// platformType is the type of policies that ignore resources. Policies of every other type are
// evaluated as policies on metadata.
const platformType = "PLATFORM"

// Compile returns the Policy of a value of the aspect dataHubPolicyInfo. Members that are missing
// or have another type grant nothing.
func Compile(u urn.URN, info model.Object) *Policy {
	p := &Policy{
		URN: u, Name: jsontree.Text(info, "displayName"), State: jsontree.Text(info, "state"),
		platform: jsontree.Text(info, "type") == platformType,
		actors:   compileActors(jsontree.Child(info, "actors")),
	}
	for _, name := range jsontree.Texts(info, "privileges") {
		if granted := auth.Privilege(name); !slices.Contains(p.Privileges, granted) {
			p.Privileges = append(p.Privileges, granted)
		}
	}
	resources := jsontree.Child(info, "resources")
	if !p.platform && resources != nil {
		p.resources = compileResources(resources)
	}
	if c := jsontree.Child(resources, "privilegeConstraints"); c != nil {
		p.constraints = compileFilter(c)
	}
	return p
}

// active reports whether the policy grants privileges at all.
func (p *Policy) active() bool { return p.State == Active }

// unlimited reports whether the policy applies to every resource, without a resource, and to every
// attachment.
func (p *Policy) unlimited() bool { return p.resources == nil && p.constraints == nil }

// actorFilter selects the actors to which a policy applies. Its parts are alternatives.
type actorFilter struct {
	allUsers, allGroups  bool
	users, groups, roles map[urn.URN]bool
	owners               bool
	ownerTypes           map[urn.URN]bool // nil: any type
}

func compileActors(actors model.Object) actorFilter {
	a := actorFilter{
		allUsers: jsontree.Bool(actors, "allUsers"), allGroups: jsontree.Bool(actors, "allGroups"),
		users: urnSet(actors, "users"), groups: urnSet(actors, "groups"), roles: urnSet(actors, "roles"),
		owners: jsontree.Bool(actors, "resourceOwners"),
	}
	if _, limited := actors["resourceOwnersTypes"].([]any); limited {
		a.ownerTypes = urnSet(actors, "resourceOwnersTypes")
	}
	return a
}

func urnSet(o model.Object, member string) map[urn.URN]bool {
	set := map[urn.URN]bool{}
	for _, text := range jsontree.Texts(o, member) {
		set[urn.URN(text)] = true
	}
	return set
}

// matches reports whether the policy applies to an actor regardless of ownership.
func (a *actorFilter) matches(s *subject) bool {
	if a.allUsers || a.users[s.urn] || a.allGroups && len(s.groups) > 0 {
		return true
	}
	return intersects(a.groups, s.groups) || intersects(a.roles, s.roles)
}

// intersects iterates over the smaller of two sets.
func intersects(a, b map[urn.URN]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for u := range a {
		if b[u] {
			return true
		}
	}
	return false
}

// owns reports whether the owners of a resource include the actor, with a type of ownership that
// the policy accepts.
func (a *actorFilter) owns(s *subject, owners []owner) bool {
	for _, o := range owners {
		if (o.urn == s.urn || s.groups[o.urn]) && (a.ownerTypes == nil || o.typeURN != "" && a.ownerTypes[o.typeURN]) {
			return true
		}
	}
	return false
}

// filter matches resources that meet all of its criteria.
type filter struct{ criteria []criterion }

// criterion is one condition on a field of a resource.
type criterion struct {
	field     field
	condition condition
	values    map[string]bool
	prefixes  []string // for startsWith
}

// field is the field of a resource that a criterion refers to.
type field uint8

const (
	unknownField field = iota // matches nothing
	typeOf
	urnOf
	domainOf
	containerOf
	ownerOf
	tagOf
	glossaryOf
	instanceOf
	membershipOf
	fieldCount
)

// fields maps the names of fields in criteria.
var fields = map[string]field{
	"TYPE": typeOf, "RESOURCE_TYPE": typeOf, "URN": urnOf, "RESOURCE_URN": urnOf, "DOMAIN": domainOf, "CONTAINER": containerOf, "OWNER": ownerOf,
	"TAG": tagOf, "GLOSSARY": glossaryOf, "DATA_PLATFORM_INSTANCE": instanceOf, "GROUP_MEMBERSHIP": membershipOf,
}

// fieldNames are the names of fields in explanations. The name of unknownField means any resource.
var fieldNames = [fieldCount]string{
	unknownField: "RESOURCE", typeOf: "TYPE", urnOf: "URN", domainOf: "DOMAIN", containerOf: "CONTAINER", ownerOf: "OWNER",
	tagOf: "TAG", glossaryOf: "GLOSSARY", instanceOf: "DATA_PLATFORM_INSTANCE", membershipOf: "GROUP_MEMBERSHIP",
}

type condition uint8

// String returns the name of the condition in criteria.
func (c condition) String() string {
	return [...]string{equals: "EQUALS", startsWith: "STARTS_WITH", notEquals: "NOT_EQUALS", unknownCondition: "UNKNOWN"}[c]
}

const (
	equals condition = iota
	startsWith
	notEquals
	unknownCondition
)

var conditions = map[string]condition{"": equals, "EQUALS": equals, "STARTS_WITH": startsWith, "NOT_EQUALS": notEquals}

// compileResources compiles the member resources of a policy. Its older form counts if there is no
// filter.
func compileResources(resources model.Object) *filter {
	if f := jsontree.Child(resources, "filter"); f != nil {
		return compileFilter(f)
	}
	f := &filter{}
	if name := jsontree.Text(resources, "type"); name != "" {
		f.criteria = append(f.criteria, newCriterion(typeOf, equals, []string{name}))
	}
	if _, listed := resources["resources"].([]any); listed && !jsontree.Bool(resources, "allResources") {
		f.criteria = append(f.criteria, newCriterion(urnOf, equals, jsontree.Texts(resources, "resources")))
	}
	return f
}

func compileFilter(value model.Object) *filter {
	f := &filter{}
	for _, c := range jsontree.Children(value, "criteria") {
		condition, known := conditions[strings.ToUpper(jsontree.Text(c, "condition"))]
		if !known {
			condition = unknownCondition
		}
		f.criteria = append(f.criteria, newCriterion(fields[strings.ToUpper(jsontree.Text(c, "field"))], condition, jsontree.Texts(c, "values")))
	}
	// Criteria that need no read come first. The order of criteria does not change the result.
	slices.SortStableFunc(f.criteria, func(a, b criterion) int { return int(a.field) - int(b.field) })
	return f
}

func newCriterion(on field, by condition, values []string) criterion {
	c := criterion{field: on, condition: by, values: map[string]bool{}}
	for _, v := range values {
		c.values[v] = true
	}
	if by == startsWith {
		c.prefixes = slices.Clone(values)
	}
	return c
}

// holds reports whether the values of a resource meet the criterion.
func (c *criterion) holds(values []string) bool {
	if c.field == unknownField {
		return false
	}
	switch c.condition {
	case equals:
		return slices.ContainsFunc(values, func(v string) bool { return c.values[v] })
	case notEquals:
		return !slices.ContainsFunc(values, func(v string) bool { return c.values[v] })
	case startsWith:
		return slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(c.prefixes, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
		})
	}
	return false
}
