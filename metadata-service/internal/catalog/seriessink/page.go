package seriessink

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// step is one entry of the log: the documents of one value, or an erasure.
type step struct {
	docs  []timeseries.Document
	erase *timeseries.Query
}

// page is what a page of the log does to one index.
type page struct {
	spec     timeseries.Spec
	steps    []step
	sequence uint64 // of the last step
	// elements are the ids of the exploded documents that the index holds of a plain one, by the id of
	// that. Looking for them in the index would visit all documents of the same entity and time, for each
	// document that is written.
	elements map[string][]string
}

// readAtOnce is how many documents are read at a time.
const readAtOnce = 100

// readElements finds the elements of the documents that the page replaces, or erases by their
// ids. It derives them from the values that the index holds. Nothing else writes the index
// meanwhile.
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

// stored gives a plain document and its elements as the index holds them, for values that an
// earlier model took and this one does not.
func (p *page) stored(ctx context.Context, indices timeseries.Store, index string, plain *timeseries.Document) ([]timeseries.Document, error) {
	elements, err := indices.Find(ctx, index, timeseries.Query{
		URNs: []urn.URN{plain.URN}, From: &plain.Time, To: &plain.Time, Exploded: true,
		Filter: timeseries.Filter{{{Field: timeseries.ParentField, Values: []string{plain.ID}}}},
	})
	return append([]timeseries.Document{*plain}, elements...), err
}

// ids lists the plain documents that the page writes, and the documents that it erases by their ids.
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

// ops are the steps of the batch. Elements go with the document that they were made with. Ids of
// elements that an erasure in between has taken do no harm.
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

// withElements adds the elements of the documents that an erasure names by their ids.
func (p *page) withElements(q *timeseries.Query) *timeseries.Query {
	all := *q
	all.IDs = slices.Clone(q.IDs)
	for _, id := range q.IDs {
		all.IDs = append(all.IDs, p.elements[id]...)
	}
	return &all
}
