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

// partial ends the names of files that are not complete.
const partial = ".cartulary"

// WriteComplete makes a file that only its owner can read and that has its name once
// fill has written all of it, durably. One that is there stays, and is fault.Conflict.
// Incomplete files that killed processes left in the folder are removed, which notes
// are told of.
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
	// Closed last: until then the lock keeps others from removing it.
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

// isPartial tells whether WriteComplete gives such names to incomplete files.
func isPartial(name string) bool {
	name, ours := strings.CutSuffix(name, partial)
	return ours && partialName.MatchString(name)
}

// syncFolder makes a name in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
