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
		x := expansion{view: v, visit: visit}
		if err := x.number(nodes); err != nil {
			return err
		}
		if err := x.follow(steps); err != nil {
			return err
		}
		return x.run(ctx)
	})
}

type expansion struct {
	view   *storeView
	wanted edgeRange
	urns   []urn.URN // of wanted.nodes
	visit  func(urn.URN, *model.Edge) bool
}

func (x *expansion) number(nodes []urn.URN) error {
	type numbered struct {
		id  uint64
		urn urn.URN
	}
	list := make([]numbered, 0, len(nodes))
	for _, u := range nodes {
		e, found, err := storeFindEntity(x.view, u)
		if err != nil {
			return err
		}
		if found {
			list = append(list, numbered{e.id, u})
		}
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.id, b.id) })
	list = slices.CompactFunc(list, func(a, b numbered) bool { return a.id == b.id })
	x.wanted.nodes, x.urns = make([]uint64, len(list)), make([]urn.URN, len(list))
	for i, n := range list {
		x.wanted.nodes[i], x.urns[i] = n.id, n.urn
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

// run visits each edge once in each direction it fits.
func (x *expansion) run(ctx context.Context) error {
	l := edgeListing{view: x.view, wanted: x.wanted}
	var e model.Edge
	return l.run(ctx, nil, func(found edgeFound) (bool, error) {
		i, _ := slices.BinarySearch(x.wanted.nodes, found.at.node)
		if err := x.view.edge(found.link, found.value, &e); err != nil {
			return false, err
		}
		return x.visit(x.urns[i], &e), nil
	})
}
