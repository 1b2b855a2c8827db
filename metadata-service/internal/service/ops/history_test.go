package ops_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/pkg/fault"
)

// TestSizesAreKeptDailyAndAroundTruncations drives a schedule with a fake clock.
func TestSizesAreKeptDailyAndAroundTruncations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin()
	w.use(days(20)...)
	root := authtest.As(t, authtest.Root)
	points := func() []ops.SizePoint {
		t.Helper()
		list, err := w.IndexSizeHistory(root)
		if err != nil || len(list) > 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		if len(list) == 0 {
			return nil
		}
		if list[0].EntityName != "dataset" || list[0].AspectName != "datasetusagestatistics" {
			t.Errorf("%+v", list[0])
		}
		return list[0].Points
	}
	begin := func() (pass func(time.Duration), end func()) {
		ctx, stop := context.WithCancel(authtest.As(t, model.SystemActor))
		tick, ended := make(chan time.Time), make(chan error, 1)
		go func() { ended <- w.KeepSizes(ctx, tick) }()
		return func(passed time.Duration) {
				w.now = start.Add(passed)
				for range 2 { // the second tick is accepted once the first has been processed
					tick <- w.now
				}
			}, func() {
				stop()
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
	}
	pass, end := begin()
	for _, c := range []struct {
		passed time.Duration
		want   int
	}{{0, 0}, {time.Minute, 1}, {23 * time.Hour, 1}, {25 * time.Hour, 2}} {
		if pass(c.passed); len(points()) != c.want {
			t.Errorf("after %s: %v, want %d points", c.passed, points(), c.want)
		}
	}
	end()
	// A restart does not reset the daily period.
	pass, end = begin()
	if pass(26 * time.Hour); len(points()) != 2 {
		t.Errorf("after a restart: %v", points())
	}
	if pass(49*time.Hour + 2*time.Minute); len(points()) != 3 {
		t.Errorf("a day after the last: %v", points())
	}
	end()
	w.truncate(usage(at(1000)))
	got := points()
	if len(got) != 5 || got[4].At != w.now.UnixMilli() || got[0].Bytes == 0 {
		t.Errorf("around a truncation: %v", got)
	}
	if _, err := w.IndexSizeHistory(t.Context()); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("for nobody: %v", err)
	}
}

func TestBackupsAreToldTheNewestFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, b := range []history.Backup{{Started: 1, Ended: 2, Bytes: 3, DataBytes: 4, Sequence: 5, Secrets: true, To: "/b/one"}, {Started: 6, Ended: 7, Error: "the disk is full"}} {
		if err := w.History.AddBackup(b); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.Backups(authtest.As(t, authtest.Root))
	want := []ops.Backup{{Started: 6, Ended: 7, Error: "the disk is full"}, {Started: 1, Ended: 2, Bytes: 3, DataBytes: 4, Sequence: 5, Secrets: true, To: "/b/one", Succeeded: true}}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := w.Backups(t.Context()); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("for nobody: %v", err)
	}
}
