package projection_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// ahead is a sink that counts the entries that were applied ahead.
type ahead struct {
	*sink
	count *atomic.Int64
	err   error
}

func (a ahead) ApplyAhead(_ context.Context, _ uint64, entries []store.Entry) error {
	a.count.Add(int64(len(entries)))
	return a.err
}

// TestAWriterAppliesItsOwnEntriesAhead lets a sink work on a large batch for an hour.
func TestAWriterAppliesItsOwnEntriesAhead(t *testing.T) {
	t.Parallel()
	own := []store.Entry{{Kind: store.Written, URN: "urn:li:tag:a", Aspect: "status"}}
	for name, tc := range map[string]struct {
		own     []store.Entry
		err     error
		applied int64
		late    bool // the writer waits for the batch
	}{
		"few entries":                   {own, nil, 1, false},
		"many entries":                  {nil, nil, 0, true},
		"entries that are not possible": {own, fault.New(fault.Unsupported, "too many depend on them"), 1, true},
		"a failure":                     {own, errors.New("broken"), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				log, free := memory.NewStore(), make(chan struct{})
				slow := ahead{&sink{name: "slow", gate: func(context.Context) error { <-free; return nil }}, &atomic.Int64{}, tc.err}
				other := ahead{&sink{name: "other"}, &atomic.Int64{}, nil}
				f := start(t, log, slow, other)
				last := appendEntries(t, log, 3, time.Now())
				begin := time.Now()
				ctx, leave := context.WithTimeout(t.Context(), time.Hour)
				err := f.WaitFor(ctx, last, tc.own, store.Written)
				leave()
				if late := errors.Is(err, context.DeadlineExceeded); late != tc.late || !late && err != nil {
					t.Errorf("got %v", err)
				}
				if took := time.Since(begin); !tc.late && took != 100*time.Millisecond {
					t.Errorf("the writer waited for %s", took)
				}
				if got := slow.count.Load(); got != tc.applied || other.count.Load() != 0 {
					t.Errorf("%d entries were applied ahead, and %d to a sink that was not behind", got, other.count.Load())
				}
				if lag := f.Status()[0]; lag.Position != 0 {
					t.Errorf("the position is %d", lag.Position)
				}
				close(free)
				wait(t, f, last)
				if got := slow.applied(); len(got) != 3 {
					t.Errorf("Apply received %v", got)
				}
				closeFollower(t, f)
			})
		})
	}
}
