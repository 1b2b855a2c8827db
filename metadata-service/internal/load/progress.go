package load

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// NewProgress shows a bar if w is a terminal, and otherwise one line per file, which suits the log
// of a container.
func NewProgress(w io.Writer) Progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &barProgress{to: w}
		}
	}
	return &lineProgress{to: w}
}

// lockedProgress serializes the calls of several goroutines to one Progress.
type lockedProgress struct {
	mu sync.Mutex
	to Progress
}

func (s *lockedProgress) Start(files, items int)    { s.locked(func() { s.to.Start(files, items) }) }
func (s *lockedProgress) File(name string)          { s.locked(func() { s.to.File(name) }) }
func (s *lockedProgress) Sent(items int)            { s.locked(func() { s.to.Sent(items) }) }
func (s *lockedProgress) Retry(after time.Duration) { s.locked(func() { s.to.Retry(after) }) }
func (s *lockedProgress) Finish()                   { s.locked(func() { s.to.Finish() }) }

func (s *lockedProgress) locked(report func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	report()
}

type noProgress struct{}

func (noProgress) Start(int, int)      {}
func (noProgress) File(string)         {}
func (noProgress) Sent(int)            {}
func (noProgress) Retry(time.Duration) {}
func (noProgress) Finish()             {}

// lineProgress writes one line per event.
type lineProgress struct {
	to          io.Writer
	total, sent int
}

func (l *lineProgress) Start(files, items int) {
	l.total = items
	fmt.Fprintf(l.to, "importing: files %d, items %d\n", files, items)
}

func (l *lineProgress) File(name string) {
	fmt.Fprintf(l.to, "%d/%d %s\n", l.sent, l.total, printable(name))
}

func (l *lineProgress) Sent(items int) { l.sent += items }

func (l *lineProgress) Retry(after time.Duration) {
	fmt.Fprintf(l.to, "server is busy or away, next attempt in %s\n", after.Round(time.Millisecond))
}

func (l *lineProgress) Finish() { fmt.Fprintf(l.to, "%d/%d\n", l.sent, l.total) }

// barCells leaves room for a file name on 80 columns.
const barCells = 24

// barProgress redraws one line of a terminal.
type barProgress struct {
	to          io.Writer
	total, sent int
	note        string
}

func (b *barProgress) Start(_, items int) { b.total = items }

func (b *barProgress) File(name string) {
	b.note = printable(name)
	b.draw(b.note)
}

func (b *barProgress) Sent(items int) {
	b.sent += items
	b.draw(b.note)
}

func (b *barProgress) Retry(after time.Duration) {
	b.draw(fmt.Sprintf("waiting %s for the server", after.Round(100*time.Millisecond)))
}

func (b *barProgress) Finish() {
	b.draw("")
	fmt.Fprintln(b.to)
}

func (b *barProgress) draw(note string) {
	full := barCells
	if b.total > 0 {
		full = min(barCells, b.sent*barCells/b.total)
	}
	const eraseRest = "\x1b[K"
	fmt.Fprintf(b.to, "\r[%s%s] %d/%d %s%s", strings.Repeat("=", full), strings.Repeat(" ", barCells-full), b.sent, b.total, lastRunes(note), eraseRest)
}

// lastRunes returns the end of a long path, which contains the file name.
func lastRunes(text string) string {
	const width = 32
	if runes := []rune(text); len(runes) > width {
		return "…" + string(runes[len(runes)-width+1:])
	}
	return text
}
