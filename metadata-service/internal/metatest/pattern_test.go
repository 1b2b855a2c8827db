package metatest_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// matching returns a definition that requires the URN to match one of the regular expressions.
func matching(patterns ...string) []byte {
	var values []string
	for _, p := range patterns {
		values = append(values, fmt.Sprintf("%q", p))
	}
	return []byte(rules(`{"property": "urn", "operator": "regex", "values": [` + strings.Join(values, ",") + `]}`))
}

// fill repeats a part of a regular expression up to the maximum length.
func fill(begin, part, end string) string {
	return begin + strings.Repeat(part, (metatest.MaxPattern-len(begin)-len(end))/len(part)) + end
}

func times(n int, pattern string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = pattern
	}
	return list
}

func dataset(name string) *metatest.Facts {
	return &metatest.Facts{URN: urn.URN(name), Type: "dataset", Document: &search.Document{URN: urn.URN(name), Type: "dataset"}}
}

// costly are regular expressions whose parsing or compilation costs a thousand times as much per
// byte as usual.
func costly() map[string][]string {
	return map[string][]string{
		"repetitions of anything":           times(40, fill("", "(.{1,1000})", "")),
		"400 of them":                       times(400, fill("", "(.{1,1000})", "")),
		"repetitions of repetitions":        times(400, "(("+fill("", "ab|", "")[:900]+"c){10}){100}"),
		"repetitions of letters":            times(900, fill("", "a{1000}", "")),
		"named classes":                     times(700, fill("", `\pL`, "")),
		"named classes in a class":          times(700, fill("[", `\pL`, "]")),
		"named classes that ignore case":    times(700, fill("(?i)[", `\PL`, "]")),
		"alternatives of named classes":     times(700, fill("", `\pL|`, "a")),
		"repetitions of named classes":      times(700, fill("", `\pL{1000}`, "")),
		"wide ranges that ignore case":      times(900, fill("(?i)[", "B-𞥂", "]")),
		"escaped ranges that ignore case":   times(900, fill("(?i)[", `B-\x{1e942}`, "]")),
		"ranges behind other flags":         times(900, fill("(?msU-s:a)(?mi-s:[", "B-𞥂", "])")),
		"ranges of a hundred million":       times(900, fill("(?i)[", `B-\x{1e9420000}`, "]")),
		"ranges in an octal notation":       times(700, fill("(?i)[", `\0-\777`, "]")),
		"many small ones":                   times(9_000, ".{1,100}"),
		"classes of few characters":         times(900, fill("", "[acegikmoqsuwy]", "")),
		"classes of few characters, folded": times(900, fill("(?i)", "[acegikmoqsuwy]", "")),
	}
}

// TestCostlyRegularExpressionsAreRefusedBeforeTheyCost counts allocations, which measure the work
// independently of the machine, unlike durations. It is not parallel, since the count is that of
// the process.
func TestCostlyRegularExpressionsAreRefusedBeforeTheyCost(t *testing.T) {
	const most = 64 << 20
	r := registry(t)
	for name, patterns := range costly() {
		text := matching(patterns...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := metatest.Parse(t.Context(), r, nil, text)
		runtime.ReadMemStats(&after)
		if fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "regular expression") || len(err.Error()) > 10_000 {
			t.Errorf("%s: %.300v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: %d MB are allocated", name, took>>20)
		}
	}
}

func TestUsualRegularExpressionsAreTaken(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for name, patterns := range map[string][]string{
		"names":                           {`^[a-z][a-z0-9_]{2,62}$`, `^(dim|fact)_[a-z]+(_v\d+)?$`, `(?i)^\w+@example\.(com|org)$`},
		"texts of some length":            times(5, `^.{50,1000}$`),
		"names in other alphabets":        {`(?i)^[а-я ]+$`, `(?i)^[一-龥]+$`, `^[\pL\pN _-]+$`, `(?i)\p{Greek}`},
		"a thousand short ones":           times(1_000, "^orders_.*$"),
		"a hyphen that makes no range":    {`(?i)a-ä-\x{1e942}`},
		"a group whose name has an i":     {fill("(?P<i>[", "B-𞥂", "])")},
		"as many named classes as may be": times(metatest.MaxNamedClasses, `^\pL`)[:100],
	} {
		if _, err := metatest.Parse(t.Context(), r, nil, matching(patterns...)); err != nil {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

func TestExpressionsDecideAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	r := registry(t)
	long := strings.Repeat("ab", 20_000) + "c"
	for _, pattern := range []string{"^a", "c$", "(ab){500}c", "^(ab)+c$", "[^abc]", "(?i)BC", "é", ".{1000}b"} {
		test, err := metatest.Parse(t.Context(), r, nil, matching(pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"", "abc", "x\xffé", long} {
			want := metatest.Failing
			if regexp.MustCompile(pattern).MatchString(text) {
				want = metatest.Passing
			}
			if got := test.Decide(dataset(text)); got != want {
				t.Errorf("%s of %.10q: got %d, want %d", pattern, text, got, want)
			}
		}
	}
}

func TestNothingIsCompiledOfADefinitionThatIsNotEvaluated(t *testing.T) {
	t.Parallel()
	r, programs := registry(t), metatest.NewPrograms(metatest.MaxPrograms)
	test, err := metatest.Parse(t.Context(), r, programs, matching("^a{100}$"))
	if err != nil || programs.Size() != 0 {
		t.Fatalf("%d instructions are held: %v", programs.Size(), err)
	}
	if test.Decide(dataset("b")) != metatest.Failing || programs.Size() < 100 {
		t.Errorf("%d instructions are held of a test that was evaluated", programs.Size())
	}
}

// TestProgramsOfAllTestsStayWithinTheirLimit concurrently evaluates more tests than the cache has
// room for.
func TestProgramsOfAllTestsStayWithinTheirLimit(t *testing.T) {
	t.Parallel()
	const limit, tests = 5_000, 50
	r, programs := registry(t), metatest.NewPrograms(limit)
	var all sync.WaitGroup
	for i := range tests {
		all.Go(func() {
			test, err := metatest.Parse(t.Context(), r, programs, matching(fmt.Sprintf("^a{%d}$", 900+i)))
			if err != nil {
				t.Error(err)
				return
			}
			for n := range tests {
				want := metatest.Failing
				if n == i {
					want = metatest.Passing
				}
				if got := test.Decide(dataset(strings.Repeat("a", 900+n))); got != want {
					t.Errorf("%d letters of %d: got %d", 900+n, 900+i, got)
				}
				if size := programs.Size(); size > limit {
					t.Errorf("%d instructions are held, at most %d", size, limit)
				}
			}
		})
	}
	all.Wait()
}

// TestALongComparisonEndsWithItsContext compares a large program with a large text, which would
// take minutes.
func TestALongComparisonEndsWithItsContext(t *testing.T) {
	t.Parallel()
	test, err := metatest.Parse(t.Context(), registry(t), nil, matching(strings.Repeat("(.{1,990})", 9)+"x"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	facts := dataset(strings.Repeat("a", 8<<20))
	facts.Context = ctx
	test.Decide(facts)
}

func TestParsingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for _, text := range []string{rules(`[]`), "on: {types: [dataset]}", "{{"} {
		if _, err := metatest.Parse(ctx, registry(t), nil, []byte(text)); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
