package audit

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Bounds of what is recorded of refusals in a window of time. Together they allow
// some three thousand events a minute, whatever comes.
const (
	floodWindow  = 60_000 // ms
	aloneAlike   = 10     // refusals alike that are events of their own
	aloneInAll   = 1000   // refusals that are events of their own
	mostSorts    = 1000   // sorts of refusals that are told apart
	unknownActor = model.UnknownActor
)

// sort is what refusals alike have in common.
type sort struct {
	kind                       Type
	actor, entity              string
	address, reason, operation string
}

// tally counts refusals of a sort.
type tally struct {
	alone int   // that became events
	last  Event // of those that were counted
	count int64
}

// floods counts refusals beyond a few alike, so that a loop of them cannot fill the
// disk. At the end of a window each sort becomes one event with their number.
type floods struct {
	window int64
	alone  int
	sorts  map[sort]*tally
}

// admit tells whether a refusal is to be an event of its own. Otherwise it is counted.
func (f *floods) admit(e *Event) bool {
	if f.sorts == nil {
		f.sorts = map[sort]*tally{}
	}
	f.window = max(f.window, e.Time/floodWindow)
	t := f.tally(e)
	if t.alone < aloneAlike && f.alone < aloneInAll {
		t.alone++
		f.alone++
		return true
	}
	t.count++
	t.last = *e
	return false
}

func (f *floods) tally(e *Event) *tally {
	is := sort{e.Type, string(e.Actor), string(e.Entity), e.Address, e.Reason, e.Operation}
	if t := f.sorts[is]; t != nil {
		return t
	}
	if len(f.sorts) >= mostSorts {
		// All others of the type together: who they were is not told any more.
		is = sort{kind: e.Type}
		*e = Event{Type: e.Type, Time: e.Time, Number: e.Number, Actor: unknownActor, Reason: "more refusals than are told apart in a minute"}
		if t := f.sorts[is]; t != nil {
			return t
		}
	}
	t := &tally{}
	f.sorts[is] = t
	return t
}

// close ends the window when it is over at a time, and gives the events that tell
// what was counted.
func (f *floods) close(now int64) []Event {
	if f.sorts == nil || now/floodWindow <= f.window {
		return nil
	}
	return f.end()
}

func (f *floods) end() (counted []Event) {
	for _, t := range f.sorts {
		if t.count > 0 {
			t.last.Count = t.count
			counted = append(counted, t.last)
		}
	}
	*f = floods{window: f.window}
	slices.SortFunc(counted, func(a, b Event) int { return compare(a.Number, b.Number) })
	return counted
}
