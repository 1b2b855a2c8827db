package document_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

func TestFindingsReadAsClientsKnowThem(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, c := range []struct{ name, text, want string }{
		{"an unknown field", `{node{id nope}}`, "Validation error (FieldUndefined@[node/nope]) : Field 'nope' in type 'Node' is undefined"},
		{"an unknown field under an alias", `{n:node{x:nope}}`, "Validation error (FieldUndefined@[n/x]) : Field 'nope' in type 'Node' is undefined"},
		{"an unknown field in a fragment", `{node{...F}} fragment F on Node{kids{nope}}`, "Validation error (FieldUndefined@[F/kids/nope]) : Field 'nope' in type 'Node' is undefined"},
		{"an unknown type", `{node{...on Nope{id}}}`, "Validation error (UnknownType@[node]) : Unknown type 'Nope'"},
		{"a scalar as condition", `{node{...on Int{id}}}`, "Validation error (InlineFragmentTypeConditionInvalid@[node]) : Inline fragment: the type condition 'Int' must be"},
		{"a wrong literal", `{int(n:"x")}`, "Validation error (WrongType@[int]) : argument 'n' with value '\"x\"' is not a valid 'Int' - expected a whole number of 32 bits but it was the text 'x'"},
		{"a bare name for text", `{text(s:FOO)}`, "Validation error (WrongType@[text]) : argument 's' with value 'FOO' is not a valid 'String' - expected text but it was the name 'FOO'"},
		{"a missing input field", `{search(in:{})}`, "(WrongType@[search]) : argument 'in' with value '{}' is missing required fields '[text]'"},
		{"an unknown input field", `{search(in:{text:"a",range:{x:1}})}`, "(WrongType@[search]) : argument 'in' with value '{text:\"a\",range:{x:1}}': 'range' contains a field not in 'Range': 'x'"},
		{"null for a non-null argument", `{both(a:null)}`, "(WrongType@[both]) : argument 'a' with value 'null' must not be null, its type is 'String!'"},
		{"a missing argument", `{both}`, "Validation error (MissingFieldArgument@[both]) : Missing field argument 'a'"},
		{"an unknown argument", `{int(m:1)}`, "Validation error (UnknownArgument@[int]) : Unknown field argument 'm'"},
		{"an unknown directive", `{int @nope}`, "Validation error (UnknownDirective@[int]) : Unknown directive 'nope'"},
		{"a misplaced directive", `query @skip(if:true){int}`, "Validation error (MisplacedDirective) : Directive 'skip' not allowed here"},
		{"a directive without argument", `{int @skip}`, "Validation error (MissingDirectiveArgument@[int]) : Missing directive argument 'if'"},
		{"an undefined fragment", `{node{...F}}`, "Validation error (UndefinedFragment@[node]) : Undefined fragment 'F'"},
		{"an unused fragment", `{int} fragment F on Node{id}`, "Validation error (UnusedFragment@[F]) : Unused fragment 'F'"},
		{"a fragment cycle", `{node{...F}} fragment F on Node{child{...G}} fragment G on Node{...F}`, "(FragmentCycle@[G]) : Fragment cycles not allowed: fragment 'F' spreads itself"},
		{"an undefined variable", `{int(n:$x)}`, "Validation error (UndefinedVariable@[int]) : Undefined variable 'x'"},
		{"an unused variable", `query($x:Int){int}`, "Validation error (UnusedVariable) : Unused variable 'x'"},
		{"a variable of another type", `query($x:String){int(n:$x)}`, "Validation error (VariableTypeMismatch@[int]) : Variable 'x' of type 'String' used in position expecting type 'Int'"},
		{"an output type for a variable", `query($x:Node){int(n:$x)}`, "Validation error (NonInputTypeOnVariable) : Input variable 'x' type 'Node' is not an input type"},
		{"a wrong default", `query($x:Int="y"){int(n:$x)}`, "default of variable 'x' with value '\"y\"' is not a valid 'Int'"},
		{"selections on a leaf", `{int{x}}`, "Validation error (SubselectionNotAllowed@[int]) : Subselection not allowed on leaf type 'Int' of field 'int'"},
		{"no selections on an object", `{node}`, "Validation error (SubselectionRequired@[node]) : Subselection required for type 'Node' of field 'node'"},
		{"an impossible condition", `{node{...on Query{int}}}`, "(InvalidFragmentType@[node]) : Fragment cannot be spread here as objects of type 'Node' can never be of type 'Query'"},
		{"different fields for one key", `{node{a:id a:rank}}`, "Validation error (FieldsConflict@[node/a]) : 'a' : "},
		{"different arguments for one key", `{int(n:1) int(n:2)}`, "Validation error (FieldsConflict@[int]) : 'int' : fields have different arguments"},
		{"different arguments through fragments", `{node{...F label}} fragment F on Node{...on Titled{...on Book{label(prefix:"x")}}}`, "'label' : fields have different arguments"},
		{"different shapes on different objects", `{nodes{...on Book{x:pages}...on Film{x:title}}}`, "'x' : fields have different nullability shapes"},
		{"different leaves on different objects", `{nodes{...on Book{x:pages}...on Person{x:name}}}`, "'x' : returns different types 'Int' and 'String'"},
		{"different leaves deeper down", `{nodes{...on Book{c:child{y:id}}...on Film{c:child{y:kids{id}}}}}`, "'y' : "},
		{"two operations of one name", `query A{int} query A{int}`, "Validation error (DuplicateOperationName) : There can be only one operation named 'A'"},
		{"two fragments of one name", `{node{...F}} fragment F on Node{id} fragment F on Node{id}`, "(DuplicateFragmentName@[F]) : There can be only one fragment named 'F'"},
		{"two arguments of one name", `{int(n:1,n:2)}`, "(DuplicateArgumentNames@[int]) : There can be only one argument named 'n'"},
		{"two variables of one name", `query($x:Int,$x:Int){int(n:$x)}`, "(DuplicateVariableName) : There can be only one variable named 'x'"},
		{"an anonymous operation in company", `{int} query A{int}`, "(LoneAnonymousOperationViolation) : Anonymous operation with other operations"},
		{"a subscription", `subscription{int}`, "(UnknownOperation) : The schema has no operations of type 'subscription'"},
		{"introspection that feeds on itself", `{__schema{types{fields{type{fields{type{fields{name}}}}}}}}`, "(IntrospectionTooDeep@[__schema])"},
		{"introspection that the library lacks", `{__type(name:"Book"){isOneOf}}`, "Field 'isOneOf' in type '__Type' is undefined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs := stage.Compile(c.text, "")
			if len(errs) == 0 {
				t.Fatal("accepted")
			}
			if !strings.Contains(errs.Error(), c.want) || errs[0].Classification != document.ValidationError {
				t.Errorf("got %q (%s), want %q", errs.Error(), errs[0].Classification, c.want)
			}
			if len(errs[0].Locations) == 0 {
				t.Error("no location")
			}
		})
	}
}

