package event

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math"
	"sort"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// place is a position between two events: all entries up to after and the first delivered events of
// the next entry are delivered. An entry may give many events.
type place struct {
	after     uint64
	delivered int
}

// An offset has the format of other servers: base64 of a JSON map from topic and partition to a
// number. Here the number is the sequence of the entry, followed by deliveredBits bits for the
// position within its events.
const (
	deliveredBits = 20
	maxEvents     = 1 << deliveredBits // events of one entry
	maxOffset     = 1 << 10            // length of the text
	partition     = "-0"
	maxPlaceAt    = math.MaxInt64 >> deliveredBits
)

func (p place) text(t Topic) string {
	text, _ := json.Marshal(map[string]uint64{string(t) + partition: p.after<<deliveredBits | uint64(p.delivered)}) // never fails
	return base64.StdEncoding.EncodeToString(text)
}

func parseOffset(t Topic, offset string) (place, error) {
	bad := fault.New(fault.Malformed, "offsetId: is not an offset of the topic %s that this server gave", t)
	if len(offset) > maxOffset {
		return place{}, bad
	}
	text, err := base64.StdEncoding.DecodeString(offset)
	if err != nil {
		return place{}, bad
	}
	var numbers map[string]uint64
	if err := json.Unmarshal(text, &numbers); err != nil {
		return place{}, bad
	}
	n, ok := numbers[string(t)+partition]
	if !ok || len(numbers) != 1 || n>>deliveredBits > maxPlaceAt {
		return place{}, bad
	}
	return place{n >> deliveredBits, int(n & (maxEvents - 1))}, nil
}

// place returns the start of a query. An offset beyond the end comes from another catalog, or from
// this one before it was restored from a backup.
func (s *Service) place(ctx context.Context, q Query) (place, error) {
	last, _ := s.cfg.Log.Last()
	switch {
	case q.Offset != "":
		p, err := parseOffset(Topic(q.Topic), q.Offset)
		if err == nil && p.after > last {
			err = fault.New(fault.Malformed, "offsetId: lies behind the end of the topic %s; begin without one", q.Topic)
		}
		return p, err
	case q.Lookback > 0:
		return s.since(ctx, s.cfg.Now().Add(-q.Lookback), last)
	}
	return place{after: last}, nil
}

// since finds the place before the first entry that is not older than a time. It is a binary
// search: times in the log increase, unless a clock was set back.
func (s *Service) since(ctx context.Context, t time.Time, last uint64) (place, error) {
	first, err := s.cfg.Log.First(ctx)
	if err != nil || first == 0 {
		return place{after: last}, err
	}
	n := sort.Search(int(last-first)+1, func(i int) bool {
		if err != nil {
			return true
		}
		entries, failed := s.cfg.Log.Entries(ctx, first+uint64(i)-1, 1)
		err = failed
		return len(entries) == 0 || entries[0].Time >= t.UnixMilli()
	})
	return place{after: first + uint64(n) - 1}, err
}
