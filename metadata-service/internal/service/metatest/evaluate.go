package metatest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/idle"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// MaxTests is the maximum number of tests that one evaluation names.
const MaxTests = 1_000

// Outcome holds the verdicts of tests about an asset.
type Outcome struct {
	URN              urn.URN
	Passing, Failing []Result // each ordered by test URN
	// Asked holds the records of the evaluated tests in the form of the aspect. Results is the
	// complete aspect: as stored, or as it would be stored with keep.
	Asked, Results jsontree.Object
}

// Result is the verdict of one test about an asset.
type Result struct {
	Test        urn.URN
	Fingerprint string    // of the definition
	At          time.Time // when this verdict was first reached
	// Findings are the values of the asset for the conditions of the rules. Only Explain fills
	// them.
	Findings []Finding
}

// Evaluate decides the named tests, or all tests, about one asset. The actor must be allowed to
// read the asset and needs auth.ManageTests or, without keep, auth.ViewTests.
//
// With keep it stores the results in the aspect of the asset and executes the actions, in one
// write. Results of other tests stay if tests are named. Without keep nothing changes. An asset or
// a named test that does not exist is fault.NotFound, more than MaxTests tests are fault.TooLarge.
// No test selects a soft-deleted asset.
func (s *Service) Evaluate(ctx context.Context, asset urn.URN, tests []urn.URN, keep bool) (Outcome, error) {
	return s.evaluate(ctx, asset, tests, keep, false)
}

// Explain evaluates like Evaluate, and adds the values of the asset for each condition, as far as
// the actor may read them. The number of conditions is limited to 50 for each test and 2,000 in
// all.
func (s *Service) Explain(ctx context.Context, asset urn.URN, tests []urn.URN, keep bool) (Outcome, error) {
	return s.evaluate(ctx, asset, tests, keep, true)
}

func (s *Service) evaluate(ctx context.Context, asset urn.URN, tests []urn.URN, keep, explained bool) (Outcome, error) {
	privileges := []auth.Privilege{auth.ManageTests}
	if !keep {
		privileges = append(privileges, auth.ViewTests)
	}
	decided, err := s.Edit.Require(ctx, privileges...)
	if err != nil {
		return Outcome{}, err
	}
	if err := s.Edit.Catalog.MayRead(ctx, asset, ""); err != nil {
		return Outcome{}, err
	}
	if len(tests) > MaxTests {
		return Outcome{}, fault.New(fault.TooLarge, "testUrns: %d tests, at most %d are allowed", len(tests), MaxTests)
	}
	if there, err := s.Edit.Exists(ctx, asset); err != nil {
		return Outcome{}, err
	} else if !there {
		return Outcome{}, notFound("the asset", asset)
	}
	chosen, all, err := s.choose(ctx, tests)
	if err != nil {
		return Outcome{}, err
	}
	page, at := []urn.URN{asset}, s.Edit.Now()
	done, facts, err := s.decidePage(ctx, page, chosen, at)
	if err != nil {
		return Outcome{}, err
	}
	if explained && facts[0] != nil {
		shown, err := s.readBy(ctx, visibleReader{s}, page, done[0].tests, at)
		if err != nil {
			return Outcome{}, err
		}
		done[0].explain(facts[0], shown[0])
	}
	if !keep {
		before, err := s.Edit.Stored(ctx, asset, resultsAspect)
		if err != nil {
			return Outcome{}, err
		}
		return s.outcome(ctx, done[0], before, all), nil
	}
	return s.storeResults(ctx, decided, done[0], all)
}

// choose returns the named tests, which must exist and be valid, or all valid tests when none are
// named. The result all reports that no other tests exist, so that stored results of other tests
// are obsolete.
func (s *Service) choose(ctx context.Context, tests []urn.URN) (chosen []compiledTest, all bool, err error) {
	if len(tests) == 0 {
		valid, invalid, err := s.all(ctx)
		return valid, len(invalid) == 0, err
	}
	sorted := slices.Clone(tests)
	slices.Sort(sorted)
	chosen, err = s.compile(ctx, slices.Compact(sorted), func(u urn.URN, err error) error {
		if fault.KindOf(err) == fault.Malformed {
			return fmt.Errorf("%s: %w", u, err)
		}
		return err
	})
	return chosen, false, err
}

