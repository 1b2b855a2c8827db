package metatest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Sweep counts an evaluation of many assets.
type Sweep struct {
	Assets  int `json:"assets"` // assets of the entity types of the tests
	Passing int `json:"passing"`
	Failing int `json:"failing"` // verdicts, as Passing
	Changed int `json:"changed"` // assets whose results were written
}

func (w *Sweep) add(d decision) {
	w.Assets++
	for _, v := range d.verdicts {
		switch v {
		case language.Passing:
			w.Passing++
		case language.Failing:
			w.Failing++
		}
	}
}

// sweepPage is the number of assets per write.
const sweepPage = 100

// EvaluateAll decides the named tests, or all tests, about all assets, stores results and executes
// actions. It requires auth.ManageTests. The index decides tests whose properties are all indexed;
// the others are decided by the facts of each asset. After an interruption the stored results are
// correct, and another call continues where results differ. One goroutine calls progress after each
// page.
func (s *Service) EvaluateAll(ctx context.Context, tests []urn.URN, progress func(Sweep)) (Sweep, error) {
	chosen, all, err := s.choose(ctx, tests)
	if err != nil {
		return Sweep{}, err
	}
	w, err := s.sweeper(ctx, chosen, all)
	if err != nil {
		return Sweep{}, err
	}
	if progress != nil {
		w.progress = func(context.Context) error {
			progress(w.done)
			return nil
		}
	}
	err = w.sweep(ctx)
	return w.done, err
}

// runSweeper returns the sweeper of a run: of all tests, or of the named tests. A named test that
// has become invalid does not prevent the evaluation of the others.
func (s *Service) runSweeper(ctx context.Context, tests []urn.URN) (*sweeper, error) {
	read := s.all
	if len(tests) > 0 {
		read = func(ctx context.Context) ([]compiledTest, []Invalid, error) { return s.compileValid(ctx, tests) }
	}
	valid, invalid, err := read(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.sweeper(ctx, valid, len(tests)+len(invalid) == 0)
	if err == nil {
		w.invalid = invalid
	}
	return w, err
}

// sweeper returns a sweeper that stores the results of tests; all reports that no other tests
// exist.
func (s *Service) sweeper(ctx context.Context, tests []compiledTest, all bool) (*sweeper, error) {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return nil, err
	}
	s.warnOfConflicts(ctx, tests)
	w := &sweeper{
		Service: s, tests: tests, at: s.Edit.Now(), storesResults: true, all: all, decided: decided,
		tallies: make([]tally, len(tests)), assets: map[string]int{},
	}
	w.handle = func(ctx context.Context, page []decision) (int, error) {
		return s.storeAll(ctx, decided, page, all, func(i int) { w.tallies[i].changed++ })
	}
	return w, nil
}

// sweep decides all assets of the entity types of the tests, ordered by type and URN, starting at
// place.
func (w *sweeper) sweep(ctx context.Context) error {
	for _, name := range w.types() {
		if name < w.place.Type {
			continue
		}
		questions, err := w.questions(ctx, name)
		if err != nil {
			return err
		}
		if err := w.visitType(ctx, questions); err != nil {
			return err
		}
	}
	return nil
}

