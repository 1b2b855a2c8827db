// Package projection keeps everything derived equal to the store by following
// its change log: one follower reads the log and hands its entries, in order,
// to sinks. A sink projects the current state of what an entry names, never the
// entry's, so applying entries again does no harm.
//
// There are two kinds. A write is answered when the awaited sinks have applied
// it, so that the next read finds what was written: the search index, time
// series, what the process remembers. Nobody waits for a background sink: it
// may be slow, call other machines, and write through the catalog. Its writes
// wait for the awaited sinks alone, and their entries carry its name as their
// origin.
//
// A sink that fails is tried again, with growing pauses; the others go on, and
// writers do not wait for it meanwhile. A panic counts as a failure: it ends
// neither the process nor the goroutine that follows for the sink. After a
// failure the entries of the page are applied one by one, so that those before
// the one at fault are not held up by it. An awaited sink stays at that entry
// until it can be applied: passing over it would make reads wrong in silence. A
// background sink stays at an entry that gives an error, such as a machine that
// is away, and passes over one that made it panic too often, which is a defect
// that no waiting mends; it is told which entry it missed.
//
// Status tells how far each sink is, and counts what went wrong.
package projection

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// Sink is something derived from the log.
type Sink interface {
	// Name names the sink in positions, logs and metrics. It is unique and must not change.
	Name() string
	// Durable tells whether the sink keeps what it has applied when the process ends. A sink
	// that does goes on from its stored position; one that does not starts at the end of the
	// log and has to load the current state by itself before.
	Durable() bool
	// Apply brings the sink up to date with entries, in order, or fails as a whole. Each entry
	// comes at least once: after a failure or a crash entries come again. It returns when ctx
	// ends. Other sinks read the same entries: they must not be changed.
	Apply(ctx context.Context, entries []store.Entry) error
}

// SelectiveSink is a sink that entries of some kinds alone concern. Who writes others does not wait
// until it has applied what stands before them in the log, such as a large batch of documents.
type SelectiveSink interface {
	Sink
	// Concerns tells whether Apply does something with entries of a kind.
	Concerns(kind store.EntryKind) bool
}

// BackgroundSink is a sink that nobody waits for. What it writes under the
// context of Apply or Missed has its name as origin; it leaves out entries of
// that origin, or it would answer itself for ever.
type BackgroundSink interface {
	Sink
	// Missed tells of entries that Apply will not get. The sink makes up for them from the
	// current state of the store, or accepts that they are lost, and returns nil; until then it
	// is tried again, and nothing else comes.
	Missed(ctx context.Context, gap Gap) error
}

// Gap is a part of the log that a sink does not see, First to Last inclusive.
type Gap struct {
	First, Last uint64
	Cause       GapCause
}

// GapCause tells why a sink does not see entries.
type GapCause string

const (
	// Trimmed entries are no longer kept: the sink was too far behind, or is new.
	Trimmed GapCause = "trimmed"
	// Skipped is an entry on which Apply panicked, alone, again and again.
	Skipped GapCause = "skipped"
)

// Keeper is a snapshot keeper: a durable sink that stores its position itself,
// together with what it holds, and does so now and then. The follower goes on
// from Applied, and trims the log only up to what was kept.
type Keeper interface {
	Sink
	// Applied is the sequence of the log the sink stands for.
	Applied(ctx context.Context) (uint64, error)
	// Save keeps what the sink holds. Changes go on meanwhile. It tells the sequence that is
	// safe now, which may be that of an earlier Save when the sink has reasons not to save.
	Save(ctx context.Context) (kept uint64, err error)
}

// Status tells how far a sink is and what went wrong since the process started.
type Status struct {
	Sink     string
	Awaited  bool
	Position uint64 // last sequence applied
	Behind   uint64 // sequences between it and the end of the log: at least as many as entries
	Err      error  // why it does not go on, nil while it does
	Failures uint64 // attempts that failed, panics included
	Panics   uint64
	Skipped  uint64 // entries passed over
	Lost     uint64 // sequences trimmed before the sink had read their entries
	Missed   *Gap   // the last ones skipped or lost, nil when there are none
}
