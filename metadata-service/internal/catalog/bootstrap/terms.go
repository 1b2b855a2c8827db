package bootstrap

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// fillTerms is the upgrade that adds the terms of a rule new to the catalog to stored aspects.
// Adding a term twice is harmless, so the mark may be written afterwards.
func (s *Service) fillTerms(r *rule.Rule) func(context.Context, []urn.URN, catalog.Proposal) (int, error) {
	return func(ctx context.Context, entities []urn.URN, mark catalog.Proposal) (int, error) {
		added := 0
		_, err := s.Store.Update(ctx, func(tx store.Tx) error {
			added = 0
			records, err := tx.Aspects(ctx, entities, r.Aspects...)
			if err != nil {
				return err
			}
			for _, aspects := range records {
				for i := range aspects {
					n, err := addTerms(ctx, tx, r, &aspects[i])
					if err != nil {
						return err
					}
					added += n
				}
			}
			return nil
		})
		if err != nil || added == 0 {
			return 0, err
		}
		_, err = s.Catalog.Write(ctx, []catalog.Proposal{mark}, catalog.WriteOptions{Upgrade: true})
		return added, err
	}
}

func addTerms(ctx context.Context, tx store.Tx, r *rule.Rule, rec *model.Record) (int, error) {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return 0, err
	}
	var terms []rule.Term
	if r.Terms != nil {
		terms = r.Terms(rec.URN, value)
	}
	if r.CreatorTerms != nil {
		terms = append(terms, r.CreatorTerms(value, rec.CreatedBy)...)
	}
	for _, term := range terms {
		if err := tx.AddTerm(ctx, term, rec.URN); err != nil {
			return 0, err
		}
	}
	return len(terms), nil
}
