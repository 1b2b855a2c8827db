package rule

import (
	"context"
	"errors"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
)

// metatestRules require that the definition of a metadata test can be parsed. An empty text or an
// empty object is a draft.
func metatestRules() []Rule {
	return []Rule{{Name: "definitions of tests", Aspects: []string{"testInfo"}, Check: checkTestDefinition}}
}

func checkTestDefinition(ctx context.Context, p Proposed) error {
	text := jsontree.Text(jsontree.Child(p.Value, "definition"), "json")
	if metatest.IsDraft(text) {
		return nil
	}
	_, err := metatest.Parse(ctx, p.Registry, nil, []byte(text))
	var problems *metatest.Error
	if !errors.As(err, &problems) {
		return err
	}
	lines := make([]string, len(problems.Problems))
	for i, problem := range problems.Problems {
		lines[i] = problem.Path + ": " + problem.Message
	}
	return violation("testInfo", "/definition/json", "%s", strings.Join(lines, "; "))
}
