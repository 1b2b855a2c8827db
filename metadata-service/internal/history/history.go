// Package history keeps past facts about a service for operators in one small file: the sizes of
// the time-series indices over time, and the backups taken. The file is not part of the metadata,
// and nothing depends on it.
package history

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/pkg/config"
)

// Limits of the file.
const (
	MaxPoints  = 200 // per index; with more, every second one of the older half is dropped
	MaxIndices = 500
	MaxBackups = 20 // the newest

	maxBytes     = 32 << 20 // size of the file
	maxTextBytes = 1_000    // bytes of a text
)

// Point is the size of an index at a time.
type Point struct {
	At    int64 `json:"at"` // epoch milliseconds
	Bytes int64 `json:"bytes"`
}

// Backup is a completed or failed backup.
type Backup struct {
	Started int64 `json:"started"` // epoch milliseconds, as Ended
	Ended   int64 `json:"ended"`
	// Bytes is the size of the backup file, DataBytes the size of the data in it.
	Bytes     int64 `json:"bytes"`
	DataBytes int64 `json:"dataBytes"`
	// Sequence is the number of the last change in the backup.
	Sequence uint64 `json:"sequence"`
	Secrets  bool   `json:"secrets"` // keys and salt are included
	// To is the destination as stated by the client that requested the backup: a path, or empty.
	To string `json:"to,omitempty"`
	// Error is the reason of a failure, empty for a complete backup.
	Error string `json:"error,omitempty"`
}

// fileContent is the content of the file.
type fileContent struct {
	Sizes   map[string][]Point `json:"sizes"` // by index, the oldest first
	Backups []Backup           `json:"backups"`
}

// File is the history of a service. Additions are on disk when the call returns. It is safe for
// concurrent use.
type File struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	content fileContent
}

// Open reads the file at a path, which may be absent. It renames an unreadable file, with the time
// in its name, and starts an empty history.
func Open(path string, now time.Time, log *slog.Logger) (*File, error) {
	f := &File{path: path, log: log}
	text, err := read(path)
	if err == nil && text != nil {
		err = json.Unmarshal(text, &f.content)
	}
	if err != nil {
		aside := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
		log.Warn("the history of sizes and backups cannot be read and begins anew", "file", path, "aside", aside, "error", err)
		if err := os.Rename(path, aside); err != nil {
			return nil, err
		}
		f.content = fileContent{}
	}
	for index, points := range f.content.Sizes {
		if len(points) == 0 {
			delete(f.content.Sizes, index)
		}
	}
	return f, nil
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > maxBytes {
		return nil, errors.New("it exceeds the maximum size of such a file")
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// AddSizes adds the sizes of the indices at a time. A removed index keeps its points until
// MaxIndices are exceeded.
func (f *File) AddSizes(at time.Time, sizes map[string]int64) error {
	return f.change(func(k *fileContent) {
		for index, bytes := range sizes {
			k.Sizes[index] = thinned(append(slices.Clone(k.Sizes[index]), Point{at.UnixMilli(), bytes}))
		}
		for len(k.Sizes) > MaxIndices {
			delete(k.Sizes, leastRecent(k.Sizes))
		}
	})
}

// thinned drops every second point of the older half if there are too many, and keeps the first.
// Older history thus becomes coarser, but is never lost.
func thinned(points []Point) []Point {
	if len(points) <= MaxPoints {
		return points
	}
	half := len(points) / 2
	out := make([]Point, 0, len(points))
	for i, p := range points {
		if i >= half || i%2 == 0 {
			out = append(out, p)
		}
	}
	return out
}

// leastRecent returns the index with the oldest last point.
func leastRecent(sizes map[string][]Point) (index string) {
	oldest := int64(0)
	for name, points := range sizes {
		last := points[len(points)-1].At
		if index == "" || last < oldest || last == oldest && name < index {
			index, oldest = name, last
		}
	}
	return index
}

// AddBackup adds a backup that has ended. It cuts its texts to 1,000 bytes.
func (f *File) AddBackup(b Backup) error {
	b.To, b.Error = truncate(b.To), truncate(b.Error)
	return f.change(func(k *fileContent) {
		k.Backups = append(slices.Clone(k.Backups), b)
		k.Backups = k.Backups[max(0, len(k.Backups)-MaxBackups):]
	})
}

func truncate(text string) string { return text[:min(len(text), maxTextBytes)] }

// change applies a change and writes the file. If the write fails, the history is unchanged.
func (f *File) change(do func(*fileContent)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := fileContent{Sizes: make(map[string][]Point, len(f.content.Sizes)), Backups: f.content.Backups}
	for index, points := range f.content.Sizes {
		next.Sizes[index] = points
	}
	do(&next)
	text, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := secrets.WritePrivate(f.path, config.Secret(text)); err != nil {
		return err
	}
	f.content = next
	return nil
}

// Sizes returns the points of each index, the oldest first. Callers must not change them.
func (f *File) Sizes() map[string][]Point {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make(map[string][]Point, len(f.content.Sizes))
	for index, points := range f.content.Sizes {
		out[index] = points
	}
	return out
}

// LastSizes returns the time of the last addition of sizes, the zero time if there is none.
func (f *File) LastSizes() (last time.Time) {
	for _, points := range f.Sizes() {
		if at := time.UnixMilli(points[len(points)-1].At); at.After(last) {
			last = at
		}
	}
	return last
}

// Backups returns the newest backups, the newest first.
func (f *File) Backups() []Backup {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.content.Backups)
	slices.Reverse(out)
	return out
}
