// Package recommendation suggests searches on a page: the platforms and domains with most assets,
// and the tags and glossary terms with most assets. It uses counts of the search index and no usage
// data, so actors with the same view authorization get the same suggestions.
package recommendation

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Scenario is the page that requests recommendations.
type Scenario string

// Scenarios. Profiles of entities and the search bar would need usage data, so they get no
// recommendations.
const (
	Home          Scenario = "HOME"
	SearchResults Scenario = "SEARCH_RESULTS"
)

// Render is the display form of a module.
type Render string

// Display forms.
const (
	Platforms Render = "PLATFORM_SEARCH_LIST"
	Domains   Render = "DOMAIN_SEARCH_LIST"
	Tags      Render = "TAG_SEARCH_LIST"
	Terms     Render = "GLOSSARY_TERM_SEARCH_LIST"
)

// Module is a list of suggestions of one kind.
type Module struct {
	ID      string
	Title   string
	Render  Render
	Field   string // search field of the entries
	Entries []Entry
}

// Entry is one suggestion: a search for entities with a value in the field of the module.
type Entry struct {
	URN   urn.URN
	Count int // number of matching entities
}

// Limits of an answer.
const (
	maxModules = 50
	maxEntries = 10
)

// Searcher counts entities.
type Searcher interface {
	Search(ctx context.Context, q discover.SearchQuery) (discover.SearchPage, error)
}

// Service computes recommendations. It is safe for concurrent use.
type Service struct{ index Searcher }

// New returns a Service.
func New(index Searcher) *Service { return &Service{index} }

// Modules returns at most limit modules, most useful first; 0 means all. within restricts the
// counted entities: to a view, or to the results of a search. It omits modules without entries.
func (s *Service) Modules(ctx context.Context, scenario Scenario, within discover.SearchQuery, limit int) ([]Module, error) {
	modules := modulesOf(scenario)
	if len(modules) == 0 {
		return nil, nil
	}
	within.From, within.Size, within.Scroll, within.FacetSize = 0, 0, "", maxEntries
	within.Facets = make([]string, len(modules))
	for i, m := range modules {
		within.Facets[i] = m.Field
	}
	found, err := s.index.Search(ctx, within)
	if err != nil {
		return nil, fmt.Errorf("recommend: %w", err)
	}
	if limit <= 0 || limit > maxModules {
		limit = maxModules
	}
	var out []Module
	for _, m := range modules {
		m.Entries = entries(found.Facets, m.Field)
		if len(m.Entries) > 0 && len(out) < limit {
			out = append(out, m)
		}
	}
	return out, nil
}

func modulesOf(scenario Scenario) []Module {
	used := []Module{
		{ID: "TopTags", Title: "Popular Tags", Render: Tags, Field: "tags"},
		{ID: "TopTerms", Title: "Popular Glossary Terms", Render: Terms, Field: "glossaryTerms"},
	}
	switch scenario {
	case Home:
		return append([]Module{
			{ID: "Domains", Title: "Domains", Render: Domains, Field: "domains"},
			{ID: "Platforms", Title: "Platforms", Render: Platforms, Field: "platform"},
		}, used...)
	case SearchResults:
		return used
	}
	return nil
}

func entries(facets []search.Facet, field string) []Entry {
	var out []Entry
	for _, f := range facets {
		if f.Field != field {
			continue
		}
		for _, b := range f.Buckets {
			u, err := urn.Parse(b.Value)
			if err == nil && b.Count > 0 && len(out) < maxEntries {
				out = append(out, Entry{u, b.Count})
			}
		}
	}
	return out
}
