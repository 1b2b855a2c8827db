// Package analytics counts the entities of the catalog: assets by type, platform, domain, tag, term
// and environment, and the coverage of owners, tags, terms and domains. All numbers come from the
// search index and cover the entities that the actor may see. The catalog does not record its own
// usage, so the package has no usage numbers.
package analytics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Chart counts entities by the values of a search field, largest first.
type Chart struct {
	Title string
	Field string
	Bars  []Bar
	// valueType is the entity type of values that are URNs, empty for plain values.
	valueType string
}

// Bar is one value with the number of entities that have it.
type Bar struct {
	Value string // of the field; a URN for most fields
	Name  string // display name
	Count int
}

// Highlight is the number of entities of one type.
type Highlight struct {
	Value int
	Title string
	Body  string // share of them with owners, tags and so on
}

// AllDomains is the value that clients send in place of a domain to count all entities.
const AllDomains = "ALL"

const maxBars = 20

// Searcher counts entities. discover.Service implements it.
type Searcher interface {
	Search(ctx context.Context, q discover.SearchQuery) (discover.SearchPage, error)
}

// Reader reads the names of entities. catalog.Service implements it.
type Reader interface {
	Entities(ctx context.Context, urns []urn.URN, q catalog.EntityQuery) ([]catalog.Entity, error)
}

// Service counts entities. It is safe for concurrent use.
type Service struct {
	index      Searcher
	entities   Reader
	authorizer auth.Decider
}

// New returns a Service.
func New(index Searcher, entities Reader, by auth.Decider) *Service {
	return &Service{index, entities, by}
}

// Landscape counts the entities of the catalog, or those that a search finds. It omits charts
// without bars. It requires auth.ViewAnalytics.
func (s *Service) Landscape(ctx context.Context, within discover.SearchQuery) ([]Chart, error) {
	if _, err := auth.Require(ctx, s.authorizer, auth.ForPlatform(auth.ViewAnalytics)); err != nil {
		return nil, err
	}
	charts := []Chart{
		{Title: "Assets by Type", Field: "_entityType"}, {Title: "Assets by Platform", Field: "platform", valueType: "dataPlatform"}, {Title: "Assets by Domain", Field: "domains", valueType: "domain"},
		{Title: "Assets by Glossary Term", Field: "glossaryTerms", valueType: "glossaryTerm"}, {Title: "Assets by Tag", Field: "tags", valueType: "tag"}, {Title: "Assets by Environment", Field: "origin"},
	}
	within.From, within.Size, within.FacetSize = 0, 0, maxBars
	within.Facets = make([]string, len(charts))
	for i, c := range charts {
		within.Facets[i] = c.Field
	}
	found, err := s.index.Search(ctx, within)
	if err != nil {
		return nil, fmt.Errorf("count assets: %w", err)
	}
	var out []Chart
	for _, c := range charts {
		for _, f := range found.Facets {
			if f.Field == c.Field {
				if c.Bars, err = s.bars(ctx, c.valueType, f.Buckets); err != nil {
					return nil, err
				}
			}
		}
		if len(c.Bars) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// bars returns the bars for the values of a field, at most maxBars. If the values name entities of
// type of, it omits values of other types and entities that do not exist or that the actor may not
// read: any user can put a URN of another type into a key.
func (s *Service) bars(ctx context.Context, of string, buckets []search.Bucket) ([]Bar, error) {
	var out []Bar
	var named []urn.URN
	for _, b := range buckets {
		if b.Count == 0 {
			continue
		}
		u, err := urn.Parse(b.Value)
		if of != "" && (err != nil || u.Type() != of) {
			continue
		}
		if of != "" {
			named = append(named, u)
		}
		if out = append(out, Bar{Value: b.Value, Name: b.Value, Count: b.Count}); len(out) == maxBars {
			break
		}
	}
	if of == "" {
		return out, nil
	}
	names, err := s.names(ctx, named)
	if err != nil {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(b Bar) bool { return names[urn.URN(b.Value)] == "" })
	for i := range out {
		out[i].Name = names[urn.URN(out[i].Value)]
	}
	return out, nil
}

// names returns the display names of the entities that the actor may read, or the last part of the
// URN for entities without a name.
func (s *Service) names(ctx context.Context, urns []urn.URN) (map[urn.URN]string, error) {
	out := make(map[urn.URN]string, len(urns))
	found, err := s.entities.Entities(ctx, urns, catalog.EntityQuery{Visible: true, Aspects: []string{"dataPlatformInfo", "domainProperties", "glossaryTermInfo", "tagProperties"}})
	if err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	for _, e := range found {
		out[e.URN] = e.URN.Key()
		for _, a := range e.Aspects {
			value, err := jsontree.DecodeObject(a.Value)
			if err != nil {
				return nil, fmt.Errorf("decode %s of %s: %w", a.Spec.Name, e.URN, err)
			}
			for _, member := range []string{"name", "displayName"} {
				if name, _ := value[member].(string); name != "" {
					out[e.URN] = name
				}
			}
		}
	}
	return out, nil
}

// kinds lists the entity types with highlights.
func kinds() []struct{ title, entityType string } {
	return []struct{ title, entityType string }{
		{"Datasets", "dataset"}, {"Dashboards", "dashboard"}, {"Charts", "chart"}, {"Pipelines", "dataFlow"}, {"Tasks", "dataJob"},
		{"Domains", "domain"}, {"Glossary Terms", "glossaryTerm"}, {"Tags", "tag"}, {"Users", "corpuser"},
	}
}

// Highlights counts the entities of the main types, without types that have none. It requires
// auth.ViewAnalytics.
func (s *Service) Highlights(ctx context.Context) ([]Highlight, error) {
	if _, err := auth.Require(ctx, s.authorizer, auth.ForPlatform(auth.ViewAnalytics)); err != nil {
		return nil, err
	}
	out := []Highlight{}
	for i, kind := range kinds() {
		q := discover.SearchQuery{Types: []string{kind.entityType}, Facets: []string{}}
		all, err := s.index.Search(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("count %s: %w", kind.title, err)
		}
		if all.Total == 0 {
			continue
		}
		h := Highlight{Value: all.Total, Title: kind.title}
		if i < kindsWithCoverage {
			if h.Body, err = s.coverage(ctx, q, all.Total); err != nil {
				return nil, err
			}
		}
		out = append(out, h)
	}
	return out, nil
}

// kindsWithCoverage is the number of leading kinds that can have owners, tags, terms and domains.
const kindsWithCoverage = 5

// coverage returns a sentence with the shares of entities that have owners, tags, terms and a
// domain.
func (s *Service) coverage(ctx context.Context, q discover.SearchQuery, total int) (string, error) {
	var shares []any
	for _, field := range []string{"owners", "tags", "glossaryTerms", "domains"} {
		q.Filter = search.Filter{{{Field: field, Condition: search.Exists}}}
		with, err := s.index.Search(ctx, q)
		if err != nil {
			return "", fmt.Errorf("count those with %s: %w", field, err)
		}
		shares = append(shares, int(math.Round(100*float64(with.Total)/float64(total))))
	}
	return fmt.Sprintf("%d%% have owners, %d%% tags, %d%% glossary terms, %d%% a domain.", shares...), nil
}
