package document

import (
	"errors"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Config holds the schema and the limits of a Stage. A limit of zero means its default, the
// number after the semicolon in each comment.
type Config struct {
	// Schema describes the types of the library that executes the text.
	Schema *ast.Schema

	// MaxBytes and MaxTokens bound the text of a request; 512 KiB and 50,000.
	MaxBytes, MaxTokens int
	// MaxDepth bounds the nesting of fields, counted through fragments; 50.
	MaxDepth int
	// MaxCost bounds the sum of the costs of the fields of the text, each counted once, including
	// those of fragments; 2,000.
	MaxCost int
	// MaxAnswerFields bounds the fields of the largest possible response, each list counted as
	// one element; 200,000. Merged fields count once, and at a place of abstract type the object
	// type with the most fields counts.
	MaxAnswerFields int
	// MaxAliases bounds the renamed fields of the text, MaxRootFields the fields of the operation
	// itself; 5,000 and 200.
	MaxAliases, MaxRootFields int

	// MaxVariableBytes bounds the text of the variables; 2 MiB. MaxVariableValues bounds the
	// values in the variables that the operation declares, including those in lists and objects;
	// 200,000. A value takes up to about a hundred times its text in memory.
	MaxVariableBytes, MaxVariableValues int

	// PageSizes names the arguments, and the members of inputs, that hold the number of entries a
	// field lists: as a number, or as the length of a list. MaxPage is the largest number of
	// entries that a page has, whatever size a request states; 10,000. See Document.OuterEntries.
	PageSizes []string
	MaxPage   int

	// The remaining limits decide which texts Document.Expansion allows the library to execute,
	// since the library repeats this work on each request. MaxFields and MaxExpanded bound the
	// fields and the selections with fragments taken by value; 200,000 and 400,000. Configure the
	// library with the same limit of selections.
	MaxFields, MaxExpanded int
	// MaxComparisons bounds the pairs of selections that the library compares when it validates
	// the operation; 1,000,000, which takes about half a second and 200 MB.
	MaxComparisons int

	// CacheBytes bounds the memory for compiled documents; 64 MiB.
	CacheBytes int64

	// Cost returns the cost of a field of the text; nil means 1 for each field. Introspection
	// fields are always free.
	Cost func(parent *ast.Definition, field *ast.FieldDefinition) int

	// IgnoreUnknownVariables accepts and ignores variables that the operation does not declare.
	// Without it such a request is refused.
	IgnoreUnknownVariables bool
}

func (c Config) withDefaults() Config {
	fill := func(limit *int, value int) {
		if *limit == 0 {
			*limit = value
		}
	}
	fill(&c.MaxBytes, 512<<10)
	fill(&c.MaxTokens, 50_000)
	fill(&c.MaxDepth, 50)
	fill(&c.MaxCost, 2000)
	fill(&c.MaxAnswerFields, 200_000)
	fill(&c.MaxVariableBytes, 2<<20)
	fill(&c.MaxVariableValues, 200_000)
	fill(&c.MaxPage, 10_000)
	fill(&c.MaxFields, 200_000)
	fill(&c.MaxAliases, 5000)
	fill(&c.MaxRootFields, 200)
	fill(&c.MaxExpanded, 400_000)
	fill(&c.MaxComparisons, 1_000_000)
	if c.CacheBytes == 0 {
		c.CacheBytes = 64 << 20
	}
	if c.Cost == nil {
		c.Cost = func(*ast.Definition, *ast.FieldDefinition) int { return 1 }
	}
	return c
}

// maxSpecialised bounds the selections of the specialised text, where a fragment has a variant
// for each type it is spread at.
const maxSpecialised = 200_000

// Stage compiles the texts of requests. It is safe for concurrent use.
type Stage struct {
	cfg    Config
	schema *schemaIndex
	rules  []core.Rule
	cache  *cache
}

// New creates a Stage. It returns an error when the schema has no query type, or has a default
// that does not fit its type.
func New(cfg Config) (*Stage, error) {
	if cfg.Schema == nil || cfg.Schema.Query == nil {
		return nil, errors.New("document stage: the schema has no query type")
	}
	catalog, err := newSchemaIndex(cfg.Schema)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	return &Stage{cfg: cfg, schema: catalog, rules: specification(), cache: newCache(cfg.CacheBytes)}, nil
}

// Default is the coerced default of an argument of the schema, nil when it has none. Callers must
// not change it.
func (s *Stage) Default(arg *ast.ArgumentDefinition) any { return s.schema.defaults[arg.DefaultValue] }

// Compile compiles one operation of a text into a Document. An empty name selects the only
// operation of the text. Equal requests share one Document, or one failure, while it is in the
// cache.
func (s *Stage) Compile(text, operationName string) (*Document, Errors) {
	if len(text) > s.cfg.MaxBytes {
		return nil, overBudget("length", len(text), s.cfg.MaxBytes)
	}
	o := s.cache.get(text, operationName, func() compilation {
		doc, errs := s.compile(text, operationName)
		return compilation{doc, errs}
	})
	return o.doc, o.errs
}

// Compiled reports whether Compile returns from the cache, without noticeable time or memory. It
// is true, too, for a text that is too long, because Compile refuses it at once.
func (s *Stage) Compiled(text, operationName string) bool {
	if len(text) > s.cfg.MaxBytes {
		return true
	}
	_, known := s.cache.lookup(s.cache.key(text, operationName))
	return known
}

// UpdateSize updates the size of a document in the cache. Call it after an attachment was set or
// has grown. The cache may evict documents.
func (s *Stage) UpdateSize(d *Document) { s.cache.updateSize(d.key) }

func (s *Stage) compile(text, operationName string) (*Document, Errors) {
	parsed, errs := s.parse(text)
	if errs == nil {
		errs = checkFragments(parsed, s.cfg.MaxAliases)
	}
	if errs == nil {
		errs = s.validate(parsed)
	}
	if errs != nil {
		return nil, errs
	}
	op, errs := selectOperation(parsed, operationName)
	if errs != nil {
		return nil, errs
	}
	if errs := s.checkDepth(op); errs != nil {
		return nil, errs
	}
	if errs := s.checkText(op); errs != nil {
		return nil, errs
	}
	return s.specialise(text, op)
}

// selectOperation returns the operation to execute. Subscriptions are refused.
func selectOperation(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, Errors) {
	if name == "" && len(doc.Operations) > 1 {
		return nil, invalid(nil, "Must provide operation name if query contains multiple operations.")
	}
	if name == "" && len(doc.Operations) == 0 {
		return nil, invalid(nil, "Must provide an operation.")
	}
	for _, op := range doc.Operations {
		if name != "" && op.Name != name {
			continue
		}
		if op.Operation == ast.Subscription {
			return nil, invalid(locate(op.Position), "Subscriptions are not supported.")
		}
		return op, nil
	}
	return nil, invalid(nil, "Unknown operation named '%s'.", truncate(name))
}

// specialiser rewrites an operation, within the budget of maxSpecialised.
func (s *Stage) specialiser(op *ast.OperationDefinition) (*specialiser, *variant) {
	root := s.schema.schema.Query
	if op.Operation == ast.Mutation {
		root = s.schema.schema.Mutation
	}
	sp := &specialiser{
		schema:   s.schema,
		budget:   maxSpecialised,
		variants: map[variantKey]*variant{},
		names:    map[string]bool{},
		below:    map[string][]node{},
		bindings: newBindings(s.schema, op),
	}
	return sp, sp.operation(op, root)
}

func (s *Stage) specialise(text string, op *ast.OperationDefinition) (*Document, Errors) {
	sp, body := s.specialiser(op)
	if sp.exhausted() {
		return nil, overBudget("specialised selections", maxSpecialised+1, maxSpecialised)
	}
	schemaValues, errs := s.checkAnswer(body)
	if errs != nil {
		return nil, errs
	}
	fanOut, errs := measureFanOut(s.cfg.Schema, op)
	if errs != nil {
		return nil, errs
	}
	pages, errs := s.pagesOf(body)
	if errs != nil {
		return nil, errs
	}
	written, errs := s.print(op, sp, body)
	if errs != nil {
		return nil, errs
	}
	return &Document{
		source:        text,
		text:          written,
		op:            op,
		bindings:      sp.bindings.list,
		introspection: onlyIntrospection(op),
		schemaValues:  schemaValues,
		schema:        s.schema,
		ignoreUnknown: s.cfg.IgnoreUnknownVariables,
		pages:         pages,
		maxPage:       s.cfg.MaxPage,
		maxBytes:      s.cfg.MaxVariableBytes,
		maxValues:     s.cfg.MaxVariableValues,
		fanOut:        fanOut,
		expansion:     sync.OnceValues(func() (int, Errors) { return s.checkExpansion(op) }),
	}, nil
}

func onlyIntrospection(op *ast.OperationDefinition) bool {
	for f := range fieldsOf(op.SelectionSet, map[*ast.FragmentDefinition]bool{}) {
		if f.Name != "__schema" && f.Name != "__type" && f.Name != "__typename" {
			return false
		}
	}
	return true
}
