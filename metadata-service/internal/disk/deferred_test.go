package disk_test

import (
	"errors"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// storage counts the calls of its methods.
type storage struct {
	condition disk.Condition
	closed    int
}

func (s *storage) Condition() disk.State { return s.condition.State() }

func (s *storage) Close() error {
	s.closed++
	return nil
}

func TestADeferredStorageIsTriedAgainUntilItOpens(t *testing.T) {
	t.Parallel()
	kept, full, opened := &storage{}, true, 0
	d := disk.NewDeferred("the store of tests", func() (*storage, error) {
		opened++
		if full {
			return nil, fault.New(fault.StorageFull, "the disk is full")
		}
		return kept, nil
	})
	if opened != 0 || d.Condition().Err != nil {
		t.Errorf("before its first use: opened %d times, condition %+v", opened, d.Condition())
	}
	for range 2 {
		if s, err := d.Use(); !errors.Is(err, fault.StorageFull) || s != nil {
			t.Errorf("on a full disk: %v, %v", s, err)
		}
	}
	if state := d.Condition(); !errors.Is(state.Err, fault.StorageFull) || state.Failures != 2 {
		t.Errorf("condition on a full disk: %+v", state)
	}
	full = false
	for range 2 {
		if s, err := d.Use(); err != nil || s != kept {
			t.Errorf("with room: %v, %v", s, err)
		}
	}
	if opened != 3 || d.Condition().Err != nil {
		t.Errorf("opened %d times, want 3; condition %+v", opened, d.Condition())
	}
	kept.condition.Note(fault.New(fault.StorageFull, "full again"))
	if d.Condition().Err == nil {
		t.Error("the condition is not that of the storage")
	}
	if err := d.Close(); err != nil || kept.closed != 1 {
		t.Errorf("close: %v, %d times", err, kept.closed)
	}
	if _, err := d.Use(); !errors.Is(err, fault.Unavailable) {
		t.Errorf("after Close: %v, want unavailable", err)
	}
}

func TestADeferredStorageThatWasNeverUsedIsNotOpenedToBeClosed(t *testing.T) {
	t.Parallel()
	d := disk.NewDeferred("the store of tests", func() (*storage, error) {
		t.Error("it was opened")
		return &storage{}, nil
	})
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := d.Use(); !errors.Is(err, fault.Unavailable) {
		t.Errorf("after Close: %v, want unavailable", err)
	}
}
