// Package parsercost measures the cost of parsers of text from outside for each byte of
// their worst input, beside their ordinary input. Each program keeps one table of its
// parsers: a new parser is one row, and a test holds the table against the fuzz tests
// there are.
package parsercost

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// MaxRatio is how many times the ordinary cost of a byte a byte of any input may cost.
const MaxRatio = 100

// Least costs of a byte, by which others are divided: below them a ratio says more of
// the way of measuring than of the parser.
const (
	leastTime  = 0.1 // ns
	leastBytes = 1   // allocated
)

// calibrated is how long the parses of one measurement take together, at least.
const calibrated = 500 * time.Microsecond

// Parser is a row of the table.
type Parser struct {
	Name string
	// Fuzz names the fuzz tests of the parser, as "internal/jsontree.FuzzDecode": the
	// folder within the module and the function.
	Fuzz []string
	// Ordinary is a text of the usual kind; Worst holds the texts that cost most, by name.
	// Texts that are refused count as well: refusing must not cost more than reading.
	Ordinary string
	Worst    map[string]string
	// Parse reads a text. Its errors are its own matter.
	Parse func(text string)
	// Around is set where each parse stands in something that costs by itself, such as a
	// request: the cost of an empty text is subtracted then.
	Around bool
}

// Run measures each parser, and fails where a byte of its worst input costs more than
// MaxRatio times as much as a byte of its ordinary input, in time or in allocated bytes.
func Run(b *testing.B, parsers []Parser) {
	for _, p := range parsers {
		b.Run(name(p.Name), p.run)
	}
}

func (p Parser) run(b *testing.B) {
	var around, ordinary cost
	if p.Around {
		around = measure(func() { p.Parse("") }, 10)
	}
	b.Run("ordinary", func(b *testing.B) { ordinary = p.of(b, p.Ordinary, around) })
	if ordinary.time == 0 {
		return // not chosen
	}
	for _, worst := range slices.Sorted(maps.Keys(p.Worst)) {
		b.Run(name(worst), func(b *testing.B) {
			got := p.of(b, p.Worst[worst], around)
			slower, larger := got.time/ordinary.time, got.bytes/ordinary.bytes
			b.ReportMetric(slower, "x-time")
			b.ReportMetric(larger, "x-bytes")
			if slower > MaxRatio || larger > MaxRatio {
				b.Errorf("a byte takes %.0f times the time and %.0f times the memory of an ordinary one, at most %d", slower, larger, MaxRatio)
			}
		})
	}
}

// name is a name without spaces, which benchmarks write as _ anyway.
func name(text string) string { return strings.ReplaceAll(text, " ", "_") }

// cost is the cost of a byte: nanoseconds, and bytes that are allocated.
type cost struct{ time, bytes float64 }

// of measures the parses of one text, and gives their cost for each byte of it.
func (p Parser) of(b *testing.B, text string, around cost) cost {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	best := cost{math.Inf(1), math.Inf(1)}
	for b.Loop() {
		one := measure(func() { p.Parse(text) }, 1)
		best.time, best.bytes = min(best.time, one.time), min(best.bytes, one.bytes)
	}
	return cost{
		time:  max((best.time-around.time)/float64(len(text)), leastTime),
		bytes: max((best.bytes-around.bytes)/float64(len(text)), leastBytes),
	}
}

// measure gives the best of some measurements of a function, each of so many calls that
// the clock resolves them.
func measure(f func(), measurements int) cost {
	began := time.Now()
	f()
	calls := 1 + int(calibrated/max(time.Since(began), 1))
	best := cost{math.Inf(1), math.Inf(1)}
	for range measurements {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		for range calls {
			f()
		}
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		best.time = min(best.time, float64(took.Nanoseconds())/float64(calls))
		best.bytes = min(best.bytes, float64(after.TotalAlloc-before.TotalAlloc)/float64(calls))
	}
	return best
}

// Missing compares a table with the fuzz tests below some folders, and lists the differences:
// fuzz tests that no row names, and names that are those of no fuzz test. without lists fuzz
// tests that need no row, with the reason.
func Missing(root string, folders []string, parsers []Parser, without map[string]string) (problems []string, err error) {
	there := map[string]bool{}
	for _, folder := range folders {
		if err := fuzzTests(root, folder, there); err != nil {
			return nil, err
		}
	}
	named := map[string]bool{}
	for _, p := range parsers {
		for _, test := range p.Fuzz {
			named[test] = true
		}
	}
	for test := range without {
		named[test] = true
	}
	for _, test := range slices.Sorted(maps.Keys(there)) {
		if !named[test] {
			problems = append(problems, fmt.Sprintf("%s tries a parser that no row of the table names: add one with its ordinary and its worst input", test))
		}
	}
	for _, test := range slices.Sorted(maps.Keys(named)) {
		if !there[test] {
			problems = append(problems, test+" is in the table, but is no fuzz test")
		}
	}
	return problems, nil
}

// fuzzTests adds the fuzz tests below a folder, by the names of the table.
func fuzzTests(root, folder string, found map[string]bool) error {
	return filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
				found[filepath.ToSlash(relative)+"."+f.Name.Name] = true
			}
		}
		return nil
	})
}
