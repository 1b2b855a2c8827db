package bolt

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Expand implements graph.Reader. It visits nodes in the order of their
// numbers: those that came into the store together lie together in the file.
func (s *Store) Expand(ctx context.Context, nodes []urn.URN, steps []graph.Step, visit func(urn.URN, *model.Edge) bool) error {
	return s.read(ctx, func(v *storeView) error {
		x := expansion{edgeListing: edgeListing{view: v}, names: &s.edgeNames, texts: lastText{from: v}, visit: visit}
		if err := x.number(nodes); err != nil {
			return err
		}
		if err := x.follow(steps); err != nil {
			return err
		}
		return x.run(ctx, nil, x.yield)
	})
}

// expansion is a listing in both directions that knows its nodes by name.
type expansion struct {
	edgeListing
	names *edgeNames
	texts lastText
	nodes []numberedNode // as wanted.nodes
	near  int            // place in nodes of the one that was visited last
	edge  model.Edge
	visit func(urn.URN, *model.Edge) bool
}

type numberedNode struct {
	number uint64
	urn    urn.URN
}

func (x *expansion) number(nodes []urn.URN) error {
	numbers := make([]uint64, len(nodes))
	left := x.names.lookUp(nodes, numbers)
	x.nodes = make([]numberedNode, 0, len(nodes))
	for i, u := range nodes {
		if numbers[i] == 0 && left > 0 {
			e, _, err := storeFindEntity(x.view, u)
			if err != nil {
				return err
			}
			numbers[i] = e.id
		}
		if numbers[i] != 0 {
			x.nodes = append(x.nodes, numberedNode{numbers[i], u})
		}
	}
	slices.SortFunc(x.nodes, func(a, b numberedNode) int { return cmp.Compare(a.number, b.number) })
	x.nodes = slices.CompactFunc(x.nodes, func(a, b numberedNode) bool { return a.number == b.number })
	x.wanted.nodes = make([]uint64, len(x.nodes))
	for i, n := range x.nodes {
		x.wanted.nodes[i] = n.number
	}
	return nil
}

func (x *expansion) follow(steps []graph.Step) error {
	for _, step := range steps {
		incoming, err := edgeDirection(step.Direction)
		if err != nil {
			return err
		}
		relations := &x.wanted.relations[incoming]
		relations.numbers = append(relations.numbers, x.view.relations(step.Types)...)
	}
	for i := range x.wanted.relations {
		relations := &x.wanted.relations[i]
		slices.Sort(relations.numbers)
		relations.numbers = slices.Compact(relations.numbers)
	}
	return nil
}

// yield visits one edge. Nodes come in their order, so the near end is found
// by going along.
func (x *expansion) yield(found edgeFound) (bool, error) {
	for x.nodes[x.near].number < found.at.node {
		x.near++
	}
	if err := x.decode(found); err != nil {
		return false, err
	}
	return x.visit(x.nodes[x.near].urn, &x.edge), nil
}

func (x *expansion) decode(found edgeFound) (err error) {
	e := &x.edge
	via, err := storeDecodeEdge(found.value, e, &x.texts)
	if err != nil {
		return err
	}
	for _, end := range []struct {
		urn    *urn.URN
		number uint64
	}{{&e.Source, found.link.source}, {&e.Destination, found.link.destination}, {&e.Owner, found.link.owner}, {&e.Via, via}} {
		if *end.urn, err = x.node(end.number); err != nil {
			return err
		}
	}
	relation, known := x.texts.text(storeWords, found.link.relation)
	if !known {
		return storeCorrupt("name of a relationship")
	}
	e.Type = relation
	return nil
}

// node is the name of a node, empty for number 0.
func (x *expansion) node(number uint64) (u urn.URN, err error) {
	switch number {
	case 0:
		return "", nil
	case x.nodes[x.near].number:
		return x.nodes[x.near].urn, nil
	}
	if u, known := x.names.urn(number); known {
		return u, nil
	}
	if u, err = x.view.node(number); err == nil {
		x.names.add(number, u)
	}
	return u, err
}

// lastText remembers the texts looked up last. Edges that lie together have the
// same relationship and actor, mostly.
type lastText struct {
	from    storeTexts
	numbers [4]uint32
	texts   [4]string
}

func (l *lastText) text(d storeDictionary, number uint32) (string, bool) {
	at := number % uint32(len(l.numbers))
	if d == storeWords && number != 0 && l.numbers[at] == number {
		return l.texts[at], true
	}
	text, known := l.from.text(d, number)
	if d == storeWords && known {
		l.numbers[at], l.texts[at] = number, text
	}
	return text, known
}
