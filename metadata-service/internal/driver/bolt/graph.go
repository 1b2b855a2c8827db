package bolt

import (
	"context"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var _ graph.Reader = (*Store)(nil)

// Edges implements graph.Reader. Nodes, types and neighbors are listed in the
// order in which the store first heard of them.
func (s *Store) Edges(ctx context.Context, q graph.Query) (edges []model.Edge, err error) {
	err = s.listEdges(ctx, q, func(l *edgeListing) error {
		skip := max(q.Skip, 0)
		return l.run(ctx, q.After, func(e edgeFound) (bool, error) {
			if skip > 0 {
				skip--
				return true, nil
			}
			var edge model.Edge
			if err := storeReadEdge(l.view, e.link, e.value, &edge); err != nil {
				return false, err
			}
			edges = append(edges, edge)
			return q.Limit <= 0 || len(edges) < q.Limit, nil
		})
	})
	if err != nil {
		return nil, err
	}
	return edges, nil
}

// CountEdges implements graph.Reader. It reads keys, and of the ends what a
// condition on their types needs.
func (s *Store) CountEdges(ctx context.Context, q graph.Query) (n int, err error) {
	err = s.listEdges(ctx, q, func(l *edgeListing) error {
		return l.run(ctx, nil, func(edgeFound) (bool, error) {
			n++
			return true, nil
		})
	})
	return n, err
}

// OwnedEdges implements graph.Reader.
func (s *Store) OwnedEdges(ctx context.Context, owner model.Key) (edges []model.Edge, err error) {
	err = s.read(ctx, func(v *storeView) error {
		links, err := storeOwnedLinks(v, owner)
		if err != nil {
			return err
		}
		edges, err = storeLinkedEdges(v, links)
		return err
	})
	if err != nil {
		return nil, err
	}
	return edges, nil
}

// storeOwnedLinks lists what an aspect of an entity made, in the order it was put.
func storeOwnedLinks(src storeSource, owner model.Key) ([]storeLink, error) {
	e, found, err := storeFindEntity(src, owner.URN)
	if !found || err != nil {
		return nil, err
	}
	aspect, found := src.number(storeAspectNames, owner.Aspect)
	if !found {
		return nil, nil
	}
	return storeDecodeLinks(src.get(storeEdgeLists, storeListKey(e.id, aspect)), e.id, aspect)
}

func storeLinkedEdges(src storeSource, links []storeLink) ([]model.Edge, error) {
	var edges []model.Edge
	for _, link := range links {
		raw := src.get(storeAdjacent, link.key(0))
		if raw == nil {
			return nil, storeCorrupt("list of edges")
		}
		var edge model.Edge
		if err := storeReadEdge(src, link, raw, &edge); err != nil {
			return nil, err
		}
		edges = append(edges, edge)
	}
	return edges, nil
}

// storeReadEdge decodes what a key and a value say.
func storeReadEdge(src storeSource, link storeLink, raw []byte, e *model.Edge) (err error) {
	via, err := storeDecodeEdge(raw, e, src)
	if err != nil {
		return err
	}
	if e.Source, err = storeNode(src, link.source); err != nil {
		return err
	}
	if e.Destination, err = storeNode(src, link.destination); err != nil {
		return err
	}
	e.Owner = e.Source
	if link.owner != link.source {
		if e.Owner, err = storeNode(src, link.owner); err != nil {
			return err
		}
	}
	e.Via = ""
	if via != 0 {
		if e.Via, err = storeNode(src, via); err != nil {
			return err
		}
	}
	e.Type, err = storeRelation(src, link.relation)
	return err
}

// storeNode is the URN with a number.
func storeNode(src storeSource, id uint64) (urn.URN, error) {
	raw := src.get(storeURNs, storeIDKey(id))
	if raw == nil {
		return "", storeCorrupt("end of an edge")
	}
	return urn.URN(raw), nil
}

func storeRelation(src storeSource, number uint32) (string, error) {
	name, known := src.text(storeWords, number)
	if !known {
		return "", storeCorrupt("name of a relationship")
	}
	return name, nil
}

// edgeListing carries out a query in one snapshot.
type edgeListing struct {
	view     *storeView
	wanted   edgeRange
	incoming byte // in which direction the nodes of the listing stand
	// Conditions that keys do not tell, empty for none.
	nodeTypes, neighborTypes []string

	typed    uint64 // the last node whose type was looked at
	nodeFits bool
}

// edgeFound is an edge, by the aspect that updated it last.
type edgeFound struct {
	link  storeLink
	at    storePlace
	value []byte
}

// same reports whether two finds are one edge, seen from the same end.
func (f edgeFound) same(other edgeFound) bool {
	return f.value != nil && f.at == other.at && f.link.same(other.link)
}

// listEdges prepares a query and runs fn, unless keys tell that nothing fits.
func (s *Store) listEdges(ctx context.Context, q graph.Query, fn func(*edgeListing) error) error {
	incoming, err := edgeDirection(q.Direction)
	if err != nil {
		return err
	}
	if len(q.Nodes) == 0 && len(q.Neighbors) > 0 {
		// The same edges seen from the other end, which is the end to look up.
		q.Nodes, q.Neighbors, q.NodeTypes, q.NeighborTypes = q.Neighbors, nil, q.NeighborTypes, q.NodeTypes
		incoming = 1 - incoming
	}
	return s.read(ctx, func(v *storeView) (err error) {
		l := &edgeListing{view: v, incoming: incoming, nodeTypes: q.NodeTypes, neighborTypes: q.NeighborTypes}
		if l.wanted.nodes, err = v.numbersOf(q.Nodes); err != nil {
			return err
		}
		if l.wanted.neighbors, err = v.numbersOf(q.Neighbors); err != nil {
			return err
		}
		l.wanted.relations[incoming] = relationRange{all: len(q.Types) == 0, numbers: storeRelations(v, q.Types)}
		return fn(l)
	})
}

func edgeDirection(d graph.Direction) (incoming byte, err error) {
	switch d {
	case graph.Outgoing:
		return 0, nil
	case graph.Incoming:
		return 1, nil
	}
	return 0, fault.New(fault.Invalid, "direction %q is neither %s nor %s", d, graph.Outgoing, graph.Incoming)
}

// numbersOf is nil for no URNs, and without those the store never heard of.
func (v *storeView) numbersOf(urns []urn.URN) ([]uint64, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	numbers := make([]uint64, 0, len(urns))
	for _, u := range urns {
		e, found, err := storeFindEntity(v, u)
		if err != nil {
			return nil, err
		}
		if found {
			numbers = append(numbers, e.id)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

func storeRelations(src storeSource, names []string) []uint32 {
	var numbers []uint32
	for _, name := range names {
		if number, known := src.number(storeWords, name); known {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// run yields each edge once, beginning behind one.
func (l *edgeListing) run(ctx context.Context, after *model.EdgeKey, yield func(edgeFound) (bool, error)) error {
	from, err := storeBehind(l.view, after, l.incoming)
	if err != nil {
		return err
	}
	var pending edgeFound // waits for further aspects that make the same edge
	on := true
	pass := func() (err error) {
		if on && pending.value != nil {
			on, err = yield(pending)
		}
		return err
	}
	err = l.view.scanEdges(ctx, &l.wanted, from, func(link storeLink, at storePlace, value []byte) (bool, error) {
		found := edgeFound{link, at, value}
		if pending.same(found) {
			return true, storeMergeEdge(l.view, &pending, found)
		}
		if err := pass(); err != nil || !on {
			return false, err
		}
		fits, err := l.fits(at)
		pending = edgeFound{}
		if fits {
			pending = found
		}
		return true, err
	})
	if err != nil {
		return err
	}
	return pass()
}

// storeBehind is the first possible key after those of an edge, nil for no edge.
func storeBehind(src storeSource, after *model.EdgeKey, incoming byte) ([]byte, error) {
	if after == nil {
		return nil, nil
	}
	link, err := storeLinkOf(src, after)
	if err != nil {
		return nil, err
	}
	return append(link.prefix(incoming), math.MaxUint8), nil
}

// storeLinkOf gives the numbers of an edge, by whatever aspect.
func storeLinkOf(src storeSource, key *model.EdgeKey) (link storeLink, err error) {
	for _, end := range []struct {
		number *uint64
		urn    urn.URN
	}{{&link.source, key.Source}, {&link.destination, key.Destination}, {&link.owner, key.Owner}} {
		e, found, err := storeFindEntity(src, end.urn)
		if err != nil {
			return link, err
		}
		if !found {
			return link, fault.New(fault.Invalid, "the listing cannot go on behind an edge of %q, which the store does not know; start from the beginning", end.urn)
		}
		*end.number = e.id
	}
	number, known := src.number(storeWords, key.Type)
	if !known {
		return link, fault.New(fault.Invalid, "the listing cannot go on behind an edge of type %q, which the store does not know; start from the beginning", key.Type)
	}
	link.relation = number
	return link, nil
}

// storeMergeEdge keeps the later of two aspects' views of an edge.
func storeMergeEdge(src storeSource, kept *edgeFound, other edgeFound) error {
	before, now := storeEdgeUpdated(kept.value), storeEdgeUpdated(other.value)
	if now == before {
		mine, known := src.text(storeAspectNames, kept.link.aspect)
		its, alsoKnown := src.text(storeAspectNames, other.link.aspect)
		if !known || !alsoKnown {
			return storeCorrupt("aspect of an edge")
		}
		if its < mine {
			*kept = other
		}
		return nil
	}
	if now > before {
		*kept = other
	}
	return nil
}

// fits checks the types of the ends.
func (l *edgeListing) fits(at storePlace) (bool, error) {
	if len(l.nodeTypes) > 0 {
		if at.node != l.typed {
			u, err := storeNode(l.view, at.node)
			if err != nil {
				return false, err
			}
			l.typed, l.nodeFits = at.node, slices.Contains(l.nodeTypes, u.Type())
		}
		if !l.nodeFits {
			return false, nil
		}
	}
	if len(l.neighborTypes) == 0 {
		return true, nil
	}
	u, err := storeNode(l.view, at.neighbor)
	return slices.Contains(l.neighborTypes, u.Type()), err
}
