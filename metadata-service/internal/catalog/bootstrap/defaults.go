package bootstrap

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// policiesSet is applied at every start, because policies that are not editable must match the
// built-in ones.
const policiesSet = "policies"

// DefaultData writes the default data as the system actor: each set in a version new to the
// catalog, and at every start the policies that differ from the built-in ones. Data that users may
// change is created with its set, and stays absent after users delete it. A catalog without
// entities is marked as upgraded together with its first data, because no earlier version has
// written to it.
func (s *Service) DefaultData(ctx context.Context) error {
	ctx = asSystem(ctx)
	sets, err := s.registry.Defaults()
	if err != nil {
		return err
	}
	var proposals []catalog.Proposal
	for _, set := range sets {
		due, err := s.dueProposals(ctx, set)
		if err != nil {
			return fmt.Errorf("default data %s: %w", set.Name, err)
		}
		proposals = append(proposals, due...)
	}
	if len(proposals) == 0 {
		return nil
	}
	first, err := s.Store.Scan(ctx, store.Scan{Limit: 1})
	if err != nil {
		return err
	}
	if len(first) == 0 {
		proposals = append(proposals, s.upgradeMarks()...)
	}
	_, err = s.Catalog.Write(ctx, proposals, catalog.WriteOptions{Upgrade: true})
	return err
}

// upgradeMarks returns the marks that all upgrades are done.
func (s *Service) upgradeMarks() (marks []catalog.Proposal) {
	for _, u := range s.upgrades() {
		marks = append(marks, s.upgradeMark(u, "SUCCEEDED", ""))
	}
	return marks
}

func (s *Service) dueProposals(ctx context.Context, set model.DefaultSet) ([]catalog.Proposal, error) {
	mark := urn.Make("dataHubUpgrade", rule.DefaultMarks+set.Name+"-"+set.Version)
	records, err := s.Store.Get(ctx, store.Key{URN: mark, Aspect: "dataHubUpgradeKey"})
	if err != nil {
		return nil, err
	}
	applied := records[0] != nil
	if applied && set.Name != policiesSet {
		return nil, nil
	}
	now := s.Now().UnixMilli()
	stamp := jsontree.Encode(model.Object{"time": jsontree.Number(now), "actor": string(model.SystemActor)})
	var due []catalog.Proposal
	for _, row := range set.Rows {
		p := catalog.Proposal{URN: row.URN, Change: row.Change, Aspect: row.Aspect, Value: bytes.ReplaceAll(row.Value, []byte(`"$stamp"`), stamp)}
		if row.Change == model.Create {
			p.Conditions.NoneMatch = true
		}
		if applied {
			former, err := s.isFormerBuiltIn(ctx, p)
			if err != nil {
				return nil, err
			}
			if former {
				p.Change, p.Conditions.NoneMatch = model.Upsert, false
			}
			stands, err := s.needsNoChange(ctx, p)
			if err != nil {
				return nil, err
			}
			if stands {
				continue
			}
		}
		due = append(due, p)
	}
	if applied {
		return due, nil
	}
	result := jsontree.Encode(model.Object{"timestampMs": jsontree.Number(now)})
	return append(due, catalog.Proposal{URN: string(mark), Aspect: "dataHubUpgradeResult", Value: result}), nil
}

// isFormerBuiltIn reports whether a policy is stored as an earlier version built it in: equal to the
// present one except that it applies to all resources, which does not cover checks without a
// resource. In that case no user has changed it.
func (s *Service) isFormerBuiltIn(ctx context.Context, p catalog.Proposal) (bool, error) {
	records, err := s.Store.Get(ctx, store.Key{URN: urn.URN(p.URN), Aspect: p.Aspect})
	if err != nil || records[0] == nil {
		return false, err
	}
	stored, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return false, err
	}
	builtIn, err := jsontree.DecodeObject(p.Value)
	if err != nil || builtIn["resources"] != nil {
		return false, err
	}
	resources := jsontree.Child(stored, "resources")
	delete(stored, "resources")
	_, entity, err := s.registry.Resolve(p.URN)
	if err != nil {
		return false, err
	}
	spec, ok := entity.Aspect(p.Aspect)
	if !ok {
		return false, nil
	}
	value, _, _, err := s.registry.ConformText(spec, p.Value)
	return err == nil && jsontree.Bool(resources, "allResources") && len(resources) == 1 && bytes.Equal(value, jsontree.Encode(stored)), err
}

// needsNoChange reports whether a default of an applied set needs no change: it is stored as built
// in, or it is one that users may change or delete.
func (s *Service) needsNoChange(ctx context.Context, p catalog.Proposal) (bool, error) {
	u, entity, err := s.registry.Resolve(p.URN)
	if err != nil {
		return false, err
	}
	if p.Change == model.Create {
		return true, nil
	}
	records, err := s.Store.Get(ctx, store.Key{URN: u, Aspect: p.Aspect})
	if err != nil || records[0] == nil {
		return false, err
	}
	spec, ok := entity.Aspect(p.Aspect)
	if !ok {
		return false, fmt.Errorf("%s has no aspect %s", entity.Name, p.Aspect)
	}
	value, _, _, err := s.registry.ConformText(spec, p.Value)
	return err == nil && bytes.Equal(value, json.RawMessage(records[0].Value)), err
}
