// Package projection keeps derived data equal to the store by following its change log. One
// follower reads the log and hands its entries, in order, to sinks. A sink projects the current
// state of the record that an entry names, not the state of the entry, so applying entries again is
// harmless. A writer that has waited for a large batch of another one applies its own few entries
// ahead, to the sinks that support it.
//
// There are two kinds of sinks. A write is answered when the awaited sinks have applied it, so that
// the next read finds it; examples are the search index, time series and caches. No writer waits
// for a background sink: it may be slow, call other machines, and write through the catalog. Its
// writes wait only for the awaited sinks, and their entries carry its name as their origin.
//
// The follower retries a failing sink with growing pauses. The other sinks continue, and writers do
// not wait for the failing one. A panic counts as a failure: it ends neither the process nor the
// goroutine that follows for the sink. After a failure the follower applies the entries of the page
// one by one, so that the faulty entry does not hold up those before it. An awaited sink stays at
// the faulty entry until it can be applied: skipping it would silently break reads. A background
// sink stays at an entry that returns an error, for example because another machine is unavailable.
// It skips an entry that made it panic too often, since waiting does not repair a defect of the
// program; the follower reports the skipped entry to it.
//
// Status reports the position of each sink and counts its failures.
package projection

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Sink applies the entries of the log to derived data.
type Sink interface {
	// Name identifies the sink in positions, logs and metrics. It is unique and must not change.
	Name() string
	// Durable reports whether the applied data survives the end of the process. A durable sink
	// continues from its stored position. Any other sink starts at the end of the log and must load
	// the current state itself beforehand.
	Durable() bool
	// Apply brings the sink up to date with entries, in order, or fails as a whole. Each entry is
	// delivered at least once: entries come again after a failure or a crash. Apply returns when
	// ctx ends. It must not change the entries, since other sinks read the same slice.
	Apply(ctx context.Context, entries []store.Entry) error
}

// SelectiveSink is a sink that only entries of some kinds concern. Writers of other kinds do not
// wait until the sink has applied the entries before theirs, such as a large batch of time-series
// documents.
type SelectiveSink interface {
	Sink
	// Concerns reports whether Apply processes entries of the kind.
	Concerns(kind store.EntryKind) bool
}

// BackgroundSink is a sink that no writer waits for. Its writes under the context of Apply or
// Missed have its name as origin. It ignores entries of that origin, since otherwise it would
// answer its own writes for ever.
type BackgroundSink interface {
	Sink
	// Missed reports entries that Apply will not receive. The sink makes up for them from the
	// current state of the store, or accepts the loss, and returns nil. Until then the follower
	// repeats the call and delivers nothing else.
	Missed(ctx context.Context, gap Gap) error
}

// Gap is a range of the log that a sink does not receive, First to Last inclusive.
type Gap struct {
	First, Last uint64
	Cause       GapCause
}

// GapCause is the reason why a sink does not receive entries.
type GapCause string

const (
	// Trimmed entries are no longer in the log: the sink was too far behind, or is new.
	Trimmed GapCause = "trimmed"
	// Skipped is the cause for one entry on which Apply, called with it alone, has panicked
	// repeatedly.
	Skipped GapCause = "skipped"
)

// Keeper is a durable sink that saves its state as a snapshot from time to time and stores its
// position in the snapshot. The follower continues from Applied, and trims the log only up to the
// last saved snapshot.
type Keeper interface {
	Sink
	// Applied returns the sequence of the log that the state of the sink reflects.
	Applied(ctx context.Context) (uint64, error)
	// Save stores a snapshot of the sink while changes continue. It returns the sequence that is
	// safe, which may be that of an earlier snapshot when the sink has reasons not to save now.
	Save(ctx context.Context) (kept uint64, err error)
}

// Status is the progress of a sink and its failures since the start of the process.
type Status struct {
	Sink     string
	Awaited  bool
	Position uint64 // last sequence applied
	Behind   uint64 // sequences between Position and the end of the log: an upper bound of the entries
	Err      error  // error that stops the sink, nil while it advances
	Failures uint64 // failed attempts, panics included
	Panics   uint64
	Skipped  uint64 // entries skipped after repeated panics
	Lost     uint64 // sequences trimmed before the sink had read their entries
	Missed   *Gap   // last gap, skipped or lost; nil without one
}
