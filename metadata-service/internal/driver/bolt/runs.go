package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Runs implements store.RunIndex.
func (s *Store) Runs(ctx context.Context) ([]store.Run, error) {
	var runs []store.Run
	var from []byte
	for more := true; more; {
		err := s.view(ctx, func(src source) (err error) {
			runs, from, err = readRunPage(src, runs, from)
			more = from != nil
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(runs, func(a, b store.Run) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.ID, b.ID))
	})
	return runs, nil
}

// readRunPage appends the next runs and returns the key to continue from, nil at the end.
func readRunPage(src source, runs []store.Run, from []byte) ([]store.Run, []byte, error) {
	room := defaultLimit
	for key, raw := range src.each(bucketRunSummaries, from, nil) {
		if room == 0 {
			return runs, bytes.Clone(key), nil
		}
		room--
		if len(key) != 4 {
			return nil, nil, corrupt("key of a run")
		}
		id, known := src.text(words, binary.BigEndian.Uint32(key))
		summary, err := decodeRun(raw)
		if err != nil || !known {
			return nil, nil, cmp.Or(err, corrupt("id of a run"))
		}
		runs = append(runs, store.Run{ID: id, Time: summary.time, Rows: int(summary.rows)})
	}
	return runs, nil, nil
}

func decodeRun(raw []byte) (runSummary, error) {
	d := decoder{raw: raw}
	summary := runSummary{rows: d.uvarint(), time: d.varint()}
	return summary, d.check("run")
}

// RunKeys implements store.RunIndex. It reads a long listing in several short transactions.
func (s *Store) RunKeys(ctx context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	var keys []store.Key
	for {
		part := defaultLimit
		if limit > 0 {
			part = min(limit-len(keys), defaultLimit)
		}
		var page []store.Key
		err := s.view(ctx, func(src source) (err error) {
			page, err = readRunKeys(src, run, after, part)
			return err
		})
		if err != nil {
			return nil, err
		}
		keys = append(keys, page...)
		if len(page) < part || len(keys) == limit {
			return keys, nil
		}
		after = page[len(page)-1]
	}
}

// readRunKeys lists keys of a run; a limit of 0 or less means all.
func readRunKeys(src source, run string, after store.Key, limit int) ([]store.Key, error) {
	number, known := src.number(words, run)
	if !known || run == "" {
		return nil, nil
	}
	var keys []store.Key
	prefix := runKey(number)
	for key, raw := range src.each(bucketRunEntities, runEntityKey(number, after.URN), prefix) {
		members, err := decodeMembers(raw)
		if err != nil {
			return nil, err
		}
		u := urn.URN(key[len(prefix):])
		names, err := memberNames(src, members)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if u == after.URN && name <= after.Aspect {
				continue
			}
			if keys = append(keys, store.Key{URN: u, Aspect: name}); len(keys) == limit {
				return keys, nil
			}
		}
	}
	return keys, nil
}

func memberNames(src source, members []runMember) ([]string, error) {
	names := make([]string, len(members))
	for i, m := range members {
		name, known := src.text(aspectNames, m.aspect)
		if !known {
			return nil, corrupt("aspect of a run")
		}
		names[i] = name
	}
	slices.Sort(names)
	return names, nil
}

// runMember is the number of rows of an aspect that carry the run; the URN is in the key.
type runMember struct {
	aspect uint32
	rows   uint64
}

func decodeMembers(raw []byte) ([]runMember, error) {
	members := make([]runMember, 0, 8)
	d := decoder{raw: raw}
	for len(d.raw) > 0 && !d.bad {
		members = append(members, runMember{aspect: d.uint32(), rows: d.uvarint()})
	}
	return members, d.check("members of a run")
}

func encodeMembers(members []runMember) []byte {
	raw := make([]byte, 0, 2*len(members)+4)
	for _, m := range members {
		raw = binary.AppendUvarint(binary.AppendUvarint(raw, uint64(m.aspect)), m.rows)
	}
	return raw
}
