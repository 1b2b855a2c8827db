package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	graphgophers "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/plan"
)

// schema is the schema of these tests: interfaces that overlap in part, a union, lists of lists,
// arguments of every form, and queries that fail in every way.
const schema = `
schema { query: Query mutation: Mutation }
scalar Long
enum Mood { CALM LOUD }

interface Animal { name: String! mood: Mood friends: [Animal!] }
interface Heavy { weight: Float! }

type Cat implements Animal {
  name: String!
  mood: Mood
  friends: [Animal!]
  lives: Int!
  hungry: Boolean
  says(word: String = "meow", times: Int! = 1, loud: Boolean): String
}
type Elephant implements Animal & Heavy {
  name: String!
  mood: Mood
  friends: [Animal!]
  weight: Float!
  mother: Elephant
  carries(atLeast: Float, loads: [Load!]): [[String!]!]!
}
type Ticket { number: Long! day: ID seat: String holder: Cat! }
union Guest = Cat | Elephant | Ticket

interface Titled { title: String keeper: Titled }
type Book implements Titled { title: String! keeper: Keeper pages: Int numbers: [Float!]! mark: ID none: [String!] table: [[Int]]! }
type Keeper implements Titled { title: String keeper: Keeper pages: Long }

input Load { name: String! grams: Long tags: [String!] inside: Load mood: Mood = CALM }

type Query {
  animals: [Animal!]!
  guests(first: Int = 3): [Guest]!
  heavy: Heavy
  cat(named: ID!): Cat
  tickets: [Ticket]
  echo(load: Load, id: ID = "none", since: Long = 5): String
  fails: String
  nothing: Ticket!
  noHolder: Ticket
  angry: Mood
  panics: Int
  meets: Boolean!
  pack: [Cat!]!
  titled: [Titled!]!
  endless: Float
  crew: [Growing!]
  crewOrNot: [Growing]!
  crowd: [Growing]!
  stubs: [Ticket]!
  herd: [Elephant!]!
}
type Growing { name: String! grows(by: Int): Int! }
type Mutation {
  feed: Int
  rename(to: String!): Cat!
  refuse(why: String): Int
  lose: Ticket!
  faint: Int
  strange: Strange
}
type Strange { odd(by: Int): Int }
`

type (
	Titled struct{ value any }
	Animal struct{ value any }
	Heavy  struct{ value any }
	Guest  struct{ value any }
)

func (x *Animal) Held() any                     { return x.value }
func (x *Animal) ToCat() (*Cat, bool)           { return as[Cat](x.value) }
func (x *Animal) ToElephant() (*Elephant, bool) { return as[Elephant](x.value) }
func (x *Heavy) Held() any                      { return x.value }
func (x *Heavy) ToElephant() (*Elephant, bool)  { return as[Elephant](x.value) }
func (x *Guest) Held() any                      { return x.value }
func (x *Guest) ToCat() (*Cat, bool)            { return as[Cat](x.value) }
func (x *Guest) ToElephant() (*Elephant, bool)  { return as[Elephant](x.value) }
func (x *Guest) ToTicket() (*Ticket, bool)      { return as[Ticket](x.value) }

func (x *Titled) Held() any                 { return x.value }
func (x *Titled) ToBook() (*Book, bool)     { return as[Book](x.value) }
func (x *Titled) ToKeeper() (*Keeper, bool) { return as[Keeper](x.value) }

// The library calls methods of wrappers for the fields of their interfaces.

func (x *Animal) Name() string        { return x.shared().Name }
func (x *Animal) Mood() *string       { return x.shared().Mood }
func (x *Animal) Friends() *[]*Animal { return x.shared().Friends }
func (x *Heavy) Weight() float64      { return x.value.(*Elephant).Weight }
func (x *Titled) Title() *string      { return x.shared().Title }
func (x *Titled) Keeper() *Titled {
	if k := x.shared().Keeper; k != nil {
		return &Titled{k}
	}
	return nil
}

