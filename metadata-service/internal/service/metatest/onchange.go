package metatest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// OnChange is a background projection that evaluates tests when assets change. For each change it
// evaluates the tests that read a changed aspect. It ignores its own writes, so that a test that
// adds a tag and another that removes it stop after the first round.
//
// Changes of other entities that a test reads through an asset, such as the groups of its owner,
// and conditions on time are covered by the evaluation of all assets.
type OnChange struct {
	*Service
	assets bool
	stale  atomic.Bool
}

// NewOnChange returns the sink. Without assets it evaluates nothing, and only records for Schedule
// that tests were written.
func NewOnChange(s *Service, assets bool) *OnChange { return &OnChange{Service: s, assets: assets} }

// SinkName is the name of the sink and the origin of its writes.
const SinkName = "metadata-tests"

// Name implements projection.Sink.
func (o *OnChange) Name() string { return SinkName }

// Durable implements projection.Sink. It returns true, since results are stored.
func (o *OnChange) Durable() bool { return true }

// Stale reports whether a test was written or changes were missed since the last call, so that all
// assets need an evaluation.
func (o *OnChange) Stale() bool { return o.stale.Swap(false) }

// Missed implements projection.BackgroundSink.
func (o *OnChange) Missed(context.Context, projection.Gap) error {
	o.stale.Store(true)
	return nil
}

// Apply implements projection.Sink. It starts cleanups for written tests, then evaluates changed
// assets in pages, with a pause after each page that depends on the writes of others.
func (o *OnChange) Apply(ctx context.Context, entries []store.Entry) error {
	for _, test := range writtenTests(entries) {
		if err := o.startCleanup(ctx, test); err != nil {
			return fmt.Errorf("clean up results of %s: %w", test, err)
		}
	}
	changed, order := o.changed(entries)
	if len(order) == 0 || !o.assets {
		return nil
	}
	tests, _, err := o.all(ctx)
	if err != nil || len(tests) == 0 {
		return err
	}
	decided, err := o.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return err
	}
	for page := range slices.Chunk(order, sweepPage) {
		concerned := o.concerned(tests, page, changed)
		if len(concerned) == 0 {
			continue
		}
		began := time.Now()
		decisions, err := o.decide(ctx, page, concerned, o.Edit.Now())
		if err != nil {
			return err
		}
		if _, err := o.storeAll(ctx, decided, decisions, false, func(int) {}); err != nil {
			return fmt.Errorf("keep results of %d assets: %w", len(page), err)
		}
		o.Pacer.rest(ctx, time.Since(began))
	}
	return nil
}

// writtenTests returns the tests that were written or deleted.
func writtenTests(entries []store.Entry) (tests []urn.URN) {
	for i := range entries {
		if e := &entries[i]; isOfTest(e) && !slices.Contains(tests, e.URN) {
			tests = append(tests, e.URN)
		}
	}
	return tests
}

// isOfTest reports whether an entry may change the meaning of a test. Run events do not.
func isOfTest(e *store.Entry) bool { return e.URN.Type() == EntityType && e.Aspect != RunEventAspect }

// changed returns the changed aspects by asset, and the assets in the order of their first change.
func (o *OnChange) changed(entries []store.Entry) (changed map[urn.URN][]string, order []urn.URN) {
	changed = map[urn.URN][]string{}
	for i := range entries {
		e := &entries[i]
		switch {
		case isOfTest(e):
			o.stale.Store(true)
			continue
		case e.Origin == SinkName, e.Aspect == resultsAspect, e.Kind == store.Touched, e.Kind == store.Message, e.Kind == store.EntityDeleted:
			continue
		}
		if changed[e.URN] == nil {
			order = append(order, e.URN)
		}
		if !slices.Contains(changed[e.URN], e.Aspect) {
			changed[e.URN] = append(changed[e.URN], e.Aspect)
		}
	}
	return changed, order
}

// concerned returns the tests that depend on a changed aspect of at least one of the assets.
func (o *OnChange) concerned(tests []compiledTest, assets []urn.URN, changed map[urn.URN][]string) []compiledTest {
	var out []compiledTest
	for _, t := range tests {
		if slices.ContainsFunc(assets, func(u urn.URN) bool {
			return slices.ContainsFunc(changed[u], func(aspect string) bool {
				spec, ok := o.Edit.Registry.Aspect(aspect)
				return ok && t.test.DependsOn(u.Type(), spec)
			})
		}) {
			out = append(out, t)
		}
	}
	return out
}
