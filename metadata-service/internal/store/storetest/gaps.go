package storetest

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// gap is the distance between the sequences of a log with gaps.
const gap = 7

// WithGaps returns a store whose sequences increase by more than one, as in a database in which
// transactions fail or run concurrently. Closing it closes s.
func WithGaps(s store.Store) store.Store { return gapStore{s} }

// gapStore multiplies every sequence from the driver and divides every sequence to it. A sequence in a
// gap means the entry before it.
type gapStore struct{ store.Store }

func (g gapStore) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	commit, err := g.Store.Update(ctx, func(tx store.Tx) error { return fn(gapTx{tx}) })
	return store.Commit{First: commit.First * gap, Last: commit.Last * gap}, err
}

func (g gapStore) Entries(ctx context.Context, after uint64, limit int) ([]store.Entry, error) {
	entries, err := g.Store.Entries(ctx, after/gap, limit)
	spread := make([]store.Entry, len(entries)) // the slice of the driver may be shared
	for i, entry := range entries {
		spread[i] = entry
		spread[i].Sequence *= gap
	}
	return spread, err
}

func (g gapStore) Last() (uint64, <-chan struct{}) {
	last, more := g.Store.Last()
	return last * gap, more
}

func (g gapStore) Trim(ctx context.Context, upTo uint64) error { return g.Store.Trim(ctx, upTo/gap) }

func (g gapStore) Trimmed(ctx context.Context) (uint64, error) {
	trimmed, err := g.Store.Trimmed(ctx)
	return trimmed * gap, err
}

func (g gapStore) First(ctx context.Context) (uint64, error) {
	first, err := g.Store.First(ctx)
	return first * gap, err
}

// Unwrap returns the wrapped store, for callers that need its other ports.
func (g gapStore) Unwrap() store.Store { return g.Store }

type gapTx struct{ store.Tx }

func (g gapTx) Append(ctx context.Context, entry store.Entry) (uint64, error) {
	sequence, err := g.Tx.Append(ctx, entry)
	return sequence * gap, err
}

func (g gapTx) LastSequence(ctx context.Context) (uint64, error) {
	last, err := g.Tx.LastSequence(ctx)
	return last * gap, err
}
