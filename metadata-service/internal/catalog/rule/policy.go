package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
)

const policyInfo = "dataHubPolicyInfo"

// policyRules hold policies to fields that are evaluated, and keep those that are
// not editable as they are.
func policyRules() []Rule {
	return []Rule{{Name: "policies", Aspects: []string{policyInfo}, Check: checkPolicyFields, Validate: checkPolicyEditable, AllowRemoval: keepSystemPolicy}}
}

// policyFields are the resource fields a policy may filter on.
var policyFields = []string{
	"TYPE", "URN", "OWNER", "DOMAIN", "GROUP_MEMBERSHIP", "DATA_PLATFORM_INSTANCE", "CONTAINER", "TAG", "GLOSSARY_TERM",
	"STRUCTURED_PROPERTY", "RESOURCE_URN", "RESOURCE_TYPE", "PRIVILEGE_CONSTRAINT", "LIFECYCLE_STAGE",
}

func checkPolicyFields(p Proposed) error {
	resources := jsontree.Child(p.Value, "resources")
	for _, member := range []string{"filter", "privilegeConstraints"} {
		for _, criterion := range jsontree.Children(jsontree.Child(resources, member), "criteria") {
			if field := jsontree.Text(criterion, "field"); !slices.Contains(policyFields, strings.ToUpper(field)) {
				return broken(policyInfo, "/resources/"+member+"/criteria/*/field",
					"must be one of %s, found %q", strings.Join(policyFields, ", "), field)
			}
		}
	}
	return nil
}

// checkPolicyEditable keeps policies that are not editable from everybody but
// the service itself.
func checkPolicyEditable(tx Tx, c *Change) error {
	if _, system := tx.Actor(); system {
		return nil
	}
	if editable, stated := c.Before["editable"].(bool); stated && !editable {
		return fault.New(fault.Forbidden, "dataHubPolicyInfo: %s is not editable", c.URN)
	}
	return nil
}

// keepSystemPolicy refuses to remove what marks a policy as one of the system:
// without it nothing would protect the policy any more.
func keepSystemPolicy(_ Tx, c *Change) error {
	if editable, stated := c.Before["editable"].(bool); stated && !editable {
		return fault.New(fault.Invalid, "%s is a policy of the system and cannot be deleted", c.URN)
	}
	return nil
}
