// Package rights tells actors what they may do, so that pages offer nothing that
// would be refused. It decides nothing by itself.
package rights

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Service tells what actors may do. It is safe for concurrent use.
type Service struct{ authorizer auth.Decider }

// New makes a Service.
func New(by auth.Decider) *Service { return &Service{by} }

// Held tells of each check whether the actor in the context passes it, all in one
// decision. Refusals are no errors.
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
