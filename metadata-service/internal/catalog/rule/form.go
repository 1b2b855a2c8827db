package rule

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// formRules say that prompts differ by id within their form.
func formRules() []Rule {
	return []Rule{{Name: "prompts of forms", Aspects: []string{"formInfo"}, Check: checkPromptIDs}}
}

func checkPromptIDs(_ context.Context, p Proposed) error {
	seen := map[string]bool{}
	for _, prompt := range jsontree.Children(p.Value, "prompts") {
		id := jsontree.Text(prompt, "id")
		if seen[id] {
			return broken("formInfo", "/prompts/*/id", "must not be repeated, found %q twice", id)
		}
		seen[id] = true
	}
	return nil
}
