package bolt

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Expand implements graph.Reader. It visits nodes in the order of their numbers: nodes that were
// stored together have adjacent keys.
func (s *Store) Expand(ctx context.Context, nodes []urn.URN, steps []graph.Step, visit func(int, *model.Edge) bool) error {
	return s.read(ctx, func(v *view) error {
		x := expansion{edgeListing: edgeListing{view: v}, names: &s.nodes, given: nodes, texts: lastText{from: v}, visit: visit}
		if err := x.number(ctx); err != nil {
			return err
		}
		if err := x.follow(steps); err != nil {
			return err
		}
		return x.run(ctx, nil, x.yield)
	})
}

// expansion is a listing in both directions whose nodes are given by URN.
type expansion struct {
	edgeListing
	names     *nodeCache
	texts     lastText
	given     []urn.URN
	places    []int32 // of wanted.nodes in given
	nodeIndex int     // index of the node visited last
	edge      model.Edge
	visit     func(int, *model.Edge) bool
}

// A number and an index are sorted as one word. The store assigns numbers one by one, so none needs
// more than 40 bits.
const (
	placeBits   = 24
	maxExpanded = 1 << placeBits
)

// number looks up the numbers of the nodes and sorts them.
func (x *expansion) number(ctx context.Context) error {
	if len(x.given) > maxExpanded {
		return fault.New(fault.Invalid, "%d nodes cannot be expanded at once; at most %d can", len(x.given), maxExpanded)
	}
	numbers := make([]uint64, len(x.given))
	left := x.names.lookUp(x.given, numbers)
	kept := numbers[:0]
	for i, u := range x.given {
		if i%edgePatch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		number := numbers[i]
		if number == 0 && left > 0 {
			e, _, err := findEntity(x.view, u)
			if err != nil {
				return err
			}
			number = e.id
		}
		if number >= 1<<(64-placeBits) {
			return corrupt("number of a node")
		}
		if number != 0 {
			kept = append(kept, number<<placeBits|uint64(i))
		}
	}
	slices.Sort(kept)
	x.places = make([]int32, 0, len(kept))
	x.wanted.nodes = kept[:0]
	for _, word := range kept {
		number := word >> placeBits
		if n := len(x.wanted.nodes); n > 0 && x.wanted.nodes[n-1] == number {
			continue // duplicate node
		}
		x.wanted.nodes = append(x.wanted.nodes, number)
		x.places = append(x.places, int32(word%maxExpanded))
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
		relations.numbers = append(relations.numbers, relationNumbers(x.view, step.Types)...)
	}
	for i := range x.wanted.relations {
		relations := &x.wanted.relations[i]
		slices.Sort(relations.numbers)
		relations.numbers = slices.Compact(relations.numbers)
	}
	return nil
}

// yield visits one edge. Edges arrive in the order of the nodes, so the node is found by
// advancing an index.
func (x *expansion) yield(found edgeFound) (bool, error) {
	for x.wanted.nodes[x.nodeIndex] < found.at.node {
		x.nodeIndex++
	}
	if err := x.decode(found); err != nil {
		return false, err
	}
	return x.visit(int(x.places[x.nodeIndex]), &x.edge), nil
}

func (x *expansion) decode(found edgeFound) (err error) {
	e := &x.edge
	via, err := decodeEdge(found.value, e, &x.texts)
	if err != nil {
		return err
	}
	if e.Source, err = x.node(found.link.source); err != nil {
		return err
	}
	if e.Destination, err = x.node(found.link.destination); err != nil {
		return err
	}
	e.Owner = e.Source // in most cases
	if found.link.owner != found.link.source {
		if e.Owner, err = x.node(found.link.owner); err != nil {
			return err
		}
	}
	if e.Via, err = x.node(via); err != nil {
		return err
	}
	relation, known := x.texts.text(words, found.link.relation)
	if !known {
		return corrupt("name of a relationship")
	}
	e.Type = relation
	return nil
}

// node returns the URN of a node, empty for number 0.
func (x *expansion) node(number uint64) (u urn.URN, err error) {
	switch number {
	case 0:
		return "", nil
	case x.wanted.nodes[x.nodeIndex]:
		return x.given[x.places[x.nodeIndex]], nil
	}
	if u, known := x.names.urn(number); known {
		return u, nil
	}
	if u, err = nodeURN(x.view, number); err == nil {
		x.names.add(number, u)
	}
	return u, err
}

// lastText caches the texts looked up last. Adjacent edges mostly have the same relationship and
// actor.
type lastText struct {
	from    textLookup
	numbers [4]uint32
	texts   [4]string
}

func (l *lastText) text(d dictionary, number uint32) (string, bool) {
	at := number % uint32(len(l.numbers))
	if d == words && number != 0 && l.numbers[at] == number {
		return l.texts[at], true
	}
	text, known := l.from.text(d, number)
	if d == words && known {
		l.numbers[at], l.texts[at] = number, text
	}
	return text, known
}
