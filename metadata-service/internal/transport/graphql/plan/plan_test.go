package plan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/plan"
	"github.com/cartulary/cartulary/pkg/trials"
)

// answers executes a document both ways. Failures are paths and kinds, sorted, because the
// library returns them in the order in which they happen.
func (z *zoo) answers(t testing.TB, d *document.Document, variables map[string]any) (planned, byLibrary []byte, failures, errors []string) {
	t.Helper()
	p := z.planner.New(d)
	if p == nil {
		t.Fatalf("no plan for %s", d.Text())
	}
	planned, failed, ok := p.Exec(t.Context(), variables)
	if !ok {
		t.Fatalf("left to the library: %s", d.Text())
	}
	for _, f := range failed {
		text := fmt.Sprint(f.Path, " ", f.Err)
		switch f.Err {
		case plan.ErrNoValue:
			text = fmt.Sprint(f.Path, " no value")
		case plan.ErrPanic:
			text = fmt.Sprint(f.Path, " panic")
		}
		failures = append(failures, text)
	}
	done := z.oracle.Exec(t.Context(), d.Text(), d.Operation(), variables)
	for _, e := range done.Errors {
		text := fmt.Sprint(e.Path, " no value")
		switch {
		case e.ResolverError != nil:
			text = fmt.Sprint(e.Path, " ", e.ResolverError)
		case strings.HasPrefix(e.Message, "panic occurred"):
			text = fmt.Sprint(e.Path, " panic")
		}
		errors = append(errors, text)
	}
	slices.Sort(failures)
	slices.Sort(errors)
	return planned, done.Data, failures, errors
}

// sameJSON reports whether two responses are equal, including the order of keys. Strings may be
// escaped differently.
func sameJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	var out [2]bytes.Buffer
	for i, text := range [][]byte{a, b} {
		for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
			decoder.UseNumber()
			token, err := decoder.Token()
			if err != nil {
				break
			}
			fmt.Fprintf(&out[i], "%T %v,", token, token)
		}
	}
	return json.Valid(a) && json.Valid(b) && bytes.Equal(out[0].Bytes(), out[1].Bytes())
}

