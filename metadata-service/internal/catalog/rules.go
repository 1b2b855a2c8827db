package catalog

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Aspects with rules of their own.
const (
	userInfo             = "corpUserInfo"
	policyInfo           = "dataHubPolicyInfo"
	structuredProperties = "structuredProperties"
	propertyDefinition   = "propertyDefinition"
	propertySettings     = "structuredPropertySettings"
	versionProperties    = "versionProperties"
	versionSetProperties = "versionSetProperties"
)

// broken is a broken rule: path and reason, as for values that do not conform.
func broken(aspect, path, format string, args ...any) error {
	return fault.New(fault.Invalid, aspect+": "+path+" :: "+format, args...)
}

// checkProposed applies the rules that look at the proposed value alone.
func (s *Service) checkProposed(it *item) error {
	if it.spec.Name == "schemaMetadata" || it.spec.Name == "editableSchemaMetadata" {
		if err := checkFieldPaths(it.spec.Name, it.value); err != nil {
			return err
		}
	}
	return s.checkProposedValue(it, it.value)
}

// checkProposedValue holds the rules without state that a patched value must
// keep as well.
func (s *Service) checkProposedValue(it *item, value model.Object) error {
	switch it.spec.Name {
	case propertySettings:
		return checkHidden(value)
	case "formInfo":
		return checkPromptIDs(value)
	case "corpUserEditableInfo", "corpGroupEditableInfo":
		return checkPicture(it.spec.Name, value)
	case policyInfo:
		return checkPolicyFields(value)
	case "serviceDefinition":
		return checkLargeString(value)
	case propertyDefinition:
		return checkDefinition(value)
	case structuredProperties:
		return checkOncePerProperty(value)
	case versionProperties:
		return checkVersion(it, value)
	}
	return nil
}

// fieldPathsOf names the array and its place for messages.
func fieldPathsOf(aspect string) string {
	if aspect == "schemaMetadata" {
		return "fields"
	}
	return "editableSchemaFieldInfo"
}

func checkFieldPaths(aspect string, value model.Object) error {
	array := fieldPathsOf(aspect)
	seen := map[string]bool{}
	for _, f := range jsontree.Children(value, array) {
		path := jsontree.Text(f, "fieldPath")
		if path == "" {
			return broken(aspect, "/"+array+"/*/fieldPath", "must not be empty")
		}
		if seen[path] {
			return broken(aspect, "/"+array+"/*/fieldPath", "must not be repeated, found %q twice", path)
		}
		seen[path] = true
	}
	return nil
}

// checkAddedFieldPaths refuses a patch that adds a field without a path.
func checkAddedFieldPaths(it *item) error {
	if it.spec.Name != "schemaMetadata" && it.spec.Name != "editableSchemaMetadata" {
		return nil
	}
	for _, op := range it.patch.Operations {
		o, ok := op.Value.(model.Object)
		if !ok || op.Op != "add" || len(op.Path) != 2 || op.Path[0] != fieldPathsOf(it.spec.Name) {
			continue
		}
		if path, there := o["fieldPath"].(string); there && path == "" || op.Path[1] == "" {
			return broken(it.spec.Name, "/"+op.Path[0]+"/*/fieldPath", "must not be empty")
		}
	}
	return nil
}

func checkHidden(value model.Object) error {
	if !jsontree.Bool(value, "isHidden") {
		return nil
	}
	for _, name := range []string{"showInSearchFilters", "showInAssetSummary", "showAsAssetBadge", "showInColumnsTable"} {
		if jsontree.Bool(value, name) {
			return broken(propertySettings, "/"+name, "a hidden property cannot be shown anywhere")
		}
	}
	return nil
}

func checkPromptIDs(value model.Object) error {
	seen := map[string]bool{}
	for _, p := range jsontree.Children(value, "prompts") {
		id := jsontree.Text(p, "id")
		if seen[id] {
			return broken("formInfo", "/prompts/*/id", "must not be repeated, found %q twice", id)
		}
		seen[id] = true
	}
	return nil
}

// policyFields are the resource fields a policy may filter on.
var policyFields = []string{
	"TYPE", "URN", "OWNER", "DOMAIN", "GROUP_MEMBERSHIP", "DATA_PLATFORM_INSTANCE", "CONTAINER", "TAG", "GLOSSARY_TERM",
	"STRUCTURED_PROPERTY", "RESOURCE_URN", "RESOURCE_TYPE", "PRIVILEGE_CONSTRAINT", "LIFECYCLE_STAGE",
}

func checkPolicyFields(value model.Object) error {
	resources := jsontree.Child(value, "resources")
	for _, member := range []string{"filter", "privilegeConstraints"} {
		for _, c := range jsontree.Children(jsontree.Child(resources, member), "criteria") {
			if field := jsontree.Text(c, "field"); !slices.Contains(policyFields, strings.ToUpper(field)) {
				return broken(policyInfo, "/resources/"+member+"/criteria/*/field",
					"must be one of %s, found %q", strings.Join(policyFields, ", "), field)
			}
		}
	}
	return nil
}

func checkOncePerProperty(value model.Object) error {
	seen := map[string]bool{}
	for _, p := range jsontree.Children(value, "properties") {
		property := jsontree.Text(p, "propertyUrn")
		if seen[property] {
			return broken(structuredProperties, "/properties/*/propertyUrn", "must not be repeated, found %q twice", property)
		}
		seen[property] = true
	}
	return nil
}
