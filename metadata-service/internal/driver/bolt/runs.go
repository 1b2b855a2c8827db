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
		err := s.view(ctx, func(src storeSource) (err error) {
			runs, from, err = storeRunPage(src, runs, from)
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

// storeRunPage adds the next runs to the list and tells where to go on, nil at the end.
func storeRunPage(src storeSource, runs []store.Run, from []byte) ([]store.Run, []byte, error) {
	room := storePage
	for key, raw := range src.each(storeRunSummaries, from, nil) {
		if room == 0 {
			return runs, bytes.Clone(key), nil
		}
		room--
		if len(key) != 4 {
			return nil, nil, storeCorrupt("key of a run")
		}
		id, known := src.text(storeWords, binary.BigEndian.Uint32(key))
		summary, err := storeDecodeRun(raw)
		if err != nil || !known {
			return nil, nil, cmp.Or(err, storeCorrupt("id of a run"))
		}
		runs = append(runs, store.Run{ID: id, Time: summary.time, Rows: int(summary.rows)})
	}
	return runs, nil, nil
}

func storeDecodeRun(raw []byte) (storeRunSummary, error) {
	d := storeDecoder{raw: raw}
	summary := storeRunSummary{rows: d.uvarint(), time: d.varint()}
	return summary, d.check("run")
}

// RunKeys implements store.RunIndex. A long listing is read in several short transactions.
func (s *Store) RunKeys(ctx context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	var keys []store.Key
	for {
		part := storePage
		if limit > 0 {
			part = min(limit-len(keys), storePage)
		}
		var page []store.Key
		err := s.view(ctx, func(src storeSource) (err error) {
			page, err = storeRunKeys(src, run, after, part)
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

// storeRunKeys lists keys of a run; limit 0 or less means all.
func storeRunKeys(src storeSource, run string, after store.Key, limit int) ([]store.Key, error) {
	number, known := src.number(storeWords, run)
	if !known || run == "" {
		return nil, nil
	}
	var keys []store.Key
	prefix := storeRunKey(number)
	for key, raw := range src.each(storeRunEntities, storeRunEntityKey(number, after.URN), prefix) {
		members, err := storeDecodeMembers(raw)
		if err != nil {
			return nil, err
		}
		u := urn.URN(key[len(prefix):])
		names, err := storeMemberNames(src, members)
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

func storeMemberNames(src storeSource, members []storeRunMember) ([]string, error) {
	names := make([]string, len(members))
	for i, m := range members {
		name, known := src.text(storeAspectNames, m.aspect)
		if !known {
			return nil, storeCorrupt("aspect of a run")
		}
		names[i] = name
	}
	slices.Sort(names)
	return names, nil
}

// storeRunMember says how many rows of an aspect, of the URN in the key, carry the run.
type storeRunMember struct {
	aspect uint32
	rows   uint64
}

func storeDecodeMembers(raw []byte) ([]storeRunMember, error) {
	members := make([]storeRunMember, 0, 8)
	d := storeDecoder{raw: raw}
	for len(d.raw) > 0 && !d.bad {
		members = append(members, storeRunMember{aspect: d.uint32(), rows: d.uvarint()})
	}
	return members, d.check("members of a run")
}

func storeEncodeMembers(members []storeRunMember) []byte {
	raw := make([]byte, 0, 2*len(members)+4)
	for _, m := range members {
		raw = binary.AppendUvarint(binary.AppendUvarint(raw, uint64(m.aspect)), m.rows)
	}
	return raw
}
