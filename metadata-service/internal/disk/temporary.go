package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Temporary is a file or folder that Close removes. The process holds a lock on it while it is
// open. The system releases the lock when the process ends, for any reason. The next process that
// creates a Temporary of the same name detects the abandoned one by that, and removes it.
type Temporary struct {
	Path string
	File *os.File // nil for a folder
	lock *os.File // nil on file systems without locks
}

// temporary is the suffix of temporary files and folders. Together with the digits before it, it
// prevents confusion with permanent files.
const temporary = ".tmp"

// TempFile creates a file in the folder for temporary files. It also removes files of the same name
// that killed processes left there, and reports them to notes. notes may be nil.
func TempFile(name string, notes io.Writer) (*Temporary, error) {
	return FileIn(os.TempDir(), name, notes)
}

// FileIn is TempFile for another folder.
func FileIn(folder, name string, notes io.Writer) (*Temporary, error) {
	removeAbandoned(folder, isTemporary(name), notes)
	return makeFile(folder, name+"-*"+temporary)
}

// TempFolder is TempFile for a new folder instead of a file.
func TempFolder(name string, notes io.Writer) (*Temporary, error) {
	folder := os.TempDir()
	removeAbandoned(folder, isTemporary(name), notes)
	return lockNew(func() (*Temporary, error) {
		path, err := os.MkdirTemp(folder, name+"-*"+temporary)
		return &Temporary{Path: path}, err
	})
}

func makeFile(folder, pattern string) (*Temporary, error) {
	return lockNew(func() (*Temporary, error) {
		f, err := os.CreateTemp(folder, pattern)
		if err != nil {
			return nil, err
		}
		return &Temporary{Path: f.Name(), File: f}, nil
	})
}

// attempts is the maximum number of attempts, since another process may treat a new file as
// abandoned.
const attempts = 100

// lockNew creates a Temporary and locks it. In between, another process may find it unlocked and
// remove it; then lockNew creates another one.
func lockNew(create func() (*Temporary, error)) (t *Temporary, err error) {
	for range attempts {
		if t, err = create(); err != nil {
			return nil, err
		}
		t.lock, err = lock(t.Path)
		if !errors.Is(err, errLocked) && !errors.Is(err, fs.ErrNotExist) {
			return t, nil // unlocked on file systems without locks, where no process can lock it
		}
		if err := t.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("make a temporary file: %w", err)
}

// Unlink removes the name of a file and returns the open file, which exists until it is closed.
func (t *Temporary) Unlink() (*os.File, error) {
	f := t.File
	t.File = nil
	if err := t.Close(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close removes the file or folder and releases the lock.
func (t *Temporary) Close() error {
	err := os.RemoveAll(t.Path)
	for _, f := range []*os.File{t.File, t.lock} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

var (
	digits      = regexp.MustCompile(`^-[0-9]+$`)
	hidden      = regexp.MustCompile(`^\..+-[0-9]+\.tmp$`)
	partialName = regexp.MustCompile(`^\..+\.part-[0-9]+$`)
)

func isTemporary(name string) func(string) bool {
	return func(found string) bool {
		found, ours := strings.CutSuffix(found, temporary)
		number, ok := strings.CutPrefix(found, name)
		return ours && ok && digits.MatchString(number)
	}
}

// RemoveAbandoned removes from a folder all files with a leading dot in their names that FileIn
// created there for killed processes. It reports them to notes, which may be nil.
func RemoveAbandoned(folder string, notes io.Writer) {
	removeAbandoned(folder, hidden.MatchString, notes)
}

// removeAbandoned removes the files and folders of this user whose names match and that no process
// has locked. It returns no errors: remaining files only use disk space.
func removeAbandoned(folder string, named func(string) bool, notes io.Writer) {
	if notes == nil {
		notes = io.Discard
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if !named(e.Name()) || !e.IsDir() && !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if info, err := e.Info(); err != nil || !mine(info) {
			continue
		}
		switch err := removeUnlocked(path); {
		case err == nil:
			fmt.Fprintf(notes, "removed %s, which a process that was killed had left\n", path)
		case !errors.Is(err, errLocked) && !errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(notes, "%s may be left from a process that was killed, or in use: %v; remove it when nothing else runs\n", path, err)
		}
	}
}

func removeUnlocked(path string) error {
	held, err := lock(path)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(path), held.Close())
}

// errLocked reports that another process holds the lock.
var errLocked = errors.New("locked by a process")

// LockFolder locks a folder for this process until the returned file is closed. busy reports that
// another process holds the lock.
func LockFolder(path string) (held *os.File, busy bool, err error) {
	held, err = lock(path)
	if errors.Is(err, errLocked) {
		return nil, true, nil
	}
	return held, false, err
}
