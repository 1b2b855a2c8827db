package ops

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxDocuments is how many documents one call shows.
const maxDocuments = 1000

// Documents shows what is indexed of some entities, in order, nil where nothing
// is. It asks for auth.ManageSystem, since it shows of every entity what is indexed.
func (s *Service) Documents(ctx context.Context, texts []string) ([]*search.Document, error) {
	if err := s.MayManage(ctx); err != nil {
		return nil, err
	}
	if len(texts) > maxDocuments {
		return nil, fault.New(fault.Malformed, "%d entities are named, at most %d are shown", len(texts), maxDocuments)
	}
	urns := make([]urn.URN, len(texts))
	for i, text := range texts {
		u, _, err := s.Registry.Resolve(text)
		if err != nil {
			return nil, err
		}
		urns[i] = u
	}
	return s.Indexer.Documents(ctx, urns)
}
