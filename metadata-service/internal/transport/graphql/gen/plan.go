package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// plannedTypes is the complete input of the writer.
type plannedTypes struct {
	schema      *ast.Schema
	entities    []*entity
	byType      map[string]*entity
	projections []*projection
	computed    map[string]*computed
	arguments   map[string]*ast.FieldDefinition // by name of the struct
	argsOf      map[string]string               // "Type.field" to the name of the struct
	registry    *model.Registry
	mapping     *mapping
	pairs       map[string]*projection
	errs        []error
}

// entity is a GraphQL type that is read by URN.
type entity struct {
	def    *ast.Definition
	spec   *model.EntitySpec
	value  string // its EntityType
	byURN  bool
	fields []fieldPlan
}

// projection converts a record to a GraphQL object.
type projection struct {
	name   string // of the Go function
	def    *ast.Definition
	record *model.Type
	open   bool // exported for code outside the package, too
	fields []fieldPlan
}

type fieldPlan struct {
	def     *ast.FieldDefinition
	aspects []string
	code    string // an expression for the Go field
	nested  bool   // built only when selected
	// refers is set for a non-null field that refers to another entity by a URN, which may be of
	// another type. A record without this entity is left out.
	refers bool
}

type computed struct {
	name   string
	goType string
	field  *ast.FieldDefinition
}

func plan(registry *model.Registry, schema *ast.Schema, m *mapping) (*plannedTypes, error) {
	p := &plannedTypes{
		schema: schema, registry: registry, mapping: m,
		byType: map[string]*entity{}, pairs: map[string]*projection{},
		computed: map[string]*computed{}, arguments: map[string]*ast.FieldDefinition{}, argsOf: map[string]string{},
	}
	p.findEntities()
	for _, e := range p.entities {
		p.planEntity(e)
	}
	for i := 0; i < len(p.projections); i++ {
		p.planRecord(p.projections[i])
	}
	p.planArguments()
	p.checkReached()
	for _, row := range m.unused() {
		p.errs = append(p.errs, errors.New(row))
	}
	sort.Slice(p.projections, func(i, j int) bool { return p.projections[i].name < p.projections[j].name })
	return p, errors.Join(p.errs...)
}

