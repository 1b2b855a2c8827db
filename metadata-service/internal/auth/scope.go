package auth

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits on the size of a scope.
const (
	MaxScopePrivileges = 100
	MaxScopeCriteria   = 20
	MaxScopeValues     = 100  // in one criterion
	maxScopeValue      = 2048 // bytes of one value
)

// Scope restricts an access token to a part of the privileges of its actor. It never adds a
// privilege: for each privilege of the actor an authorizer calls Permits, with each resource of the
// check, and treats the privilege as not held if the result is false. This applies to
// administrators as well. All parts of a scope must permit the privilege; empty parts restrict
// nothing.
//
// A Scope must not change once it is in an Actor. A nil Scope permits everything.
type Scope struct {
	// ReadOnly permits only reading.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Privileges are the only permitted privileges. Reading needs VIEW_ENTITY_PAGE among them. A
	// non-empty list also excludes the privilege over the actor's own profile and reports (Own).
	Privileges []Privilege `json:"privileges,omitempty"`
	// Resources are criteria that a resource must all meet, as in a policy. With any criterion,
	// privileges without a resource, such as platform privileges, are not permitted.
	Resources []Criterion `json:"resources,omitempty"`
}

// Criterion is a condition on a field of a resource, in the format of policies.
type Criterion struct {
	Field     ResourceField `json:"field"`
	Values    []string      `json:"values"`
	Condition Condition     `json:"condition"`
}

// ResourceField is a field of resources that criteria refer to.
type ResourceField string

// The fields of resources.
const (
	FieldType             ResourceField = "TYPE"
	FieldURN              ResourceField = "URN"
	FieldDomain           ResourceField = "DOMAIN"
	FieldContainer        ResourceField = "CONTAINER"
	FieldOwner            ResourceField = "OWNER"
	FieldTag              ResourceField = "TAG"
	FieldGlossary         ResourceField = "GLOSSARY"
	FieldPlatformInstance ResourceField = "DATA_PLATFORM_INSTANCE"
	FieldGroupMembership  ResourceField = "GROUP_MEMBERSHIP"
)

var resourceFields = []ResourceField{
	FieldType, FieldURN, FieldDomain, FieldContainer, FieldOwner, FieldTag, FieldGlossary, FieldPlatformInstance, FieldGroupMembership,
}

// Condition is the comparison of a criterion.
type Condition string

// The conditions of criteria.
const (
	Equals     Condition = "EQUALS"
	StartsWith Condition = "STARTS_WITH"
	NotEquals  Condition = "NOT_EQUALS"
)

// ResourceFacts returns the values of a field of a resource. known is false if they cannot be
// determined, for example for a type without an entity; a criterion on such a field is then not
// met. A nil ResourceFacts means that there is no resource.
type ResourceFacts func(field ResourceField) (values []string, known bool)

// Permits reports whether the scope permits a privilege over a resource. op is the operation of the
// check, empty if the check lists privileges.
func (s *Scope) Permits(p Privilege, op Operation, of ResourceFacts) bool {
	if s == nil {
		return true
	}
	// Platform privileges concern the privileges of other actors and the installation. They have no
	// resource, even if a check names an entity such as a policy. The same applies to the
	// acceptance of a role, which affects everything that the actor may do.
	if len(s.Resources) > 0 && (OfPlatform(p) || p == AcceptRole) {
		return false
	}
	return s.permitsPrivilege(p, op) && s.permitsResource(of)
}

// MayReach reports whether the scope can permit a privilege over an entity of a type. Criteria on
// other fields than the type and the URN count as met.
func (s *Scope) MayReach(p Privilege, op Operation, entityType string) bool {
	if s == nil {
		return true
	}
	prefix := urn.TypePrefix(entityType)
	excluded := func(c Criterion) bool {
		switch {
		case c.Field == FieldType:
			return !c.Matches([]string{entityType})
		case c.Field == FieldURN && c.Condition != NotEquals:
			return !slices.ContainsFunc(c.Values, func(v string) bool {
				return strings.HasPrefix(v, prefix) || c.Condition == StartsWith && strings.HasPrefix(prefix, v)
			})
		}
		return false
	}
	return s.permitsPrivilege(p, op) && !slices.ContainsFunc(s.Resources, excluded)
}