// total counts the assets of the entity types of the tests, including soft-deleted ones.
func (w *sweeper) total(ctx context.Context) (total int, err error) {
	for _, name := range w.types() {
		n, err := w.Edit.Catalog.Count(ctx, name)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// selectPage is the number of assets per request to the index.
const selectPage = 10_000

// visitType visits the assets of a type in URN order. This is the order of the store, so that an
// interrupted sweep can resume.
func (w *sweeper) visitType(ctx context.Context, q *typeSelection) error {
	scan := store.Scan{Type: q.entityType, Limit: selectPage}
	if scan.Type == w.place.Type {
		scan.After = w.place.After
	}
	for {
		page, err := w.Edit.Catalog.Scan(ctx, scan)
		if err != nil {
			return err
		}
		if err := w.visitPage(ctx, q, page); err != nil {
			return err
		}
		if len(page) < selectPage {
			return nil
		}
		scan.After = page[len(page)-1]
	}
}

// maxOpen limits the share of a page, as a divisor, that is visited while the rest is only counted.
// With more assets to visit, the whole page is visited asset by asset, so that progress is known
// after each write.
const maxOpen = 8

// visitPage visits a page of assets. If the index shows that most of them have correct results, it
// counts those without visiting them. Assets that the index does not have yet are decided by facts.
func (w *sweeper) visitPage(ctx context.Context, q *typeSelection, page []urn.URN) error {
	if q.Where != nil && len(page) > 0 {
		open, passed, err := w.selectAssets(ctx, q.Selection, page)
		if err != nil {
			return err
		}
		if passed.Documents+len(open) == len(page) && len(open) <= max(sweepPage, len(page)/maxOpen) {
			return w.visitOpen(ctx, q, page, open, passed)
		}
	}
	every := q.Selection
	every.Where = nil
	decided, _, err := w.selectAssets(ctx, every, page)
	if err != nil {
		return err
	}
	for _, u := range page {
		if err := w.visit(ctx, q, u, decided[u]); err != nil {
			return err
		}
		if len(w.page) == sweepPage {
			if err := w.finish(ctx, u); err != nil {
				return err
			}
		}
	}
	if len(w.page) == 0 {
		return nil
	}
	return w.finish(ctx, page[len(page)-1])
}

// visitOpen visits the assets of a page that need work, and counts the skipped ones.
func (w *sweeper) visitOpen(ctx context.Context, q *typeSelection, page []urn.URN, open map[urn.URN]search.ExpressionSet, passed search.Passed) error {
	for _, u := range page {
		holds, isOpen := open[u]
		if !isOpen {
			continue
		}
		if err := w.visit(ctx, q, u, holds); err != nil {
			return err
		}
		if len(w.page) == sweepPage {
			if err := w.flush(ctx); err != nil {
				return err
			}
		}
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	w.done.Assets += passed.Documents
	w.assets[q.entityType] += passed.Documents
	for i, t := range q.tests {
		if t.passing >= 0 {
			w.done.Passing += passed.Holding[t.passing]
			w.done.Failing += passed.Holding[t.failing]
			w.tallies[i].passing += passed.Holding[t.passing]
			w.tallies[i].failing += passed.Holding[t.failing]
		}
	}
	return w.advance(ctx, page[len(page)-1])
}

// selectAssets returns the index result for each of some assets.
func (w *sweeper) selectAssets(ctx context.Context, selection search.Selection, assets []urn.URN) (map[urn.URN]search.ExpressionSet, search.Passed, error) {
	if w.Selector == nil || len(assets) == 0 {
		return nil, search.Passed{}, nil
	}
	out := map[urn.URN]search.ExpressionSet{}
	var room search.ExpressionSet // shared by many sets
	selection.Within = assets
	passed, err := w.Selector.Select(ctx, selection, func(u urn.URN, holds search.ExpressionSet) error {
		if len(room) < len(holds) {
			room = make(search.ExpressionSet, sweepPage*len(holds))
		}
		out[u] = room[:copy(room, holds)]
		room = room[len(holds):]
		return nil
	})
	return out, passed, err
}

// sweeper evaluates the assets of a selection, page by page.
type sweeper struct {
	*Service
	tests []compiledTest
	at    time.Time
	// handle receives the decisions about each page of assets and returns the number of changed
	// assets.
	handle func(ctx context.Context, page []decision) (changed int, err error)
	// progress is called after each page; an error ends the sweep.
	progress      func(ctx context.Context) error
	maxRead       int  // assets whose facts are read before errReadLimit ends the sweep; 0 for no limit
	storesResults bool // handle stores results, and skips assets that already have them
	all           bool // all tests are evaluated, so that results of other tests are removed

	related related

	page  []decision
	read  int // assets whose facts were read
	place place
	done  Sweep

	// Data for the report of a run.
	decided auth.Decisions
	invalid []Invalid      // tests that are not evaluated
	tallies []tally        // by position of the test
	partial map[int]bool   // tests that were not counted from the beginning
	assets  map[string]int // visited assets by type
}

// checkpoint returns the state from which resume continues.
func (w *sweeper) checkpoint() runCheckpoint {
	return runCheckpoint{At: w.at.UnixMilli(), Place: w.place, Done: w.done, Assets: w.assets, Counts: w.counts()}
}

// resume continues an earlier sweep from its checkpoint, as of its time.
func (w *sweeper) resume(from runCheckpoint) {
	w.at, w.place, w.done = time.UnixMilli(from.At), from.Place, from.Done
	maps.Copy(w.assets, from.Assets)
	w.restore(from.Counts)
}

// place is the position of a sweep: all assets of lower types, and of this type up to After, are
// done.
type place struct {
	Type  string  `json:"type"`
	After urn.URN `json:"after"`
}

// types returns the entity types of the tests, sorted.
func (w *sweeper) types() []string {
	var names []string
	for _, t := range w.tests {
		names = union(names, t.test.Types)
	}
	slices.Sort(names)
	return names
}

// errReadLimit ends a sweep that has read the facts of maxRead assets.
var errReadLimit = errors.New("enough assets were read")

// visit adds an asset to the page. Verdicts of the index are final, since an indexed asset is as
// current in the index as in the store. holds is nil for an asset that the index does not have.
func (w *sweeper) visit(ctx context.Context, q *typeSelection, u urn.URN, holds search.ExpressionSet) error {
	if w.maxRead > 0 && w.read >= w.maxRead {
		return errReadLimit
	}
	w.page = append(w.page, decision{urn: u, tests: w.tests, verdicts: q.verdicts(holds), at: w.at})
	return ctx.Err()
}

// undecided marks a verdict that needs facts.
const undecided language.Verdict = 255

// flush completes the decisions of a page by facts and passes them to handle.
func (w *sweeper) flush(ctx context.Context) error {
	if len(w.page) == 0 {
		return nil
	}
	if err := w.decideByFacts(ctx); err != nil {
		return err
	}
	for _, d := range w.page {
		w.done.add(d)
		w.count(d)
	}
	changed, err := w.handle(ctx, w.page)
	if err != nil {
		return err
	}
	w.done.Changed += changed
	w.page = w.page[:0]
	return nil
}

// advance records that all assets up to last are done, and calls progress.
func (w *sweeper) advance(ctx context.Context, last urn.URN) error {
	w.place = place{last.Type(), last}
	if w.progress != nil {
		if err := w.progress(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *sweeper) finish(ctx context.Context, last urn.URN) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	return w.advance(ctx, last)
}

// decideByFacts decides by facts the verdicts that the index left undecided. No test selects a
// soft-deleted asset, or one that was deleted after the index was read.
func (w *sweeper) decideByFacts(ctx context.Context) error {
	var urns []urn.URN
	var open []int // positions in the page
	needed := make([]bool, len(w.tests))
	for i, d := range w.page {
		if !slices.Contains(d.verdicts, undecided) {
			continue
		}
		urns, open = append(urns, d.urn), append(open, i)
		for j, v := range d.verdicts {
			needed[j] = needed[j] || v == undecided
		}
	}
	if len(urns) == 0 {
		return nil
	}
	w.read += len(urns)
	var tests []compiledTest
	for j, t := range w.tests {
		if needed[j] {
			tests = append(tests, t)
		}
	}
	facts, err := w.Service.read(ctx, urns, tests, w.at)
	if err != nil {
		return err
	}
	for k, i := range open {
		for j, v := range w.page[i].verdicts {
			switch {
			case facts[k] == nil:
				w.page[i].verdicts[j] = language.NotSelected
			case v == undecided:
				w.page[i].verdicts[j] = w.tests[j].test.Decide(facts[k])
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
