package policy

import "github.com/cartulary/cartulary/metadata-service/internal/search"

// Covers is the policy as a filter of the search index: it holds for the entities
// of some types over which the policy grants its privileges, nil for all of them.
// any is false when there can be none. It ignores who receives the privileges. What is about entities that the
// policy excludes is counted, as a filter asks about no entities that others name.
func (p *Policy) Covers(types []string) (filter search.Filter, any bool) {
	if p.resources == nil {
		return nil, true
	}
	filter = p.alternatives(types, nil, ignoreNamed)
	return filter, len(filter) > 0
}
