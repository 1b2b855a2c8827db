package ingestion

import (
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // time zones for machines without a time zone database

	"github.com/cartulary/cartulary/pkg/fault"
)

const maxSchedule = 1000 // bytes of an expression and of a zone

// field is one field of a cron expression.
type field struct {
	name     string
	min, max int
	names    []string // of the values from min on
}

func fields() [5]field {
	return [5]field{
		{"minute", 0, 59, nil},
		{"hour", 0, 23, nil},
		{"day of month", 1, 31, nil},
		{"month", 1, 12, []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}},
		{"day of week", 0, 7, []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}},
	}
}

// Check validates a cron expression of five fields (minute, hour, day of month, month, day of
// week), each a list of values and ranges with or without steps, and the name of a time zone.
// Errors are fault.Malformed.
func (s Schedule) Check() error {
	if len(s.Interval) > maxSchedule || len(s.Timezone) > maxSchedule {
		return fault.New(fault.Malformed, "schedule: longer than %d bytes", maxSchedule)
	}
	parts := strings.Fields(s.Interval)
	all := fields()
	if len(parts) != len(all) {
		return fault.New(fault.Malformed, "schedule.interval: %q has %d fields; a cron expression has 5, such as 0 4 * * *", s.Interval, len(parts))
	}
	for i, f := range all {
		for item := range strings.SplitSeq(parts[i], ",") {
			if !f.accepts(item) {
				return fault.New(fault.Malformed, "schedule.interval: %q is no %s", item, f.name)
			}
		}
	}
	// The empty name and Local would mean UTC and the time zone of this machine.
	if _, err := time.LoadLocation(s.Timezone); err != nil || s.Timezone == "" || s.Timezone == "Local" {
		return fault.New(fault.Malformed, "schedule.timezone: %q is no time zone such as Europe/Berlin", s.Timezone)
	}
	return nil
}

// latest returns the last minute after one time and not after another at which a schedule is due.
// The schedule must have passed Check. Both day of month and day of week must match. A time of day
// that a clock change skips is not due; a repeated one is due again.
func (s Schedule) latest(after, until time.Time) (time.Time, bool) {
	zone, err := time.LoadLocation(s.Timezone)
	if err != nil {
		return time.Time{}, false
	}
	parts, all := strings.Fields(s.Interval), fields()
	for at := until.Truncate(time.Minute); at.After(after); at = at.Add(-time.Minute) {
		local := at.In(zone)
		values := [...]int{local.Minute(), local.Hour(), local.Day(), int(local.Month()), int(local.Weekday())}
		due := true
		for i, f := range all {
			due = due && f.matches(parts[i], values[i])
		}
		if due {
			return at, true
		}
	}
	return time.Time{}, false
}

// matches reports whether a list contains a value. Its items must have passed accepts.
func (f field) matches(list string, value int) bool {
	for item := range strings.SplitSeq(list, ",") {
		// Sunday is both 0 and 7.
		if f.covers(item, value) || value == 0 && f.max == 7 && f.covers(item, f.max) {
			return true
		}
	}
	return false
}

// covers reports whether one item contains a value. A step without an end continues to the maximum.
func (f field) covers(item string, value int) bool {
	span, every, stepped := strings.Cut(item, "/")
	from, to := f.min, f.max
	if span != "*" {
		first, last, ranged := strings.Cut(span, "-")
		from, _ = f.value(first)
		switch {
		case ranged:
			to, _ = f.value(last)
		case !stepped:
			to = from
		}
	}
	step := 1
	if stepped {
		var err error
		// a step too large for an int exceeds every field, too
		if step, err = strconv.Atoi(every); err != nil {
			step = f.max + 1
		}
	}
	return from <= value && value <= to && (value-from)%step == 0
}

// accepts reports whether a list item is *, a value or a range, with or without a step. A step
// larger than the range selects only the first value.
func (f field) accepts(item string) bool {
	span, step, stepped := strings.Cut(item, "/")
	if stepped {
		if step == "" || strings.Trim(step, "0123456789") != "" || strings.Trim(step, "0") == "" {
			return false
		}
	}
	if span == "*" {
		return true
	}
	first, last, ranged := strings.Cut(span, "-")
	from, ok := f.value(first)
	if !ok || !ranged {
		return ok
	}
	to, ok := f.value(last)
	return ok && from <= to
}

func (f field) value(text string) (int, bool) {
	if i := slices.Index(f.names, strings.ToUpper(text)); i >= 0 {
		return f.min + i, true
	}
	n, ok := parseNumber(text)
	return n, ok && f.min <= n && n <= f.max
}

// parseNumber parses decimal digits only.
func parseNumber(text string) (int, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
