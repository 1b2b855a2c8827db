package token

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	endedFile     = "ended-sessions"
	damagedSuffix = ".damaged"
)

// pieceBytes bounds what is read of a line at once; a good one has some 50 bytes.
const pieceBytes = 64 << 10

// rewriteAbove is how many lines the file may hold before expired ones are dropped.
const rewriteAbove = 10_000

// Ended is the denylist of sessions that ended before their token expires.
//
// It is a file of its own rather than an entity: the model knows none for it,
// each entry is of use for a day at most, and the change log would keep it for
// ever. A line reads "<expiry in epoch seconds> <id>" and is synced before Add
// returns; a torn last line, which was never acknowledged, is dropped at the
// next start. An entry costs about 60 bytes and only a good session can make
// one, so the list is bounded by the sign-ins of a day.
//
// A damaged file is repaired when it is opened: entries are picked out of what
// can still be read, and the file as it was stays beside the new one.
//
// It is safe for concurrent use by one process.
type Ended struct {
	path      string
	now       func() time.Time
	damaged   int // stretches of the file that could not be read when it was opened
	condition disk.Condition

	// writing is held while the file is synced, mu never: readers do not wait for the disk.
	writing   sync.Mutex
	file      *os.File // nil until there was room for one
	closed    bool
	lines     int
	rewriteAt int  // lines from which expired ones are dropped
	torn      bool // the file may end in the middle of a line

	mu  sync.RWMutex
	ids map[string]int64 // id to expiry
}

// OpenEnded reads the denylist of a data directory, and repairs it: Damaged
// tells whether that was necessary. A full disk is no reason to fail; Add does
// until there is room.
func OpenEnded(dataDir string, now func() time.Time) (*Ended, error) {
	e := &Ended{path: filepath.Join(dataDir, endedFile), now: now, ids: map[string]int64{}}
	err := e.load()
	if err == nil {
		e.keepDamaged()
		err = e.rewrite()
	}
	if errors.Is(err, fault.StorageFull) {
		e.torn = true // written anew before the next entry
		e.condition.Note(err)
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("denylist of ended sessions: %w", err)
	}
	return e, nil
}

// Damaged is how many stretches of the file could not be read when it was
// opened. Sessions that they named are good again until their tokens expire. The
// file as it was is kept under the path.
func (e *Ended) Damaged() (stretches int, kept string) {
	return e.damaged, e.path + damagedSuffix
}

// Condition tells whether the last entry could be kept.
func (e *Ended) Condition() disk.State { return e.condition.State() }

// Add puts a session on the list until its expiry. When it fails the session is
// not on it, and adding it again is fine.
func (e *Ended) Add(id string, expires time.Time) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	switch {
	case e.closed:
		return fs.ErrClosed
	case e.Has(id):
		return nil
	}
	err := disk.Translate(e.append(id, expires))
	e.condition.Note(err)
	if err != nil {
		return fmt.Errorf("denylist of ended sessions: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ids[id] = expires.Unix()
	return nil
}

// Mend writes the file anew after a failure, so that Condition tells of a disk
// that has room again before a session ends.
func (e *Ended) Mend() error {
	e.writing.Lock()
	defer e.writing.Unlock()
	if e.closed || !e.torn {
		return nil
	}
	err := e.rewrite()
	e.condition.Note(err)
	return err
}

func (e *Ended) append(id string, expires time.Time) error {
	if e.torn || e.lines >= e.rewriteAt {
		if err := e.rewrite(); err != nil {
			return err
		}
	}
	e.torn = true
	if _, err := e.file.WriteString(line(id, expires.Unix())); err != nil {
		return err
	}
	if err := e.file.Sync(); err != nil {
		return err
	}
	e.torn = false
	e.lines++
	return nil
}

// Has tells whether a session is on the list.
func (e *Ended) Has(id string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, there := e.ids[id]
	return there
}

// Close releases the file. Closing twice is fine.
func (e *Ended) Close() error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.closed = true
	if e.file == nil {
		return nil
	}
	err := e.file.Close()
	e.file = nil
	return err
}

func line(id string, expires int64) string { return strconv.FormatInt(expires, 10) + " " + id + "\n" }

// keepDamaged gives a damaged file a second name before it is replaced. That this
// fails is no reason not to repair it.
func (e *Ended) keepDamaged() {
	if e.damaged == 0 {
		return
	}
	_ = os.Remove(e.path + damagedSuffix)
	_ = os.Link(e.path, e.path+damagedSuffix)
}

// entry finds entries in a line that holds more than one, or other bytes besides.
var entry = regexp.MustCompile(`([0-9]{1,18}) ([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`)

func (e *Ended) load() error {
	f, err := os.Open(e.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	lines := bufio.NewReaderSize(f, pieceBytes)
	for {
		// A line that is longer than the buffer comes in several pieces.
		piece, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			e.salvage(piece) // torn, and never acknowledged, unless its end is what is damaged
			return nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		e.take(piece)
	}
}

// take reads an entry, or what entries a damaged piece of the file still has.
func (e *Ended) take(piece []byte) {
	text := strings.TrimSuffix(string(piece), "\n")
	if text == "" {
		return
	}
	at, id, _ := strings.Cut(text, " ")
	expires, err := strconv.ParseInt(at, 10, 64)
	if err == nil && uuid.Validate(id) == nil {
		e.ids[id] = expires
		return
	}
	e.damaged++
	e.salvage(piece)
}

// salvage takes every entry that stands somewhere in a piece. One too many ends
// a session early, one too few brings an ended one back.
func (e *Ended) salvage(piece []byte) {
	for _, found := range entry.FindAllSubmatch(piece, -1) {
		if expires, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil {
			e.ids[string(found[2])] = expires
		}
	}
}

// rewrite replaces the file by one without the expired entries.
func (e *Ended) rewrite() error {
	if err := secrets.WritePrivate(e.path, config.Secret(e.current())); err != nil {
		return err
	}
	f, err := os.OpenFile(e.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if e.file != nil {
		_ = e.file.Close()
	}
	e.file, e.lines, e.torn = f, len(e.ids), false
	e.rewriteAt = max(rewriteAbove, 2*e.lines)
	return nil
}

// current drops expired entries and writes the others down.
func (e *Ended) current() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var text strings.Builder
	now := e.now().Unix()
	for id, expires := range e.ids {
		if expires <= now {
			delete(e.ids, id)
			continue
		}
		text.WriteString(line(id, expires))
	}
	return text.String()
}
