package auditlog

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxScanned is the maximum number of events that a search for a non-operator reads for a page, and
// for a total. scanChunk is the number of events per read.
const (
	maxScanned = exactTotal
	scanChunk  = 1000
)

// viewer decides which events a non-operator may see. It caches its decisions, so it serves one
// search.
type viewer struct {
	*Service
	byActor    bool // the query names actors, so events of hidden actors are omitted
	unreadable map[urn.URN]bool
	hidden     map[urn.URN]bool
}

func (s *Service) viewer(byActor bool) *viewer {
	return &viewer{s, byActor, map[urn.URN]bool{}, map[urn.URN]bool{}}
}

// search returns a page. For the first page it also counts all events of the query that the caller
// may see.
func (v *viewer) search(ctx context.Context, q audit.Query, size int, after *cursor) (Page, error) {
	want := scanGoal{keep: size + 1}
	if after == nil {
		want.count = true
	} else {
		q.After = &after.Place
	}
	found, err := v.scan(ctx, q, want)
	if err != nil {
		return Page{}, err
	}
	page := Page{Total: found.visible}
	if after != nil {
		page.Total = after.Total
	}
	next := found.lastRead
	if len(found.events) > size {
		found.events = found.events[:size]
		if next = nil; size > 0 {
			next = &found.places[size-1]
		}
	}
	page.Events = found.events
	if next != nil && size > 0 {
		page.next = &cursor{Place: *next, Total: page.Total}
	}
	return page, nil
}

// scanGoal is the goal of a scan: the number of visible events to keep, and whether to count all of
// them.
type scanGoal struct {
	keep  int
	count bool
}

// scanResult is the result of a scan. The places are those of its events, with unmasked actors.
type scanResult struct {
	events   []audit.Event
	places   []audit.Place
	visible  int
	lastRead *audit.Place // of the last event that was read; nil at the end of the log
}

func (v *viewer) scan(ctx context.Context, q audit.Query, want scanGoal) (out scanResult, err error) {
	for looked, kept := 0, 0; looked < maxScanned; {
		q.Limit = min(scanChunk, maxScanned-looked)
		read, err := v.cfg.Log.Find(ctx, q, 0)
		if err != nil {
			return out, err
		}
		looked += len(read.Events)
		events, places, err := v.filterVisible(ctx, read.Events)
		if err != nil {
			return out, err
		}
		out.visible += len(events)
		room := min(want.keep-kept, len(events))
		out.events, out.places = append(out.events, events[:room]...), append(out.places, places[:room]...)
		kept += room
		if len(read.Events) < q.Limit {
			out.lastRead = nil
			return out, nil
		}
		last := read.Events[len(read.Events)-1].Place()
		q.After, out.lastRead = &last, &last
		if kept == want.keep && !want.count {
			return out, nil
		}
	}
	return out, nil
}

// filterVisible returns copies of the visible events, masked for the caller, and their places.
func (v *viewer) filterVisible(ctx context.Context, events []audit.Event) ([]audit.Event, []audit.Place, error) {
	var entities, actors []urn.URN
	for i := range events {
		entities, actors = append(entities, events[i].Entity), append(actors, events[i].Actor)
	}
	if err := addDecisions(ctx, v.unreadable, entities, negate(v.cfg.Readable)); err != nil {
		return nil, nil, err
	}
	if err := addDecisions(ctx, v.hidden, actors, v.cfg.Hidden); err != nil {
		return nil, nil, err
	}
	var kept []audit.Event
	var places []audit.Place
	for _, e := range events {
		hidden := v.hidden[e.Actor]
		if v.unreadable[e.Entity] || hidden && v.byActor {
			continue
		}
		places = append(places, e.Place())
		if e.Address = ""; hidden {
			e.Actor = model.UnknownActor
		}
		kept = append(kept, e)
	}
	return kept, places, nil
}

// decideFunc reports a property of each URN.
type decideFunc func(ctx context.Context, urns []urn.URN) ([]bool, error)

func negate(of decideFunc) decideFunc {
	if of == nil {
		return nil
	}
	return func(ctx context.Context, urns []urn.URN) ([]bool, error) {
		answers, err := of(ctx, urns)
		for i := range answers {
			answers[i] = !answers[i]
		}
		return answers, err
	}
}

// addDecisions adds to known the decisions about URNs that are missing from it.
func addDecisions(ctx context.Context, known map[urn.URN]bool, urns []urn.URN, by decideFunc) error {
	if by == nil {
		return nil
	}
	var open []urn.URN
	for _, u := range urns {
		if _, is := known[u]; u != "" && !is {
			known[u] = true
			open = append(open, u)
		}
	}
	if len(open) == 0 {
		return nil
	}
	answers, err := by(ctx, slices.Clone(open))
	for i := range answers {
		known[open[i]] = answers[i]
	}
	return err
}
