package memory

import (
	"context"
	"maps"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// AddTerm implements store.Tx.
func (tx *storeTx) AddTerm(_ context.Context, t store.Term, u urn.URN) error {
	return tx.changeTerm(t, u, func(urns map[urn.URN]bool) { urns[u] = true })
}

// RemoveTerm implements store.Tx.
func (tx *storeTx) RemoveTerm(_ context.Context, t store.Term, u urn.URN) error {
	return tx.changeTerm(t, u, func(urns map[urn.URN]bool) { delete(urns, u) })
}

func (tx *storeTx) changeTerm(t store.Term, u urn.URN, change func(map[urn.URN]bool)) error {
	if tx.over {
		return errTxOver
	}
	if err := store.CheckTermOf(t, u); err != nil {
		return err
	}
	if tx.terms[t] == nil {
		tx.terms[t] = make(map[urn.URN]bool)
		maps.Copy(tx.terms[t], tx.store.terms[t])
	}
	change(tx.terms[t])
	return nil
}

// Lookup implements store.Tx.
func (tx *storeTx) Lookup(_ context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error) {
	if tx.over {
		return nil, errTxOver
	}
	if err := store.CheckTerm(t); err != nil {
		return nil, err
	}
	urns, changed := tx.terms[t]
	if !changed {
		urns = tx.store.terms[t]
	}
	return storeLookup(urns, after, limit), nil
}

// Lookup implements store.TermIndex.
func (s *Store) Lookup(ctx context.Context, t store.Term, after urn.URN, limit int) (found []urn.URN, err error) {
	if err := store.CheckTerm(t); err != nil {
		return nil, err
	}
	err = s.view(ctx, func() { found = storeLookup(s.terms[t], after, limit) })
	return found, err
}

func storeLookup(urns map[urn.URN]bool, after urn.URN, limit int) []urn.URN {
	if limit <= 0 {
		limit = storePage
	}
	var found []urn.URN
	for u := range urns {
		if u > after {
			found = append(found, u)
		}
	}
	slices.Sort(found)
	return found[:min(limit, len(found))]
}
