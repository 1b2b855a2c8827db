// Package search is the port to the search index: documents in, queries out.
//
// There is one document per entity, derived from its aspects by the catalog's
// projection and the model's search facts (Schema). A driver analyses texts,
// finds, ranks and counts; it knows nothing of aspects. Everything it holds can
// be built again from the store.
//
// Queries read one immutable state of the index and never wait for writers.
package search

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of the contract. A driver takes what is within them and refuses the
// rest as fault.Malformed. Those of filters count all filters of a query
// together; see FilterSize, by which callers meet them before they make filters
// larger than they came.
const (
	MaxQueryBytes   = 16 << 10 // text of a query
	MaxTypedBytes   = 4 << 10  // text that is completed, once for each entity type
	MaxAlternatives = 10_000   // alternatives of filters
	MaxCriteria     = 20_000   // criteria of filters; an alternative without any counts as one
	MaxValues       = 20_000   // values of criteria
	MaxClauses      = 1_000    // words and operators of a query text
	MaxTerms        = 1_000    // terms that the words of a query text are cut into
	MaxPage         = 10_000   // hits of one page
	MaxFacetValues  = 60       // buckets of one facet of a caller
	MaxListValues   = 1_000    // values of one field of a document
)

// Kind is how a field is indexed. A value for which NamesEntities holds may name an entity that some
// actors may not view: the words of its URNs are not indexed, but in fields of URN kinds and those
// that the schema marks as URNs.
type Kind string

const (
	Keyword      Kind = "KEYWORD"        // exact, and folded for ignoring case
	Text         Kind = "TEXT"           // exact and by words
	TextPartial  Kind = "TEXT_PARTIAL"   // and by prefixes of words
	WordGram     Kind = "WORD_GRAM"      // and by sequences of words
	URNKind      Kind = "URN"            // exact and by pieces
	URNPartial   Kind = "URN_PARTIAL"    // and by prefixes of pieces
	Boolean      Kind = "BOOLEAN"        // "true" or "false"
	Count        Kind = "COUNT"          // 64-bit integer
	Double       Kind = "DOUBLE"         //
	DateTime     Kind = "DATETIME"       // epoch milliseconds
	BrowsePath   Kind = "BROWSE_PATH"    // "/a/b": found by every ancestor
	BrowsePathV2 Kind = "BROWSE_PATH_V2" // "␟a␟b": found by every ancestor
	ObjectKind   Kind = "OBJECT"         // keys are sub-fields: field.key
)

// Field says how one field of an entity type is indexed and shown.
type Field struct {
	Name         string
	Kind         Kind
	Query        bool    // part of the default full-text query
	Boost        float64 // at least 0; 1 is ordinary
	Autocomplete bool
	Facet        bool               // facet by default
	DisplayName  string             // of the facet, empty for none
	Aliases      []string           // further names a query may use
	Weights      map[string]float64 // score factor by exact value
	Keyed        bool               // texts are "key=value", as those of an object are
	URNs         bool               // values are URNs by the model, whatever the kind is
}

// Schema lists the fields of an entity type, in the order of the registry.
type Schema struct {
	EntityType string
	Fields     []Field
}

// Value is a value of a field: Text for words, keywords, URNs, paths and
// booleans, Number for counts, doubles and dates.
type Value struct {
	Text   string
	Number float64
}

// Document is what is indexed of an entity. Field values are in document order
// and not more than MaxListValues each; fields the schema does not list are
// structured properties ("structuredProperties.<name>") with the kind given here.
type Document struct {
	URN    urn.URN
	Type   string
	Fields map[string][]Value
	Kinds  map[string]Kind // of fields that the schema does not list
}

// Change replaces the document of an entity, or removes it when Document is nil.
type Change struct {
	URN      urn.URN
	Document *Document
}

// Condition is how a criterion compares.
type Condition string

const (
	Equal          Condition = "EQUAL" // any of the values, exactly
	IEqual         Condition = "IEQUAL"
	Contain        Condition = "CONTAIN" // ignoring case, as StartWith and EndWith
	StartWith      Condition = "START_WITH"
	EndWith        Condition = "END_WITH"
	Prefix         Condition = "PREFIX"       // as StartWith, but by bytes: what policies ask for
	GreaterThan    Condition = "GREATER_THAN" // first value; numbers, else byte order
	GreaterOrEqual Condition = "GREATER_THAN_OR_EQUAL_TO"
	LessThan       Condition = "LESS_THAN"
	LessOrEqual    Condition = "LESS_THAN_OR_EQUAL_TO"
	Exists         Condition = "EXISTS"
	IsNull         Condition = "IS_NULL"
	// OtherThan holds when some text is none of the values. Expressions alone may ask for it.
	OtherThan Condition = "OTHER_THAN"
)

