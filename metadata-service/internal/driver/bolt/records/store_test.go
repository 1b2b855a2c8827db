package records_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	bolt "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func TestRecordsAreKeptInOrderAcrossRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	open := func() (records.Store, error) {
		return bolt.Open(bolt.Config{Path: path, Now: time.Now, Log: logging.Discard()})
	}
	s := records.Deferred(open)
	err := s.Update(t.Context(), func(tx records.Tx) error {
		for _, key := range []string{"b/2", "a/1", "b/1", "c"} {
			if err := tx.Put("x", key, []byte("value of "+key)); err != nil {
				return err
			}
		}
		return tx.Delete("x", "c")
	})
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	if err := s.Update(t.Context(), func(tx records.Tx) error {
		_ = tx.Put("x", "d", []byte("never"))
		return refused
	}); !errors.Is(err, refused) {
		t.Fatalf("error %v, want that of the function", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.View(t.Context(), func(records.Tx) error { return nil }); !errors.Is(err, fault.Unavailable) {
		t.Errorf("after Close: %v, want unavailable", err)
	}

	s = records.Deferred(open)
	defer s.Close()
	var all, below []string
	if err := s.View(t.Context(), func(tx records.Tx) error {
		tx.Scan("x", "", func(key string, _ []byte) bool { all = append(all, key); return true })
		tx.Scan("x", "b/", func(key string, _ []byte) bool { below = append(below, key); return false })
		tx.Scan("absent", "", func(string, []byte) bool { t.Error("a bucket that is not there has keys"); return true })
		if got := string(tx.Get("x", "a/1")); got != "value of a/1" {
			t.Errorf("a/1 is %q", got)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a/1", "b/1", "b/2"}; !slices.Equal(all, want) || !slices.Equal(below, want[1:2]) {
		t.Errorf("keys %v and %v, want %v and %v", all, below, want, want[1:2])
	}
}
