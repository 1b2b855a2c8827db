package bolt_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// deepStore returns the file of a store whose trees have several levels.
func deepStore(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	for round := range 30 {
		_, err := s.Update(t.Context(), func(tx store.Tx) error {
			for i := range 100 {
				u := urn.Make("dataset", fmt.Sprint(round, "-", i, strings.Repeat("x", 100)))
				if err := write(t.Context(), tx, u, fmt.Sprint("aspect", i%5), strings.Repeat("value ", random30(i))); err != nil {
					return err
				}
				owner := store.Key{URN: u, Aspect: fmt.Sprint("aspect", i%5)}
				edges := []model.Edge{{Source: u, Destination: urn.Make("tag", fmt.Sprint(i%7)), Type: "TaggedWith", Owner: u}}
				if err := tx.PutEdges(t.Context(), owner, edges); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func random30(i int) int { return 1 + (i*7919)%200 }

func TestADamagedStoreGivesErrorsAndNeverEndsTheProcess(t *testing.T) {
	t.Parallel()
	good := deepStore(t)
	rounds := dbfiletest.SoakRounds(t, trials.Count(10))
	refused, read := 0, 0
	dir := t.TempDir()
	for _, h := range dbfiletest.Harms {
		for round := range rounds {
			random := rand.New(rand.NewPCG(uint64(round), uint64(len(h.Name))))
			file := append([]byte(nil), good...)
			h.Do(random, file, bolt.PageBytes)
			// Some failed attempts keep the lock of their file until the process ends.
			path := filepath.Join(dir, fmt.Sprint(len(h.Name), "-", round, ".db"))
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := bolt.Open(t.Context(), path, bolt.Config{LockTimeout: time.Millisecond})
			if err != nil {
				refused++
				dbfiletest.WantDamage(t, fmt.Sprintf("%s, round %d", h.Name, round), path, err)
				continue
			}
			read++
			for _, err := range useAll(t, s) {
				dbfiletest.WantDamage(t, fmt.Sprintf("%s, round %d", h.Name, round), path, err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s, round %d: close: %v", h.Name, round, err)
			}
		}
	}
	t.Logf("%d starts were refused, %d stores were read and written", refused, read)
}

// useAll reads all data, changes and deletes some of it, and returns the errors.
func useAll(t *testing.T, s *bolt.Store) (errs []error) {
	t.Helper()
	ctx := t.Context()
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	urns, err := s.Scan(ctx, store.Scan{Limit: 1 << 20})
	add(err)
	_, err = s.Aspects(ctx, urns)
	add(err)
	_, err = s.Lookup(ctx, store.Term{Index: "i", Value: "v"}, "", 1<<20)
	add(err)
	runs, err := s.Runs(ctx)
	add(err)
	for _, run := range runs {
		_, err := s.RunKeys(ctx, run.ID, store.Key{}, 0)
		add(err)
	}
	_, err = s.Entries(ctx, 0, 1<<20)
	add(err)
	_, err = s.CountEdges(ctx, graph.Query{Nodes: []urn.URN{"urn:li:tag:1"}, Direction: graph.Incoming})
	add(err)
	for i := range 6 {
		u := urn.Make("dataset", fmt.Sprint(i, "-", 10*i%100, strings.Repeat("x", 100)))
		key := store.Key{URN: u, Aspect: fmt.Sprint("aspect", 10*i%5)}
		_, err := s.Update(ctx, func(tx store.Tx) error {
			if err := write(t.Context(), tx, u, key.Aspect, "new"); err != nil {
				return err
			}
			if i%2 == 0 {
				return tx.Remove(t.Context(), key, 0)
			}
			return nil
		})
		add(err)
	}
	add(s.Trim(ctx, 1000))
	return errs
}

func TestDamageMetWhileRunningIsToldByTheCondition(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(path, deepStore(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// All pages except the meta pages, while the store is open.
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	zeros := io.LimitReader(zeroReader{}, info.Size()-2*bolt.PageBytes)
	if _, err := io.Copy(io.NewOffsetWriter(f, 2*bolt.PageBytes), zeros); err != nil {
		t.Fatal(err)
	}
	_, err = s.Scan(t.Context(), store.Scan{})
	dbfiletest.WantDamage(t, "a read", path, err)
	if state := s.Condition(); err == nil || state.Damage == nil {
		t.Errorf("reading gave %v, condition is %+v", err, state)
	}
	for range 2 {
		_, err := s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, "urn:li:tag:a", "status", "1") })
		if err == nil {
			t.Error("a write to a damaged store succeeded")
		}
	}
}

// TestAFileThatIsEmptiedWhileOpenBlocksNobody empties the file between reads and writes of several
// goroutines. A fault while bbolt holds its locks must block neither later calls nor Close.
func TestAFileThatIsEmptiedWhileOpenBlocksNobody(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(path, deepStore(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err := s.Scan(t.Context(), store.Scan{})
		dbfiletest.WantDamage(t, "a read", path, err)
		_, err = s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, "urn:li:tag:a", "status", "1") })
		if err == nil {
			t.Error("a write succeeded")
		}
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if _, err := s.Scan(t.Context(), store.Scan{}); err == nil {
				t.Error("a read succeeded")
			}
		})
	}
	readers.Wait()
	if state := s.Condition(); state.Damage == nil {
		t.Errorf("the condition is %+v", state)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsWrittenToAFileThatIsNoLongerInItsPlace(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(path string) error{
		"removed": os.Remove,
		"renamed": func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, deepStore(t), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			s := openStore(t, path)
			put := func() error {
				_, err := s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, "urn:li:tag:a", "status", "1") })
				return err
			}
			if err := put(); err != nil {
				t.Fatal(err)
			}
			if err := move(path); err != nil {
				t.Fatal(err)
			}
			if err := put(); !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "was removed or replaced") {
				t.Errorf("got %v", err)
			}
			if state := s.Condition(); state.Err == nil {
				t.Errorf("the condition is %+v", state)
			}
			if name != "renamed" {
				return
			}
			if err := os.Rename(path+".old", path); err != nil {
				t.Fatal(err)
			}
			if err := put(); err != nil {
				t.Errorf("the file is back: %v", err)
			}
		})
	}
}

