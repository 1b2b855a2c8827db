package bolt

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
)

// Snapshot is one state of a file of this technology, to be copied with WriteTo. It
// is to be closed soon: the file grows by all that is written meanwhile.
type Snapshot = dbfile.Snapshot

// Snapshot keeps the state of this moment, and calls meanwhile while nobody writes: what
// is read of the projections there has applied no entry of the log beyond sequence, the
// last one of the snapshot, and all that their positions in it say. meanwhile has to be
// quick and must not use the store.
func (s *Store) Snapshot(ctx context.Context, meanwhile func() error) (snapshot *Snapshot, sequence uint64, err error) {
	_, err = s.submit(ctx, func(*tx) (err error) {
		if snapshot != nil {
			return nil // run again because a member of its group was refused
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

// SnapshotFile keeps the state of a file that no process has open. An absent one is
// fs.ErrNotExist.
func SnapshotFile(path string) (*Snapshot, error) { return dbfile.SnapshotFile(path) }
