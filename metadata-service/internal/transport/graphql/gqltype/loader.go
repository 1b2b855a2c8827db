package gqltype

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Stored holds the data read for an entity: those of the requested aspects that the entity has,
// by name. The key aspect is present even when the entity was never written.
type Stored struct {
	URN     urn.URN
	Exists  bool
	Aspects map[string]jsontree.Object
	// Written holds the stamps of each of these aspects.
	Written map[string]Written
}

// Written holds the audit stamp of the first write of an aspect, and the time of its last write in
// milliseconds.
type Written struct {
	First model.AuditStamp
	Last  int64
}

// Reader reads entities of one type and returns them in the order of urns. It ignores aspects
// that the type does not have. The result for an entity that the reader cannot read is nil.
type Reader interface {
	Read(ctx context.Context, entityType string, urns []urn.URN, aspects []string) ([]*Stored, error)
}

// Place is the context of a value: its entity and, for a field of a record, the record.
type Place struct {
	URN    urn.URN
	Type   string // the GraphQL type of the entity
	Entity *Stored
	Record jsontree.Object
	Around jsontree.Object // the record that contains Record, nil for an aspect
}

// Aspect returns an aspect of the place's entity, nil when it is absent.
func (p Place) Aspect(name string) any {
	if p.Entity == nil {
		return nil
	}
	if a, ok := p.Entity.Aspects[name]; ok {
		return a
	}
	return nil
}

func (p Place) inRecord(record jsontree.Object) Place {
	p.Around, p.Record = p.Record, record
	return p
}

// Loader builds the values of a request. It collects the references found on the way and reads
// them together, with one read for each entity type and round. So the cost depends on the depth
// of a document and not on the size of its response.
//
// The caller must call Load before it uses the values. A Loader serves one call and is not safe
// for concurrent use.
type Loader struct {
	reader   Reader
	computed Computed
	err      error
	pending  map[string][]pending
	order    []string
	entities map[entityKey]any
}

// entityKey identifies an entity at one selection set of a document. All references to the same entity
// from the same selection set share one value, which is built once.
type entityKey struct {
	graphQLType string
	urn         urn.URN
	want        *selection.Set
}

type pending struct {
	urn     urn.URN
	aspects []string
	fill    func(ctx context.Context, stored *Stored)
}

// NewLoader creates a Loader.
func NewLoader(reader Reader, computed Computed) *Loader {
	return &Loader{reader: reader, computed: computed}
}

// Load reads the pending entities, round by round, until none is pending. It returns the first
// error of the reader, of a computed field, or of ctx.
func (l *Loader) Load(ctx context.Context) error {
	for len(l.order) > 0 && l.err == nil {
		order, round := l.order, l.pending
		l.order, l.pending = nil, nil
		for _, entityType := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := l.round(ctx, entityType, round[entityType]); err != nil {
				return err
			}
		}
	}
	return l.err
}

// entitiesPerYield is the number of entities that are converted between two yields of the
// processor to other requests.
const entitiesPerYield = 32

// round reads the pending entities of one type.
func (l *Loader) round(ctx context.Context, entityType string, requests []pending) error {
	position := make(map[urn.URN]int, len(requests))
	var urns []urn.URN
	var aspects []string
	wanted := make(map[string]bool)
	for _, p := range requests {
		if _, ok := position[p.urn]; !ok {
			position[p.urn] = len(urns)
			urns = append(urns, p.urn)
		}
		for _, a := range p.aspects {
			if !wanted[a] {
				wanted[a] = true
				aspects = append(aspects, a)
			}
		}
	}
	found, err := l.reader.Read(ctx, entityType, urns, aspects)
	if err != nil {
		return err
	}
	for i, p := range requests {
		if i%entitiesPerYield == 0 {
			idle.Yield(ctx)
		}
		stored := found[position[p.urn]]
		if stored == nil {
			stored = &Stored{URN: p.urn}
		}
		p.fill(ctx, stored)
	}
	return nil
}

// Later reads aspects of an entity in the next round and passes them to use. stored is never nil.
// The entity must be of a type that the reader supports.
func (l *Loader) Later(u urn.URN, aspects []string, use func(ctx context.Context, stored *Stored)) {
	l.enqueue(u.Type(), pending{urn: u, aspects: aspects, fill: use})
}

// enqueue adds an entity to the next round.
func (l *Loader) enqueue(entityType string, p pending) {
	if l.pending == nil {
		l.pending = make(map[string][]pending)
	}
	if _, ok := l.pending[entityType]; !ok {
		l.order = append(l.order, entityType)
	}
	l.pending[entityType] = append(l.pending[entityType], p)
}

// store keeps an entity for further references with the same key.
func (l *Loader) store(key entityKey, entity any) {
	if l.entities == nil {
		l.entities = make(map[entityKey]any)
	}
	l.entities[key] = entity
}

// check returns a function that records the first error of a computed field. A field that the
// actor may not see has no value and no error, so that one of them does not fail a whole page.
func check[T any](l *Loader) func(T, error) T {
	return func(v T, err error) T {
		if errors.Is(err, fault.Forbidden) {
			var none T
			return none
		}
		if err != nil && l.err == nil {
			l.err = err
		}
		return v
	}
}

// needs collects the aspects that the selected fields are read from.
func needs(want selection.Fields, of func(field string) []string) []string {
	var aspects []string
	for field := range want {
		aspects = append(aspects, of(field)...)
	}
	return aspects
}

func reference(v any, entityType string) (urn.URN, bool) {
	text, ok := v.(string)
	if !ok {
		return "", false
	}
	u, err := urn.Parse(text)
	return u, err == nil && u.Type() == entityType
}
