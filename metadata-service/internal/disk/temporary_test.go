package disk_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func touch(t *testing.T, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Not parallel, since TMPDIR applies to the whole process.
func TestWhatNobodyHasLockedIsRemovedByTheNextOfItsName(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	touch(t, folder, "cartulary-copy-17.tmp", "data", "catalog.db") // of a killed process
	touch(t, folder, "cartulary-copy-18.tmp")
	kept := []string{"cartulary-copy-2026", "cartulary-copy-x.tmp", "cartulary-other-3.tmp", "copy-3.tmp"}
	for _, name := range kept {
		touch(t, folder, name)
	}
	if err := os.Symlink(filepath.Join(folder, "cartulary-copy-2026"), filepath.Join(folder, "cartulary-copy-19.tmp")); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, "cartulary-copy-19.tmp")
	var notes bytes.Buffer
	first, err := disk.TempFolder("cartulary-copy", &notes)
	if err != nil {
		t.Fatal(err)
	}
	touch(t, first.Path, "inside")
	for _, gone := range []string{"cartulary-copy-17.tmp", "cartulary-copy-18.tmp"} {
		if !strings.Contains(notes.String(), "removed "+filepath.Join(folder, gone)+", which a process that was killed had left") {
			t.Errorf("nothing is said of %s: %q", gone, notes.String())
		}
	}
	notes.Reset()
	second, err := disk.TempFile("cartulary-copy", &notes)
	if err != nil || notes.Len() > 0 {
		t.Fatalf("%v, %q", err, notes.String())
	}
	want := append([]string{filepath.Base(first.Path), filepath.Base(second.Path)}, kept...)
	slices.Sort(want)
	if got := names(t, folder); !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Error(err)
	}
	slices.Sort(kept)
	if got := names(t, folder); !slices.Equal(got, kept) {
		t.Errorf("there are %v, want %v", got, kept)
	}
}

func TestAFileIsCompleteOrNotThere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "out.json")
	touch(t, folder, ".earlier.json.part-123.cartulary")
	touch(t, folder, ".other.part-123")
	var notes bytes.Buffer
	err := disk.WriteComplete(path, &notes, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		// Another process that writes to the same folder does not affect this file.
		if err := disk.WriteComplete(filepath.Join(folder, "beside"), &notes, func(io.Writer) error { return nil }); err != nil {
			return err
		}
		_, err := io.WriteString(w, " and half")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, folder), []string{".other.part-123", "beside", "out.json"}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "half and half" {
		t.Errorf("got %q, %v", text, err)
	}
	if strings.Count(notes.String(), "removed ") != 1 || !strings.Contains(notes.String(), ".earlier.json.part-123.cartulary") {
		t.Errorf("the notes are %q", notes.String())
	}
	cause := fault.New(fault.NotFound, "no source")
	if err := disk.WriteComplete(filepath.Join(folder, "none"), nil, func(io.Writer) error { return cause }); !errors.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
	if err := disk.WriteComplete(path, nil, func(io.Writer) error { return nil }); !errors.Is(err, fault.Conflict) {
		t.Errorf("in the place of another: %v", err)
	}
	if got := len(names(t, folder)); got != 3 {
		t.Errorf("there are %v", names(t, folder))
	}
}

func TestAFolderIsLockedByOne(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	held, busy, err := disk.LockFolder(folder)
	if err != nil || busy {
		t.Fatal(busy, err)
	}
	if _, busy, err := disk.LockFolder(folder); err != nil || !busy {
		t.Errorf("a second lock: %t, %v", busy, err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	again, busy, err := disk.LockFolder(folder)
	if err != nil || busy {
		t.Fatal(busy, err)
	}
	_ = again.Close()
	if _, _, err := disk.LockFolder(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestAStartRemovesWhatItsProcessLeftInAFolderOfItsOwn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	kept := []string{".lock", ".x-1.db", "a-1.tmp", "dataset.tmp"}
	for _, name := range append([]string{".token-salt-123.tmp", ".data-format-4.tmp"}, kept...) {
		touch(t, folder, name)
	}
	used, err := disk.FileIn(folder, ".session", nil)
	if err != nil {
		t.Fatal(err)
	}
	disk.RemoveAbandoned(folder, nil)
	kept = append(kept, filepath.Base(used.Path))
	slices.Sort(kept)
	if got := names(t, folder); !slices.Equal(got, kept) {
		t.Errorf("there are %v, want %v", got, kept)
	}
	if err := used.Close(); err != nil {
		t.Error(err)
	}
}
