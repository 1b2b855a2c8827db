//go:build linux

package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestAStoreOnAFullDiskSaysSoAndGoesOnOnceThereIsRoom(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	for name, limit := range map[string]func(path string) uint64{
		"no write succeeds":    func(string) uint64 { return 0 },
		"the file cannot grow": func(path string) uint64 { return uint64(sizeOf(t, path)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			s := openStore(t, path)
			put(t, s, "urn:li:tag:before", "status", "1")
			want := dump(t, s)
			lift := disktest.Full(t, limit(path))
			for range 3 {
				_, err := s.Update(t.Context(), func(tx store.Tx) error {
					return write(t.Context(), tx, "urn:li:tag:large", "status", strings.Repeat("x", 32<<20))
				})
				if fault.KindOf(err) != fault.StorageFull {
					t.Fatalf("got %v of kind %v, want storage full", err, fault.KindOf(err))
				}
			}
			if got := dump(t, s); got != want {
				t.Errorf("after the failure got\n%s\nwant\n%s", got, want)
			}
			if state := s.Condition(); !errors.Is(state.Err, fault.StorageFull) || state.Failures != 3 || state.Since.IsZero() {
				t.Errorf("condition while writes fail: %+v", state)
			}
			lift()
			put(t, s, "urn:li:tag:after", "status", "2")
			if state := s.Condition(); state.Err != nil || state.Failures != 3 {
				t.Errorf("condition once there is room: %+v", state)
			}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAStoreOnARealFullDisk produces a real ENOSPC, if the test may mount a file system.
func TestAStoreOnARealFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("a small file system cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	s, err := bolt.Open(t.Context(), filepath.Join(dir, "store.db"), bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "urn:li:tag:before", "status", "1")
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 16<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the file system is not full: %v", err)
	}
	for range 3 {
		_, err := s.Update(t.Context(), func(tx store.Tx) error {
			return write(t.Context(), tx, "urn:li:tag:during", "status", strings.Repeat("x", 1<<20))
		})
		if fault.KindOf(err) != fault.StorageFull || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("got %v of kind %v, want storage full", err, fault.KindOf(err))
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	put(t, s, "urn:li:tag:after", "status", strings.Repeat("x", 1<<20))
	if err := errors.Join(s.Check(), s.Close()); err != nil {
		t.Error(err)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
