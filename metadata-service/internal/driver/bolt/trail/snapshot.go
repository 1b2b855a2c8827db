package trail

import (
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
)

// Snapshot keeps the state of this moment, to be copied with WriteTo and closed soon:
// the file grows by all that is written meanwhile.
func (s *Store) Snapshot() (*auxfile.Snapshot, error) { return s.file.Snapshot() }
