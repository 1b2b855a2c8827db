package statistics

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must be known on machines without a database of them, too

	"github.com/cartulary/cartulary/pkg/fault"
)

// Times that requests may name: the years 0 to 9999, epoch ms.
const (
	minTime = -62_167_219_200_000
	maxTime = 253_402_300_799_999
)

// MaxWindows is how many windows of time one answer has at most.
const MaxWindows = 10_000

const maxMultiple = 10_000

// fixed are the units that are as long everywhere, in milliseconds.
var fixed = map[string]int64{"SECOND": 1000, "MINUTE": 60_000, "HOUR": hourMillis}

const (
	hourMillis = 3_600_000
	dayMillis  = 24 * hourMillis
)

// days and months are how long the units of the calendar are.
var (
	days   = map[string]int64{"DAY": 1, "WEEK": 7}
	months = map[string]int64{"MONTH": 1, "QUARTER": 3, "YEAR": 12}
)

// monday is the day that weeks are counted from: the Monday before 1970.
const monday = -3

// window cuts time into stretches that follow each other: so many units of the
// calendar of a zone, counted from 1970.
type window struct {
	unit     string
	multiple int64
	zone     *time.Location
}

// newWindow checks what a request says; at names the place, zone may be empty for UTC.
func newWindow(at, unit string, multiple int64, zone string) (window, error) {
	w := window{unit: unit, multiple: multiple}
	if fixed[unit]+days[unit]+months[unit] == 0 {
		return w, fault.New(fault.Malformed, "%s: %.50q is no unit; it must be one of SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR", at, unit)
	}
	if multiple < 1 || multiple > maxMultiple {
		return w, fault.New(fault.Malformed, "%s: multiple must be between 1 and %d, is %d", at, maxMultiple, multiple)
	}
	var err error
	w.zone, err = zoneOf(zone)
	return w, err
}

// offset is a zone as its distance from UTC.
var offset = regexp.MustCompile(`^([+-])([01]\d):([0-5]\d)$`)

func zoneOf(name string) (*time.Location, error) {
	switch parts := offset.FindStringSubmatch(name); {
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
	// Local would be the zone of this machine.
	if len(name) <= 100 && !strings.EqualFold(name, "Local") {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	return nil, fault.New(fault.Malformed, "timeZone: %.50q is no time zone such as Europe/Berlin or +02:00", name)
}

// countable tells whether windows have numbers that follow each other, as days
// and longer ones do. Shorter ones are too many to be told without data.
func (w window) countable() bool { return fixed[w.unit] == 0 }

// start is the beginning of the window that holds a time.
func (w window) start(at int64) int64 {
	if w.countable() {
		return w.begin(w.number(at))
	}
	_, seconds := time.UnixMilli(at).In(w.zone).Zone()
	local, size := at+int64(seconds)*1000, fixed[w.unit]*w.multiple
	return floor(local, size)*size - int64(seconds)*1000
}

// number counts windows of days and longer ones.
func (w window) number(at int64) int64 {
	local := time.UnixMilli(at).In(w.zone)
	if n := months[w.unit]; n > 0 {
		return floor(int64(local.Year()-1970)*12+int64(local.Month()-1), n*w.multiple)
	}
	_, seconds := local.Zone()
	day := floor(at+int64(seconds)*1000, dayMillis)
	return floor(day-w.first(), days[w.unit]*w.multiple)
}

// first is the day that windows of days begin with.
func (w window) first() int64 {
	if w.unit == "WEEK" {
		return monday
	}
	return 0
}

// begin is where a window with a number begins.
func (w window) begin(number int64) int64 {
	date := func(month time.Month, day int64) int64 {
		return time.Date(1970, month, int(day), 0, 0, 0, 0, w.zone).UnixMilli()
	}
	var at int64
	if n := months[w.unit]; n > 0 {
		at = date(time.Month(1+number*n*w.multiple), 1)
	} else {
		at = date(1, 1+w.first()+number*days[w.unit]*w.multiple)
	}
	if w.number(at) < number { // clocks go forward at midnight, so that there is none
		at += hourMillis
	}
	return at
}

// floor divides towards minus infinity.
func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// span checks bounds that a request names, both inclusive; nil is no bound.
func span(fromName string, from *int64, toName string, to *int64) (int64, int64, error) {
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

// whole is the sum of whole numbers, as float once it passes their range.
func whole(sum, n int64) (int64, bool) {
	if (n > 0 && sum > math.MaxInt64-n) || (n < 0 && sum < math.MinInt64-n) {
		return 0, false
	}
	return sum + n, true
}
