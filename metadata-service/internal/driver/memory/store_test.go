package memory_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/store/storetest"
)

func TestStoreWithGapsInItsLog(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store { return storetest.WithGaps(memory.NewStore()) })
}

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store { return memory.NewStore() })
}
