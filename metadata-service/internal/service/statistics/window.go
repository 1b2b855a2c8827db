package statistics

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // time zones for machines without a time zone database

	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of times in requests: the years 0 to 9999, in epoch ms.
const (
	minTime = -62_167_219_200_000
	maxTime = 253_402_300_799_999
)

// MaxWindows is the maximum number of time windows in one result.
const MaxWindows = 10_000

const maxMultiple = 10_000

// fixedUnits are the lengths of units with a fixed length, in milliseconds.
var fixedUnits = map[string]int64{"SECOND": 1000, "MINUTE": 60_000, "HOUR": hourMillis}

const (
	hourMillis = 3_600_000
	dayMillis  = 24 * hourMillis
)

// dayUnits and monthUnits are the lengths of the calendar units.
var (
	dayUnits   = map[string]int64{"DAY": 1, "WEEK": 7}
	monthUnits = map[string]int64{"MONTH": 1, "QUARTER": 3, "YEAR": 12}
)

// firstWeekDay is the first day of week windows, as a day number: the Monday before 1970.
const firstWeekDay = -3

// window divides time into consecutive windows: multiples of a calendar unit in a time zone,
// counted from 1970.
type window struct {
	unit     string
	multiple int64
	zone     *time.Location
}

// newWindow validates the window of a request. at is the member in error messages; an empty zone
// means UTC.
func newWindow(at, unit string, multiple int64, zone string) (window, error) {
	w := window{unit: unit, multiple: multiple}
	if fixedUnits[unit]+dayUnits[unit]+monthUnits[unit] == 0 {
		return w, fault.New(fault.Malformed, "%s: %.50q is no unit; it must be one of SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR", at, unit)
	}
	if multiple < 1 || multiple > maxMultiple {
		return w, fault.New(fault.Malformed, "%s: multiple must be between 1 and %d, is %d", at, maxMultiple, multiple)
	}
	var err error
	w.zone, err = zoneOf(zone)
	return w, err
}

// zoneOffset matches a time zone given as its offset from UTC.
var zoneOffset = regexp.MustCompile(`^([+-])([01]\d):([0-5]\d)$`)

func zoneOf(name string) (*time.Location, error) {
	switch parts := zoneOffset.FindStringSubmatch(name); {
	case name == "", name == "Z":
		return time.UTC, nil
	case parts != nil:
		hours, _ := strconv.Atoi(parts[2])
		minutes, _ := strconv.Atoi(parts[3])
		seconds := hours*3600 + minutes*60
		if parts[1] == "-" {
			seconds = -seconds
		}
		return time.FixedZone(name, seconds), nil
	}
	// Local would be the time zone of this machine.
	if len(name) <= 100 && !strings.EqualFold(name, "Local") {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	return nil, fault.New(fault.Malformed, "timeZone: %.50q is no time zone such as Europe/Berlin or +02:00", name)
}

// countable reports whether windows have consecutive numbers, which windows of a day or longer do.
// Shorter windows are too many to return without data.
func (w window) countable() bool { return fixedUnits[w.unit] == 0 }

// start returns the start of the window that contains a time.
func (w window) start(at int64) int64 {
	if w.countable() {
		return w.begin(w.number(at))
	}
	_, seconds := time.UnixMilli(at).In(w.zone).Zone()
	local, size := at+int64(seconds)*1000, fixedUnits[w.unit]*w.multiple
	return floor(local, size)*size - int64(seconds)*1000
}

// number returns the number of a window of a day or longer.
func (w window) number(at int64) int64 {
	local := time.UnixMilli(at).In(w.zone)
	if n := monthUnits[w.unit]; n > 0 {
		return floor(int64(local.Year()-1970)*12+int64(local.Month()-1), n*w.multiple)
	}
	_, seconds := local.Zone()
	day := floor(at+int64(seconds)*1000, dayMillis)
	return floor(day-w.first(), dayUnits[w.unit]*w.multiple)
}

// first returns the day number of window 0.
func (w window) first() int64 {
	if w.unit == "WEEK" {
		return firstWeekDay
	}
	return 0
}

// begin returns the start of the window with a number.
func (w window) begin(number int64) int64 {
	date := func(month time.Month, day int64) int64 {
		return time.Date(1970, month, int(day), 0, 0, 0, 0, w.zone).UnixMilli()
	}
	var at int64
	if n := monthUnits[w.unit]; n > 0 {
		at = date(time.Month(1+number*n*w.multiple), 1)
	} else {
		at = date(1, 1+w.first()+number*dayUnits[w.unit]*w.multiple)
	}
	if w.number(at) < number { // a clock change at midnight skips the start of the day
		at += hourMillis
	}
	return at
}

// floor divides with rounding towards negative infinity.
func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// parsePeriod validates the limits of a period, both inclusive; nil means no limit.
func parsePeriod(fromName string, from *int64, toName string, to *int64) (int64, int64, error) {
	low, high := int64(minTime), int64(maxTime)
	for _, b := range []struct {
		name  string
		given *int64
		into  *int64
	}{{fromName, from, &low}, {toName, to, &high}} {
		if b.given == nil {
			continue
		}
		if *b.given < minTime || *b.given > maxTime {
			return 0, 0, fault.New(fault.Malformed, "%s: %d is not between the years 0 and 9999; it must be epoch milliseconds", b.name, *b.given)
		}
		*b.into = *b.given
	}
	if low > high {
		return 0, 0, fault.New(fault.Malformed, "%s: %d is after %s, %d", fromName, low, toName, high)
	}
	return low, high, nil
}

// addInt64 returns the sum of two integers, and false if it overflows.
func addInt64(sum, n int64) (int64, bool) {
	if (n > 0 && sum > math.MaxInt64-n) || (n < 0 && sum < math.MinInt64-n) {
		return 0, false
	}
	return sum + n, true
}
