package rule

import "github.com/cartulary/cartulary/metadata-service/internal/model"

// applicationRules prevent cycles in the tree of applications.
func applicationRules() []Rule {
	return []Rule{{Name: "tree of applications", Aspects: []string{"applicationProperties"}, Validate: acyclicBy(parentApplication), ValidateRestored: true}}
}

func parentApplication(entityType string) (model.Parent, bool) {
	return model.Parent{Aspect: "applicationProperties", Path: "/parentApplication"}, entityType == "application"
}
