package login

import (
	"time"

	"github.com/cartulary/cartulary/pkg/ratelimit"
)

// Limits bound how fast anybody may guess.
type Limits struct {
	PerMinute int // attempts of one client address, refilled steadily
	Burst     int // attempts it may make at once
}

// How guesses are slowed down. Failures of one client at one user cost it more and
// more time. Failures of many clients at one user cost those who have not signed in
// before half a minute at most, so that nobody keeps the user away for long.
// Invitations are for anybody, so failures with them count by client alone.
var (
	clientDelays     = ratelimit.Delays{Free: 5, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: time.Hour}
	userDelays       = ratelimit.Delays{Free: 50, First: time.Second, Longest: 30 * time.Second, Forget: time.Hour}
	invitationDelays = ratelimit.Delays{Free: 10, First: 5 * time.Second, Longest: 15 * time.Minute, Forget: time.Hour}
)

// limiter slows down guessing. Each client address has a token bucket over
// everything that takes a password or a token, so that passwords cannot be tried on
// many users.
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