func TestPlansAnswerAsTheLibrary(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	for name, c := range map[string]struct{ document, variables string }{
		"fields of an object":                        {`{ cat(named: "minka") { name lives mood hungry friends { name } } }`, ``},
		"an object that is not there":                {`{ cat(named: "x") { name } }`, ``},
		"fields of an interface":                     {`{ animals { name mood __typename friends { name __typename } } }`, ``},
		"fields of some objects of an interface":     {`{ animals { ... on Heavy { weight } name ... on Cat { lives } } }`, ``},
		"members of a union and gaps in a list":      {`{ guests(first: 9) { __typename ... on Ticket { number day } ... on Animal { name } } }`, ``},
		"one key in several places":                  {`{ animals { friends { name } ...A ... on Cat { friends { ... on Cat { lives } } } } } fragment A on Animal { friends { __typename } }`, ``},
		"aliases":                                    {`{ a: animals { n: name } b: animals { n: __typename } }`, ``},
		"one key that is another field elsewhere":    {`{ guests { ... on Ticket { x: seat } ... on Cat { x: says } } }`, ``},
		"a fragment in two places":                   {`{ animals { ...N friends { ...N } ...N } } fragment N on Animal { name }`, ``},
		"lists of lists":                             {`{ heavy { ... on Elephant { carries } } }`, ``},
		"defaults of arguments":                      {`{ echo cat(named: "minka") { says } guests { __typename } }`, ``},
		"literals of arguments":                      {`{ echo(load: {name: "a", grams: 7, tags: ["x"], inside: {name: "b"}, mood: LOUD}, id: 5, since: 9) cat(named: "minka") { says(word: "", times: 3, loud: true) } }`, ``},
		"null for arguments":                         {`{ echo(load: null, id: null, since: null) guests(first: null) { __typename } cat(named: "minka") { says(word: null) } }`, ``},
		"variables of arguments":                     {`query($l: Load, $i: ID, $s: Long) { echo(load: $l, id: $i, since: $s) }`, `{"l": {"name": "a", "tags": []}, "i": 7, "s": 1152921504606846976}`},
		"variables that are not given":               {`query($l: Load, $i: ID, $s: Long) { echo(load: $l, id: $i, since: $s) }`, `{}`},
		"variables that are null":                    {`query($l: Load, $i: ID, $s: Long) { echo(load: $l, id: $i, since: $s) }`, `{"l": null, "i": null, "s": null}`},
		"numbers for floats":                         {`query($f: Float) { heavy { ... on Elephant { a: carries(atLeast: 1) b: carries(atLeast: 1.5) c: carries(atLeast: $f) } } }`, `{"f": 2}`},
		"objects in lists, and one for a list":       {`query($o: [Load!]) { heavy { ... on Elephant { a: carries(loads: $o) b: carries(loads: {name: "x"}) } } }`, `{"o": [{"name": "a", "inside": {"name": "b", "grams": 1}}]}`},
		"nothing but the name of the type":           {`{ __typename }`, ``},
		"numbers, texts and gaps that are unusual":   {`{ titled { title ... on Book { numbers mark none table } } }`, ``},
		"one field of several types":                 {`{ titled { title keeper { title keeper { ... on Book { pages } __typename } } ... on Keeper { pages keeper { pages } } ... on Book { keeper { t: title } } } }`, ``},
		"several operations side by side":            {`{ animals { name } heavy { weight } tickets { number holder { name } } }`, ``},
		"directives":                                 {`query($y: Boolean!, $n: Boolean!) { animals { name @include(if: $y) mood @skip(if: $y) ...A @skip(if: $n) ... on Heavy @include(if: $n) { weight } } } fragment A on Cat { lives @include(if: $y) @skip(if: $n) hungry @include(if: $n) }`, `{"y": true, "n": false}`},
		"the other way":                              {`query($y: Boolean!, $n: Boolean!) { animals { name @include(if: $y) mood @skip(if: $y) ...A @skip(if: $n) ... on Heavy @include(if: $n) { weight } } } fragment A on Cat { lives @include(if: $y) @skip(if: $n) hungry @include(if: $n) }`, `{"y": false, "n": true}`},
		"nothing is left":                            {`query($y: Boolean!) { animals @skip(if: $y) { name } heavy { ...A } } fragment A on Heavy { weight @skip(if: $y) }`, `{"y": true}`},
		"a key that is skipped in one of two places": {`query($y: Boolean!) { animals { friends @include(if: $y) { name } ...A } } fragment A on Animal { friends { mood ...B @skip(if: $y) } ...B } fragment B on Animal { __typename }`, `{"y": false}`},
		"a variable that is called true":             {`query($true: Boolean!) { animals { name @include(if: $true) mood @skip(if: $true) } }`, `{"true": false}`},
		"directives that are decided by literals":    {`{ animals { name @include(if: false) mood @skip(if: false) } }`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, variables := z.compile(t, c.document, c.variables)
			planned, byLibrary, failures, errors := z.answers(t, d, variables)
			if len(failures) > 0 || len(errors) > 0 || !sameJSON(t, planned, byLibrary) {
				t.Errorf("%s\n by the plan %s %v\nthe library %s %v", d.Text(), planned, failures, byLibrary, errors)
			}
		})
	}
}

func TestWhatPlansDoNotKnowIsLeft(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	introspection, _ := z.compile(t, `{ __schema { queryType { name } } animals { name } }`, ``)
	if data, _, ok := z.planner.New(introspection).Exec(t.Context(), nil); ok {
		t.Errorf("a plan answers about the schema: %s", data)
	}
	var many strings.Builder
	values := map[string]any{}
	for i := range 65 {
		fmt.Fprintf(&many, "$v%d:Boolean!,", i)
		values[fmt.Sprintf("v%d", i)] = true
	}
	text := "query(" + many.String() + "){heavy{"
	for i := range 65 {
		text += fmt.Sprintf("a%d:weight@skip(if:$v%d) ", i, i)
	}
	variables, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := z.compile(t, text+"}}", string(variables)); z.planner.New(d) != nil {
		t.Error("65 variables decide, and there is a plan")
	}
}

