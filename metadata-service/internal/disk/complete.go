package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// partial is the suffix of incomplete files.
const partial = ".cartulary"

// WriteComplete creates a file that only its owner can read. The file gets its name only after fill
// has written all of it durably. It returns an error of kind fault.Conflict if the file exists. It
// also removes incomplete files that killed processes left in the folder, and reports them to
// notes.
func WriteComplete(path string, notes io.Writer, fill func(io.Writer) error) (err error) {
	taken := fault.New(fault.Conflict, "%s is there already; name another file with --out", path)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return taken
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	removeAbandoned(folder, isPartial, notes)
	t, err := makeFile(folder, "."+filepath.Base(path)+".part-*"+partial)
	if err != nil {
		return TranslateAt(err, folder)
	}
	// Closed last: until then the lock prevents other processes from removing it.
	defer func() { err = errors.Join(err, t.Close()) }()
	if err := errors.Join(fill(t.File), t.File.Sync()); err != nil {
		return fmt.Errorf("%s was not written: %w", path, TranslateAt(err, folder))
	}
	err = os.Link(t.Path, path)
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	if err != nil { // file systems without hard links
		err = os.Rename(t.Path, path)
	}
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, TranslateAt(err, folder))
	}
	return TranslateAt(syncFolder(folder), folder)
}

// isPartial reports whether name has the form that WriteComplete gives to incomplete files.
func isPartial(name string) bool {
	name, ours := strings.CutSuffix(name, partial)
	return ours && partialName.MatchString(name)
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
