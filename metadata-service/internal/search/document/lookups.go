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

// maxLookups bounds the cached entries of each kind; beyond it the cache is emptied
// and filled again.
const maxLookups = 200_000

// lookupCache caches what documents need of other entities: parents, their status, and definitions
// of structured properties. Invalidate drops what has changed. It is safe for
// concurrent use.
type lookupCache struct {
	reader Reader

	mu         sync.RWMutex
	parents    map[urn.URN]urn.URN // empty for roots
	removed    map[urn.URN]bool    // of entities with columns, whether they are soft-deleted
	properties map[urn.URN]*Property
}

// Property is how values of a structured property are indexed; Field is empty for a
// property that is not defined.
type Property struct {
	Field string
	Kind  search.Kind
}

func newLookupCache(reader Reader) *lookupCache {
	return &lookupCache{reader: reader, parents: map[urn.URN]urn.URN{}, removed: map[urn.URN]bool{}, properties: map[urn.URN]*Property{}}
}

// Invalidate drops what is cached of an entity whose aspects have changed. Call it
// before documents that depend on the entity are built again.
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

// maxAncestors bounds a chain of parents; a cycle ends it sooner.
const maxAncestors = 100

// ancestors adds an entity and all above it to a list.
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

// property reads how values of a structured property are indexed.
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

// PropertyField is the field of a structured property as users name it, by its
// definition; empty without one.
func PropertyField(definition model.Object) string {
	field := PropertyOf(definition).Field
	if name := jsontree.Text(definition, "qualifiedName"); field == search.PlainName(search.PropertyPrefix+name) {
		return search.PropertyPrefix + name
	}
	return field
}

// PropertyOf is how values of a structured property are indexed, by its definition.
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

// propertyKind gives the kind of values, and the word for it in the names of
// versioned properties.
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