func TestWhatFailsIsNullAndSaysWhy(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	for name, c := range map[string]struct {
		text, want string
		failures   []string
	}{
		"an error":                              {`{ fails }`, `{"fails":null}`, []string{"[fails] no"}},
		"an error among answers":                {`{ angry fails cat(named: "x") { name } }`, `{"angry":null,"fails":null,"cat":null}`, []string{"[angry] no value", "[fails] no"}},
		"nothing where there must be something": {`{ nothing { number } }`, `null`, []string{"[nothing] no value"}},
		"the same beside other operations":      {`{ heavy { weight } nothing { number } fails }`, `null`, []string{"[fails] no", "[nothing] no value"}},
		"the same within an object":             {`{ noHolder { number holder { name } seat } }`, `{"noHolder":null}`, []string{"[noHolder holder] no value"}},
		"under another name":                    {`{ a: noHolder { b: holder { name } } }`, `{"a":null}`, []string{"[a b] no value"}},
		"a value that is not in its enum":       {`{ angry }`, `{"angry":null}`, []string{"[angry] no value"}},
		"a panic":                               {`{ panics }`, `{"panics":null}`, []string{"[panics] panic"}},
		"a panic among answers":                 {`{ panics heavy { weight } }`, `{"panics":null,"heavy":{"weight":5000.25}}`, []string{"[panics] panic"}},
		"panics among elements":                 {`{ pack { name says(word: "boo") } }`, `{"pack":[{"name":"a","says":"{\"Word\":\"boo\",\"Times\":1,\"Loud\":null}"},{"name":"b","says":null},{"name":"c","says":null}]}`, []string{"[pack 1 says] panic", "[pack 2 says] panic"}},
		"elements that must be there and fail":  {`{ crew { name grows } }`, `{"crew":null}`, []string{"[crew 1 grows] no", "[crew 2 grows] no"}},
		"elements that may be missing and fail": {`{ crewOrNot { name grows } }`, `{"crewOrNot":[{"name":"a","grows":1},null,null]}`, []string{"[crewOrNot 1 grows] no", "[crewOrNot 2 grows] no"}},
		"elements without what they must have":  {`{ stubs { number holder { name } } }`, `{"stubs":[null,{"number":-1,"holder":{"name":"Minka"}},null]}`, []string{"[stubs 0 holder] no value", "[stubs 2 holder] no value"}},
	} {
		d, variables := z.compile(t, c.text, ``)
		planned, byLibrary, failures, errors := z.answers(t, d, variables)
		if string(planned) != c.want || !slices.Equal(failures, c.failures) {
			t.Errorf("%s: got %s %q, want %s %q", name, planned, failures, c.want, c.failures)
		}
		if !sameJSON(t, planned, byLibrary) || !slices.Equal(failures, errors) {
			t.Errorf("%s: by the library %s %q", name, byLibrary, errors)
		}
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(z.panicked) < 4 || z.panicked[0] != "help" {
		t.Errorf("told of panics: %v", z.panicked)
	}
}

func TestANumberThatJSONHasNotIsNoValue(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `{ endless }`, ``)
	data, failures, ok := z.planner.New(d).Exec(t.Context(), variables)
	if !ok || string(data) != `{"endless":null}` || len(failures) != 1 || failures[0].Err != plan.ErrNoValue {
		t.Errorf("%t %s %v", ok, data, failures)
	}
}

func TestNobodyIsAnsweredWhoHasLeft(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `{ animals { name } }`, ``)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if data, _, ok := z.planner.New(d).Exec(gone, variables); ok {
		t.Errorf("nobody waits, and the answer is %s", data)
	}
}

func TestFailuresOfOneAnswerAreBounded(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	var text strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, "a%d: crowd { x: grows y: grows } ", i)
	}
	d, variables := z.compile(t, "{"+text.String()+"}", ``)
	data, failures, ok := z.planner.New(d).Exec(t.Context(), variables)
	if !ok || len(failures) != 1000 || !json.Valid(data) {
		t.Errorf("%t, %d failures", ok, len(failures))
	}
}

func TestOperationsRunSideBySide(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	z.query.meeting.Add(2)
	d, variables := z.compile(t, `{ a: meets b: meets }`, ``)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if data, _, ok := z.planner.New(d).Exec(ctx, variables); !ok || string(data) != `{"a":true,"b":true}` {
		t.Errorf("%t %s", ok, data)
	}
}