func (s *Scope) permitsPrivilege(p Privilege, op Operation) bool {
	if len(s.Privileges) > 0 && !slices.Contains(s.Privileges, p) {
		return false
	}
	switch op {
	case OpRead, OpExists:
		return true
	case "":
		return !s.ReadOnly || Reads(p)
	}
	return !s.ReadOnly
}

func (s *Scope) permitsResource(of ResourceFacts) bool {
	if len(s.Resources) == 0 {
		return true
	}
	if of == nil {
		return false
	}
	return !slices.ContainsFunc(s.Resources, func(c Criterion) bool {
		values, known := of(c.Field)
		return !known || !c.Matches(values)
	})
}

// Matches reports whether a resource with the given values in the field meets the criterion.
func (c Criterion) Matches(values []string) bool {
	switch c.Condition {
	case Equals:
		return slices.ContainsFunc(values, func(v string) bool { return slices.Contains(c.Values, v) })
	case NotEquals:
		return !slices.ContainsFunc(values, func(v string) bool { return slices.Contains(c.Values, v) })
	case StartsWith:
		return slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(c.Values, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
		})
	}
	return false
}

// Excluding reports whether Excludes can be true for any entity.
func (s *Scope) Excluding() bool { return s != nil && slices.ContainsFunc(s.Resources, excludes) }

// ExcludesURNs reports whether a criterion excludes entities by their URN.
func (s *Scope) ExcludesURNs() bool {
	return s != nil && slices.ContainsFunc(s.Resources, func(c Criterion) bool { return c.Condition == NotEquals && c.Field == FieldURN })
}

// Excludes reports whether a criterion excludes an entity by its type, or by its URN with
// NOT_EQUALS.
func (s *Scope) Excludes(u urn.URN) bool {
	return s != nil && slices.ContainsFunc(s.Resources, func(c Criterion) bool {
		value := string(u)
		if c.Field == FieldType {
			value = u.Type()
		}
		return excludes(c) && !c.Matches([]string{value})
	})
}

func excludes(c Criterion) bool {
	return c.Field == FieldType || c.Condition == NotEquals && c.Field == FieldURN
}

// BeyondScope returns the refusal of a privilege that the actor holds and the scope of its access
// token does not permit. on is an entity, the prefix of the URNs of a type, or empty for the
// platform.
func BeyondScope(actor Actor, op Operation, p Privilege, on urn.URN) error {
	over := ""
	if on != "" {
		over = " over " + NameOf(on)
	}
	return Lacking(actor.URN, op, []Privilege{p}, on, "%s is unauthorized: the scope of its access token (%s) does not permit %s%s", actor.URN, actor.Scope, p, over)
}

// ReadsOnly reports whether the scope permits only reading.
func (s *Scope) ReadsOnly() bool { return s != nil && s.ReadOnly }

// Reads reports whether a privilege permits only reading.
func Reads(p Privilege) bool {
	switch p {
	case ExistsEntity, "SEARCH_PRIVILEGE", "ES_EXPLAIN_QUERY_PRIVILEGE", "DATA_LIST_ENTITIES", "DATA_READ_ONLY":
		return true
	}
	return strings.HasPrefix(string(p), "VIEW_") || strings.HasPrefix(string(p), "GET_")
}

// NewScope validates a requested scope and brings it into canonical form: fields in upper case,
// EQUALS as the default condition, no duplicates. For a scope that restricts nothing it returns
// nil. Errors are fault.Malformed and name the invalid part.
func NewScope(asked Scope) (*Scope, error) {
	out := &Scope{ReadOnly: asked.ReadOnly}
	if len(asked.Privileges) > MaxScopePrivileges || len(asked.Resources) > MaxScopeCriteria {
		return nil, fault.New(fault.Malformed, "scope: at most %d privileges and %d criteria are allowed", MaxScopePrivileges, MaxScopeCriteria)
	}
	for _, p := range asked.Privileges {
		if !slices.ContainsFunc(Rights(), func(r Right) bool { return r.Privilege == p }) {
			return nil, fault.New(fault.Malformed, "scope: %.100q is not a privilege that policies grant", p)
		}
		if !slices.Contains(out.Privileges, p) {
			out.Privileges = append(out.Privileges, p)
		}
	}
	for _, c := range asked.Resources {
		criterion, err := newCriterion(c)
		if err != nil {
			return nil, err
		}
		out.Resources = append(out.Resources, criterion)
	}
	if out.empty() {
		return nil, nil
	}
	return out, nil
}