// Criterion is one condition on a field. Besides fields of the schemas it may
// name "urn" and "_entityType"; ".keyword" at the end of a name means nothing.
// An unknown field has no values. A nested field, as of a FacetRequest, has the
// values that facet counts, and can be asked for equal ones.
type Criterion struct {
	Field     string
	Condition Condition // empty means Equal
	Values    []string  // an empty list matches nothing, save for Exists and IsNull
	Negated   bool
	// To makes it a criterion about the entities that the values of the field name, in place of
	// the values; Condition and Values mean nothing then. Only Visible may hold one.
	To *Reference
}

// Reference is what a criterion asks of the entities that a field names, such as the
// datasets that a query is about. Entities are taken as the same state of the index has
// them. One without a document has its type and URN, and meets no criterion on any other
// field, negated or not: it could be told from those that a negated one excludes.
type Reference struct {
	Where  Filter // of plain criteria
	All    bool   // each of them has to fit, and there has to be one; otherwise any
	Stored bool   // an entity without a document does not fit
}

// Filter is a list of alternatives, each a list of criteria that must all hold.
// An empty filter matches everything; so does an empty alternative.
type Filter [][]Criterion

// Sort orders hits by a field; ties by URN ascending.
type Sort struct {
	Field        string // "_score" for relevance
	Descending   bool
	MissingFirst bool
}

// FacetRequest asks for counts. Field may nest: names joined by U+241E count the values of
// the first field, and their combinations with those of each further one, and are refused
// where these are far too many; "missing" + U+241D + name counts documents without the field.
//
// Under makes it a count of the groups directly below a path of a browse path
// field: "" is the root. Deeper makes it one of the groups so many steps further down.
type FacetRequest struct {
	Field string
	// Size bounds the buckets of each level, see Level; at most MaxPage. Callers are given
	// MaxFacetValues at most.
	Size   int
	Under  *string
	Deeper int
	// Values are counted whether they are among the most frequent or not, also when nothing has
	// them; at most MaxFacetValues, and none with Under.
	Values []string
}

// Nest joins the fields, and the values, of nested facets.
const Nest = "\u241e"

// Level is how many further values a value of the facet joins to one of the first field: 0 for
// all values of a facet that does not nest.
func (r *FacetRequest) Level(value string) int {
	if !strings.Contains(r.Field, Nest) {
		return 0
	}
	return strings.Count(value, Nest)
}

// Query asks for documents.
type Query struct {
	Types []string // entity types; at least one
	// Text is the query: empty or "*" for everything. Package search/query describes the
	// syntax; "/q " in front means Structured.
	Text       string
	Structured bool
	// ExcludedFields names fields that the text does not look at. The values of such a field match
	// no part of the text, whether the text names the field or not, and whatever document has them;
	// they neither change scores and matched fields nor give suggestions. Filters, sorting, facets
	// and HighlightFields are not restricted. Names are those of documents (see PlainName), in any
	// order: an alias stands for no other field, and an object for all of its keys. "urn" can be
	// excluded, too. An unknown name means nothing.
	ExcludedFields []string
	// WholeNames is set for actors from whom something is hidden. Values for which NamesEntities holds
	// are compared as a whole only, in fields that are not of a URN or path kind nor marked as URNs: a
	// part of one would spell the name of a hidden entity. Equal, Exists and IsNull see them, and so do
	// facets and a text "field:*". For other conditions and texts they are absent, and hits are not
	// sorted by them. Visible and Without are not concerned.
	WholeNames bool
	Filter     Filter
	// And holds further filters that must hold, too. Alternatives of several filters are not
	// multiplied out: a view of 200 and a filter of 5000 are 5200, and not a million.
	And []Filter
	// Within restricts the query to these entities; nil does not. It may hold more of them than
	// a filter may hold values.
	Within []urn.URN
	// Slice of Slices restricts the query to one of several parts of about equal size, which
	// together are everything; no Slices do not.
	Slice, Slices int
	// Visible is ANDed to the query: what the asking actor may see. It is not of the caller's
	// making, so with VisibleKey it may be of any size. Documents that it hides change no answer:
	// totals, hits, their order, scores and matched fields, facets and suggestions are those of an
	// index that holds the visible documents alone, and so are completions. Whether a query is
	// refused for what it would cost may depend on how much is hidden, but not on single words.
	Visible Filter
	// VisibleKey names the content of Visible: filters with the same key are the same. Drivers
	// make the set of such a filter once for each state of the index. Empty for one that hardly
	// comes again.
	VisibleKey string
	// Without leaves out what a filter matches; empty leaves out nothing. It is of no caller's making,
	// as Visible is, and WithoutKey is what VisibleKey is.
	Without    Filter
	WithoutKey string
	Sort       []Sort // empty: by relevance, then URN
	// From skips hits; After continues behind a hit of the same query instead. Both is an error.
	From   int
	After  *Cursor
	Size   int // hits wanted, 0 to MaxPage
	Facets []FacetRequest
	// Highlight reports which fields matched the text.
	Highlight       bool
	HighlightFields []string // further fields to report
	// Suggest asks for other spellings when little is found.
	Suggest bool
}

