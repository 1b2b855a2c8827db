package rule

// documentRules prevent cycles in the tree of knowledge base documents.
func documentRules() []Rule {
	return []Rule{{Name: "tree of documents", Aspects: []string{"documentInfo"}, Validate: checkAcyclic, ValidateRestored: true}}
}
