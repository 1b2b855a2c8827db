// Package search is the port to the search index: search documents in, queries out.
//
// There is one search document per entity. The catalog's projection derives it from the aspects of
// the entity and the search annotations of the model (Schema). A driver analyses texts, and finds,
// ranks and counts search documents; it has no notion of aspects. The whole index can be rebuilt
// from the store.
//
// Queries read one immutable state of the index and never wait for writers.
package search

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of the contract. A driver accepts input within them and refuses the rest as
// fault.Malformed. Limits on filters count all filters of a query together; with FilterSize callers
// check them before they enlarge filters.
const (
	MaxQueryBytes   = 16 << 10 // text of a query
	MaxTypedBytes   = 4 << 10  // text to complete, once for each entity type
	MaxAlternatives = 10_000   // alternatives in filters
	MaxCriteria     = 20_000   // criteria in filters; an empty alternative counts as one
	MaxValues       = 20_000   // values in criteria
	MaxClauses      = 1_000    // words and operators in a query text
	MaxTerms        = 1_000    // terms derived from the words of a query text
	MaxPage         = 10_000   // hits on one page
	MaxFacetValues  = 60       // buckets of one facet requested by a client
	MaxListValues   = 1_000    // values of one field of a search document
)

// Kind is the kind of indexing of a field. A value for which NamesEntities is true may name an
// entity that some actors may not view. The words of its URNs are therefore indexed only in fields
// of URN kinds and those that the schema marks as URNs.
type Kind string

const (
	Keyword      Kind = "KEYWORD"        // exact, and folded for comparisons that ignore case
	Text         Kind = "TEXT"           // exact, and by words
	TextPartial  Kind = "TEXT_PARTIAL"   // as Text, and by prefixes of words
	WordGram     Kind = "WORD_GRAM"      // as TextPartial, and by sequences of words
	URNKind      Kind = "URN"            // exact, and by pieces
	URNPartial   Kind = "URN_PARTIAL"    // as URNKind, and by prefixes of pieces
	Boolean      Kind = "BOOLEAN"        // "true" or "false"
	Count        Kind = "COUNT"          // 64-bit integer
	Double       Kind = "DOUBLE"         //
	DateTime     Kind = "DATETIME"       // epoch milliseconds
	BrowsePath   Kind = "BROWSE_PATH"    // "/a/b": found by every ancestor
	BrowsePathV2 Kind = "BROWSE_PATH_V2" // "␟a␟b": found by every ancestor
	ObjectKind   Kind = "OBJECT"         // keys are sub-fields: field.key
)

// Field defines the indexing and display of a field of an entity type.
type Field struct {
	Name         string
	Kind         Kind
	Query        bool    // part of the default full-text query
	Boost        float64 // at least 0; the default is 1
	Autocomplete bool
	Facet        bool               // facet by default
	DisplayName  string             // of the facet, empty for none
	Aliases      []string           // further names in queries
	Weights      map[string]float64 // score factor by exact value
	Keyed        bool               // texts are "key=value", as in an object
	URNs         bool               // the model defines the values as URNs, regardless of the kind
}

// Schema lists the fields of an entity type, in the order of the registry.
type Schema struct {
	EntityType string
	Fields     []Field
}

// Value is a value of a field: Text for words, keywords, URNs, paths and booleans, Number for
// counts, doubles and dates.
type Value struct {
	Text   string
	Number float64
}

// Document is the search document of an entity. Values of a field are in the order of the aspect,
// at most MaxListValues each. Fields that the schema does not list are structured properties
// ("structuredProperties.<name>") with the kind given here.
type Document struct {
	URN    urn.URN
	Type   string
	Fields map[string][]Value
	Kinds  map[string]Kind // of fields that are not in the schema
}

// Change replaces the search document of an entity, or removes it if Document is nil.
type Change struct {
	URN      urn.URN
	Document *Document
}

// Condition is the comparison of a criterion.
type Condition string

const (
	Equal          Condition = "EQUAL" // any of the values, exactly
	IEqual         Condition = "IEQUAL"
	Contain        Condition = "CONTAIN" // ignoring case, as StartWith and EndWith
	StartWith      Condition = "START_WITH"
	EndWith        Condition = "END_WITH"
	Prefix         Condition = "PREFIX"       // as StartWith, but by bytes, as in policies
	GreaterThan    Condition = "GREATER_THAN" // first value; numbers, else byte order
	GreaterOrEqual Condition = "GREATER_THAN_OR_EQUAL_TO"
	LessThan       Condition = "LESS_THAN"
	LessOrEqual    Condition = "LESS_THAN_OR_EQUAL_TO"
	Exists         Condition = "EXISTS"
	IsNull         Condition = "IS_NULL"
	// OtherThan holds if some text is none of the values. Only expressions may use it.
	OtherThan Condition = "OTHER_THAN"
)

