package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

var simulationCases = []testCase{
	{"random updates agree with a naive model, seed 1", func(f *fixture) { simulate(f, 1) }},
	{"random updates agree with a naive model, seed 2", func(f *fixture) { simulate(f, 2) }},
	{"random updates agree with a naive model, seed 3", func(f *fixture) { simulate(f, 3) }},
}

// modelStore is a simple model of a store.
type modelStore struct {
	rows  map[modelKey]model.Record
	times map[string]int64
	log   []store.Entry
}

type modelKey struct {
	store.Key
	row int64
}

func (n *modelStore) clone() *modelStore {
	return &modelStore{rows: maps.Clone(n.rows), times: maps.Clone(n.times), log: slices.Clone(n.log)}
}

func (n *modelStore) put(rec model.Record) {
	n.rows[modelKey{rec.Key(), rec.Row}] = rec
	n.times[rec.System.RunID] = max(n.times[rec.System.RunID], rec.System.LastObserved)
	n.forget()
}

func (n *modelStore) remove(key store.Key, row int64) {
	delete(n.rows, modelKey{key, row})
	n.forget()
}

func (n *modelStore) removeHistory(key store.Key, upTo int64) int {
	before := len(n.rows)
	maps.DeleteFunc(n.rows, func(k modelKey, _ model.Record) bool { return k.Key == key && k.row > 0 && k.row <= upTo })
	n.forget()
	return before - len(n.rows)
}

// forget removes the times of runs without records.
func (n *modelStore) forget() {
	alive := make(map[string]bool)
	for _, rec := range n.rows {
		alive[rec.System.RunID] = true
	}
	maps.DeleteFunc(n.times, func(run string, _ int64) bool { return !alive[run] })
}

// state is the complete visible state of a store.
type state struct {
	URNs    []urn.URN
	Counts  map[string]int
	Latest  [][]model.Record
	History []model.Record
	Runs    []store.Run
	RunKeys map[string][]store.Key
	Entries []store.Entry
}

// The simulation uses few keys, so that its steps affect each other.
var (
	simTypes   = []string{"dataset", "tag"}
	simAspects = []string{"zeta", "alpha", "mid", "beta"}
	simRuns    = []string{"r1", "r2", "r3", "r4"}
)

func simURNs() []urn.URN {
	var urns []urn.URN
	for _, entityType := range simTypes {
		for i := range 6 {
			urns = append(urns, urn.Make(entityType, fmt.Sprint("e", i)))
		}
	}
	return urns
}

func (n *modelStore) state() state {
	s := state{Counts: make(map[string]int), RunKeys: make(map[string][]store.Key)}
	runs := make(map[string]*store.Run)
	for _, u := range simURNs() {
		var latest []model.Record
		for _, aspect := range slices.Sorted(slices.Values(simAspects)) {
			key := store.Key{URN: u, Aspect: aspect}
			if rec, ok := n.rows[modelKey{key, 0}]; ok {
				latest = append(latest, rec)
			}
			carried := make(map[string]bool)
			for row := range int64(5) {
				rec, ok := n.rows[modelKey{key, row}]
				if !ok {
					continue
				}
				if row > 0 {
					s.History = append(s.History, rec)
				}
				id := rec.System.RunID
				if runs[id] == nil {
					runs[id] = &store.Run{ID: id, Time: n.times[id]}
				}
				if runs[id].Rows++; !carried[id] {
					s.RunKeys[id] = append(s.RunKeys[id], key)
				}
				carried[id] = true
			}
		}
		if len(latest) > 0 {
			s.URNs, s.Latest = append(s.URNs, u), append(s.Latest, latest)
			s.Counts[u.Type()]++
			s.Counts[""]++
		}
	}
	for _, run := range runs {
		s.Runs = append(s.Runs, *run)
	}
	slices.SortFunc(s.Runs, func(a, b store.Run) int { return cmp.Or(-cmp.Compare(a.Time, b.Time), cmp.Compare(a.ID, b.ID)) })
	s.Entries = n.log
	return s
}

