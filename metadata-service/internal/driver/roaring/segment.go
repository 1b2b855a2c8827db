package roaring

import (
	"bytes"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Names of the fields that every document has.
const (
	urnField  = "urn"
	typeField = "_entityType"
)

// numberSuffix distinguishes the column of a field's numbers from that of its texts.
const numberSuffix = "\x00"

// segment is an immutable part of the index. Its documents are numbered in the order of their URNs,
// so the order of numbers resolves ties.
type segment struct {
	id           uint64 // unique within the index and never reused
	n            int
	urns         *table
	fingerprints []uint64 // fingerprint of each document
	names        []string // sorted names of the fields
	columns      []*column
	byName       map[string]int
	terms        *terms
	queryCache   segmentCache
}

// column returns the column of a field, or nil if no document has the field.
func (s *segment) column(name string) *column {
	if i, ok := s.byName[name]; ok {
		return s.columns[i]
	}
	return nil
}

func (s *segment) urn(doc uint32) urn.URN { return urn.URN(s.urns.at(int(doc), nil)) }

func (s *segment) typeOf(doc uint32) string {
	types := s.column(typeField)
	return types.text.string(int(types.value(doc)))
}

// find returns the document of an entity.
func (s *segment) find(u urn.URN) (uint32, bool) {
	i := s.seek(string(u), true)
	return uint32(i), i < s.n && string(s.urns.at(i, nil)) == string(u)
}

// seek returns the first document after a URN; with at set, the document of the URN itself counts
// too.
func (s *segment) seek(u string, at bool) int {
	want := []byte(u)
	return s.urns.search(func(have []byte) bool {
		order := bytes.Compare(have, want)
		return order > 0 || at && order == 0
	})
}

func (s *segment) nameFields() {
	s.byName = make(map[string]int, len(s.names))
	for i, name := range s.names {
		s.byName[name] = i
	}
}
