package dbfile

import (
	"errors"
	"io"
	"os"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Snapshot is one state of a file, which stays readable until Close while writers go on. Close it
// soon: until then pages that writers free are not reused, and a write that needs a new mapping of
// the file waits.
type Snapshot struct {
	path string
	tx   *bbolt.Tx
	free func() error
}

// TakeSnapshot captures the current committed state. Closing the snapshot calls free last, unless
// free is nil.
func TakeSnapshot(db *bbolt.DB, free func() error) (s *Snapshot, err error) {
	s = &Snapshot{path: db.Path(), free: free}
	err = Guard(s.path, func() (err error) {
		s.tx, err = db.Begin(false)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// SnapshotFile captures the state of a file that no process has open. It returns fs.ErrNotExist for
// an absent file and ErrInUse for a file in use by another process.
func SnapshotFile(path string) (s *Snapshot, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	err = Guard(path, func() error {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: 2 * time.Second})
		if err != nil {
			return err
		}
		if s, err = TakeSnapshot(db, db.Close); err != nil {
			return errors.Join(err, db.Close())
		}
		return nil
	})
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, ErrInUse
	}
	return s, err
}

// Size returns the number of bytes that WriteTo writes.
func (s *Snapshot) Size() int64 { return s.tx.Size() }

// WriteTo writes the state as a separate, complete file.
func (s *Snapshot) WriteTo(w io.Writer) (n int64, err error) {
	err = Guard(s.path, func() (err error) {
		n, err = s.tx.WriteTo(w)
		return err
	})
	return n, err
}

// Close releases the pages to writers. It may be called more than once.
func (s *Snapshot) Close() error {
	if s.tx == nil {
		return nil
	}
	tx := s.tx
	s.tx = nil
	err := Guard(s.path, tx.Rollback)
	if s.free != nil {
		err = errors.Join(err, s.free())
	}
	return err
}
