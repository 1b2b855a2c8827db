package ops

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxDocuments is the maximum number of search documents that one call returns.
const maxDocuments = 1000

// Documents returns the search documents of entities, in their order, with nil for entities that
// are not indexed or that the actor may not read. It omits values that view authorization hides
// from the actor. It requires auth.ManageSystem. More than 1000 entities are fault.Malformed.
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
	return s.readable(ctx, urns)
}

// readable returns the search documents of the entities that the actor may read, at the positions
// of their URNs.
func (s *Service) readable(ctx context.Context, urns []urn.URN) ([]*search.Document, error) {
	may, err := s.Catalog.MayReadEach(ctx, urns, "")
	if err != nil {
		return nil, err
	}
	var asked []urn.URN
	var places []int
	for i, u := range urns {
		if may[i] {
			asked, places = append(asked, u), append(places, i)
		}
	}
	found, err := s.Indexer.Documents(ctx, asked)
	if err != nil {
		return nil, err
	}
	docs := make([]*search.Document, len(urns))
	for i, d := range found {
		docs[places[i]] = d
	}
	return docs, s.Discover.DiscloseDocuments(ctx, docs)
}
