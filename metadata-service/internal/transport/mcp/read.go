package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultPage = 10
	maxPage     = 50
	maxEntities = 20
	maxColumns  = 200
	// An aspect above maxUnnamedAspect bytes is omitted unless requested by name; all aspects of a
	// response have at most maxResultBytes.
	maxUnnamedAspect = 16 << 10
	maxResultBytes   = 256 << 10
)

func (s *Server) addReadTools(to *sdk.Server) {
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	addTool(s, to, sdk.Tool{
		Name: "search", Annotations: reads, Title: "Search the catalog",
		Description: "Find data assets, terms, people and all else in the catalog by words and filters, best first. Words are sought in names, descriptions, columns and more; \"*\" finds everything. total is exact.",
	}, s.search)
	addTool(s, to, sdk.Tool{
		Name: "get_entities", Annotations: reads, Title: "Read entities",
		Description: "Read all facts (aspects) of up to 20 entities by URN: descriptions, owners, tags, terms, domains, properties, usage. Long aspects such as schemaMetadata are named in \"omitted\"; ask for them by name, or for columns with list_schema_fields.",
	}, s.getEntities)
	addTool(s, to, sdk.Tool{
		Name: "list_schema_fields", Annotations: reads, Title: "List columns",
		Description: "List the columns of a dataset with types, descriptions, tags and terms, those that match all keywords if some are given.",
	}, s.listSchemaFields)
	addTool(s, to, sdk.Tool{
		Name: "get_lineage", Annotations: reads, Title: "Follow lineage",
		Description: "List the sources (upstream) or the derived assets (downstream) of an asset or of one column of a dataset, nearest first, with the number of hops.",
	}, s.getLineage)
	addTool(s, to, sdk.Tool{
		Name: "get_dataset_queries", Annotations: reads, Title: "Read queries",
		Description: "List SQL queries that read a dataset, or one of its columns.",
	}, s.getQueries)
	addTool(s, to, sdk.Tool{
		Name: "browse_glossary", Annotations: reads, Title: "Browse the glossary",
		Description: "List terms and groups of terms of the business glossary with their definitions: those of a group, those at the top, or, with words, those found anywhere.",
	}, s.browseGlossary)
}

// Filter is a condition on a field of the search index.
type Filter struct {
	Field  string   `json:"field" jsonschema:"a field, such as platform, tags, glossaryTerms, owners, domains, origin, typeNames, fieldPaths or hasDescription"`
	Values []string `json:"values" jsonschema:"values of which at least one must match; URNs for entities"`
	Not    bool     `json:"not,omitempty" jsonschema:"none of the values may be there"`
}

// SearchInput are the arguments of search.
type SearchInput struct {
	Query   string   `json:"query,omitempty" jsonschema:"words, all of which must be found; \"*\" or nothing for everything"`
	Types   []string `json:"entity_types,omitempty" jsonschema:"entity types such as dataset, dashboard, chart, dataJob, glossaryTerm, corpuser; the usual ones when absent"`
	Filters []Filter `json:"filters,omitempty" jsonschema:"conditions that must all hold"`
	Facets  []string `json:"facets,omitempty" jsonschema:"fields whose values among everything found are to be counted, such as platform or entity"`
	Offset  int      `json:"offset,omitempty" jsonschema:"results to skip"`
	Limit   int      `json:"limit,omitempty" jsonschema:"results to give, 10 unless said, at most 50"`
}

// SearchOutput is a page of search results.
type SearchOutput struct {
	Total       int              `json:"total"`
	Results     []Asset          `json:"results"`
	Facets      map[string][]One `json:"facets,omitempty"`
	Suggestions []string         `json:"suggestions,omitempty"`
}

// One is a value of a facet.
type One struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

func (s *Server) search(ctx context.Context, in SearchInput) (out SearchOutput, err error) {
	q := discover.SearchQuery{Text: in.Query, Types: in.Types, Facets: in.Facets, Suggest: true}
	if q.Facets == nil {
		q.Facets = []string{} // none, instead of the default ones
	}
	if q.From, q.Size, err = pageOf(in.Offset, in.Limit, defaultPage, maxPage); err != nil {
		return out, err
	}
	var all []search.Criterion
	for _, f := range in.Filters {
		all = append(all, search.Criterion{Field: f.Field, Values: f.Values, Negated: f.Not})
	}
	if len(all) > 0 {
		q.Filter = search.Filter{all}
	}
	return s.find(ctx, q)
}

func (s *Server) find(ctx context.Context, q discover.SearchQuery) (out SearchOutput, err error) {
	if err := s.Documents.Restrict(ctx, &q); err != nil {
		return out, err
	}
	page, err := s.Discover.Search(ctx, q)
	if err != nil {
		return out, err
	}
	out = SearchOutput{Total: page.Total, Suggestions: page.Suggestions}
	for _, facet := range page.Facets {
		if out.Facets == nil {
			out.Facets = map[string][]One{}
		}
		for _, b := range facet.Buckets {
			out.Facets[facet.Field] = append(out.Facets[facet.Field], One{b.Value, b.Count})
		}
	}
	out.Results, err = s.assets(ctx, urnsOf(page.Hits))
	return out, err
}

