package lineage

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// PlaceOf returns the place at which an edge names a hidden entity at one of its ends. It is the
// entity whose aspect names it, which is mostly the entity at the other end. For an edge of the
// hidden entity itself, or of the dataset of a hidden column, the place is at the other end, and
// different from that of the edges of the other end.
func PlaceOf(e *model.Edge, hidden urn.URN) string {
	otherEnd := e.Source
	if otherEnd == hidden {
		otherEnd = e.Destination
	}
	return placeOf(otherEnd, hidden, e.Owner)
}

func placeOf(otherEnd, hidden, owner urn.URN) string {
	if owner != assetOf(hidden) {
		return string(owner)
	}
	return string(assetOf(otherEnd)) + " by the other end"
}

// assetOf returns the dataset or chart of a column, and any other entity itself.
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

// hiddenEnd identifies a listed node for a hidden entity: one for each place that names it.
type hiddenEnd struct {
	place string
	at    int32
}

// partHidden lists each kept hidden entity once for each place that names it, with the edges from
// that place only, and removes hidden entities from Via. Results of different places therefore
// cannot be compared, neither by the number of entities nor by the paths to them.
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
			w.nodes = append(w.nodes, visitedNode{urn: w.nodes[e.to].urn, degree: depth, depth: depth, by: int32(i), flags: flagHidden | flagPart})
			w.places = append(w.places, end.place)
			parts[end] = at
		}
		e.to = at
	}
}
