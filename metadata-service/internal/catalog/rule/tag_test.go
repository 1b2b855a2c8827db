package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Each aspect of the model that attaches tags demands the right to attach them, so that a new one is
// not forgotten.
func TestEveryAspectThatAttachesTagsDemandsTheRight(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	attaching := map[string]bool{}
	for _, entity := range registry.Entities() {
		for _, aspect := range entity.Aspects {
			for _, r := range aspect.Relationships {
				if strings.HasSuffix(r.Name, "TaggedWith") {
					attaching[aspect.Name] = true
				}
			}
		}
	}
	if len(attaching) < 7 {
		t.Fatalf("only %d aspects attach tags", len(attaching))
	}
	for aspect := range attaching {
		if !slices.ContainsFunc(rule.All(), func(r rule.Rule) bool {
			return strings.HasPrefix(r.Name, "rights over tags") && slices.Contains(r.Aspects, aspect) && r.Demands != nil && r.DemandedOf == rule.ByService
		}) {
			t.Errorf("%s attaches tags and demands no right over them", aspect)
		}
	}
}
