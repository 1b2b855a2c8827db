// Package parsercost measures the cost per byte of parsers of external text, for their worst input
// in comparison with their ordinary input. Each program has one table of its parsers: a new parser
// is one row, and a test compares the table with the existing fuzz tests.
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

// MaxRatio is the maximum cost of a byte of any input in relation to a byte of ordinary input.
const MaxRatio = 100

// Minimum costs of a byte for the comparison: below them a ratio reflects the measurement more than
// the parser.
const (
	leastTime  = 0.1 // ns
	leastBytes = 1   // allocated
)

// calibrated is the minimum total duration of the parses of one measurement.
const calibrated = 500 * time.Microsecond

// Parser is a row of the table.
type Parser struct {
	Name string
	// Fuzz names the fuzz tests of the parser, as "internal/jsontree.FuzzDecode": the folder within
	// the module and the function.
	Fuzz []string
	// Ordinary is a text of the usual kind; Worst holds the most expensive texts, by name. Rejected
	// texts count as well: rejection must not cost more than parsing.
	Ordinary string
	Worst    map[string]string
	// Parse parses a text and ignores errors.
	Parse func(text string)
	// Around is set if each parse includes other work, such as a request: then the cost of an empty
	// text is subtracted.
	Around bool
}

// Run measures each parser. It fails if a byte of the worst input costs more than MaxRatio times as
// much as a byte of the ordinary input, in time or in allocated bytes.
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
		return // not selected
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

// name replaces spaces, which benchmarks would replace anyway.
func name(text string) string { return strings.ReplaceAll(text, " ", "_") }

// cost is the cost of a byte: nanoseconds and allocated bytes.
type cost struct{ time, bytes float64 }

// of measures the parses of one text, and returns their cost per byte.
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

// measure returns the best of several measurements of a function, each with enough calls for the
// resolution of the clock.
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

// Missing compares a table with the fuzz tests below some folders, and returns the differences:
// fuzz tests that no row names, and names without a fuzz test. without lists fuzz tests that need
// no row, with the reason.
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

// fuzzTests adds the fuzz tests below a folder, in the notation of the table.
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
