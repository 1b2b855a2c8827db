package bolt

import (
	"encoding/binary"
	"fmt"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// bucket is the number of a bucket of the file.
type bucket int

const (
	bucketMeta         bucket = iota // "format", "trimmed"
	bucketEntities                   // URN -> id, number of latest rows; only URNs with latest rows
	bucketRetired                    // URN -> id; all other URNs with a number
	bucketURNs                       // id -> URN
	bucketLatest                     // id, aspect -> row
	bucketHistory                    // id, aspect, row number -> row
	bucketAspectNums                 // aspect name -> number
	bucketAspectTexts                // number -> aspect name
	bucketWordNums                   // word (actor, run id, ...) -> number
	bucketWordTexts                  // number -> word
	bucketRunSummaries               // run number -> rows, time of the last write
	bucketRunEntities                // run number, URN -> aspects and the number of their rows that carry the run
	bucketCounts                     // entity type -> number of entities
	bucketEntries                    // sequence -> change log entry
	bucketPositions                  // follower -> sequence
	bucketEdgeLists                  // owner id, aspect -> the edges it produced (edge_codec.go)
	bucketAdjacent                   // node id, direction, relationship, neighbor id, owner id, aspect -> edge
	bucketTerms                      // lookup term, URN -> 1 (terms.go)
	bucketCount                      // number of buckets
)

var bucketNames = [bucketCount][]byte{
	bucketMeta:         []byte("meta"),
	bucketEntities:     []byte("entities"),
	bucketRetired:      []byte("retired"),
	bucketURNs:         []byte("urns"),
	bucketLatest:       []byte("latest"),
	bucketHistory:      []byte("history"),
	bucketAspectNums:   []byte("aspect.numbers"),
	bucketAspectTexts:  []byte("aspect.texts"),
	bucketWordNums:     []byte("word.numbers"),
	bucketWordTexts:    []byte("word.texts"),
	bucketRunSummaries: []byte("run.summaries"),
	bucketRunEntities:  []byte("run.entities"),
	bucketCounts:       []byte("counts"),
	bucketEntries:      []byte("log"),
	bucketPositions:    []byte("positions"),
	bucketEdgeLists:    []byte("edges.owned"),
	bucketAdjacent:     []byte("edges.adjacent"),
	bucketTerms:        []byte("terms"),
}

// bucketFill is the fill level of pages after a split. Ascending keys fill their pages; row pages
// keep a little room for rewrites that add bytes. Keys in URN order, in bulk or in random order use
// a compromise: bbolt's default of one half would leave a bulk load half empty, and a higher level
// would leave tiny pages after random inserts.
var bucketFill = [bucketCount]float64{
	bucketEntities:    0.7,
	bucketURNs:        0.99,
	bucketLatest:      0.97,
	bucketHistory:     0.8,
	bucketWordTexts:   0.99,
	bucketRunEntities: 0.7,
	bucketEntries:     0.99,
	bucketEdgeLists:   0.9,
	bucketAdjacent:    0.7,
	bucketTerms:       0.7,
}

// bucketsOf returns the number of buckets in a file of the given format.
func bucketsOf(format uint64) bucket {
	switch format {
	case 1:
		return bucketEdgeLists
	case 2, 3:
		return bucketTerms
	}
	return bucketCount
}

func rowKey(id uint64, aspect uint32, row int64) (bucket, []byte) {
	key := make([]byte, 0, 18)
	key = binary.BigEndian.AppendUint64(key, id)
	key = binary.BigEndian.AppendUint16(key, uint16(aspect))
	if row == 0 {
		return bucketLatest, key
	}
	return bucketHistory, binary.BigEndian.AppendUint64(key, uint64(row))
}

func idKey(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

func runKey(run uint32) []byte { return binary.BigEndian.AppendUint32(nil, run) }

func runEntityKey(run uint32, u urn.URN) []byte {
	key := make([]byte, 0, 4+len(u))
	return append(binary.BigEndian.AppendUint32(key, run), u...)
}

// entity is the value in bucketEntities, and in bucketRetired with latest 0.
type entity struct {
	id     uint64
	latest uint64
}

func (e entity) encode() []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, e.id), e.latest)
}

// runSummary is the value in bucketRunSummaries.
type runSummary struct {
	rows uint64
	time int64
}

func (r runSummary) encode() []byte {
	return binary.AppendVarint(binary.AppendUvarint(nil, r.rows), r.time)
}

// counters are the numbers assigned last, each in its own number space.
type counters struct {
	entity   uint64
	aspect   uint32
	word     uint32
	sequence uint64
}

func readCounters(v *view) (c counters, err error) {
	c.entity = lastNumber(v, bucketURNs)
	c.aspect = uint32(lastNumber(v, bucketAspectTexts))
	c.word = uint32(lastNumber(v, bucketWordTexts))
	trimmed, err := readTrimmed(v)
	c.sequence = max(lastNumber(v, bucketEntries), trimmed)
	return c, err
}

func lastNumber(v *view, b bucket) uint64 {
	var n uint64
	for _, digit := range v.last(b) {
		n = n<<8 | uint64(digit)
	}
	return n
}

func checkURN(u urn.URN) error {
	if u == "" {
		return fault.New(fault.Invalid, "urn is empty")
	}
	if len(u) > store.MaxURNBytes {
		return fault.New(fault.TooLarge, "urn has %d bytes, at most %d are possible", len(u), store.MaxURNBytes)
	}
	return nil
}

func checkText(field, text string, most int) error {
	if len(text) > most {
		return fault.New(fault.TooLarge, "%s has %d bytes, at most %d are possible", field, len(text), most)
	}
	return nil
}

// corrupt returns the error for bytes that this package did not write.
func corrupt(what string) error {
	return fmt.Errorf("%w: %s", errDamaged, what)
}