// The file is removed while an update runs.
func TestAnUpdateOfAFileThatIsRemovedMeanwhileIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(write(t.Context(), tx, "urn:li:tag:a", "status", "1"), os.Rename(path, path+".old"))
	})
	if !errors.Is(err, fault.Unavailable) || s.Condition().Err == nil {
		t.Errorf("got %v, the condition is %+v", err, s.Condition())
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestInspectingListsEveryDamagedPage(t *testing.T) {
	t.Parallel()
	good := deepStore(t)
	path := filepath.Join(t.TempDir(), "store.db")
	inspect := func(file []byte) []string {
		t.Helper()
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		problems, err := bolt.Inspect(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return problems
	}
	if problems := inspect(good); len(problems) > 0 {
		t.Errorf("a good file has problems: %v", problems)
	}
	var leaves []int
	for n := 2; n < len(good)/bolt.PageBytes && len(leaves) < 3; n++ {
		page := dbfiletest.PageAt(good, n, bolt.PageBytes)
		if binary.NativeEndian.Uint64(page) == uint64(n) && page[8] == 2 && binary.NativeEndian.Uint16(page[10:]) > 20 {
			leaves = append(leaves, n)
		}
	}
	bad := append([]byte(nil), good...)
	for _, n := range leaves {
		clear(dbfiletest.PageAt(bad, n, bolt.PageBytes)[:16])
	}
	if problems := inspect(bad); len(problems) == 0 || len(problems) > 3 {
		t.Errorf("pages %v are damaged, found %v", leaves, problems)
	}
	s := openStore(t, filepath.Join(t.TempDir(), "in use.db"))
	if _, err := bolt.Inspect(t.Context(), s.Path()); !errors.Is(err, fault.Unavailable) {
		t.Errorf("a store in use: %v", err)
	}
}

// bbolt would initialise an empty file as new, which would hide the loss of its contents.
func TestAnEmptyFileIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	if err := openStore(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first attempt must not turn it into a store
		if s, err := bolt.Open(t.Context(), path, bolt.Config{}); err == nil || !strings.Contains(err.Error(), "the file is empty") {
			t.Errorf("opened %v, %v", s, err)
		}
	}
	if problems, err := bolt.Inspect(t.Context(), path); err != nil || !slices.Equal(problems, []string{"the file is empty"}) {
		t.Errorf("inspected: %q, %v", problems, err)
	}
}

func TestAFileThatWasCutIsSaidToBe(t *testing.T) {
	t.Parallel()
	file := deepStore(t)
	for _, part := range []int{2, 3, 5, 50} {
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, file[:len(file)/part], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := bolt.Open(t.Context(), path, bolt.Config{})
		if err == nil || strings.Contains(err.Error(), "runtime error") || !strings.Contains(err.Error(), fmt.Sprintf("the file has %d bytes of", len(file)/part)) {
			t.Errorf("a %dth of the file: %v", part, err)
		}
		if problems, err := bolt.Inspect(t.Context(), path); err != nil || len(problems) != 1 || !strings.Contains(problems[0], "bytes of") {
			t.Errorf("a %dth of the file, inspected: %q, %v", part, problems, err)
		}
	}
}
