package load

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"
)

// NewBar returns the Progress that NewProgress creates for a terminal.
func NewBar(w io.Writer) Progress { return &barProgress{to: w} }

// Distinct counts the URNs of an import.
type Distinct struct{ *distinct }

// NewDistinct creates a counter that keeps at most the given number of hashes.
func NewDistinct(most int) Distinct { return Distinct{newDistinct(most)} }

func (d Distinct) Add(hash uint64)            { d.add(hash) }
func (d Distinct) Count() (n int, exact bool) { return d.count() }
func (d Distinct) Kept() int                  { return len(d.hashes) }

// WholeDays is the rule of Options.ShiftToNow.
func WholeDays(newest int64, now time.Time) int64 { return wholeDays(newest, now) }

// Newest returns the latest past time in the files of a directory.
func Newest(ctx context.Context, dir string) (int64, error) {
	files, err := expand([]string{dir}, "")
	if err != nil {
		return 0, err
	}
	files, err = scanSources(ctx, files, true, false)
	return newest(files), err
}

// Count reads the single items of a file's text, with another limit than MaxItemBytes.
func Count(ctx context.Context, text io.Reader, limit int) (items int, err error) {
	err = decodeList(ctx, &limitedReader{from: text, limit: limit}, func(int, json.RawMessage) error { items++; return nil })
	return items, err
}

// Parse reads a file's text and builds the request bodies, without sending them.
func Parse(ctx context.Context, text string, shift int64) (items int, bodies []json.RawMessage, err error) {
	err = decodeList(ctx, &limitedReader{from: strings.NewReader(text), limit: MaxItemBytes}, func(_ int, raw json.RawMessage) error {
		it, err := parseItem(raw)
		if err != nil {
			return err
		}
		items++
		if _, err := it.newest(); err != nil {
			return err
		}
		build := it.proposal
		if it.class != "" {
			build = it.ingest
		}
		body, err := build(shift, "run")
		if err == nil {
			bodies = append(bodies, body)
		}
		return err
	})
	return items, bodies, err
}
