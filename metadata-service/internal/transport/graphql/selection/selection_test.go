package selection_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
)

const schema = `
interface Entity { urn: String! }
interface Named { name: String }
type Tag implements Entity & Named { urn: String! name: String color: String owner: User }
type Table implements Entity { urn: String! rows: Int tags: [Tag] }
type User implements Entity & Named { urn: String! name: String mail: String }
union Label = Tag | User
type Query { entity(urn: String): Entity label: Label tag: Tag }`

// read returns the Set of a document's operation.
func read(t testing.TB, document string) *selection.Set {
	t.Helper()
	s, err := gqlparser.LoadSchema(&ast.Source{Input: schema})
	if err != nil {
		t.Fatal(err)
	}
	d, errs := gqlparser.LoadQueryWithRules(s, document, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return selection.New(selection.NewTypes(s), d.Operations[0].SelectionSet)
}

// names lists the fields selected on a type, sorted, with the selections below them.
func names(f selection.Fields, below map[string]string) string {
	var out []string
	for name, set := range f {
		if object, ok := below[name]; ok {
			name += "{" + names(set.Of(object), nil) + "}"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestWhatIsAskedDependsOnTheType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, document, object, want string }{
		{"fields", `{entity{urn __typename}}`, "Tag", "__typename urn"},
		{"a fragment of the type", `{entity{...on Tag{color}}}`, "Tag", "color"},
		{"a fragment of another type", `{entity{...on Tag{color}}}`, "Table", ""},
		{"a fragment of an interface it has", `{entity{...on Named{name}}}`, "Tag", "name"},
		{"a fragment of an interface it has not", `{entity{...on Named{name}}}`, "Table", ""},
		{"a fragment without a condition", `{entity{...{urn}}}`, "Table", "urn"},
		{"fragments in fragments", `{entity{...on Named{...on Entity{...T}}}} fragment T on Tag{color urn}`, "Tag", "color urn"},
		{"a fragment in two places", `{entity{...T ...on Tag{...T}}} fragment T on Tag{color}`, "Tag", "color"},
		{"aliases", `{entity{a:urn b:urn ...on Tag{c:name}}}`, "Tag", "name urn"},
		{"what is skipped, too", `{entity{urn @skip(if:true) ...on Tag @include(if:false){color}}}`, "Tag", "color urn"},
	} {
		if got := names(read(t, c.document).Of("Query")["entity"].Of(c.object), nil); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOneFieldInSeveralPlacesIsAskedForAllOfThem(t *testing.T) {
	t.Parallel()
	set := read(t, `{
		a: tag{owner{name}}
		tag{owner{urn} o: owner{...on Entity{mine: urn}}}
		...on Query{tag{...T}}
	} fragment T on Tag{owner{mail} color}`)
	want := "color owner{mail name urn}"
	for range 2 { // the second time from the cache
		if got := names(set.Of("Query")["tag"].Of("Tag"), map[string]string{"owner": "User"}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMembersOfUnionsAreKnown(t *testing.T) {
	t.Parallel()
	set := read(t, `{label{...on Label{__typename} ...on User{mail}}}`).Of("Query")["label"]
	if tag, user := names(set.Of("Tag"), nil), names(set.Of("User"), nil); tag != "__typename" || user != "__typename mail" {
		t.Errorf("a tag is asked %q, a user %q", tag, user)
	}
}

func TestNothingIsAskedOfANilSet(t *testing.T) {
	t.Parallel()
	var none *selection.Set
	if got := none.Of("Tag"); got != nil {
		t.Errorf("got %v", got)
	}
	if got := none.Of("Tag")["owner"].Of("User"); got != nil {
		t.Errorf("below: %v", got)
	}
	if none.Of("Tag").Beyond("urn") {
		t.Error("nothing goes beyond the URN")
	}
}

func TestScalarsHaveASetThatAsksForNothing(t *testing.T) {
	t.Parallel()
	set := read(t, `{tag{name}}`).Of("Query")["tag"].Of("Tag")["name"]
	if set == nil || len(set.Of("Tag")) != 0 {
		t.Errorf("got %v", set)
	}
}

func TestBeyondTellsWhetherMoreIsAsked(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]bool{
		`{tag{urn}}`: false, `{tag{urn __typename}}`: false, `{tag{__typename}}`: false, `{tag{a:urn b:urn}}`: false, `{tag{urn name}}`: true, `{tag{name}}`: true,
	} {
		if got := read(t, document).Of("Query")["tag"].Of("Tag").Beyond("urn", "__typename"); got != want {
			t.Errorf("%s: %v, want %v", document, got, want)
		}
	}
}

// Fields with functions are resolved concurrently and use the same sets.
func TestSetsMayBeAskedAtOnce(t *testing.T) {
	t.Parallel()
	set := read(t, `{entity{urn ...on Tag{owner{name} color} ...on Table{tags{owner{mail}}}}}`).Of("Query")["entity"]
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if i%2 == 0 {
				if got := names(set.Of("Table")["tags"].Of("Tag")["owner"].Of("User"), nil); got != "mail" {
					t.Errorf("of the owner of a table's tag: %q", got)
				}
				return
			}
			if got := names(set.Of("Tag"), map[string]string{"owner": "User"}); got != "color owner{name} urn" {
				t.Errorf("of a tag: %q", got)
			}
		})
	}
	all.Wait()
}

// The work for fragments that spread each other twice doubles with each level when they are read
// by value.
func TestFragmentsAreReadOnce(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("{tag{...F0}}")
	for i := range 60 {
		here, next := string(rune('A'+i/26))+string(rune('a'+i%26)), string(rune('A'+(i+1)/26))+string(rune('a'+(i+1)%26))
		if i == 0 {
			here = "F0"
		}
		b.WriteString(" fragment " + here + " on Tag{...on Tag{..." + next + "} ..." + next + "}")
	}
	b.WriteString(" fragment " + string(rune('A'+60/26)) + string(rune('a'+60%26)) + " on Tag{color}")
	if got := names(read(t, b.String()).Of("Query")["tag"].Of("Tag"), nil); got != "color" {
		t.Errorf("got %q", got)
	}
}

func TestBytesGrowWithWhatIsGathered(t *testing.T) {
	t.Parallel()
	const field = 200
	set := read(t, `{entity{urn ...on Table{rows tags{name color}}}}`)
	if set.Bytes() != 0 {
		t.Errorf("got %d before anything is asked", set.Bytes()/field)
	}
	entity := set.Of("Query")["entity"]
	table := entity.Of("Table")
	entity.Of("Table")
	if set.Bytes() != (1+3)*field {
		t.Errorf("got %d for the operation and a table, want 4", set.Bytes()/field)
	}
	table["tags"].Of("Tag")
	entity.Of("User")
	if set.Bytes() != (1+3+2+1)*field {
		t.Errorf("got %d with tags and a user, want 7", set.Bytes()/field)
	}
}
