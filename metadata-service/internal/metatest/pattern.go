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

// Limits of the regular expressions of a definition, all together. A text of a thousand bytes
// can compile to millions of instructions, as repetitions multiply, and named classes and ranges
// that ignore case take long even to parse.
const (
	// MaxProgram is how large they may be once compiled, in instructions of about 40 bytes. Ten
	// ranges of characters in a class count as one.
	MaxProgram = 20_000
	// MaxNamedClasses is how often they may name a class, as \pL.
	MaxNamedClasses = 200
	// maxFolded bounds the characters in ranges beyond ASCII of expressions that ignore case.
	maxFolded = 300_000
)

// MaxPrograms is how large all compiled regular expressions of a process may be together, in the
// unit of MaxProgram: about 25 MB.
const MaxPrograms = 500_000

// pattern is a regular expression that was parsed. It is compiled when it is first compared with
// a text, so that nothing is compiled of definitions that are refused, or only checked.
type pattern struct {
	text     string
	size     int
	programs *Programs
	program  atomic.Pointer[regexp.Regexp] // nil until it is needed, and again when it made room
}

// Programs holds the compiled regular expressions of many tests within one limit. It is safe for
// concurrent use. Those that were compiled first make room for others, and are compiled again when
// they are needed: the memory is bounded, whatever tests there are.
type Programs struct {
	mu       sync.Mutex
	limit    int
	size     int
	compiled []*pattern // oldest first
}

// NewPrograms makes an empty set of programs of a size together, such as MaxPrograms.
func NewPrograms(limit int) *Programs { return &Programs{limit: limit} }

// Size is how large the programs are that are held.
func (p *Programs) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// compile gives the program of a pattern. One is compiled at a time, since compiling takes
// several times the memory of the result.
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
	program := regexp.MustCompile(one.text) // it was parsed, and nothing else can fail
	p.size += one.size
	p.compiled = append(p.compiled, one)
	one.program.Store(program)
	return program
}

// longMatch is the product of program and text from which a comparison can take more than a few
// milliseconds.
const longMatch = 1_000_000

// matches reports whether a text matches. A long comparison ends with ctx, and its result means
// nothing then.
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

// textUntil reads the runes of a text until a context ends.
type textUntil struct {
	ctx  context.Context // of the comparison, which the reader does not outlive
	text string
	read int
}

// runesPerCheck is how many runes are read between two looks at the context.
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

// patterns adds up the regular expressions of a definition.
type patterns struct {
	size, classes, folded int
	exceeded              bool // which was reported
}

// pattern parses a regular expression, unless those of the definition are too large together. It
// is nil, with a problem noted, when that cannot be done.
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

// foldedRanges bounds how many characters the ranges beyond ASCII of an expression have, 0 when
// the expression does not ignore case: parsing visits each of them to find its other cases. What
// looks like a range and is none counts as well.
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

// firstRune reads the character that a text begins with in a class, which may be escaped as
// \x{10ffff}, \xff or \377.
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

// character is the one of a number; the last one there is when the number is larger, and none
// when the text is no number.
func character(digits string, base int) rune {
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil && n == 0 {
		return 0
	}
	return rune(min(n, utf8.MaxRune))
}
