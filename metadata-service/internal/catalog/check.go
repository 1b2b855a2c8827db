package catalog

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// check applies the rules that need what is stored. What the service writes by
// itself is not questioned.
func (t *txn) check(n *change) error {
	if n.effect > 0 {
		return nil
	}
	switch n.spec.Name {
	case sourceInfo, requestInput, requestResult:
		return t.checkReport(n)
	case propertySettings:
		return t.checkBadge(n)
	case userInfo:
		return t.checkPrivilegedFlags(n)
	case policyInfo:
		return t.checkPolicyEditable(n)
	case status:
		return t.checkLifecycleStage(n)
	case "logicalParent":
		return t.checkColumnLink(n)
	case propertyDefinition:
		return t.checkDefinitionChange(n)
	case structuredProperties:
		return t.checkAssignments(n)
	case versionProperties:
		return t.checkVersionChange(n)
	case versionSetProperties:
		return t.checkVersionScheme(n)
	}
	return nil
}

// others visits an aspect of all other entities of the type, until use returns false.
func (t *txn) others(of urn.URN, aspect string, use func(urn.URN, model.Object) bool) error {
	q := store.Scan{Type: of.Type()}
	for {
		page, err := t.tx.Scan(t.ctx, q)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, u := range page {
			if u == of {
				continue
			}
			value, err := t.read(u, aspect)
			if err != nil {
				return err
			}
			if value != nil && !use(u, value) {
				return nil
			}
		}
		q.After = page[len(page)-1]
	}
}

// checkBadge lets one property be the badge of assets.
func (t *txn) checkBadge(n *change) error {
	if !jsontree.Bool(n.value, "showAsAssetBadge") {
		return nil
	}
	var taken urn.URN
	err := t.others(n.urn, propertySettings, func(u urn.URN, settings model.Object) bool {
		if jsontree.Bool(settings, "showAsAssetBadge") {
			taken = u
		}
		return taken == ""
	})
	if err == nil && taken != "" {
		return broken(propertySettings, "/showAsAssetBadge", "%s is the badge of assets already; only one property can be", taken)
	}
	return err
}

// checkPrivilegedFlags keeps users from making themselves, or others, part of the system.
func (t *txn) checkPrivilegedFlags(n *change) error {
	before, err := n.before()
	if err != nil || t.system {
		return err
	}
	raisesSystem := jsontree.Bool(n.value, "system") && !jsontree.Bool(before, "system")
	raisesSupport := jsontree.Bool(n.value, "isSupportUser") && !jsontree.Bool(before, "isSupportUser")
	if !raisesSystem && !raisesSupport {
		return nil
	}
	actor, err := t.read(t.actor, userInfo)
	if err != nil {
		return err
	}
	if jsontree.Bool(actor, "system") || !raisesSystem && jsontree.Bool(actor, "isSupportUser") {
		return nil
	}
	return fault.New(fault.Forbidden, "corpUserInfo: only a system user may make a user part of the system or a support user")
}

// checkPolicyEditable keeps policies that are not editable as they are.
func (t *txn) checkPolicyEditable(n *change) error {
	before, err := n.before()
	if err != nil || n.old == nil || t.system {
		return err
	}
	if editable, stated := before["editable"].(bool); stated && !editable {
		return fault.New(fault.Forbidden, "dataHubPolicyInfo: %s is not editable", n.urn)
	}
	return nil
}

// checkLifecycleStage demands a stage that exists and fits the entity type.
func (t *txn) checkLifecycleStage(n *change) error {
	stage := jsontree.Text(n.value, "lifecycleStage")
	if stage == "" {
		return nil
	}
	before, err := n.before()
	if err != nil || jsontree.Text(before, "lifecycleStage") == stage {
		return err
	}
	info, err := t.read(urn.URN(stage), "lifecycleStageTypeInfo")
	if err != nil {
		return err
	}
	if info == nil {
		return broken(status, "/lifecycleStage", "must be a lifecycle stage that exists, found %q", stage)
	}
	types := jsontree.Texts(info, "entityTypes")
	if len(types) > 0 && !slices.ContainsFunc(types, func(name string) bool { return strings.EqualFold(name, n.entity.Name) }) {
		return broken(status, "/lifecycleStage", "%q is for %s, not for %s", stage, strings.Join(types, ", "), n.entity.Name)
	}
	return nil
}

// checkColumnLink refuses a link between columns that their schemas do not have.
func (t *txn) checkColumnLink(n *change) error {
	parent := urn.URN(jsontree.Text(jsontree.Child(n.value, "parent"), "destinationUrn"))
	if n.entity.Name != "schemaField" || parent == "" {
		return nil
	}
	for _, column := range []urn.URN{n.urn, parent} {
		parts := column.Parts()
		if column.Type() != "schemaField" || len(parts) != 2 {
			return broken("logicalParent", "/parent/destinationUrn", "the parent of a column must be a column, found %q", column)
		}
		schema, err := t.read(urn.URN(parts[0]), "schemaMetadata")
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(jsontree.Children(schema, "fields"), func(f model.Object) bool { return jsontree.Text(f, "fieldPath") == parts[1] }) {
			return broken("logicalParent", "/parent/destinationUrn", "%s has no column %q in its schema", parts[0], parts[1])
		}
	}
	return nil
}
