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

// policyRules hold policies to fields that are evaluated, and keep those that are
// not editable as they are.
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

// DefaultMarks is the beginning of the ids of the entities which say that default data was written.
const DefaultMarks = "default-data-"

// keepDefaultMarks keeps the marks of default data: without one the next start would write default policies again
// that somebody has deleted.
func keepDefaultMarks(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || !strings.HasPrefix(c.URN.Key(), DefaultMarks) {
		return nil
	}
	return fault.New(fault.Invalid, "%s says that the default data was written, and stays: without it the next start would write again what was deleted", c.URN)
}

// SystemPolicies refuses the deletion of some policies, as it is refused for those
// of the administrator. It is for an installation that lists its own.
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

// filtersOfPolicy are the members of resources that hold criteria.
var filtersOfPolicy = []string{"filter", "privilegeConstraints"}

// checkPolicyFields refuses criteria on fields that no evaluation knows: such a
// criterion is never met, so the policy would grant nothing and not say why. A
// patch is held to what it adds, so that a policy that an earlier version stored
// can be mended bit by bit.
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

// eachField visits the criteria in a tree: those of a filter, and those that a
// patch addresses in any depth.
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

// upperPolicyFields writes fields in capitals, as they are compared.
func upperPolicyFields(value model.Object) model.Object {
	resources := jsontree.Child(value, "resources")
	for _, member := range filtersOfPolicy {
		eachField(jsontree.Child(resources, member), func(criterion model.Object, field string) {
			criterion["field"] = strings.ToUpper(field)
		})
	}
	return value
}

// checkPolicyEditable keeps policies that are not editable from everybody but
// the service itself, whatever the type of the change.
func checkPolicyEditable(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system || isEditable(c.Before) {
		return nil
	}
	return notEditable()
}

// keepPolicy refuses to delete the policies by which the administrator holds what
// it does, which nobody could write again. Others that are not editable may be
// deleted, and come back at the next start; but they go as a whole, since without
// what marks it as not editable a policy could be written anew.
func keepPolicy(tx Tx, c *Change) error {
	if slices.Contains(rootPolicies, c.URN) {
		return systemPolicy()
	}
	if _, system := tx.Actor(); system || c.WithEntity && !c.Reverted || isEditable(c.Before) {
		return nil
	}
	return notEditable()
}

// rootPolicies are those of the root user.
var rootPolicies = []urn.URN{"urn:li:dataHubPolicy:0", "urn:li:dataHubPolicy:1"}

func isEditable(policy model.Object) bool {
	editable, stated := policy["editable"].(bool)
	return editable || !stated
}

// Clients compare these sentences.
func notEditable() error { return fault.New(fault.Invalid, "Attempting to edit not editable policy.") }

func systemPolicy() error { return fault.New(fault.Invalid, "System policies can not be deleted.") }
