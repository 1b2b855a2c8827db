package ops

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// maxDocuments is how many documents one call shows.
const maxDocuments = 1000

// Documents returns what is indexed of some entities, in order, nil where nothing
// is and for entities that the actor may not read. Values that view authorization hides from
// the actor are left out. It asks for auth.ManageSystem.
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

// readable returns the documents of those entities that the actor may read, in the places of
// their URNs.
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
