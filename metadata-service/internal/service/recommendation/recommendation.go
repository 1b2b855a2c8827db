// Package recommendation proposes where to go on from a page: the platforms and
// domains with most assets, the tags and glossary terms that are put on most of
// them. It knows what the index counts and nothing about who looked at what, so
// it proposes the same to everybody who may see the same.
package recommendation

import (
	"context"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Scenario is the page that asks.
type Scenario string

// The scenarios. Profiles of entities and the search bar would need to know
// what people did; nothing is proposed for them.
const (
	Home          Scenario = "HOME"
	SearchResults Scenario = "SEARCH_RESULTS"
)

// Render is how a module is drawn.
type Render string

// The ways of drawing.
const (
	Platforms Render = "PLATFORM_SEARCH_LIST"
	Domains   Render = "DOMAIN_SEARCH_LIST"
	Tags      Render = "TAG_SEARCH_LIST"
	Terms     Render = "GLOSSARY_TERM_SEARCH_LIST"
)

// Module is a list of proposals of one kind.
type Module struct {
	ID      string
	Title   string
	Render  Render
	Field   string // that entities are searched by
	Entries []Entry
}

// Entry is one proposal: a search for what has a value in the module's field.
type Entry struct {
	URN   urn.URN
	Count int // entities found
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

// Service recommends. It is safe for concurrent use.
type Service struct{ index Searcher }

// New makes a Service.
func New(index Searcher) *Service { return &Service{index} }

// Modules gives at most limit modules, the most useful first; 0 means all.
// Within narrows what is counted: by a view, or by the search whose results
// are shown. Modules without an entry are left out.
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
