package query_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/query"
	"github.com/cartulary/cartulary/pkg/fault"
)

// show formats a query in prefix notation.
func show(n *query.Node) string {
	name := []string{"all", "word", "phrase", "prefix", "wild", "regexp", "range", "and", "or", "not"}[n.Op]
	var parts []string
	for _, c := range n.Children {
		parts = append(parts, show(c))
	}
	switch {
	case n.Op == query.Range:
		parts = append(parts, fmt.Sprintf("%s..%s %t %t", n.Low, n.High, n.LowOpen, n.HighOpen))
	case n.Text != "":
		parts = append(parts, n.Text)
	}
	if n.Fuzz > 0 {
		parts = append(parts, fmt.Sprintf("~%d", n.Fuzz))
	}
	if n.Field != "" && len(n.Children) == 0 {
		name = n.Field + ":" + name
	}
	return name + "(" + strings.Join(parts, " ") + ")"
}

func known(field string) bool { return field == "name" || field == "tags" }

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"empty is everything", "  ", "all()"},
		{"a star is everything", "*", "all()"},
		{"words are all wanted", "orders daily", "and(word(orders) word(daily))"},
		{"quotes make phrases", `"daily orders"`, "phrase(daily orders)"},
		{"a star at the end makes a prefix", "ord*", "prefix(ord)"},
		{"or, and, not", "a OR b AND NOT c", "or(word(a) and(word(b) not(word(c))))"},
		{"signs", "+a | -b", "or(word(a) and(not(word(b))))"},
		{"a hyphen inside a word is part of it", "orders-daily", "word(orders-daily)"},
		{"a known field", "name:orders", "name:word(orders)"},
		{"an unknown field is text", "nome:orders", "word(nome:orders)"},
		{"a group of a field", "tags:(a OR b)", "or(tags:word(a) tags:word(b))"},
		{"a range", "name:[a TO b}", "name:range(a..b false true)"},
		{"fuzz", "ordesr~1", "word(ordesr ~1)"},
		{"a URN is one word", "urn:li:dataset:(urn:li:dataPlatform:hive,a b,PROD) x", "and(word(urn:li:dataset:(urn:li:dataPlatform:hive,a b,PROD)) word(x))"},
		{"an unbalanced quote is text", `the "orders`, `and(word(the) word("orders))`},
		{"an unbalanced parenthesis is text", "(orders daily", "and(word((orders) word(daily))"},
		{"a closing parenthesis is text", "orders) x", "and(word(orders)) word(x))"},
		{"leading colons are dropped", "::orders", "word(orders)"},
		{"structured by its beginning", "/q name:o*s AND tags:PII", "and(name:wild(o*s) tags:word(PII))"},
		{"a blank behind the colon", "/q name: *mask*", "name:wild(*mask*)"},
		{"a blank behind the colon of a group", "/q tags: (a OR  b)", "or(tags:word(a) tags:word(b))"},
		{"a field that has a value", "/q _exists_:name", "name:wild(*)"},
		{"a field that has none", "/q -_exists_:name", "and(not(name:wild(*)))"},
		{"a field that has none, in words", "/q NOT _exists_: name AND tags:a", "and(not(name:wild(*)) tags:word(a))"},
		{"a regular expression", `/q name:/Ord[ei]r\/s?/ x`, `and(name:regexp(ord[ei]r\/s?) word(x))`},
		{"a regular expression in every field", "/q /a.*/", "regexp(a.*)"},
		{"a comparison", "/q name:>=10 tags: <b name:>5 tags:<=c", "and(name:range(10.. false false) tags:range(..b false true) name:range(5.. true false) tags:range(..c false false))"},
		{"a path is text", "/data/orders/", "word(/data/orders/)"},
		{"an escaped slash is text", `/q \/data`, "word(/data)"},
		{"an escaped boost is text", `/q a\^2`, "word(a^2)"},
		{"an escaped colon in an expression", `/q nome\:x`, "word(nome:x)"},
		{"a plain text has boosts as text", "a^2", "word(a^2)"},
		{"an escaped colon", `name\:x`, "word(name:x)"},
		{"operators without words", "AND OR", "and(word(AND) word(OR))"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			node, err := query.Parse(tt.text, query.Options{Known: known})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(node); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestStructuredMistakesNameThePlace(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"nome:x", "_exists_:nome", "_exists_:", "nam*:x", ":x", "a^2", `"a b"^2`, "(a b)^2", `"a b"~3`, "[a TO b]", "name:>", "name:/a", "/a~b/", "/a^/", `/\d/`,
		"/(?i)a/", "/a{2,1}/", "/a{1000}/", "/" + strings.Repeat("a", 300) + "/", strings.Repeat("/a{90}/ ", 4), `"orders`, "(orders", "orders)", "name:", "name:[a b]", "a AND NOT", "name:[a TO b", strings.Repeat("(", 100)} {
		_, err := query.Parse(text, query.Options{Structured: true, Known: known})
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "at byte") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"too long":       strings.Repeat("a", search.MaxQueryBytes+1),
		"too many words": strings.Repeat("a ", search.MaxClauses+1),
	} {
		if _, err := query.Parse(text, query.Options{}); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`a "b c" -d (e|f*) name:g~2`, "/q name:[1 TO *} OR x?y", `\`, "((((", `a"b(c`, "+", "~~", "name:*", "/q -_exists_:name", "/q name:/a[b-z]*/", "/q name: >=1"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, structured bool) {
		node, err := query.Parse(text, query.Options{Structured: structured, Known: known})
		if err != nil {
			if !errors.Is(err, fault.Malformed) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if node == nil {
			t.Fatalf("%q gives nothing", text)
		}
		show(node)
	})
}
