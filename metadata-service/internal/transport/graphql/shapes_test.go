package graphql_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

// Levels, fields, and object types at one place in the largest documents of web clients.
const (
	shapeLevels = 17
	shapeFields = 91
	shapeTypes  = 30
)

// TestNoOperationIsRefusedForItsShape executes every operation with a document as large as those
// of web clients, and with nested pages of a thousand entries. An operation may fail because of
// its arguments, but no document may be refused because of its size.
func TestNoOperationIsRefusedForItsShape(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	types := schemaByIntrospection(t)
	full := map[string]int{}
	for kind, root := range map[string]string{"query": "Query", "mutation": "Mutation"} {
		for _, operation := range types[root].Fields {
			s := shape{types: types, variables: map[string]any{}, values: nonsensical{text: "urn:li:tag:pii", number: 1000, entries: 1, types: types}}
			text := s.document(kind, operation)
			variables, err := json.Marshal(s.variables)
			if err != nil {
				t.Fatal(err)
			}
			if s.deepest >= shapeLevels && s.fields >= shapeFields && s.mostTypes >= shapeTypes {
				full[kind]++
			}
			done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: text, Variables: variables})
			for _, e := range done.Errors {
				if e.Extensions["classification"] != "DataFetchingException" || strings.Contains(e.Message, "reads too much") {
					t.Errorf("%s: %.300s %v\n%.1500s", operation.Name, e.Message, e.Extensions, text)
					break
				}
			}
		}
	}
	if full["query"] < 80 || full["mutation"] < 30 {
		t.Errorf("operations with documents of full size: %v", full)
	}
}

// shape writes a document with the size of the constants above, as far as the result types of an
// operation allow it.
type shape struct {
	types     map[string]introspectedType
	values    nonsensical
	fields    int // of the text
	variables map[string]any
	declared  []string
	mostTypes int
	deepest   int
}

func (s *shape) document(kind string, operation introspectedField) string {
	body := s.field(operation, 1, map[string]int{})
	head := kind
	if len(s.declared) > 0 {
		head += "(" + strings.Join(s.declared, ", ") + ")"
	}
	return head + " { " + body + " }"
}

// field selects a field with all its arguments, and fields of its value.
func (s *shape) field(f introspectedField, level int, above map[string]int) string {
	s.fields++
	s.deepest = max(s.deepest, level)
	text := fmt.Sprintf("f%d_%s: %s", len(s.declared), f.Name, f.Name)
	var given []string
	for _, a := range f.Args {
		name := fmt.Sprint("v", len(s.declared))
		s.declared = append(s.declared, "$"+name+": "+a.Type.String())
		s.variables[name] = s.values.value(&a.Type, 0)
		given = append(given, a.Name+": $"+name)
	}
	if len(given) > 0 {
		text += "(" + strings.Join(given, ", ") + ")"
	}
	return text + s.below(s.types[named(&f.Type)], level, above)
}

func named(of *introspectedRef) string {
	for of.OfType != nil {
		of = of.OfType
	}
	return of.Name
}

// below selects the leaves of a value and one field that leads further. At the first place with
// many types it selects fields of each of them, elsewhere of one.
func (s *shape) below(of introspectedType, level int, above map[string]int) string {
	switch of.Kind {
	case "INTERFACE", "UNION":
		wanted := 1
		if s.mostTypes < shapeTypes && len(of.PossibleTypes) >= shapeTypes {
			wanted, s.mostTypes = shapeTypes, shapeTypes
		}
		var b strings.Builder
		b.WriteString(" { __typename ")
		possible := slices.Clone(of.PossibleTypes)
		slices.SortStableFunc(possible, func(a, b struct{ Name string }) int { return rank(a.Name) - rank(b.Name) })
		for i, one := range possible[:wanted] {
			most := shapeLevels
			if i > 0 {
				most = min(level+2, shapeLevels) // only the first leads further
			}
			fmt.Fprintf(&b, "... on %s%s ", one.Name, s.object(s.types[one.Name], level, most, above))
		}
		return b.String() + "}"
	case "OBJECT":
		return s.object(of, level, shapeLevels, above)
	}
	return ""
}

// rank is lower for types with fields that lead further.
func rank(typeName string) int {
	if i := slices.Index([]string{"Dataset", "DataJob", "Chart", "GlossaryNode", "Container"}, typeName); i >= 0 {
		return i
	}
	return 100
}

func (s *shape) object(of introspectedType, level, most int, above map[string]int) string {
	var b strings.Builder
	b.WriteString(" { __typename ")
	leaves := 0
	for _, f := range of.Fields {
		if kind := s.types[named(&f.Type)].Kind; (kind == "SCALAR" || kind == "ENUM") && len(f.Args) == 0 && leaves < 8 {
			leaves++
			s.fields++
			fmt.Fprintf(&b, "%s_%s: %s ", of.Name, f.Name, f.Name)
		}
	}
	s.deepest = max(s.deepest, level+1)
	if next, ok := s.next(of, above); ok && level+1 < most {
		above[of.Name+"."+next.Name]++
		b.WriteString(s.field(next, level+1, above) + " ")
	}
	return b.String() + "}"
}

// next returns a field that leads further: to many types if there is one, and not by the same
// field as before.
func (s *shape) next(of introspectedType, above map[string]int) (introspectedField, bool) {
	cost := func(f introspectedField) int {
		switch s.types[named(&f.Type)].Kind {
		case "INTERFACE", "UNION":
			return 1
		case "OBJECT":
			if slices.ContainsFunc(f.Args, func(a introspectedField) bool { return a.Name == "input" }) {
				return 0 // a page
			}
			return 2
		}
		return 1000
	}
	fields := slices.Clone(of.Fields)
	slices.SortStableFunc(fields, func(a, b introspectedField) int {
		return cost(a) + 3*above[of.Name+"."+a.Name] - cost(b) - 3*above[of.Name+"."+b.Name]
	})
	if len(fields) == 0 || cost(fields[0]) >= 1000 {
		return introspectedField{}, false
	}
	return fields[0], true
}

// A mutation may return as much as a query. This selection of 30 types needs more comparisons
// than the library may perform.
func TestAMutationAnswersAsMuchAsAQuery(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	seed(t, world)
	types := schemaByIntrospection(t)
	var parts strings.Builder
	for _, one := range types["Entity"].PossibleTypes[:shapeTypes] {
		fmt.Fprintf(&parts, "... on %s { ", one.Name)
		for i := range 60 {
			fmt.Fprintf(&parts, "%s%d: urn ", one.Name, i)
		}
		parts.WriteString("} ")
	}
	selected := `relationships(input: {types: ["IsAssociatedWith"], direction: OUTGOING, count: 1}) { relationships { entity { ` + parts.String() + ` } } }`
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	mutation := `mutation { createQuery(input: {properties: {statement: {value: "select 1", language: SQL}}, subjects: [{datasetUrn: "` + dataset + `"}]}) { urn ` + selected + ` } }`
	for kind, text := range map[string]string{
		"query":    `{ entity(urn: "urn:li:query:q") { ... on QueryEntity { urn ` + selected + ` } } }`,
		"mutation": mutation,
	} {
		if got := data(t, engine, world, servicetest.Root, text); !strings.Contains(got, `"urn:li:query:`) {
			t.Errorf("%s: %s", kind, got)
		}
	}
	d, refused := engine.Stage().Compile(mutation, "")
	if refused != nil || d.Expansion() == nil {
		t.Errorf("%v; the library would execute it: %v", refused, d.Expansion())
	}
}
