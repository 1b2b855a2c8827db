package series

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Buckets of an index file. A document is stored once, in docs, under an increasing number: new
// documents fill the last page and touch no other. The other buckets refer to that number.
//
//	docs   number                        -> document
//	ids    id                            -> number, flag, time, URN hash
//	urns   URN hash, flag, time, id      -> number
//	times  flag, time, id                -> number
//	meta   applied, plain, exploded      -> counters, eight bytes each
//
// The flag is 1 for exploded documents. A time is encoded so that byte order is time order, also
// for negative times. The hash is the first half of a SHA-256 hash: it keeps keys short, and
// finding two URNs with the same hash takes about 2^64 attempts.
var (
	docsBucket  = []byte("docs")
	idsBucket   = []byte("ids")
	urnsBucket  = []byte("urns")
	timesBucket = []byte("times")
	metaBucket  = []byte("meta")

	appliedKey  = []byte("applied")
	plainKey    = []byte("plain")
	explodedKey = []byte("exploded")
)

const (
	numberBytes   = 8
	timeBytes     = 8
	hashBytes     = 16
	locationBytes = numberBytes + 1 + timeBytes + hashBytes
)

// location is the value in the ids bucket: it determines all keys of a document.
type location struct {
	number uint64
	flag   byte
	time   int64
	hash   [hashBytes]byte
}

func locate(number uint64, d *timeseries.Document) location {
	return location{number: number, flag: flagOf(d.Exploded), time: d.Time, hash: hashOf(d.URN)}
}

func hashOf(u urn.URN) [hashBytes]byte {
	sum := sha256.Sum256([]byte(u))
	return [hashBytes]byte(sum[:hashBytes])
}

func (p location) encode() []byte {
	b := make([]byte, 0, locationBytes)
	b = append(appendNumber(b, p.number), p.flag)
	return append(appendTime(b, p.time), p.hash[:]...)
}

func decodeLocation(b []byte) (location, error) {
	if len(b) != locationBytes {
		return location{}, errCorrupt
	}
	return location{
		number: binary.BigEndian.Uint64(b),
		flag:   b[numberBytes],
		time:   timeOf(b[numberBytes+1:]),
		hash:   [hashBytes]byte(b[numberBytes+1+timeBytes:]),
	}, nil
}

func (p location) urnKey(id string) []byte {
	b := make([]byte, 0, hashBytes+1+timeBytes+len(id))
	b = append(append(b, p.hash[:]...), p.flag)
	return append(appendTime(b, p.time), id...)
}

func (p location) timeKey(id string) []byte {
	b := make([]byte, 0, 1+timeBytes+len(id))
	return append(appendTime(append(b, p.flag), p.time), id...)
}

func appendNumber(b []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(b, n) }

// appendTime inverts the sign bit, so that negative times precede positive ones.
func appendTime(b []byte, time int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(time)^(1<<63))
}

func timeOf(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ (1 << 63)) }

// keyRange is the half-open range of keys with a prefix that a query may select; a nil end means no
// limit.
type keyRange struct{ begin, end []byte }

func rangeOf(prefix []byte, q *timeseries.Query) keyRange {
	r := keyRange{begin: prefix, end: successor(prefix)}
	if q.From != nil {
		r.begin = appendTime(cloneKey(prefix), *q.From)
	}
	if q.To != nil && *q.To < math.MaxInt64 {
		r.end = appendTime(cloneKey(prefix), *q.To+1)
	}
	if q.After == nil {
		return r
	}
	after := append(appendTime(cloneKey(prefix), q.After.Time), q.After.ID...)
	if q.Ascending {
		r.begin = later(r.begin, append(after, 0))
	} else if less(after, r.end) {
		r.end = after
	}
	return r
}

func (r keyRange) has(key []byte) bool {
	return string(key) >= string(r.begin) && less(key, r.end)
}

func cloneKey(prefix []byte) []byte {
	return append(make([]byte, 0, len(prefix)+timeBytes), prefix...)
}

func later(a, b []byte) []byte {
	if string(a) < string(b) {
		return b
	}
	return a
}

// less compares a key with the end of a range, of which nil is the greatest.
func less(key, end []byte) bool { return end == nil || string(key) < string(end) }

// successor returns the first key after all keys with the prefix, or nil when there is none.
func successor(prefix []byte) []byte {
	next := append([]byte(nil), prefix...)
	for i := len(next) - 1; i >= 0; i-- {
		if next[i]++; next[i] != 0 {
			return next[:i+1]
		}
	}
	return nil
}
