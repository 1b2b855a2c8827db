package load

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// NewProgress shows a bar when w is a terminal, and otherwise a line for each
// file, which reads well in the log of a container.
func NewProgress(w io.Writer) Progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &bar{to: w}
		}
	}
	return &lines{to: w}
}

// serial lets several goroutines report to one Progress.
type serial struct {
	mu sync.Mutex
	to Progress
}

func (s *serial) Start(files, items int)    { s.do(func() { s.to.Start(files, items) }) }
func (s *serial) File(name string)          { s.do(func() { s.to.File(name) }) }
func (s *serial) Sent(items int)            { s.do(func() { s.to.Sent(items) }) }
func (s *serial) Retry(after time.Duration) { s.do(func() { s.to.Retry(after) }) }
func (s *serial) Finish()                   { s.do(func() { s.to.Finish() }) }

func (s *serial) do(report func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	report()
}

type silent struct{}

func (silent) Start(int, int)      {}
func (silent) File(string)         {}
func (silent) Sent(int)            {}
func (silent) Retry(time.Duration) {}
func (silent) Finish()             {}

// lines writes one line an event.
type lines struct {
	to          io.Writer
	total, sent int
}

func (l *lines) Start(files, items int) {
	l.total = items
	fmt.Fprintf(l.to, "loading: files %d, items %d\n", files, items)
}

func (l *lines) File(name string) {
	fmt.Fprintf(l.to, "%d/%d %s\n", l.sent, l.total, printable(name))
}

func (l *lines) Sent(items int) { l.sent += items }

func (l *lines) Retry(after time.Duration) {
	fmt.Fprintf(l.to, "server is busy or away, next attempt in %s\n", after.Round(time.Millisecond))
}

func (l *lines) Finish() { fmt.Fprintf(l.to, "%d/%d\n", l.sent, l.total) }

// barCells is narrow enough for the bar and a file name on 80 columns.
const barCells = 24

// bar redraws one line of a terminal.
type bar struct {
	to          io.Writer
	total, sent int
	note        string
}

func (b *bar) Start(_, items int) { b.total = items }

func (b *bar) File(name string) {
	b.note = printable(name)
	b.draw(b.note)
}

func (b *bar) Sent(items int) {
	b.sent += items
	b.draw(b.note)
}

func (b *bar) Retry(after time.Duration) {
	b.draw(fmt.Sprintf("waiting %s for the server", after.Round(100*time.Millisecond)))
}

func (b *bar) Finish() {
	b.draw("")
	fmt.Fprintln(b.to)
}

func (b *bar) draw(note string) {
	full := barCells
	if b.total > 0 {
		full = min(barCells, b.sent*barCells/b.total)
	}
	const eraseRest = "\x1b[K"
	fmt.Fprintf(b.to, "\r[%s%s] %d/%d %s%s", strings.Repeat("=", full), strings.Repeat(" ", barCells-full), b.sent, b.total, tail(note), eraseRest)
}

// tail keeps the end of a long path: there stands the file name.
func tail(text string) string {
	const width = 32
	if runes := []rune(text); len(runes) > width {
		return "…" + string(runes[len(runes)-width+1:])
	}
	return text
}
