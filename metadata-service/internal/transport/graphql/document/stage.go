package document

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Config says what a Stage accepts. A limit of zero means its default.
type Config struct {
	// Schema describes the types, as the library that executes knows them.
	Schema *ast.Schema

	// MaxBytes and MaxTokens bound the text of a request; 512 KiB and 50,000.
	MaxBytes, MaxTokens int
	// MaxDepth bounds how deep fields nest, through fragments; 50.
	MaxDepth int
	// MaxCost bounds the sum of the costs of all fields of the largest possible
	// answer; 2,000. Fields that are merged count once, and at a place of abstract
	// type the dearest of its object types counts.
	MaxCost int
	// MaxFields, MaxAliases and MaxRootFields bound the fields, the renamed fields
	// and the fields of the operation itself, fragments taken by value; 50,000,
	// 5,000 and 200.
	MaxFields, MaxAliases, MaxRootFields int
	// MaxExpanded bounds the selections that the library makes of the operation
	// on each request; 100,000. Give the library the same limit.
	MaxExpanded int
	// MaxComparisons bounds how many pairs of selections the library compares when
	// it validates the operation, on each request; 4,000,000. A million takes it
	// about half a second and 200 MB.
	MaxComparisons int

	// CacheBytes bounds the memory for compiled documents; 64 MiB.
	CacheBytes int64

	// Cost weighs a field; nil means 1 for each. Fields of introspection are free
	// whatever it says.
	Cost func(parent *ast.Definition, field *ast.FieldDefinition) int

	// IgnoreUnknownVariables accepts variables that the operation does not
	// declare, in place of refusing the request.
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
	fill(&c.MaxFields, 50_000)
	fill(&c.MaxAliases, 5000)
	fill(&c.MaxRootFields, 200)
	fill(&c.MaxExpanded, 100_000)
	fill(&c.MaxComparisons, 4_000_000)
	if c.CacheBytes == 0 {
		c.CacheBytes = 64 << 20
	}
	if c.Cost == nil {
		c.Cost = func(*ast.Definition, *ast.FieldDefinition) int { return 1 }
	}
	return c
}

// minRoom lets small budgets be measured before they are judged.
const minRoom = 10_000

// Stage compiles the texts of requests. It is safe for concurrent use.
type Stage struct {
	cfg     Config
	catalog *catalog
	rules   []core.Rule
	cache   *cache
}

// New makes a Stage. It fails when the schema has no queries, or a default that
// does not fit its type.
func New(cfg Config) (*Stage, error) {
	if cfg.Schema == nil || cfg.Schema.Query == nil {
		return nil, errors.New("document stage: the schema has no query type")
	}
	catalog, err := newCatalog(cfg.Schema)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	return &Stage{cfg: cfg, catalog: catalog, rules: specification(), cache: newCache(cfg.CacheBytes)}, nil
}

// Default is the coerced default of an argument of the schema, nil when it has
// none.
func (s *Stage) Default(arg *ast.ArgumentDefinition) any { return s.catalog.defaults[arg.DefaultValue] }

// Compile makes a Document of one operation of a text. An empty name means the
// only operation there is. Equal requests share one Document, and one failure.
func (s *Stage) Compile(text, operationName string) (*Document, Errors) {
	if len(text) > s.cfg.MaxBytes {
		return nil, overBudget("length", len(text), s.cfg.MaxBytes)
	}
	o := s.cache.get(text, operationName, func() outcome {
		doc, errs := s.compile(text, operationName)
		return outcome{doc, errs}
	})
	return o.doc, o.errs
}

// Reckon makes the cache take note of what has been left with a document, or has
// grown there. It is to be called after that.
func (s *Stage) Reckon(d *Document) { s.cache.reckon(d.key) }

func (s *Stage) compile(text, operationName string) (*Document, Errors) {
	parsed, errs := s.parse(text)
	if errs == nil {
		errs = checkShape(parsed, s.cfg.MaxAliases)
	}
	if errs == nil {
		errs = s.validate(parsed)
	}
	if errs != nil {
		return nil, errs
	}
	op, errs := choose(parsed, operationName)
	if errs != nil {
		return nil, errs
	}
	if errs := s.checkDepth(op); errs != nil {
		return nil, errs
	}
	return s.specialise(text, op)
}

// choose finds the operation to execute.
func choose(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, Errors) {
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
	return nil, invalid(nil, "Unknown operation named '%s'.", clip(name))
}

func (s *Stage) specialise(text string, op *ast.OperationDefinition) (*Document, Errors) {
	root := s.catalog.schema.Query
	if op.Operation == ast.Mutation {
		root = s.catalog.schema.Mutation
	}
	room := max(minRoom, 2*s.cfg.MaxExpanded)
	sp := &specialiser{
		catalog:  s.catalog,
		room:     room,
		variants: map[variantKey]*variant{},
		names:    map[string]bool{},
		below:    map[string][]node{},
		bindings: newBindings(s.catalog, op),
	}
	body := sp.operation(op, root)
	if sp.over() {
		return nil, overBudget("expanded selections", room+1, s.cfg.MaxExpanded)
	}
	if errs := s.checkBudgets(body); errs != nil {
		return nil, errs
	}
	if errs := s.checkPairs(sp); errs != nil {
		return nil, errs
	}
	copied, errs := copiesOf(s.cfg.Schema, op)
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
		catalog:       s.catalog,
		ignoreUnknown: s.cfg.IgnoreUnknownVariables,
		copies:        copied,
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
