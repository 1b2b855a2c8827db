package discover

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxScrollBytes bounds the size of a scroll id. The index keeps up to 32 KiB of a value, and there
// is one for each sort field.
const maxScrollBytes = 1 << 20

// scroll is the content of a scroll id: the position of a hit, and a hash of the query it belongs
// to. It grants no rights, because every page is authorized; the hash prevents the use of a
// position in another query.
type scroll struct {
	Values  []search.Value `json:"v"`
	Missing []bool         `json:"m"`
	URN     urn.URN        `json:"u"`
	Query   uint64         `json:"q"`
	// Restricted is set for a position among the restricted entities, which follow the visible
	// ones: URN is then the concealed URN of the last hit, empty before the first.
	Restricted bool `json:"r,omitempty"`
}

func encodeScrollID(c search.Cursor, q search.Query) string {
	return scroll{Values: c.Values, Missing: c.Missing, URN: c.URN, Query: queryHash(q)}.encode()
}

func (s scroll) encode() string {
	text, err := json.Marshal(s)
	if err != nil {
		return "" // values of a cursor are texts and finite numbers
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func decodeScrollID(id string, q search.Query) (*search.Cursor, error) {
	s, err := decodeScroll(id, q)
	if err != nil {
		return nil, err
	}
	if len(s.Values) != len(s.Missing) || len(s.Values) != max(len(q.Sort), 1) {
		return nil, errScrollID()
	}
	return &search.Cursor{Values: s.Values, Missing: s.Missing, URN: s.URN}, nil
}

// decodeScroll decodes a scroll id of a query.
func decodeScroll(id string, q search.Query) (s scroll, err error) {
	if len(id) > maxScrollBytes {
		return s, fault.New(fault.Malformed, "scrollId is longer than %d bytes", maxScrollBytes)
	}
	text, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return s, errScrollID()
	}
	if s.Query != queryHash(q) {
		return s, fault.New(fault.Malformed, "scrollId belongs to another query: ask for the same types, text, filter and order as the page that gave it")
	}
	return s, nil
}

func errScrollID() error { return fault.New(fault.Malformed, "scrollId is not one this service gave") }

// queryHash covers everything that determines the hits and their order, except for the visibility
// of the actor.
func queryHash(q search.Query) uint64 {
	types := slices.Sorted(slices.Values(q.Types))
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%q %q %t %+v %+v %d/%d %t", types, q.Text, q.Structured, q.Filters(), q.Sort, q.Slice, q.Slices, q.Within != nil)
	return h.Sum64()
}
