package model

import "github.com/cartulary/cartulary/pkg/urn"

// Parent says where entities of a type name their parent in a hierarchy:
// containers in containers, domains in domains, glossary terms and nodes in
// nodes, documents in documents.
type Parent struct {
	Aspect string
	Path   string // to the parent's URN inside the aspect
}

var parents = map[string]Parent{
	"container":    {"container", "/container"},
	"domain":       {"domainProperties", "/parentDomain"},
	"glossaryNode": {"glossaryNodeInfo", "/parentNode"},
	"glossaryTerm": {"glossaryTermInfo", "/parentNode"},
	"document":     {"documentInfo", "/parentDocument/document"},
}

// ParentOf tells how entities of a type name their parent, false for types
// that form no hierarchy.
func ParentOf(entityType string) (Parent, bool) {
	p, ok := parents[entityType]
	return p, ok
}

// In gives the parent that a value of the aspect names, empty for none.
func (p Parent) In(value Object) urn.URN {
	for _, v := range Select(value, p.Path) {
		if text, ok := v.(string); ok {
			return urn.URN(text)
		}
	}
	return ""
}

// TellsPlace reports whether an aspect says where an entity lies in the browse tree: in which
// container, and behind which path.
func TellsPlace(aspect string) bool { return aspect == "container" || aspect == "browsePathsV2" }
