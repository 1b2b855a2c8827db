package memory_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/graphtest"
)

func TestGraph(t *testing.T) {
	t.Parallel()
	graphtest.Run(t, func(*testing.T) graphtest.Store { return memory.NewStore() })
}
