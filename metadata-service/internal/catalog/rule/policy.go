package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const policyInfo = "dataHubPolicyInfo"

// policyRules require that policies use only fields that are evaluated, and protect policies that
// are not editable.
func policyRules() []Rule {
	return []Rule{
		{
			Name: "policies", Aspects: []string{policyInfo},
			CheckSent: checkPolicyFields, Normalize: upperPolicyFields, Validate: checkPolicyEditable, AllowRemoval: keepPolicy,
		},
		{
			Name: "policies over policies", Aspects: []string{policyInfo},
			Terms: policyTerms, Validate: keepAdministrator, AllowRemoval: keepAdministrator,
		},
		{Name: "marks of default data", Aspects: []string{"dataHubUpgradeKey"}, Types: []string{"dataHubUpgrade"}, AllowRemoval: keepDefaultMarks},
	}
}

// DefaultMarks is the id prefix of the entities that record that default data was written.
const DefaultMarks = "default-data-"

// keepDefaultMarks protects the marks of default data: without one, the next start would restore
// default policies that users have deleted.
func keepDefaultMarks(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || !strings.HasPrefix(c.URN.Key(), DefaultMarks) {
		return nil
	}
	return fault.New(fault.Invalid, "%s records that the default data was written, and cannot be removed: otherwise the next start would restore deleted default data", c.URN)
}

// SystemPolicies returns a rule that refuses the deletion of the given policies, as for those of
// the administrator. It is for an installation that lists its own.
func SystemPolicies(policies ...urn.URN) Rule {
	return Rule{Name: "policies of the installation", Aspects: []string{policyInfo}, AllowRemoval: func(_ Tx, c *Change) error {
		if slices.Contains(policies, c.URN) {
			return systemPolicy()
		}
		return nil
	}}
}

// policyFields are the fields of a resource that a criterion may compare.
var policyFields = []string{
	"RESOURCE_TYPE", "RESOURCE_URN", "TYPE", "URN", "OWNER", "DOMAIN", "GROUP_MEMBERSHIP", "DATA_PLATFORM_INSTANCE", "CONTAINER", "TAG", "GLOSSARY",
}

// filtersOfPolicy are the members of resources that contain criteria.
var filtersOfPolicy = []string{"filter", "privilegeConstraints"}

// checkPolicyFields refuses criteria on fields that no evaluation supports: such a criterion never
// matches, so the policy would grant nothing, without an error. For a patch it checks only the
// added values, so that a policy stored by an earlier version can be corrected step by step.
func checkPolicyFields(p Sent) error {
	if p.Patch == nil {
		return checkFieldsIn(p.Value)
	}
	for _, op := range p.Patch.Operations {
		tree := op.Value
		for _, segment := range slices.Backward(op.Path) {
			tree = model.Object{segment: tree}
		}
		if value, ok := tree.(model.Object); ok {
			if err := checkFieldsIn(value); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkFieldsIn(value model.Object) error {
	resources := jsontree.Child(value, "resources")
	for _, member := range filtersOfPolicy {
		var unknown error
		eachField(jsontree.Child(resources, member), func(criterion model.Object, field string) {
			if unknown == nil && !slices.Contains(policyFields, strings.ToUpper(field)) {
				unknown = fault.New(fault.Invalid, "Invalid field type '%s'. Must be one of: %s", field, strings.Join(policyFields, ", "))
			}
		})
		if unknown != nil {
			return unknown
		}
	}
	return nil
}

// eachField visits the criteria in a tree: those of a filter, and those that a patch addresses at
// any depth.
func eachField(tree any, visit func(criterion model.Object, field string)) {
	switch tree := tree.(type) {
	case model.Object:
		if field, ok := tree["field"].(string); ok {
			visit(tree, field)
			return
		}
		for _, member := range tree {
			eachField(member, visit)
		}
	case []any:
		for _, element := range tree {
			eachField(element, visit)
		}
	}
}

// upperPolicyFields converts fields to upper case, in which they are compared.
func upperPolicyFields(value model.Object) model.Object {
	resources := jsontree.Child(value, "resources")
	for _, member := range filtersOfPolicy {
		eachField(jsontree.Child(resources, member), func(criterion model.Object, field string) {
			criterion["field"] = strings.ToUpper(field)
		})
	}
	return value
}

// checkPolicyEditable refuses changes of policies that are not editable, of any type, unless the
// service itself is the actor.
func checkPolicyEditable(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || isEditable(c.Before) {
		return nil
	}
	return notEditable()
}

// keepPolicy refuses the deletion of the policies that give the administrator its rights, because
// no user could create them again. Other policies that are not editable may be deleted, and are
// restored at the next start. They can be deleted only as a whole: without the aspect that marks it
// as not editable, a policy could be rewritten.
func keepPolicy(tx Tx, c *Change) error {
	if slices.Contains(rootPolicies, c.URN) {
		return systemPolicy()
	}
	if _, system := tx.Actor(); system || c.WithEntity && !c.Reverted || isEditable(c.Before) {
		return nil
	}
	return notEditable()
}

// rootPolicies are the policies of the root user.
var rootPolicies = []urn.URN{"urn:li:dataHubPolicy:0", "urn:li:dataHubPolicy:1"}

func isEditable(policy model.Object) bool {
	editable, stated := policy["editable"].(bool)
	return editable || !stated
}

// Clients compare these texts.
func notEditable() error { return fault.New(fault.Invalid, "Attempting to edit not editable policy.") }

func systemPolicy() error { return fault.New(fault.Invalid, "System policies can not be deleted.") }
