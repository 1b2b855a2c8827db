package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Managed reads and writes managed and secret aspects for the service that owns
// them, which authorizes by itself. It is the only way to them.
type Managed struct {
	service *Service
	aspects []string
}

// Managed hands out the access to some managed aspects. A name that is not
// managed is a mistake of the programmer: it panics.
func (s *Service) Managed(aspects ...string) *Managed {
	for _, name := range aspects {
		if spec, ok := s.Registry.Aspect(name); !ok || !spec.Managed {
			panic(fmt.Sprintf("catalog: %s is not a managed aspect", name))
		}
	}
	return &Managed{service: s, aspects: aspects}
}

func (m *Managed) owns(aspect string) error {
	spec, ok := m.service.Registry.Aspect(aspect)
	if ok && spec.Managed && !slices.Contains(m.aspects, aspect) {
		return fault.New(fault.Internal, "%s belongs to another service", aspect)
	}
	return nil
}

// Get reads the latest record of any aspect that is not another service's, nil
// when it is absent.
func (m *Managed) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	if err := m.owns(aspect); err != nil {
		return nil, err
	}
	records, err := m.service.Store.Get(ctx, store.Key{URN: u, Aspect: aspect})
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// Write writes as Service.Write does, as the actor in ctx. Aspects that are not
// managed may be in the same batch.
func (m *Managed) Write(ctx context.Context, proposals []Proposal) error {
	_, err := m.service.write(ctx, proposals, WriteOptions{}, writer{managed: true, owns: m.aspects})
	return err
}

// List pages through the URNs of an entity type in byte order, soft-deleted ones
// included, buried ones not. Fewer than limit, which is at least 1, mean the end.
func (m *Managed) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	entity, ok := m.service.Registry.Entity(entityType)
	if !ok {
		return nil, fault.New(fault.Malformed, "entity type %q is not known", entityType)
	}
	var alive []urn.URN
	for {
		urns, err := m.service.Store.Scan(ctx, store.Scan{Type: entity.Name, After: after})
		if err != nil || len(urns) == 0 {
			return alive, err
		}
		after = urns[len(urns)-1]
		exists, err := m.exist(ctx, urns, entity.Key.Name)
		if err != nil {
			return nil, err
		}
		for i, u := range urns {
			if !exists[i] {
				continue
			}
			if alive = append(alive, u); len(alive) == limit {
				return alive, nil
			}
		}
	}
}

// exist tells which URNs have their key: buried ones have a row, but none.
func (m *Managed) exist(ctx context.Context, urns []urn.URN, keyAspect string) ([]bool, error) {
	keys := make([]store.Key, len(urns))
	for i, u := range urns {
		keys[i] = store.Key{URN: u, Aspect: keyAspect}
	}
	records, err := m.service.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	exists := make([]bool, len(urns))
	for i, rec := range records {
		exists[i] = rec != nil
	}
	return exists, nil
}

// Bury removes an entity for good and leaves a tombstone: nothing written,
// rolled back or restored later brings the URN back. It works while the catalog
// is read-only, too: what is buried is revoked, and that cannot wait.
func (m *Managed) Bury(ctx context.Context, u urn.URN) error {
	s := m.service
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "who deletes is not known")
	}
	_, entity, err := s.Registry.Resolve(string(u))
	if err != nil {
		return err
	}
	if !entity.Key.Managed {
		return fault.New(fault.Internal, "%s is not managed", entity.Name)
	}
	by := s.removal(actor)
	return s.change(ctx, func(tx store.Tx) error { return bury(ctx, tx, u, entity.Key.Name, by) })
}

func bury(ctx context.Context, tx store.Tx, u urn.URN, keyAspect string, by store.Removal) error {
	if buried, err := store.Latest(ctx, tx, store.Key{URN: u, Aspect: tombstone}); err != nil || buried != nil {
		return err
	}
	if _, err := store.DeleteEntity(ctx, tx, u, keyAspect, by); err != nil {
		return err
	}
	sequence, err := tx.LastSequence(ctx)
	if err != nil {
		return err
	}
	return tx.Put(ctx, model.Record{
		URN: u, Aspect: tombstone, Value: jsontree.Encode(model.Object{"buried": jsontree.Number(by.Now)}),
		CreatedOn: by.Now, CreatedBy: by.Actor, Sequence: sequence,
	})
}

// Names of users and their access tokens in the model.
const (
	userEntity  = "corpuser"
	tokenEntity = "dataHubAccessToken"
	tokenKey    = "dataHubAccessTokenKey"
	tokenInfo   = "dataHubAccessTokenInfo"
)

// buryTokens revokes the access tokens that represent a user who is removed.
// Otherwise they would be good again for whoever gets the name next, or as soon
// as an ingestion run finds the user again.
func buryTokens(ctx context.Context, tx store.Tx, user urn.URN, by store.Removal) error {
	for after := urn.URN(""); ; {
		tokens, err := tx.Scan(ctx, store.Scan{Type: tokenEntity, After: after})
		if err != nil || len(tokens) == 0 {
			return err
		}
		for _, u := range tokens {
			rec, err := store.Latest(ctx, tx, store.Key{URN: u, Aspect: tokenInfo})
			if err != nil {
				return err
			}
			if rec == nil {
				continue
			}
			info, err := jsontree.DecodeObject(rec.Value)
			if err != nil {
				return err
			}
			if jsontree.Text(info, "actorUrn") != string(user) {
				continue
			}
			if err := bury(ctx, tx, u, tokenKey, by); err != nil {
				return err
			}
		}
		after = tokens[len(tokens)-1]
	}
}
