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

// Needs lists the facts that the decision of a test needs.
type Needs struct {
	// Document is true if the search document is needed, which is derived from all aspects.
	Document  bool
	Aspects   []string // of the asset
	Related   []string // aspects of entities that the asset refers to
	Relations []Relation
	Series    []Series
	// Properties are structured properties whose indexing must be known.
	Properties []urn.URN
}

// reads collects the facts that a definition refers to.
type reads struct {
	document   bool
	fields     []string // aspects from which the search fields are derived
	derived    bool     // some field has an unknown source
	aspects    []string
	others     []string
	relations  []Relation
	series     []Series
	references []Reference

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

// DependsOn reports whether a change of an aspect may change the verdict about its entity. Every
// verdict depends on the existence of the asset.
func (t *Test) DependsOn(entityType string, spec *model.AspectSpec) bool {
	if !slices.Contains(t.Types, entityType) {
		return false
	}
	r := &t.reads
	return spec.IsKey || spec.SoftDelete != "" || r.derived || slices.Contains(r.aspects, spec.Name) || slices.Contains(r.fields, spec.Name) ||
		len(r.relations) > 0 && len(spec.Relationships) > 0 ||
		slices.ContainsFunc(r.series, func(s Series) bool { return s.Aspect == spec.Name })
}

// Needs returns the facts that a decision needs.
func (t *Test) Needs() Needs {
	r := &t.reads
	return Needs{Document: r.document, Aspects: r.aspects, Related: r.others, Relations: r.relations, Series: r.series, Properties: r.properties}
}

// Facts are the facts about one asset at one time by which tests are decided. The caller fills them
// with the facts in Needs. Only one goroutine at a time may use them.
type Facts struct {
	URN  urn.URN
	Type string
	At   time.Time
	// Context cancels long comparisons, after which verdicts are invalid; nil for none.
	Context context.Context
	// Document is the search document. It is nil if the asset has none, or none is needed.
	Document *search.Document
	// Kinds returns the kinds of the search fields of the type.
	Kinds map[string]search.Kind
	// Records are the latest versioned records of the asset, by aspect.
	Records map[string]*model.Record
	// Others are the records of entities the asset refers to, by entity and aspect.
	Others    map[model.Key]*model.Record
	Relations map[Relation]int
	Series    map[Series]float64
	// Properties are the existing definitions of those in Needs.
	Properties map[urn.URN]document.Property

	trees       map[*model.Record]any
	columnsRead bool
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

// aspect returns the value of an aspect. ok is false if the asset has none.
func (f *Facts) aspect(name string) (any, bool) {
	rec := f.Records[name]
	if rec == nil {
		return nil, false
	}
	return f.tree(rec), true
}

// related returns the value of an aspect of another entity, nil if it has none.
func (f *Facts) related(u urn.URN, aspect string) any {
	rec := f.Others[model.Key{URN: u, Aspect: aspect}]
	if rec == nil {
		return nil
	}
	return f.tree(rec)
}

// tree decodes a record, once. Stored values are well-formed.
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

// References returns the entities behind references that the test follows. The caller reads their
// aspects into Others.
func (t *Test) References(f *Facts) []urn.URN {
	var out []urn.URN
	collect := func(p property, of *list) { out = references(out, f, p, of) }
	visit(t.on, nil, collect)
	visit(t.rules, nil, collect)
	return out
}

// references adds the entities that a property refers to on its path.
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

// visit calls use for the properties of a predicate, with the list that contains them.
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

// Decide returns the verdict about an asset.
func (t *Test) Decide(f *Facts) Verdict {
	switch {
	case !slices.Contains(t.Types, f.Type) || !t.on.holds(f, nil):
		return NotSelected
	case t.rules.holds(f, nil):
		return Passing
	}
	return Failing
}

// Selects reports whether the test applies to an asset.
func (t *Test) Selects(f *Facts) bool { return slices.Contains(t.Types, f.Type) && t.on.holds(f, nil) }

// Related finds entities that assets refer to. Conditions behind a reference then become conditions
// on the reference, which is indexed. It also provides the indexing of structured properties.
type Related interface {
	// Meeting returns the entities whose aspect meets a condition on its decoded value. ok is false
	// if there are too many to examine.
	Meeting(r Reference, meets func(value any) bool) (urns []string, ok bool)
	// Property returns the indexing of a structured property. ok is false if it is not defined, or
	// if its field may hold values of another property.
	Property(u urn.URN) (p document.Property, ok bool)
}

// Definitions are the definitions of structured properties, from which Related derives their
// indexing.
var Definitions = Reference{Types: []string{"structuredProperty"}, Aspect: "propertyDefinition"}

// Equal reports whether two references have the same aspect and types.
func (r Reference) Equal(other Reference) bool {
	return r.Aspect == other.Aspect && slices.Equal(r.Types, other.Types)
}

// Reference is an aspect of entities that assets refer to by an indexed field.
type Reference struct {
	Types  []string // of the entities
	Aspect string
}

// Behind returns the references for which Selection and Rules call Related.
func (t *Test) Behind() []Reference { return t.reads.references }

// Selection returns the selection of assets as an index expression. ok is false if one of its
// properties is not indexed. Without related, properties behind references are not indexed.
func (t *Test) Selection(ctx context.Context, at time.Time, related Related) (search.Expression, bool) {
	return t.on.expression(&question{ctx, at, related})
}

// Rules returns the rules as an index expression. ok and related are as in Selection.
func (t *Test) Rules(ctx context.Context, at time.Time, related Related) (search.Expression, bool) {
	return t.rules.expression(&question{ctx, at, related})
}

// question holds the parameters of an index expression.
type question struct {
	ctx     context.Context // context of the call; the question does not outlive it
	at      time.Time
	related Related
}
