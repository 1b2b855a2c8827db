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
			if err := l.view.edge(e.link, e.value, &edge); err != nil {
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
		e, found, err := storeFindEntity(v, owner.URN)
		if !found || err != nil {
			return err
		}
		aspect, found := v.number(storeAspectNames, owner.Aspect)
		if !found {
			return nil
		}
		links, err := storeDecodeLinks(v.get(storeEdgeLists, storeListKey(e.id, aspect)), e.id, aspect)
		if err != nil {
			return err
		}
		for _, link := range links {
			raw := v.get(storeAdjacent, link.key(0))
			if raw == nil {
				return storeCorrupt("list of edges")
			}
			var edge model.Edge
			if err := v.edge(link, raw, &edge); err != nil {
				return err
			}
			edges = append(edges, edge)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return edges, nil
}

// edge decodes what a key and a value say.
func (v *storeView) edge(link storeLink, raw []byte, e *model.Edge) (err error) {
	via, err := storeDecodeEdge(raw, e, v)
	if err != nil {
		return err
	}
	if e.Source, err = v.node(link.source); err != nil {
		return err
	}
	if e.Destination, err = v.node(link.destination); err != nil {
		return err
	}
	e.Owner = e.Source
	if link.owner != link.source {
		if e.Owner, err = v.node(link.owner); err != nil {
			return err
		}
	}
	e.Via = ""
	if via != 0 {
		if e.Via, err = v.node(via); err != nil {
			return err
		}
	}
	e.Type, err = v.relation(link.relation)
	return err
}

// node is the URN with a number.
func (v *storeView) node(id uint64) (urn.URN, error) {
	raw := v.get(storeURNs, storeIDKey(id))
	if raw == nil {
		return "", storeCorrupt("end of an edge")
	}
	return urn.URN(raw), nil
}

func (v *storeView) relation(number uint32) (string, error) {
	name, known := v.text(storeWords, number)
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
		l.wanted.relations[incoming] = relationRange{all: len(q.Types) == 0, numbers: v.relations(q.Types)}
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

func (v *storeView) relations(names []string) []uint32 {
	var numbers []uint32
	for _, name := range names {
		if number, known := v.number(storeWords, name); known {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// run yields each edge once, beginning behind one.
func (l *edgeListing) run(ctx context.Context, after *model.EdgeKey, yield func(edgeFound) (bool, error)) error {
	from, err := l.behind(after)
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
			return true, l.merge(&pending, found)
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

// behind is the first possible key after those of an edge.
func (l *edgeListing) behind(after *model.EdgeKey) ([]byte, error) {
	if after == nil {
		return nil, nil
	}
	var link storeLink
	for _, end := range []struct {
		number *uint64
		urn    urn.URN
	}{{&link.source, after.Source}, {&link.destination, after.Destination}, {&link.owner, after.Owner}} {
		e, found, err := storeFindEntity(l.view, end.urn)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fault.New(fault.Invalid, "the listing cannot go on behind an edge of %q, which the store does not know; start from the beginning", end.urn)
		}
		*end.number = e.id
	}
	number, known := l.view.number(storeWords, after.Type)
	if !known {
		return nil, fault.New(fault.Invalid, "the listing cannot go on behind an edge of type %q, which the store does not know; start from the beginning", after.Type)
	}
	link.relation = number
	return append(link.prefix(l.incoming), math.MaxUint8), nil
}

// merge keeps the later of two aspects' views of an edge.
func (l *edgeListing) merge(kept *edgeFound, other edgeFound) error {
	before, now := storeEdgeUpdated(kept.value), storeEdgeUpdated(other.value)
	if now == before {
		mine, known := l.view.text(storeAspectNames, kept.link.aspect)
		its, alsoKnown := l.view.text(storeAspectNames, other.link.aspect)
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
			u, err := l.view.node(at.node)
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
	u, err := l.view.node(at.neighbor)
	return slices.Contains(l.neighborTypes, u.Type()), err
}