func TestElementsThatCallFunctionsRunSideBySide(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	z.query.meeting.Add(2)
	d, variables := z.compile(t, `{ pack { name says(times: 2) } }`, ``)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	want := `{"pack":[{"name":"a","says":"{\"Word\":\"meow\",\"Times\":2,\"Loud\":null}"},{"name":"b","says":"hello"},{"name":"c","says":"hello"}]}`
	if data, _, ok := z.planner.New(d).Exec(ctx, variables); !ok || string(data) != want {
		t.Errorf("%t %s", ok, data)
	}
}

// A list of a hundred thousand strings as the argument of a field of ten thousand entries must
// not grow to a billion values.
func TestArgumentsAreMadeOnceForAllElements(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `query($l: [Load!]) { herd { carries(loads: $l) other: carries(loads: [{name: "x"}]) } }`, `{"l": [{"name": "hay"}]}`)
	p := z.planner.New(d)
	for range 2 {
		z.query.loads = nil
		if _, failures, ok := p.Exec(t.Context(), variables); !ok || len(failures) > 0 || len(z.query.loads) != 8 {
			t.Fatalf("%t %v, %d calls", ok, failures, len(z.query.loads))
		}
		made := map[*[]Load]string{}
		for _, loads := range z.query.loads {
			made[loads] = (*loads)[0].Name
		}
		if names := slices.Sorted(maps.Values(made)); !slices.Equal(names, []string{"hay", "x"}) {
			t.Errorf("made for eight calls: %v", names)
		}
	}
}

func TestOnePlanServesManyAtOnce(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, _ := z.compile(t, `query($n: Int) { guests(first: $n) { __typename ... on Animal { name friends { name ... on Cat { says(word: "x") } } } } }`, ``)
	shared := z.planner.New(d)
	var all sync.WaitGroup
	for n := range int32(5) {
		all.Go(func() {
			for range 50 {
				data, _, ok := shared.Exec(t.Context(), map[string]any{"n": n})
				if want := min(n, 4); !ok || strings.Count(string(data), `"__typename"`)+strings.Count(string(data), "null,")+strings.Count(string(data), "null]") != int(want) {
					t.Errorf("%d guests: %t %s", n, ok, data)
				}
			}
		})
	}
	all.Wait()
}

func TestPlansGrowWithTheTypesTheyMeet(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, _ := z.compile(t, `query($n: Int) { guests(first: $n) { __typename ... on Animal { name } ... on Ticket { number } } }`, ``)
	p := z.planner.New(d)
	var grows []bool
	for _, first := range []int32{0, 1, 1, 3, 4, 4} {
		before := p.Bytes()
		if _, _, ok := p.Exec(t.Context(), map[string]any{"n": first}); !ok {
			t.Fatalf("no answer for %d", first)
		}
		grows = append(grows, p.Bytes() > before)
	}
	if got, want := fmt.Sprint(grows), "[true true false true true false]"; got != want {
		t.Errorf("grows with answers: %s, want %s", got, want)
	}
}

func TestWhatIsWorkedOutTwiceAtOnceCountsOnce(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `{ animals { __typename name mood friends { __typename name mood friends { __typename } } } }`, ``)
	alone := z.planner.New(d)
	alone.Exec(t.Context(), variables)
	for range 200 {
		p := z.planner.New(d)
		var all sync.WaitGroup
		start := make(chan struct{})
		for range 8 {
			all.Go(func() {
				<-start
				p.Exec(t.Context(), variables)
			})
		}
		close(start)
		all.Wait()
		if p.Bytes() != alone.Bytes() {
			t.Fatalf("%d bytes, alone %d", p.Bytes(), alone.Bytes())
		}
	}
}