func (x *Titled) shared() *Keeper {
	if b, ok := x.ToBook(); ok {
		return &Keeper{Title: &b.Title, Keeper: b.Keeper}
	}
	return x.value.(*Keeper)
}

func (x *Animal) shared() *Cat {
	if e, ok := x.ToElephant(); ok {
		return &Cat{Name: e.Name, Mood: e.Mood, Friends: e.Friends}
	}
	return x.value.(*Cat)
}

func as[T any](value any) (*T, bool) {
	v, ok := value.(*T)
	return v, ok
}

type Cat struct {
	Name    string
	Mood    *string
	Friends *[]*Animal
	Lives   int32
	Hungry  *bool
	Says    func(context.Context, SaysArgs) (*string, error)
}

type SaysArgs struct {
	Word  string
	Times int32
	Loud  *bool
}

type Elephant struct {
	Name    string
	Mood    *string
	Friends *[]*Animal
	Weight  float64
	Mother  *Elephant
	Carries func(context.Context, CarriesArgs) ([][]string, error)
}

type CarriesArgs struct {
	AtLeast *float64
	Loads   *[]Load
}

type Load struct {
	Name   string
	Grams  *Long
	Tags   *[]string
	Inside *Load
	Mood   string
}

type Ticket struct {
	Number Long
	Day    *graphgophers.ID
	Seat   *string
	Holder *Cat
}

// Book has its title from an embedded struct.
type Book struct {
	Print
	Keeper *Keeper
	Pages  *int32
	Mark   *graphgophers.ID
	None   *[]string
	Table  []*[]*int32
}

type Print struct {
	Title   string
	Numbers []float64
}

type Keeper struct {
	Title  *string
	Keeper *Keeper
	Pages  *Long
}

type Long int64

func (Long) ImplementsGraphQLType(name string) bool { return name == "Long" }

func (l *Long) UnmarshalGraphQL(input any) error {
	switch v := input.(type) {
	case int32:
		*l = Long(v)
	case int64:
		*l = Long(v)
	case json.Number:
		n, err := v.Int64()
		*l = Long(n)
		return err
	default:
		return fmt.Errorf("%T is no Long", input)
	}
	return nil
}

// query has the methods of the schema. Meets returns when two calls of it run at the same time.
type query struct {
	meeting sync.WaitGroup

	mu    sync.Mutex
	loads []*[]Load // arguments that the elephants of a herd received
}

func ptr[T any](v T) *T { return &v }

func newCat(name string, friends ...any) *Cat {
	c := &Cat{Name: name, Lives: int32(len(name)), Mood: ptr("CALM"), Says: func(_ context.Context, a SaysArgs) (*string, error) {
		return argumentsAsJSON(a)
	}}
	if len(friends) > 0 {
		c.Hungry = ptr(len(friends) > 1)
		c.Friends = animals(friends)
	}
	return c
}

func newElephant(name string, mother *Elephant, friends ...any) *Elephant {
	return &Elephant{Name: name, Weight: 5000.25, Mother: mother, Friends: animals(friends), Carries: func(_ context.Context, a CarriesArgs) ([][]string, error) {
		text, err := argumentsAsJSON(a)
		return [][]string{{*text, "x"}, {}}, err
	}}
}

func animals(all []any) *[]*Animal {
	out := []*Animal{}
	for _, a := range all {
		out = append(out, &Animal{a})
	}
	return &out
}

// argumentsAsJSON returns the arguments as received, including nil ones.
func argumentsAsJSON(args any) (*string, error) {
	text, err := json.Marshal(args)
	return ptr(string(text)), err
}

var (
	minka  = newCat("Minka")
	moritz = newCat("Mo\"ritz\u2028\x01", minka, newElephant("Ella", nil))
	jumbo  = newElephant("Jümbo", newElephant("Mama", nil), moritz, minka)
)

func (*query) Animals(context.Context) ([]*Animal, error) {
	return *animals([]any{minka, moritz, jumbo}), nil
}

