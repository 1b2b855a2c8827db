//go:build linux

package series_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestAnIndexOnAFullDiskSaysSoAndGoesOnOnceThereIsRoom(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	const index, fresh = "dataset_operationaspect_v1", "dataset_datasetprofileaspect_v1"
	dir := t.TempDir()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	batch := func(sequence uint64) timeseries.Batch {
		d := timeseries.Document{ID: string(rune('a' + sequence)), URN: "urn:li:dataset:d", Time: int64(sequence)}
		return timeseries.Batch{Sequence: sequence, Ops: []timeseries.Op{{Upsert: &d}}}
	}
	if err := s.Apply(t.Context(), index, batch(1)); err != nil {
		t.Fatal(err)
	}
	// 10 KB suffice for bbolt to begin a new file but not to finish it.
	lift := disktest.Full(t, 10<<10)
	for _, name := range []string{index, fresh} {
		for range 2 {
			if err := s.Apply(t.Context(), name, batch(2)); fault.KindOf(err) != fault.StorageFull {
				t.Errorf("%s: got %v of kind %v, want storage full", name, err, fault.KindOf(err))
			}
		}
	}
	if _, err := s.Compact(t.Context(), index); fault.KindOf(err) != fault.StorageFull {
		t.Errorf("compact: got %v of kind %v, want storage full", err, fault.KindOf(err))
	}
	if docs, err := s.Find(t.Context(), index, timeseries.Query{}); err != nil || len(docs) != 1 {
		t.Errorf("reading on the full disk: %d documents, %v", len(docs), err)
	}
	if state := s.Condition(); state.Failures != 4 || !errors.Is(state.Err, fault.StorageFull) {
		t.Errorf("condition while writes fail: %+v", state)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.[tc][mo]*")); len(left) > 0 {
		t.Errorf("%v takes room that the disk lacks", left)
	}
	lift()
	for _, name := range []string{index, fresh} {
		if err := s.Apply(t.Context(), name, batch(2)); err != nil {
			t.Errorf("%s once there is room: %v", name, err)
		}
	}
	if docs, err := s.Find(t.Context(), index, timeseries.Query{URNs: []urn.URN{"urn:li:dataset:d"}}); err != nil || len(docs) != 2 {
		t.Errorf("once there is room: %d documents, %v", len(docs), err)
	}
	if state := s.Condition(); state.Err != nil {
		t.Errorf("condition once there is room: %+v", state)
	}
}
