package token

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/pkg/config"
)

const endedFile = "ended-sessions"

// rewriteAbove is how many lines the file may hold before expired ones are weeded out.
const rewriteAbove = 10_000

// Ended is the list of sessions that ended before their token expires.
//
// It is a file of its own rather than an entity: the model knows none for it,
// each entry is of use for a day at most, and the change log would keep it for
// ever. A line reads "<expiry in epoch seconds> <id>" and is synced before Add
// returns; a torn last line, which was never acknowledged, is dropped at the
// next start. An entry costs about 60 bytes and only a good session can make
// one, so the list is bounded by the sign-ins of a day.
//
// It is safe for concurrent use by one process.
type Ended struct {
	path string
	now  func() time.Time

	// writing is held while the file is synced, mu never: readers do not wait for the disk.
	writing sync.Mutex
	file    *os.File
	lines   int
	weed    int  // lines from which weeding is tried again
	torn    bool // the file may end in the middle of a line

	mu  sync.RWMutex
	ids map[string]int64 // id to expiry
}

// OpenEnded reads the list of a data directory.
func OpenEnded(dataDir string, now func() time.Time) (*Ended, error) {
	e := &Ended{path: filepath.Join(dataDir, endedFile), now: now, ids: map[string]int64{}}
	if err := e.load(); err != nil {
		return nil, fmt.Errorf("list of ended sessions: %w", err)
	}
	if err := e.rewrite(); err != nil {
		return nil, fmt.Errorf("list of ended sessions: %w", err)
	}
	return e, nil
}

// Add puts a session on the list until its expiry.
func (e *Ended) Add(id string, expires time.Time) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	switch {
	case e.file == nil:
		return fs.ErrClosed
	case e.Has(id):
		return nil
	case e.torn || e.lines >= e.weed:
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
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ids[id] = expires.Unix()
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
	if e.file == nil {
		return nil
	}
	err := e.file.Close()
	e.file = nil
	return err
}

func line(id string, expires int64) string { return strconv.FormatInt(expires, 10) + " " + id + "\n" }

func (e *Ended) load() error {
	f, err := os.Open(e.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		at, id, _ := strings.Cut(lines.Text(), " ")
		expires, err := strconv.ParseInt(at, 10, 64)
		if err != nil || uuid.Validate(id) != nil {
			continue // torn
		}
		e.ids[id] = expires
	}
	return lines.Err()
}

// rewrite replaces the file by one without the expired entries.
func (e *Ended) rewrite() error {
	if err := secrets.WritePrivate(e.path, config.Secret(e.weeded())); err != nil {
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
	e.weed = max(rewriteAbove, 2*e.lines)
	return nil
}

func (e *Ended) weeded() string {
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
