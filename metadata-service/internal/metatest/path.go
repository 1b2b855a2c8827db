package metatest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// stepKind is the kind of a step of a path.
type stepKind uint8

const (
	toField  stepKind = iota // to a field of a record, or an entry of a map
	toAll                    // to all entries of a map, or all members of a union
	toAspect                 // to an aspect of the entity that a URN refers to
)

type step struct {
	kind stepKind
	name string
	into []string // entity types of the URNs that a step toAspect follows
}

// leads reports whether a step toAspect follows a reference. References to entities of other types
// are not followed, so their targets are neither read nor compared.
func (s *step) leads(u urn.URN) bool { return slices.Contains(s.into, u.Type()) }

func isHop(s step) bool { return s.kind == toAspect }

// pathProperty is the property at a path into an aspect. Paths pass through arrays without a step.
type pathProperty struct {
	given   string
	of      valueKind
	aspect  string
	steps   []step
	indexed string

	reference string   // search field of the reference that the path follows, if it is indexed
	referred  []string // entity types of the reference
}

func (p pathProperty) name() string    { return p.given }
func (p pathProperty) kind() valueKind { return p.of }
func (p pathProperty) field() string   { return p.indexed }

func (p pathProperty) values(f *Facts, _ any) ([]string, []float64) {
	if value, ok := f.aspect(p.aspect); ok {
		return leaves(follow(nil, f, value, p.steps))
	}
	return nil, nil
}

// path resolves a path into an aspect.
func (p *parser) path(at, name string, spec *model.AspectSpec, rest string) property {
	if !p.readable(at, spec, p.types) {
		return nil
	}
	w := walker{parser: p, at: at, name: name, hops: 1}
	out := pathProperty{given: name, aspect: spec.Name}
	var ok bool
	if out.of, ok = w.walk(spec.Record, segments(rest)); !ok {
		return nil
	}
	out.steps = w.steps
	p.reads.add(spec.Name)
	out.indexed = p.fieldOfPath(spec, "/"+strings.Join(w.canonical, "/"), w.exact)
	if w.referred != nil {
		out.reference, out.referred = p.fieldOfPath(spec, w.reference, true), w.referred
	}
	if out.reference != "" {
		p.reads.references = append(p.reads.references, Reference{w.referred, w.steps[slices.IndexFunc(w.steps, isHop)].name})
	}
	return out
}

// readable reports whether tests may read an aspect of some types. If not, it adds a problem.
func (p *parser) readable(at string, spec *model.AspectSpec, types []*model.EntitySpec) bool {
	switch {
	case spec.Confidential():
		p.problem(at, "the aspect %s is secret", spec.Name)
	case spec.Timeseries:
		p.problem(at, "the aspect %s is a time series: name a value of it as timeseries.%s.STAT.sum.30d", spec.Name, spec.Name)
	case !slices.ContainsFunc(types, func(t *model.EntitySpec) bool { return slices.Contains(spec.Entities, t.Name) }):
		p.problem(at, "no entity of type %s has the aspect %s", strings.Join(p.typeNames(), ", "), spec.Name)
	default:
		return true
	}
	return false
}

