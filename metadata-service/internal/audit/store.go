package audit

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxTextBytes bounds each text of an event besides its URNs, MaxURNBytes these.
// Record and the sink cut what is longer.
const (
	MaxTextBytes = 500
	MaxURNBytes  = 8192
)

// Store is the port of what keeps events. All methods are safe for concurrent
// use, and readers do not wait for writers. After Close every call fails with an
// error of kind fault.Unavailable.
type Store interface {
	// Append stores events, all or none, and returns once they are durable. An event whose
	// place is taken replaces what is there.
	Append(ctx context.Context, events []Event) error
	// Find lists events in the order of their places.
	Find(ctx context.Context, q Query) ([]Event, error)
	// Count tells how many events a query matches, its After and Limit apart, and stops
	// counting at most.
	Count(ctx context.Context, q Query, most int) (int, error)
	// Trim forgets the oldest events beyond the limits, and returns how many.
	Trim(ctx context.Context, l Limits) (int, error)
	// Sizes tells what each class takes.
	Sizes(ctx context.Context) (map[Class]Size, error)
	// Condition tells how the last write went.
	Condition() disk.State
	Close() error
}

// Query selects events. Empty lists select all, and what is selected fulfils all
// that is given.
type Query struct {
	From, To    int64 // epoch ms, inclusive and exclusive; a To of 0 means no end
	Types       []Type
	EntityTypes []string
	Aspects     []string
	Actors      []urn.URN
	Entities    []urn.URN
	// WrittenAspects are those of which events of the types of IsWrite are selected; nil means
	// all, and an empty list none.
	WrittenAspects []string
	After          *Place // the last one of the page before
	Limit          int    // at most so many; 0 or less means 1000
}

// DefaultLimit is the page of a Query without a limit.
const DefaultLimit = 1000

// Check refuses a query that no driver can answer.
func (q *Query) Check() error {
	if q.From < 0 || q.To < 0 {
		return fault.New(fault.Malformed, "the time of audit events is not negative")
	}
	return nil
}

// Classes lists where events that the query selects can be.
func (q *Query) Classes() []Class {
	if len(q.Types) == 0 {
		return Classes()
	}
	var found []Class
	for _, t := range q.Types {
		for _, c := range ClassesOf(t) {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	slices.Sort(found)
	return found
}

// SelectsPlace tells whether a place fits, whatever else the event holds. Paging
// is not looked at.
func (q *Query) SelectsPlace(p Place) bool {
	return p.Time >= q.From && (q.To == 0 || p.Time < q.To) && has(q.Types, p.Type) && has(q.Actors, p.Actor)
}

// Selects tells whether an event fits.
func (q *Query) Selects(e *Event) bool {
	if !q.SelectsPlace(e.Place()) || !has(q.Entities, e.Entity) || !has(q.Aspects, e.Aspect) || !has(q.EntityTypes, e.EntityType()) {
		return false
	}
	return q.WrittenAspects == nil || !e.Type.IsWrite() || slices.Contains(q.WrittenAspects, e.Aspect)
}

func has[T comparable](list []T, value T) bool { return len(list) == 0 || slices.Contains(list, value) }

func compare[T cmp.Ordered](a, b T) int { return cmp.Compare(a, b) }

// Limits say what is kept.
type Limits struct {
	Before   int64 // events older than this time, epoch ms, go; 0 keeps all
	MaxBytes int64 // of all events together; 0 keeps all
}

// Share is what a class may take of MaxBytes: half for administration, an eighth
// for refusals and the rest for writes. So the busiest class, or somebody who wants
// to cover up traces, cannot push out the others.
func (l Limits) Share(c Class) int64 {
	switch c {
	case Administration:
		return l.MaxBytes / 2
	case Refusals:
		return l.MaxBytes / 8
	}
	return l.MaxBytes - l.MaxBytes/2 - l.MaxBytes/8
}

// Size is what a class takes.
type Size struct {
	Events int64
	Bytes  int64
}
