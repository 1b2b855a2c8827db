package metatest

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Needs are the facts that deciding a test takes.
type Needs struct {
	// Document tells that the search document is needed, which is made of all aspects.
	Document  bool
	Aspects   []string // of the asset
	Related   []string // aspects of entities that the asset refers to
	Relations []Relation
	Series    []Series
	// Properties are structured properties of which it has to be known how values are indexed.
	Properties []urn.URN
}

// reads collects what a definition looks at.
type reads struct {
	document  bool
	fields    []string // aspects that the search fields are made of
	derived   bool     // some field is made of what is not known here
	aspects   []string
	others    []string
	relations []Relation
	series    []Series
	behind    []Reference

	properties []urn.URN
}

func (r *reads) add(aspect string)     { r.aspects = insert(r.aspects, aspect) }
func (r *reads) related(aspect string) { r.others = insert(r.others, aspect) }
func (r *reads) relation(one Relation) { r.relations = insert(r.relations, one) }
func (r *reads) timeseries(one Series) { r.series = insert(r.series, one) }
func (r *reads) property(one urn.URN)  { r.properties = insert(r.properties, one) }

func (r *reads) merge(other *reads) {
	for _, a := range other.others {
		r.related(a)
	}
}

func insert[T comparable](list []T, one T) []T {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}

// DependsOn tells whether a change of an aspect may change the verdict about the
// entity that has it. Everything depends on whether an asset is there.
func (t *Test) DependsOn(entityType string, spec *model.AspectSpec) bool {
	if !slices.Contains(t.Types, entityType) {
		return false
	}
	r := &t.reads
	return spec.IsKey || spec.SoftDelete != "" || r.derived || slices.Contains(r.aspects, spec.Name) || slices.Contains(r.fields, spec.Name) ||
		len(r.relations) > 0 && len(spec.Relationships) > 0 ||
		slices.ContainsFunc(r.series, func(s Series) bool { return s.Aspect == spec.Name })
}

// Needs lists the facts that deciding takes.
func (t *Test) Needs() Needs {
	r := &t.reads
	return Needs{Document: r.document, Aspects: r.aspects, Related: r.others, Relations: r.relations, Series: r.series, Properties: r.properties}
}

// Facts are what tests are decided by, of one asset at one time. Whoever fills
// them reads what Needs lists. They are used by one goroutine at a time.
type Facts struct {
	URN  urn.URN
	Type string
	At   time.Time
	// Context ends long comparisons, after which verdicts mean nothing; nil for none.
	Context context.Context
	// Document is the search document; nil when the asset has none, or none is needed.
	Document *search.Document
	// Kinds gives the kinds of search fields of the type.
	Kinds map[string]search.Kind
	// Records are the latest versioned records of the asset, by aspect.
	Records map[string]*model.Record
	// Others are the records of entities the asset refers to, by entity and aspect.
	Others    map[model.Key]*model.Record
	Relations map[Relation]int
	Series    map[Series]float64
	// Properties are those of Needs that are defined.
	Properties map[urn.URN]document.Property

	trees       map[*model.Record]any
	madeColumns bool
	allColumns  []any
}

func (f *Facts) context() context.Context {
	if f.Context == nil {
		return context.Background()
	}
	return f.Context
}

func (f *Facts) kindOf(field string) (search.Kind, bool) {
	k, ok := f.Kinds[field]
	return k, ok
}

// aspect is the value of an aspect; ok is false when the asset has none.
func (f *Facts) aspect(name string) (any, bool) {
	rec := f.Records[name]
	if rec == nil {
		return nil, false
	}
	return f.tree(rec), true
}

// related is the value of an aspect of another entity, nil when it has none.
func (f *Facts) related(u urn.URN, aspect string) any {
	rec := f.Others[model.Key{URN: u, Aspect: aspect}]
	if rec == nil {
		return nil
	}
	return f.tree(rec)
}