// Criterion is one condition on a field. In addition to fields of the schemas it may name "urn" and
// "_entityType"; a trailing ".keyword" is ignored. An unknown field has no values. A nested field,
// as in a FacetRequest, has the values that the facet counts, and supports equality only.
type Criterion struct {
	Field     string
	Condition Condition // empty means Equal
	Values    []string  // an empty list matches nothing, except with Exists and IsNull
	Negated   bool
	// To makes this a criterion on the entities that the values of the field name, in place of the
	// values; Condition and Values are then ignored. Only Visible and Without may contain one.
	To *Reference
}

// Reference is a condition on the entities that a field names, such as the datasets that a query is
// about. The entities are read from the same state of the index. One without a search document has
// its type and URN, and meets no criterion on any other field, negated or not: it could otherwise
// be distinguished from entities that a negated criterion excludes.
type Reference struct {
	Where  Filter // without nested references
	All    bool   // all of them must match, and at least one; otherwise any
	Stored bool   // an entity without a search document does not match
}

// Filter is a list of alternatives, each a list of criteria that must all hold. An empty filter
// matches everything, and so does an empty alternative.
type Filter [][]Criterion

// Sort orders hits by a field, and equal ones by ascending URN.
type Sort struct {
	Field        string // "_score" for relevance
	Descending   bool
	MissingFirst bool
}

// FacetRequest asks for counts. Field may be nested: names joined by U+241E count the values of the
// first field, and their combinations with those of each further one. Requests with far too many
// combinations are refused. "missing" + U+241D + name counts search documents without the field.
//
// With Under the facet counts the groups directly below a path of a browse path field; "" is the
// root. Deeper counts the groups a number of steps further down.
type FacetRequest struct {
	Field string
	// Size limits the buckets of each level, see Level; at most MaxPage. Clients get at most
	// MaxFacetValues.
	Size   int
	Under  *string
	Deeper int
	// Values are counted even if they are not among the most frequent ones, or if no search
	// document has them; at most MaxFacetValues, and none with Under.
	Values []string
}

// Nest joins the fields, and the values, of nested facets.
const Nest = "\u241e"

// Level returns the number of further values that a value of the facet joins to one of the first
// field: 0 for all values of a facet that is not nested.
func (r *FacetRequest) Level(value string) int {
	if !strings.Contains(r.Field, Nest) {
		return 0
	}
	return strings.Count(value, Nest)
}

// Query selects search documents.
type Query struct {
	Types []string // entity types; at least one
	// Text is the query text: empty or "*" for everything. Package search/query describes the
	// syntax. The prefix "/q " means Structured.
	Text       string
	Structured bool
	// ExcludedFields names fields that the text ignores. The values of such a field match no part
	// of the text, whether the text names the field or not, and in every search document; they
	// affect neither scores and matched fields nor suggestions. Filters, sorting, facets and
	// HighlightFields are not restricted. Names are those of search documents (see PlainName), in
	// any order: an alias stands for no other field, and an object for all of its keys. "urn" can
	// be excluded, too. Unknown names are ignored.
	ExcludedFields []string
	// WholeNames is set for actors from whom something is hidden. Values for which NamesEntities is
	// true are then compared only as a whole, except in fields of a URN or path kind or marked as
	// URNs: a part of one would reveal the name of a hidden entity. Equal, Exists and IsNull see
	// them, and so do facets and a text "field:*". For other conditions and texts they are absent,
	// and hits are not sorted by them. Visible and Without are not affected.
	WholeNames bool
	Filter     Filter
	// And holds further filters that must also hold. Alternatives of several filters are not
	// multiplied out: a view of 200 and a filter of 5000 are 5200, and not a million.
	And []Filter
	// Within restricts the query to these entities; nil does not restrict it. It may contain more
	// entities than a filter may contain values.
	Within []urn.URN
	// Slice and Slices restrict the query to part Slice of Slices parts of about equal size, which
	// together are everything. Slices of 0 does not restrict it.
	Slice, Slices int
	// Visible is a further filter that must hold: the entities that the actor may see. It does not
	// come from the client, so with VisibleKey it may be of any size. Hidden search documents
	// change no answer: totals, hits, their order, scores and matched fields, facets and
	// suggestions are those of an index with the visible search documents only, and so are
	// completions. Whether a query is refused for its cost may depend on the number of hidden
	// search documents, but not on single words.
	Visible Filter
	// VisibleKey identifies the content of Visible: filters with equal keys must be equal. Drivers
	// compute the set of such a filter once for each state of the index. It is empty for a filter
	// that is unlikely to be used again.
	VisibleKey string
	// Without excludes the search documents that a filter matches; an empty filter excludes
	// nothing. It does not come from the client, and WithoutKey corresponds to VisibleKey.
	Without    Filter
	WithoutKey string
	Sort       []Sort // empty: by relevance, then URN
	// From skips hits; After continues behind a hit of the same query instead. Setting both is an
	// error.
	From   int
	After  *Cursor
	Size   int // requested number of hits, 0 to MaxPage
	Facets []FacetRequest
	// Highlight requests the fields that matched the text.
	Highlight       bool
	HighlightFields []string // further fields to report
	// Suggest requests other spellings if few search documents are found.
	Suggest bool
}

