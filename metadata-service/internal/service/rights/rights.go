// Package rights reports the privileges of the actor, so that pages offer no operations that would
// be refused. It decides nothing by itself.
package rights

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Service reports privileges. It is safe for concurrent use.
type Service struct{ authorizer auth.Decider }

// New returns a Service.
func New(by auth.Decider) *Service { return &Service{by} }

// Held reports for each check whether the actor in ctx passes it. It decides all checks in one
// call. Refusals are not errors.
func (s *Service) Held(ctx context.Context, checks ...auth.Check) ([]bool, error) {
	held := make([]bool, len(checks))
	if len(checks) == 0 {
		return held, nil
	}
	decisions, err := s.authorizer.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, d := range decisions {
		held[i] = d.Allowed()
	}
	return held, nil
}