// tree decodes a record once. What is stored is well-formed.
func (f *Facts) tree(rec *model.Record) any {
	if v, ok := f.trees[rec]; ok {
		return v
	}
	v, err := jsontree.Decode(rec.Value)
	if err != nil {
		v = nil
	}
	if f.trees == nil {
		f.trees = map[*model.Record]any{}
	}
	f.trees[rec] = v
	return v
}

// References lists the entities behind references that tests follow, for reading
// their aspects into Others.
func (t *Test) References(f *Facts) []urn.URN {
	var out []urn.URN
	collect := func(p property, of *list) { out = references(out, f, p, of) }
	visit(t.on, nil, collect)
	visit(t.rules, nil, collect)
	return out
}

// references adds what a property refers to on its way.
func references(out []urn.URN, f *Facts, p property, of *list) []urn.URN {
	var value any
	var steps []step
	switch p := p.(type) {
	case pathProperty:
		value, _ = f.aspect(p.aspect)
		steps = p.steps
	case elementProperty:
		value, steps = of.elements(f), p.steps
	}
	at := slices.IndexFunc(steps, func(s step) bool { return s.kind == toAspect })
	if at < 0 {
		return out
	}
	for _, v := range follow(nil, f, value, steps[:at]) {
		if text, ok := v.(string); ok && steps[at].leads(urn.URN(text)) {
			out = insert(out, urn.URN(text))
		}
	}
	return out
}

// visit calls use for the properties of a predicate, with the list around them.
func visit(p predicate, of *list, use func(property, *list)) {
	switch p := p.(type) {
	case allOf:
		for _, one := range p.parts {
			visit(one, of, use)
		}
	case anyOf:
		for _, one := range p.parts {
			visit(one, of, use)
		}
	case not:
		visit(p.predicate, of, use)
	case check:
		use(p.property, of)
	case each:
		visit(p.rules, p.list, use)
	}
}

// Decide gives the verdict about an asset.
func (t *Test) Decide(f *Facts) Verdict {
	switch {
	case !slices.Contains(t.Types, f.Type) || !t.on.holds(f, nil):
		return NotSelected
	case t.rules.holds(f, nil):
		return Passing
	}
	return Failing
}

// Selects tells whether the test is about an asset.
func (t *Test) Selects(f *Facts) bool { return slices.Contains(t.Types, f.Type) && t.on.holds(f, nil) }

// Related finds entities that assets refer to, so that conditions behind a reference
// become conditions on the reference, which is indexed, and knows how structured
// properties are indexed.
type Related interface {
	// Meeting gives the entities whose aspect meets a condition, by its decoded value; ok is false
	// when there are too many to look at.
	Meeting(r Reference, meets func(value any) bool) (urns []string, ok bool)
	// Property tells how a structured property is indexed; ok is false when it is not defined, or
	// when its field may hold values of another one.
	Property(u urn.URN) (p document.Property, ok bool)
}

// Definitions are of structured properties, by which Related knows how they are indexed.
var Definitions = Reference{Types: []string{"structuredProperty"}, Aspect: "propertyDefinition"}

// Equal tells whether two references lead to the same.
func (r Reference) Equal(other Reference) bool {
	return r.Aspect == other.Aspect && slices.Equal(r.Types, other.Types)
}

// Reference is an aspect of entities that assets refer to by an indexed field.
type Reference struct {
	Types  []string // of the entities
	Aspect string
}

// Behind lists what Related is asked about by Selection and Rules.
func (t *Test) Behind() []Reference { return t.reads.behind }

// Selection gives what selects assets to an index; ok is false when a property of
// it is not indexed. Without related, properties behind references are not.
func (t *Test) Selection(ctx context.Context, at time.Time, related Related) (search.Expression, bool) {
	return t.on.expression(&question{ctx, at, related})
}

// Rules gives the rules to an index as Selection does.
func (t *Test) Rules(ctx context.Context, at time.Time, related Related) (search.Expression, bool) {
	return t.rules.expression(&question{ctx, at, related})
}

// question is what an index is asked with.
type question struct {
	ctx     context.Context // of the call, which the question does not outlive
	at      time.Time
	related Related
}
