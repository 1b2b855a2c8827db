package token

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Forever is the lifetime of a token that does not expire.
const Forever time.Duration = 0

const (
	day         = 24 * time.Hour
	maxLifetime = 3650 * day
)

var namedLifetimes = map[string]time.Duration{
	"ONE_HOUR": time.Hour, "ONE_DAY": day, "ONE_WEEK": 7 * day, "ONE_MONTH": 30 * day,
	"THREE_MONTHS": 90 * day, "SIX_MONTHS": 180 * day, "ONE_YEAR": 365 * day, "NO_EXPIRY": Forever,
}

var period = regexp.MustCompile(`^P(?:(\d{1,2})Y)?(?:(\d{1,3})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$`)

// ParseLifetime parses a lifetime: one of the names that clients use (ONE_HOUR, ONE_DAY, ONE_WEEK,
// ONE_MONTH, THREE_MONTHS, SIX_MONTHS, ONE_YEAR, NO_EXPIRY), in any case and with - for _, or an
// ISO 8601 period as in ParsePeriod. Errors are of kind fault.Malformed.
func ParseLifetime(text string) (time.Duration, error) {
	upper := strings.ToUpper(text)
	if lifetime, ok := namedLifetimes[strings.ReplaceAll(upper, "-", "_")]; ok {
		return lifetime, nil
	}
	if !period.MatchString(upper) {
		return 0, fault.New(fault.Malformed, "duration %.40q is neither a name such as ONE_MONTH or NO_EXPIRY nor a period such as P30D or PT12H", text)
	}
	return ParsePeriod(text)
}

// ParsePeriod parses an ISO 8601 period such as P30D or PT12H, in any case. It consists of years of
// 365 days, months of 30 days, weeks, days, hours, minutes and seconds. Errors are of kind
// fault.Malformed.
func ParsePeriod(text string) (time.Duration, error) {
	parts := period.FindStringSubmatch(strings.ToUpper(text))
	if parts == nil || strings.HasSuffix(parts[0], "T") {
		return 0, fault.New(fault.Malformed, "duration %.40q is no period such as P30D or PT12H", text)
	}
	var total time.Duration
	for i, unit := range []time.Duration{365 * day, 30 * day, 7 * day, day, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(parts[i+1]) // digits or empty, by the pattern
		total += time.Duration(n) * unit
	}
	return total, checkLifetime(total)
}

func checkLifetime(d time.Duration) error {
	if d < time.Minute || d > maxLifetime {
		return fault.New(fault.Malformed, "the duration of a token is between one minute and %d days; NO_EXPIRY makes one that does not expire", maxLifetime/day)
	}
	return nil
}

// Lifetimes are the lifetimes with which tokens may be created. They do not affect existing tokens.
type Lifetimes struct {
	// NoExpiry allows tokens that do not expire.
	NoExpiry bool
	// Periods are the allowed periods in the format of ParsePeriod. Periods of equal length are
	// equal.
	Periods []string
}

// DefaultLifetimes are the lifetimes that DataHub allows by default.
func DefaultLifetimes() Lifetimes {
	return Lifetimes{Periods: []string{"PT1H", "P1D", "P7D", "P30D", "P90D", "P180D", "P365D"}}
}

// Check returns an error of kind fault.Invalid for a lifetime that is not allowed. asked is the
// text of the lifetime in the request, for the message; it may be empty.
func (l Lifetimes) Check(lifetime time.Duration, asked string) error {
	list := strings.Join(l.Periods, ",")
	if lifetime == Forever {
		if l.NoExpiry {
			return nil
		}
		return fault.New(fault.Invalid, "Access tokens that never expire are not allowed (ACCESS_TOKEN_ALLOW_NO_EXPIRY, here auth.token_no_expiry, is false). "+
			"Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (here auth.token_durations, currently: %s). Existing tokens that never expire stay valid.", list)
	}
	if slices.ContainsFunc(l.Periods, func(text string) bool { allowed, err := ParsePeriod(text); return err == nil && allowed == lifetime }) {
		return nil
	}
	if asked == "" {
		asked = lifetime.String()
	}
	return fault.New(fault.Invalid, "Access token duration %.40s is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: %s). The setting is auth.token_durations.", asked, list)
}
