package records_test

import (
	"path/filepath"
	"testing"
	"time"

	bolt "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/records/recordstest"
	"github.com/cartulary/cartulary/pkg/logging"
)

func open(folder string) (records.Store, error) {
	return bolt.Open(bolt.Config{Path: filepath.Join(folder, "records.db"), Now: time.Now, Log: logging.Discard()})
}

func TestStore(t *testing.T) {
	t.Parallel()
	recordstest.Run(t, func(t *testing.T, folder string) records.Store {
		s, err := open(folder)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

func TestDeferredStore(t *testing.T) {
	t.Parallel()
	recordstest.Run(t, func(_ *testing.T, folder string) records.Store {
		return records.Deferred(func() (records.Store, error) { return open(folder) })
	})
}