// TestBytesTellWhatPlansOccupy measures the heap, so it does not run in parallel with other
// tests. Its documents grow with each combination of their directives.
func TestBytesTellWhatPlansOccupy(t *testing.T) {
	z := newZoo(t)
	for name, c := range map[string]struct {
		selection string // # is its number, ? that of a variable
		times     int
	}{
		"directives alone":          {``, 0},
		"fields":                    {`a#: name @skip(if: $v?)`, 200},
		"objects":                   {`a#: friends @skip(if: $v?) { __typename }`, 100},
		"objects without fields":    {`... @skip(if: $v?) { a#: friends { ... on Heavy @skip(if: $v0) { weight } } }`, 100},
		"one field in many places":  {`... @skip(if: $v?) { friends { __typename } }`, 1000},
		"many fields of one object": {`... @skip(if: $v?) { friends { a#: __typename } }`, 300},
	} {
		const deciders, shapes = 64, 50
		text := "{ animals { __typename "
		for i := range max(c.times, deciders) {
			selection := "... @skip(if: $v?) { __typename } "
			if i < c.times {
				selection += c.selection + " "
			}
			text += strings.NewReplacer("#", fmt.Sprint(i), "?", fmt.Sprint(i%deciders)).Replace(selection)
		}
		head, values := "query(", map[string]any{}
		for i := range deciders {
			head += fmt.Sprintf("$v%d: Boolean! ", i)
			values[fmt.Sprintf("v%d", i)] = false
		}
		raw, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		d, variables := z.compile(t, head+") "+text+"} }", string(raw))
		p := z.planner.New(d)
		counted, real := -p.Bytes(), -heap()
		for n := range shapes {
			for i := range 6 {
				variables[fmt.Sprintf("v%d", i)] = n>>i&1 == 1
			}
			if _, _, ok := p.Exec(t.Context(), variables); !ok {
				t.Fatalf("%s: no answer", name)
			}
		}
		counted, real = counted+p.Bytes(), real+heap()
		runtime.KeepAlive(p)
		if real > counted || 3*real < counted {
			t.Errorf("%s: %d bytes, counted as %d", name, real, counted)
		}
	}
}

// heap returns the number of bytes in use. The second collection frees the objects of finalizers
// and pools that the first one kept.
func heap() int {
	runtime.GC()
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return int(now.HeapAlloc)
}

type noMethod struct{}

type otherForm struct{}

func (otherForm) One() string { return "" }

type otherArguments struct{}

func (otherArguments) One(context.Context, struct{ Two *string }) (string, error) { return "", nil }

