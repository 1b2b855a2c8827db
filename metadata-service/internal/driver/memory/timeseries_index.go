package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

// tsNewIndex creates a state from two sorted lists, which it owns afterwards.
func tsNewIndex(applied uint64, plain, exploded []*timeseries.Document) *tsIndex {
	i := &tsIndex{applied: applied, plain: plain, exploded: exploded}
	for _, list := range [][]*timeseries.Document{plain, exploded} {
		for _, d := range list {
			i.bytes += tsBytes(d)
		}
	}
	return i
}

func (i *tsIndex) count() int64 { return int64(len(i.plain) + len(i.exploded)) }

// apply returns the state after a batch.
func (i *tsIndex) apply(ctx context.Context, batch timeseries.Batch) (*tsIndex, error) {
	docs := make(map[string]*timeseries.Document, i.count())
	for _, list := range [][]*timeseries.Document{i.plain, i.exploded} {
		for _, d := range list {
			docs[d.ID] = d
		}
	}
	for _, op := range batch.Ops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if op.Upsert != nil {
			docs[op.Upsert.ID] = tsClone(op.Upsert)
			continue
		}
		matcher, err := op.Erase.Matcher()
		if err != nil {
			return nil, err
		}
		erased := tsErased(docs, matcher, op.Erase.Limit)
		maps.DeleteFunc(docs, func(_ string, d *timeseries.Document) bool { return erased(d) })
	}
	var plain, exploded []*timeseries.Document
	for _, d := range docs {
		if d.Exploded {
			exploded = append(exploded, d)
		} else {
			plain = append(plain, d)
		}
	}
	slices.SortFunc(plain, tsOrder)
	slices.SortFunc(exploded, tsOrder)
	return tsNewIndex(batch.Sequence, plain, exploded), nil
}

// tsErased returns a function that reports whether an erasure removes a document.
func tsErased(docs map[string]*timeseries.Document, matcher *timeseries.Matcher, limit int) func(*timeseries.Document) bool {
	var plain []*timeseries.Document
	for _, d := range docs {
		if !d.Exploded && matcher.Match(d) {
			plain = append(plain, d)
		}
	}
	if limit <= 0 || len(plain) < limit {
		return matcher.Match
	}
	slices.SortFunc(plain, tsOrder)
	newest, removed := plain[limit-1].Time, map[string]bool{}
	for _, d := range plain[:limit] {
		removed[d.ID] = true
	}
	return func(d *timeseries.Document) bool {
		if d.Exploded {
			return matcher.Match(d) && d.Time < newest || removed[d.Parent]
		}
		return removed[d.ID]
	}
}

func tsOrder(a, b *timeseries.Document) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), strings.Compare(a.ID, b.ID))
}

// walk visits the documents that q selects, in its order, until visit returns false. It ignores
// q.After and q.Limit.
func (i *tsIndex) walk(ctx context.Context, q timeseries.Query, visit func(*timeseries.Document) bool) error {
	matcher, err := q.Matcher()
	if err != nil {
		return err
	}
	list := i.plain
	if q.Exploded {
		list = i.exploded
	}
	for n := range list {
		at := n
		if !q.Ascending {
			at = len(list) - 1 - n
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if matcher.Match(list[at]) && !visit(list[at]) {
			return nil
		}
	}
	return nil
}

// tsBehind reports whether d comes after q.After in the order of the query.
func tsBehind(d *timeseries.Document, q timeseries.Query) bool {
	if q.After == nil {
		return true
	}
	order := cmp.Or(cmp.Compare(d.Time, q.After.Time), strings.Compare(d.ID, q.After.ID))
	if q.Ascending {
		return order > 0
	}
	return order < 0
}

// tsClone returns a copy that shares no mutable data with d.
func tsClone(d *timeseries.Document) *timeseries.Document {
	c := *d
	c.Event = slices.Clone(d.Event)
	c.Columns = maps.Clone(d.Columns)
	c.System.Properties = maps.Clone(d.System.Properties)
	if d.System.AspectCreated != nil {
		created := *d.System.AspectCreated
		c.System.AspectCreated = &created
	}
	if d.System.AspectModified != nil {
		modified := *d.System.AspectModified
		c.System.AspectModified = &modified
	}
	return &c
}

func tsBytes(d *timeseries.Document) int64 {
	const numbers = 32 // time, flags and the numbers of the system metadata
	n := numbers + len(d.ID) + len(d.URN) + len(d.RunID) + len(d.MessageID) + len(d.Granularity) +
		len(d.Partition) + len(d.TimePartition) + len(d.Parent) + len(d.Event)
	for name, value := range d.Columns {
		n += len(name) + 8
		if text, ok := value.(string); ok {
			n += len(text)
		}
	}
	return int64(n)
}