func urnsOf(hits []search.Hit) []urn.URN {
	out := make([]urn.URN, len(hits))
	for i := range hits {
		out[i] = hits[i].URN
	}
	return out
}

// EntitiesInput are the arguments of get_entities.
type EntitiesInput struct {
	URNs    []string `json:"urns" jsonschema:"URNs of entities, at most 20"`
	Aspects []string `json:"aspects,omitempty" jsonschema:"names of aspects, such as ownership or schemaMetadata; all when absent"`
}

// EntitiesOutput contains the entities in the requested order.
type EntitiesOutput struct {
	Entities []Facts `json:"entities"`
}

// Facts are the aspects of an entity.
type Facts struct {
	URN     string         `json:"urn"`
	Type    string         `json:"type"`
	Exists  bool           `json:"exists"`
	Aspects map[string]any `json:"aspects,omitempty"`
	Omitted []string       `json:"omitted,omitempty" jsonschema:"aspects that are there, but too long to be given with all others"`
}

func (s *Server) getEntities(ctx context.Context, in EntitiesInput) (out EntitiesOutput, err error) {
	if len(in.URNs) == 0 || len(in.URNs) > maxEntities {
		return out, fault.New(fault.Malformed, "urns: %d are given, 1 to %d are allowed", len(in.URNs), maxEntities)
	}
	urns := make([]urn.URN, len(in.URNs))
	for i, text := range in.URNs {
		if urns[i], err = s.parse("urns", text); err != nil {
			return out, err
		}
	}
	for _, name := range in.Aspects {
		if _, ok := s.Registry.Aspect(name); !ok {
			return out, fault.New(fault.Malformed, "aspects: there is no aspect %.100q", name)
		}
	}
	room := maxResultBytes
	for _, u := range urns { // one by one, so that omitted aspects do not stay in memory
		entities, err := s.entities(ctx, []urn.URN{u}, catalog.EntityQuery{Aspects: in.Aspects, Timeseries: true, Disclosure: catalog.Omitted})
		if err != nil {
			return out, err
		}
		e := entities[0]
		f := Facts{URN: string(e.URN), Type: e.Spec.Name, Exists: e.Exists, Aspects: map[string]any{}}
		for _, a := range e.Aspects {
			if size := len(a.Value); size > room || size > maxUnnamedAspect && in.Aspects == nil {
				f.Omitted = append(f.Omitted, a.Spec.Name)
				continue
			}
			room -= len(a.Value)
			value, err := jsontree.Decode(a.Value)
			if err != nil {
				return out, err
			}
			f.Aspects[a.Spec.Name] = truncateTexts(value, longText)
		}
		out.Entities = append(out.Entities, f)
	}
	return out, nil
}

// parse parses a URN of a type of the model.
func (s *Server) parse(argument, text string) (urn.URN, error) {
	u, _, err := s.Registry.Resolve(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "%s: %s", argument, fault.Message(err))
	}
	return u, nil
}

// LineageInput are the arguments of get_lineage.
type LineageInput struct {
	URN       string   `json:"urn" jsonschema:"the asset"`
	Column    string   `json:"column,omitempty" jsonschema:"path of a column of a dataset, for the lineage of that column"`
	Direction string   `json:"direction" jsonschema:"upstream or downstream"`
	MaxHops   int      `json:"max_hops,omitempty" jsonschema:"how far to go, 1 unless said, 3 or more for all the way"`
	Query     string   `json:"query,omitempty" jsonschema:"words to find among the reached assets"`
	Types     []string `json:"entity_types,omitempty" jsonschema:"entity types to list"`
	Offset    int      `json:"offset,omitempty" jsonschema:"results to skip"`
	Limit     int      `json:"limit,omitempty" jsonschema:"results to give, 10 unless said, at most 50"`
}

// LineageOutput is a page of reached assets.
type LineageOutput struct {
	Total   int       `json:"total"`
	Results []Reached `json:"results"`
	// Note states that a limit ended the walk.
	Note string `json:"note,omitempty"`
}

// Reached is an asset and its distance.
type Reached struct {
	Asset
	Hops int `json:"hops"`
}

// unlimitedHops is the number of hops from which on only the limit of the service applies.
const unlimitedHops = 3

