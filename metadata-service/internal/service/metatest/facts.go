package metatest

import (
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// factPage is the number of assets decided at a time.
const factPage = 200

// maxSeriesDocuments is the maximum number of time-series documents read for one property of one
// asset: the newest of its period.
const maxSeriesDocuments = 10_000

// needs returns the union of the data that tests need.
func needs(tests []compiledTest) language.Needs {
	var all language.Needs
	for _, t := range tests {
		n := t.test.Needs()
		all.Document = all.Document || n.Document
		all.Aspects = union(all.Aspects, n.Aspects)
		all.Related = union(all.Related, n.Related)
		all.Relations = union(all.Relations, n.Relations)
		all.Series = union(all.Series, n.Series)
		all.Properties = union(all.Properties, n.Properties)
	}
	return all
}

func union[T comparable](a, b []T) []T {
	for _, one := range b {
		if !slices.Contains(a, one) {
			a = append(a, one)
		}
	}
	return a
}

// read reads the facts that tests need about assets, as of a time. Facts of an asset that does not
// exist or is soft-deleted are nil.
func (s *Service) read(ctx context.Context, assets []urn.URN, tests []compiledTest, at time.Time) ([]*language.Facts, error) {
	return s.readBy(ctx, s.Reader, assets, tests, at)
}

// readBy is like read, and reads aspects with the given reader.
func (s *Service) readBy(ctx context.Context, reader document.Reader, assets []urn.URN, tests []compiledTest, at time.Time) ([]*language.Facts, error) {
	n := needs(tests)
	var names []string // empty for all aspects, which a search document needs
	if !n.Document {
		names = union(union([]string{"status"}, n.Aspects), s.keysOf(assets))
	}
	records, err := reader.Aspects(ctx, assets, names...)
	if err != nil {
		return nil, err
	}
	properties, err := s.propertiesOf(ctx, n.Properties)
	if err != nil {
		return nil, err
	}
	facts := make([]*language.Facts, len(assets))
	var sources []document.Source
	for i, u := range assets {
		if len(records[i]) == 0 || isRemoved(records[i]) {
			continue
		}
		facts[i] = &language.Facts{Context: ctx, URN: u, Type: u.Type(), At: at, Kinds: s.kinds[u.Type()], Records: byAspect(records[i]), Properties: properties}
		sources = append(sources, document.Source{URN: u, Records: records[i]})
	}
	if n.Document {
		if err := s.addDocuments(ctx, facts, sources); err != nil {
			return nil, err
		}
	}
	if err := addOthers(ctx, reader, facts, tests, n.Related); err != nil {
		return nil, err
	}
	for _, f := range facts {
		if f == nil {
			continue
		}
		if err := s.addCounts(ctx, f, n); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// propertiesOf returns the index properties of structured properties. It omits undefined ones.
func (s *Service) propertiesOf(ctx context.Context, urns []urn.URN) (map[urn.URN]document.Property, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	records, err := s.Reader.Aspects(ctx, urns, language.Definitions.Aspect)
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]document.Property, len(urns))
	for i, u := range urns {
		rec := findAspect(records[i], language.Definitions.Aspect)
		if rec == nil {
			continue
		}
		definition, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, err
		}
		if p := document.PropertyOf(definition); p.Field != "" {
			out[u] = p
		}
	}
	return out, nil
}

// keysOf returns the names of the key aspects of assets. A key aspect shows that an asset exists.
func (s *Service) keysOf(assets []urn.URN) []string {
	var names []string
	for _, u := range assets {
		if spec, ok := s.Edit.Registry.Entity(u.Type()); ok {
			names = union(names, []string{spec.Key.Name})
		}
	}
	return names
}

func byAspect(records []model.Record) map[string]*model.Record {
	out := make(map[string]*model.Record, len(records))
	for i := range records {
		out[records[i].Aspect] = &records[i]
	}
	return out
}

// isRemoved reports whether an entity is soft-deleted.
func isRemoved(records []model.Record) bool {
	status := findAspect(records, "status")
	if status == nil {
		return false
	}
	value, err := jsontree.DecodeObject(status.Value)
	return err == nil && jsontree.Bool(value, "removed")
}

func (s *Service) addDocuments(ctx context.Context, facts []*language.Facts, sources []document.Source) error {
	docs, err := s.builder.Build(ctx, sources)
	if err != nil {
		return err
	}
	next := 0
	for _, f := range facts {
		if f != nil {
			f.Document = docs[next]
			next++
		}
	}
	return nil
}

// addOthers reads aspects of the entities that facts refer to, with one call.
func addOthers(ctx context.Context, reader document.Reader, facts []*language.Facts, tests []compiledTest, aspects []string) error {
	if len(aspects) == 0 {
		return nil
	}
	var others []urn.URN
	seen := map[urn.URN]bool{}
	for _, f := range facts {
		if f == nil {
			continue
		}
		for _, t := range tests {
			for _, u := range t.test.References(f) {
				if !seen[u] {
					seen[u] = true
					others = append(others, u)
				}
			}
		}
	}
	records, err := reader.Aspects(ctx, others, aspects...)
	if err != nil {
		return err
	}
	known := map[model.Key]*model.Record{}
	for i := range records {
		for j := range records[i] {
			known[records[i][j].Key()] = &records[i][j]
		}
	}
	for _, f := range facts {
		if f != nil {
			f.Others = known
		}
	}
	return nil
}

// addCounts adds relationship counts and time-series values of one asset.
func (s *Service) addCounts(ctx context.Context, f *language.Facts, n language.Needs) error {
	if len(n.Relations) > 0 {
		f.Relations = make(map[language.Relation]int, len(n.Relations))
	}
	for _, r := range n.Relations {
		q := graph.Query{Nodes: []urn.URN{f.URN}, Direction: graph.Outgoing, Types: []string{r.Name}}
		if r.Incoming {
			q.Direction, q.NeighborTypes = graph.Incoming, s.readTypes
		}
		count, err := s.Graph.CountEdges(ctx, q)
		if err != nil {
			return err
		}
		f.Relations[r] = count
	}
	if len(n.Series) > 0 {
		f.Series = make(map[language.Series]float64, len(n.Series))
	}
	for _, series := range n.Series {
		if value, ok, err := s.series(ctx, f.URN, series, f.At); err != nil {
			return err
		} else if ok {
			f.Series[series] = value
		}
	}
	return nil
}

// series aggregates the documents of a time series in the period that ends at a time.
func (s *Service) series(ctx context.Context, u urn.URN, series language.Series, at time.Time) (value float64, ok bool, err error) {
	from, to := at.Add(-series.Period).UnixMilli(), at.UnixMilli()
	q := timeseries.Query{URNs: []urn.URN{u}, From: &from, To: &to, Limit: maxSeriesDocuments}
	index := timeseries.IndexName(u.Type(), series.Aspect)
	if series.Aggregation == language.Count {
		n, err := s.Documents.Count(ctx, index, q)
		return float64(n), true, err
	}
	if series.Aggregation == language.Latest {
		q.Limit = 1
	}
	found, err := s.Documents.Find(ctx, index, q)
	if err != nil {
		return 0, false, err
	}
	var numbers []float64
	for _, d := range found {
		event, err := jsontree.Decode(d.Event)
		if err != nil {
			return 0, false, err
		}
		if n, ok := series.Of(event); ok {
			numbers = append(numbers, n)
		}
	}
	value, ok = series.Aggregate(numbers)
	return value, ok, nil
}
