package bootstrap

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// mendEdges is the upgrade of edges that lack properties because other elements of their aspect had
// none. Everything else about them is kept. Putting edges twice is harmless, so the mark may be
// written afterwards.
func (s *Service) mendEdges(ctx context.Context, entities []urn.URN, mark catalog.Proposal) (int, error) {
	records, err := s.Store.Aspects(ctx, entities, s.aspectsWithProperties()...)
	if err != nil {
		return 0, err
	}
	mended := map[store.Key][]model.Edge{}
	for _, rec := range slices.Concat(records...) {
		if !bytes.Contains(rec.Value, []byte(`"properties":{`)) {
			continue
		}
		edges, changed, err := s.edgesWithProperties(ctx, &rec)
		if err != nil {
			return 0, err
		}
		if changed {
			mended[rec.Key()] = edges
		}
	}
	return s.putEdges(ctx, mended, mark)
}

// putEdges replaces the edges of some aspects, and writes the mark if there are any. It returns the
// number of aspects.
func (s *Service) putEdges(ctx context.Context, mended map[store.Key][]model.Edge, mark catalog.Proposal) (int, error) {
	if len(mended) == 0 {
		return 0, nil
	}
	_, err := s.Store.Update(ctx, func(tx store.Tx) error {
		for key, edges := range mended {
			if err := tx.PutEdges(ctx, key, edges); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	_, err = s.Catalog.Write(ctx, []catalog.Proposal{mark}, catalog.WriteOptions{Upgrade: true})
	return len(mended), err
}

// columnLineage is the aspect in which a dataset states the lineage of its columns.
const columnLineage = "upstreamLineage"

// dropForeignColumns is the upgrade that removes edges between columns of other datasets, which
// earlier versions derived from the lineage of a dataset.
func (s *Service) dropForeignColumns(ctx context.Context, entities []urn.URN, mark catalog.Proposal) (int, error) {
	records, err := s.Store.Aspects(ctx, entities, columnLineage)
	if err != nil {
		return 0, err
	}
	spec, ok := s.registry.Aspect(columnLineage)
	mended := map[store.Key][]model.Edge{}
	for _, rec := range slices.Concat(records...) {
		if !ok || !bytes.Contains(rec.Value, []byte(`"fineGrainedLineages"`)) {
			continue
		}
		derived, err := store.RecordEdges(spec, &rec)
		if err != nil {
			return 0, err
		}
		makes := make(map[model.EdgeKey]bool, len(derived))
		for i := range derived {
			makes[derived[i].Key()] = true
		}
		stored, err := s.Graph.OwnedEdges(ctx, rec.Key())
		if err != nil {
			return 0, err
		}
		kept := slices.DeleteFunc(slices.Clone(stored), func(e model.Edge) bool { return e.Source != e.Owner && !makes[e.Key()] })
		if len(kept) < len(stored) {
			mended[rec.Key()] = kept
		}
	}
	return s.putEdges(ctx, mended, mark)
}

// aspectsWithProperties lists the aspects with relationships that may have properties.
func (s *Service) aspectsWithProperties() []string {
	var names []string
	for _, entity := range s.registry.Entities() {
		for _, a := range entity.Aspects {
			has := slices.ContainsFunc(a.Relationships, func(r model.Relationship) bool { return r.Properties != "" })
			if has && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// edgesWithProperties returns the stored edges of an aspect with the properties that its value
// gives them, and reports whether that changes any.
func (s *Service) edgesWithProperties(ctx context.Context, rec *model.Record) (edges []model.Edge, changed bool, err error) {
	spec, ok := s.registry.Aspect(rec.Aspect)
	if !ok {
		return nil, false, nil
	}
	derived, err := store.RecordEdges(spec, rec)
	if err != nil {
		return nil, false, err
	}
	if edges, err = s.Graph.OwnedEdges(ctx, rec.Key()); err != nil {
		return nil, false, err
	}
	properties := make(map[model.EdgeKey]json.RawMessage, len(derived))
	for i := range derived {
		properties[derived[i].Key()] = derived[i].Properties
	}
	for i := range edges {
		if want := properties[edges[i].Key()]; !bytes.Equal(want, edges[i].Properties) {
			edges[i].Properties, changed = want, true
		}
	}
	return edges, changed, nil
}
