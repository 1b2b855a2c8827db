package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// naive holds the versions of one aspect as a list, latest last.
type naive struct {
	keep     int
	versions []naiveVersion
}

type naiveVersion struct {
	value, run string
	number     int64
}

func (m *naive) put(value, run string) {
	next := int64(1)
	if n := len(m.versions); n > 0 {
		last := &m.versions[n-1]
		if last.value == value {
			last.run = run
			return
		}
		next = last.number + 1
	}
	m.versions = append(m.versions, naiveVersion{value, run, next})
	m.versions = slices.DeleteFunc(m.versions, func(v naiveVersion) bool { return m.keep > 0 && v.number <= next-int64(m.keep) })
}

func (m *naive) rollback(run string) {
	m.versions = slices.DeleteFunc(m.versions, func(v naiveVersion) bool { return v.run == run })
}

func (m *naive) rows() map[int64]string {
	rows := map[int64]string{}
	for i, v := range m.versions {
		row := v.number
		if i == len(m.versions)-1 {
			row = 0
		}
		rows[row] = fmt.Sprintf("%s v%d", v.value, v.number)
	}
	return rows
}

// Random writes and rollbacks result in the records that a list of versions predicts, and the run
// index agrees with them.
func TestRandomWritesAgreeWithANaiveModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, m := newFixture(t), &naive{keep: []int{0, 1, 2, 5}[seed%4]}
		for step := range 150 {
			run := fmt.Sprintf("r%d", r.IntN(6))
			if r.IntN(5) == 0 {
				f.delete(ofRun(run))
				m.rollback(run)
			} else {
				w := write(r.IntN(4))
				w.Now, w.System.RunID, w.Retention = int64(step), run, store.Retention{MaxVersions: m.keep}
				f.put(w)
				m.put(string(w.Value), run)
			}
			if got, want := f.rows(), m.rows(); !maps.Equal(got, want) {
				t.Fatalf("seed %d, step %d: rows are %v, want %v", seed, step, got, want)
			}
		}
		f.checkRuns(m)
	}
}

func (f *fixture) checkRuns(m *naive) {
	f.Helper()
	want := map[string]int{}
	for _, v := range m.versions {
		want[v.run]++
	}
	runs, err := f.Runs(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	got := map[string]int{}
	for _, run := range runs {
		got[run.ID] = run.Rows
	}
	if !maps.Equal(got, want) {
		f.Errorf("runs are %v, want %v", got, want)
	}
}

func BenchmarkPut(b *testing.B) {
	for _, c := range []struct {
		name   string
		values int
	}{{"same value", 1}, {"new value", 2}} {
		b.Run(c.name, func(b *testing.B) {
			s := memory.NewStore()
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				_, err := s.Update(b.Context(), func(tx store.Tx) error {
					_, err := put(b.Context(), tx, store.Write{
						Key: statusKey, Value: value(n % c.values), Actor: alice, Now: int64(n),
						System: model.SystemMetadata{RunID: "r"}, Retention: store.Retention{MaxVersions: 20},
					})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				if n%1000 == 999 { // the log must not grow with the number of iterations
					if last, _ := s.Last(); s.Trim(b.Context(), last) != nil {
						b.Fatal("trim")
					}
				}
			}
		})
	}
}
