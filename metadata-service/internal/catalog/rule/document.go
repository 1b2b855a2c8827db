package rule

// documentRules keep the documents of the knowledge base a tree.
func documentRules() []Rule {
	return []Rule{{Name: "tree of documents", Aspects: []string{"documentInfo"}, Validate: checkAcyclic, ValidateRestored: true}}
}
