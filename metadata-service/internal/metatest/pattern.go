package metatest

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/regexpsize"
)

// Limits of the regular expressions of a definition, in total. A text of a thousand bytes can
// compile to millions of instructions, since repetitions multiply. Named classes, and ranges that
// ignore case, take long even to parse.
const (
	// MaxProgram is the maximum size when compiled, in instructions of about 40 bytes. Ten ranges
	// of characters in a class count as one.
	MaxProgram = 20_000
	// MaxNamedClasses is the maximum number of named classes, as \pL.
	MaxNamedClasses = 200
	// maxFolded limits the characters in ranges beyond ASCII of expressions that ignore case.
	maxFolded = 300_000
)

// MaxPrograms is the maximum size of all compiled regular expressions of a process, in the unit of
// MaxProgram: about 25 MB.
const MaxPrograms = 500_000

// pattern is a parsed regular expression. It is compiled at its first comparison, so that
// definitions that are refused, or only checked, cost no compilation.
type pattern struct {
	text     string
	size     int
	programs *Programs
	program  atomic.Pointer[regexp.Regexp] // nil until the first use, and after eviction
}

// Programs caches the compiled regular expressions of many tests within one limit of memory. It is
// safe for concurrent use. It evicts the programs that were compiled first; they are compiled again
// when needed.
type Programs struct {
	mu       sync.Mutex
	limit    int
	size     int
	compiled []*pattern // oldest first
}

// NewPrograms returns an empty cache with a limit on its total size, such as MaxPrograms.
func NewPrograms(limit int) *Programs { return &Programs{limit: limit} }

// Size returns the total size of the cached programs.
func (p *Programs) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// compile returns the program of a pattern. One pattern is compiled at a time, since compilation
// needs several times the memory of its result.
func (p *Programs) compile(one *pattern) *regexp.Regexp {
	p.mu.Lock()
	defer p.mu.Unlock()
	if program := one.program.Load(); program != nil {
		return program
	}
	for len(p.compiled) > 0 && p.size+one.size > p.limit {
		oldest := p.compiled[0]
		p.compiled[0] = nil
		p.compiled = p.compiled[1:]
		p.size -= oldest.size
		oldest.program.Store(nil)
	}
	program := regexp.MustCompile(one.text) // cannot fail, since the text was parsed before
	p.size += one.size
	p.compiled = append(p.compiled, one)
	one.program.Store(program)
	return program
}

// longMatch is the product of the sizes of program and text from which a comparison can take more
// than a few milliseconds.
const longMatch = 1_000_000

// matches reports whether a text matches. A long comparison ends with ctx, and its result is then
// invalid.
func (p *pattern) matches(ctx context.Context, text string) bool {
	program := p.program.Load()
	if program == nil {
		program = p.programs.compile(p)
	}
	if p.size*len(text) < longMatch {
		return program.MatchString(text)
	}
	return program.MatchReader(&textUntil{ctx: ctx, text: text})
}

// textUntil reads the runes of a text until its context ends.
type textUntil struct {
	ctx  context.Context // context of the comparison; the reader does not outlive it
	text string
	read int
}

// runesPerCheck is the number of runes read between two checks of the context.
const runesPerCheck = 64

// ReadRune implements io.RuneReader.
func (t *textUntil) ReadRune() (rune, int, error) {
	if t.read++; t.text == "" || t.read%runesPerCheck == 0 && t.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRuneInString(t.text)
	t.text = t.text[size:]
	return r, size, nil
}

// patterns holds the totals of the regular expressions of a definition.
type patterns struct {
	size, classes, folded int
	exceeded              bool // the excess has been reported
}

// pattern parses a regular expression, unless those of the definition exceed a limit. On failure it
// adds a problem and returns nil.
func (p *parser) pattern(path, text string) *pattern {
	if len(text) > MaxPattern {
		p.problem(path, "a regular expression has at most %d bytes, not %d", MaxPattern, len(text))
		return nil
	}
	if p.patterns.exceeded {
		return nil
	}
	p.patterns.classes += strings.Count(text, `\p`) + strings.Count(text, `\P`)
	p.patterns.folded += foldedRanges(text)
	switch {
	case p.patterns.classes > MaxNamedClasses:
		return p.exceed(path, "the regular expressions of the definition name classes, as \\pL, more than %d times", MaxNamedClasses)
	case p.patterns.folded > maxFolded:
		return p.exceed(path, "the regular expressions of the definition that ignore case have ranges of too many characters beyond ASCII")
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		p.problem(path, "is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return nil
	}
	size := regexpsize.Of(tree)
	if p.patterns.size += size; p.patterns.size > MaxProgram {
		return p.exceed(path, "the regular expressions of the definition compile to more than %d instructions together: repeat less, as .{0,1000} is 2,000 instructions", MaxProgram)
	}
	return &pattern{text: text, size: size, programs: p.programs}
}

func (p *parser) exceed(path, format string, args ...any) *pattern {
	p.patterns.exceeded = true
	p.problem(path, format, args...)
	return nil
}

// foldedRanges returns an upper limit of the number of characters in the ranges beyond ASCII of an
// expression, 0 if the expression does not ignore case: parsing visits each of them to find its
// other cases. Texts that only look like a range count as well.
func foldedRanges(text string) int {
	if !ignoresCase(text) {
		return 0
	}
	n := 0
	for {
		_, end, ok := strings.Cut(text, "-")
		if !ok {
			return n
		}
		if last := firstRune(end); last >= utf8.RuneSelf {
			n += int(last)
		}
		text = end
	}
}

// ignoresCase reports whether an expression has a group of flags with i.
func ignoresCase(text string) bool {
	for {
		_, flags, ok := strings.Cut(text, "(?")
		if !ok {
			return false
		}
		if set := flags[:len(flags)-len(strings.TrimLeft(flags, "imsU-"))]; strings.Contains(set, "i") {
			return true
		}
		text = flags
	}
}

// firstRune returns the first character of a text in a class. It may be escaped as \x{10ffff}, \xff
// or \377.
func firstRune(text string) rune {
	if !strings.HasPrefix(text, `\`) {
		r, _ := utf8.DecodeRuneInString(text)
		return r
	}
	digits, base := text[1:], 8
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
		if braced, ok := strings.CutPrefix(hex, "{"); ok {
			digits, _, _ = strings.Cut(braced, "}")
			return character(digits, base)
		}
		return character(digits[:min(2, len(digits))], base)
	}
	return character(digits[:min(3, len(digits))], base)
}

// character returns the character of a number: the last existing one if the number is larger, and 0
// if the text is not a number.
func character(digits string, base int) rune {
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil && n == 0 {
		return 0
	}
	return rune(min(n, utf8.MaxRune))
}