func TestOverlapsThatMayBeMergedPass(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, text := range []string{
		`{nodes{...on Book{x:note(lang:"a")}...on Film{x:note(lang:"b")}}}`,
		`{nodes{id id ...on Node{id}}}`,
		`{search(in:{text:"a",color:RED}) search(in:{color:RED,text:"a"})}`,
		`{nodes{child{id}...on Person{child{name}}}}`,
	} {
		mustCompile(t, stage, text)
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, c := range []struct {
		name, text, want string
		line, column     int
	}{
		{"an unfinished document", "{\n  node {", "Invalid syntax at line 2 column 9", 2, 9},
		{"something else", "hello", "Invalid syntax at line 1 column 1", 1, 1},
		{"a NUL byte", "{ \n int\x00 }", "the text contains a NUL byte", 2, 5},
		{"a NUL byte in text", "{text(s:\"\x00\")}", "the text contains a NUL byte", 1, 10},
		{"invalid UTF-8", "{text(s:\"\xff\")}", "the text is not valid UTF-8", 0, 0},
		{"half of a surrogate pair", "{\n  text(s:\"a\\ud800\")}", "half of a surrogate pair", 2, 12},
		{"the other half, behind a block string that may hold one", `{a:text(s:"""\ud800""") b:text(s:"\udc00")}`, "half of a surrogate pair", 1, 35},
		{"a fragment with variables", "{node{...F}} fragment F($x:Int) on Node{id}", "a fragment takes no variables", 1, 14},
		{"nesting beyond the stack", strings.Repeat("{a", 2000), "exceeded maximum nesting depth", 1, 2001},
		{"lists beyond the stack", "{texts(l:" + strings.Repeat("[", 2000), "exceeded maximum nesting depth", 1, 1009},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs := stage.Compile(c.text, "")
			if len(errs) != 1 || errs[0].Classification != document.InvalidSyntax || !strings.Contains(errs[0].Message, c.want) {
				t.Fatalf("got %+v, want %q", errs, c.want)
			}
			if c.line > 0 && (len(errs[0].Locations) != 1 || errs[0].Locations[0] != document.Location{Line: c.line, Column: c.column}) {
				t.Errorf("at %v, want %d:%d", errs[0].Locations, c.line, c.column)
			}
		})
	}
}

