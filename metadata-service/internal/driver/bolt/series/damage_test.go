package series_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestADamagedIndexGivesErrorsAndNeverEndsTheProcess(t *testing.T) {
	t.Parallel()
	const index, pageBytes = "dataset_operationaspect_v1", 4 << 10
	batch := func(sequence uint64) timeseries.Batch {
		b := timeseries.Batch{Sequence: sequence}
		for i := range 100 {
			d := timeseries.Document{
				ID: fmt.Sprint(sequence, "-", i), URN: urn.Make("dataset", fmt.Sprint(i)), Time: int64(sequence)*1000 + int64(i),
				Event: []byte(`{"text":"` + strings.Repeat("x", 300) + `"}`),
			}
			b.Ops = append(b.Ops, timeseries.Op{Upsert: &d})
		}
		return b
	}
	dir := t.TempDir()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for sequence := range uint64(20) {
		if err := s.Apply(t.Context(), index, batch(sequence+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, index+".db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range dbfiletest.Harms {
		for round := range dbfiletest.SoakRounds(t, trials.Count(10)) {
			what := fmt.Sprintf("%s, round %d", h.Name, round)
			file := append([]byte(nil), good...)
			h.Do(rand.New(rand.NewPCG(uint64(round), uint64(len(h.Name)))), file, pageBytes)
			dir := t.TempDir()
			path := filepath.Join(dir, index+".db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := series.Open(dir, series.Config{LockTimeout: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Find(t.Context(), index, timeseries.Query{})
			dbfiletest.WantDamage(t, what, path, err)
			_, err = s.Count(t.Context(), index, timeseries.Query{URNs: []urn.URN{"urn:li:dataset:1"}})
			dbfiletest.WantDamage(t, what, path, err)
			for range 2 {
				dbfiletest.WantDamage(t, what, path, s.Apply(t.Context(), index, batch(100)))
			}
			_, err = s.Compact(t.Context(), index)
			dbfiletest.WantDamage(t, what, path, err)
			if err := s.Close(); err != nil {
				t.Errorf("%s: close: %v", what, err)
			}
		}
	}
}

// TestACompactionOfAFileThatLeadsInACircleEnds compacts a file in which the first two children of
// branches are swapped. The walk over the keys goes back at the second child, and a seek past its
// last key leads to the first child again. Each page is referenced once, so no other check detects
// it.
func TestACompactionOfAFileThatLeadsInACircleEnds(t *testing.T) {
	t.Parallel()
	const index, pageBytes = "dataset_operationaspect_v1", 4 << 10
	dir := t.TempDir()
	s, err := series.Open(dir, series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	b := timeseries.Batch{Sequence: 1}
	for i := range 2000 {
		b.Ops = append(b.Ops, timeseries.Op{Upsert: &timeseries.Document{
			ID: fmt.Sprint(i), URN: urn.Make("dataset", fmt.Sprint(i)), Time: int64(i), Event: []byte(`{"text":"` + strings.Repeat("x", 300) + `"}`),
		}})
	}
	if err := errors.Join(s.Apply(t.Context(), index, b), s.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, index+".db")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	modified := 0
	for n := range len(file) / pageBytes {
		if bendBranch(dbfiletest.PageAt(file, n, pageBytes)) {
			modified++
		}
	}
	if modified == 0 {
		t.Fatal("the file has no branch to damage")
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = series.Open(dir, series.Config{LockTimeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Compact(t.Context(), index)
	dbfiletest.WantDamage(t, "a circle", index, err)
	if err == nil {
		t.Error("the compaction took the file for a sound one")
	}
	if after, readErr := os.ReadFile(path); readErr != nil || !bytes.Equal(after, file) {
		t.Errorf("the file is not as it was (%v)", readErr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("beside the index there is %v (%v), want nothing of the copy", left, err)
	}
}

// bendBranch swaps the first two children of a bbolt page, if it is a branch with several. A page
// begins with its number (8 bytes), its kind (2), its count of entries (2) and its overflow (4); an
// entry of a branch has the offset of its key (4), the key length (4) and the page of the child
// (8).
func bendBranch(page []byte) bool {
	const header, entry, child, branch = 16, 16, 8, 0x01
	kind, count := binary.LittleEndian.Uint16(page[8:]), int(binary.LittleEndian.Uint16(page[10:]))
	if kind != branch || count < 2 || header+count*entry > len(page) {
		return false
	}
	first, second := page[header+child:header+entry], page[header+entry+child:header+2*entry]
	a, b := binary.LittleEndian.Uint64(first), binary.LittleEndian.Uint64(second)
	binary.LittleEndian.PutUint64(first, b)
	binary.LittleEndian.PutUint64(second, a)
	return true
}
