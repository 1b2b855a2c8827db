package access

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Held reports for each check whether the actor in ctx passes it. It decides all checks in one
// call. Refusals are not errors. Pages use it to
// offer no operations that would be refused; it decides nothing by itself.
func (s *Service) Held(ctx context.Context, checks ...auth.Check) ([]bool, error) {
	held := make([]bool, len(checks))
	if len(checks) == 0 {
		return held, nil
	}
	decisions, err := s.engine.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, d := range decisions {
		held[i] = d.Allowed()
	}
	return held, nil
}
