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
	// denylistFile is where earlier versions kept the list, a line "<expiry> <id>" each.
	denylistFile  = "ended-sessions"
	damagedSuffix = ".damaged"
	// pieceBytes bounds what is read of a line at once; a good one has some 50 bytes.
	pieceBytes = 64 << 10
)

// Import tells what became of the file of an earlier version.
type Import struct {
	Sessions int    // taken over
	Damaged  int    // stretches of the file that could not be read
	Kept     string // where a damaged file is, empty when it was whole
}

// ImportFile takes over the file in which an earlier version kept the denylist of
// a data directory, and removes it once its entries are durable. Of a damaged one
// entries are picked out of what can be read, and it is kept under another name.
// Without a file nothing happens. While the disk is full the entries hold in memory
// and the file stays for the next start: that is no reason not to start.
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

// denylistReader reads the file, whatever state it is in.
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
		// A line that is longer than the buffer comes in several pieces.
		piece, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			r.salvage(piece) // torn, and never acknowledged, unless its end is what is damaged
			return r, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		r.take(piece)
	}
}

// take reads an entry, or what entries a damaged piece of the file still has.
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

// filed finds entries in a line that holds more than one, or other bytes besides.
var filed = regexp.MustCompile(`([0-9]{1,18}) ([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`)

// salvage takes every entry that stands somewhere in a piece. One too many ends
// a session early, one too few brings an ended one back.
func (r *denylistReader) salvage(piece []byte) {
	for _, found := range filed.FindAllSubmatch(piece, -1) {
		if expires, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil {
			r.ids[string(found[2])] = expires
		}
	}
}
