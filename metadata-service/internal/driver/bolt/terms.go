package bolt

import (
	"context"
	"encoding/binary"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The key of a term is the length of its index in one byte, the index, the length of its value in
// two bytes, the value and the URN. No term is a prefix of another, and the URNs of a term are in
// order.

func termKey(t store.Term, u urn.URN) []byte {
	key := make([]byte, 0, 3+len(t.Index)+len(t.Value)+len(u))
	key = append(append(key, byte(len(t.Index))), t.Index...)
	key = append(binary.BigEndian.AppendUint16(key, uint16(len(t.Value))), t.Value...)
	return append(key, u...)
}

// AddTerm implements store.Tx.
func (tx *tx) AddTerm(_ context.Context, t store.Term, u urn.URN) error {
	return tx.setTerm(t, u, []byte{1})
}

// RemoveTerm implements store.Tx.
func (tx *tx) RemoveTerm(_ context.Context, t store.Term, u urn.URN) error {
	return tx.setTerm(t, u, nil)
}

// setTerm writes only if the term changes; an unnecessary write would cost a page.
func (tx *tx) setTerm(t store.Term, u urn.URN, value []byte) error {
	if tx.over {
		return errTxOver
	}
	if err := store.CheckTermOf(t, u); err != nil {
		return err
	}
	key := termKey(t, u)
	if there := tx.get(bucketTerms, key) != nil; there != (value != nil) {
		tx.set(bucketTerms, key, value)
	}
	return nil
}

// Lookup implements store.Tx.
func (tx *tx) Lookup(_ context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error) {
	if tx.over {
		return nil, errTxOver
	}
	if err := store.CheckTerm(t); err != nil {
		return nil, err
	}
	return lookUpTerm(tx, t, after, limit), nil
}

// Lookup implements store.TermIndex. It reads a long listing in several short transactions: an
// entity created or deleted meanwhile may be included or missing.
func (s *Store) Lookup(ctx context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error) {
	if err := store.CheckTerm(t); err != nil {
		return nil, err
	}
	return inSteps(limit, after, func(after urn.URN, limit int) (page []urn.URN, err error) {
		err = s.view(ctx, func(src source) error {
			page = lookUpTerm(src, t, after, limit)
			return nil
		})
		return page, err
	})
}

func lookUpTerm(src source, t store.Term, after urn.URN, limit int) []urn.URN {
	if limit <= 0 {
		limit = defaultLimit
	}
	prefix := termKey(t, "")
	var found []urn.URN
	for key := range src.each(bucketTerms, termKey(t, after), prefix) {
		u := urn.URN(key[len(prefix):])
		if u == after {
			continue
		}
		if found = append(found, u); len(found) == limit {
			break
		}
	}
	return found
}
