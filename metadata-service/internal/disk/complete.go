package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cartulary/cartulary/pkg/fault"
)

// WriteComplete makes a file that only its owner can read and that has its name once
// fill has written all of it, durably. One that is there stays, and is fault.Conflict.
func WriteComplete(path string, fill func(io.Writer) error) (err error) {
	taken := fault.New(fault.Conflict, "%s is there already; name another file with --out", path)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return taken
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".part-*")
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if err := errors.Join(fill(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("%s was not written: %w", path, Translate(err))
	}
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	if err != nil { // file systems without hard links
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, Translate(err))
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a name in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return Translate(err)
	}
	return Translate(errors.Join(f.Sync(), f.Close()))
}
