package trail

import (
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
)

// Snapshot captures the current state. Copy it with WriteTo and close it soon: until then the file
// grows by everything that is written.
func (s *Store) Snapshot() (*auxfile.Snapshot, error) { return s.file.Snapshot() }
