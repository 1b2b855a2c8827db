package memory_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/audit/audittest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
)

func TestAuditStore(t *testing.T) {
	t.Parallel()
	audittest.Run(t, func(*testing.T) audit.Store { return memory.NewAuditStore() })
}
