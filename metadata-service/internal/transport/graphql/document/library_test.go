package document_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// shelf is the schema of these tests: interfaces that overlap in part, unions, an object that
// narrows a field to another type, one that declares it non-null, and fields that return their
// arguments.
const shelf = `
schema { query: Query mutation: Mutation }
scalar Long
enum Color { RED GREEN }

interface Node {
  id: ID!
  label(prefix: String = "n"): String
  child: Node
  kids: [Node!]!
  rank: Int
}
interface Titled { title: String related: [Titled!]! }

type Book implements Node & Titled {
  id: ID!
  label(prefix: String = "n"): String
  child: Node
  kids: [Node!]!
  rank: Int!
  title: String!
  related: [Titled!]!
  pages: Int!
  note(lang: String): String
}
type Film implements Node & Titled {
  id: ID!
  label(prefix: String = "n"): String
  child: Node
  kids: [Node!]!
  rank: Int
  title: String
  related: [Titled!]!
  minutes: Int!
  note(lang: String): String
}
type Person implements Node {
  id: ID!
  label(prefix: String = "n"): String
  child: Person
  kids: [Node!]!
  rank: Int
  name: String!
}
union Media = Book | Film
union Any = Book | Film | Person

input Range { start: Int = 0 count: Int! = 10 }
input Search { text: String! range: Range = {start: 5} since: Long tags: [String!] color: Color weight: Float exact: Boolean id: ID }

type Query {
  node: Node
  nodes: [Node!]!
  titled: [Titled!]!
  media: [Media!]!
  any: [Any!]!
  int(n: Int = 25): Int
  needed(n: Int! = 7): Int
  long(n: Long): Long
  text(s: String): String
  color(c: Color = GREEN): Color
  texts(l: [String!]): [String!]
  search(in: Search!): String
  float(f: Float): Float
  bool(b: Boolean): Boolean
  both(a: String!, b: String): String
}
type Mutation { add(name: String!): Book fail: String }
`

// thing is an object of the test data, of any type.
type thing struct {
	kind, id string
	rank     *int32
	child    *thing
	kids     []*thing
}

func shelfData() *thing {
	rank := func(n int32) *int32 { return &n }
	ann := &thing{kind: "Person", id: "ann"}
	bob := &thing{kind: "Person", id: "bob", child: ann}
	dune := &thing{kind: "Book", id: "dune", rank: rank(3), child: bob}
	jaws := &thing{kind: "Film", id: "jaws", child: dune}
	emma := &thing{kind: "Book", id: "emma", rank: rank(8), child: jaws, kids: []*thing{bob, jaws}}
	dune.kids = []*thing{jaws, ann}
	jaws.kids = []*thing{dune, bob}
	return &thing{kind: "Root", kids: []*thing{dune, jaws, emma, bob, ann}}
}

func (t *thing) of(kinds ...string) []*thing {
	var out []*thing
	for _, k := range t.kids {
		for _, kind := range kinds {
			if k.kind == kind {
				out = append(out, k)
			}
		}
	}
	return out
}

// The library resolves fields with the following wrappers.
type (
	base    struct{ *thing }
	nodeR   struct{ base }
	titledR struct{ base }
	mediaR  struct{ base }
	anyR    struct{ base }
	bookR   struct{ base }
	filmR   struct{ base }
	personR struct{ base }
)

func wrapNodes[T any](list []*thing, wrap func(base) T) []*T {
	out := make([]*T, len(list))
	for i, t := range list {
		w := wrap(base{t})
		out[i] = &w
	}
	return out
}

func asNode(b base) nodeR     { return nodeR{b} }
func asTitled(b base) titledR { return titledR{b} }

func (b base) ID() graphql.ID                             { return graphql.ID(b.id) }
func (b base) Label(args struct{ Prefix string }) *string { s := args.Prefix + "-" + b.id; return &s }
func (b base) Rank() *int32                               { return b.rank }
func (b base) Kids() []*nodeR                             { return wrapNodes(b.kids, asNode) }
func (b base) Related() []*titledR                        { return wrapNodes(b.of("Book", "Film"), asTitled) }
func (b base) Note(args struct{ Lang *string }) *string   { return args.Lang }
func (b base) ToBook() (*bookR, bool)                     { return &bookR{b}, b.kind == "Book" }
func (b base) ToFilm() (*filmR, bool)                     { return &filmR{b}, b.kind == "Film" }
func (b base) ToPerson() (*personR, bool)                 { return &personR{b}, b.kind == "Person" }
func (b base) Child() *nodeR {
	if b.child == nil {
		return nil
	}
	return &nodeR{base{b.child}}
}
func (b base) Title() *string { s := "The " + b.id; return &s }

