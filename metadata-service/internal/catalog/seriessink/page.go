package seriessink

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// step is the effect of one log entry: the documents of one value, or an erasure.
type step struct {
	docs  []timeseries.Document
	erase *timeseries.Query
}

// page is the effect of a page of the log on one index.
type page struct {
	spec     timeseries.Spec
	steps    []step
	sequence uint64 // sequence of the last step
	// elements maps the ID of a plain document to the IDs of its exploded documents in the index.
	// Searching the index for them would visit all documents of the same entity and time, for each
	// document written.
	elements map[string][]string
}

// readAtOnce is the number of documents read at a time.
const readAtOnce = 100

// readElements determines the elements of the documents that the page replaces, or erases by their
// IDs. It derives them from the values in the index. There is no other writer of the index.
func (p *page) readElements(ctx context.Context, indices timeseries.Store, index string) error {
	if len(p.spec.Collections) == 0 {
		return nil
	}
	ids := p.ids()
	for len(ids) > 0 {
		part := ids[:min(len(ids), readAtOnce)]
		ids = ids[len(part):]
		stored, err := indices.Find(ctx, index, timeseries.Query{IDs: part})
		if err != nil {
			return err
		}
		for i := range stored {
			d := &stored[i]
			docs, err := timeseries.Explode(p.spec, d.URN, d.Event, d.System)
			if err != nil {
				docs, err = p.stored(ctx, indices, index, d)
			}
			if err != nil {
				return err
			}
			p.elements[d.ID] = elementIDs(docs)
		}
	}
	return nil
}

// stored returns a plain document and its elements as the index holds them, for values that were
// valid under an earlier model and are not any more.
func (p *page) stored(ctx context.Context, indices timeseries.Store, index string, plain *timeseries.Document) ([]timeseries.Document, error) {
	elements, err := indices.Find(ctx, index, timeseries.Query{
		URNs: []urn.URN{plain.URN}, From: &plain.Time, To: &plain.Time, Exploded: true,
		Filter: timeseries.Filter{{{Field: timeseries.ParentField, Values: []string{plain.ID}}}},
	})
	return append([]timeseries.Document{*plain}, elements...), err
}

// ids lists the plain documents that the page writes, and the documents that it erases by their
// IDs.
func (p *page) ids() []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, s := range p.steps {
		if s.erase == nil {
			add(s.docs[0].ID)
			continue
		}
		for _, id := range s.erase.IDs {
			add(id)
		}
	}
	return ids
}

func elementIDs(docs []timeseries.Document) []string {
	ids := make([]string, 0, len(docs)-1)
	for i := range docs[1:] {
		ids = append(ids, docs[1+i].ID)
	}
	return ids
}

// ops returns the operations of the batch. A replaced document loses its former elements. IDs of
// elements that an earlier erasure has removed are harmless.
func (p *page) ops() []timeseries.Op {
	var ops []timeseries.Op
	for _, s := range p.steps {
		if s.erase != nil {
			ops = append(ops, timeseries.Op{Erase: p.withElements(s.erase)})
			continue
		}
		id := s.docs[0].ID
		ops = append(ops, timeseries.Replace(p.elements[id], s.docs)...)
		if len(p.spec.Collections) > 0 {
			p.elements[id] = elementIDs(s.docs)
		}
	}
	return ops
}

// withElements adds the elements of the documents that an erasure names by their IDs.
func (p *page) withElements(q *timeseries.Query) *timeseries.Query {
	all := *q
	all.IDs = slices.Clone(q.IDs)
	for _, id := range q.IDs {
		all.IDs = append(all.IDs, p.elements[id]...)
	}
	return &all
}
