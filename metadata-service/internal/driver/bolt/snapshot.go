package bolt

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// Snapshot is one state of a bbolt file; WriteTo copies it. Close it soon: until then the file
// grows by everything that is written.
type Snapshot = dbfile.Snapshot

// Snapshot captures the current state and calls meanwhile while all writes wait. During that call
// projections have applied no log entry beyond sequence, the last one of the snapshot, and all
// entries up to their positions in the snapshot. meanwhile must be quick and must not use the
// store. The caller closes the snapshot.
// quick and must not use the store.
func (s *Store) Snapshot(ctx context.Context, meanwhile func() error) (snapshot *Snapshot, sequence uint64, err error) {
	_, err = s.submit(ctx, func(*tx) (err error) {
		if snapshot != nil {
			return nil // a second run, because another member of the group was rejected
		}
		if snapshot, err = dbfile.TakeSnapshot(s.db, nil); err != nil {
			return err
		}
		sequence = s.counters.sequence
		return meanwhile()
	})
	if err != nil && snapshot != nil {
		err = errors.Join(err, snapshot.Close())
		snapshot = nil
	}
	return snapshot, sequence, err
}

// SnapshotFile captures the state of a file that no process has open. It returns fs.ErrNotExist for
// an absent file.
func SnapshotFile(path string) (*Snapshot, error) { return dbfile.SnapshotFile(path) }
