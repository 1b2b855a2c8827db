package document

import (
	"context"
	"strings"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxLookups limits the cached entries of each kind. Beyond it the cache is emptied.
const maxLookups = 200_000

// lookupCache caches facts about other entities: their parents, their status, and definitions of
// structured properties. Invalidate removes changed ones. It is safe for concurrent use.
type lookupCache struct {
	reader Reader

	mu         sync.RWMutex
	parents    map[urn.URN]urn.URN // empty for roots
	removed    map[urn.URN]bool    // whether entities with columns are soft-deleted
	properties map[urn.URN]*Property
}

// Property describes the indexing of the values of a structured property. Field is empty for a
// property without a definition.
type Property struct {
	Field string
	Kind  search.Kind
}

func newLookupCache(reader Reader) *lookupCache {
	return &lookupCache{reader: reader, parents: map[urn.URN]urn.URN{}, removed: map[urn.URN]bool{}, properties: map[urn.URN]*Property{}}
}

// Invalidate removes the cached facts about an entity with changed aspects. Call it before
// rebuilding search documents that depend on the entity.
func (b *Builder) Invalidate(u urn.URN) {
	f := b.lookups
	f.mu.RLock()
	_, parent := f.parents[u]
	_, prop := f.properties[u]
	_, mark := f.removed[u]
	f.mu.RUnlock()
	if !parent && !prop && !mark {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.parents, u)
	delete(f.properties, u)
	delete(f.removed, u)
}

// maxAncestors limits the length of a chain of parents. A cycle ends it earlier.
const maxAncestors = 100

// ancestors adds an entity and all its ancestors to a list.
func (f *lookupCache) ancestors(ctx context.Context, list []string, u urn.URN) ([]string, error) {
	for range maxAncestors {
		for _, have := range list {
			if have == string(u) {
				return list, nil
			}
		}
		list = append(list, string(u))
		parent, err := f.parent(ctx, u)
		if err != nil || parent == "" {
			return list, err
		}
		u = parent
	}
	return list, nil
}

func (f *lookupCache) parent(ctx context.Context, u urn.URN) (urn.URN, error) {
	f.mu.RLock()
	parent, known := f.parents[u]
	f.mu.RUnlock()
	if known {
		return parent, nil
	}
	place, ok := model.ParentOf(u.Type())
	if !ok {
		return "", nil
	}
	value, err := f.read(ctx, u, place.Aspect)
	if err != nil {
		return "", err
	}
	parent = place.In(value)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.parents) >= maxLookups {
		clear(f.parents)
	}
	f.parents[u] = parent
	return parent, nil
}

func (f *lookupCache) read(ctx context.Context, u urn.URN, aspect string) (model.Object, error) {
	records, err := f.reader.Aspects(ctx, []urn.URN{u}, aspect)
	if err != nil || len(records[0]) == 0 {
		return nil, err
	}
	return jsontree.DecodeObject(records[0][0].Value)
}

// isRemoved reports whether an entity is soft-deleted.
func (f *lookupCache) isRemoved(ctx context.Context, u urn.URN) (bool, error) {
	f.mu.RLock()
	removed, known := f.removed[u]
	f.mu.RUnlock()
	if known {
		return removed, nil
	}
	value, err := f.read(ctx, u, statusAspect)
	if err != nil {
		return false, err
	}
	removed = jsontree.Bool(value, removedField)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.removed) >= maxLookups {
		clear(f.removed)
	}
	f.removed[u] = removed
	return removed, nil
}

const (
	propertyType     = "structuredProperty"
	definitionAspect = "propertyDefinition"
)

// property reads the indexing of a structured property.
func (f *lookupCache) property(ctx context.Context, u urn.URN) (*Property, error) {
	f.mu.RLock()
	known := f.properties[u]
	f.mu.RUnlock()
	if known != nil {
		return known, nil
	}
	definition, err := f.read(ctx, u, definitionAspect)
	if err != nil {
		return nil, err
	}
	of := PropertyOf(definition)
	p := &of
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.properties) >= maxLookups {
		clear(f.properties)
	}
	f.properties[u] = p
	return p, nil
}

// PropertyField returns the field of a structured property in the spelling for users, from its
// definition. It is empty without one.
func PropertyField(definition model.Object) string {
	field := PropertyOf(definition).Field
	if name := jsontree.Text(definition, "qualifiedName"); field == search.PlainName(search.PropertyPrefix+name) {
		return search.PropertyPrefix + name
	}
	return field
}

// PropertyOf returns the indexing of a structured property, from its definition.
func PropertyOf(definition model.Object) Property {
	name := jsontree.Text(definition, "qualifiedName")
	if name == "" {
		return Property{}
	}
	_, word, _ := strings.Cut(urn.URN(jsontree.Text(definition, "valueType")).Key(), ".")
	kind, suffix := propertyKind(strings.ToLower(word))
	name = strings.ReplaceAll(name, ".", "_")
	if version := jsontree.Text(definition, "version"); version != "" {
		return Property{Field: search.PropertyPrefix + "_versioned." + name + "." + version + "." + suffix, Kind: kind}
	}
	return Property{Field: search.PropertyPrefix + name, Kind: kind}
}

// propertyKind returns the kind of the values, and the word for it in the names of versioned
// properties.
func propertyKind(valueType string) (kind search.Kind, word string) {
	switch valueType {
	case "rich_text":
		return search.TextPartial, "rich_text"
	case "number":
		return search.Double, "number"
	case "date":
		return search.DateTime, "date"
	case "urn":
		return search.URNKind, "urn"
	}
	return search.Keyword, "string"
}
