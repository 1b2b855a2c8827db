package search

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Fingerprint is a hash of everything in a document. Equal documents have equal
// fingerprints in every process, so an index can be compared with the store.
func Fingerprint(d *Document) uint64 {
	h := fnv.New64a()
	put(h, string(d.URN))
	put(h, d.Type)
	for _, name := range slices.Sorted(maps.Keys(d.Fields)) {
		values := d.Fields[name]
		if len(values) == 0 {
			continue
		}
		put(h, name)
		put(h, string(d.Kinds[name]))
		number(h, uint64(len(values)))
		for _, v := range values {
			put(h, v.Text)
			number(h, math.Float64bits(v.Number))
		}
	}
	return h.Sum64()
}

// put writes the length first, so that neighbours cannot lend each other letters.
func put(h hash.Hash64, text string) {
	number(h, uint64(len(text)))
	_, _ = io.WriteString(h, text) // a hash never fails
}

func number(h hash.Hash64, n uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], n)
	_, _ = h.Write(buf[:])
}

// Auditor is an ability of drivers whose content can be compared with the store.
type Auditor interface {
	// Fingerprints calls yield for each document of one state of the index, by URN, until
	// it returns false.
	Fingerprints(yield func(u urn.URN, fingerprint uint64) bool)
}
