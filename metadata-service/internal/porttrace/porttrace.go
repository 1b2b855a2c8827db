// Package porttrace wraps the ports with decorators that record spans of driver operations. The app
// applies them when tracing is on.
//
// Spans contain the numbers of requested and found items, and the names of entity types and
// aspects, which are words of the model. They contain no URNs and no query texts.
package porttrace

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/tracing"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Keys of attributes.
const (
	asked    = "cartulary.asked"   // number of requested rows, entities or nodes
	found    = "cartulary.found"   // number found
	aspects  = "cartulary.aspects" // names of requested aspects, if given
	types    = "cartulary.types"   // entity types
	index    = "cartulary.index"   // time-series index
	maxWords = 8
)

// words records the first of a list of names of the model.
func words(span tracing.Span, key string, names []string) {
	if span.Recording() && len(names) > 0 {
		span.Word(key, strings.Join(names[:min(len(names), maxWords)], ","))
	}
}

// Store returns a store that records its reads, and its transactions from the queue to the disk.
func Store(s store.Store) store.Store { return tracedStore{s} }

type tracedStore struct{ store.Store }

func (s tracedStore) Get(ctx context.Context, keys ...store.Key) (rows []*model.Record, err error) {
	ctx, span := tracing.Start(ctx, "store get")
	span.Count(asked, len(keys))
	rows, err = s.Store.Get(ctx, keys...)
	span.End(err)
	return rows, err
}

func (s tracedStore) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	ctx, span := tracing.Start(ctx, "store row")
	span.Word(aspects, key.Aspect)
	rec, err := s.Store.Row(ctx, key, row)
	span.End(err)
	return rec, err
}

func (s tracedStore) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	ctx, span := tracing.Start(ctx, "store rows")
	span.Word(aspects, key.Aspect)
	rows, err := s.Store.Rows(ctx, key)
	span.Count(found, len(rows))
	span.End(err)
	return rows, err
}

func (s tracedStore) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	ctx, span := tracing.Start(ctx, "store aspects")
	span.Count(asked, len(urns))
	words(span, aspects, names)
	rows, err := s.Store.Aspects(ctx, urns, names...)
	span.End(err)
	return rows, err
}

func (s tracedStore) RowSizes(ctx context.Context, key store.Key, rows ...int64) ([]int64, error) {
	ctx, span := tracing.Start(ctx, "store row sizes")
	span.Word(aspects, key.Aspect)
	span.Count(asked, len(rows))
	sizes, err := s.Store.RowSizes(ctx, key, rows...)
	span.End(err)
	return sizes, err
}

func (s tracedStore) AspectSizes(ctx context.Context, urns []urn.URN, names ...string) ([]int64, error) {
	ctx, span := tracing.Start(ctx, "store aspect sizes")
	span.Count(asked, len(urns))
	words(span, aspects, names)
	sizes, err := s.Store.AspectSizes(ctx, urns, names...)
	span.End(err)
	return sizes, err
}

func (s tracedStore) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	ctx, span := tracing.Start(ctx, "store transaction")
	commit, err := s.Store.Update(ctx, fn)
	span.End(err)
	return commit, err
}

func (s tracedStore) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	ctx, span := tracing.Start(ctx, "store scan")
	span.Word(types, q.Type)
	urns, err := s.Store.Scan(ctx, q)
	span.Count(found, len(urns))
	span.End(err)
	return urns, err
}

func (s tracedStore) Lookup(ctx context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error) {
	ctx, span := tracing.Start(ctx, "store lookup")
	urns, err := s.Store.Lookup(ctx, t, after, limit)
	span.Count(found, len(urns))
	span.End(err)
	return urns, err
}

// Graph returns a graph that records its reads. A walk has one span per level.
func Graph(g graph.Reader) graph.Reader { return tracedGraph{g} }

type tracedGraph struct{ graph.Reader }

func (g tracedGraph) Edges(ctx context.Context, q graph.Query) ([]model.Edge, error) {
	ctx, span := tracing.Start(ctx, "graph edges")
	span.Count(asked, len(q.Nodes))
	edges, err := g.Reader.Edges(ctx, q)
	span.Count(found, len(edges))
	span.End(err)
	return edges, err
}

func (g tracedGraph) CountEdges(ctx context.Context, q graph.Query) (int, error) {
	ctx, span := tracing.Start(ctx, "graph count")
	span.Count(asked, len(q.Nodes))
	n, err := g.Reader.CountEdges(ctx, q)
	span.Count(found, n)
	span.End(err)
	return n, err
}

