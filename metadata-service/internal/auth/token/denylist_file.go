package token

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// denylistFile is the file in which earlier versions stored the list, as lines "<expiry> <id>".
	denylistFile  = "ended-sessions"
	damagedSuffix = ".damaged"
	// pieceBytes limits the part of a line that is read at once. A valid line has about 50 bytes.
	pieceBytes = 64 << 10
)

// Import describes the import of the file of an earlier version.
type Import struct {
	Sessions int    // imported sessions
	Damaged  int    // unreadable parts of the file
	Kept     string // path of a damaged file; empty if the file was intact
}

// ImportFile imports the file in which an earlier version stored the denylist of a data directory,
// and removes the file once its entries are durable. From a damaged file it imports all entries
// that it can find, and keeps the file under another name. Without a file it does nothing. If the
// disk is full, the entries are in memory only, and the file stays for the next start: a full disk
// does not prevent the start.
func (d *Denylist) ImportFile(ctx context.Context, dataDir string) (Import, error) {
	path := filepath.Join(dataDir, denylistFile)
	read, err := readDenylistFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Import{}, nil
	}
	if err != nil {
		return Import{}, fmt.Errorf("session denylist of an earlier version: %w", err)
	}
	now := d.now().Unix()
	entries := slices.DeleteFunc(read.entries(), func(e denied) bool { return e.Expires <= now })
	out := Import{Sessions: len(entries), Damaged: read.damaged}
	for _, e := range entries {
		d.note(e)
	}
	for page := range slices.Chunk(entries, denylistPage) {
		if err := d.add(ctx, page...); err != nil {
			if errors.Is(err, fault.StorageFull) {
				return out, nil
			}
			return out, err
		}
	}
	if read.damaged == 0 {
		return out, os.Remove(path)
	}
	out.Kept = path + damagedSuffix
	return out, os.Rename(path, out.Kept)
}

// denylistReader reads the file, even if it is damaged.
type denylistReader struct {
	ids     map[string]int64
	damaged int
}

func (r *denylistReader) entries() []denied {
	list := make([]denied, 0, len(r.ids))
	for id, expires := range r.ids {
		list = append(list, denied{ID: id, Expires: expires})
	}
	return list
}

func readDenylistFile(path string) (*denylistReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	r := &denylistReader{ids: map[string]int64{}}
	lines := bufio.NewReaderSize(f, pieceBytes)
	for {
		// A line longer than the buffer arrives in several pieces.
		piece, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			r.salvage(piece) // a torn line, which was never acknowledged, unless the end of the file is damaged
			return r, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		r.take(piece)
	}
}

// take reads one entry, or all entries that it can find in a damaged piece of the file.
func (r *denylistReader) take(piece []byte) {
	text := strings.TrimSuffix(string(piece), "\n")
	if text == "" {
		return
	}
	at, id, _ := strings.Cut(text, " ")
	expires, err := strconv.ParseInt(at, 10, 64)
	if err == nil && uuid.Validate(id) == nil {
		r.ids[id] = expires
		return
	}
	r.damaged++
	r.salvage(piece)
}

// entryPattern matches an entry anywhere in a line with several entries or with other bytes.
var entryPattern = regexp.MustCompile(`([0-9]{1,18}) ([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`)

// salvage takes every entry that it finds in a piece. A surplus entry ends a session early; a
// missing one would revive an ended session.
func (r *denylistReader) salvage(piece []byte) {
	for _, found := range entryPattern.FindAllSubmatch(piece, -1) {
		if expires, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil {
			r.ids[string(found[2])] = expires
		}
	}
}
