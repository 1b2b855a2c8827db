package series_test

import (
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
