package rule

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// untypedOwnership is the ownership type of owners that have none.
const untypedOwnership = "urn:li:ownershipType:" + model.BuiltInOwnershipType + "none"

// ownershipRules maintain the groups of owners by ownership type, by which searches filter.
func ownershipRules() []Rule {
	return []Rule{{Name: "owners by type", Aspects: []string{"ownership"}, Normalize: groupOwners}}
}

// groupOwners computes ownerTypes: owners by the URN of their type. Dots in the URN are written
// %2E, because the search index interprets dots as levels.
func groupOwners(value model.Object) model.Object {
	owners := jsontree.Children(value, "owners")
	if len(owners) == 0 {
		delete(value, "ownerTypes")
		return value
	}
	groups := model.Object{}
	seen := map[[2]string]bool{}
	for _, owner := range owners {
		kind, ownerURN := ownershipType(owner), jsontree.Text(owner, "owner")
		if seen[[2]string{kind, ownerURN}] {
			continue
		}
		seen[[2]string{kind, ownerURN}] = true
		group, _ := groups[kind].([]any)
		groups[kind] = append(group, ownerURN)
	}
	value["ownerTypes"] = groups
	return value
}

func ownershipType(owner model.Object) string {
	kind := string(model.OwnershipType(owner))
	if kind == "" {
		kind = untypedOwnership
	}
	return strings.ReplaceAll(kind, ".", "%2E")
}
