package knowledge

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Lifecycle stages that affect the visibility of documents in searches.
const (
	publishedStage = "urn:li:lifecycleStageType:PUBLISHED"
	draftStage     = "urn:li:lifecycleStageType:DRAFT"
)

const (
	stageField = "lifecycleStage"
	stateField = "state"
)

var (
	hasStage      = search.Criterion{Field: stageField, Condition: search.Exists}
	noStage       = search.Criterion{Field: stageField, Condition: search.Exists, Negated: true}
	shownGlobally = search.Criterion{Field: shownField, Values: []string{"false"}, Negated: true}
)

func equals(field string, values ...string) search.Criterion {
	return search.Criterion{Field: field, Condition: search.Equal, Values: values}
}

func notEquals(field string, values ...string) search.Criterion {
	return search.Criterion{Field: field, Condition: search.Equal, Values: values, Negated: true}
}

// RestrictToFindable restricts a search among documents to those that the actor may find: published
// ones, and unpublished ones owned by the actor or its groups or, with auth.ManageDocuments, by
// anyone; never drafts by their stage. states selects published or unpublished ones; empty selects
// both. Without global, documents that general lists do not show are included. Since the condition
// covers stages, the search additionally includes hidden stages.
func (s *Service) RestrictToFindable(ctx context.Context, q *discover.SearchQuery, states []string, global bool) (err error) {
	q.IncludeHiddenStages = true
	q.Implied, err = s.findableFilter(ctx, states, global)
	return err
}

func (s *Service) findableFilter(ctx context.Context, states []string, global bool) (search.Filter, error) {
	for _, state := range states {
		if state != Published && state != Unpublished {
			return nil, fault.New(fault.Malformed, "states: %.60q is neither %s nor %s", state, Published, Unpublished)
		}
	}
	wanted := func(state string) bool { return len(states) == 0 || slices.Contains(states, state) }
	var out search.Filter
	if wanted(Published) {
		out = append(out, []search.Criterion{equals(stageField, publishedStage)}, []search.Criterion{noStage, equals(stateField, Published)})
	}
	if wanted(Unpublished) {
		own, err := s.ownedBy(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out,
			append([]search.Criterion{hasStage, notEquals(stageField, publishedStage, draftStage)}, own...),
			append([]search.Criterion{noStage, equals(stateField, Unpublished)}, own...))
	}
	if global {
		for i := range out {
			out[i] = append(out[i], shownGlobally)
		}
	}
	return out, nil
}

// ownedBy returns the condition that the actor or one of its groups owns a document, or none if the
// actor may manage documents.
func (s *Service) ownedBy(ctx context.Context) ([]search.Criterion, error) {
	manages, err := s.mayManage(ctx)
	if err != nil || manages {
		return nil, err
	}
	who, err := edit.Actor(ctx)
	if err != nil {
		return nil, err
	}
	owners := []string{string(who)}
	groups, err := account.Groups(ctx, s.edit.Catalog.Store, who)
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		owners = append(owners, string(group))
	}
	return []search.Criterion{equals("owners", owners...)}, nil
}

func (s *Service) mayManage(ctx context.Context) (bool, error) {
	decided, err := s.edit.Authorizer.Decide(ctx, []auth.Check{auth.ForPlatform(auth.ManageDocuments)})
	if err != nil {
		return false, err
	}
	return decided[0].Allowed(), nil
}

// Among returns the condition for documents in searches over all entities: documents with a
// lifecycle stage must be published, others must not be unpublished unless the actor may manage
// documents, and general lists must show them. It does not restrict entities of other types.
func (s *Service) Among(ctx context.Context) (search.Filter, error) {
	manages, err := s.mayManage(ctx)
	if err != nil {
		return nil, err
	}
	plain := []search.Criterion{noStage, shownGlobally}
	if !manages {
		plain = append(plain, notEquals(stateField, Unpublished))
	}
	return search.Filter{{notEquals("_entityType", EntityType)}, {equals(stageField, publishedStage), shownGlobally}, plain}, nil
}

// Restrict adds Among to a search that may find documents, unless it includes hidden stages.
func (s *Service) Restrict(ctx context.Context, q *discover.SearchQuery) (err error) {
	if q.IncludeHiddenStages || len(q.Types) > 0 && !slices.ContainsFunc(q.Types, isDocument) {
		return nil
	}
	q.Implied, err = s.Among(ctx)
	return err
}

func isDocument(entityType string) bool { return search.TypeName(entityType) == EntityType }

// Query selects documents. Values of one list are alternatives.
type Query struct {
	Parents, SubTypes, Domains, RelatedAssets, Tags, Terms, Creators, Platforms []string
	Top                                                                         bool // without a parent; ignored if Parents is set
	Source                                                                      string
}

// Filter returns the condition of a query, nil for an empty one.
func (q Query) Filter() search.Filter {
	var all []search.Criterion
	for _, c := range []struct {
		field  string
		values []string
	}{
		{parentDocument, q.Parents}, {"typeNames", q.SubTypes}, {"domains", q.Domains}, {"relatedAssets", q.RelatedAssets}, {"tags", q.Tags},
		{"glossaryTerms", q.Terms}, {"creator", q.Creators}, {"platform", q.Platforms},
	} {
		if len(c.values) > 0 {
			all = append(all, equals(c.field, c.values...))
		}
	}
	if q.Top && len(q.Parents) == 0 {
		all = append(all, search.Criterion{Field: parentDocument, Condition: search.Exists, Negated: true})
	}
	if q.Source != "" {
		all = append(all, equals("sourceType", q.Source))
	}
	if len(all) == 0 {
		return nil
	}
	return search.Filter{all}
}
