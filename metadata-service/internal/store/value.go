package store

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ErrGone is the error if the value of a log entry is no longer stored. It is of kind
// fault.NotFound.
var ErrGone error = fault.New(fault.NotFound, "the value that the change made is no longer kept; go on from the current one")

// ValueAt returns the record that an entry made the latest, as it was then, possibly with the marks
// of later writes of the same value. For entries without a resulting record, such as deletions and
// time-series documents, it returns nil.
//
// An entry names a version, and version numbers recur: after a rollback or a deletion the next
// write reuses the number of a removed version. ValueAt never returns the value of another write in
// its place, but ErrGone: if retention trimmed the history, if the version was deleted or rolled
// back, or if it was replaced. A version that a rollback made the latest again counts as written by
// that rollback; for the entry of its first write the result is ErrGone.
func ValueAt(ctx context.Context, r Reader, e Entry) (*model.Record, error) {
	return versionAt(ctx, r, Key{URN: e.URN, Aspect: e.Aspect}, e.NewVersion, e.Sequence)
}

// ValueBefore returns the record that was the latest before an entry, nil if there was none.
// Otherwise it is as ValueAt.
func ValueBefore(ctx context.Context, r Reader, e Entry) (*model.Record, error) {
	return versionAt(ctx, r, Key{URN: e.URN, Aspect: e.Aspect}, e.OldVersion, e.Sequence-1)
}

// versionAt finds the record that was a version of the aspect at a sequence of the log. Each
// version has one record at a time, and a removed record never returns with its former sequence. A
// record that is the version now, and was written before the sequence, was therefore the version at
// that time.
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
		// A rollback may have made it the latest in between. The version is gone only if it is
		// missing in the history while the latest record stays the same.
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
