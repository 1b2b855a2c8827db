package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reopen closes s and opens its file again.
func reopen(t *testing.T, s *bolt.Store, path string) *bolt.Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return openStore(t, path)
}

// put writes a latest row and a log entry for it.
func put(t testing.TB, s *bolt.Store, u urn.URN, aspect, value string) {
	t.Helper()
	_, err := s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, u, aspect, value) })
	if err != nil {
		t.Fatal(err)
	}
}

func write(ctx context.Context, tx store.Tx, u urn.URN, aspect, value string) error {
	rec := sampleRecord()
	rec.URN, rec.Aspect, rec.Value = u, aspect, []byte(value)
	sequence, err := tx.Append(ctx, store.Entry{Kind: store.Written, URN: u, Aspect: aspect, Actor: rec.CreatedBy, Time: rec.CreatedOn, RunID: rec.System.RunID})
	rec.Sequence = sequence
	return errors.Join(err, tx.Put(ctx, rec), tx.AddTerm(ctx, sampleTerm, u))
}

var sampleTerm = store.Term{Index: "sample", Value: "all"}

// dump returns all readable contents of the store as text.
func dump(t testing.TB, s *bolt.Store) string {
	t.Helper()
	var text strings.Builder
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	urns, err := s.Scan(ctx, store.Scan{Limit: 1 << 20})
	must(err)
	lists, err := s.Aspects(ctx, urns)
	must(err)
	for _, list := range lists {
		for _, rec := range list {
			fmt.Fprintf(&text, "%s %s %s %v\n", rec.URN, rec.Aspect, rec.Value, rec.System.Properties)
			rows, err := s.Rows(ctx, rec.Key())
			must(err)
			fmt.Fprintln(&text, rows, rec.Sequence, rec.System.RunID, rec.CreatedBy)
		}
	}
	runs, err := s.Runs(ctx)
	must(err)
	for _, run := range runs {
		keys, err := s.RunKeys(ctx, run.ID, store.Key{}, 0)
		must(err)
		fmt.Fprintln(&text, run, keys)
	}
	named, err := s.Lookup(ctx, sampleTerm, "", 1<<20)
	must(err)
	fmt.Fprintln(&text, named)
	entries, err := s.Entries(ctx, 0, 1<<20)
	must(err)
	count, err := s.Count(ctx, "")
	must(err)
	position, err := s.Position(ctx, "follower")
	must(err)
	last, _ := s.Last()
	fmt.Fprintln(&text, entries, count, position, last)
	return text.String()
}

func TestAReopenedStoreGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	for i := range 20 {
		put(t, s, urn.Make("dataset", fmt.Sprint(i)), fmt.Sprint("aspect", i%7), fmt.Sprint(i))
	}
	if err := s.SetPosition(t.Context(), "follower", 17); err != nil {
		t.Fatal(err)
	}
	want := dump(t, s)
	s = reopen(t, s, path)
	if got := dump(t, s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := s.Trim(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s, path)
	commit, err := s.Update(t.Context(), func(tx store.Tx) error { return write(t.Context(), tx, "urn:li:tag:new", "newAspect", "1") })
	if want := (store.Commit{First: 21, Last: 21}); err != nil || commit != want {
		t.Errorf("after a trimmed log: got %v, %v, want %v", commit, err, want)
	}
	entries, err := s.Entries(t.Context(), 0, 10)
	if err != nil || len(entries) != 1 || entries[0].URN != "urn:li:tag:new" || entries[0].Aspect != "newAspect" {
		t.Errorf("new names: got %v, %v", entries, err)
	}
	list, err := s.Aspects(t.Context(), []urn.URN{"urn:li:dataset:3"})
	if err != nil || len(list[0]) != 1 || list[0][0].Aspect != "aspect3" {
		t.Errorf("old names: got %v, %v", list, err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestANewFileIsPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	openStore(t, path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("got mode %v, want 0600", info.Mode())
	}
	if _, err := os.Stat(path + ".new"); !os.IsNotExist(err) {
		t.Errorf("the file under preparation is still there: %v", err)
	}
}

func TestASecondOpenSaysThatTheFileIsInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	openStore(t, path)
	_, err := bolt.Open(t.Context(), path, bolt.Config{LockTimeout: time.Millisecond})
	if !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "another process uses "+path) {
		t.Errorf("got error %v", err)
	}
}

func TestOpenRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	good := func(t *testing.T, path string) {
		s := openStore(t, path)
		for i := range 50 {
			put(t, s, urn.Make("dataset", fmt.Sprint(i)), "status", strings.Repeat("x", 1000))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, path string)
		reason  string
	}{
		"a newer format": {func(t *testing.T, path string) {
			good(t, path)
			if err := bolt.SetFormat(path, bolt.Format+1); err != nil {
				t.Fatal(err)
			}
		}, "use a newer version"},
		"text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("some text\n", 10000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "damaged or not a store"},
		"a file cut short":         {cutAt(good, 3), "damaged or not a store"},
		"a file cut in the middle": {cutAt(good, 12), "damaged or not a store"},
		"a bbolt file of another kind": {func(t *testing.T, path string) {
			db, err := bbolt.Open(path, 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}, "damaged or not a store"},
		"a folder that does not exist": {func(t *testing.T, path string) {
			if err := os.Remove(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			c.prepare(t, path)
			_, err := bolt.Open(t.Context(), path, bolt.Config{})
			if err == nil || !strings.Contains(err.Error(), c.reason) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want one that names the file and says %q", err, c.reason)
			}
		})
	}
}

// cutAt creates a store and truncates it to its first pages.
func cutAt(good func(*testing.T, string), pages int64) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		good(t, path)
		if err := os.Truncate(path, pages*bolt.PageBytes); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnInterruptedCreationIsDoneAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(path+".new", make([]byte, 2*bolt.PageBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, openStore(t, path), "urn:li:tag:a", "status", "1")
}

func TestOpenHonoursTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := bolt.Open(ctx, filepath.Join(t.TempDir(), "store.db"), bolt.Config{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want the context's", err)
	}
}

func TestNumbersOfAspectsEnd(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	s.UseUpAspects(1)
	put(t, s, "urn:li:tag:a", "last", "1")
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		return tx.Put(t.Context(), model.Record{URN: "urn:li:tag:a", Aspect: "oneTooMany"})
	})
	if !errors.Is(err, fault.TooLarge) {
		t.Errorf("got error %v, want too large", err)
	}
	put(t, s, "urn:li:tag:b", "last", "2")
	list, err := s.Aspects(t.Context(), []urn.URN{"urn:li:tag:a", "urn:li:tag:b"})
	if err != nil || len(list[0]) != 1 || len(list[1]) != 1 || list[1][0].Aspect != "last" {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestMoreNamesThanAreKeptInMemory(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"))
	const names = 17000
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		for i := range names {
			if _, err := tx.Append(t.Context(), store.Entry{Kind: store.Restated, RunID: fmt.Sprint("run", i)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		entries, err := s.Entries(t.Context(), 0, names)
		if err != nil || len(entries) != names {
			t.Fatalf("got %d entries, %v", len(entries), err)
		}
		for i, entry := range entries {
			if entry.RunID != fmt.Sprint("run", i) {
				t.Fatalf("entry %d has run %s", i, entry.RunID)
			}
		}
	}
}

func TestAFileOfTheFormatWithoutTermsGoesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	put(t, s, "urn:li:tag:a", "status", "1")
	if err := errors.Join(s.Close(), bolt.MakeFormat(path, 3)); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	if got, err := s.Lookup(t.Context(), sampleTerm, "", 0); err != nil || len(got) > 0 {
		t.Errorf("a file of the format before has terms %v, %v", got, err)
	}
	put(t, s, "urn:li:tag:b", "status", "1")
	s = reopen(t, s, path)
	if got, err := s.Lookup(t.Context(), sampleTerm, "", 0); err != nil || !slices.Equal(got, []urn.URN{"urn:li:tag:b"}) {
		t.Errorf("got terms %v, %v", got, err)
	}
}

func TestAFileOfTheFormatWithoutOriginsGoesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	appendOne := func(ctx context.Context) {
		t.Helper()
		_, err := s.Update(ctx, func(tx store.Tx) error {
			_, err := tx.Append(t.Context(), store.Entry{Kind: store.Restated, URN: "urn:li:tag:a", Aspect: "status"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	appendOne(t.Context())
	if err := errors.Join(s.Close(), bolt.SetFormat(path, 2)); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	appendOne(store.WithOrigin(t.Context(), "outlet"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	entries, err := s.Entries(t.Context(), 0, 10)
	if err != nil || len(entries) != 2 || entries[0].Origin != "" || entries[1].Origin != "outlet" {
		t.Errorf("entries are %+v, %v", entries, err)
	}
}
