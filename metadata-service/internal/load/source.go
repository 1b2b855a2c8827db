package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// file is what the first pass learnt about one file.
type file struct {
	path   string
	items  int
	newest int64 // epoch milliseconds, 0 when no time was found
}

// scanSources is the first pass: it expands paths, reads every item once and checks
// its shape; withTimes also looks for the newest time, which costs a full decode.
func scanSources(ctx context.Context, paths []string, withTimes bool) ([]file, error) {
	names, err := expand(paths)
	if err != nil {
		return nil, err
	}
	files := make([]file, 0, len(names))
	for _, name := range names {
		f := file{path: name}
		err := eachItem(ctx, name, func(n int, raw json.RawMessage) error {
			it, err := parseItem(raw)
			if err != nil {
				return fmt.Errorf("item %d: %w", n, err)
			}
			f.items++
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
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, f)
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

// expand replaces each directory by its *.json files in order of name.
func expand(paths []string) ([]string, error) {
	var names []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if info.Mode().IsRegular() {
			names = append(names, path)
			continue
		}
		if !info.IsDir() {
			return nil, fault.New(fault.Invalid, "%s: want a file or a directory; pipes cannot be read twice", path)
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		before := len(names)
		for _, entry := range entries {
			if !entry.IsDir() && strings.HasSuffix(entry.Name(), ".json") {
				names = append(names, filepath.Join(path, entry.Name()))
			}
		}
		if len(names) == before {
			return nil, fault.New(fault.Invalid, "%s: the directory holds no .json file", path)
		}
	}
	return names, nil
}

// eachItem calls do with every item of a file; n counts from 1. The raw item is do's to keep.
func eachItem(ctx context.Context, path string, do func(n int, raw json.RawMessage) error) error {
	f, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer f.Close()
	return decodeList(ctx, &limitedReader{from: utf8json.NewReader(f), limit: MaxItemBytes}, do)
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

// limitedReader stops the decoder from buffering an item without end: each item may
// draw at most one allowance from the file.
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
