package lineage

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// PlaceOf tells by what an edge names a hidden entity at one of its ends: the entity whose aspects do, which is mostly
// the one at the other end. An edge that the hidden entity, or the dataset of a hidden column, makes itself is of the other
// end, and different from those that this one makes.
func PlaceOf(e *model.Edge, hidden urn.URN) string {
	near := e.Source
	if near == hidden {
		near = e.Destination
	}
	return placeOf(near, hidden, e.Owner)
}

func placeOf(near, hidden, owner urn.URN) string {
	if owner != assetOf(hidden) {
		return string(owner)
	}
	return string(assetOf(near)) + " by the other end"
}

// assetOf is the dataset or chart of a column, and every other entity itself.
func assetOf(u urn.URN) urn.URN {
	if !strings.HasPrefix(string(u), columnPrefix) {
		return u
	}
	if parent := model.ParentOfColumn(u); parent != "" {
		return parent
	}
	return u
}

var columnPrefix = urn.TypePrefix(model.ColumnType)

// hiddenEnd is what a walk lists of a hidden entity: one for each place by which it is named.
type hiddenEnd struct {
	place string
	at    int32
}

// partHidden lists the hidden entities that are kept once for each place that names them, each with the edges from there
// alone, and lets no edge pass through a hidden one. What others name is so no matter of comparison: neither by the number
// of entities nor by the ways to them.
func (w *walk) partHidden() {
	if w.Visible == nil {
		return
	}
	parts := map[hiddenEnd]int32{}
	for i := range w.edges {
		e := &w.edges[i]
		if e.via >= 0 && w.nodes[e.via].flags&flagHidden != 0 {
			e.via = -1
		}
		if w.nodes[e.to].flags&flagKept == 0 {
			continue
		}
		end := hiddenEnd{placeOf(w.nodes[e.from].urn, w.nodes[e.to].urn, w.owners[i]), e.to}
		at, known := parts[end]
		if !known {
			at = int32(len(w.nodes))
			depth := after(&w.nodes[e.from])
			w.nodes = append(w.nodes, visited{urn: w.nodes[e.to].urn, degree: depth, depth: depth, by: int32(i), flags: flagHidden | flagPart})
			w.places = append(w.places, end.place)
			parts[end] = at
		}
		e.to = at
	}
}
