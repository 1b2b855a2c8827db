package memory

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// PutEdges implements store.Tx.
func (tx *storeTx) PutEdges(_ context.Context, owner store.Key, edges []model.Edge) error {
	if tx.over {
		return errTxOver
	}
	if err := store.CheckEdges(owner, edges); err != nil {
		return err
	}
	if len(edges) == 0 {
		tx.edges[owner] = nil
		return nil
	}
	created := tx.creations(owner.URN)
	put := make(map[model.EdgeKey]bool, len(edges))
	list := make([]model.Edge, 0, len(edges))
	for i := range edges {
		e := storeCloneEdge(edges[i])
		if put[e.Key()] {
			continue
		}
		put[e.Key()] = true
		if stamp, there := created[e.Key()]; there {
			e.Created = stamp
		}
		list = append(list, e)
	}
	tx.edges[owner] = list
	return nil
}

// creations are the creation stamps of the edges that an entity owns.
func (tx *storeTx) creations(owner urn.URN) map[model.EdgeKey]model.AuditStamp {
	created := make(map[model.EdgeKey]model.AuditStamp)
	note := func(key store.Key, list []model.Edge) {
		if key.URN != owner {
			return
		}
		for i := range list {
			created[list[i].Key()] = list[i].Created
		}
	}
	for key, list := range tx.store.edges {
		if _, replaced := tx.edges[key]; !replaced {
			note(key, list)
		}
	}
	for key, list := range tx.edges {
		note(key, list)
	}
	return created
}

// storeCloneEdge shares nothing with e that either holder may change.
func storeCloneEdge(e model.Edge) model.Edge {
	e.Properties = storeBytes(e.Properties)
	return e
}