func TestTheOperationIsChosenByName(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	const text = `query A{int} query B($y:Boolean!){node{id @include(if:$y)}} mutation C{fail} query D{__schema{types{name}} ...F} fragment F on Query{__typename}`
	for _, c := range []struct {
		name, operation, want string
	}{
		{"no name among several", "", "Must provide operation name if query contains multiple operations."},
		{"an unknown name", "x", "Unknown operation named 'x'."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs := stage.Compile(text, c.operation)
			if len(errs) != 1 || errs[0].Message != c.want || errs[0].Classification != document.ValidationError {
				t.Errorf("got %+v, want %q", errs, c.want)
			}
		})
	}
	for _, c := range []struct {
		operation     string
		kind          ast.Operation
		introspection bool
	}{{"A", ast.Query, false}, {"B", ast.Query, false}, {"C", ast.Mutation, false}, {"D", ast.Query, true}} {
		doc, errs := stage.Compile(text, c.operation)
		if errs != nil {
			t.Fatal(errs)
		}
		if doc.Operation() != c.operation || doc.Kind() != c.kind || doc.Introspection() != c.introspection || doc.Definition().Name != c.operation {
			t.Errorf("%s: operation %q, kind %s, introspection %t", c.operation, doc.Operation(), doc.Kind(), doc.Introspection())
		}
		if strings.Contains(doc.Text(), "query A") != (c.operation == "A") {
			t.Errorf("%s: staged as %s", c.operation, doc.Text())
		}
	}
	if _, errs := stage.Compile(`{int}`, "A"); len(errs) != 1 || errs[0].Message != "Unknown operation named 'A'." {
		t.Errorf("a name for an anonymous operation: %v", errs)
	}
	if _, errs := stage.Compile(``, ""); len(errs) != 1 || errs[0].Message != "Must provide an operation." {
		t.Errorf("an empty document: %v", errs)
	}
}

func TestWhatIsNoEscapeMayLookLikeHalfOfASurrogatePair(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, text := range []string{`{text(s:"""\ud800""")}`, "{int # \\ud800\n}", `{text(s:"\ud83d\ude00")}`, `{text(s:"\\ud800")}`, `{text(s:"\ufffd")}`} {
		if _, errs := stage.Compile(text, ""); len(errs) > 0 {
			t.Errorf("%s: %v", text, errs)
		}
	}
}