func (*query) Guests(_ context.Context, a struct{ First int32 }) ([]*Guest, error) {
	all := []*Guest{{moritz}, nil, {&Ticket{Number: 1 << 60, Holder: minka, Seat: ptr("9c"), Day: ptr(graphgophers.ID("tue"))}}, {jumbo}}
	return all[:min(max(int(a.First), 0), len(all))], nil
}

func (*query) Heavy(context.Context) (*Heavy, error) { return &Heavy{jumbo}, nil }

func (*query) Cat(_ context.Context, a struct{ Named graphgophers.ID }) (*Cat, error) {
	if a.Named == "minka" {
		return minka, nil
	}
	return nil, nil
}

func (*query) Tickets(context.Context) (*[]*Ticket, error) {
	return &[]*Ticket{nil, {Number: -1, Holder: moritz}}, nil
}

func (*query) Echo(_ context.Context, a struct {
	Load  *Load
	ID    graphgophers.ID
	Since Long
}) (*string, error) {
	return argumentsAsJSON(a)
}

func (*query) Fails(context.Context) (*string, error)    { return nil, errors.New("no") }
func (*query) Nothing(context.Context) (*Ticket, error)  { return nil, nil }
func (*query) NoHolder(context.Context) (*Ticket, error) { return &Ticket{}, nil }
func (*query) Angry(context.Context) (*string, error)    { return ptr("ANGRY"), nil }
func (*query) Panics(context.Context) (*int32, error)    { panic("help") }

func (*query) Endless(context.Context) (*float64, error) { return ptr(math.Inf(1)), nil }

func (*query) Titled(context.Context) ([]*Titled, error) {
	keeper := &Keeper{Title: ptr("a\xffb"), Pages: ptr(Long(math.MinInt64))}
	keeper.Keeper = keeper
	return []*Titled{
		{&Book{Print: Print{Title: "<&>\u2029\t\x7f", Numbers: []float64{math.Copysign(0, -1), 1e21, 1e-7, math.MaxFloat64, 5}}, Keeper: keeper, Pages: ptr(int32(-1)), Mark: ptr(graphgophers.ID("ü\"\\"))}},
		{&Book{Table: []*[]*int32{nil, {nil, ptr(int32(0))}}, None: &[]string{}}},
		{keeper},
	}, nil
}