func (g tracedGraph) Expand(ctx context.Context, nodes []urn.URN, steps []graph.Step, visit func(int, *model.Edge) bool) error {
	ctx, span := tracing.Start(ctx, "graph expand")
	if !span.Recording() {
		return g.Reader.Expand(ctx, nodes, steps, visit)
	}
	span.Count(asked, len(nodes))
	edges := 0
	err := g.Reader.Expand(ctx, nodes, steps, func(node int, e *model.Edge) bool {
		edges++
		return visit(node, e)
	})
	span.Count(found, edges)
	span.End(err)
	return err
}

// SearchIndex is an index that can be rebuilt.
type SearchIndex interface {
	search.Index
	search.Rebuilder
}

// Index returns an index that records searches and updates. It implements the same optional
// interfaces as the driver.
func Index(i SearchIndex) SearchIndex {
	traced := tracedIndex{i}
	selector, selects := i.(search.Selector)
	auditor, audits := i.(search.Auditor)
	switch {
	case selects && audits:
		return struct {
			tracedIndex
			tracedSelector
			search.Auditor
		}{traced, tracedSelector{selector}, auditor}
	case selects:
		return struct {
			tracedIndex
			tracedSelector
		}{traced, tracedSelector{selector}}
	case audits:
		return struct {
			tracedIndex
			search.Auditor
		}{traced, auditor}
	}
	return traced
}

type tracedIndex struct{ SearchIndex }

func (i tracedIndex) Search(ctx context.Context, q search.Query) (search.Result, error) {
	ctx, span := tracing.Start(ctx, "index search")
	words(span, types, q.Types)
	result, err := i.SearchIndex.Search(ctx, q)
	span.Count(found, len(result.Hits))
	span.End(err)
	return result, err
}

func (i tracedIndex) Autocomplete(ctx context.Context, q search.AutocompleteQuery) ([]search.Completion, error) {
	ctx, span := tracing.Start(ctx, "index autocomplete")
	words(span, types, q.Types)
	list, err := i.SearchIndex.Autocomplete(ctx, q)
	span.Count(found, len(list))
	span.End(err)
	return list, err
}

func (i tracedIndex) Apply(ctx context.Context, sequence uint64, changes []search.Change) error {
	ctx, span := tracing.Start(ctx, "index apply")
	span.Count(asked, len(changes))
	err := i.SearchIndex.Apply(ctx, sequence, changes)
	span.End(err)
	return err
}

func (i tracedIndex) Rebuild(ctx context.Context, sequence uint64, fill func(put func([]*search.Document) error) error) error {
	ctx, span := tracing.Start(ctx, "index rebuild")
	err := i.SearchIndex.Rebuild(ctx, sequence, fill)
	span.End(err)
	return err
}

type tracedSelector struct{ selector search.Selector }

// Select implements search.Selector.
func (s tracedSelector) Select(ctx context.Context, q search.Selection, visit func(urn.URN, search.ExpressionSet) error) (search.Passed, error) {
	ctx, span := tracing.Start(ctx, "index select")
	words(span, types, q.Types)
	span.Count(asked, len(q.Expressions))
	passed, err := s.selector.Select(ctx, q, visit)
	span.End(err)
	return passed, err
}

// Documents returns a time-series store that records reads, updates and compactions.
func Documents(d timeseries.Store) timeseries.Store { return tracedDocuments{d} }

type tracedDocuments struct{ timeseries.Store }

func (d tracedDocuments) Apply(ctx context.Context, name string, batch timeseries.Batch) error {
	ctx, span := tracing.Start(ctx, "time series apply")
	span.Word(index, name)
	err := d.Store.Apply(ctx, name, batch)
	span.End(err)
	return err
}

func (d tracedDocuments) Find(ctx context.Context, name string, q timeseries.Query) ([]timeseries.Document, error) {
	ctx, span := tracing.Start(ctx, "time series find")
	span.Word(index, name)
	documents, err := d.Store.Find(ctx, name, q)
	span.Count(found, len(documents))
	span.End(err)
	return documents, err
}

func (d tracedDocuments) Count(ctx context.Context, name string, q timeseries.Query) (int64, error) {
	ctx, span := tracing.Start(ctx, "time series count")
	span.Word(index, name)
	n, err := d.Store.Count(ctx, name, q)
	span.Count(found, int(n))
	span.End(err)
	return n, err
}

func (d tracedDocuments) Latest(ctx context.Context, name string, urns []urn.URN) (map[urn.URN]timeseries.Document, error) {
	ctx, span := tracing.Start(ctx, "time series latest")
	span.Word(index, name)
	span.Count(asked, len(urns))
	documents, err := d.Store.Latest(ctx, name, urns)
	span.Count(found, len(documents))
	span.End(err)
	return documents, err
}

func (d tracedDocuments) Compact(ctx context.Context, name string) (int64, error) {
	ctx, span := tracing.Start(ctx, "time series compact")
	span.Word(index, name)
	freed, err := d.Store.Compact(ctx, name)
	span.End(err)
	return freed, err
}
