package series

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// Snapshot is one state of an index. Copy it with WriteTo and close it soon: until then the file
// grows by everything that is written.
type Snapshot struct {
	*dbfile.Snapshot
	// File is the name of the file in the folder.
	File string
}

// Prepare opens all indices, so that a later call of Snapshots is quick.
func (s *Store) Prepare(ctx context.Context) error {
	_, err := s.Sizes(ctx)
	return err
}

// Snapshots captures the state of each index, ordered by index name. After an error no snapshot
// stays open.
func (s *Store) Snapshots(ctx context.Context) (kept []Snapshot, err error) {
	indices, err := s.list()
	if err != nil {
		return nil, err
	}
	for _, x := range indices {
		snapshot, err := x.snapshot()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, errors.Join(wrap("read", x.name, err), closeAll(kept))
		}
		if snapshot != nil {
			kept = append(kept, Snapshot{Snapshot: snapshot, File: x.name + fileSuffix})
		}
	}
	return kept, nil
}

func closeAll(kept []Snapshot) error {
	var errs []error
	for _, k := range kept {
		errs = append(errs, k.Close())
	}
	return errors.Join(errs...)
}

// snapshot returns nil for an absent index. A file that is replaced meanwhile stays open until the
// snapshot is closed.
func (x *index) snapshot() (*dbfile.Snapshot, error) {
	file, err := x.use()
	if err != nil || file == nil {
		return nil, err
	}
	s, err := dbfile.TakeSnapshot(file.db, func() error {
		file.users.Done()
		return nil
	})
	if err != nil {
		file.users.Done()
	}
	return s, err
}
