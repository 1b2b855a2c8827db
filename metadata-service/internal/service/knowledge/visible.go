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

// Lifecycle stages that decide who finds a document.
const (
	publishedStage = "urn:li:lifecycleStageType:PUBLISHED"
	draftStage     = "urn:li:lifecycleStageType:DRAFT"
)

const (
	stageField = "lifecycleStage"
	stateField = "state"
)

var (
	staged   = search.Criterion{Field: stageField, Condition: search.Exists}
	unstaged = search.Criterion{Field: stageField, Condition: search.Exists, Negated: true}
	inGlobal = search.Criterion{Field: shown, Values: []string{"false"}, Negated: true}
)

func is(field string, values ...string) search.Criterion {
	return search.Criterion{Field: field, Condition: search.Equal, Values: values}
}

func isNot(field string, values ...string) search.Criterion {
	return search.Criterion{Field: field, Condition: search.Equal, Values: values, Negated: true}
}

// RestrictToFindable puts on a search among documents the condition of those that the actor finds: what is
// published, and what is not of its own, of its groups or, for who manages documents, of
// all; never drafts by their stage. States narrows it to published ones or others; none
// is both. Without global it counts documents that general lists do not show, too. Since the condition
// decides about stages, stages that searches hide are not left out besides.
func (s *Service) RestrictToFindable(ctx context.Context, q *discover.SearchQuery, states []string, global bool) (err error) {
	q.IncludeHiddenStages = true
	q.Implied, err = s.findable(ctx, states, global)
	return err
}

func (s *Service) findable(ctx context.Context, states []string, global bool) (search.Filter, error) {
	for _, state := range states {
		if state != Published && state != Unpublished {
			return nil, fault.New(fault.Malformed, "states: %.60q is neither %s nor %s", state, Published, Unpublished)
		}
	}
	wanted := func(state string) bool { return len(states) == 0 || slices.Contains(states, state) }
	var out search.Filter
	if wanted(Published) {
		out = append(out, []search.Criterion{is(stageField, publishedStage)}, []search.Criterion{unstaged, is(stateField, Published)})
	}
	if wanted(Unpublished) {
		own, err := s.ownedBy(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out,
			append([]search.Criterion{staged, isNot(stageField, publishedStage, draftStage)}, own...),
			append([]search.Criterion{unstaged, is(stateField, Unpublished)}, own...))
	}
	if global {
		for i := range out {
			out[i] = append(out[i], inGlobal)
		}
	}
	return out, nil
}

// ownedBy is the condition that the actor or a group of the actor owns a document, none
// for who manages documents.
func (s *Service) ownedBy(ctx context.Context) ([]search.Criterion, error) {
	manages, err := s.manages(ctx)
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
	return []search.Criterion{is("owners", owners...)}, nil
}

func (s *Service) manages(ctx context.Context) (bool, error) {
	decided, err := s.edit.Authorizer.Decide(ctx, []auth.Check{auth.ForPlatform(auth.ManageDocuments)})
	if err != nil {
		return false, err
	}
	return decided[0].Allowed(), nil
}

// Among is the condition that searches over all entities put on the documents they
// find: those of a lifecycle stage are published, others are not withdrawn unless the
// actor manages documents, and general lists show them. Entities of other types are
// not concerned.
func (s *Service) Among(ctx context.Context) (search.Filter, error) {
	manages, err := s.manages(ctx)
	if err != nil {
		return nil, err
	}
	plain := []search.Criterion{unstaged, inGlobal}
	if !manages {
		plain = append(plain, isNot(stateField, Unpublished))
	}
	return search.Filter{{isNot("_entityType", EntityType)}, {is(stageField, publishedStage), inGlobal}, plain}, nil
}

// Restrict puts Among on a search that may find documents, unless it asks for what is hidden.
func (s *Service) Restrict(ctx context.Context, q *discover.SearchQuery) (err error) {
	if q.IncludeHiddenStages || len(q.Types) > 0 && !slices.ContainsFunc(q.Types, isDocument) {
		return nil
	}
	q.Implied, err = s.Among(ctx)
	return err
}

func isDocument(entityType string) bool { return search.TypeName(entityType) == EntityType }

// Query is what documents are looked for by. Values of one list are alternatives.
type Query struct {
	Parents, SubTypes, Domains, RelatedAssets, Tags, Terms, Creators, Platforms []string
	Top                                                                         bool // without a parent; ignored beside Parents
	Source                                                                      string
}

// Filter is the condition of a query, empty when it has none.
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
			all = append(all, is(c.field, c.values...))
		}
	}
	if q.Top && len(q.Parents) == 0 {
		all = append(all, search.Criterion{Field: parentDocument, Condition: search.Exists, Negated: true})
	}
	if q.Source != "" {
		all = append(all, is("sourceType", q.Source))
	}
	if len(all) == 0 {
		return nil
	}
	return search.Filter{all}
}
