package timeline

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// step is one version of one aspect.
type step struct {
	aspect   string
	version  int64
	row      int64 // row in the store: 0 for the current value, the version for former ones
	sequence uint64
	time     int64
	actor    urn.URN
	// unknown is set when the previous version is not stored, so that the changes are unknown.
	unknown bool
	grade   Grade // of the most severe change, empty without changes
	events  []Event
	diffs   []Diff
}

// comparedVersion is a step with the values that it was derived from.
type comparedVersion struct {
	step
	facts      []fact
	old, value jsontree.Object
	found      *catalog.Aspect
}

// versions yields the versions of an aspect, oldest first, each with its changes in the categories.
// An error ends the sequence.
func versions(ctx context.Context, r Reader, u urn.URN, from source, categories []Category, memory *memoryBudget) iter.Seq2[*comparedVersion, error] {
	return func(yield func(*comparedVersion, error) bool) {
		var before []fact
		var old jsontree.Object
		first := true
		memory.begin()
		for found, err := range r.History(ctx, u, from.aspect, MaxVersions) {
			var value jsontree.Object
			if err == nil {
				err = memory.version(ctx, &found)
			}
			if err == nil {
				value, err = jsontree.DecodeObject(found.Value)
			}
			if err != nil {
				yield(nil, fmt.Errorf("read %s of %s: %w", from.aspect, u, err))
				return
			}
			c := &comparedVersion{facts: filterFacts(from.facts(u, value), categories), old: old, value: value, found: &found, step: step{
				aspect: from.aspect, version: versionOf(&found.Record), sequence: found.Sequence, time: found.CreatedOn, actor: found.CreatedBy,
			}}
			if c.unknown = first && c.version > 1; !c.unknown {
				if from.compare != nil && slices.Contains(categories, from.categories[0]) {
					c.events = from.compare(u, old, value)
				}
				c.events = append(c.events, changes(before, c.facts)...)
			}
			for i := range c.events {
				c.events[i].Time, c.events[i].Actor = c.time, c.actor
				c.grade = moreSevere(c.grade, c.events[i].Grade)
			}
			if !yield(c, nil) {
				return
			}
			before, old, first = c.facts, value, false
		}
	}
}

// versionOf returns the version in the system metadata of a record, or 1 if there is none.
func versionOf(rec *model.Record) int64 {
	n, err := strconv.ParseInt(rec.System.Version, 10, 64)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// filterFacts removes facts of other categories, and repeated facts.
func filterFacts(facts []fact, categories []Category) []fact {
	seen := make(map[string]bool, len(facts))
	return slices.DeleteFunc(facts, func(f fact) bool {
		if !slices.Contains(categories, f.category) {
			return true
		}
		id := f.id()
		repeated := seen[id]
		seen[id] = true
		return repeated
	})
}

// timelineBuilder derives the timeline of one entity from the versions of its aspects.
type timelineBuilder struct {
	query      Query
	events     *int          // number of events so far, over all entities
	memory     *memoryBudget // of the request, over all entities
	skipped    int
	steps      []step
	uncompared otherVersions // versions of the aspects that are not compared
}

// aspect adds the steps of an aspect. For steps outside the requested period it keeps only the
// grade, since that raises versions.
func (w *timelineBuilder) aspect(ctx context.Context, r Reader, from source) error {
	present := -1
	for c, err := range versions(ctx, r, w.query.URN, from, w.query.Categories, w.memory) {
		if err != nil {
			return err
		}
		if c.unknown {
			w.skipped += int(c.version) - 1
		}
		if w.query.From > c.time || w.query.To != 0 && w.query.To < c.time {
			c.events = nil
		}
		if *w.events += len(c.events); *w.events > maxEvents {
			return fault.New(fault.TooLarge, "%s has more than %d changes; ask for fewer categories or a shorter time", w.query.URN, maxEvents)
		}
		if err := w.memory.keep(ctx, len(c.events), c.found, w.query.Diffs); err != nil {
			return err
		}
		if w.query.Diffs && len(c.events) > 0 {
			c.diffs = []Diff{{Aspect: c.aspect, Version: c.version, Patch: diff(nil, "", c.old, c.value)}}
		}
		c.row = c.version
		w.steps = append(w.steps, c.step)
		present = len(w.steps) - 1
	}
	if present >= 0 {
		w.steps[present].row = 0
	}
	return nil
}

// moreSevere returns the more severe of two grades. The empty grade is the lowest.
func moreSevere(a, b Grade) Grade {
	for _, g := range []Grade{Major, Minor, Patch} {
		if a == g || b == g {
			return g
		}
	}
	return ""
}

// transactions groups steps that were written together and numbers them. It omits groups without
// events.
func (w *timelineBuilder) transactions() []Transaction {
	slices.SortStableFunc(w.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.sequence, b.sequence))
	})
	var out []Transaction
	rows := map[string]int64{}
	var number numbering
	for len(w.steps) > 0 {
		n := transactionSize(w.steps)
		var t Transaction
		unknown := false
		t.Time, t.Actor = w.steps[0].time, w.steps[0].actor
		for _, s := range w.steps[:n] {
			rows[s.aspect] = s.row
			unknown = unknown || s.unknown
			t.Grade = moreSevere(t.Grade, s.grade)
			t.Events = append(t.Events, s.events...)
			t.Diffs = append(t.Diffs, s.diffs...)
		}
		w.steps = w.steps[n:]
		if t.Grade == "" && (number.begun || !unknown) {
			continue
		}
		if t.Version = number.next(t.Grade) + versionSuffix; len(t.Events) > 0 {
			w.uncompared.advance(t.Time, rows)
			t.Stamp, t.Operation = stamp(rows), commonOperation(t.Events)
			out = append(out, t)
		}
	}
	return out
}

// transactionSize returns the number of leading steps that form one transaction.
func transactionSize(steps []step) int {
	seen := map[string]bool{}
	for i, s := range steps {
		if s.time != steps[0].time || s.actor != steps[0].actor || seen[s.aspect] {
			return i
		}
		seen[s.aspect] = true
	}
	return len(steps)
}

func commonOperation(events []Event) Operation {
	for _, e := range events {
		if e.Operation != events[0].Operation {
			return Modify
		}
	}
	return events[0].Operation
}

// versionSuffix is the suffix of transaction versions. They depend on the compared categories.
const versionSuffix = "-computed"

// numbering assigns semantic versions.
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
