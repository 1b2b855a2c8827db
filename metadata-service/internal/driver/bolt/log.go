package bolt

import (
	"context"
	"encoding/binary"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	entriesBytes  = 32 << 20 // limit on the values of one listing of entries
	trimStep      = 4096     // entries trimmed in one transaction
	followerBytes = 200      // limit on a follower's name
)

// Last implements store.Log.
func (s *Store) Last() (uint64, <-chan struct{}) { return s.log.last() }

// Entries implements store.Log.
func (s *Store) Entries(ctx context.Context, after uint64, limit int) (entries []store.Entry, err error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	if after == 1<<64-1 {
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if entries, ok := s.log.after(after, limit); ok {
		return entries, nil
	}
	err = s.view(ctx, func(src source) error {
		size, callers := 0, callerCache{}
		for key, raw := range src.each(bucketEntries, idKey(after+1), nil) {
			entry, err := readEntry(src, key, raw, callers)
			if err != nil {
				return err
			}
			entries = append(entries, entry)
			if size += len(entry.Value); len(entries) == limit || size >= entriesBytes {
				return nil
			}
		}
		return nil
	})
	return entries, err
}

// callerCache holds callers for one listing, keyed by the sequence of the entry that holds them.
type callerCache map[uint64]*store.Caller

// find returns the caller that an entry holds. It is nil when that entry was trimmed together with
// all earlier entries of the same request.
func (c callerCache) find(src source, sequence uint64) (*store.Caller, error) {
	if caller, known := c[sequence]; known {
		return caller, nil
	}
	raw := src.get(bucketEntries, idKey(sequence))
	if raw == nil {
		c[sequence] = nil
		return nil, nil
	}
	entry, _, err := decodeEntry(raw, src)
	c[sequence] = entry.Caller
	return entry.Caller, err
}

func readEntry(src source, key, raw []byte, callers callerCache) (store.Entry, error) {
	if len(key) != 8 {
		return store.Entry{}, corrupt("key of a log entry")
	}
	entry, at, err := decodeEntry(raw, src)
	if err != nil {
		return store.Entry{}, err
	}
	entry.Sequence = binary.BigEndian.Uint64(key)
	switch {
	case at.caller >= entry.Sequence:
		return store.Entry{}, corrupt("caller of a log entry")
	case at.caller > 0:
		if entry.Caller, err = callers.find(src, entry.Sequence-at.caller); err != nil {
			return store.Entry{}, err
		}
	case entry.Caller != nil:
		callers[entry.Sequence] = entry.Caller
	}
	if at.urn != 0 {
		u := src.get(bucketURNs, idKey(at.urn))
		if u == nil {
			return store.Entry{}, corrupt("URN of a log entry")
		}
		entry.URN = urn.URN(u)
	}
	return entry, nil
}

// First implements store.Log.
func (s *Store) First(ctx context.Context) (first uint64, err error) {
	err = s.view(ctx, func(src source) error {
		first = firstSequence(src)
		return nil
	})
	return first, err
}

func firstSequence(src source) uint64 {
	for key := range src.each(bucketEntries, nil, nil) {
		if len(key) == 8 {
			return binary.BigEndian.Uint64(key)
		}
	}
	return 0
}

// Position implements store.Log.
func (s *Store) Position(ctx context.Context, follower string) (sequence uint64, err error) {
	err = s.view(ctx, func(src source) error {
		if raw := src.get(bucketPositions, []byte(follower)); raw != nil {
			d := decoder{raw: raw}
			sequence = d.uvarint()
			return d.check("position")
		}
		return nil
	})
	return sequence, err
}

// SetPosition implements store.Log.
func (s *Store) SetPosition(ctx context.Context, follower string, sequence uint64) error {
	if follower == "" {
		return fault.New(fault.Invalid, "the name of the follower is empty")
	}
	if err := checkText("the name of the follower", follower, followerBytes); err != nil {
		return err
	}
	_, err := s.submit(ctx, func(tx *tx) error {
		tx.set(bucketPositions, []byte(follower), binary.AppendUvarint(nil, sequence))
		return nil
	})
	return err
}

var trimmedKey = []byte("trimmed")

// readTrimmed returns the greatest trimmed sequence. It preserves the numbering when the log is
// trimmed to its end.
func readTrimmed(src source) (uint64, error) {
	raw := src.get(bucketMeta, trimmedKey)
	if raw == nil {
		return 0, nil
	}
	d := decoder{raw: raw}
	sequence := d.uvarint()
	return sequence, d.check("end of the trimmed log")
}

// Trimmed implements store.Log.
func (s *Store) Trimmed(ctx context.Context) (sequence uint64, err error) {
	err = s.view(ctx, func(src source) (err error) {
		sequence, err = readTrimmed(src)
		return err
	})
	return sequence, err
}

// Trim implements store.Log. It works in small steps, and other updates may run between them. A
// cancelled context leaves the log trimmed up to some entry.
func (s *Store) Trim(ctx context.Context, upTo uint64) error {
	for done := false; !done; {
		var trimmed uint64
		_, err := s.submit(ctx, func(tx *tx) error {
			first := firstSequence(tx)
			end := min(upTo, tx.counters.sequence)
			if done = first == 0 || first > end; done {
				return nil
			}
			stop := min(end, first+trimStep-1)
			for sequence := first; sequence <= stop; sequence++ {
				tx.set(bucketEntries, idKey(sequence), nil)
			}
			tx.set(bucketMeta, trimmedKey, binary.AppendUvarint(nil, stop))
			done, trimmed = stop == end, stop
			return nil
		})
		if err != nil {
			return err
		}
		s.log.forget(trimmed)
	}
	return nil
}