func (q *query) Meets(ctx context.Context) (bool, error) {
	q.meeting.Done()
	met := make(chan bool)
	go func() {
		q.meeting.Wait()
		close(met)
	}()
	select {
	case <-met:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

type Growing struct {
	Name  string
	Grows func(context.Context, struct{ By *int32 }) (int32, error)
}

// newGrowing returns one value that grows and others that fail.
func newGrowing(names ...string) *[]*Growing {
	out := make([]*Growing, len(names))
	for i, name := range names {
		out[i] = &Growing{Name: name, Grows: func(context.Context, struct{ By *int32 }) (int32, error) {
			if i > 0 {
				return 0, errors.New("no")
			}
			return 1, nil
		}}
	}
	return &out
}

func (*query) Crew(context.Context) (*[]*Growing, error) { return newGrowing("a", "b", "c"), nil }

func (*query) CrewOrNot(context.Context) ([]*Growing, error) { return *newGrowing("a", "b", "c"), nil }

func (*query) Crowd(context.Context) ([]*Growing, error) {
	return *newGrowing("a", "b", "c", "d", "e", "f", "g"), nil
}

func (*query) Stubs(context.Context) ([]*Ticket, error) {
	return []*Ticket{{Number: 1}, {Number: -1, Holder: minka}, {Number: 2}}, nil
}

// Pack returns a cat and two others that say something when both are called at the same time.
func (q *query) Pack(context.Context) ([]*Cat, error) {
	shy := func(ctx context.Context, a SaysArgs) (*string, error) {
		if a.Word == "boo" {
			panic("help")
		}
		_, err := q.Meets(ctx)
		return ptr("hello"), err
	}
	return []*Cat{newCat("a"), {Name: "b", Says: shy}, {Name: "c", Says: shy}}, nil
}

// Herd returns elephants that record their loads.
func (q *query) Herd(context.Context) ([]*Elephant, error) {
	carries := func(_ context.Context, a CarriesArgs) ([][]string, error) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.loads = append(q.loads, a.Loads)
		return [][]string{}, nil
	}
	return []*Elephant{{Name: "a", Carries: carries}, {Name: "b", Carries: carries}, {Name: "c", Carries: carries}, {Name: "d", Carries: carries}}, nil
}

// mutation records the names of the methods that are called.
type mutation struct{ called []string }

func (m *mutation) Feed(context.Context) (*int32, error) {
	m.called = append(m.called, "feed")
	return nil, nil
}

func (m *mutation) Rename(_ context.Context, a struct{ To string }) (*Cat, error) {
	m.called = append(m.called, "rename "+a.To)
	return newCat(a.To, minka), nil
}

func (m *mutation) Refuse(_ context.Context, a struct{ Why *string }) (*int32, error) {
	m.called = append(m.called, "refuse")
	return nil, errors.New(*a.Why)
}

func (m *mutation) Lose(context.Context) (*Ticket, error) {
	m.called = append(m.called, "lose")
	return nil, nil
}

func (m *mutation) Faint(context.Context) (*int32, error) {
	m.called = append(m.called, "faint")
	panic("help")
}

// Strange has a member that plans cannot write: its function is nil.
type Strange struct {
	Odd func(context.Context, struct{ By *int32 }) (*int32, error)
}

func (m *mutation) Strange(context.Context) (*Strange, error) {
	m.called = append(m.called, "strange")
	return &Strange{}, nil
}

type root struct{ *query }

func (r root) Query() *query     { return r.query }
func (root) Mutation() *mutation { return &mutation{} }

// zoo executes documents by plans and by the library.
type zoo struct {
	stage   *document.Stage
	oracle  *graphgophers.Schema
	planner *plan.Planner
	query   *query
	changes *mutation    // called by plans
	begin   func() error // called before each mutation; nil for none

	mu       sync.Mutex
	panicked []any
}

func newZoo(t testing.TB) *zoo {
	t.Helper()
	parsed := gqlparser.MustLoadSchema(&ast.Source{Input: schema})
	z := &zoo{query: &query{}, changes: &mutation{}}
	var err error
	if z.stage, err = document.New(document.Config{Schema: parsed, IgnoreUnknownVariables: true}); err != nil {
		t.Fatal(err)
	}
	if z.oracle, err = graphgophers.ParseSchema(schema, root{z.query}, graphgophers.UseFieldResolvers(), graphgophers.DisableFieldSelections(), graphgophers.Logger(panicDiscarder{})); err != nil {
		t.Fatal(err)
	}
	z.planner, err = plan.NewPlanner(plan.Config{Schema: parsed, Query: z.query, Mutation: z.changes, Default: z.stage.Default, Begin: z.beginMutation, LogPanic: func(_ context.Context, value any) {
		z.mu.Lock()
		defer z.mu.Unlock()
		z.panicked = append(z.panicked, value)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func (z *zoo) beginMutation(context.Context) error {
	if z.begin == nil {
		return nil
	}
	return z.begin()
}

type panicDiscarder struct{}

func (panicDiscarder) LogPanic(context.Context, any) {}

// compile returns a compiled document and its variables for the library.
func (z *zoo) compile(t testing.TB, text, variables string) (*document.Document, map[string]any) {
	t.Helper()
	d, errs := z.stage.Compile(text, "")
	if errs != nil {
		t.Fatalf("%s\n%v", text, errs)
	}
	values, errs := d.Variables(json.RawMessage(variables))
	if errs != nil {
		t.Fatalf("%s\n%v", text, errs)
	}
	return d, values
}
