package roaring

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// urnBoost is the weight of a whole URN as query text relative to other whole values.
const urnBoost = 10

// schemas holds the fields of all entity types for lookups.
type schemas struct {
	types map[string]map[string]*search.Field // by type and field name
	names map[string]string                   // type names by search.TypeName
	alias map[string][]string                 // alias to fields, over all types
	order []string                            // types as given
	hash  [sha256.Size]byte

	nameForms map[string]nameForm // of columns
	weights   []weightedField
}

func newSchemas(given []search.Schema, revision int) *schemas {
	s := &schemas{types: map[string]map[string]*search.Field{}, names: map[string]string{}, alias: map[string][]string{}}
	for _, schema := range given {
		fields := map[string]*search.Field{}
		for i := range schema.Fields {
			f := &schema.Fields[i]
			fields[f.Name] = f
			for _, alias := range f.Aliases {
				if !slices.Contains(s.alias[alias], f.Name) {
					s.alias[alias] = append(s.alias[alias], f.Name)
				}
			}
		}
		s.types[schema.EntityType] = fields
		s.names[search.TypeName(schema.EntityType)] = schema.EntityType
		s.order = append(s.order, schema.EntityType)
	}
	for _, fields := range s.alias {
		slices.Sort(fields)
	}
	// The order of types has no meaning; maps are encoded sorted.
	encoded, _ := json.Marshal(s.types) //nolint:errcheck // plain structs of texts and numbers
	s.hash = sha256.Sum256(fmt.Appendf(encoded, "%d", revision))
	s.weights = s.weighted()
	s.nameForms = nameForms(given)
	return s
}

// kindOf returns the kind of a field in a document; known are the fields of the document's type.
func kindOf(known map[string]*search.Field, d *search.Document, name string) search.Kind {
	if f := known[name]; f != nil {
		return f.Kind
	}
	if kind, ok := d.Kinds[name]; ok {
		return kind
	}
	return search.Keyword
}

// known reports whether any type has a field with the name or alias.
func (s *schemas) known(name string) bool {
	name = search.PlainName(name)
	if name == urnField || name == typeField || strings.HasPrefix(name, search.PropertyPrefix) || s.alias[name] != nil {
		return true
	}
	object, _, _ := strings.Cut(name, ".")
	for _, fields := range s.types {
		if fields[name] != nil || object != name && fields[object] != nil && fields[object].Kind == search.ObjectKind {
			return true
		}
	}
	return false
}

// resolve returns the columns of a filter's field.
func (s *schemas) resolve(name string) []place {
	var places []place
	for _, expanded := range search.Expand(name) {
		names := []string{expanded}
		if fields := s.alias[expanded]; fields != nil {
			names = append(names, fields...)
		}
		for _, n := range names {
			if p := s.place(n); !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// place locates the values of a field: a column, and for a sub-field of an object the values of
// that column that begin with its key.
type place struct {
	column string
	key    string // "key=", else empty
	form   nameForm
}

func (s *schemas) place(name string) place {
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		for _, fields := range s.types {
			if f := fields[name[:i]]; f != nil && f.Kind == search.ObjectKind {
				return place{column: name[:i], key: name[i+1:] + "=", form: keyed}
			}
		}
	}
	return place{column: name, form: s.nameForms[name]}
}

func isNumber(kind search.Kind) bool {
	return kind == search.Count || kind == search.Double || kind == search.DateTime
}

// byPrefix reports whether words of fields of a kind are also matched by prefix.
func byPrefix(kind search.Kind) bool {
	return kind == search.TextPartial || kind == search.WordGram || kind == search.URNPartial
}

func hasWords(kind search.Kind) bool {
	return byPrefix(kind) || kind == search.Text || kind == search.URNKind
}
