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

// Stored is what was read of an entity: the aspects asked for that it has, by
// name. The key aspect is there for entities that were never written, too.
type Stored struct {
	URN     urn.URN
	Exists  bool
	Aspects map[string]jsontree.Object
	// Written tells when each of them was first written, and by whom.
	Written map[string]model.AuditStamp
}

// Reader reads entities of one type, in the order asked. Aspects the type does
// not have are ignored. An entity that the reader cannot read is nil.
type Reader interface {
	Read(ctx context.Context, entityType string, urns []urn.URN, aspects []string) ([]*Stored, error)
}

// Place is where a value stands: the entity it belongs to, and for a field of a
// record the record.
type Place struct {
	URN    urn.URN
	Type   string // the GraphQL type of the entity
	Entity *Stored
	Record jsontree.Object
	Around jsontree.Object // the record that Record lies in, nil for an aspect
}

// Aspect gives an aspect of the place's entity, nil when it is absent.
func (p Place) Aspect(name string) any {
	if p.Entity == nil {
		return nil
	}
	if a, ok := p.Entity.Aspects[name]; ok {
		return a
	}
	return nil
}

func (p Place) in(record jsontree.Object) Place {
	p.Around, p.Record = p.Record, record
	return p
}

// Loader builds the values of a request. References found on the way are
// collected and read together, one read for each entity type and round, so the
// cost depends on how deep a document goes and not on how wide its answer is.
//
// Load must be called before values are handed out. A Loader serves one call
// and is not safe for concurrent use.
type Loader struct {
	reader   Reader
	computed Computed
	err      error
	pending  map[string][]pending
	order    []string
	made     map[spot]any
}

// spot is where an entity stands in an answer. Wherever an entity is asked for
// by the same place of the document, it is the same value, and is made once.
type spot struct {
	graphQLType string
	urn         urn.URN
	want        *selection.Set
}

type pending struct {
	urn     urn.URN
	aspects []string
	fill    func(ctx context.Context, stored *Stored)
}

// NewLoader makes a loader.
func NewLoader(reader Reader, computed Computed) *Loader {
	return &Loader{reader: reader, computed: computed}
}

// Load reads what is pending until nothing is.
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

// entitiesPerYield is how many entities are made into values of the schema between two times at which others may be worked on.
const entitiesPerYield = 32

// round reads the entities of one type.
func (l *Loader) round(ctx context.Context, entityType string, asked []pending) error {
	position := make(map[urn.URN]int, len(asked))
	var urns []urn.URN
	var aspects []string
	wanted := make(map[string]bool)
	for _, p := range asked {
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
	for i, p := range asked {
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

// Later reads aspects of an entity in the next round and hands them over. What
// use gets is never nil. The entity must be of a type that the reader knows.
func (l *Loader) Later(u urn.URN, aspects []string, use func(ctx context.Context, stored *Stored)) {
	l.later(u.Type(), pending{urn: u, aspects: aspects, fill: use})
}

// later notes that an entity is to be read.
func (l *Loader) later(entityType string, p pending) {
	if l.pending == nil {
		l.pending = make(map[string][]pending)
	}
	if _, ok := l.pending[entityType]; !ok {
		l.order = append(l.order, entityType)
	}
	l.pending[entityType] = append(l.pending[entityType], p)
}

// keep notes an entity for the next time it is asked for.
func (l *Loader) keep(at spot, made any) {
	if l.made == nil {
		l.made = make(map[spot]any)
	}
	l.made[at] = made
}

// check keeps the first error of a computed field. A field that the reader may
// not show is nothing, so that one of them does not spoil a whole page.
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

// needs gathers the aspects that the fields asked for are read from.
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
