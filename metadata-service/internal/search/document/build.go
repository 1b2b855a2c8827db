// Package document derives the search documents of entities from their aspects, by the search
// annotations of the registry. There is no code for single entity types or aspects, except for
// fields that depend on several aspects or entities: structured properties, referenced entities,
// and the ancestors that policies use.
//
// A search document depends on the latest records of its entity, in any order, and on a few facts
// about other entities: definitions of structured properties, parents of domains and containers,
// fields of business attributes. Dependents returns the index fields by which the search documents
// to rebuild are found when those change.
package document

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Source is the input for a search document: the latest versioned records of an entity.
type Source struct {
	URN     urn.URN
	Records []model.Record
}

// Reader reads other entities on which search documents depend. store.Reader implements it.
type Reader interface {
	Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error)
}

// Builder derives search documents. It is safe for concurrent use.
type Builder struct {
	entities  map[string]*entityPlan
	referring map[string][]string // see referringFields
	lookups   *lookupCache
}

// entityPlan is the plan for the search documents of an entity type.
type entityPlan struct {
	name    string
	aspects map[string]*aspectPlan
	flags   []string // derived "has values" fields, false unless an aspect has values
	counts  []string // derived counts, 0 unless an aspect has values
	refs    map[string][]model.SearchReference
	parent  model.Parent // empty for types without a hierarchy
}

// NewBuilder returns a Builder that reads other entities from reader.
func NewBuilder(r *model.Registry, reader Reader) *Builder {
	b := &Builder{entities: map[string]*entityPlan{}, lookups: newLookupCache(reader)}
	plans := map[string]*aspectPlan{}
	for _, a := range r.Aspects() {
		plans[a.Name] = planAspect(a)
	}
	for _, entity := range r.Entities() {
		if IsIndexed(entity) {
			b.entities[entity.Name] = planEntity(entity, plans)
		}
	}
	b.referring = referringFields(b.entities)
	return b
}

func planEntity(entity *model.EntitySpec, plans map[string]*aspectPlan) *entityPlan {
	p := &entityPlan{name: entity.Name, aspects: map[string]*aspectPlan{}, refs: map[string][]model.SearchReference{}}
	p.parent, _ = model.ParentOf(entity.Name)
	for _, a := range entity.Aspects {
		if len(a.SearchReferences) > 0 && !a.Confidential() {
			p.refs[a.Name] = a.SearchReferences
		}
		plan := plans[a.Name]
		if plan == nil {
			continue
		}
		p.aspects[a.Name] = plan
		for _, f := range plan.fields {
			if f.hasValues != "" && !slices.Contains(p.flags, f.hasValues) {
				p.flags = append(p.flags, f.hasValues)
			}
			if f.numValues != "" && !slices.Contains(p.counts, f.numValues) {
				p.counts = append(p.counts, f.numValues)
			}
		}
	}
	return p
}

// Build returns the search documents of entities, in order. It is nil for an entity without
// records, or of a type without a search index. Errors are those of the reader and of undecodable
// values.
func (b *Builder) Build(ctx context.Context, sources []Source) ([]*search.Document, error) {
	docs := make([]*search.Document, len(sources))
	var m documentMaker
	for i := range sources {
		plan := b.entities[sources[i].URN.Type()]
		if plan == nil || len(sources[i].Records) == 0 {
			continue
		}
		if err := m.document(ctx, b, plan, &sources[i]); err != nil {
			return nil, err
		}
		docs[i] = m.doc
	}
	return docs, nil
}

// documentMaker derives one search document at a time.
type documentMaker struct {
	scanner   scanner
	doc       *search.Document
	sequences map[string]uint64 // sequence of the record that provided a field
}

func (m *documentMaker) document(ctx context.Context, b *Builder, plan *entityPlan, s *Source) error {
	m.doc = &search.Document{URN: s.URN, Type: plan.name, Fields: make(map[string][]search.Value, 32)}
	if m.sequences == nil {
		m.sequences = map[string]uint64{}
	}
	clear(m.sequences)
	for i := range s.Records {
		if p := plan.aspects[s.Records[i].Aspect]; p != nil {
			m.aspect(p, &s.Records[i])
		}
	}
	m.derivedFields(plan)
	m.system(s.Records)
	for i := range s.Records {
		if err := m.related(ctx, b, plan, &s.Records[i]); err != nil {
			return err
		}
	}
	return m.addFollowed(ctx, b, s)
}

// aspect adds the fields of an aspect. If several aspects share a field, the one written last
// counts.
func (m *documentMaker) aspect(p *aspectPlan, rec *model.Record) {
	m.scanner.scan(p, rec.Value)
	for i := range p.fields {
		f := &p.fields[i]
		values := m.scanner.result(i)
		if len(values) == 0 {
			continue
		}
		if f.hasValues != "" {
			m.doc.Fields[f.hasValues] = trueValue
		}
		if f.modifiedAt != "" {
			m.setLatest(f.modifiedAt, writtenAt(rec))
		}
		if before, taken := m.sequences[f.name]; taken && before >= rec.Sequence {
			continue
		}
		m.sequences[f.name] = rec.Sequence
		m.doc.Fields[f.name] = values
		if f.numValues != "" {
			m.doc.Fields[f.numValues] = []search.Value{{Number: float64(len(values))}}
		}
	}
}

// Values of derived fields, shared by all search documents.
var (
	trueValue  = []search.Value{{Text: "true"}}
	falseValue = []search.Value{{Text: "false"}}
	zeroValue  = []search.Value{{Number: 0}}
)

// setLatest sets a field to the later of two times.
func (m *documentMaker) setLatest(field string, at int64) {
	if have := m.doc.Fields[field]; len(have) == 0 || have[0].Number < float64(at) {
		m.doc.Fields[field] = []search.Value{{Number: float64(at)}}
	}
}

func writtenAt(rec *model.Record) int64 {
	if stamp := rec.System.AspectModified; stamp != nil {
		return stamp.Time
	}
	return rec.CreatedOn
}

// derivedFields sets the derived fields without values, so that entities without owners can be
// found like entities with owners.
func (m *documentMaker) derivedFields(plan *entityPlan) {
	for _, name := range plan.flags {
		if _, ok := m.doc.Fields[name]; !ok {
			m.doc.Fields[name] = falseValue
		}
	}
	for _, name := range plan.counts {
		if _, ok := m.doc.Fields[name]; !ok {
			m.doc.Fields[name] = zeroValue
		}
	}
}

// system adds the creation time of the entity and the runs that wrote its present aspects.
func (m *documentMaker) system(records []model.Record) {
	created := int64(0)
	var runs []string
	for i := range records {
		if at := createdAt(&records[i]); at > 0 && (created == 0 || at < created) {
			created = at
		}
		if run := records[i].System.RunID; run != "" && run != model.DefaultRunID && !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	if created > 0 {
		m.doc.Fields[systemCreatedField] = []search.Value{{Number: float64(created)}}
	}
	if len(runs) > 0 {
		slices.Sort(runs)
		m.doc.Fields[runIDField] = texts(runs)
	}
}

func createdAt(rec *model.Record) int64 {
	if stamp := rec.System.AspectCreated; stamp != nil && stamp.Time > 0 {
		return stamp.Time
	}
	return rec.CreatedOn
}

func texts(list []string) []search.Value {
	values := make([]search.Value, min(len(list), search.MaxListValues))
	for i := range values {
		values[i].Text = list[i]
	}
	return values
}
