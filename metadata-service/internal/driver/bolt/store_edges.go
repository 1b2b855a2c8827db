package bolt

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// What a transaction does to edges. URNs that are no stored entities have
// numbers like all others; they stay among the retired, which no scan lists.

// PutEdges implements store.Tx.
func (tx *storeTx) PutEdges(_ context.Context, owner store.Key, edges []model.Edge) error {
	if tx.over {
		return errStoreTxOver
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
	gone := make(map[storeLink]bool, len(former))
	for _, link := range former {
		gone[link] = true
	}
	links, err := tx.putEdges(e.id, aspect, edges)
	if err != nil {
		return err
	}
	for _, link := range links {
		delete(gone, link)
	}
	for _, link := range former {
		if gone[link] {
			tx.unlink(link)
		}
	}
	tx.set(storeEdgeLists, storeListKey(e.id, aspect), storeEncodeLinks(links))
	return nil
}

// eraseEdges removes the edges of an owner that the store may never have heard of.
func (tx *storeTx) eraseEdges(owner store.Key) error {
	e, found, err := storeFindEntity(tx, owner.URN)
	if !found || err != nil {
		return err
	}
	aspect, found := tx.number(storeAspectNames, owner.Aspect)
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
		tx.set(storeEdgeLists, storeListKey(e.id, aspect), nil)
	}
	return nil
}

// links are the edges that an aspect of an owner made.
func (tx *storeTx) links(owner uint64, aspect uint32) ([]storeLink, error) {
	return storeDecodeLinks(tx.get(storeEdgeLists, storeListKey(owner, aspect)), owner, aspect)
}

func (tx *storeTx) unlink(link storeLink) {
	tx.set(storeAdjacent, link.key(0), nil)
	tx.set(storeAdjacent, link.key(1), nil)
}

// putEdges writes edges and tells which, each once.
func (tx *storeTx) putEdges(owner uint64, aspect uint32, edges []model.Edge) ([]storeLink, error) {
	fresh := true // an owner without edges has none whose creation is known
	for range tx.each(storeEdgeLists, storeIDKey(owner), storeIDKey(owner)) {
		fresh = false
		break
	}
	links := make([]storeLink, 0, len(edges))
	put := make(map[storeLink]bool, len(edges))
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
		if !fresh {
			if err := tx.keepCreation(link, &e); err != nil {
				return nil, err
			}
		}
		raw, err := storeEncodeEdge(&e, via, tx.word)
		if err != nil {
			return nil, err
		}
		tx.set(storeAdjacent, link.key(0), raw)
		tx.set(storeAdjacent, link.key(1), raw)
	}
	return links, nil
}

// link gives the numbers of an edge, new ones if need be.
func (tx *storeTx) link(e *model.Edge, owner uint64, aspect uint32) (link storeLink, via uint64, err error) {
	link = storeLink{source: owner, owner: owner, aspect: aspect}
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

func (tx *storeTx) nodeNumber(u urn.URN) (uint64, error) {
	e, err := tx.entity(u)
	return e.id, err
}

// keepCreation takes over the creation stamp of an edge that is there already,
// by this or another aspect of its owner: all of them have the same.
func (tx *storeTx) keepCreation(link storeLink, e *model.Edge) error {
	prefix := link.prefix(0)
	for _, raw := range tx.each(storeAdjacent, prefix, prefix) {
		var former model.Edge
		if _, err := storeDecodeEdge(raw, &former, tx); err != nil {
			return err
		}
		e.Created = former.Created
		break
	}
	return nil
}
