package projection_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
)

func TestASinkThatPanicsIsReportedAndTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := memory.NewStore()
		var mended atomic.Bool
		bad := &sink{name: "bad", durable: true, gate: func(context.Context) error {
			if !mended.Load() {
				panic("on purpose")
			}
			return nil
		}}
		good := &sink{name: "good", durable: true}
		f := start(t, log, bad, good)
		last := appendEntries(t, log, 3, time.Now())
		if err := f.Wait(t.Context(), last); err == nil || !strings.Contains(err.Error(), "bad: panic: on purpose at ") {
			t.Errorf("Wait gives %v, want the panic and its place", err)
		}
		synctest.Wait()
		if lags := f.Status(); lags[0].Err == nil || lags[0].Behind != 3 || lags[1].Err != nil || lags[1].Behind != 0 {
			t.Errorf("lags are %+v", lags)
		}
		mended.Store(true)
		<-time.After(time.Minute)
		if got := bad.applied(); !slices.Equal(got, upTo(1, 3)) {
			t.Errorf("once mended it applied %v", got)
		}
		closeFollower(t, f)
	})
}

func TestHousekeepingThatPanicsIsReportedAndTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.NewStore()
		k := &panickingKeeper{keeper: newKeeper(0)}
		f := start(t, s, k)
		wait(t, f, appendEntries(t, s, 1, time.Now()))
		time.Sleep(40 * time.Second) // on the clock of the synctest bubble
		synctest.Wait()
		if err := f.Housekeeping(); err == nil || !strings.Contains(err.Error(), "panic: on purpose") {
			t.Errorf("housekeeping tells %v", err)
		}
		k.mended.Store(true)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if err := f.Housekeeping(); err != nil || k.saved() != 1 {
			t.Errorf("once mended: %v, %d saves", err, k.saved())
		}
		closeFollower(t, f)
	})
}

type panickingKeeper struct {
	*keeper
	mended atomic.Bool
}

func (k *panickingKeeper) Save(ctx context.Context) (uint64, error) {
	if !k.mended.Load() {
		panic("on purpose")
	}
	return k.keeper.Save(ctx)
}
