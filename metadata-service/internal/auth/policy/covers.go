package policy

import "github.com/cartulary/cartulary/metadata-service/internal/search"

// Covers is the policy as a filter of the search index: it holds for the entities
// of some types over which the policy grants its privileges, nil for all of them.
// any is false when there can be none. Who gets the privileges is not looked at.
func (p *Policy) Covers(types []string) (filter search.Filter, any bool) {
	if p.resources == nil {
		return nil, true
	}
	filter = p.alternatives(types, nil)
	return filter, len(filter) > 0
}
