package metatest

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
)

// ResultsAspect is the aspect that holds the results of the tests of an asset.
const ResultsAspect = "testResults"

// isTested reports whether tests can be about entities of a type: the type carries results
// and is indexed.
func isTested(spec *model.EntitySpec) bool {
	_, carries := spec.Aspect(ResultsAspect)
	return carries && document.IsIndexed(spec)
}

// alsoRead lists the types that no test is about and that rules read behind references of assets.
// Every other type is closed to rules, whoever writes them: verdicts are counted whatever the
// author may view, so they would tell recipes, personal views, settings and policies.
var alsoRead = []string{
	"agentSkill", "aiAgent", "api", "assertion", "businessAttribute", "dataContract", "dataHubRole", "dataPlatform",
	"dataPlatformInstance", "dataType", "entityType", "erModelRelationship", "form", "incident", "lifecycleStageType", "metric",
	"ownershipType", "platformResource", "query", "repository", "role", "semanticModel", "service", "structuredProperty", "test",
	"versionSet",
}

func isRead(spec *model.EntitySpec) bool {
	return isTested(spec) || slices.Contains(alsoRead, spec.Name)
}

// ReadTypes lists the entity types that rules may read, in the order of the registry: those that
// tests are about, and those that references of assets may lead to.
func ReadTypes(r *model.Registry) []string {
	var names []string
	for _, spec := range r.Entities() {
		if isRead(spec) {
			names = append(names, spec.Name)
		}
	}
	return names
}
