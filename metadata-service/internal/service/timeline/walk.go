package timeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// step is one version of one aspect.
type step struct {
	aspect   string
	version  int64
	sequence uint64
	time     int64
	actor    urn.URN
	// unknown is set when the version before is gone: what changed cannot be told.
	unknown bool
	grade   Grade // of the gravest change, empty without changes
	events  []Event
	diffs   []Diff
	facts   []fact // with walk.keep
}

// walk goes through the versions of the aspects of one entity.
type walk struct {
	query   Query
	keep    bool // facts of each step
	events  *int // told so far, over all entities
	skipped int
	steps   []step
}

// aspect adds the steps of an aspect.
func (w *walk) aspect(ctx context.Context, r Reader, from source) error {
	var before []fact
	var old jsontree.Object
	first := true
	for found, err := range r.History(ctx, w.query.URN, from.aspect, MaxVersions) {
		if err != nil {
			return err
		}
		value, err := jsontree.DecodeObject(found.Value)
		if err != nil {
			return fmt.Errorf("decode %s of %s: %w", from.aspect, w.query.URN, err)
		}
		s := step{
			aspect: from.aspect, version: versionOf(&found.Record), sequence: found.Sequence, time: found.CreatedOn, actor: found.CreatedBy,
		}
		facts := w.wanted(from.facts(w.query.URN, value))
		s.unknown = first && s.version > 1
		if s.unknown {
			w.skipped += int(s.version) - 1
		} else if err := w.compare(&s, before, facts, old, value); err != nil {
			return err
		}
		if w.keep {
			s.facts = facts
		}
		w.steps = append(w.steps, s)
		before, old, first = facts, value, false
	}
	return nil
}

// versionOf is the version that a record counts; one without is the first.
func versionOf(rec *model.Record) int64 {
	n, err := strconv.ParseInt(rec.System.Version, 10, 64)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// wanted leaves out facts of other categories, and repeated ones.
func (w *walk) wanted(facts []fact) []fact {
	seen := make(map[string]bool, len(facts))
	return slices.DeleteFunc(facts, func(f fact) bool {
		repeated := seen[f.id()]
		seen[f.id()] = true
		return repeated || !slices.Contains(w.query.Categories, f.category)
	})
}

// compare fills in what changed. Outside the time asked for only the grade
// counts, as it raises versions.
func (w *walk) compare(s *step, before, after []fact, old, value jsontree.Object) error {
	events := changes(before, after)
	for _, e := range events {
		s.grade = graver(s.grade, e.Grade)
	}
	if w.query.From > s.time || w.query.To != 0 && w.query.To < s.time || len(events) == 0 {
		return nil
	}
	if *w.events += len(events); *w.events > maxEvents {
		return fault.New(fault.TooLarge, "%s has more than %d changes; ask for fewer categories or a shorter time", w.query.URN, maxEvents)
	}
	for i := range events {
		events[i].Time, events[i].Actor = s.time, s.actor
	}
	s.events = events
	if w.query.Diffs {
		s.diffs = []Diff{{Aspect: s.aspect, Version: s.version, Patch: diff(nil, "", old, value)}}
	}
	return nil
}

// graver is the graver of two grades, of which the empty one is the least.
func graver(a, b Grade) Grade {
	for _, g := range []Grade{Major, Minor, Patch} {
		if a == g || b == g {
			return g
		}
	}
	return ""
}

// told is a transaction with what a schema's history needs of it.
type told struct {
	Transaction
	facts []fact
}

// transactions puts steps together that were written together, and numbers
// them. Those without events are among them when they are the oldest and the
// versions before them are gone, or when their events were not asked for.
func (w *walk) transactions() []told {
	slices.SortStableFunc(w.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.sequence, b.sequence))
	})
	var out []told
	versions := map[string]int64{}
	var number numbering
	for len(w.steps) > 0 {
		n := together(w.steps)
		var t told
		unknown := false
		t.Time, t.Actor = w.steps[0].time, w.steps[0].actor
		for _, s := range w.steps[:n] {
			versions[s.aspect] = s.version
			unknown = unknown || s.unknown
			t.Grade = graver(t.Grade, s.grade)
			t.Events = append(t.Events, s.events...)
			t.Diffs = append(t.Diffs, s.diffs...)
			t.facts = append(t.facts, s.facts...)
		}
		w.steps = w.steps[n:]
		if t.Grade == "" && (number.begun || !unknown) {
			continue
		}
		t.Version, t.Stamp, t.Operation = number.next(t.Grade), stamp(versions), overall(t.Events)
		out = append(out, t)
	}
	return out
}

// together is how many of the first steps make one transaction.
func together(steps []step) int {
	seen := map[string]bool{}
	for i, s := range steps {
		if s.time != steps[0].time || s.actor != steps[0].actor || seen[s.aspect] {
			return i
		}
		seen[s.aspect] = true
	}
	return len(steps)
}

func overall(events []Event) Operation {
	if len(events) == 0 {
		return Add
	}
	for _, e := range events {
		if e.Operation != events[0].Operation {
			return Modify
		}
	}
	return events[0].Operation
}

// numbering counts semantic versions.
type numbering struct {
	begun               bool
	major, minor, patch int
}

func (n *numbering) next(g Grade) string {
	switch {
	case !n.begun:
		n.begun = true
	case g == Major:
		n.major, n.minor, n.patch = n.major+1, 0, 0
	case g == Minor:
		n.minor, n.patch = n.minor+1, 0
	case g == Patch:
		n.patch++
	}
	return fmt.Sprintf("%d.%d.%d", n.major, n.minor, n.patch)
}
