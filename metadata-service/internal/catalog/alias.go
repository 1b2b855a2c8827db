package catalog

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aliases is the aspect of other spellings of a URN, by which searches find
// datasets whose names are written in lower case somewhere.
const (
	aliases       = "aliases"
	lowercasedURN = "lowercasedUrn"
)

// withLowerName is the URN of a dataset with its name in lower case, empty when
// that is the URN itself. Platform and environment stay as they are: they are
// never written in another case.
func withLowerName(u urn.URN) urn.URN {
	parts := u.Parts()
	if len(parts) != 3 {
		return ""
	}
	parts[1] = strings.ToLower(parts[1])
	if lowered := urn.Make(u.Type(), parts...); lowered != u {
		return lowered
	}
	return ""
}

// mendAliases is the upgrade of aliases that name the whole URN in lower case, as
// they did once. The mark is of the same transaction.
func (s *Service) mendAliases(ctx context.Context, datasets []urn.URN, mark Proposal) (int, error) {
	mended, err := s.wrongAliases(ctx, datasets)
	if err != nil || len(mended) == 0 {
		return 0, err
	}
	_, err = s.Write(ctx, append(mended, mark), WriteOptions{})
	return len(mended), err
}

// wrongAliases proposes what the aliases of datasets are to be that are wrong.
func (s *Service) wrongAliases(ctx context.Context, datasets []urn.URN) ([]Proposal, error) {
	keys := make([]store.Key, len(datasets))
	for i, u := range datasets {
		keys[i] = store.Key{URN: u, Aspect: aliases}
	}
	records, err := s.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var mended []Proposal
	for i, u := range datasets {
		if records[i] == nil {
			continue
		}
		value, err := jsontree.DecodeObject(records[i].Value)
		if err != nil {
			return nil, err
		}
		lowered := withLowerName(u)
		switch value[lowercasedURN] {
		case string(lowered):
		case strings.ToLower(string(u)):
			mended = append(mended, aliasProposal(u, lowered))
		}
	}
	return mended, nil
}

func aliasProposal(u, lowered urn.URN) Proposal {
	if lowered == "" {
		return Proposal{URN: string(u), Change: model.Delete, Aspect: aliases}
	}
	return Proposal{URN: string(u), Change: model.Upsert, Aspect: aliases, Value: jsontree.Encode(model.Object{lowercasedURN: string(lowered)})}
}