// dump reads the state of a real store.
func (f *fixture) dump() state {
	f.Helper()
	s := state{Counts: make(map[string]int), RunKeys: make(map[string][]store.Key)}
	s.URNs = f.scan(store.Scan{})
	for _, entityType := range append([]string{""}, simTypes...) {
		if n := f.count(entityType); n > 0 {
			s.Counts[entityType] = n
		}
	}
	lists, err := f.Aspects(f.Context(), s.URNs)
	f.ok(err)
	if len(lists) > 0 {
		s.Latest = lists
	}
	for _, u := range simURNs() {
		for _, aspect := range slices.Sorted(slices.Values(simAspects)) {
			key := store.Key{URN: u, Aspect: aspect}
			rows, err := f.Rows(f.Context(), key)
			f.ok(err)
			for _, row := range rows {
				s.History = append(s.History, *f.row(key, row))
			}
		}
	}
	s.Runs = f.runs()
	for _, run := range s.Runs {
		s.RunKeys[run.ID] = f.runKeys(run.ID, store.Key{}, 0)
	}
	s.Entries = f.entries(0, 100000)
	return s
}

func simulate(f *fixture, seed uint64) {
	random := rand.New(rand.NewPCG(seed, seed))
	truth := &modelStore{rows: make(map[modelKey]model.Record), times: make(map[string]int64)}
	for round := range trials.Count(120) {
		trial := truth.clone()
		fails := random.IntN(4) == 0
		stepSeed := random.Uint64()
		_, err := f.Update(f.Context(), func(tx store.Tx) error {
			trial = truth.clone() // the function may run more than once
			steps := rand.New(rand.NewPCG(stepSeed, 0))
			for range 1 + steps.IntN(12) {
				f.step(tx, trial, steps)
			}
			if fails {
				return errOnPurpose
			}
			return nil
		})
		if fails {
			f.same("error", err, errOnPurpose)
		} else {
			f.same("error", err, nil)
			truth = trial
		}
		if round%6 == 5 {
			f.same(fmt.Sprintf("state after round %d", round), f.dump(), truth.state())
		}
		if f.Failed() {
			return
		}
	}
}

// step applies one random operation to both and compares the results in the transaction.
func (f *fixture) step(tx store.Tx, truth *modelStore, random *rand.Rand) {
	urns := simURNs()
	key := store.Key{URN: urns[random.IntN(len(urns))], Aspect: simAspects[random.IntN(len(simAspects))]}
	row := max(0, random.Int64N(9)-4)
	switch random.IntN(7) {
	case 0, 1:
		rec := inRun(key.URN, key.Aspect, simRuns[random.IntN(len(simRuns))], 1+random.Int64N(50))
		rec.Row, rec.Value = row, fmt.Appendf(nil, "%d", random.IntN(1000))
		truth.put(rec)
		f.putIn(tx, rec)
	case 2, 3:
		truth.remove(key, row)
		f.same("remove", tx.Remove(f.Context(), key, row), nil)
	case 4:
		gone, err := tx.RemoveHistory(f.Context(), key, row)
		f.same("remove history", []any{gone, err}, []any{truth.removeHistory(key, row), nil})
	case 5:
		entry := written(key.URN, key.Aspect)
		sequence, err := tx.Append(f.Context(), entry)
		f.same("append", err, nil)
		if n := len(truth.log); n > 0 && sequence <= truth.log[n-1].Sequence {
			f.Errorf("sequence %d after %d", sequence, truth.log[n-1].Sequence)
		}
		entry.Sequence = sequence
		truth.log = append(truth.log, entry)
	default:
		f.compare(tx, truth, key)
	}
}

// compare compares all reads of the transaction with the model.
func (f *fixture) compare(tx store.Tx, truth *modelStore, key store.Key) {
	want := truth.state()
	urns, err := tx.Scan(f.Context(), store.Scan{})
	f.same("error", err, nil)
	f.same("scan in a transaction", urns, want.URNs)
	for i, u := range want.URNs {
		latest, err := store.AspectsOf(f.Context(), tx, u)
		f.same("error", err, nil)
		f.same("aspects in a transaction", latest, want.Latest[i])
	}
	for _, run := range simRuns {
		keys, err := tx.RunKeys(f.Context(), run, store.Key{}, 0)
		f.same("error", err, nil)
		f.same("run keys in a transaction", keys, want.RunKeys[run])
	}
	rows, err := tx.Rows(f.Context(), key)
	f.same("error", err, nil)
	var history []int64
	for row := range int64(5) {
		rec, err := tx.Row(f.Context(), key, row)
		f.same("error", err, nil)
		expected, there := truth.rows[modelKey{key, row}]
		if !there {
			f.same("absent row in a transaction", rec, (*model.Record)(nil))
			continue
		}
		f.same("row in a transaction", rec, &expected)
		if row > 0 {
			history = append(history, row)
		}
	}
	f.same("history in a transaction", rows, history)
}
