package bolt_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The soak test starts its own binary as a child that writes from many goroutines and reports
// acknowledged updates on a pipe, kills the child at a random moment, and checks the remaining
// data.
//
// Step n of a writer writes a family of rows, edges and log entries in one Update, removes the
// family of step n-soakKept, and records n. The recorded n therefore determines the exact expected
// data.

const (
	soakWriters = 8
	soakKept    = 4
	soakMembers = 3 // entities and log entries per step
	soakChild   = "CARTULARY_SOAK_CHILD"
)

func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	random := rand.New(rand.NewPCG(1, 2))
	acknowledged := make([]int, soakWriters)
	total := 0
	for round := range dbfiletest.SoakRounds(t, 3) {
		from := append([]int(nil), acknowledged...)
		total += killWriter(t, path, acknowledged, random)
		checkSurvivors(t, path, acknowledged)
		if t.Failed() {
			t.Fatalf("round %d: writers went from %v to %v", round, from, acknowledged)
		}
	}
	if total == 0 {
		t.Error("no child lived long enough to write")
	}
}

// killWriter lets a child write, kills it, and records the steps it reported.
func killWriter(t *testing.T, path string, acknowledged []int, random *rand.Rand) (reports int) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	child := exec.Command(os.Args[0], "-test.run=^TestSoakChild$")
	child.Env = append(os.Environ(), soakChild+"="+path)
	child.ExtraFiles = []*os.File{writer}
	var output strings.Builder
	child.Stdout, child.Stderr = &output, &output
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	wantReports := random.IntN(150)
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		var w, step int
		if _, err := fmt.Sscanf(lines.Text(), "%d %d", &w, &step); err != nil {
			t.Fatalf("report %q: %v", lines.Text(), err)
		}
		acknowledged[w] = max(acknowledged[w], step)
		if reports++; reports == wantReports+1 {
			// Not at once, as that would always be just after a commit.
			time.AfterFunc(time.Duration(random.IntN(8000))*time.Microsecond, func() { _ = child.Process.Kill() })
		}
	}
	if err := child.Wait(); reports <= wantReports {
		t.Fatalf("the child ended by itself: %v\n%s", err, output.String())
	}
	return reports
}