func segments(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

// walker resolves a path in a type.
type walker struct {
	*parser
	at, name  string
	hops      int // remaining references that may be followed
	steps     []step
	canonical []string // the path in the spelling of the registry
	exact     bool     // the canonical path has exactly the same values

	reference string   // canonical path of the followed reference, if that is exact
	referred  []string // entity types of the reference
}

// walk resolves the segments and returns the kind of the values at the end.
func (w *walker) walk(t *model.Type, rest []string) (valueKind, bool) {
	w.exact = true
	return w.on(t, rest, 0)
}

func (w *walker) on(t *model.Type, rest []string, depth int) (valueKind, bool) {
	if depth > MaxDepth {
		w.problem(w.at, "%q is too long a path", w.name)
		return 0, false
	}
	switch t.Shape {
	case model.Array:
		if len(rest) > 0 && rest[0] == "*" {
			rest = rest[1:]
		}
		w.canonical = append(w.canonical, "*")
		return w.on(t.Elem, rest, depth+1)
	case model.Map:
		return w.inMap(t, rest, depth)
	case model.Union:
		return w.inUnion(t, rest, depth)
	case model.RecordShape:
		return w.inRecord(t, rest, depth)
	}
	if len(rest) == 0 {
		return kindOfShape(t.Shape), true
	}
	if t.Addresses == "" {
		w.problem(w.at, "%q goes on with %q behind %s, which has no members", w.name, strings.Join(rest, "."), describe(t))
		return 0, false
	}
	return w.hop(t, rest, depth)
}

func describe(t *model.Type) string {
	if k := kindOfShape(t.Shape); k != anyKind {
		return kindNames[k]
	}
	return t.Shape.String()
}

func kindOfShape(s model.Shape) valueKind {
	switch s {
	case model.Boolean:
		return boolean
	case model.Int, model.Long, model.Float, model.Double:
		return number
	}
	return text
}

func (w *walker) inMap(t *model.Type, rest []string, depth int) (valueKind, bool) {
	w.exact = false
	switch {
	case len(rest) == 0 || rest[0] == "*":
		w.steps = append(w.steps, step{kind: toAll})
		return w.on(t.Elem, rest[min(1, len(rest)):], depth+1)
	case t.Elem.Shape < model.RecordShape: // keys of maps may contain dots
		w.steps = append(w.steps, step{kind: toField, name: strings.Join(rest, ".")})
		return w.on(t.Elem, nil, depth+1)
	}
	w.steps = append(w.steps, step{kind: toField, name: rest[0]})
	return w.on(t.Elem, rest[1:], depth+1)
}

// inUnion continues in the member that the path names by its key or short name, and otherwise in
// the first member in which the path can be resolved.
func (w *walker) inUnion(t *model.Type, rest []string, depth int) (valueKind, bool) {
	if len(rest) > 0 {
		for _, m := range t.Members {
			if m.Key == rest[0] || m.Type.Short() == rest[0] && m.Type.Name != "" {
				w.steps = append(w.steps, step{kind: toField, name: m.Key})
				w.canonical = append(w.canonical, m.Key)
				return w.on(m.Type, rest[1:], depth+1)
			}
		}
	}
	w.exact = false
	w.steps = append(w.steps, step{kind: toAll})
	if len(rest) == 0 {
		return w.endOfUnion(t), true
	}
	for _, m := range t.Members {
		trial := walker{parser: &parser{registry: w.registry, types: w.types, schemas: w.schemas}, at: w.at, name: w.name, hops: w.hops}
		if kind, ok := trial.on(m.Type, rest, depth+1); ok {
			w.steps = append(w.steps, trial.steps...)
			w.reads.merge(&trial.reads)
			return kind, true
		}
	}
	w.problem(w.at, "%q: no member of the union has %q", w.name, strings.Join(rest, "."))
	return 0, false
}

func (w *walker) endOfUnion(t *model.Type) valueKind {
	kind := anyKind
	for i, m := range t.Members {
		k := kindOfShape(m.Type.Shape)
		if m.Type.Shape >= model.RecordShape {
			k = record
		}
		if i > 0 && k != kind {
			return anyKind
		}
		kind = k
	}
	return kind
}

func (w *walker) inRecord(t *model.Type, rest []string, depth int) (valueKind, bool) {
	if len(rest) == 0 {
		w.exact = false
		return record, true
	}
	f, ok := t.Field(rest[0])
	if !ok {
		names := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			names[i] = f.Name
		}
		w.problem(w.at, "%q: %s has no member %q; it has %s", w.name, t.Short(), rest[0], strings.Join(names, ", "))
		return 0, false
	}
	w.steps = append(w.steps, step{kind: toField, name: f.Name})
	w.canonical = append(w.canonical, f.Name)
	return w.on(f.Type, rest[1:], depth+1)
}

