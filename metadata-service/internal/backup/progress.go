package backup

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const barCells = 24

// NewProgress returns a Progress that redraws a line of a terminal; it is nil if w is no terminal.
func NewProgress(w io.Writer) Progress {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return Bar(w)
}

// Bar returns a Progress that redraws a line with a bar.
func Bar(w io.Writer) Progress {
	shown := int64(-1)
	return func(done, total int64, member string) {
		permille := int64(1000)
		if total > 0 {
			permille = done * 1000 / total
		}
		if permille == shown && done < total {
			return
		}
		shown = permille
		full := int(permille) * barCells / 1000
		const eraseRest = "\x1b[K"
		fmt.Fprintf(w, "\r[%s%s] %s of %s  %s%s", strings.Repeat("=", full), strings.Repeat(" ", barCells-full), mebibytes(done), mebibytes(total), member, eraseRest)
	}
}
