package memory_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/task/tasktest"
)

func TestTaskStore(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(*testing.T) task.Store { return memory.NewTaskStore() })
}
