package bootstrap

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aliases is the aspect with other spellings of a URN, by which searches find datasets despite
// systems that write their names in lower case.
const (
	aliases       = "aliases"
	lowercasedURN = "lowercasedUrn"
)

// mendAliases is the upgrade of aliases that contain the whole URN in lower case, as earlier
// versions wrote them. The mark is written in the same transaction.
func (s *Service) mendAliases(ctx context.Context, datasets []urn.URN, mark catalog.Proposal) (int, error) {
	mended, err := s.wrongAliases(ctx, datasets)
	if err != nil || len(mended) == 0 {
		return 0, err
	}
	_, err = s.Catalog.Write(ctx, append(mended, mark), catalog.WriteOptions{Upgrade: true})
	return len(mended), err
}

// wrongAliases returns proposals that correct the wrong aliases of datasets.
func (s *Service) wrongAliases(ctx context.Context, datasets []urn.URN) ([]catalog.Proposal, error) {
	keys := make([]store.Key, len(datasets))
	for i, u := range datasets {
		keys[i] = store.Key{URN: u, Aspect: aliases}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var mended []catalog.Proposal
	for i, u := range datasets {
		if records[i] == nil {
			continue
		}
		value, err := jsontree.DecodeObject(records[i].Value)
		if err != nil {
			return nil, err
		}
		lowered := rule.WithLowerName(u)
		switch value[lowercasedURN] {
		case string(lowered):
		case strings.ToLower(string(u)):
			mended = append(mended, aliasProposal(u, lowered))
		}
	}
	return mended, nil
}

func aliasProposal(u, lowered urn.URN) catalog.Proposal {
	if lowered == "" {
		return catalog.Proposal{URN: string(u), Change: model.Delete, Aspect: aliases}
	}
	return catalog.Proposal{URN: string(u), Change: model.Upsert, Aspect: aliases, Value: jsontree.Encode(model.Object{lowercasedURN: string(lowered)})}
}
