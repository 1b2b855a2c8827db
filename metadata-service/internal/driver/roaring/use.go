package roaring

import (
	"maps"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// use says how a column takes part in a text query: with which boost in the
// documents of each entity type.
type use struct {
	boosts  []float32       // by number of the type in the segment
	even    float32         // the boost of all types, if they agree, else 0
	exclude *roaring.Bitmap // documents of types that do not use the field; nil for none
	prefix  bool            // words are also found by how they begin
}

// purpose selects the fields of a text query: by default those of the
// schemas' default query, otherwise those for completion, or named ones.
type purpose struct {
	complete bool
	fields   []string
}

// key spells a purpose; fields with their lengths, as callers choose their names.
func (p purpose) key() string {
	key := "query"
	if p.complete {
		key = "complete"
	}
	for _, f := range p.fields {
		key += " " + strconv.Itoa(len(f)) + ":" + f
	}
	return key
}

// usesFor lists how each column is used, nil for those that are not.
func (s *segment) usesFor(x *schemas, p purpose) []*use {
	key := p.key()
	s.derived.mu.Lock()
	defer s.derived.mu.Unlock()
	if uses, ok := s.derived.uses[key]; ok {
		return uses
	}
	if len(s.derived.uses) > maxRemembered {
		s.derived.uses = nil
	}
	if s.derived.uses == nil {
		s.derived.uses = map[string][]*use{}
	}
	uses := make([]*use, len(s.names))
	for i, name := range s.names {
		uses[i] = s.useOf(x, name, p)
	}
	s.derived.uses[key] = uses
	return uses
}

func (s *segment) useOf(x *schemas, name string, p purpose) *use {
	types := s.column(typeField)
	u := &use{boosts: make([]float32, types.len())}
	var without []*roaring.Bitmap
	for i := range u.boosts {
		u.boosts[i] = x.boost(types.text.string(i), name, p)
		if u.boosts[i] == 0 {
			without = append(without, setOf(types.lists.at(i)))
		}
		u.prefix = u.prefix || x.prefixed(types.text.string(i), name)
	}
	if len(without) == len(u.boosts) {
		return nil
	}
	if slices.Min(u.boosts) == slices.Max(u.boosts) {
		u.even = u.boosts[0]
	}
	if len(without) > 0 {
		u.exclude = roaring.FastOr(without...)
	}
	return u
}

// boost of a field in documents of a type, 0 where the purpose leaves it out.
func (s *schemas) boost(entityType, name string, p purpose) float32 {
	if len(p.fields) > 0 {
		if slices.Contains(p.fields, name) {
			return 1
		}
		return 0
	}
	if name == urnField {
		return urnBoost
	}
	f := s.types[entityType][name]
	if f == nil || p.complete && !f.Autocomplete || !p.complete && !f.Query {
		return 0
	}
	if f.Boost > 0 {
		return float32(f.Boost)
	}
	return 1
}

func (s *schemas) prefixed(entityType, name string) bool {
	if name == urnField {
		return true
	}
	f := s.types[entityType][name]
	return f == nil || byPrefix(f.Kind)
}

// weighted lists the fields with factors by value, in a fixed order: the same
// document must get the same score every time.
func (s *schemas) weighted() []weightedField {
	var out []weightedField
	for _, entityType := range s.order {
		fields := s.types[entityType]
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if len(fields[name].Weights) > 0 {
				out = append(out, weightedField{entityType, fields[name]})
			}
		}
	}
	return out
}

type weightedField struct {
	entityType string
	field      *search.Field
}
