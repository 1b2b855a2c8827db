package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

func loadModel(t *testing.T) *model.Registry {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func TestABookRefusesRulesThatAreWrong(t *testing.T) {
	t.Parallel()
	registry := loadModel(t)
	good := rule.Rule{Name: "good", Aspects: []string{"tagProperties"}}
	term := func(urn.URN) rule.Term { return rule.Term{} }
	cleanup := func(rule.Effects, urn.URN, urn.URN) error { return nil }
	for name, c := range map[string]struct {
		rules []rule.Rule
		want  string
	}{
		"no rules":                            {nil, ""},
		"one rule":                            {[]rule.Rule{good}, ""},
		"a rule about all aspects of a type":  {[]rule.Rule{{Name: "x", Types: []string{"tag"}}}, ""},
		"a cleanup with its term":             {[]rule.Rule{{Name: "x", Types: []string{"tag"}, Cleanup: cleanup, CleanupTerm: term}}, ""},
		"no name":                             {[]rule.Rule{{Aspects: []string{"tagProperties"}}}, "empty or taken"},
		"a name that is taken":                {[]rule.Rule{good, {Name: "other", Types: []string{"tag"}}, good}, `rule "good": the name is empty or taken`},
		"an aspect that nobody knows":         {[]rule.Rule{{Name: "x", Aspects: []string{"tagProperties", "colour"}}}, `rule "x": there is no aspect "colour"`},
		"an aspect in another spelling":       {[]rule.Rule{{Name: "x", Aspects: []string{"TagProperties"}}}, `no aspect "TagProperties"`},
		"an entity type that nobody knows":    {[]rule.Rule{{Name: "x", Types: []string{"cow"}}}, `rule "x": there is no entity type "cow"`},
		"neither aspects nor types":           {[]rule.Rule{{Name: "x"}}, "neither aspects nor entity types"},
		"a cleanup without a term":            {[]rule.Rule{{Name: "x", Types: []string{"tag"}, Cleanup: cleanup}}, "one is missing"},
		"a term of a cleanup that is missing": {[]rule.Rule{{Name: "x", Types: []string{"tag"}, CleanupTerm: term}}, "one is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book, err := rule.NewBook(registry, c.rules)
			switch {
			case c.want == "" && (err != nil || len(book.All()) != len(c.rules)):
				t.Errorf("got %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestABookFindsRulesByAspectAndType(t *testing.T) {
	t.Parallel()
	registry := loadModel(t)
	book, err := rule.NewBook(registry, []rule.Rule{
		{Name: "ownership of all", Aspects: []string{"ownership"}},
		{Name: "all of tags", Types: []string{"tag"}},
		{Name: "status of tags and charts", Aspects: []string{"status", "chartInfo"}, Types: []string{"tag", "chart"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[[2]string][]string{
		{"tag", "ownership"}:     {"ownership of all", "all of tags"},
		{"tag", "status"}:        {"all of tags", "status of tags and charts"},
		{"tag", "tagKey"}:        {"all of tags"},
		{"chart", "ownership"}:   {"ownership of all"},
		{"chart", "status"}:      {"status of tags and charts"},
		{"chart", "chartInfo"}:   {"status of tags and charts"},
		{"dataset", "ownership"}: {"ownership of all"},
		{"dataset", "status"}:    nil,
	} {
		entity, _ := registry.Entity(of[0])
		aspect, known := entity.Aspect(of[1])
		if !known {
			t.Fatalf("%v is not in the model", of)
		}
		var got []string
		for _, r := range book.For(entity, aspect) {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %q, want %q", of, got, want)
		}
	}
}

// This test fails if a wrong pair of aspect and type makes a rule ineffective.
func TestEveryRuleConcernsAnAspectOfSomeType(t *testing.T) {
	t.Parallel()
	registry := loadModel(t)
	book, err := rule.NewBook(registry, rule.All())
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, entity := range registry.Entities() {
		for _, aspect := range entity.All() {
			for _, r := range book.For(entity, aspect) {
				used[r.Name] = true
			}
		}
	}
	for _, r := range book.All() {
		if !used[r.Name] {
			t.Errorf("%q concerns nothing", r.Name)
		}
	}
}

// termsOf returns the terms that a rule of the model derives from a value.
func termsOf(t *testing.T, name string, u urn.URN, value model.Object) []rule.Term {
	t.Helper()
	rules := rule.All()
	i := slices.IndexFunc(rules, func(r rule.Rule) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("there is no rule %q", name)
	}
	return rules[i].Terms(u, value)
}

func TestTermsOfAnyLengthFitIntoAStoreAndStayApart(t *testing.T) {
	t.Parallel()
	domain := func(name, parent string) rule.Term {
		return termsOf(t, "names of domains", "urn:li:domain:d", model.Object{"name": name, "parentDomain": parent})[0]
	}
	const above = "urn:li:domain:above"
	long := strings.Repeat("n", 10_000)
	different := []rule.Term{
		domain("a", ""), domain("b", ""), domain("a", above), domain("A", ""), domain(" a", ""), domain("a\x00", ""), domain("\x00a", ""),
		domain(above, ""), domain("a"+above, ""), domain(above+"a", ""), domain(above+"\x00a", ""),
		domain("c", above+"\x00b"), domain("b\x00c", above),
		domain(long, ""), domain(long+"n", ""), domain(long[1:]+"m", ""), domain(long, above),
	}
	for i, term := range different {
		if err := store.CheckTermOf(term, "urn:li:domain:d"); err != nil {
			t.Errorf("term %d: %v", i, err)
		}
		if len(term.Value) > 512 {
			t.Errorf("term %d has %d bytes", i, len(term.Value))
		}
		for j := range i {
			if term == different[j] {
				t.Errorf("terms %d and %d are one: %q", j, i, term.Value)
			}
		}
	}
	if again := domain(long, above); again != different[len(different)-1] {
		t.Error("a long name does not give the same term twice")
	}
	if unnamed := termsOf(t, "names of domains", "urn:li:domain:d", model.Object{"description": "x"}); unnamed != nil {
		t.Errorf("a domain without a name makes %v", unnamed)
	}
}

func TestVersionsMakeTermsOfTheirSetSortIDAndLabel(t *testing.T) {
	t.Parallel()
	of := func(set, sortID, label string) []rule.Term {
		value := model.Object{"versionSet": set, "sortId": sortID}
		if label != "" {
			value["version"] = model.Object{"versionTag": label}
		}
		return termsOf(t, "versions", first, value)
	}
	if n := len(of("urn:li:versionSet:(a,dataset)", "1", "")); n != 2 {
		t.Errorf("a version without a label makes %d terms", n)
	}
	a, b := of("urn:li:versionSet:(a,dataset)", "1", "x"), of("urn:li:versionSet:(b,dataset)", "1", "x")
	for _, term := range a {
		if slices.Contains(b, term) {
			t.Errorf("two sets share the term %v", term)
		}
	}
	if swapped := of("urn:li:versionSet:(a,dataset)", "x", "1"); slices.Contains(swapped, a[1]) || slices.Contains(swapped, a[2]) {
		t.Error("a sort id and a label that are equal make one term")
	}
}
