package bolt_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var viewKey = store.Key{URN: "urn:li:tag:view", Aspect: "status"}

func putView(t *testing.T, s *bolt.Store, key store.Key, value string) {
	t.Helper()
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		rec := model.Record{URN: key.URN, Aspect: key.Aspect, Value: []byte(value), System: model.SystemMetadata{Version: "1", SchemaVersion: 1, RunID: "r", LastRunID: "r"}}
		return tx.Put(t.Context(), rec)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func getView(t *testing.T, s *bolt.Store, key store.Key) string {
	t.Helper()
	records, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if records[0] == nil {
		return ""
	}
	return string(records[0].Value)
}

// No transaction may be idle during a write: the pages of its state could not be reused.
func TestTheNextReaderTakesAnIdleViewAndAWriteEndsIt(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	putView(t, s, viewKey, `{"n":1}`)
	if n := s.IdleViews(); n != 0 {
		t.Errorf("%d views are idle behind a write", n)
	}
	for range 3 {
		if got := getView(t, s, viewKey); got != `{"n":1}` {
			t.Errorf("got %s", got)
		}
		if n := s.IdleViews(); n != 1 {
			t.Errorf("%d views are idle behind a read", n)
		}
	}
	idle := -1
	if _, err := s.Update(t.Context(), func(store.Tx) error {
		getView(t, s, viewKey)
		idle = s.IdleViews()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if idle != 0 {
		t.Errorf("%d views are idle during a write", idle)
	}
}

func TestAReaderThatBeganBeforeAWriteLeavesNoStaleView(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	putView(t, s, viewKey, `{"n":1}`)
	err := s.View(t.Context(), func() { putView(t, s, viewKey, `{"n":2}`) })
	if err != nil {
		t.Fatal(err)
	}
	if n := s.IdleViews(); n != 0 {
		t.Errorf("%d stale views are idle", n)
	}
	if got := getView(t, s, viewKey); got != `{"n":2}` {
		t.Errorf("got %s", got)
	}
}

func TestWhatWasWrittenIsReadAtOnceByAllReaders(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	for n := range 50 {
		want := fmt.Sprintf(`{"n":%d}`, n)
		putView(t, s, viewKey, want)
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				for range 5 {
					if got := getView(t, s, viewKey); got != want {
						t.Errorf("got %s, want %s", got, want)
					}
				}
			})
		}
		readers.Wait()
	}
}

// Growth beyond the mapped space waits for all transactions: an idle one would block it forever.
func TestTheFileGrowsBehindReaders(t *testing.T) {
	t.Parallel()
	s, err := bolt.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), bolt.Config{MapBytes: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	large := `"` + strings.Repeat("x", 1<<16) + `"`
	for n := range 40 {
		key := store.Key{URN: urn.URN(fmt.Sprintf("urn:li:tag:%d", n)), Aspect: "status"}
		putView(t, s, key, large)
		if got := getView(t, s, key); got != large {
			t.Fatalf("tag %d has %d bytes", n, len(got))
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), viewKey); err == nil {
		t.Error("a closed store was read")
	}
}
