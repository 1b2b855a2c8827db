package auth

import "context"

// Decider is the part of an authorizer that answers checks, one decision for
// each in the order asked.
type Decider interface {
	Decide(ctx context.Context, checks []Check) ([]Decision, error)
}

// Require gives the decisions that checks allow, asked in one call. All of them
// must be allowed; otherwise the error is the first refusal.
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

// RequireOne gives the decision of the first of some alternatives that is
// allowed, asked in one call. When none is, the error is the refusal of the
// first.
func RequireOne(ctx context.Context, by Decider, alternatives ...Check) (Decisions, error) {
	decisions, err := by.Decide(ctx, alternatives)
	if err != nil {
		return nil, err
	}
	first := Decisions(decisions).First()
	return Decisions{first}, first.Err()
}
