package search

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Fingerprint returns a hash of the whole search document. Equal search documents have equal
// fingerprints in every process, so that an index can be compared with the store.
func Fingerprint(d *Document) uint64 {
	var space [512]byte
	buf := appendText(appendText(space[:0], string(d.URN)), d.Type)
	sum := xxhash.Sum64(buf)
	// A sum does not depend on the order of the map, and all names are different.
	for name, values := range d.Fields {
		if len(values) == 0 {
			continue
		}
		buf = appendText(appendText(buf[:0], name), string(d.Kinds[name]))
		for _, v := range values {
			buf = appendText(buf, v.Text)
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v.Number))
		}
		sum += xxhash.Sum64(buf)
	}
	return sum
}

// appendText writes the length first, so that the boundaries of adjacent texts are unambiguous.
func appendText(buf []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint32(buf, uint32(len(text))), text...)
}

// Auditor is an optional interface of drivers that can list their content, for comparison with the
// store.
type Auditor interface {
	// Fingerprints calls yield for each search document of one state of the index, in byte order of
	// the URNs, with the Fingerprint of the applied search document, until yield returns false. It
	// ends with ctx. After an error the list is incomplete.
	Fingerprints(ctx context.Context, yield func(u urn.URN, fingerprint uint64) bool) error
}
