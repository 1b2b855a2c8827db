package auth

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a scope.
const (
	MaxScopePrivileges = 100
	MaxScopeCriteria   = 20
	MaxScopeValues     = 100  // of one criterion
	maxScopeValue      = 2048 // bytes of one value
)

// Scope narrows what an access token may do below what its actor may. It never
// widens: an authorizer that finds a privilege of the actor also asks Permits,
// for that privilege and each resource of the check, and counts the privilege as
// not held where the answer is no. That goes for administrators as well. The
// parts of a scope must all permit; those that are empty restrict nothing.
//
// A Scope must not be changed once it is in an Actor. A nil Scope permits
// everything.
type Scope struct {
	// ReadOnly permits reading alone.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Privileges are the only ones permitted, VIEW_ENTITY_PAGE for reading among them. The rights
	// that everybody has over the own profile and reports (Own) are not, unless the list is empty.
	Privileges []Privilege `json:"privileges,omitempty"`
	// Resources are criteria that a resource must all meet, as those of a policy. What concerns
	// no resource, such as the privileges of the platform, is not permitted with any.
	Resources []Criterion `json:"resources,omitempty"`
}

// Criterion is a condition on a field of a resource, in the words of policies.
type Criterion struct {
	Field     ResourceField `json:"field"`
	Values    []string      `json:"values"`
	Condition Condition     `json:"condition"`
}

// ResourceField is a field of resources that criteria ask about.
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

// Condition is how a criterion compares.
type Condition string

// The conditions of criteria.
const (
	Equals     Condition = "EQUALS"
	StartsWith Condition = "STARTS_WITH"
	NotEquals  Condition = "NOT_EQUALS"
)

// ResourceFacts gives the values that a resource has in a field. known is false
// where they cannot be told, as of a type without an entity: what depends on
// them is not permitted. A nil ResourceFacts stands for no resource.
type ResourceFacts func(field ResourceField) (values []string, known bool)

// Permits tells whether the scope leaves the actor a privilege over a resource.
// op is the operation of the check, empty where the check lists privileges.
func (s *Scope) Permits(p Privilege, op Operation, of ResourceFacts) bool {
	if s == nil {
		return true
	}
	// Privileges of the platform decide about the rights of others and about the installation:
	// they concern no resource, also where they are asked for an entity such as a policy.
	// So does a role that the actor accepts, which is for all that the actor may do.
	if len(s.Resources) > 0 && (OfPlatform(p) || p == AcceptRole) {
		return false
	}
	return s.permitsPrivilege(p, op) && s.permitsResource(of)
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

// Matches tells whether a resource with some values in the field meets the
// criterion.
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

// Excluding reports whether Excludes is true of any entity.
func (s *Scope) Excluding() bool { return s != nil && slices.ContainsFunc(s.Resources, excludes) }

// ExcludesURNs reports whether a criterion excludes entities by their URN.
func (s *Scope) ExcludesURNs() bool {
	return s != nil && slices.ContainsFunc(s.Resources, func(c Criterion) bool { return c.Condition == NotEquals && c.Field == FieldURN })
}

// Excludes reports whether a criterion excludes an entity by its type, or by its URN with NOT_EQUALS.
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

// BeyondScope refuses what the actor may do and the scope of its access token does
// not permit: a privilege over an entity, the entities of a type, or of the
// platform when on is empty.
func BeyondScope(actor Actor, op Operation, p Privilege, on urn.URN) error {
	over := ""
	if on != "" {
		over = " over " + NameOf(on)
	}
	return Lacking(actor.URN, op, []Privilege{p}, on, "%s is unauthorized: the scope of its access token (%s) does not permit %s%s", actor.URN, actor.Scope, p, over)
}

// ReadsOnly tells whether the scope permits nothing but reading.
func (s *Scope) ReadsOnly() bool { return s != nil && s.ReadOnly }

// Reads tells whether a privilege lets its holder read and nothing else.
func Reads(p Privilege) bool {
	switch p {
	case ExistsEntity, "SEARCH_PRIVILEGE", "ES_EXPLAIN_QUERY_PRIVILEGE", "DATA_LIST_ENTITIES", "DATA_READ_ONLY":
		return true
	}
	return strings.HasPrefix(string(p), "VIEW_") || strings.HasPrefix(string(p), "GET_")
}

// NewScope checks what somebody asks a scope to be and brings it into one form:
// fields in upper case, EQUALS where no condition is given, nothing twice. A
// scope that restricts nothing is nil. Errors are fault.Malformed and name the part.
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

// Narrow is the scope that permits what both permit. It is what a token gets
// that somebody with the scope outer makes: no wider than the one it is made
// with. Privileges that inner names and outer does not permit are
// fault.Forbidden, so that nobody takes a token for more than it is.
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

// String tells people what the scope leaves.
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
