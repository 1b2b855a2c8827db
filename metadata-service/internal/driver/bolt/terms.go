package bolt

import (
	"context"
	"encoding/binary"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A term's key is the length of its index in one byte, the index, the length of
// its value in two, the value and the URN: no term is the beginning of another,
// and the URNs under one are in order.

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

// setTerm leaves a term alone that is as wanted: a page would be written for nothing.
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

// Lookup implements store.TermIndex. A long listing is read in several short
// transactions: entities that come and go meanwhile may or may not be in it.
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