func (p *plannedTypes) fail(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

func (p *plannedTypes) findEntities() {
	for _, name := range sortedKeys(p.mapping.kinds) {
		words := p.mapping.kinds[name]
		def := p.schema.Types[name]
		if def == nil {
			p.fail("mapping.tsv: no type %s", name)
			continue
		}
		if words[0] == "built" {
			continue
		}
		if words[0] == "record" && len(words) == 2 {
			p.planOpen(def, words[1])
			continue
		}
		if len(words) != 3 {
			p.fail("mapping.tsv: %s needs a kind, an entity type and an EntityType", name)
			continue
		}
		spec, ok := p.registry.Entity(words[1])
		if !ok {
			p.fail("mapping.tsv: %s: no entity type %s", name, words[1])
			continue
		}
		e := &entity{def: def, spec: spec, value: words[2], byURN: words[0] == "entity"}
		p.entities = append(p.entities, e)
		p.byType[name] = e
	}
	sort.Slice(p.entities, func(i, j int) bool { return p.entities[i].def.Name < p.entities[j].def.Name })
}

// planOpen plans the exported projection of an aspect, for computed fields.
func (p *plannedTypes) planOpen(def *ast.Definition, aspect string) {
	a, ok := p.registry.Aspect(aspect)
	if !ok {
		p.fail("mapping.tsv: %s: no aspect %s", def.Name, aspect)
		return
	}
	if _, err := p.convertObject(def, a.Record); err != nil {
		p.fail("mapping.tsv: %s: %w", def.Name, err)
		return
	}
	p.pairs[def.Name+" "+a.Record.Name].open = true
}

func (p *plannedTypes) planEntity(e *entity) {
	for _, field := range e.def.Fields {
		s, ok := p.mapping.find(field.Name, e.def.Name, "@entity", "*")
		if !ok {
			p.fail("%s.%s has no source", e.def.Name, field.Name)
			continue
		}
		f, err := p.planField(e.def, field, s, nil, e.spec)
		if err != nil {
			p.fail("%s.%s: %w", e.def.Name, field.Name, err)
			continue
		}
		e.fields = append(e.fields, f)
	}
}

func (p *plannedTypes) planRecord(r *projection) {
	for _, field := range r.def.Fields {
		s, ok := p.mapping.find(field.Name, r.def.Name+"@"+r.record.Short(), r.def.Name)
		if !ok {
			if _, has := member(r.record, field.Name); has {
				s, ok = source{paths: [][]string{{field.Name}}}, true
			}
		}
		if !ok {
			s, ok = p.mapping.find(field.Name, "*")
		}
		if !ok {
			p.fail("%s.%s has no source in %s", r.def.Name, field.Name, r.record.Short())
			continue
		}
		f, err := p.planField(r.def, field, s, r.record, nil)
		if err != nil {
			p.fail("%s.%s from %s: %w", r.def.Name, field.Name, r.record.Short(), err)
			continue
		}
		r.fields = append(r.fields, f)
	}
}

// planField finds the expression of one field, from a record or from an entity.
func (p *plannedTypes) planField(owner *ast.Definition, field *ast.FieldDefinition, s source, record *model.Type, spec *model.EntitySpec) (fieldPlan, error) {
	f := fieldPlan{def: field, aspects: s.aspects}
	if len(field.Arguments) > 0 && s.computed == "" && s.builtin != "-" {
		return f, fmt.Errorf("it has arguments, so it is computed")
	}
	switch {
	case s.computed != "":
		return p.planComputed(f, owner, s)
	case s.builtin == "-":
		if field.Type.NonNull && field.Type.Elem == nil {
			return f, fmt.Errorf("it is never null and has no source")
		}
		if field.Type.NonNull {
			f.code = goType(p.schema, field.Type) + "{}"
		}
		return f, nil
	case s.builtin == "$urn", s.builtin == "$type":
		f.code = map[string]string{"$urn": "string(at.URN)", "$type": "at.Type"}[s.builtin]
		if !field.Type.NonNull {
			f.code = "nullable(" + f.code + ", true)"
		}
		return f, nil
	}
	var values []string
	var from *model.Type
	for _, path := range s.paths {
		expression, t, aspect, err := p.follow(path, record, spec)
		if err != nil {
			return f, err
		}
		if aspect != "" {
			f.aspects = append(f.aspects, aspect)
		}
		values, from = append(values, expression), t
	}
	value := values[0]
	if len(values) > 1 {
		value = "firstValue(" + strings.Join(values, ", ") + ")"
	}
	c, err := p.convert(field.Type, from)
	if err != nil {
		return f, err
	}
	f.nested = c.nested
	f.refers = field.Type.NonNull && field.Type.Elem == nil && s.fallback == nil && p.isReference(field.Type.NamedType)
	f.code, err = p.assign(field.Type, from, c.code, value, s.fallback)
	return f, err
}

// isReference reports whether the values of a type are built from URNs.
func (p *plannedTypes) isReference(name string) bool {
	kind := p.schema.Types[name].Kind
	return p.byType[name] != nil || kind == ast.Interface || kind == ast.Union
}

func (p *plannedTypes) planComputed(f fieldPlan, owner *ast.Definition, s source) (fieldPlan, error) {
	f.nested = true
	f.refers = owner != nil && f.def.Type.NonNull && f.def.Type.Elem == nil && p.isReference(f.def.Type.NamedType)
	c := &computed{name: s.computed, goType: goType(p.schema, f.def.Type), field: f.def}
	if len(f.def.Arguments) > 0 {
		p.argsOf[owner.Name+"."+f.def.Name] = s.computed + "Args"
		if known, ok := p.arguments[s.computed+"Args"]; ok && signature(known.Arguments) != signature(f.def.Arguments) {
			return f, fmt.Errorf("other fields computed by %s have other arguments", s.computed)
		}
		p.arguments[s.computed+"Args"] = f.def
	}
	if known, ok := p.computed[s.computed]; ok {
		if known.goType != c.goType || signature(known.field.Arguments) != signature(f.def.Arguments) {
			return f, fmt.Errorf("other fields computed by %s are %s, not %s", s.computed, known.goType, c.goType)
		}
	}
	p.computed[s.computed] = c
	if len(f.def.Arguments) > 0 {
		f.code = fmt.Sprintf("l.computed.%s(at, w)", s.computed)
	} else {
		f.code = fmt.Sprintf("check[%s](l)(l.computed.%s(ctx, l, at, w))", c.goType, s.computed)
	}
	return f, nil
}

// follow returns the Go expression and the type of a path, and the name of the aspect that it
// reads, if any.
func (p *plannedTypes) follow(path []string, record *model.Type, spec *model.EntitySpec) (expression string, t *model.Type, aspect string, err error) {
	expression, t = "v", record
	if len(path) > 0 && strings.HasPrefix(path[0], "^") {
		a, ok := p.registry.Aspect(path[0][1:])
		if !ok {
			return "", nil, "", fmt.Errorf("no aspect %s", path[0][1:])
		}
		expression, t = fmt.Sprintf("at.Aspect(%q)", a.Name), a.Record
		if !a.IsKey {
			aspect = a.Name
		}
		path = path[1:]
	} else if spec != nil {
		if len(path) == 0 {
			return "", nil, "", fmt.Errorf("an entity is no record")
		}
		a, ok := spec.Aspect(path[0])
		if !ok {
			return "", nil, "", fmt.Errorf("%s has no aspect %s", spec.Name, path[0])
		}
		if a.Timeseries {
			return "", nil, "", fmt.Errorf("%s is a time series", path[0])
		}
		expression, t, aspect = fmt.Sprintf("at.Aspect(%q)", path[0]), a.Record, path[0]
		path = path[1:]
	}
	if len(path) == 0 {
		return expression, t, aspect, nil
	}
	quoted := make([]string, len(path))
	for i, step := range path {
		quoted[i] = fmt.Sprintf("%q", step)
		if t, err = stepInto(t, step); err != nil {
			return "", nil, "", err
		}
	}
	if len(path) == 1 && expression == "v" {
		return fmt.Sprintf("v[%s]", quoted[0]), t, aspect, nil
	}
	return fmt.Sprintf("valueAt(%s, %s)", expression, strings.Join(quoted, ", ")), t, aspect, nil
}

func stepInto(t *model.Type, step string) (*model.Type, error) {
	switch t.Shape {
	case model.RecordShape:
		if m, ok := member(t, step); ok {
			return m, nil
		}
		return nil, fmt.Errorf("%s has no member %s", t.Short(), step)
	case model.Array, model.Map:
		return t.Elem, nil
	case model.Union:
		for _, m := range t.Members {
			if m.Key == step || strings.HasSuffix(m.Key, "_"+step) {
				return m.Type, nil
			}
		}
		return nil, fmt.Errorf("the union has no member %s", step)
	default:
		return nil, fmt.Errorf("%s has no members", t.Shape)
	}
}

// checkReached reports object types that no entity reaches and that no row marks as built.
func (p *plannedTypes) checkReached() {
	filled := map[string]bool{}
	for _, r := range p.projections {
		filled[r.def.Name] = true
	}
	var lost []string
	for name, def := range p.schema.Types {
		if def.Kind != ast.Object || builtIn(def) || def == p.schema.Query || def == p.schema.Mutation {
			continue
		}
		if p.byType[name] == nil && !filled[name] && p.mapping.kinds[name] == nil {
			lost = append(lost, name)
		}
		if filled[name] && p.mapping.kinds[name] != nil && p.mapping.kinds[name][0] == "built" {
			continue
		}
	}
	sort.Strings(lost)
	for _, name := range lost {
		p.fail("%s is not reached from an entity; mark it as built if operations fill it in", name)
	}
}

// planArguments names the argument structs of fields of built types and of operations.
func (p *plannedTypes) planArguments() {
	for name, def := range p.schema.Types {
		if def.Kind != ast.Object && def.Kind != ast.Interface {
			continue
		}
		for _, field := range def.Fields {
			if len(field.Arguments) == 0 || builtIn(def) || strings.HasPrefix(field.Name, "__") {
				continue
			}
			if _, ok := p.argsOf[name+"."+field.Name]; ok {
				continue
			}
			args := exported(name) + exported(field.Name) + "Args"
			if def == p.schema.Query || def == p.schema.Mutation {
				args = exported(field.Name) + "Args"
			}
			if def.Kind == ast.Interface {
				args = p.argumentsOfMembers(def, field)
			}
			p.argsOf[name+"."+field.Name] = args
			if _, ok := p.arguments[args]; !ok {
				p.arguments[args] = field
			}
		}
	}
}

// argumentsOfMembers returns the name of the argument struct that the members of an interface
// use.
func (p *plannedTypes) argumentsOfMembers(def *ast.Definition, field *ast.FieldDefinition) string {
	for _, member := range p.schema.GetPossibleTypes(def) {
		if args, ok := p.argsOf[member.Name+"."+field.Name]; ok {
			return args
		}
	}
	return exported(def.Name) + exported(field.Name) + "Args"
}

func signature(args ast.ArgumentDefinitionList) string {
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, "%s:%s,", a.Name, a.Type.String())
	}
	return b.String()
}
