package bolt_test

import (
	"path/filepath"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
)

func openStore(t testing.TB, path string) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(t.Context(), path, bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return openStore(t, filepath.Join(t.TempDir(), "store.db")) })
}
