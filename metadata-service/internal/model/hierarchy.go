package model

import "github.com/cartulary/cartulary/pkg/urn"

// Parent states where entities of a type name their parent in a hierarchy: containers in
// containers, domains in domains, glossary terms and nodes in nodes, documents in documents.
type Parent struct {
	Aspect string
	Path   string // to the parent's URN inside the aspect
}

var parentRules = map[string]Parent{
	"container":    {"container", "/container"},
	"domain":       {"domainProperties", "/parentDomain"},
	"glossaryNode": {"glossaryNodeInfo", "/parentNode"},
	"glossaryTerm": {"glossaryTermInfo", "/parentNode"},
	"document":     {"documentInfo", "/parentDocument/document"},
}

// ParentOf returns the Parent of an entity type. It is false for types without a hierarchy.
func ParentOf(entityType string) (Parent, bool) {
	p, ok := parentRules[entityType]
	return p, ok
}

// In returns the parent that a value of the aspect names, empty for none.
func (p Parent) In(value Object) urn.URN {
	for _, v := range Select(value, p.Path) {
		if text, ok := v.(string); ok {
			return urn.URN(text)
		}
	}
	return ""
}

// TellsPlace reports whether an aspect determines the position of an entity in the browse tree: its
// container or its browse path.
func TellsPlace(aspect string) bool { return aspect == "container" || aspect == "browsePathsV2" }
