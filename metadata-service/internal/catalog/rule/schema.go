package rule

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// fieldArrays maps aspects about columns to the array with an element per column.
var fieldArrays = map[string]string{
	"schemaMetadata":         "fields",
	"editableSchemaMetadata": "editableSchemaFieldInfo",
}

// schemaRules require that a column is described once, by its path.
func schemaRules() []Rule {
	var rules []Rule
	for _, aspect := range []string{"schemaMetadata", "editableSchemaMetadata"} {
		rules = append(rules, Rule{
			Name: "columns of " + aspect, Aspects: []string{aspect},
			CheckSent: checkFieldPaths,
			Normalize: func(value model.Object) model.Object { return keepFirst(value, fieldArrays[aspect], "fieldPath") },
		})
	}
	return rules
}

func checkFieldPaths(p Sent) error {
	if p.Patch != nil {
		return checkAddedFieldPaths(p)
	}
	array := fieldArrays[p.Aspect]
	seen := map[string]bool{}
	for _, f := range jsontree.Children(p.Value, array) {
		path := jsontree.Text(f, "fieldPath")
		if path == "" {
			return violation(p.Aspect, "/"+array+"/*/fieldPath", "must not be empty")
		}
		if seen[path] {
			return violation(p.Aspect, "/"+array+"/*/fieldPath", "must not be repeated, found %q twice", path)
		}
		seen[path] = true
	}
	return nil
}

// checkAddedFieldPaths refuses a patch that adds a column without a path.
func checkAddedFieldPaths(p Sent) error {
	for _, op := range p.Patch.Operations {
		o, ok := op.Value.(model.Object)
		if !ok || op.Op != "add" || len(op.Path) != 2 || op.Path[0] != fieldArrays[p.Aspect] {
			continue
		}
		if path, there := o["fieldPath"].(string); there && path == "" || op.Path[1] == "" {
			return violation(p.Aspect, "/"+op.Path[0]+"/*/fieldPath", "must not be empty")
		}
	}
	return nil
}

// keepFirst drops elements with a key that appeared before, which patches can add.
func keepFirst(value model.Object, array, key string) model.Object {
	list, ok := value[array].([]any)
	if !ok {
		return value
	}
	seen := make(map[string]bool, len(list))
	value[array] = slices.DeleteFunc(list, func(e any) bool {
		o, _ := e.(model.Object)
		name := jsontree.Text(o, key)
		if seen[name] {
			return true
		}
		seen[name] = true
		return false
	})
	return value
}
