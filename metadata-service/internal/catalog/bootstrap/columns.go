package bootstrap

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const columnKey = "schemaFieldKey"

// encodeColumns is the upgrade of columns with parentheses in their names, which earlier versions
// did not encode in the URNs. It moves their aspects to the URN that clients use for the column,
// except for aspects that exist there already. Keys of columns get decoded paths.
func (s *Service) encodeColumns(ctx context.Context, columns []urn.URN, mark catalog.Proposal) (int, error) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(u urn.URN) bool { return u == model.CanonicalColumn(u) && !isEncoded(u) })
	records, err := s.Store.Aspects(ctx, columns)
	if err != nil {
		return 0, err
	}
	mended := 0
	for i, u := range columns {
		moved, err := s.moveColumn(ctx, u, records[i])
		if err != nil {
			return mended, err
		}
		if moved {
			mended++
		}
	}
	if mended > 0 {
		_, err = s.Catalog.Write(ctx, []catalog.Proposal{mark}, catalog.WriteOptions{Upgrade: true})
	}
	return mended, err
}

// isEncoded reports whether the URN of a column contains its path in encoded form.
func isEncoded(u urn.URN) bool {
	parts := u.Parts()
	_, path, ok := model.SplitColumn(u)
	return ok && path != parts[len(parts)-1]
}

// moveColumn writes the stored aspects of a column to its canonical URN, and reports whether that
// changed anything. If a rule refuses the move, the column keeps its URN and the refusal is logged.
func (s *Service) moveColumn(ctx context.Context, u urn.URN, stored []model.Record) (bool, error) {
	to := model.CanonicalColumn(u)
	var moved []catalog.Proposal
	existing, err := store.AspectsOf(ctx, s.Store, to)
	if err != nil {
		return false, err
	}
	for i := range stored {
		name := stored[i].Aspect
		has := slices.ContainsFunc(existing, func(r model.Record) bool { return r.Aspect == name })
		switch {
		case name == columnKey && u == to:
			moved = append(moved, catalog.Proposal{URN: string(to), Change: model.Upsert, Aspect: name, Value: jsontree.Encode(model.Object{})})
		case name != columnKey && u != to && !has:
			moved = append(moved, catalog.Proposal{URN: string(to), Change: model.Upsert, Aspect: name, Value: stored[i].Value})
		}
	}
	if u != to {
		moved = append(moved, catalog.Proposal{URN: string(u), Change: model.Delete, Aspect: columnKey})
	}
	if len(moved) == 0 {
		return false, nil
	}
	_, err = s.Catalog.Write(ctx, moved, catalog.WriteOptions{Upgrade: true})
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.Malformed || kind == fault.Conflict || kind == fault.TooLarge) {
		s.Log.WarnContext(ctx, "column kept its unencoded URN", "urn", u, "error", err)
		return false, nil
	}
	return err == nil, err
}
