package bootstrap

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// upgrade corrects values that earlier versions of the service stored. It runs once in the life of
// a catalog: a mark records that it is done, or its progress.
type upgrade struct {
	name       string // name of the mark; never changes
	entityType string // empty for all
	// mend corrects some entities and returns the number of corrections. If there are any, it
	// writes the mark.
	mend func(ctx context.Context, entities []urn.URN, mark catalog.Proposal) (int, error)
}

// upgrades lists the upgrades in their order. The terms of rules come first, because all writes
// rely on them.
func (s *Service) upgrades() []upgrade {
	var list []upgrade
	rules := s.Catalog.Rules.All()
	for i := range rules {
		r := &rules[i]
		if r.Terms == nil && r.CreatorTerms == nil {
			continue
		}
		list = append(list, upgrade{"terms-" + strings.ReplaceAll(r.Name, " ", "-"), s.onlyType(r), s.fillTerms(r)})
	}
	return append(list, upgrade{"dataset-alias-lower-name", "dataset", s.mendAliases}, upgrade{"edge-properties", "", s.mendEdges},
		upgrade{"foreign-column-edges", "", s.dropForeignColumns}, upgrade{"encoded-column-names", model.ColumnType, s.encodeColumns})
}

// onlyType returns the single entity type that has the aspects of a rule, empty if there are
// several.
func (s *Service) onlyType(r *rule.Rule) string {
	only := ""
	for _, name := range r.Aspects {
		spec, _ := s.registry.Aspect(name)
		if len(spec.Entities) != 1 || only != "" && only != spec.Entities[0] {
			return ""
		}
		only = spec.Entities[0]
	}
	return only
}

// upgradePage is the number of entities processed at a time.
const upgradePage = 500

// Members of the result in a mark.
const (
	upgradeAspect = "dataHubUpgradeResult"
	upgradeAfter  = "after" // the last processed entity
)

// Upgrade carries out, as the system actor, the upgrades that the catalog has not had yet, and then
// resumes unfinished cleanups. It returns when the search index has followed. An interrupted
// upgrade continues where it stopped.
func (s *Service) Upgrade(ctx context.Context) error {
	ctx = asSystem(ctx)
	for _, u := range s.upgrades() {
		if err := s.upgrade(ctx, u); err != nil {
			return fmt.Errorf("upgrade %s: %w", u.name, err)
		}
	}
	if err := s.Catalog.ResumeCleanups(ctx); err != nil {
		return fmt.Errorf("resume cleanups: %w", err)
	}
	return nil
}

func (s *Service) upgrade(ctx context.Context, u upgrade) error {
	after, done, err := s.upgraded(ctx, u)
	if err != nil || done {
		return err
	}
	mended := 0
	for {
		page, err := s.Store.Scan(ctx, store.Scan{Type: u.entityType, After: after, Limit: upgradePage})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1]
		n, err := u.mend(ctx, page, s.upgradeMark(u, "IN_PROGRESS", after))
		if err != nil {
			return err
		}
		if mended += n; n > 0 {
			s.Log.InfoContext(ctx, "stored values upgraded", "upgrade", u.name, "values", mended, "urn", after)
		}
	}
	_, err = s.Catalog.Write(ctx, []catalog.Proposal{s.upgradeMark(u, "SUCCEEDED", "")}, catalog.WriteOptions{Upgrade: true})
	return err
}

func (u *upgrade) mark() urn.URN { return urn.Make("dataHubUpgrade", u.name) }

// upgraded reads the mark of an upgrade.
func (s *Service) upgraded(ctx context.Context, u upgrade) (after urn.URN, done bool, err error) {
	records, err := s.Store.Get(ctx, store.Key{URN: u.mark(), Aspect: upgradeAspect})
	if err != nil || records[0] == nil {
		return "", false, err
	}
	value, err := jsontree.DecodeObject(records[0].Value)
	if err != nil {
		return "", false, err
	}
	result := jsontree.Child(value, "result")
	text, _ := result[upgradeAfter].(string)
	return urn.URN(text), value["state"] == "SUCCEEDED", nil
}

func (s *Service) upgradeMark(u upgrade, state string, after urn.URN) catalog.Proposal {
	value := model.Object{"state": state, "timestampMs": jsontree.Number(s.Now().UnixMilli())}
	if after != "" {
		value["result"] = model.Object{upgradeAfter: string(after)}
	}
	return catalog.Proposal{URN: string(u.mark()), Change: model.Upsert, Aspect: upgradeAspect, Value: jsontree.Encode(value)}
}
