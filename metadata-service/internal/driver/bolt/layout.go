package bolt

import (
	"encoding/binary"
	"fmt"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// storeBucket numbers the buckets of the file.
type storeBucket int

const (
	storeMeta         storeBucket = iota // "format", "trimmed"
	storeEntities                        // URN -> id, number of latest rows; only URNs that have some
	storeRetired                         // URN -> id; the other URNs that ever got one
	storeURNs                            // id -> URN
	storeLatest                          // id, aspect -> row
	storeHistory                         // id, aspect, row number -> row
	storeAspectNums                      // aspect name -> number
	storeAspectTexts                     // number -> aspect name
	storeWordNums                        // word (actor, run id, ...) -> number
	storeWordTexts                       // number -> word
	storeRunSummaries                    // run number -> rows, time of the last write
	storeRunEntities                     // run number, URN -> aspects and how many of their rows carry the run
	storeCounts                          // entity type -> number of entities
	storeEntries                         // sequence -> change log entry
	storePositions                       // follower -> sequence
	storeEdgeLists                       // owner id, aspect -> the edges it made (edge_codec.go)
	storeAdjacent                        // node id, direction, relationship, neighbor id, owner id, aspect -> edge
	storeTerms                           // lookup term, URN -> 1 (terms.go)
	storeBuckets                         // how many there are
)

var storeBucketNames = [storeBuckets][]byte{
	storeMeta:         []byte("meta"),
	storeEntities:     []byte("entities"),
	storeRetired:      []byte("retired"),
	storeURNs:         []byte("urns"),
	storeLatest:       []byte("latest"),
	storeHistory:      []byte("history"),
	storeAspectNums:   []byte("aspect.numbers"),
	storeAspectTexts:  []byte("aspect.texts"),
	storeWordNums:     []byte("word.numbers"),
	storeWordTexts:    []byte("word.texts"),
	storeRunSummaries: []byte("run.summaries"),
	storeRunEntities:  []byte("run.entities"),
	storeCounts:       []byte("counts"),
	storeEntries:      []byte("log"),
	storePositions:    []byte("positions"),
	storeEdgeLists:    []byte("edges.owned"),
	storeAdjacent:     []byte("edges.adjacent"),
	storeTerms:        []byte("terms"),
}

// storeFill is how full pages are left when they split. Keys that only grow
// fill their pages, rows with a little room for what a rewrite adds. Keys that
// come in URN order, in bulk, or in none get a compromise: bbolt's half would
// leave a bulk load half empty, more would leave slivers behind random ones.
var storeFill = [storeBuckets]float64{
	storeEntities:    0.7,
	storeURNs:        0.99,
	storeLatest:      0.97,
	storeHistory:     0.8,
	storeWordTexts:   0.99,
	storeRunEntities: 0.7,
	storeEntries:     0.99,
	storeEdgeLists:   0.9,
	storeAdjacent:    0.7,
	storeTerms:       0.7,
}

// storeBucketsOf tells how many of the buckets a file of a format has.
func storeBucketsOf(format uint64) storeBucket {
	switch format {
	case 1:
		return storeEdgeLists
	case 2, 3:
		return storeTerms
	}
	return storeBuckets
}

func storeRowKey(id uint64, aspect uint32, row int64) (storeBucket, []byte) {
	key := make([]byte, 0, 18)
	key = binary.BigEndian.AppendUint64(key, id)
	key = binary.BigEndian.AppendUint16(key, uint16(aspect))
	if row == 0 {
		return storeLatest, key
	}
	return storeHistory, binary.BigEndian.AppendUint64(key, uint64(row))
}

func storeIDKey(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

func storeRunKey(run uint32) []byte { return binary.BigEndian.AppendUint32(nil, run) }

func storeRunEntityKey(run uint32, u urn.URN) []byte {
	key := make([]byte, 0, 4+len(u))
	return append(binary.BigEndian.AppendUint32(key, run), u...)
}

// storeEntity is the value in storeEntities, and in storeRetired with no rows.
type storeEntity struct {
	id     uint64
	latest uint64
}

func (e storeEntity) encode() []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, e.id), e.latest)
}

// storeRunSummary is the value in storeRunSummaries.
type storeRunSummary struct {
	rows uint64
	time int64
}

func (r storeRunSummary) encode() []byte {
	return binary.AppendVarint(binary.AppendUvarint(nil, r.rows), r.time)
}

// storeCounters are the numbers given last, each from its own space.
type storeCounters struct {
	entity   uint64
	aspect   uint32
	word     uint32
	sequence uint64
}

func storeReadCounters(v *storeView) (c storeCounters, err error) {
	c.entity = storeLastNumber(v, storeURNs)
	c.aspect = uint32(storeLastNumber(v, storeAspectTexts))
	c.word = uint32(storeLastNumber(v, storeWordTexts))
	trimmed, err := storeTrimmed(v)
	c.sequence = max(storeLastNumber(v, storeEntries), trimmed)
	return c, err
}

func storeLastNumber(v *storeView, b storeBucket) uint64 {
	var n uint64
	for _, digit := range v.last(b) {
		n = n<<8 | uint64(digit)
	}
	return n
}

func storeCheckURN(u urn.URN) error {
	if u == "" {
		return fault.New(fault.Invalid, "urn is empty")
	}
	if len(u) > store.MaxURNBytes {
		return fault.New(fault.TooLarge, "urn has %d bytes, at most %d are possible", len(u), store.MaxURNBytes)
	}
	return nil
}

func storeCheckText(field, text string, most int) error {
	if len(text) > most {
		return fault.New(fault.TooLarge, "%s has %d bytes, at most %d are possible", field, len(text), most)
	}
	return nil
}

// storeCorrupt is what a reader of the file says about bytes it did not write.
func storeCorrupt(what string) error {
	return fmt.Errorf("%w: %s", errStoreDamaged, what)
}
