package dbfile

import (
	"errors"
	"io"
	"os"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Snapshot is one state of a file, which stays readable until Close while others
// write. Pages that writers free meanwhile are not used again before that, and a
// write for which the file has to be mapped anew waits: close it soon.
type Snapshot struct {
	path string
	tx   *bbolt.Tx
	free func() error
}

// TakeSnapshot keeps the committed state of this moment. Closing the snapshot calls
// free at last, which may be nil.
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

// SnapshotFile keeps the state of a file that no process has open. An absent file is
// fs.ErrNotExist, one that another process keeps ErrInUse.
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

// Size is how many bytes WriteTo writes.
func (s *Snapshot) Size() int64 { return s.tx.Size() }

// WriteTo writes the state as a file of its own.
func (s *Snapshot) WriteTo(w io.Writer) (n int64, err error) {
	err = Guard(s.path, func() (err error) {
		n, err = s.tx.WriteTo(w)
		return err
	})
	return n, err
}

// Close lets writers have the pages again. Closing twice is fine.
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
