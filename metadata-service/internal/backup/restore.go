package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	dirMode   = 0o700
	newFolder = "new"
	lostFound = "lost+found" // exists on a separate file system
	asideTime = "20060102T150405Z"
	asideMark = "old-is-aside"
)

// Target is a directory that a backup is restored to.
type Target struct {
	Dir     string
	Replace bool // the present content may be moved aside
	Now     func() time.Time
	// Free returns the free space of the disk with a folder; disk.Free if nil.
	Free func(folder string) (int64, error)
}

// Staged is an unpacked backup within the directory. Publish moves it into its place. The caller
// must call Close in either case.
type Staged struct {
	Manifest  Manifest
	target    Target
	lock      *os.File
	created   bool // the directory did not exist
	published bool
}

// pendingSwap is the record written before files are moved, with which an interrupted restore can be
// completed.
type pendingSwap struct {
	Aside    string   `json:"aside"` // name of the folder for the former content, empty if there is none
	Manifest Manifest `json:"manifest"`
}

// Stage checks that the directory may be used and unpacks the backup with a comparison of every
// checksum. It does not change the content of the directory. A directory with content is refused
// with fault.Precondition unless Replace is set; the caller must ensure that no service uses it.
//
// If an earlier restore was interrupted while it moved files, Stage completes that restore first:
// finished is then its manifest, and nothing else has been done.
func (t Target) Stage(ctx context.Context, from io.Reader, progress Progress) (s *Staged, finished *Manifest, err error) {
	s = &Staged{target: t}
	if err := s.lockTarget(); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil || finished != nil {
			err = errors.Join(err, s.Close())
			s = nil
		}
	}()
	if finished, err := s.finish(); err != nil || finished != nil {
		return s, finished, err
	}
	if err := s.checkEmpty(); err != nil {
		return s, nil, err
	}
	if err := s.unpack(ctx, from, progress); err != nil {
		return s, nil, fmt.Errorf("nothing was changed in %s: %w", t.Dir, disk.TranslateAt(err, t.Dir))
	}
	return s, nil, nil
}

// lockTarget creates the directory and locks it against other restores.
func (s *Staged) lockTarget() error {
	_, err := os.Stat(s.target.Dir)
	s.created = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(s.target.Dir, dirMode); err != nil {
		return disk.TranslateAt(err, s.target.Dir)
	}
	held, busy, err := disk.LockFolder(s.target.Dir)
	if busy {
		return fault.New(fault.Unavailable, "something is restored to %s already; wait for its end", s.target.Dir)
	}
	if errors.Is(err, errors.ErrUnsupported) { // systems without locks
		held, err = os.Open(s.target.Dir)
	}
	s.lock = held
	return err
}

// Folder is the folder of the unpacked backup, which is a data directory of its own.
func (s *Staged) Folder() string { return s.path(newFolder) }

// path returns a path in the folder of the restore.
func (s *Staged) path(elements ...string) string {
	return filepath.Join(append([]string{s.target.Dir, datadir.RestoreFolder}, elements...)...)
}

func (s *Staged) checkEmpty() error {
	there, err := s.presentEntries()
	if err != nil || len(there) == 0 || s.target.Replace {
		return err
	}
	return fault.New(fault.Precondition, "%s is not empty: it contains %s; name another directory, or restore with --replace, which moves these files aside", s.target.Dir, strings.Join(there[:min(len(there), 8)], ", "))
}

// presentEntries lists the entries that a restore must move aside.
func (s *Staged) presentEntries() (names []string, err error) {
	entries, err := os.ReadDir(s.target.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if n := e.Name(); n != datadir.RestoreFolder && n != lostFound && !strings.HasPrefix(n, datadir.SetAsidePrefix) {
			names = append(names, n)
		}
	}
	return names, nil
}

func (s *Staged) unpack(ctx context.Context, from io.Reader, progress Progress) error {
	r, err := NewReader(from)
	if err != nil {
		return err
	}
	defer r.Close()
	s.Manifest = r.Manifest
	// Files unpacked by an interrupted restore are removed first, because they take space.
	if err := os.RemoveAll(s.path()); err != nil {
		return err
	}
	if err := s.checkRoom(); err != nil {
		return err
	}
	for _, folder := range []string{"", datadir.TimeseriesFolder} {
		if err := os.MkdirAll(filepath.Join(s.Folder(), folder), dirMode); err != nil {
			return err
		}
	}
	if err := r.Each(ctx, progress, s.write); err != nil {
		return err
	}
	return datadir.CheckFormat(s.Folder())
}

