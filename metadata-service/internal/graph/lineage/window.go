package lineage

import "github.com/cartulary/cartulary/metadata-service/internal/model"

// Window is a span of time in epoch milliseconds, both ends included, 0 for an
// open one. The zero Window is all times.
type Window struct{ From, To int64 }

// Keeps tells whether an edge belongs to the lineage of the window: it was
// created or updated in it, does not say when, or was drawn by a person, which
// no pipeline will ever update. A creation behind the update is no statement of
// the aspect: it is when the aspect was written.
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