func (b *bookR) Title() string  { return "The " + b.id }
func (b *bookR) Rank() int32    { return *b.rank }
func (b *bookR) Pages() int32   { return 100 }
func (f *filmR) Minutes() int32 { return 90 }
func (p *personR) Name() string { return strings.ToUpper(p.id) }
func (p *personR) Child() *personR {
	if p.child == nil {
		return nil
	}
	return &personR{base{p.child}}
}

type long int64

func (long) ImplementsGraphQLType(name string) bool { return name == "Long" }
func (l *long) UnmarshalGraphQL(in any) error {
	n, ok := in.(int64)
	if !ok {
		return fmt.Errorf("long: got %T", in)
	}
	*l = long(n)
	return nil
}

type rangeIn struct {
	Start int32
	Count int32
}
type searchIn struct {
	Text   string
	Range  *rangeIn
	Since  *long
	Tags   *[]string
	Color  *string
	Weight *float64
	Exact  *bool
	ID     *graphql.ID
}

type rootR struct{ *thing }

func (r *rootR) Node() *nodeR       { return &nodeR{base{r.kids[0]}} }
func (r *rootR) Nodes() []*nodeR    { return wrapNodes(r.kids, asNode) }
func (r *rootR) Titled() []*titledR { return wrapNodes(r.of("Book", "Film"), asTitled) }
func (r *rootR) Media() []*mediaR {
	return wrapNodes(r.of("Book", "Film"), func(b base) mediaR { return mediaR{b} })
}
func (r *rootR) Any() []*anyR {
	return wrapNodes(r.kids, func(b base) anyR { return anyR{b} })
}
func (r *rootR) Int(a struct{ N int32 }) *int32          { return &a.N }
func (r *rootR) Needed(a struct{ N int32 }) *int32       { return &a.N }
func (r *rootR) Long(a struct{ N *long }) *long          { return a.N }
func (r *rootR) Text(a struct{ S *string }) *string      { return a.S }
func (r *rootR) Color(a struct{ C string }) *string      { return &a.C }
func (r *rootR) Texts(a struct{ L *[]string }) *[]string { return a.L }
func (r *rootR) Float(a struct{ F *float64 }) *float64   { return a.F }
func (r *rootR) Bool(a struct{ B *bool }) *bool          { return a.B }
func (r *rootR) Both(a struct {
	A string
	B *string
}) *string {
	return &a.A
}
func (r *rootR) Search(a struct{ In searchIn }) (*string, error) {
	text, err := json.Marshal(a.In)
	s := string(text)
	return &s, err
}
func (r *rootR) Add(a struct{ Name string }) *bookR {
	return &bookR{base{&thing{kind: "Book", id: a.Name, rank: new(int32)}}}
}
func (r *rootR) Fail() *string { return nil }

func newLibrary(tb testing.TB, opts ...graphql.SchemaOpt) *graphql.Schema {
	tb.Helper()
	opts = append([]graphql.SchemaOpt{graphql.MaxSelections(1 << 20), graphql.Logger(panicDiscarder{})}, opts...)
	s, err := graphql.ParseSchema(shelf, &rootR{shelfData()}, opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func shelfSchema() *ast.Schema {
	return gqlparser.MustLoadSchema(&ast.Source{Name: "shelf", Input: shelf})
}

func newStage(tb testing.TB, change ...func(*document.Config)) *document.Stage {
	tb.Helper()
	cfg := document.Config{Schema: shelfSchema()}
	for _, c := range change {
		c(&cfg)
	}
	s, err := document.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func mustCompile(tb testing.TB, s *document.Stage, text string) *document.Document {
	tb.Helper()
	doc, errs := s.Compile(text, "")
	if errs != nil {
		tb.Fatalf("Compile(%s): %v", text, errs)
	}
	return doc
}