// TestSoakChild is the child of the soak test; it writes until it is killed.
func TestSoakChild(t *testing.T) {
	path := os.Getenv(soakChild)
	if path == "" {
		t.Skip("runs as a child of TestKilledAtAnyMoment")
	}
	s := openStore(t, path)
	reports := os.NewFile(3, "reports")
	var writers sync.WaitGroup
	for w := range soakWriters {
		writers.Go(func() {
			for {
				if err := soakStep(t, s, w, reports); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writers.Wait()
}

func soakStep(t *testing.T, s *bolt.Store, w int, reports io.Writer) error {
	step := 0
	_, err := s.Update(t.Context(), func(tx store.Tx) (err error) {
		if step, err = soakNote(t.Context(), tx, w); err != nil {
			return err
		}
		step++
		return soakWrite(t.Context(), tx, w, step)
	})
	if err != nil {
		return err
	}
	// Reported at once, before the next turn of the writer. One write shorter than a pipe's buffer
	// is never split.
	if _, err := fmt.Fprintf(reports, "%d %d\n", w, step); err != nil {
		return err
	}
	_, err = s.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(soakWrite(t.Context(), tx, w, step+1000000), io.ErrUnexpectedEOF)
	})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("failing update: got error %v, want its own", err)
	}
	return nil
}

func soakWriter(w int) urn.URN { return urn.Make("corpuser", fmt.Sprint("writer", w)) }

func soakNote(ctx context.Context, tx store.Tx, w int) (step int, err error) {
	rec, err := store.Latest(ctx, tx, store.Key{URN: soakWriter(w), Aspect: "note"})
	if rec == nil {
		return 0, err
	}
	_, err = fmt.Sscan(string(rec.Value), &step)
	return step, err
}

func soakMember(w, step, member int) urn.URN {
	return urn.Make("dataset", fmt.Sprintf("w%d.s%d.m%d", w, step, member))
}

func soakValue(step int) string { return strings.Repeat(fmt.Sprintf("%d,", step), 1+step%600) }

// soakEdges connects a member with the next of its family and with its writer.
func soakEdges(w, step, member int) []model.Edge {
	u := soakMember(w, step, member)
	return []model.Edge{
		link(u, "DownstreamOf", soakMember(w, step, (member+1)%soakMembers)), link(u, "OwnedBy", soakWriter(w)),
	}
}

func soakWrite(ctx context.Context, tx store.Tx, w, step int) error {
	for member := range soakMembers {
		u := soakMember(w, step, member)
		old := store.Key{URN: soakMember(w, step-soakKept, member), Aspect: "status"}
		err := errors.Join(
			write(ctx, tx, u, "status", soakValue(step)), tx.PutEdges(ctx, store.Key{URN: u, Aspect: "status"}, soakEdges(w, step, member)),
			tx.Remove(ctx, old, 0), tx.PutEdges(ctx, old, nil))
		if err != nil {
			return err
		}
	}
	rec := sampleRecord()
	rec.URN, rec.Aspect, rec.Value = soakWriter(w), "note", fmt.Append(nil, step)
	return tx.Put(ctx, rec)
}

// checkSurvivors opens the file of a killed child. It updates acknowledged to the steps found, and
// trims the log.
func checkSurvivors(t *testing.T, path string, acknowledged []int) {
	t.Helper()
	s, err := bolt.Open(t.Context(), path, bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	var want []urn.URN
	for w := range soakWriters {
		found := surviving(t, s, w)
		if found != acknowledged[w] && found != acknowledged[w]+1 {
			t.Errorf("writer %d: step %d was acknowledged, step %d is stored", w, acknowledged[w], found)
		}
		acknowledged[w] = found
		for step := max(1, found-soakKept+1); step <= found; step++ {
			for member := range soakMembers {
				want = append(want, soakMember(w, step, member))
			}
		}
	}
	checkFamilies(t, s, want)
	checkEdges(t, s, want)
	checkLog(t, s, acknowledged)
	last, _ := s.Last()
	if err := s.Trim(t.Context(), last); err != nil {
		t.Error(err)
	}
}

func surviving(t *testing.T, s *bolt.Store, w int) (step int) {
	t.Helper()
	rec, err := s.Row(t.Context(), store.Key{URN: soakWriter(w), Aspect: "note"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if rec == nil {
		return 0
	}
	if _, err := fmt.Sscan(string(rec.Value), &step); err != nil {
		t.Fatal(err)
	}
	return step
}

// checkFamilies compares the entities and their run index with the expected ones.
func checkFamilies(t *testing.T, s *bolt.Store, want []urn.URN) {
	t.Helper()
	found, err := s.Scan(t.Context(), store.Scan{Type: "dataset", Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	count, err := s.Count(t.Context(), "dataset")
	if err != nil || len(found) != len(want) || count != len(want) {
		t.Errorf("%d datasets are listed, %d counted (%v), %d expected", len(found), count, err, len(want))
	}
	for _, u := range want {
		var w, step, member int
		if _, err := fmt.Sscanf(u.Key(), "w%d.s%d.m%d", &w, &step, &member); err != nil {
			t.Fatal(err)
		}
		rec, err := s.Row(t.Context(), store.Key{URN: u, Aspect: "status"}, 0)
		if err != nil || rec == nil || string(rec.Value) != soakValue(step) {
			t.Errorf("%s is not what was written: %v, %v", u, rec, err)
		}
	}
	keys, err := s.RunKeys(t.Context(), sampleRecord().System.RunID, store.Key{URN: "urn:li:dataset:"}, 0)
	if err != nil || len(keys) != len(want) {
		t.Errorf("the run index has %d datasets (%v), %d expected", len(keys), err, len(want))
	}
}

// checkEdges compares the edges, as seen from both ends and by their owners, with the expected
// ones.
func checkEdges(t *testing.T, s *bolt.Store, want []urn.URN) {
	t.Helper()
	for _, direction := range []graph.Direction{graph.Outgoing, graph.Incoming} {
		edges, err := s.Edges(t.Context(), graph.Query{Direction: direction})
		if err != nil || len(edges) != 2*len(want) {
			t.Errorf("%d edges are %s (%v), %d expected", len(edges), direction, err, 2*len(want))
		}
	}
	for _, u := range want {
		var w, step, member int
		if _, err := fmt.Sscanf(u.Key(), "w%d.s%d.m%d", &w, &step, &member); err != nil {
			t.Fatal(err)
		}
		owned, err := s.OwnedEdges(t.Context(), store.Key{URN: u, Aspect: "status"})
		if err != nil || !reflect.DeepEqual(owned, soakEdges(w, step, member)) {
			t.Errorf("edges of %s are not what was written: %v, %v", u, owned, err)
		}
	}
}

// checkLog checks the remaining log: complete families, and the steps of each writer in order up to
// the last one.
func checkLog(t *testing.T, s *bolt.Store, last []int) {
	t.Helper()
	entries, err := s.Entries(t.Context(), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int, soakWriters)
	for i := 0; i+soakMembers <= len(entries); i += soakMembers {
		var w, step, member int
		if _, err := fmt.Sscanf(entries[i].URN.Key(), "w%d.s%d.m%d", &w, &step, &member); err != nil {
			t.Fatal(err)
		}
		for m := range soakMembers {
			entry := entries[i+m]
			if entry.URN != soakMember(w, step, m) || entry.Sequence != entries[0].Sequence+uint64(i+m) {
				t.Fatalf("entry %d is %v, expected member %d of step %d of writer %d", i+m, entry, m, step, w)
			}
		}
		if seen[w] != 0 && step != seen[w]+1 {
			t.Errorf("writer %d: step %d follows step %d in the log", w, step, seen[w])
		}
		seen[w] = step
	}
	if len(entries)%soakMembers != 0 {
		t.Errorf("the log has %d entries: a part of a step", len(entries))
	}
	for w, step := range seen {
		if step != 0 && step != last[w] {
			t.Errorf("writer %d: the log ends at step %d, the rows at step %d", w, step, last[w])
		}
	}
}
