package rest

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (s *handlers) testActions() []action {
	return []action{
		typedAction("evaluate", queryLimit, s.evaluateTests),
	}
}

type evaluateInput struct {
	URN   string    `json:"urn" param:"required"`
	Push  looseBool `json:"push"`
	Tests []string  `json:"testUrns"`
}

// evaluateTests evaluates metadata tests for an asset and responds with the record testResults
// for the requested tests.
func (s *handlers) evaluateTests(ctx context.Context, in evaluateInput) (any, error) {
	asset, err := s.urnOf("urn", in.URN)
	if err != nil {
		return nil, err
	}
	tests := make([]urn.URN, len(in.Tests))
	for i, text := range in.Tests {
		if tests[i], err = s.urnOf(fmt.Sprintf("testUrns[%d]", i), text, metatest.EntityType); err != nil {
			return nil, err
		}
	}
	done, err := s.Tests.Evaluate(ctx, asset, tests, bool(in.Push))
	if err != nil {
		return nil, err
	}
	return done.Asked, nil
}

// urnOf parses the URN of a parameter, which must be of one of the types when any are given.
func (s *handlers) urnOf(name, text string, types ...string) (urn.URN, error) {
	u, spec, err := s.registry.Resolve(text)
	switch {
	case err != nil:
		return "", fault.Wrap(err, fault.Malformed, "%s: %s", name, fault.Message(err))
	case len(types) > 0 && !slices.Contains(types, spec.Name):
		return "", fault.New(fault.Malformed, "%s: %s is not the URN of a %s", name, u, types[0])
	}
	return u, nil
}
