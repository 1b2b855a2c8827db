package trail_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/pkg/fault"
)

// recorded creates a file of 5,000 events and returns its path and content.
func recorded(t *testing.T) (path string, file []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "audit.db")
	s := open(t, path)
	if err := s.Append(t.Context(), events(0, 5000)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, file
}

func inspected(t *testing.T, path string) string {
	t.Helper()
	problems, err := trail.Inspect(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(problems, "\n")
}

func TestInspectionFindsNothingWrongWithASoundFile(t *testing.T) {
	t.Parallel()
	path, file := recorded(t)
	if got := inspected(t, path); got != "" {
		t.Errorf("got %s", got)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(file) {
		t.Errorf("the inspection changed the file, %v", err)
	}
	if _, err := trail.Inspect(t.Context(), path+".absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of an absent file: %v", err)
	}
	open(t, path)
	if _, err := trail.Inspect(t.Context(), path); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("of a file in use: %v", err)
	}
}

func TestInspectionNamesThePagesThatADiskLost(t *testing.T) {
	t.Parallel()
	_, good := recorded(t)
	pageBytes := os.Getpagesize()
	tried := 0
	for n := 2; n < len(good)/pageBytes; n++ {
		page := dbfiletest.PageAt(good, n, pageBytes)
		if kind := page[8]; binary.NativeEndian.Uint64(page) != uint64(n) || kind != 1 && kind != 2 {
			continue // free, or the list of free pages
		}
		if tried++; tried%7 != 0 {
			continue
		}
		file := append([]byte(nil), good...)
		clear(dbfiletest.PageAt(file, n, pageBytes))
		path := filepath.Join(t.TempDir(), "audit.db")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := inspected(t, path); !strings.Contains(got, fmt.Sprintf("page %d: ", n)) && !strings.Contains(got, "is neither in use nor") {
			t.Errorf("page %d: got %q", n, got)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(file) {
			t.Errorf("page %d: the inspection changed the file, %v", n, err)
		}
	}
	if tried < 7 {
		t.Fatalf("%d pages are in use", tried)
	}
}

func TestInspectionOfAnyDamageEndsWithAnAnswer(t *testing.T) {
	t.Parallel()
	_, good := recorded(t)
	for _, h := range dbfiletest.Harms {
		for round := range 10 {
			file := append([]byte(nil), good...)
			h.Do(rand.New(rand.NewPCG(uint64(round), uint64(len(h.Name)))), file, os.Getpagesize())
			path := filepath.Join(t.TempDir(), "audit.db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if problems, err := trail.Inspect(t.Context(), path); err != nil {
				t.Errorf("%s, round %d: %v, %v", h.Name, round, problems, err)
			}
		}
	}
}

// Inspect also decodes the contents of the pages: otherwise an unreadable event would be detected
// only by a search that reads it.
func TestInspectionTellsOfEventsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		corrupt func(*bbolt.Tx) error
		want    string
	}{
		"a value is cut off": {func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("writes"))
			key, value := b.Cursor().First()
			return b.Put(key, value[:len(value)/2])
		}, "writes: 1 events cannot be read, the first of 1970-01-01T00:00:00Z"},
		"a key is none": {func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("writes")).Put([]byte("key"), []byte("x"))
		}, "writes: 1 events cannot be read, the first of an unreadable time"},
		"an event is missing": {func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("writes"))
			key, _ := b.Cursor().First()
			return b.Delete(key)
		}, "writes: 4999 events of"},
		"a size is no number": {func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("meta"))
			key, _ := b.Cursor().First()
			return b.Put(key, []byte("x"))
		}, "the sizes of the classes cannot be read"},
		"a class is missing": {func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("refusals")) }, "the bucket refusals is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _ := recorded(t)
			db, err := bbolt.Open(path, 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(db.Update(c.corrupt), db.Close()); err != nil {
				t.Fatal(err)
			}
			if got := inspected(t, path); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
