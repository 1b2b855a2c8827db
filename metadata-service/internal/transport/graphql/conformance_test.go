package graphql_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
)

const introspect = `query {
  __schema {
    queryType { name } mutationType { name }
    types {
      kind name description
      fields(includeDeprecated: true) { name description args(includeDeprecated: true) { name defaultValue type { ...T } } type { ...T } }
      inputFields(includeDeprecated: true) { name description defaultValue type { ...T } }
      enumValues(includeDeprecated: true) { name description }
      interfaces { name } possibleTypes { name }
    }
  }
}
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }`

type introspected struct {
	Schema struct {
		Types []introspectedType `json:"types"`
	} `json:"__schema"`
}

type introspectedType struct {
	Kind, Name, Description string
	Fields, InputFields     []introspectedField
	EnumValues              []struct{ Name, Description string }
	Interfaces              []struct{ Name string }
	PossibleTypes           []struct{ Name string }
}

type introspectedField struct {
	Name, Description string
	DefaultValue      *string
	Args              []introspectedField
	Type              introspectedRef
}

type introspectedRef struct {
	Kind, Name string
	OfType     *introspectedRef
}

func (r introspectedRef) String() string {
	switch r.Kind {
	case "NON_NULL":
		return r.OfType.String() + "!"
	case "LIST":
		return "[" + r.OfType.String() + "]"
	}
	return r.Name
}

func (f introspectedField) String() string {
	out := f.Name
	if len(f.Args) > 0 {
		args := make([]string, len(f.Args))
		for i, a := range f.Args {
			args[i] = a.String()
		}
		out += "(" + strings.Join(args, ", ") + ")"
	}
	out += ": " + f.Type.String()
	if f.DefaultValue != nil {
		out += " = " + *f.DefaultValue
	}
	return out
}

func schemaByIntrospection(t *testing.T) map[string]introspectedType {
	t.Helper()
	engine, _ := newEngine(t)
	done := engine.Exec(auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Root}), graphql.Request{Query: introspect})
	if len(done.Errors) > 0 {
		t.Fatal(done.Errors)
	}
	var found introspected
	if err := json.Unmarshal(done.Data, &found); err != nil {
		t.Fatal(err)
	}
	out := map[string]introspectedType{}
	for _, one := range found.Schema.Types {
		out[one.Name] = one
	}
	return out
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/reference/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// TestTypesAreTheReferences compares the result of introspection with the list of types, fields,
// arguments and values of the reference schema.
func TestTypesAreTheReferences(t *testing.T) {
	t.Parallel()
	have := schemaByIntrospection(t)
	var current introspectedType
	types, members := 0, 0
	for _, line := range lines(t, "types.txt") {
		if !strings.HasPrefix(line, "  ") {
			kind, name, _ := strings.Cut(line, " ")
			types++
			current = have[name]
			if want := map[string]string{"object": "OBJECT", "input": "INPUT_OBJECT", "enum": "ENUM", "interface": "INTERFACE", "union": "UNION", "scalar": "SCALAR"}[kind]; current.Kind != want {
				t.Errorf("%s is %q, want %s", name, current.Kind, want)
			}
			continue
		}
		members++
		line = strings.TrimSpace(line)
		if union, ok := strings.CutPrefix(line, "= "); ok {
			var of []string
			for _, m := range current.PossibleTypes {
				of = append(of, m.Name)
			}
			want := strings.Split(union, " | ")
			slices.Sort(of)
			slices.Sort(want)
			if !slices.Equal(of, want) {
				t.Errorf("%s has the members %v, want %v", current.Name, of, want)
			}
			continue
		}
		if !slices.Contains(membersOf(current), plainDefaults(line)) {
			t.Errorf("%s lacks %s", current.Name, line)
		}
	}
	t.Logf("%d types and %d members compared", types, members)
}

// plainDefaults writes enum defaults in the syntax of GraphQL.
func plainDefaults(line string) string { return strings.ReplaceAll(line, `= "PROD"`, "= PROD") }

func membersOf(of introspectedType) []string {
	var out []string
	for _, f := range slices.Concat(of.Fields, of.InputFields) {
		out = append(out, f.String())
	}
	for _, v := range of.EnumValues {
		out = append(out, v.Name)
	}
	return out
}

func TestInterfacesAndUnionsAreTheReferences(t *testing.T) {
	t.Parallel()
	have := schemaByIntrospection(t)
	for _, line := range lines(t, "members.txt") {
		words := strings.Fields(line)
		names := have[words[0]].Interfaces
		if words[1] == "is" {
			names = have[words[2]].PossibleTypes
			words[2] = words[0]
		}
		if !slices.ContainsFunc(names, func(n struct{ Name string }) bool { return n.Name == words[2] }) {
			t.Errorf("it is not so that %s", line)
		}
	}
}

// TestOperationsAreTheReferences prints the number of operations, and fails when an operation of
// the reference is missing or has a different signature.
func TestOperationsAreTheReferences(t *testing.T) {
	t.Parallel()
	have := schemaByIntrospection(t)
	present := 0
	wanted := lines(t, "operations.txt")
	for _, line := range wanted {
		kind, signature, _ := strings.Cut(line, " ")
		root := map[string]string{"query": "Query", "mutation": "Mutation"}[kind]
		name := signature[:strings.IndexAny(signature, "(:")]
		at := slices.IndexFunc(have[root].Fields, func(f introspectedField) bool { return f.Name == name })
		switch {
		case at < 0:
			t.Errorf("%s %s is missing", kind, name)
		case have[root].Fields[at].String() != signature:
			t.Errorf("%s is %s, want %s", name, have[root].Fields[at], signature)
		default:
			present++
		}
	}
	t.Logf("%d of %d operations", present, len(wanted))
}

func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	described := 0
	for name, of := range schemaByIntrospection(t) {
		if strings.HasPrefix(name, "__") {
			continue
		}
		if of.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for _, f := range slices.Concat(of.Fields, of.InputFields) {
			described++
			if f.Description == "" {
				t.Errorf("%s.%s has no description", name, f.Name)
			}
		}
		for _, v := range of.EnumValues {
			described++
			if v.Description == "" {
				t.Errorf("%s.%s has no description", name, v.Name)
			}
		}
	}
	if described < 1000 {
		t.Errorf("only %d elements were seen", described)
	}
}

// The library is bound when it is first needed, so the start of the service does not report
// missing methods.
func TestEveryOperationOfTheSchemaHasAMethod(t *testing.T) {
	t.Parallel()
	engine, _ := newEngine(t)
	if err := engine.Bind(); err != nil {
		t.Error(err)
	}
}
