package metatest

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RunEventAspect is the time-series aspect with the runs of a test.
const RunEventAspect = "testRunEvent"

// Trigger is the cause of a run.
type Trigger string

// Triggers.
const (
	Requested Trigger = "REQUEST"  // started by a user
	Scheduled Trigger = "SCHEDULE" // the period of all tests, or of this one, has passed
	Changed   Trigger = "CHANGE"   // a test was written, or changes were missed
)

// maxCounted is the maximum number of tests for which a run keeps separate counts: the counts are
// part of its checkpoint, whose size is limited.
const maxCounted = 8_000

// tally counts the verdicts of one test in a run.
type tally struct {
	passing, failing int
	changed          int // verdicts that differ from the stored ones
}

// counts holds the tallies of a run by countKey. Since the key includes the definition, tallies of
// a definition that changed while the run was interrupted match no test.
type counts map[string][3]int

// countKey returns a short hash of a test and its definition.
func (t *compiledTest) countKey() string {
	hash := fnv.New128a()
	_, _ = hash.Write([]byte(t.test.Fingerprint))
	_, _ = hash.Write([]byte(t.urn))
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// counts returns the current tallies for a checkpoint. It returns nil for more than maxCounted
// tests.
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

// restore loads tallies from a checkpoint. It marks tests that the checkpoint does not count as
// partial.
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

// eventPage is the number of events per write. eventAttempts is the number of attempts when tests
// are deleted concurrently.
const (
	eventPage     = 200
	eventAttempts = 5
)

// recordRun appends one document about a completed run to the time series of each of its tests.
// Repeated for the same run, it replaces these documents.
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

// appendEvents writes events of the tests that exist, all or none. It includes the key aspect of
// each test on condition of its version, so that a concurrently deleted test is not created again.
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
				catalog.Proposal{URN: string(u), Aspect: key.Aspect, Value: key.Value, Conditions: catalog.AtVersion(catalog.VersionOf(key))},
				catalog.Proposal{URN: string(u), Aspect: RunEventAspect, Value: jsontree.Encode(events[u])})
		}
		if err = s.Edit.Write(ctx, decided, proposals...); fault.KindOf(err) != fault.Precondition {
			return err
		}
	}
	return err
}

// assetsOf returns the number of visited assets of the entity types of a test.
func (w *sweeper) assetsOf(t compiledTest) int {
	n := 0
	for _, name := range t.test.Types {
		n += w.assets[name]
	}
	return n
}

// compare calls differs with the position of each test whose verdict differs from results.
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
