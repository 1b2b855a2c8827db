package ingestion_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestSchedules(t *testing.T) {
	t.Parallel()
	for interval, good := range map[string]bool{
		"0 4 * * *": true, "*/15 0-6,12 1,15 JAN-mar/2 Mon-5": true, "0 0 * * 7": true, "0\t0 31 12 0": true, "5/10 * * * *": true, "*/90 */48 */40 */13 */9": true,
		"": false, "0 4 * *": false, "0 4 * * * *": false, "60 * * * *": false, "* 24 * * *": false, "* * 0 * *": false, "* * * 13 *": false,
		"* * * * 8": false, "*/0 * * * *": false, "*/ * * * *": false, "1- * * * *": false, "5-1 * * * *": false, "1,, * * * *": false,
		"-1 * * * *": false, "+1 * * * *": false, "a * * * *": false, "* * * FOO *": false, "*-5 * * * *": false, "@daily": false,
		strings.Repeat("1,", 1000) + "1 * * * *": false,
	} {
		check(t, ingestion.Schedule{Interval: interval, Timezone: "UTC"}, good)
	}
	for zone, good := range map[string]bool{"UTC": true, "Europe/Berlin": true, "": false, "Local": false, "Mars/Base": false, "../etc/passwd": false} {
		check(t, ingestion.Schedule{Interval: "0 4 * * *", Timezone: zone}, good)
	}
}

func check(t *testing.T, s ingestion.Schedule, good bool) {
	t.Helper()
	if err := s.Check(); good != (err == nil) || err != nil && !errors.Is(err, fault.Malformed) {
		t.Errorf("%.80q %q: got %v, want accepted: %v", s.Interval, s.Timezone, err, good)
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add("*/15 0-6,12 1,15 JAN-mar/2 Mon-5", "Europe/Berlin")
	f.Add("0 4 * * *", "")
	f.Fuzz(func(t *testing.T, interval, zone string) {
		err := ingestion.Schedule{Interval: interval, Timezone: zone}.Check()
		if err == nil && len(strings.Fields(interval)) != 5 {
			t.Errorf("%q was accepted", interval)
		}
		if err != nil && !errors.Is(err, fault.Malformed) {
			t.Errorf("got %v", err)
		}
	})
}
