package bolt

import (
	"bytes"
	"context"
	"math"

	"go.etcd.io/bbolt"
)

// edgeRange selects keys of bucketAdjacent by numbers. Lists are sorted; a nil list of nodes or
// neighbors selects all.
type edgeRange struct {
	nodes     []uint64
	relations [2]relationRange // outgoing, incoming
	neighbors []uint64

	node int // index into nodes: the scan has passed all before it
	keys int // number of keys the scan has read
}

// relationRange selects the relationships to follow in one direction.
type relationRange struct {
	all     bool
	numbers []uint32
}

// empty reports whether the numbers alone show that the range selects nothing. The other methods
// require a range that is not empty.
func (r *edgeRange) empty() bool {
	unfollowed := true
	for _, relations := range r.relations {
		unfollowed = unfollowed && !relations.all && len(relations.numbers) == 0
	}
	return unfollowed || r.nodes != nil && len(r.nodes) == 0 || r.neighbors != nil && len(r.neighbors) == 0
}

// next returns the first selected position at or after p, as far as keys determine it.
func (r *edgeRange) next(p edgePlace) (edgePlace, bool) {
	for {
		node, ok := r.nextNode(p.node)
		if !ok {
			return p, false
		}
		if node != p.node {
			p = edgePlace{node: node}
		}
		for {
			if at, ok := r.nextRelation(p); ok {
				return at, true
			}
			if p.incoming == 1 {
				break
			}
			p = edgePlace{node: p.node, incoming: 1}
		}
		if p.node == math.MaxUint64 {
			return p, false
		}
		p = edgePlace{node: p.node + 1}
	}
}

// nextNode advances along the node list and never moves back, as the scan does.
func (r *edgeRange) nextNode(node uint64) (uint64, bool) {
	if r.nodes == nil {
		return node, true
	}
	for r.node < len(r.nodes) && r.nodes[r.node] < node {
		r.node++
	}
	if r.node == len(r.nodes) {
		return 0, false
	}
	return r.nodes[r.node], true
}

// nextRelation returns the next selected position within the node and direction of p.
func (r *edgeRange) nextRelation(p edgePlace) (edgePlace, bool) {
	relations := &r.relations[p.incoming]
	for {
		relation, ok := p.relation, true
		if !relations.all {
			relation, ok = ceil(relations.numbers, p.relation)
		}
		if !ok {
			return p, false
		}
		if relation != p.relation {
			p.relation, p.neighbor = relation, 0
		}
		if r.neighbors == nil {
			return p, true
		}
		if neighbor, ok := ceil(r.neighbors, p.neighbor); ok {
			p.neighbor = neighbor
			return p, true
		}
		if p.relation == math.MaxUint32 {
			return p, false
		}
		p.relation, p.neighbor = p.relation+1, 0
	}
}

// ceil returns the first element of a sorted list that is not below n. The lists are short, and for
// short lists a linear search is faster than a binary search.
func ceil[N uint32 | uint64](sorted []N, n N) (N, bool) {
	const short = 16
	for len(sorted) > short {
		half := len(sorted) / 2
		if sorted[half-1] < n {
			sorted = sorted[half:]
			continue
		}
		sorted = sorted[:half]
	}
	for _, v := range sorted {
		if v >= n {
			return v, true
		}
	}
	return 0, false
}

const (
	edgeSteps = 8   // keys to step over before a seek
	edgePatch = 256 // keys read between two checks of the context
)

// scanEdges visits the selected links from a key on, in key order, until visit returns false. It
// steps over a few keys outside the selection, and seeks to the next selected position when there
// are more.
func (v *view) scanEdges(ctx context.Context, r *edgeRange, from []byte, visit func(edgeLink, edgePlace, []byte) (bool, error)) error {
	if r.empty() {
		return nil
	}
	start, ok := r.next(edgePlace{})
	if !ok {
		return nil
	}
	if first := start.append(nil); bytes.Compare(first, from) > 0 {
		from = first
	}
	scan := edgeScan{cursor: v.bucket(bucketAdjacent).Cursor(), wanted: r}
	scan.key, scan.value = scan.cursor.Seek(from)
	for looked := 1; scan.key != nil; looked++ {
		if looked%edgePatch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.keys++
		link, at, err := parseLink(scan.key)
		if err != nil {
			return err
		}
		wanted, more := r.next(at)
		if !more {
			return nil
		}
		if wanted != at {
			scan.reach(wanted)
			continue
		}
		if proceed, err := visit(link, at, scan.value); err != nil || !proceed {
			return err
		}
		scan.key, scan.value = scan.cursor.Next()
	}
	return nil
}

type edgeScan struct {
	cursor     *bbolt.Cursor
	wanted     *edgeRange
	key, value []byte
	target     []byte
}

// reach advances to the first key at or after a position without decoding the keys between.
func (s *edgeScan) reach(place edgePlace) {
	s.target = place.append(s.target[:0])
	for range edgeSteps {
		s.key, s.value = s.cursor.Next()
		s.wanted.keys++
		if s.key == nil || bytes.Compare(s.key, s.target) >= 0 {
			return
		}
	}
	s.key, s.value = s.cursor.Seek(s.target)
}
