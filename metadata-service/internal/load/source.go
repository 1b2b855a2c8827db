package load

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// file is the result of the first pass for one file.
type file struct {
	path   string // name for messages
	from   string // location
	items  int
	newest int64 // epoch milliseconds, 0 when no time was found
}

// scanSources is the first pass: it reads every item of the files once and checks its shape.
// withTimes also searches for the newest time, which costs a full decode. Invalid items are errors,
// unless skipInvalid is set.
func scanSources(ctx context.Context, files []file, withTimes, skipInvalid bool) ([]file, error) {
	for i := range files {
		f := &files[i]
		err := eachItem(ctx, f.from, func(n int, raw json.RawMessage) error {
			f.items++
			it, err := parseItem(raw)
			if err != nil && skipInvalid {
				return nil
			}
			if err != nil {
				return fmt.Errorf("item %d: %w", n, err)
			}
			if !withTimes {
				return nil
			}
			t, err := it.newest()
			if err != nil {
				return fmt.Errorf("item %d: %w", n, err)
			}
			f.newest = max(f.newest, t)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return files, nil
}

func items(files []file) (n int) {
	for _, f := range files {
		n += f.items
	}
	return n
}

func newest(files []file) (t int64) {
	for _, f := range files {
		t = max(t, f.newest)
	}
	return t
}

// standardInput is the path of the standard input.
const standardInput = "-"

// expand replaces each directory by its metadata files in order of name, and the standard input by
// its copy.
func expand(paths []string, spooled string) ([]file, error) {
	var files []file
	for _, path := range paths {
		if path == standardInput {
			files = append(files, file{path: "standard input", from: spooled})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if info.Mode().IsRegular() {
			files = append(files, file{path: path, from: path})
			continue
		}
		if !info.IsDir() {
			return nil, fault.New(fault.Invalid, "%s: want a file or a directory; pipes cannot be read twice, but - stands for the standard input", path)
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		before := len(files)
		for _, entry := range entries {
			if name := entry.Name(); !entry.IsDir() && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".json.gz")) {
				name = filepath.Join(path, name)
				files = append(files, file{path: name, from: name})
			}
		}
		if len(files) == before {
			return nil, fault.New(fault.Invalid, "%s: the directory holds no .json or .json.gz file", path)
		}
	}
	return files, nil
}

// spool copies the standard input to a file, because it is read twice, if it is among the paths.
// drop removes the copy. notes receives messages about copies that killed imports left.
func spool(paths []string, input io.Reader, notes io.Writer) (path string, drop func() error, err error) {
	none := func() error { return nil }
	switch n := countOf(paths, standardInput); {
	case n == 0:
		return "", none, nil
	case n > 1:
		return "", none, fault.New(fault.Invalid, "- stands for the standard input, and is named %d times", n)
	case input == nil:
		return "", none, fault.New(fault.Invalid, "- stands for the standard input, and there is none")
	}
	tell := func(err error) error {
		return fmt.Errorf("copy the standard input to %s, which TMPDIR names: %w", os.TempDir(), disk.TranslateAt(err, os.TempDir()))
	}
	copied, err := disk.TempFile("cartulary-import", notes)
	if err != nil {
		return "", none, tell(err)
	}
	if _, err := io.Copy(copied.File, input); err != nil {
		return "", none, errors.Join(tell(err), copied.Close())
	}
	return copied.Path, copied.Close, nil
}

func countOf(paths []string, one string) (n int) {
	for _, p := range paths {
		if p == one {
			n++
		}
	}
	return n
}

// eachItem calls do with every item of a file; n counts from 1. do may keep the raw item.
func eachItem(ctx context.Context, path string, do func(n int, raw json.RawMessage) error) error {
	f, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer f.Close()
	plain, err := unzipped(f)
	if err != nil {
		return unreadable(path, err)
	}
	return decodeList(ctx, &limitedReader{from: utf8json.NewReader(plain), limit: MaxItemBytes}, do)
}

// unzipped decompresses gzip data, recognised by the first bytes, and returns other data unchanged.
func unzipped(f io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(f)
	if head, _ := buffered.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return buffered, nil // the decoder rejects a file of one byte
	}
	return gzip.NewReader(buffered)
}

func decodeList(ctx context.Context, in *limitedReader, do func(n int, raw json.RawMessage) error) error {
	dec := json.NewDecoder(in)
	in.refill()
	if tok, err := dec.Token(); err != nil || tok != json.Delim('[') {
		return fault.Wrap(err, fault.Invalid, "want a JSON list of metadata records")
	}
	for n := 1; dec.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.refill()
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return badJSON(n, err)
		}
		if len(raw) > in.limit {
			return badJSON(n, errTooLarge)
		}
		if err := do(n, raw); err != nil {
			return err
		}
	}
	in.refill()
	if _, err := dec.Token(); err != nil {
		return fault.Wrap(err, fault.Invalid, "the list does not end with ]")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fault.New(fault.Invalid, "unexpected text after the end of the list")
	}
	return nil
}

func badJSON(n int, err error) error {
	if errors.Is(err, errTooLarge) {
		return fault.New(fault.TooLarge, "item %d: larger than the limit of %d MiB", n, MaxItemBytes>>20)
	}
	if bad := new(utf8json.Error); errors.As(err, &bad) {
		return fault.New(fault.Invalid, "item %d: at %s", n, bad.PublicMessage())
	}
	return fault.Wrap(err, fault.Invalid, "item %d: not readable as JSON", n)
}

func unreadable(path string, err error) error {
	var cause *os.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return fault.Wrap(err, fault.Invalid, "%s: not readable", path)
}

var errTooLarge = errors.New("too large")

// limitedReader prevents the decoder from buffering an item without limit: each item may read at
// most limit bytes from the file.
type limitedReader struct {
	from  io.Reader
	limit int // bytes of an item
	left  int
}

func (m *limitedReader) refill() { m.left = m.limit + 1 }

func (m *limitedReader) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errTooLarge
	}
	n, err := m.from.Read(p[:min(len(p), m.left)])
	m.left -= n
	return n, err
}
