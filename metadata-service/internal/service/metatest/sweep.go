package metatest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Sweep counts an evaluation of many assets.
type Sweep struct {
	Assets  int `json:"assets"` // that some test may be about
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

// sweepPage is how many assets are kept in one write.
const sweepPage = 100

// EvaluateAll decides tests, all when none are named, about all assets, keeps the
// results and carries out actions. It needs auth.ManageTests. Tests whose
// properties are all indexed are decided by the index, the others asset by asset.
// When it is interrupted, what is kept is right, and evaluating again goes on
// where results differ. Progress is told after each page, by one goroutine.
func (s *Service) EvaluateAll(ctx context.Context, tests []urn.URN, progress func(Sweep)) (Sweep, error) {
	w, err := s.sweeper(ctx, tests)
	if err != nil || w == nil {
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

// sweeper makes one that keeps results; nil when there is no test.
func (s *Service) sweeper(ctx context.Context, tests []urn.URN) (*sweeper, error) {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return nil, err
	}
	chosen, err := s.choose(ctx, tests)
	if err != nil || len(chosen) == 0 {
		return nil, err
	}
	s.warnOfConflicts(ctx, chosen)
	keep := func(ctx context.Context, page []decision) (int, error) {
		return s.keepAll(ctx, decided, page, len(tests) == 0)
	}
	return &sweeper{Service: s, tests: chosen, at: s.Edit.Now(), use: keep}, nil
}

// sweep decides about all assets of the types that tests are about, in the order
// of types and URNs, from where the place is.
func (w *sweeper) sweep(ctx context.Context) error {
	selection := w.selection()
	for _, name := range selection.Types {
		if name < w.place.Type {
			continue
		}
		selection.Types = []string{name}
		if err := w.visitType(ctx, selection); err != nil {
			return err
		}
	}
	return w.flush(ctx)
}

// total counts the assets of the types that tests are about, soft-deleted ones
// included.
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

// selectPage is how many assets the index is asked about at a time.
const selectPage = 10_000

// visitType visits the assets of a type in the order of their URNs: the order of
// the store, so that a sweep that ends early can go on. What the index does not
// know yet is decided by facts.
func (w *sweeper) visitType(ctx context.Context, selection search.Selection) error {
	scan := store.Scan{Type: selection.Types[0], Limit: selectPage}
	if scan.Type == w.place.Type {
		scan.After = w.place.After
	}
	for {
		page, err := w.Edit.Catalog.Scan(ctx, scan)
		if err != nil {
			return err
		}
		decided, err := w.ask(ctx, selection, page)
		if err != nil {
			return err
		}
		for _, u := range page {
			if err := w.visit(ctx, u, decided[u]); err != nil {
				return err
			}
		}
		if len(page) < selectPage {
			return nil
		}
		scan.After = page[len(page)-1]
	}
}

// ask gives what the index says of some assets.
func (w *sweeper) ask(ctx context.Context, selection search.Selection, assets []urn.URN) (map[urn.URN]search.ExpressionSet, error) {
	if w.Selector == nil || len(assets) == 0 {
		return nil, nil
	}
	out := make(map[urn.URN]search.ExpressionSet, len(assets))
	selection.Within = assets
	_, err := w.Selector.Select(ctx, selection, func(u urn.URN, holds search.ExpressionSet) error {
		out[u] = slices.Clone(holds)
		return nil
	})
	return out, err
}

// sweeper evaluates the assets that a selection visits, page by page.
type sweeper struct {
	*Service
	tests []compiled
	at    time.Time
	// use gets the decisions about each page of assets, and tells how many of these it changed.
	use func(ctx context.Context, page []decision) (changed int, err error)
	// progress is called after each page; an error ends the sweep.
	progress func(ctx context.Context) error
	maxRead  int // assets whose facts are read before errEnough ends the sweep; 0 for all

	on, rules []int // positions of the expressions of each test; -1 where the index cannot tell
	removed   int   // position of the expression that soft-deleted assets meet; -1 without an index
	page      []decision
	read      int // assets whose facts were read
	place     place
	done      Sweep
}

// resume goes on where an earlier sweep ended, as of its time.
func (w *sweeper) resume(from runCheckpoint) {
	w.at, w.place, w.done = time.UnixMilli(from.At), from.Place, from.Done
}

// place is how far a sweep has come: all assets of types before, and of this one
// up to an asset, are done.
type place struct {
	Type  string  `json:"type"`
	After urn.URN `json:"after"`
}

// types are those that tests are about, in order.
func (w *sweeper) types() []string {
	var names []string
	for _, t := range w.tests {
		names = union(names, t.test.Types)
	}
	slices.Sort(names)
	return names
}

// selection asks the index what it can decide, and for all assets of the types.
func (w *sweeper) selection() search.Selection {
	s := search.Selection{Types: w.types()}
	add := func(e search.Expression, ok bool) int {
		if !ok || w.Selector == nil || len(s.Expressions) == search.MaxExpressions {
			return -1
		}
		s.Expressions = append(s.Expressions, e)
		return len(s.Expressions) - 1
	}
	w.removed = add(search.Expression{Is: &search.Criterion{Field: removedField, Condition: search.Equal, Values: []string{"true"}}}, true)
	for _, t := range w.tests {
		w.on = append(w.on, add(t.test.Selection(w.at)))
		w.rules = append(w.rules, add(t.test.Rules(w.at)))
	}
	return s
}

// removedField is the search field of what is soft-deleted.
const removedField = "removed"

// errEnough ends a sweep that has read the facts of as many assets as it may.
var errEnough = errors.New("enough assets were read")

// visit takes an asset up. What the index decided is final; the index knows as much
// as the store of what it knows at all. Nil stands for an asset that it does not know.
func (w *sweeper) visit(ctx context.Context, u urn.URN, holds search.ExpressionSet) error {
	if w.maxRead > 0 && w.read >= w.maxRead {
		return errEnough
	}
	d := decision{urn: u, tests: w.tests, verdicts: make([]language.Verdict, len(w.tests)), at: w.at}
	for i, t := range w.tests {
		switch {
		case !slices.Contains(t.test.Types, u.Type()):
		case holds == nil:
			d.verdicts[i] = undecided
		case holds.Has(w.removed), w.on[i] >= 0 && !holds.Has(w.on[i]):
		case w.on[i] < 0 || w.rules[i] < 0:
			d.verdicts[i] = undecided
		case holds.Has(w.rules[i]):
			d.verdicts[i] = language.Passing
		default:
			d.verdicts[i] = language.Failing
		}
	}
	w.page = append(w.page, d)
	if len(w.page) < sweepPage {
		return nil
	}
	return w.flush(ctx)
}

// undecided stands for a verdict that takes facts.
const undecided language.Verdict = 255

// flush completes the decisions of a page by facts, and hands them on.
func (w *sweeper) flush(ctx context.Context) error {
	if len(w.page) == 0 {
		return nil
	}
	if err := w.complete(ctx); err != nil {
		return err
	}
	for _, d := range w.page {
		w.done.add(d)
	}
	changed, err := w.use(ctx, w.page)
	if err != nil {
		return err
	}
	w.done.Changed += changed
	last := w.page[len(w.page)-1].urn
	w.place, w.page = place{last.Type(), last}, w.page[:0]
	if w.progress != nil {
		if err := w.progress(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// complete decides by facts what the index left open. A soft-deleted asset, or one
// that was deleted since the index was asked, is none that tests are about.
func (w *sweeper) complete(ctx context.Context) error {
	var urns []urn.URN
	var open []int // places in the page
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
	var tests []compiled
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
	}
	return nil
}

// keepAll makes results the aspects of several assets, and carries out actions, in
// one write. It tells how many assets changed.
func (s *Service) keepAll(ctx context.Context, decided auth.Decisions, page []decision, all bool) (changed int, err error) {
	urns := make([]urn.URN, len(page))
	for i, d := range page {
		urns[i] = d.urn
	}
	stored, err := s.Reader.Aspects(ctx, urns, append(s.keysOf(urns), resultsAspect)...)
	if err != nil {
		return 0, err
	}
	var changes []edit.Change
	for i, d := range page {
		if len(stored[i]) == 0 {
			continue // deleted since: keeping results would make it anew
		}
		if d.isKept(find(stored[i], resultsAspect), all) {
			continue
		}
		var before jsontree.Object
		if rec := find(stored[i], resultsAspect); rec != nil {
			if before, err = jsontree.DecodeObject(rec.Value); err != nil {
				return changed, err
			}
		}
		ofAsset := s.changes(ctx, d, before, all)
		if len(ofAsset) == 0 {
			continue
		}
		changed++
		if changes = append(changes, ofAsset...); len(changes) < edit.MaxTargets/2 {
			continue
		}
		if _, err := s.Edit.Apply(ctx, decided, changes...); err != nil {
			return changed, err
		}
		changes = changes[:0]
	}
	if len(changes) == 0 {
		return changed, nil
	}
	_, err = s.Edit.Apply(ctx, decided, changes...)
	return changed, err
}