func (s *Server) getLineage(ctx context.Context, in LineageInput) (out LineageOutput, err error) {
	q := discover.LineageQuery{
		SearchQuery: discover.SearchQuery{Text: in.Query, Types: in.Types, Facets: []string{}, IncludeRestricted: true},
		Direction:   lineage.Direction(strings.ToUpper(in.Direction)), MaxHops: in.MaxHops, WithoutPaths: true,
	}
	if !q.Direction.Valid() {
		return out, fault.New(fault.Malformed, "direction: %.100q is neither upstream nor downstream", in.Direction)
	}
	switch {
	case in.MaxHops < 0:
		return out, fault.New(fault.Malformed, "max_hops: %d is less than 1", in.MaxHops)
	case in.MaxHops == 0:
		q.MaxHops = 1
	case in.MaxHops >= unlimitedHops:
		q.MaxHops = 0
	}
	if q.From, q.Size, err = pageOf(in.Offset, in.Limit, defaultPage, maxPage); err != nil {
		return out, err
	}
	if q.URN, err = s.subject(in.URN, in.Column); err != nil {
		return out, err
	}
	page, err := s.Discover.SearchLineage(ctx, q)
	if err != nil {
		return out, err
	}
	urns := make([]urn.URN, len(page.Hits))
	for i := range page.Hits {
		urns[i] = page.Hits[i].URN
	}
	assets, err := s.assets(ctx, urns)
	if err != nil {
		return out, err
	}
	out.Total, out.Results, out.Note = page.Total, make([]Reached, len(assets)), page.Why
	for i := range assets {
		out.Results[i] = Reached{assets[i], page.Hits[i].Degree}
	}
	return out, nil
}

// subject returns the URN of an entity, or of a column of it.
func (s *Server) subject(text, column string) (urn.URN, error) {
	u, err := s.parse("urn", text)
	if err != nil || column == "" {
		return u, err
	}
	return s.parse("column", string(model.ColumnURN(u, column)))
}

// QueriesInput are the arguments of get_dataset_queries.
type QueriesInput struct {
	URN    string `json:"urn" jsonschema:"the dataset"`
	Column string `json:"column,omitempty" jsonschema:"path of a column, for queries that read it"`
	Offset int    `json:"offset,omitempty" jsonschema:"queries to skip"`
	Limit  int    `json:"limit,omitempty" jsonschema:"queries to give, 10 unless said, at most 50"`
}

// QueriesOutput is a page of queries.
type QueriesOutput struct {
	Total   int     `json:"total"`
	Queries []Query `json:"queries"`
}

// Query is a query that reads datasets.
type Query struct {
	URN         string `json:"urn"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Language    string `json:"language,omitempty"`
	Statement   string `json:"statement"`
}

const queryAspect = "queryProperties"

func (s *Server) getQueries(ctx context.Context, in QueriesInput) (out QueriesOutput, err error) {
	u, err := s.subject(in.URN, in.Column)
	if err != nil {
		return out, err
	}
	q := discover.SearchQuery{Types: []string{"query"}, Facets: []string{}, Filter: search.Filter{{{Field: "entities", Values: []string{string(u)}}}}}
	if q.From, q.Size, err = pageOf(in.Offset, in.Limit, defaultPage, maxPage); err != nil {
		return out, err
	}
	page, err := s.Discover.Search(ctx, q)
	if err != nil {
		return out, err
	}
	out.Total, out.Queries = page.Total, []Query{}
	entities, err := s.entities(ctx, urnsOf(page.Hits), catalog.EntityQuery{Aspects: []string{queryAspect}, Visible: true})
	for _, e := range entities {
		a, ok := e.Find(queryAspect)
		if !ok {
			continue
		}
		value, err := jsontree.DecodeObject(a.Value)
		if err != nil {
			return out, err
		}
		statement, _ := value["statement"].(jsontree.Object)
		out.Queries = append(out.Queries, Query{
			URN: string(e.URN), Name: text(value, "name", shortText), Description: text(value, "description", shortText),
			Language: text(statement, "language", shortText), Statement: text(statement, "value", longText),
		})
	}
	return out, err
}

func text(o jsontree.Object, member string, most int) string {
	t, _ := o[member].(string)
	return truncate(t, most)
}

// GlossaryInput are the arguments of browse_glossary.
type GlossaryInput struct {
	Parent string `json:"parent,omitempty" jsonschema:"URN of a group of terms; its entries are listed"`
	Query  string `json:"query,omitempty" jsonschema:"words to find among all terms and groups, or those directly in the parent"`
	Offset int    `json:"offset,omitempty" jsonschema:"entries to skip"`
	Limit  int    `json:"limit,omitempty" jsonschema:"entries to give, 10 unless said, at most 50"`
}

func (s *Server) browseGlossary(ctx context.Context, in GlossaryInput) (out SearchOutput, err error) {
	q := discover.SearchQuery{Types: []string{"glossaryNode", "glossaryTerm"}, Text: in.Query, Facets: []string{}, Sort: []search.Sort{{Field: nameAlias}}}
	if q.From, q.Size, err = pageOf(in.Offset, in.Limit, defaultPage, maxPage); err != nil {
		return out, err
	}
	switch {
	case in.Parent != "":
		u, err := s.parse("parent", in.Parent)
		if err != nil {
			return out, err
		}
		q.Filter = search.Filter{{{Field: "parentNode", Values: []string{string(u)}}}}
	case in.Query == "":
		q.Filter = search.Filter{{{Field: "parentNode", Condition: search.Exists, Negated: true}}}
	default:
		q.Sort = nil
	}
	return s.find(ctx, q)
}
