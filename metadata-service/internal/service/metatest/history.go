package metatest

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RunEventAspect is the time series of the runs of a test.
const RunEventAspect = "testRunEvent"

// Trigger is why a run began.
type Trigger string

// Triggers.
const (
	Requested Trigger = "REQUEST"  // somebody asked for it
	Scheduled Trigger = "SCHEDULE" // the period of all tests, or of this one, has passed
	Changed   Trigger = "CHANGE"   // a test was written, or changes were missed
)

// maxCounted is how many tests of a run have counts of their own: they are kept in its
// checkpoint, which is bounded.
const maxCounted = 8_000

// tally counts what a run says by one test.
type tally struct {
	passing, failing int
	changed          int // verdicts that are not those that were stored
}

// counts are the tallies of a run, by test and definition: those of a definition that
// was changed while the run was interrupted belong to no test.
type counts map[string][3]int

// countKey names a test and its definition, shorter than they are.
func (t *compiled) countKey() string {
	hash := fnv.New128a()
	_, _ = hash.Write([]byte(t.test.Fingerprint))
	_, _ = hash.Write([]byte(t.urn))
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// counts gives the tallies so far, for a checkpoint.
func (w *sweeper) counts() counts {
	if len(w.tests) > maxCounted {
		return nil
	}
	out := make(counts, len(w.tests))
	for i := range w.tests {
		t := &w.tallies[i]
		out[w.tests[i].countKey()] = [3]int{t.passing, t.failing, t.changed}
	}
	return out
}

// restore goes on with tallies of a checkpoint. Tests that were not counted up to it
// have no whole tallies any more.
func (w *sweeper) restore(from counts) {
	w.partial = map[int]bool{}
	for i := range w.tests {
		c, ok := from[w.tests[i].countKey()]
		if !ok {
			w.partial[i] = true
		}
		w.tallies[i] = tally{passing: c[0], failing: c[1], changed: c[2]}
	}
}

// eventPage is how many events are written at once, and eventAttempts how often when
// tests are deleted meanwhile.
const (
	eventPage     = 200
	eventAttempts = 5
)

// recordRun appends a document about a run that is complete to the time series of each
// of its tests. Repeated for the same run, it replaces these.
func (s *Service) recordRun(ctx context.Context, id task.ID, trigger Trigger, w *sweeper) error {
	events := map[urn.URN]jsontree.Object{}
	var tests []urn.URN
	add := func(test urn.URN, status string, members jsontree.Object) {
		members["timestampMillis"], members["durationMillis"] = w.at.UnixMilli(), max(0, s.Edit.Now().Sub(w.at).Milliseconds())
		members["runId"], members["messageId"], members["status"], members["trigger"] = string(id), string(id), status, string(trigger)
		members["actor"] = string(actorOf(ctx))
		events[test] = members
		tests = append(tests, test)
	}
	for i, t := range w.tests {
		if w.partial[i] || len(w.tests) > maxCounted {
			continue
		}
		n := w.tallies[i]
		add(t.urn, "COMPLETE", jsontree.Object{
			"testDefinitionMd5": t.test.Fingerprint, "assets": w.assetsOf(t), "passing": n.passing, "failing": n.failing, "changed": n.changed,
		})
	}
	for _, t := range w.invalid {
		add(t.Test, "ERROR", jsontree.Object{"error": t.Message})
	}
	for page := range slices.Chunk(tests, eventPage) {
		if err := s.appendEvents(ctx, w.decided, page, events); err != nil {
			return err
		}
	}
	return nil
}

// appendEvents writes events of tests that are there, all or none. The key of each test
// goes along as it was read, so that one that is deleted meanwhile is not made anew.
func (s *Service) appendEvents(ctx context.Context, decided auth.Decisions, tests []urn.URN, events map[urn.URN]jsontree.Object) (err error) {
	for range eventAttempts {
		var records [][]model.Record
		if records, err = s.Reader.Aspects(ctx, tests, s.keysOf(tests[:1])...); err != nil {
			return err
		}
		var proposals []catalog.Proposal
		for i, u := range tests {
			if len(records[i]) == 0 {
				continue
			}
			key := &records[i][0]
			proposals = append(proposals,
				catalog.Proposal{URN: string(u), Aspect: key.Aspect, Value: key.Value, Headers: map[string]string{"If-Version-Match": strconv.FormatInt(store.LogicalVersion(key), 10)}},
				catalog.Proposal{URN: string(u), Aspect: RunEventAspect, Value: jsontree.Encode(events[u])})
		}
		if err = s.Edit.Write(ctx, decided, proposals...); fault.KindOf(err) != fault.Precondition {
			return err
		}
	}
	return err
}

// assetsOf is how many assets a run has looked at of the types that a test is about.
func (w *sweeper) assetsOf(t compiled) int {
	n := 0
	for _, name := range t.test.Types {
		n += w.assets[name]
	}
	return n
}

// compare tells the positions of the tests whose verdicts are not what results say.
func (d *decision) compare(results jsontree.Object, differs func(test int)) {
	before := make(map[string]language.Verdict, len(d.tests))
	for verdict, member := range map[language.Verdict]string{language.Passing: "passing", language.Failing: "failing"} {
		for _, r := range jsontree.Children(results, member) {
			before[jsontree.Text(r, "test")] = verdict
		}
	}
	for i, t := range d.tests {
		if before[string(t.urn)] != d.verdicts[i] {
			differs(i)
		}
	}
}

// count adds a decision to the tallies.
func (w *sweeper) count(d decision) {
	w.assets[d.urn.Type()]++
	for i, v := range d.verdicts {
		switch v {
		case language.Passing:
			w.tallies[i].passing++
		case language.Failing:
			w.tallies[i].failing++
		}
	}
}

func actorOf(ctx context.Context) urn.URN {
	if actor, ok := auth.ActorFrom(ctx); ok {
		return actor.URN
	}
	return model.SystemActor
}
