package series

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Buckets of an index file. A document is stored once, in docs, under a number
// that only grows: new documents fill the last page and touch no other. The
// other buckets lead to that number.
//
//	docs   number                        -> document
//	ids    id                            -> number, flag, time, URN hash
//	urns   URN hash, flag, time, id      -> number
//	times  flag, time, id                -> number
//	meta   applied, plain, exploded      -> counters, eight bytes each
//
// The flag is 1 for exploded documents. A time is written so that byte order is
// time order, negative times too. The hash is the first half of a SHA-256: it
// keeps keys short, and whoever wants two URNs to meet in it has to try 2^64.
var (
	tsDocs  = []byte("docs")
	tsIDs   = []byte("ids")
	tsURNs  = []byte("urns")
	tsTimes = []byte("times")
	tsMeta  = []byte("meta")

	tsApplied  = []byte("applied")
	tsPlain    = []byte("plain")
	tsExploded = []byte("exploded")
)

const (
	tsNumberBytes = 8
	tsTimeBytes   = 8
	tsHashBytes   = 16
	tsPlaceBytes  = tsNumberBytes + 1 + tsTimeBytes + tsHashBytes
)

// tsPlace is what the ids bucket knows of a document: enough to find all its keys.
type tsPlace struct {
	number uint64
	flag   byte
	time   int64
	hash   [tsHashBytes]byte
}

func tsPlaceOf(number uint64, d *timeseries.Document) tsPlace {
	return tsPlace{number: number, flag: tsFlag(d.Exploded), time: d.Time, hash: tsHash(d.URN)}
}

func tsHash(u urn.URN) [tsHashBytes]byte {
	sum := sha256.Sum256([]byte(u))
	return [tsHashBytes]byte(sum[:tsHashBytes])
}

func (p tsPlace) encode() []byte {
	b := make([]byte, 0, tsPlaceBytes)
	b = append(tsAppendNumber(b, p.number), p.flag)
	return append(tsAppendTime(b, p.time), p.hash[:]...)
}

func tsDecodePlace(b []byte) (tsPlace, error) {
	if len(b) != tsPlaceBytes {
		return tsPlace{}, errTSCorrupt
	}
	return tsPlace{
		number: binary.BigEndian.Uint64(b),
		flag:   b[tsNumberBytes],
		time:   tsTime(b[tsNumberBytes+1:]),
		hash:   [tsHashBytes]byte(b[tsNumberBytes+1+tsTimeBytes:]),
	}, nil
}

func (p tsPlace) urnKey(id string) []byte {
	b := make([]byte, 0, tsHashBytes+1+tsTimeBytes+len(id))
	b = append(append(b, p.hash[:]...), p.flag)
	return append(tsAppendTime(b, p.time), id...)
}

func (p tsPlace) timeKey(id string) []byte {
	b := make([]byte, 0, 1+tsTimeBytes+len(id))
	return append(tsAppendTime(append(b, p.flag), p.time), id...)
}

func tsAppendNumber(b []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(b, n) }

// tsAppendTime turns the sign bit, which puts negative times before positive ones.
func tsAppendTime(b []byte, time int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(time)^(1<<63))
}

func tsTime(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ (1 << 63)) }

// tsRange is the half-open stretch of keys behind a prefix that a query may
// select; a nil end has no bound.
type tsRange struct{ begin, end []byte }

func tsRangeOf(prefix []byte, q *timeseries.Query) tsRange {
	r := tsRange{begin: prefix, end: tsSuccessor(prefix)}
	if q.From != nil {
		r.begin = tsAppendTime(tsCopy(prefix), *q.From)
	}
	if q.To != nil && *q.To < math.MaxInt64 {
		r.end = tsAppendTime(tsCopy(prefix), *q.To+1)
	}
	if q.After == nil {
		return r
	}
	after := append(tsAppendTime(tsCopy(prefix), q.After.Time), q.After.ID...)
	if q.Ascending {
		r.begin = tsLater(r.begin, append(after, 0))
	} else if tsLess(after, r.end) {
		r.end = after
	}
	return r
}

func (r tsRange) has(key []byte) bool {
	return string(key) >= string(r.begin) && tsLess(key, r.end)
}

func tsCopy(prefix []byte) []byte {
	return append(make([]byte, 0, len(prefix)+tsTimeBytes), prefix...)
}

func tsLater(a, b []byte) []byte {
	if string(a) < string(b) {
		return b
	}
	return a
}

// tsLess compares with an end, of which nil is the largest.
func tsLess(key, end []byte) bool { return end == nil || string(key) < string(end) }

// tsSuccessor is the first key behind all that start with prefix, nil when there is none.
func tsSuccessor(prefix []byte) []byte {
	next := append([]byte(nil), prefix...)
	for i := len(next) - 1; i >= 0; i-- {
		if next[i]++; next[i] != 0 {
			return next[:i+1]
		}
	}
	return nil
}
