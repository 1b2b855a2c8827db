package lineage

import "github.com/cartulary/cartulary/metadata-service/internal/model"

// Window is an interval of epoch milliseconds, both ends included. An end of 0 is open. The zero
// Window matches all times.
type Window struct{ From, To int64 }

// Keeps reports whether an edge belongs to the lineage of the window: it was created or updated in
// it, has no times, or was drawn by a user, since no pipeline updates such an edge. A creation time
// later than the update is not part of the aspect, but the time of its write, and does not count.
func (w Window) Keeps(e *model.Edge) bool {
	created, updated := e.Created.Time, e.Updated.Time
	switch {
	case w == Window{}, created == 0 && updated == 0, w.holds(updated), (updated == 0 || created <= updated) && w.holds(created):
		return true
	}
	return e.Manual()
}

func (w Window) holds(at int64) bool {
	return at != 0 && at >= w.From && (w.To == 0 || at <= w.To)
}
