// Package contract stores data contracts: the assertions that a dataset guarantees. A dataset has
// at most one contract.
package contract

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of contracts.
const EntityType = "dataContract"

const (
	properties   = "dataContractProperties"
	statusAspect = "dataContractStatus"
	active       = "ACTIVE"
	assertion    = "assertion"
)

// Service stores contracts. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Draft describes a contract. The lists are URNs of assertions.
type Draft struct {
	Dataset                        string
	ID                             string // of a new contract; a random one when empty
	Freshness, Schema, DataQuality []string
	State                          *string // nil keeps the state, or means ACTIVE for a new contract
}

// Upsert writes the contract of a dataset: the one with the given URN, or else the existing
// contract of the dataset, or else a new one. It requires auth.EditContract on the dataset. The
// dataset and the assertions must exist, and the assertions must be about the dataset.
func (s *Service) Upsert(ctx context.Context, id string, d Draft) (urn.URN, error) {
	dataset, err := s.edit.Parse("entityUrn", d.Dataset, "dataset")
	if err != nil {
		return "", err
	}
	decided, err := s.edit.RequireOver(ctx, dataset, auth.EditContract, auth.EditEntity)
	if err != nil {
		return "", err
	}
	if err := s.edit.MustExist(ctx, "entity", dataset); err != nil {
		return "", err
	}
	value, err := s.propertiesOf(ctx, dataset, d)
	if err != nil {
		return "", err
	}
	u, err := s.target(ctx, id, d.ID, dataset)
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided,
		edit.Change{URN: u, Aspect: properties, Apply: func(before jsontree.Object) (jsontree.Object, error) {
			out := jsontree.Clone(value).(jsontree.Object)
			if raw := before["rawContract"]; raw != nil {
				out["rawContract"] = raw
			}
			return out, nil
		}},
		edit.Change{URN: u, Aspect: statusAspect, Apply: func(before jsontree.Object) (jsontree.Object, error) {
			switch {
			case before == nil:
				before = jsontree.Object{"state": active}
			case d.State == nil:
				return nil, nil
			}
			if d.State != nil {
				before["state"] = *d.State
			}
			return before, nil
		}})
	return u, err
}

// propertiesOf returns the properties of a contract.
func (s *Service) propertiesOf(ctx context.Context, dataset urn.URN, d Draft) (jsontree.Object, error) {
	out := jsontree.Object{"entity": string(dataset)}
	for member, list := range map[string][]string{"freshness": d.Freshness, "schema": d.Schema, "dataQuality": d.DataQuality} {
		if list == nil {
			continue
		}
		urns, err := s.edit.ParseAll(member, list, assertion)
		if err != nil {
			return nil, err
		}
		entries := make([]any, 0, len(urns))
		for _, u := range urns {
			if err := s.checkAssertion(ctx, member, u, dataset); err != nil {
				return nil, err
			}
			entries = append(entries, jsontree.Object{"assertion": string(u)})
		}
		out[member] = entries
	}
	return out, nil
}

// checkAssertion returns an error if an assertion does not exist or is about another asset.
func (s *Service) checkAssertion(ctx context.Context, member string, u, dataset urn.URN) error {
	if err := s.edit.MustBeShown(ctx, "assertion", u); err != nil {
		return err
	}
	info, err := s.edit.Stored(ctx, u, "assertionInfo")
	if err != nil {
		return err
	}
	if asset, _ := info["entityUrn"].(string); asset != "" && asset != string(dataset) {
		hidden, err := s.edit.Catalog.Hidden(ctx, []urn.URN{urn.URN(asset)})
		if err != nil {
			return err
		}
		if hidden[0] {
			asset = auth.HiddenEntity
		}
		return fault.New(fault.Malformed, "%s: %s is about %s, not about %s", member, u, asset, dataset)
	}
	return nil
}

// target returns the URN of the contract to write.
func (s *Service) target(ctx context.Context, id, draft string, dataset urn.URN) (urn.URN, error) {
	present, err := s.contractOf(ctx, dataset)
	if err != nil {
		return "", err
	}
	if id == "" {
		if present != "" {
			return present, nil
		}
		return s.edit.NewURN(ctx, "Data Contract", EntityType, draft)
	}
	u, err := s.edit.Parse("urn", id, EntityType)
	if err != nil {
		return "", err
	}
	if present != "" && present != u {
		return "", fault.New(fault.Malformed, "urn: %s has a contract already: %s", dataset, present)
	}
	before, err := s.edit.Stored(ctx, u, properties)
	if err != nil {
		return "", err
	}
	switch of := jsontree.Text(before, "entity"); of {
	case string(dataset):
		return u, nil
	case "":
		return u, s.mayTakeOver(ctx, u)
	default:
		return "", fault.New(fault.Malformed, "urn: %s is the contract of another dataset", u)
	}
}

// mayTakeOver decides the privilege on a contract that exists without a dataset.
func (s *Service) mayTakeOver(ctx context.Context, u urn.URN) error {
	there, err := s.edit.Exists(ctx, u)
	if err != nil || !there {
		return err
	}
	_, err = s.edit.RequireOver(ctx, u, auth.EditContract, auth.EditEntity)
	return err
}

// contractOf returns the contract of a dataset, or an empty URN.
func (s *Service) contractOf(ctx context.Context, dataset urn.URN) (urn.URN, error) {
	found, err := s.edit.Discover.Relationships(ctx, discover.RelationshipQuery{
		Deciding: true,
		URN:      dataset, Direction: graph.Incoming, Types: []string{"ContractFor"}, Count: 1,
	})
	if err != nil || len(found.Edges) == 0 {
		return "", err
	}
	return found.Edges[0].Source, nil
}