// Cursor is the position of a hit in the order of its query.
type Cursor struct {
	Values  []Value // one for each sort criterion, or the score if there is none
	Missing []bool  // values that the hit lacks
	URN     urn.URN
}

// Result is the answer to a query. Total is exact.
type Result struct {
	Total  int
	Hits   []Hit
	Facets []Facet // in the order of the request
	// Suggestions are other texts to try, best first. Each finds at least one search document that
	// matches Visible, regardless of the other conditions of the query.
	Suggestions []string
	// More is true if hits follow the last one.
	More bool
}

// Hit is one search document found.
type Hit struct {
	URN     urn.URN
	Type    string
	Score   float64
	Matched []Match
	Cursor  Cursor
}

// Match is a field whose value matched the text.
type Match struct {
	Field string
	Value string
}

// Facet counts values among all hits, most frequent first, equal ones by value. The values of the
// request that are not among them follow. Counts are exact.
type Facet struct {
	Field   string
	Buckets []Bucket
	// More is true if hits have further values: a value without a bucket may still have hits.
	More bool
}

// Bucket is one value, or combination joined by U+241E, with its count.
type Bucket struct {
	Value string
	Count int
}

// AutocompleteQuery selects completions of a typed text.
type AutocompleteQuery struct {
	Types []string
	Text  string
	Field string // empty: the fields marked for autocompletion
	// ExcludedFields is as in Query: their values are neither matched nor proposed.
	ExcludedFields []string
	WholeNames     bool // as in Query
	Filter         Filter
	And            []Filter // further filters that must also hold
	Visible        Filter
	// VisibleKey is as in Query.
	VisibleKey string
	Limit      int
}

// Completion is one proposal: the text of the field and an entity that has it.
type Completion struct {
	Text string
	URN  urn.URN
	Type string
}

// Index is the interface of a driver. Every method may call a server, so every method takes a
// context and may fail: with the error of an ended context, with fault.Unavailable after Close and
// while the server is unreachable, and with fault.StorageFull if there is no room to write.
//
// All methods may be called at any time by several goroutines, except Apply: its calls must be
// serialised, with sequences that never decrease.
type Index interface {
	// Apply makes changes visible, all at once and in the given order: of several changes of one
	// URN the last one counts. sequence is the change log sequence of the resulting state; it
	// advances even without changes. After an error none of the changes is visible, and the same
	// call may be repeated. A reader that starts after Apply has returned sees the changes.
	Apply(ctx context.Context, sequence uint64, changes []Change) error
	// Applied returns the sequence of the index: that of the last Apply or, after Open, of the last
	// Save.
	Applied(ctx context.Context) (uint64, error)
	// Search answers a query from one state of the index. Errors in the query are fault.Malformed
	// and name the invalid part. When ctx ends, Search returns its error within milliseconds,
	// regardless of the remaining work.
	Search(ctx context.Context, q Query) (Result, error)
	// Autocomplete returns completions, best first, without duplicates of text and URN. It ends
	// with ctx as Search does.
	Autocomplete(ctx context.Context, q AutocompleteQuery) ([]Completion, error)
	// Documents returns the number of search documents by entity type. Types without any may be
	// missing.
	Documents(ctx context.Context) (map[string]int, error)
	// Save persists the index, so that the next Open continues at Applied. Reads and writes
	// continue meanwhile. After an error the previously saved state is unchanged.
	Save(ctx context.Context) error
	// Close releases the index without saving it: changes since the last Save must be applied
	// again. It waits for the driver's goroutines. Calling it twice is allowed.
	Close(ctx context.Context) error
}

// Rebuilder is an optional interface of drivers that can be filled anew while reads continue on the
// old content.
type Rebuilder interface {
	// Stale returns the reason why the content must be rebuilt: it was damaged, or has other
	// schemas. It is empty if the content is valid. The reason persists: until a rebuild succeeds,
	// nothing overwrites the state on disk.
	Stale(ctx context.Context) (string, error)
	// Rebuild replaces the content by the search documents that fill puts. Until it returns, reads
	// see the old content, which Apply keeps updating; changes of Apply in the meantime take
	// precedence over those of fill. put accepts search documents in any order, each entity once,
	// and may be called by several goroutines at a time. sequence is that of a state of the log
	// which is not newer than the data that fill reads. If fill fails, nothing changes.
	Rebuild(ctx context.Context, sequence uint64, fill func(put func([]*Document) error) error) error
}
