package policy

import "github.com/cartulary/cartulary/metadata-service/internal/search"

// Covers returns the policy as a filter of the search index. The filter matches the entities of the
// given types over which the policy grants its privileges; nil matches all of them. any is false if
// it can match no entity. It ignores which actors receive the privileges. It also ignores the
// entities that an entity names, so it matches entities about an excluded entity.
func (p *Policy) Covers(types []string) (filter search.Filter, any bool) {
	if p.resources == nil {
		return nil, true
	}
	filter = p.alternatives(types, nil, ignoreNamed)
	return filter, len(filter) > 0
}
