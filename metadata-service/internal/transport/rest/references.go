package rest

import "context"

type referencesInput struct {
	URN    string    `json:"urn" param:"required"`
	DryRun looseBool `json:"dryRun"`
}

// deleteReferences removes the references to an entity, or lists them in a dry run.
func (s *handlers) deleteReferences(ctx context.Context, in referencesInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	found, err := s.Catalog.DeleteReferences(ctx, u, bool(in.DryRun))
	if err != nil {
		return nil, err
	}
	related := make([]any, len(found.Related))
	for i, r := range found.Related {
		related[i] = object{"relationship": r.Relationship, "entity": string(r.URN), "aspect": r.Aspect}
	}
	return object{"total": found.Total, "relatedAspects": related}, nil
}
