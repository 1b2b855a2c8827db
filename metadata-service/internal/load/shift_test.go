package load_test

import (
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
)

func TestTimesMoveByWholeDays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 15, 30, 0, 0, time.UTC)
	const day = 86_400_000
	cases := []struct {
		name   string
		newest time.Time
		days   int64
	}{
		{"an hour ago stays", now.Add(-time.Hour), 0},
		{"just under a day ago stays", now.Add(-24*time.Hour + time.Millisecond), 0},
		{"a day ago becomes now", now.Add(-24 * time.Hour), 1},
		{"100.5 days ago move by 100", now.Add(-100*24*time.Hour - 12*time.Hour), 100},
		{"half a day ahead moves back", now.Add(12 * time.Hour), -1},
		{"three days ahead become now", now.Add(72 * time.Hour), -3},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := load.WholeDays(tc.newest.UnixMilli(), now); got != tc.days*day {
				t.Errorf("got %d ms, want %d days", got, tc.days)
			}
		})
	}
	if got := load.WholeDays(0, now); got != 0 {
		t.Errorf("files without times: got %d, want 0", got)
	}
}

func TestShiftMovesTimesOfAllFilesAndNothingElse(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	dir := t.TempDir()
	item := func(urn, value string) string {
		return `{"entityType":"dataset","entityUrn":"` + urn + `","changeType":"UPSERT","aspectName":"a","aspect":{"json":` + value + `}}`
	}
	// The newest is 2026-11-10T12:00Z: ten days and some hours before now.
	writeFile(t, dir, "1.json", `[`+item("urn:li:a", `{"timestampMillis":1794268800000,"rowCount":1794268800000,"note":"1794268800000"}`)+`]`)
	writeFile(t, dir, "2.json", `[`+item("urn:li:b", `{"lastUpdated":{"time":1794312000000,"actor":"x"},"decommissionTime":1900000000000,"created":{"time":0},"list":[{"startedAt":1794268800001}]}`)+`]`)
	opts := options(c, dir)
	opts.ShiftToNow = true
	if _, err := load.Load(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"note":"1794268800000","rowCount":1794268800000,"timestampMillis":1795132800000}`,
		`{"created":{"time":0},"decommissionTime":1900864000000,"lastUpdated":{"actor":"x","time":1795176000000},"list":[{"startedAt":1795132800001}]}`,
	}
	for i, w := range c.taken() {
		if w.Value != want[i] {
			t.Errorf("got  %s\nwant %s", w.Value, want[i])
		}
	}
}