func TestPlannersAskForMethods(t *testing.T) {
	t.Parallel()
	parsed := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { one(a: String): String! }`})
	for text, query := range map[string]any{
		"query one has no method":                 noMethod{},
		"query one: the method has another form":  otherForm{},
		"query one: the method has another form ": otherArguments{},
	} {
		_, err := plan.NewPlanner(plan.Config{Schema: parsed, Query: query, Default: func(*ast.ArgumentDefinition) any { return nil }})
		if err == nil || !strings.HasPrefix(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%T: %v", query, err)
		}
	}
}

// TestRandomDocumentsAnswerAsTheLibrary compares plans and library on random documents.
func TestRandomDocumentsAnswerAsTheLibrary(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	g := &generator{Rand: rand.New(rand.NewPCG(4, 5)), schema: gqlparser.MustLoadSchema(&ast.Source{Input: schema})}
	var compared, decided, failed int
	rounds := trials.Count(3000)
	for range rounds {
		text := g.document()
		d, errs := z.stage.Compile(text, "")
		if errs != nil {
			continue // documents with keys that cannot be merged, for example
		}
		variables, errs := d.Variables(json.RawMessage(fmt.Sprintf(`{"y": %t, "z": %t, "n": 2, "n1": 1, "s": "a", "load": {"name": "l", "inside": {"name": "m"}}}`, g.IntN(2) == 0, g.IntN(2) == 0)))
		if errs != nil {
			t.Fatalf("%s\n%v", text, errs)
		}
		planned, byLibrary, failures, errors := z.answers(t, d, variables)
		if !sameJSON(t, planned, byLibrary) || !slices.Equal(failures, errors) {
			t.Fatalf("%s\nstaged as %s\nby the plan %s %q\nthe library %s %q", text, d.Text(), planned, failures, byLibrary, errors)
		}
		compared++
		if len(failures) > 0 {
			failed++
		}
		if strings.Contains(d.Text(), "@") {
			decided++
		}
	}
	if compared < rounds/6 || decided < rounds/30 || failed < rounds/150 {
		t.Errorf("%d compared, %d of them with directives, %d failed: that is no test", compared, decided, failed)
	}
}

// generator writes random queries.
type generator struct {
	*rand.Rand
	schema    *ast.Schema
	used      map[string]string // variables and their types
	fragments []string
}

func (g *generator) document() string {
	g.used, g.fragments = map[string]string{}, nil
	body := g.set(g.schema.Query, 4)
	var declared []string
	for name, typ := range g.used {
		declared = append(declared, "$"+name+":"+typ)
	}
	head := "query"
	if len(declared) > 0 {
		head += "(" + strings.Join(declared, ",") + ")"
	}
	return head + body + strings.Join(g.fragments, " ")
}

func (g *generator) set(of *ast.Definition, depth int) string {
	parts := []string{"{"}
	for range 1 + g.IntN(4) {
		parts = append(parts, g.selection(of, depth))
	}
	return strings.Join(append(parts, "}"), " ")
}

func (g *generator) selection(of *ast.Definition, depth int) string {
	if of != g.schema.Query && depth > 0 && g.IntN(3) == 0 {
		possible := g.schema.GetPossibleTypes(of)
		to := possible[g.IntN(len(possible))]
		if in := g.schema.GetImplements(to); len(in) > 0 && g.IntN(2) == 0 {
			to = in[g.IntN(len(in))]
		}
		if g.IntN(2) == 0 {
			return "... on " + to.Name + g.directive() + g.set(to, depth-1)
		}
		name := fmt.Sprintf("F%d", len(g.fragments))
		g.fragments = append(g.fragments, "")
		g.fragments[len(g.fragments)-1] = "fragment " + name + " on " + to.Name + g.set(to, depth-1)
		return "..." + name + g.directive()
	}
	if of.Kind == ast.Union {
		return "__typename"
	}
	return g.field(of, depth)
}

func (g *generator) field(of *ast.Definition, depth int) string {
	f := of.Fields[g.IntN(len(of.Fields))]
	to := g.schema.Types[f.Type.Name()]
	unlikely := f.Name == "fails" || f.Name == "nothing" || f.Name == "noHolder" || f.Name == "angry" || f.Name == "panics" || f.Name == "crew" || f.Name == "stubs"
	if strings.HasPrefix(f.Name, "__") || f.Name == "meets" || f.Name == "pack" || f.Name == "crowd" || f.Name == "endless" || unlikely && g.IntN(8) > 0 || to.IsCompositeType() && depth <= 0 {
		return "__typename"
	}
	text := f.Name
	if g.IntN(4) == 0 || len(f.Arguments) > 0 {
		text = fmt.Sprintf("a%d:%s", g.IntN(30), text)
	}
	var args []string
	for _, a := range f.Arguments {
		if value := g.value(a); value != "" {
			args = append(args, a.Name+":"+value)
		}
	}
	if len(args) > 0 {
		text += "(" + strings.Join(args, ",") + ")"
	}
	text += g.directive()
	if to.IsCompositeType() {
		text += g.set(to, depth-1)
	}
	return text
}

func (g *generator) directive() string {
	if g.IntN(10) > 0 {
		return ""
	}
	name := []string{"y", "z"}[g.IntN(2)]
	g.used[name] = "Boolean!"
	return []string{" @include(if: $", " @skip(if: $"}[g.IntN(2)] + name + ") "
}

// value returns an argument, or "" to omit it.
func (g *generator) value(a *ast.ArgumentDefinition) string {
	choices := map[string][]string{
		"Int": {"0", "3", "$n"}, "Long": {"0", "3"}, "String": {`"x"`, `"""b"""`, "$s"}, "Boolean": {"true", "false"},
		"Float": {"1", "2.5", "-1e3"}, "ID": {`"minka"`, "5"}, "Load": {`{name: "x"}`, `{name: $s1, tags: "one"}`, "$load", `{name: "", inside: {name: "", mood: LOUD}, grams: 5}`},
	}[a.Type.Name()]
	if !a.Type.NonNull {
		choices = append(choices, "", "null")
	}
	chosen := choices[g.IntN(len(choices))]
	for name, typ := range map[string]string{"n": "Int", "load": "Load", "s1": `String! = "d"`, "s": "String"} {
		if strings.Contains(chosen, "$"+name) && (name != "s" || !strings.Contains(chosen, "$s1")) {
			if name == "n" && a.Type.NonNull {
				typ = "Int!"
				name = "n1"
				chosen = "$n1"
			}
			g.used[name] = typ
		}
	}
	return chosen
}
