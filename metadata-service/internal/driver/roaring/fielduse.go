package roaring

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// fieldUse describes how a text query uses a column: with which boost in the documents of each
// entity type.
type fieldUse struct {
	boosts  []float32       // by number of the type in the segment
	uniform float32         // the boost of all types if they agree, otherwise 0
	exclude *roaring.Bitmap // documents of types that do not use the field; nil for none
	prefix  bool            // words are also matched by prefix
	// notPrefixed holds the documents of types whose words are not matched by prefix, nil for none.
	notPrefixed *roaring.Bitmap
}

// fieldSelection selects the fields of a text query: by default those of the schemas' default
// query, otherwise those for completion, or named ones.
type fieldSelection struct {
	completion bool
	fields     []string
	excluded   *excludedFields // nil for none
}

// excludedFields are columns that a text query ignores.
type excludedFields struct {
	columns map[string]bool
	key     string // a cache key of fixed length, whatever the number of columns
}

// newExcludedFields returns the set of some fields, nil for none.
func newExcludedFields(names []string) *excludedFields {
	if len(names) == 0 {
		return nil
	}
	e := &excludedFields{columns: make(map[string]bool, len(names))}
	for _, name := range names {
		e.columns[search.PlainName(name)] = true
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(e.columns)) {
		fmt.Fprintf(hash, "%d:%s", len(name), name)
	}
	e.key = string(hash.Sum(nil))
	return e
}

// has reports whether a column is excluded.
func (e *excludedFields) has(column string) bool { return e != nil && e.columns[column] }

// key returns the cache key of a selection. It contains the length of each field name: clients
// choose the names, and no two selections may share a key.
func (p fieldSelection) key() string {
	key := "query"
	if p.completion {
		key = "complete"
	}
	if p.excluded != nil {
		key += "-" + p.excluded.key
	}
	for _, f := range p.fields {
		key += " " + strconv.Itoa(len(f)) + ":" + f
	}
	return key
}

// fieldUses returns the use of each column, nil for columns that are not used.
func (s *segment) fieldUses(x *schemas, p fieldSelection) []*fieldUse {
	key := p.key()
	s.queryCache.mu.Lock()
	defer s.queryCache.mu.Unlock()
	if uses, ok := s.queryCache.uses[key]; ok {
		return uses
	}
	if len(s.queryCache.uses) > maxCachedSets {
		s.queryCache.uses = nil
	}
	if s.queryCache.uses == nil {
		s.queryCache.uses = map[string][]*fieldUse{}
	}
	uses := make([]*fieldUse, len(s.names))
	for i, name := range s.names {
		uses[i] = s.fieldUse(x, name, p)
	}
	s.queryCache.uses[key] = uses
	return uses
}

func (s *segment) fieldUse(x *schemas, name string, p fieldSelection) *fieldUse {
	types := s.column(typeField)
	u := &fieldUse{boosts: make([]float32, types.len())}
	var without, notPrefixed []*roaring.Bitmap
	for i := range u.boosts {
		u.boosts[i] = x.boost(types.text.string(i), name, p)
		switch {
		case u.boosts[i] == 0:
			without = append(without, setOf(types.lists.at(i)))
		case x.prefixed(types.text.string(i), name):
			u.prefix = true
		default:
			notPrefixed = append(notPrefixed, setOf(types.lists.at(i)))
		}
	}
	if len(without) == len(u.boosts) {
		return nil
	}
	if slices.Min(u.boosts) == slices.Max(u.boosts) {
		u.uniform = u.boosts[0]
	}
	if len(without) > 0 {
		u.exclude = roaring.FastOr(without...)
	}
	if len(notPrefixed) > 0 {
		u.notPrefixed = roaring.FastOr(notPrefixed...)
	}
	return u
}

// boost returns the boost of a field in documents of a type, 0 if the selection excludes it.
func (s *schemas) boost(entityType, name string, p fieldSelection) float32 {
	if p.excluded.has(name) {
		return 0
	}
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
	if f == nil || p.completion && !f.Autocomplete || !p.completion && !f.Query {
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

// weighted returns the fields with value weights in a fixed order, so that a document always gets
// the same score.
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
