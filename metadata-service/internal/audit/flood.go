package audit

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Limits on the recorded refusals in a time window. Together they allow about three thousand events
// a minute, regardless of the number of refusals.
const (
	floodWindow      = 60_000 // ms
	maxSeparateEqual = 10     // equal refusals that become separate events
	maxSeparate      = 1000   // refusals that become separate events
	maxTallies       = 1000   // keys of refusals that are counted separately
	unknownActor     = model.UnknownActor
)

// refusalKey is the common part of equal refusals.
type refusalKey struct {
	kind                       Type
	actor, entity              string
	address, reason, operation string
}

// tally counts refusals with the same refusalKey.
type tally struct {
	separate int   // refusals that became separate events
	last     Event // last of the counted refusals
	count    int64
}

// floods counts refusals beyond a few equal ones, so that a loop of them cannot fill the disk. At
// the end of a window each refusalKey becomes one event with their number.
type floods struct {
	window   int64
	separate int
	tallies  map[refusalKey]*tally
}

// admit reports whether a refusal becomes a separate event. Otherwise it counts the refusal.
func (f *floods) admit(e *Event) bool {
	if f.tallies == nil {
		f.tallies = map[refusalKey]*tally{}
	}
	f.window = max(f.window, e.Time/floodWindow)
	t := f.tally(e)
	if t.separate < maxSeparateEqual && f.separate < maxSeparate {
		t.separate++
		f.separate++
		return true
	}
	t.count++
	t.last = *e
	return false
}

func (f *floods) tally(e *Event) *tally {
	key := refusalKey{e.Type, string(e.Actor), string(e.Entity), e.Address, e.Reason, e.Operation}
	if t := f.tallies[key]; t != nil {
		return t
	}
	if len(f.tallies) >= maxTallies {
		// All further refusals of the type are counted together, without their actors.
		key = refusalKey{kind: e.Type}
		*e = Event{Type: e.Type, Time: e.Time, Number: e.Number, Actor: unknownActor, Reason: "more kinds of refusals in a minute than are counted separately"}
		if t := f.tallies[key]; t != nil {
			return t
		}
	}
	t := &tally{}
	f.tallies[key] = t
	return t
}

// close ends the window if it has passed, and returns the events with the counts.
func (f *floods) close(now int64) []Event {
	if f.tallies == nil || now/floodWindow <= f.window {
		return nil
	}
	return f.end()
}

func (f *floods) end() (counted []Event) {
	for _, t := range f.tallies {
		if t.count > 0 {
			t.last.Count = t.count
			counted = append(counted, t.last)
		}
	}
	*f = floods{window: f.window}
	slices.SortFunc(counted, func(a, b Event) int { return compare(a.Number, b.Number) })
	return counted
}
