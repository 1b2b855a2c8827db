package bolt

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Edge operations of a transaction. URNs without a stored entity have numbers too; they stay in
// bucketRetired, which no scan lists.

// PutEdges implements store.Tx.
func (tx *tx) PutEdges(_ context.Context, owner store.Key, edges []model.Edge) error {
	if tx.over {
		return errTxOver
	}
	if err := store.CheckEdges(owner, edges); err != nil {
		return err
	}
	if len(edges) == 0 {
		return tx.eraseEdges(owner)
	}
	e, aspect, err := tx.address(owner.URN, owner.Aspect)
	if err != nil {
		return err
	}
	former, err := tx.links(e.id, aspect)
	if err != nil {
		return err
	}
	removed := make(map[edgeLink]bool, len(former))
	for _, link := range former {
		removed[link] = true
	}
	links, err := tx.putEdges(e.id, aspect, edges)
	if err != nil {
		return err
	}
	for _, link := range links {
		delete(removed, link)
	}
	for _, link := range former {
		if removed[link] {
			tx.unlink(link)
		}
	}
	tx.set(bucketEdgeLists, edgeListKey(e.id, aspect), encodeLinks(links))
	return nil
}

// eraseEdges removes the edges of an owner. The owner may be unknown to the store.
func (tx *tx) eraseEdges(owner store.Key) error {
	e, found, err := findEntity(tx, owner.URN)
	if !found || err != nil {
		return err
	}
	aspect, found := tx.number(aspectNames, owner.Aspect)
	if !found {
		return nil
	}
	links, err := tx.links(e.id, aspect)
	if err != nil {
		return err
	}
	for _, link := range links {
		tx.unlink(link)
	}
	if len(links) > 0 {
		tx.set(bucketEdgeLists, edgeListKey(e.id, aspect), nil)
	}
	return nil
}