func (s *Scope) empty() bool { return !s.ReadOnly && len(s.Privileges) == 0 && len(s.Resources) == 0 }

func newCriterion(c Criterion) (Criterion, error) {
	c.Field = ResourceField(strings.ToUpper(string(c.Field)))
	if c.Condition == "" {
		c.Condition = Equals
	}
	switch {
	case !slices.Contains(resourceFields, c.Field):
		return c, fault.New(fault.Malformed, "scope: Invalid field type '%.100s'. Must be one of: %v", c.Field, resourceFields)
	case c.Condition != Equals && c.Condition != StartsWith && c.Condition != NotEquals:
		return c, fault.New(fault.Malformed, "scope: %.40q is no condition; use EQUALS, STARTS_WITH or NOT_EQUALS", c.Condition)
	case len(c.Values) == 0 || len(c.Values) > MaxScopeValues:
		return c, fault.New(fault.Malformed, "scope: a criterion on %s has between 1 and %d values", c.Field, MaxScopeValues)
	}
	for _, v := range c.Values {
		if v == "" || len(v) > maxScopeValue {
			return c, fault.New(fault.Malformed, "scope: a value of %s has between 1 and %d bytes", c.Field, maxScopeValue)
		}
		if c.Field != FieldType && c.Condition != StartsWith && !urn.Looks(v) {
			return c, fault.New(fault.Malformed, "scope: %.100q is no URN, which criteria on %s compare with", v, c.Field)
		}
	}
	c.Values = slices.Clone(c.Values)
	return c, nil
}

// Narrow returns the scope that permits exactly what both scopes permit. A token that is created
// with a token of the scope outer gets this scope, so that it is no wider than its creator. A
// privilege that inner lists and outer does not permit is fault.Forbidden; the scope is not reduced
// silently.
func Narrow(outer, inner *Scope) (*Scope, error) {
	switch {
	case outer == nil:
		return inner, nil
	case inner == nil:
		return outer, nil
	}
	out := &Scope{ReadOnly: outer.ReadOnly || inner.ReadOnly, Privileges: inner.Privileges, Resources: slices.Clone(outer.Resources)}
	if len(inner.Privileges) == 0 {
		out.Privileges = outer.Privileges
	}
	for _, p := range inner.Privileges {
		if len(outer.Privileges) > 0 && !slices.Contains(outer.Privileges, p) {
			return nil, fault.New(fault.Forbidden, "the access token of this request is limited to other privileges than %s, and cannot make a token that has it", p)
		}
	}
	for _, c := range inner.Resources {
		if !slices.ContainsFunc(out.Resources, c.equal) {
			out.Resources = append(out.Resources, c)
		}
	}
	if len(out.Resources) > MaxScopeCriteria {
		return nil, fault.New(fault.Malformed, "scope: with those of the access token of this request there are more than %d criteria", MaxScopeCriteria)
	}
	return out, nil
}

func (c Criterion) equal(other Criterion) bool {
	return c.Field == other.Field && c.Condition == other.Condition && slices.Equal(c.Values, other.Values)
}

// String describes the scope for people.
func (s *Scope) String() string {
	if s == nil {
		return "everything"
	}
	var parts []string
	if s.ReadOnly {
		parts = append(parts, "read-only")
	}
	for _, p := range s.Privileges {
		parts = append(parts, string(p))
	}
	for _, c := range s.Resources {
		parts = append(parts, string(c.Field)+" "+string(c.Condition)+" "+strings.Join(c.Values, " or "))
	}
	return strings.Join(parts, "; ")
}
