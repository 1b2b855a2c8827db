package app_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

func TestTheFloorOfTheHeapIsSmallBesideALimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]int64{0: 48 << 20, 128 << 20: 16 << 20, 1 << 30: 32 << 20, 8 << 30: 48 << 20} {
		if got := app.RunningFloor(limit); got != want {
			t.Errorf("limit of %d MiB: got %d MiB, want %d", limit>>20, got>>20, want>>20)
		}
	}
}
