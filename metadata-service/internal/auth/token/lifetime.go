package token

import (
	"regexp"
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

var named = map[string]time.Duration{
	"ONE_HOUR": time.Hour, "ONE_DAY": day, "ONE_WEEK": 7 * day, "ONE_MONTH": 30 * day,
	"THREE_MONTHS": 90 * day, "SIX_MONTHS": 180 * day, "ONE_YEAR": 365 * day, "NO_EXPIRY": Forever,
}

var period = regexp.MustCompile(`^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$`)

// ParseLifetime reads a lifetime: one of the names clients use (ONE_HOUR, ONE_DAY, ONE_WEEK,
// ONE_MONTH, THREE_MONTHS, SIX_MONTHS, ONE_YEAR, NO_EXPIRY), in any case and with - for _, or
// an ISO 8601 period in weeks, days, hours, minutes and seconds such as P30D or PT12H. Errors
// are of kind fault.Malformed.
func ParseLifetime(text string) (time.Duration, error) {
	upper := strings.ToUpper(text)
	if lifetime, ok := named[strings.ReplaceAll(upper, "-", "_")]; ok {
		return lifetime, nil
	}
	parts := period.FindStringSubmatch(upper)
	if parts == nil {
		return 0, fault.New(fault.Malformed, "duration %.40q is neither a name such as ONE_MONTH or NO_EXPIRY nor a period such as P30D or PT12H", text)
	}
	var total time.Duration
	for i, unit := range []time.Duration{7 * day, day, time.Hour, time.Minute, time.Second} {
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