func (s *Staged) checkRoom() error {
	free := s.target.Free
	if free == nil {
		free = disk.Free
	}
	room, err := free(s.target.Dir)
	if err != nil {
		return err
	}
	if need := s.Manifest.Bytes(); room-reserve < need {
		return fault.New(fault.StorageFull, "the backup needs %s, and %s that stay free, and the disk of %s has %s", mebibytes(need), mebibytes(reserve), s.target.Dir, mebibytes(room))
	}
	return nil
}

// write unpacks a member. The archive returns no more bytes than the manifest states.
func (s *Staged) write(m Member, content io.Reader) (err error) {
	path := filepath.Join(s.Folder(), filepath.FromSlash(m.Name))
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.CopyBuffer(plainWriter{f}, content, make([]byte, copyBytes)); err != nil {
		return err
	}
	return f.Sync()
}

// Publish moves the content of the directory aside, and the unpacked content into its place. It
// returns the folder of the former content, empty if there was none.
func (s *Staged) Publish() (aside string, err error) {
	there, err := s.presentEntries()
	if err != nil {
		return "", err
	}
	if len(there) > 0 && !s.target.Replace {
		return "", s.checkEmpty() // content was added while the backup was unpacked
	}
	pending := pendingSwap{Manifest: s.Manifest}
	if len(there) > 0 {
		pending.Aside = s.freeName()
	}
	for _, folder := range []string{datadir.TimeseriesFolder, datadir.SecretsFolder, ""} {
		if err := syncFolder(filepath.Join(s.Folder(), folder)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	text, err := json.Marshal(pending)
	if err != nil {
		return "", err
	}
	if err := secrets.WritePrivate(s.path(datadir.RestoreMark), config.Secret(text)); err != nil {
		return "", err
	}
	s.published = true // from here on this call or the next restore completes the move
	return s.move(pending)
}

// freeName returns the name of a folder that does not exist.
func (s *Staged) freeName() string {
	first := datadir.SetAsidePrefix + s.target.Now().UTC().Format(asideTime) + "-replaced"
	name := first
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(s.target.Dir, name)); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", first, n)
	}
}

// finish completes a restore that was interrupted while it moved files.
func (s *Staged) finish() (*Manifest, error) {
	text, err := os.ReadFile(s.path(datadir.RestoreMark))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var pending pendingSwap
	if err := json.Unmarshal(text, &pending); err != nil || pending.Aside != filepath.Base(pending.Aside) && pending.Aside != "" {
		return nil, fault.Wrap(err, fault.Precondition, "%s, the record of an interrupted restore, cannot be read, so the restore cannot be completed; the files of the backup are in %s", s.path(datadir.RestoreMark), s.Folder())
	}
	s.published = true
	_, err = s.move(pending)
	return &pending.Manifest, err
}

// move can be repeated from its beginning until it has completed.
func (s *Staged) move(pending pendingSwap) (aside string, err error) {
	if pending.Aside != "" {
		aside = filepath.Join(s.target.Dir, pending.Aside)
	}
	if _, err := os.Stat(s.path(asideMark)); errors.Is(err, fs.ErrNotExist) {
		if err := s.putAside(aside); err != nil {
			return aside, err
		}
	}
	fresh, err := os.ReadDir(s.Folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return aside, err
	}
	for _, e := range fresh {
		if err := os.Rename(filepath.Join(s.Folder(), e.Name()), filepath.Join(s.target.Dir, e.Name())); err != nil {
			return aside, err
		}
	}
	if err := syncFolder(s.target.Dir); err != nil {
		return aside, err
	}
	// Remove the mark first: without it the rest can be deleted at any time.
	if err := os.Remove(s.path(datadir.RestoreMark)); err != nil {
		return aside, err
	}
	return aside, errors.Join(syncFolder(s.path()), os.RemoveAll(s.path()))
}

func (s *Staged) putAside(aside string) error {
	there, err := s.presentEntries()
	if err != nil {
		return err
	}
	if len(there) > 0 {
		if err := os.MkdirAll(aside, dirMode); err != nil {
			return err
		}
	}
	for _, name := range there {
		if err := os.Rename(filepath.Join(s.target.Dir, name), filepath.Join(aside, name)); err != nil {
			return err
		}
	}
	if err := syncFolder(s.target.Dir); err != nil {
		return err
	}
	return secrets.WritePrivate(s.path(asideMark), "")
}

// Close removes unpacked files that were not put into place, and releases the lock. A second call
// does nothing.
func (s *Staged) Close() error {
	if s.lock == nil {
		return nil
	}
	var err error
	if !s.published {
		err = os.RemoveAll(s.path())
		if s.created {
			_ = os.Remove(s.target.Dir) // fails if the directory has content by now
		}
	}
	lock := s.lock
	s.lock = nil
	return errors.Join(err, lock.Close())
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
