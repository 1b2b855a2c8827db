//go:build unix

package roaring_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestASnapshotOnAFullDiskLeavesTheOneBeforeAndIsTakenOnceThereIsRoom(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	dir := snapshot(t)
	x := reopened(t, dir, sample.Schemas())
	added := sample.Document(1000)
	if err := x.Apply(t.Context(), 61, []search.Change{{URN: added.URN, Document: added}}); err != nil {
		t.Fatal(err)
	}
	lift := disktest.Full(t, 0)
	if err := x.Save(t.Context()); !errors.Is(err, fault.StorageFull) {
		t.Errorf("saving: got %v, want storage full", err)
	}
	if state := x.Condition(); !errors.Is(state.Err, fault.StorageFull) {
		t.Errorf("condition: %+v", state)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(left) > 0 {
		t.Errorf("%v takes room that the disk lacks", left)
	}
	if before := reopened(t, dir, sample.Schemas()); stale(t, before) != "" || applied(t, before) != 60 {
		t.Errorf("the snapshot before: stale %q, at %d", stale(t, before), applied(t, before))
	}
	lift()
	if err := x.Save(t.Context()); err != nil || x.Condition().Err != nil {
		t.Errorf("once there is room: %v, condition %+v", err, x.Condition())
	}
	if after := reopened(t, dir, sample.Schemas()); applied(t, after) != 61 {
		t.Errorf("the snapshot once there is room is at %d", applied(t, after))
	}
}