// decision holds the verdicts of tests about an asset before they are stored.
type decision struct {
	urn      urn.URN
	tests    []compiledTest // the evaluated tests
	verdicts []language.Verdict
	findings [][]Finding // by test; set by explain
	at       time.Time
}

func (d *decision) explain(all, shown *language.Facts) {
	room := maxAll
	d.findings = make([][]Finding, len(d.tests))
	for i, t := range d.tests {
		if d.verdicts[i] != language.NotSelected {
			d.findings[i] = explain(t.test, all, shown, min(maxFindings, room), false)
			room -= len(d.findings[i])
		}
	}
}

// decide decides tests about assets. The decisions have the order of the assets.
func (s *Service) decide(ctx context.Context, assets []urn.URN, tests []compiledTest, at time.Time) ([]decision, error) {
	out := make([]decision, 0, len(assets))
	for page := range slices.Chunk(assets, factPage) {
		decided, _, err := s.decidePage(ctx, page, tests, at)
		if err != nil {
			return nil, err
		}
		out = append(out, decided...)
	}
	return out, nil
}

// decidePage decides tests about one page of assets, and returns the facts that it read for them.
func (s *Service) decidePage(ctx context.Context, page []urn.URN, tests []compiledTest, at time.Time) ([]decision, []*language.Facts, error) {
	concerned := coveringTests(tests, page)
	facts, err := s.read(ctx, page, concerned, at)
	if err != nil {
		return nil, nil, err
	}
	out := make([]decision, len(page))
	for i, f := range facts {
		out[i] = decision{urn: page[i], tests: concerned, verdicts: make([]language.Verdict, len(concerned)), at: at}
		for j, t := range concerned {
			if f != nil {
				out[i].verdicts[j] = t.test.Decide(f)
			}
		}
		idle.Yield(ctx)
		runtime.Gosched() // evaluations of all assets hold no turn, and requests would wait for the scheduler to interrupt them
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	return out, facts, nil
}

// coveringTests returns the tests that cover the entity type of at least one asset. Facts for the
// others need not be read.
func coveringTests(tests []compiledTest, assets []urn.URN) []compiledTest {
	types := map[string]bool{}
	for _, u := range assets {
		types[u.Type()] = true
	}
	var out []compiledTest
	for _, t := range tests {
		if slices.ContainsFunc(t.test.Types, func(name string) bool { return types[name] }) {
			out = append(out, t)
		}
	}
	return out
}

// outcome combines decisions with the earlier results of the asset. With all, it drops results of
// undecided tests: these tests are deleted or no longer cover the asset.
func (s *Service) outcome(ctx context.Context, d decision, before jsontree.Object, all bool) Outcome {
	earlier := map[urn.URN]previousResult{}
	for verdict, member := range map[language.Verdict]string{language.Passing: "passing", language.Failing: "failing"} {
		for _, r := range jsontree.Children(before, member) {
			earlier[urn.URN(jsontree.Text(r, "test"))] = previousResult{verdict, r}
		}
	}
	entries := map[language.Verdict][]any{}
	o := Outcome{URN: d.urn}
	decided := make(map[urn.URN]bool, len(d.tests))
	for i, t := range d.tests {
		decided[t.urn] = true
		verdict := d.verdicts[i]
		if verdict == language.NotSelected {
			continue
		}
		entry := s.entry(ctx, t, d.at)
		if was := earlier[t.urn]; was.verdict == verdict && jsontree.Text(was.entry, "testDefinitionMd5") == t.test.Fingerprint {
			entry = was.entry // keep the time at which the verdict was first reached
		}
		entry["type"] = "FAILURE"
		result := Result{Test: t.urn, Fingerprint: t.test.Fingerprint, At: time.UnixMilli(jsontree.Int(jsontree.Child(entry, "lastComputed"), "time"))}
		if d.findings != nil {
			result.Findings = d.findings[i]
		}
		if verdict == language.Passing {
			entry["type"] = "SUCCESS"
			o.Passing = append(o.Passing, result)
		} else {
			o.Failing = append(o.Failing, result)
		}
		entries[verdict] = append(entries[verdict], entry)
	}
	o.Asked = jsontree.Object{"passing": sortEntries(slices.Clone(entries[language.Passing])), "failing": sortEntries(slices.Clone(entries[language.Failing]))}
	if !all {
		for u, was := range earlier {
			if !decided[u] {
				entries[was.verdict] = append(entries[was.verdict], was.entry)
			}
		}
	}
	o.Results = jsontree.Object{"passing": sortEntries(entries[language.Passing]), "failing": sortEntries(entries[language.Failing])}
	return o
}

// verdictIn returns the verdict of a test in stored results.
func verdictIn(results jsontree.Object, test urn.URN) language.Verdict {
	for verdict, member := range map[language.Verdict]string{language.Passing: "passing", language.Failing: "failing"} {
		for _, r := range jsontree.Children(results, member) {
			if jsontree.Text(r, "test") == string(test) {
				return verdict
			}
		}
	}
	return language.NotSelected
}

type previousResult struct {
	verdict language.Verdict
	entry   jsontree.Object
}

func sortEntries(entries []any) []any {
	if entries == nil {
		return []any{}
	}
	slices.SortFunc(entries, func(a, b any) int {
		x, y := jsontree.Text(jsontree.AsObject(a), "test"), jsontree.Text(jsontree.AsObject(b), "test")
		if x < y {
			return -1
		}
		return 1
	})
	return entries
}

func (s *Service) entry(ctx context.Context, t compiledTest, at time.Time) jsontree.Object {
	return jsontree.Object{
		"test": string(t.urn), "testDefinitionMd5": t.test.Fingerprint,
		"lastComputed": jsontree.Object{"time": jsontree.Number(at.UnixMilli()), "actor": string(actorOf(ctx))},
	}
}

// storeResults stores the results of an asset and executes the actions of the verdicts, in one
// write.
func (s *Service) storeResults(ctx context.Context, decided auth.Decisions, d decision, all bool) (Outcome, error) {
	before, err := s.Edit.Stored(ctx, d.urn, resultsAspect)
	if err != nil {
		return Outcome{}, err
	}
	o := s.outcome(ctx, d, jsontree.Clone(before).(jsontree.Object), all)
	if changes := s.changes(ctx, d, before, all); len(changes) > 0 {
		_, err = s.Edit.Apply(ctx, decided, changes...)
	}
	return o, err
}

// changes returns the changes that store decisions about an asset, given its earlier results. It
// returns none when the verdicts are equal and no action is due.
func (s *Service) changes(ctx context.Context, d decision, before jsontree.Object, all bool) []edit.Change {
	var changes []edit.Change
	if o := s.outcome(ctx, d, jsontree.Clone(before).(jsontree.Object), all); !o.equals(before) {
		changes = append(changes, s.resultsChange(ctx, d, all, func(stored jsontree.Object) { before = stored }))
	}
	return append(changes, s.actions(ctx, d, func(test urn.URN) language.Verdict { return verdictIn(before, test) })...)
}

// resultsChange computes results from the value that is stored when the change is applied, since
// another evaluation may have replaced it. It first passes that value to observe.
func (s *Service) resultsChange(ctx context.Context, d decision, all bool, observe func(stored jsontree.Object)) edit.Change {
	return edit.Change{URN: d.urn, Aspect: resultsAspect, Existing: true, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		observe(value)
		o := s.outcome(ctx, d, jsontree.Clone(value).(jsontree.Object), all)
		if o.equals(value) {
			return nil, nil
		}
		return o.Results, nil
	}}
}

// equals reports whether an aspect, nil for none, has the same results.
func (o *Outcome) equals(value jsontree.Object) bool {
	if value == nil {
		return len(jsontree.Array(o.Results, "passing"))+len(jsontree.Array(o.Results, "failing")) == 0
	}
	return jsontree.Equal(value, o.Results)
}
