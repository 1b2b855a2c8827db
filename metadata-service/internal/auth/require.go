package auth

import "context"

// Decider is the part of an authorizer that answers checks. Decide returns one decision for each
// check, in the order of the checks.
type Decider interface {
	Decide(ctx context.Context, checks []Check) ([]Decision, error)
}

// Require sends checks in one call and returns their decisions. All checks must be allowed;
// otherwise the error is the first refusal. Without checks it returns nil.
func Require(ctx context.Context, by Decider, checks ...Check) (Decisions, error) {
	if len(checks) == 0 {
		return nil, nil
	}
	decisions, err := by.Decide(ctx, checks)
	if err != nil {
		return nil, err
	}
	return decisions, Decisions(decisions).Err()
}

// RequireOne sends alternative checks in one call and returns the decision of the first that is
// allowed. If none is allowed, the error is the refusal of the first.
func RequireOne(ctx context.Context, by Decider, alternatives ...Check) (Decisions, error) {
	decisions, err := by.Decide(ctx, alternatives)
	if err != nil {
		return nil, err
	}
	first := Decisions(decisions).First()
	return Decisions{first}, first.Err()
}