// Cursor is the place of a hit in the order of its query.
type Cursor struct {
	Values  []Value // one per sort criterion, the score when there is none
	Missing []bool  // which of them the hit lacks
	URN     urn.URN
}

// Result answers a query. Total is exact.
type Result struct {
	Total  int
	Hits   []Hit
	Facets []Facet // in the order asked
	// Suggestions are other texts to try, best first. Each finds something among what Visible lets
	// through, whatever else the query asks for.
	Suggestions []string
	// More tells whether hits follow the last one.
	More bool
}

// Hit is one document found.
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

// Facet counts values among all hits, most frequent first, ties by value. Behind
// them are the values of the request that are not among them. Counts are exact.
type Facet struct {
	Field   string
	Buckets []Bucket
	// More tells that hits have further values: those without a bucket need not be without hits.
	More bool
}

// Bucket is one value, or combination joined by U+241E, with its count.
type Bucket struct {
	Value string
	Count int
}

// AutocompleteQuery asks for completions of what was typed.
type AutocompleteQuery struct {
	Types []string
	Text  string
	Field string // empty: the fields marked for autocompletion
	// ExcludedFields is as in Query: their values are neither matched nor proposed.
	ExcludedFields []string
	WholeNames     bool // as in Query
	Filter         Filter
	And            []Filter // further filters that must hold, too
	Visible        Filter
	// VisibleKey is as in Query.
	VisibleKey string
	Limit      int
}

// Completion is one proposal: the field's text and the entity that has it.
type Completion struct {
	Text string
	URN  urn.URN
	Type string
}

// Index is everything a driver offers. Every method may ask a server, so every
// one takes a context and may fail: with the error of a context that has ended,
// with fault.Unavailable after Close and while the server is away, and with
// fault.StorageFull where there is no room to write.
//
// All methods may be called at any time by several goroutines. Apply is called by
// one at a time, with sequences that do not fall.
type Index interface {
	// Apply makes changes visible, all at once and in the order given: of several of one URN the
	// last one counts. Sequence is the change log sequence they bring the index up to; no changes
	// move it, too. After an error nothing of them is seen, and the same call may be made again.
	// A reader that starts after Apply has returned sees them.
	Apply(ctx context.Context, sequence uint64, changes []Change) error
	// Applied is the sequence the index is at: that of the last Apply, or after Open of the last
	// Save before.
	Applied(ctx context.Context) (uint64, error)
	// Search answers a query from one state of the index. Errors in the query are
	// fault.Malformed and name the part. When ctx ends it returns the error of ctx within
	// milliseconds, whatever is left to do.
	Search(ctx context.Context, q Query) (Result, error)
	// Autocomplete lists completions, best first, each text and URN once. It ends with ctx as
	// Search does.
	Autocomplete(ctx context.Context, q AutocompleteQuery) ([]Completion, error)
	// Documents counts the documents by entity type; types without any may be left out.
	Documents(ctx context.Context) (map[string]int, error)
	// Save persists the index, so that the next Open goes on from Applied. Reads and writes
	// go on meanwhile. After an error what was saved before is still there.
	Save(ctx context.Context) error
	// Close releases the index without saving it: what was applied since the last Save has to
	// be applied again. It waits for the driver's goroutines. Closing twice is fine.
	Close(ctx context.Context) error
}

// Rebuilder is an ability of drivers that can be filled anew while reads go on
// from what they hold.
type Rebuilder interface {
	// Stale tells why the content has to be built again: it was damaged, or made for other
	// schemas. Empty when it is as it should be. It is remembered: until a rebuild has gone well
	// nothing is saved over the state on disk.
	Stale(ctx context.Context) (string, error)
	// Rebuild replaces the content by what fill puts. Until it returns, reads see the old
	// content, kept up by Apply as ever; what Apply brings meanwhile wins over what fill puts.
	// put takes documents in any order, each entity once, and may be called by several
	// goroutines at a time. Sequence is that of a state of the log which is not newer than
	// what fill reads. When fill fails, everything stays as it was.
	Rebuild(ctx context.Context, sequence uint64, fill func(put func([]*Document) error) error) error
}
