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

// Temporary is a file or folder that goes when it is closed. While it is open the process
// holds a lock on it. The system releases the lock when the process ends, however that
// happens, so that the next one which makes a Temporary of the same name can tell what
// was abandoned, and removes it.
type Temporary struct {
	Path string
	File *os.File // nil for a folder
	lock *os.File // nil on file systems without locks
}

// temporary ends the names of temporary files and folders. With the digits before it, no
// file that somebody keeps has such a name.
const temporary = ".tmp"

// TempFile makes a file in the folder for temporary files, and removes those of the same
// name that killed processes left there, which notes are told of. Nil notes are told nothing.
func TempFile(name string, notes io.Writer) (*Temporary, error) {
	return FileIn(os.TempDir(), name, notes)
}

// FileIn is TempFile in another folder.
func FileIn(folder, name string, notes io.Writer) (*Temporary, error) {
	removeAbandoned(folder, isTemporary(name), notes)
	return makeFile(folder, name+"-*"+temporary)
}

// TempFolder is TempFile for a folder.
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

// attempts is how often another process may take what was just made for abandoned.
const attempts = 100

// lockNew makes a Temporary and locks it. Between the two another process may lock it and
// remove it, as nobody seems to use it: then another one is made.
func lockNew(create func() (*Temporary, error)) (t *Temporary, err error) {
	for range attempts {
		if t, err = create(); err != nil {
			return nil, err
		}
		t.lock, err = lock(t.Path)
		if !errors.Is(err, errLocked) && !errors.Is(err, fs.ErrNotExist) {
			return t, nil // without a lock on file systems that have none, where nobody can get it
		}
		if err := t.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("make a temporary file: %w", err)
}

// Unlink removes the name of a file and gives the file, which is there until it is closed.
func (t *Temporary) Unlink() (*os.File, error) {
	f := t.File
	t.File = nil
	if err := t.Close(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close removes what is left under the name.
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

// RemoveAbandoned removes from a folder the files with a dot before their names that FileIn
// made there for processes that were killed, whatever they were for. notes are told of them.
func RemoveAbandoned(folder string, notes io.Writer) {
	removeAbandoned(folder, hidden.MatchString, notes)
}

// removeAbandoned removes the files and folders of this user with certain names that no
// process has locked. It fails at nothing: what stays costs room alone.
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

// errLocked says that a process has the lock.
var errLocked = errors.New("locked by a process")

// LockFolder locks a folder for this process until the file is closed; busy tells that
// another one has it.
func LockFolder(path string) (held *os.File, busy bool, err error) {
	held, err = lock(path)
	if errors.Is(err, errLocked) {
		return nil, true, nil
	}
	return held, false, err
}