// Edges implements store.Tx.
func (tx *tx) Edges(_ context.Context, q store.EdgeQuery) ([]model.Edge, error) {
	if tx.over {
		return nil, errTxOver
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	if q.Node == "" {
		return tx.ownedEdges(q)
	}
	return tx.edgesAt(q)
}

// ownedEdges selects the page from the full list of links, which is small compared with the edges.
func (tx *tx) ownedEdges(q store.EdgeQuery) ([]model.Edge, error) {
	links, err := ownedLinks(tx, q.Owner)
	if err != nil {
		return nil, err
	}
	if len(q.Types) > 0 {
		wanted := relationNumbers(tx, q.Types)
		links = slices.DeleteFunc(links, func(l edgeLink) bool { return !slices.Contains(wanted, l.relation) })
	}
	if q.After != nil {
		after, err := linkOf(tx, q.After)
		if err != nil {
			return nil, err
		}
		place := slices.IndexFunc(links, after.same)
		if place < 0 {
			return nil, store.ErrEdgeGone(q)
		}
		links = links[place+1:]
	}
	return linkedEdges(tx, links[:min(q.Limit, len(links))])
}

// edgesAt walks the keys of a node, type by type if the query names types.
func (tx *tx) edgesAt(q store.EdgeQuery) ([]model.Edge, error) {
	node, found, err := findEntity(tx, q.Node)
	if !found || err != nil {
		return nil, err
	}
	page := edgePage{tx: tx, limit: q.Limit}
	if q.Incoming {
		page.incoming = 1
	}
	from, err := keyBehind(tx, q.After, page.incoming)
	if err != nil {
		return nil, err
	}
	prefix := append(appendNumber(nil, node.id), page.incoming)
	if len(q.Types) == 0 {
		err = page.read(from, prefix)
		return page.edges, err
	}
	for _, relation := range relationNumbers(tx, q.Types) {
		if len(page.edges) >= q.Limit {
			break
		}
		if err := page.read(from, appendNumber(slices.Clip(prefix), uint64(relation))); err != nil {
			return nil, err
		}
	}
	return page.edges, nil
}

// edgePage collects the distinct edges of a page.
type edgePage struct {
	tx       *tx
	incoming byte
	limit    int
	edges    []model.Edge
}

func (p *edgePage) read(from, prefix []byte) error {
	var pending edgeFound // waits for further aspects that produced the same edge
	for key, value := range p.tx.each(bucketAdjacent, from, prefix) {
		link, at, err := parseLink(key)
		if err != nil {
			return err
		}
		found := edgeFound{link, at, value}
		if pending.same(found) {
			if err := mergeEdge(p.tx, &pending, found); err != nil {
				return err
			}
			continue
		}
		if err := p.add(pending); err != nil || len(p.edges) >= p.limit {
			return err
		}
		pending = found
	}
	return p.add(pending)
}

func (p *edgePage) add(found edgeFound) error {
	if found.value == nil || len(p.edges) >= p.limit {
		return nil
	}
	var e model.Edge
	if err := readEdge(p.tx, found.link, found.value, &e); err != nil {
		return err
	}
	p.edges = append(p.edges, e)
	return nil
}

// links returns the links of the edges that an aspect of an owner produced.
func (tx *tx) links(owner uint64, aspect uint32) ([]edgeLink, error) {
	return decodeLinks(tx.get(bucketEdgeLists, edgeListKey(owner, aspect)), owner, aspect)
}

func (tx *tx) unlink(link edgeLink) {
	tx.set(bucketAdjacent, link.key(0), nil)
	tx.set(bucketAdjacent, link.key(1), nil)
}

// madeBy returns the links of an owner over all its aspects, with aspect 0. Only these edges can
// have a creation stamp already; a search of the tree for the stamp costs more than all other work
// for a new edge.
func (tx *tx) madeBy(owner uint64) (map[edgeLink]bool, error) {
	made := map[edgeLink]bool{}
	for _, raw := range tx.each(bucketEdgeLists, idKey(owner), idKey(owner)) {
		links, err := decodeLinks(raw, owner, 0)
		if err != nil {
			return nil, err
		}
		for _, link := range links {
			made[link] = true
		}
	}
	return made, nil
}

// ofAnyAspect returns the link with aspect 0, the form of the keys that madeBy returns.
func (l edgeLink) ofAnyAspect() edgeLink {
	l.aspect = 0
	return l
}

// putEdges writes edges and returns the distinct links.
func (tx *tx) putEdges(owner uint64, aspect uint32, edges []model.Edge) ([]edgeLink, error) {
	made, err := tx.madeBy(owner)
	if err != nil {
		return nil, err
	}
	links := make([]edgeLink, 0, len(edges))
	put := make(map[edgeLink]bool, len(edges))
	for i := range edges {
		e := edges[i]
		link, via, err := tx.link(&e, owner, aspect)
		if err != nil {
			return nil, err
		}
		if put[link] {
			continue
		}
		put[link] = true
		links = append(links, link)
		if made[link.ofAnyAspect()] {
			if err := tx.keepCreation(link, &e); err != nil {
				return nil, err
			}
		}
		raw, err := encodeEdge(&e, via, tx.word)
		if err != nil {
			return nil, err
		}
		tx.set(bucketAdjacent, link.key(0), raw)
		tx.set(bucketAdjacent, link.key(1), raw)
	}
	return links, nil
}

// link returns the numbers of an edge and assigns new ones where needed.
func (tx *tx) link(e *model.Edge, owner uint64, aspect uint32) (link edgeLink, via uint64, err error) {
	link = edgeLink{source: owner, owner: owner, aspect: aspect}
	if link.relation, err = tx.word(e.Type); err != nil {
		return link, 0, err
	}
	if e.Source != e.Owner {
		if link.source, err = tx.nodeNumber(e.Source); err != nil {
			return link, 0, err
		}
	}
	if link.destination, err = tx.nodeNumber(e.Destination); err != nil {
		return link, 0, err
	}
	if e.Via != "" {
		via, err = tx.nodeNumber(e.Via)
	}
	return link, via, err
}

func (tx *tx) nodeNumber(u urn.URN) (uint64, error) {
	e, err := tx.entity(u)
	return e.id, err
}

// keepCreation copies the creation stamp of an edge that this or another aspect of its owner stored
// before. The stamp is the same for all aspects of the owner.
func (tx *tx) keepCreation(link edgeLink, e *model.Edge) error {
	prefix := link.prefix(0)
	for _, raw := range tx.each(bucketAdjacent, prefix, prefix) {
		var former model.Edge
		if _, err := decodeEdge(raw, &former, tx); err != nil {
			return err
		}
		e.Created = former.Created
		break
	}
	return nil
}
