package store

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ErrGone says that the value a log entry names is no longer kept. It is of kind
// fault.NotFound.
var ErrGone error = fault.New(fault.NotFound, "the value that the change made is no longer kept; go on from the current one")

// ValueAt gives the row that an entry made the latest, as it was then or with
// what later writes of the same value noted in it. Entries that leave no row
// behind, such as deletions and time-series documents, give nil.
//
// An entry names a version, and versions come again: after a rollback or a
// deletion the next write takes the number of one that is gone. ValueAt never
// gives the value of another write in its place, but ErrGone: when history was
// trimmed by retention, when the version was deleted or rolled back, and when it
// was replaced. A version that a rollback made the latest again counts as
// written by that rollback; the entry of its first writing gives ErrGone.
func ValueAt(ctx context.Context, r Reader, e Entry) (*model.Record, error) {
	return versionAt(ctx, r, Key{URN: e.URN, Aspect: e.Aspect}, e.NewVersion, e.Sequence)
}

// ValueBefore gives the row that was the latest before an entry, nil when there
// was none. Otherwise it is as ValueAt.
func ValueBefore(ctx context.Context, r Reader, e Entry) (*model.Record, error) {
	return versionAt(ctx, r, Key{URN: e.URN, Aspect: e.Aspect}, e.OldVersion, e.Sequence-1)
}

// versionAt finds the row that was a version of the aspect at a sequence of the
// log. One version is one row at a time, and a row that leaves never comes back
// with the sequence it had: a row that is a version now, and was written before,
// was it at that time.
func versionAt(ctx context.Context, r Reader, key Key, version int64, at uint64) (*model.Record, error) {
	if version == 0 {
		return nil, nil
	}
	var before *model.Record
	for again := false; ; again = true {
		latest, err := latestOf(ctx, r, key)
		if err != nil {
			return nil, err
		}
		if latest != nil && LogicalVersion(latest) == version {
			return writtenBy(latest, at)
		}
		// A rollback may have made it the latest since that was read: only what is missing in
		// the history while the latest stays the same is gone.
		if again && sequenceOf(latest) == sequenceOf(before) {
			return nil, ErrGone
		}
		row, err := r.Row(ctx, key, version)
		if err != nil {
			return nil, err
		}
		if row != nil {
			return writtenBy(row, at)
		}
		before = latest
	}
}

func latestOf(ctx context.Context, r Reader, key Key) (*model.Record, error) {
	records, err := r.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

func writtenBy(rec *model.Record, at uint64) (*model.Record, error) {
	if rec.Sequence > at {
		return nil, ErrGone
	}
	return rec, nil
}

func sequenceOf(rec *model.Record) uint64 {
	if rec == nil {
		return 0
	}
	return rec.Sequence
}
