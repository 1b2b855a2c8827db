package metatest

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// ResultsAspect is the aspect with the results of the tests of an asset.
const ResultsAspect = "testResults"

// isTested reports whether tests can apply to entities of a type: the type has results and is
// indexed.
func isTested(spec *model.EntitySpec) bool {
	_, carries := spec.Aspect(ResultsAspect)
	return carries && document.IsIndexed(spec)
}

// referencedTypes lists types to which no test applies, and which rules may read behind references
// of assets. Every other type is closed to the rules of any author: verdicts are counted regardless
// of the entities that the author may view, so they would reveal recipes, personal views, settings
// and policies.
var referencedTypes = []string{
	"agentSkill", "aiAgent", "api", "assertion", "businessAttribute", "dataContract", "dataHubRole", "dataPlatform",
	"dataPlatformInstance", "dataType", "entityType", "erModelRelationship", "form", "incident", "lifecycleStageType", "metric",
	"ownershipType", "platformResource", "query", "repository", "role", "semanticModel", "service", "structuredProperty", "test",
	"versionSet",
}

func isRead(spec *model.EntitySpec) bool {
	return isTested(spec) || slices.Contains(referencedTypes, spec.Name)
}

// ReadTypes returns the entity types that rules may read, in the order of the registry: those with
// tests, and those of references of assets.
func ReadTypes(r *model.Registry) []string {
	var names []string
	for _, spec := range r.Entities() {
		if isRead(spec) {
			names = append(names, spec.Name)
		}
	}
	return names
}