// hop follows a reference to another entity.
func (w *walker) hop(t *model.Type, rest []string, depth int) (valueKind, bool) {
	if w.hops == 0 {
		w.problem(w.at, "%q follows more than one reference to another entity", w.name)
		return 0, false
	}
	spec, ok := w.registry.Aspect(rest[0])
	if !ok {
		w.problem(w.at, "%q goes on with %q behind a reference, which is no aspect", w.name, rest[0])
		return 0, false
	}
	if t.Addresses != "*" && !slices.Contains(spec.Entities, t.Addresses) {
		w.problem(w.at, "%q: no %s has the aspect %s", w.name, t.Addresses, spec.Name)
		return 0, false
	}
	if spec.Confidential() || spec.Timeseries {
		w.problem(w.at, "%q: the aspect %s cannot be read behind a reference", w.name, spec.Name)
		return 0, false
	}
	into := w.read(spec.Entities)
	if t.Addresses != "*" {
		into = w.read([]string{t.Addresses})
	}
	if len(into) == 0 {
		w.problem(w.at, "%q: rules read no entities of the types that have the aspect %s", w.name, spec.Name)
		return 0, false
	}
	w.hops--
	if w.exact {
		w.reference, w.referred = "/"+strings.Join(w.canonical, "/"), into
	}
	w.exact = false
	w.reads.related(spec.Name)
	w.steps = append(w.steps, step{toAspect, spec.Name, into})
	return w.on(spec.Record, rest[1:], depth+1)
}

// read returns those of the entity types that rules may read.
func (p *parser) read(types []string) (open []string) {
	for _, name := range types {
		if spec, ok := p.registry.Entity(name); ok && isRead(spec) {
			open = append(open, spec.Name)
		}
	}
	return open
}

// fieldOfPath returns the search field that holds exactly the values at the path, in all of the
// types. It is empty if there is none.
func (p *parser) fieldOfPath(spec *model.AspectSpec, path string, exact bool) string {
	if !exact {
		return ""
	}
	field := ""
	for _, s := range spec.Search {
		if s.Path == path && s.Field != "" && !s.SanitizeRichText && isPlain(s.Type) {
			field = s.Field
		}
	}
	if field == "" {
		return ""
	}
	paths := 0
	for _, t := range p.types {
		for _, a := range t.Aspects {
			if a.Timeseries {
				continue // search documents contain no values of time-series aspects
			}
			for _, s := range a.Search {
				if s.Field == field && (a.Name != spec.Name || s.Path != path) {
					paths++
				}
			}
			for _, ref := range a.SearchReferences {
				if ref.Field == field {
					paths++
				}
			}
		}
	}
	if paths > 0 {
		return ""
	}
	return field
}

// isPlain reports whether search fields of a type hold the unchanged values of the aspect.
func isPlain(searchType string) bool {
	switch search.Kind(searchType) {
	case search.BrowsePath, search.BrowsePathV2, search.ObjectKind, "MAP_ARRAY":
		return false
	}
	return true
}

// follow appends the values to which the steps lead from a value. It flattens arrays.
func follow(out []any, f *Facts, value any, steps []step) []any {
	switch v := value.(type) {
	case nil:
		return out
	case []any:
		for _, e := range v {
			out = follow(out, f, e, steps)
		}
		return out
	case jsontree.Object:
		if len(steps) == 0 {
			return append(out, v)
		}
		switch steps[0].kind {
		case toField:
			return follow(out, f, v[steps[0].name], steps[1:])
		case toAll:
			for _, key := range jsontree.Sorted(v) {
				out = follow(out, f, v[key], steps[1:])
			}
		}
		return out
	case string:
		if len(steps) > 0 {
			if u := urn.URN(v); steps[0].kind == toAspect && steps[0].leads(u) {
				return follow(out, f, f.related(u, steps[0].name), steps[1:])
			}
			return out
		}
	}
	if len(steps) == 0 {
		out = append(out, value)
	}
	return out
}

// leaves splits values into texts and numbers. An object becomes a text that shows its existence.
// As in the index, an empty text is not a value.
func leaves(values []any) (texts []string, numbers []float64) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if v != "" {
				texts = append(texts, search.ExactForm(v))
			}
		case bool:
			if v {
				texts = append(texts, "true")
			} else {
				texts = append(texts, "false")
			}
		case json.Number:
			if n, err := v.Float64(); err == nil {
				numbers = append(numbers, n)
			}
		default:
			texts = append(texts, "{}")
		}
	}
	return texts, numbers
}
