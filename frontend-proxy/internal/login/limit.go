package login

import (
	"time"

	"github.com/cartulary/cartulary/pkg/ratelimit"
)

// Limits limits the rate of guesses.
type Limits struct {
	PerMinute int // attempts of one client address, refilled at a steady rate
	Burst     int // attempts it may make at once
}

// Delays that slow down guesses. Failures of one client at one user cause longer and longer delays
// for this client. Failures of many clients at one user delay clients that have not signed in
// before by half a minute at most, so that an attacker cannot lock the user out for long.
// Invitations are not bound to a user, so their failures count only by client.
var (
	clientDelays     = ratelimit.Delays{Free: 5, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: time.Hour}
	userDelays       = ratelimit.Delays{Free: 50, First: time.Second, Longest: 30 * time.Second, Forget: time.Hour}
	invitationDelays = ratelimit.Delays{Free: 10, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: time.Hour}
)

// limiter slows down guessing. Each client address has a token bucket for all requests with a
// password or a token, so that passwords cannot be tried on many users.
type limiter struct {
	addresses   *ratelimit.Buckets
	users       *ratelimit.Guard
	invitations *ratelimit.Attempts
}

func newLimiter(limits Limits, now func() time.Time) *limiter {
	return &limiter{
		addresses:   ratelimit.NewBuckets(ratelimit.Rate{PerMinute: limits.PerMinute, Burst: limits.Burst}, 0, now),
		users:       ratelimit.NewGuard(clientDelays, userDelays, 0, now),
		invitations: ratelimit.NewAttempts(invitationDelays, 0, now),
	}
}
