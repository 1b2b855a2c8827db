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

// Edges implements graph.Reader. Nodes, types and neighbors are listed in the order in which the
// store assigned their numbers.
func (s *Store) Edges(ctx context.Context, q graph.Query) (edges []model.Edge, err error) {
	err = s.listEdges(ctx, q, func(l *edgeListing) error {
		skip := max(q.Skip, 0)
		return l.run(ctx, q.After, func(e edgeFound) (bool, error) {
			if skip > 0 {
				skip--
				return true, nil
			}
			var edge model.Edge
			if err := readEdge(l.view, e.link, e.value, &edge); err != nil {
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

// CountEdges implements graph.Reader. It reads keys, and the URNs of the ends if the query has a
// condition on their types.
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
	err = s.read(ctx, func(v *view) error {
		links, err := ownedLinks(v, owner)
		if err != nil {
			return err
		}
		edges, err = linkedEdges(v, links)
		return err
	})
	if err != nil {
		return nil, err
	}
	return edges, nil
}

// ownedLinks returns the links that an aspect of an entity produced, in the order in which they
// were put.
func ownedLinks(src source, owner model.Key) ([]edgeLink, error) {
	e, found, err := findEntity(src, owner.URN)
	if !found || err != nil {
		return nil, err
	}
	aspect, found := src.number(aspectNames, owner.Aspect)
	if !found {
		return nil, nil
	}
	return decodeLinks(src.get(bucketEdgeLists, edgeListKey(e.id, aspect)), e.id, aspect)
}

func linkedEdges(src source, links []edgeLink) ([]model.Edge, error) {
	var edges []model.Edge
	for _, link := range links {
		raw := src.get(bucketAdjacent, link.key(0))
		if raw == nil {
			return nil, corrupt("list of edges")
		}
		var edge model.Edge
		if err := readEdge(src, link, raw, &edge); err != nil {
			return nil, err
		}
		edges = append(edges, edge)
	}
	return edges, nil
}

// readEdge decodes the key and the value of an edge.
func readEdge(src source, link edgeLink, raw []byte, e *model.Edge) (err error) {
	via, err := decodeEdge(raw, e, src)
	if err != nil {
		return err
	}
	if e.Source, err = nodeURN(src, link.source); err != nil {
		return err
	}
	if e.Destination, err = nodeURN(src, link.destination); err != nil {
		return err
	}
	e.Owner = e.Source
	if link.owner != link.source {
		if e.Owner, err = nodeURN(src, link.owner); err != nil {
			return err
		}
	}
	e.Via = ""
	if via != 0 {
		if e.Via, err = nodeURN(src, via); err != nil {
			return err
		}
	}
	e.Type, err = relationName(src, link.relation)
	return err
}

// nodeURN returns the URN of a number.
func nodeURN(src source, id uint64) (urn.URN, error) {
	raw := src.get(bucketURNs, idKey(id))
	if raw == nil {
		return "", corrupt("end of an edge")
	}
	return urn.URN(raw), nil
}

func relationName(src source, number uint32) (string, error) {
	name, known := src.text(words, number)
	if !known {
		return "", corrupt("name of a relationship")
	}
	return name, nil
}

// edgeListing executes a query on one snapshot.
type edgeListing struct {
	view     *view
	wanted   edgeRange
	incoming byte // direction of the listing as seen from its nodes
	// Conditions that keys cannot decide; empty means none.
	nodeTypes, neighborTypes []string

	typed    uint64 // the last node whose type was checked
	nodeFits bool
}

// edgeFound is an edge together with the stored form of the aspect that updated it last.
type edgeFound struct {
	link  edgeLink
	at    edgePlace
	value []byte
}

// same reports whether two results are the same edge seen from the same end.
func (f edgeFound) same(other edgeFound) bool {
	return f.value != nil && f.at == other.at && f.link.same(other.link)
}

// listEdges prepares a query and runs fn, unless the numbers alone show that no edge matches.
func (s *Store) listEdges(ctx context.Context, q graph.Query, fn func(*edgeListing) error) error {
	incoming, err := edgeDirection(q.Direction)
	if err != nil {
		return err
	}
	if len(q.Nodes) == 0 && len(q.Neighbors) > 0 {
		// The same edges seen from the other end, whose numbers the index can look up.
		q.Nodes, q.Neighbors, q.NodeTypes, q.NeighborTypes = q.Neighbors, nil, q.NeighborTypes, q.NodeTypes
		incoming = 1 - incoming
	}
	return s.read(ctx, func(v *view) (err error) {
		l := &edgeListing{view: v, incoming: incoming, nodeTypes: q.NodeTypes, neighborTypes: q.NeighborTypes}
		if l.wanted.nodes, err = v.numbersOf(q.Nodes); err != nil {
			return err
		}
		if l.wanted.neighbors, err = v.numbersOf(q.Neighbors); err != nil {
			return err
		}
		l.wanted.relations[incoming] = relationRange{all: len(q.Types) == 0, numbers: relationNumbers(v, q.Types)}
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

// numbersOf returns the sorted numbers of the URNs and drops URNs unknown to the store. It returns
// nil for no URNs.
func (v *view) numbersOf(urns []urn.URN) ([]uint64, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	numbers := make([]uint64, 0, len(urns))
	for _, u := range urns {
		e, found, err := findEntity(v, u)
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

func relationNumbers(src source, names []string) []uint32 {
	var numbers []uint32
	for _, name := range names {
		if number, known := src.number(words, name); known {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// run yields each edge once, starting after the given one.
func (l *edgeListing) run(ctx context.Context, after *model.EdgeKey, yield func(edgeFound) (bool, error)) error {
	from, err := keyBehind(l.view, after, l.incoming)
	if err != nil {
		return err
	}
	var pending edgeFound // waits for further aspects that produced the same edge
	more := true
	pass := func() (err error) {
		if more && pending.value != nil {
			more, err = yield(pending)
		}
		return err
	}
	err = l.view.scanEdges(ctx, &l.wanted, from, func(link edgeLink, at edgePlace, value []byte) (bool, error) {
		found := edgeFound{link, at, value}
		if pending.same(found) {
			return true, mergeEdge(l.view, &pending, found)
		}
		if err := pass(); err != nil || !more {
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

// keyBehind returns a key that sorts directly after those of an edge, or nil for no edge.
func keyBehind(src source, after *model.EdgeKey, incoming byte) ([]byte, error) {
	if after == nil {
		return nil, nil
	}
	link, err := linkOf(src, after)
	if err != nil {
		return nil, err
	}
	return append(link.prefix(incoming), math.MaxUint8), nil
}

// linkOf returns the numbers of an edge, without an aspect.
func linkOf(src source, key *model.EdgeKey) (link edgeLink, err error) {
	for _, end := range []struct {
		number *uint64
		urn    urn.URN
	}{{&link.source, key.Source}, {&link.destination, key.Destination}, {&link.owner, key.Owner}} {
		e, found, err := findEntity(src, end.urn)
		if err != nil {
			return link, err
		}
		if !found {
			return link, fault.New(fault.Invalid, "the listing cannot go on behind an edge of %q, which the store does not know; start from the beginning", end.urn)
		}
		*end.number = e.id
	}
	number, known := src.number(words, key.Type)
	if !known {
		return link, fault.New(fault.Invalid, "the listing cannot go on behind an edge of type %q, which the store does not know; start from the beginning", key.Type)
	}
	link.relation = number
	return link, nil
}

// mergeEdge keeps the later of the versions of an edge that two aspects stored.
func mergeEdge(src source, kept *edgeFound, other edgeFound) error {
	before, now := edgeUpdated(kept.value), edgeUpdated(other.value)
	if now == before {
		mine, known := src.text(aspectNames, kept.link.aspect)
		its, alsoKnown := src.text(aspectNames, other.link.aspect)
		if !known || !alsoKnown {
			return corrupt("aspect of an edge")
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

// fits checks the entity types of both ends.
func (l *edgeListing) fits(at edgePlace) (bool, error) {
	if len(l.nodeTypes) > 0 {
		if at.node != l.typed {
			u, err := nodeURN(l.view, at.node)
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
	u, err := nodeURN(l.view, at.neighbor)
	return slices.Contains(l.neighborTypes, u.Type()), err
}
