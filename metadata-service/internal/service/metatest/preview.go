package metatest

import (
	"context"
	"errors"
	"slices"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a preview.
const (
	DefaultExamples = 10
	MaxExamples     = 100
	// MaxPreviewRead is the maximum number of assets whose facts a preview reads, when the index
	// cannot decide the definition alone.
	MaxPreviewRead = 20_000

	// maxCandidates is the maximum number of assets of each verdict among which a preview looks for
	// examples that the actor may view.
	maxCandidates = 2_000
)

// Preview is the result of a definition for the existing assets.
type Preview struct {
	// Selected counts the assets that the test selects, Passing and Failing those of each verdict.
	// The counts include assets that the actor may not view.
	Selected, Passing, Failing int
	// PassingExamples and FailingExamples are assets that the actor may view, ordered by URN.
	PassingExamples, FailingExamples []urn.URN
	// Failures holds the decisive findings of each asset of FailingExamples, in their order.
	Failures [][]Finding
	// Reasons counts the conditions by which the first Explained failing assets fail, at most
	// MaxExplained. They include assets that the actor may not view.
	Reasons   []Reason
	Explained int
	// Complete is false when the counts cover only the first MaxPreviewRead assets.
	Complete bool
}

// Preview evaluates a definition for all assets without storing results or executing actions. It
// returns up to examples assets of each verdict, DefaultExamples for 0, and with explain the
// reasons of failures. It requires auth.ManageTests. An invalid definition is a *metatest.Error,
// more than MaxExamples are fault.Malformed. A draft selects nothing.
func (s *Service) Preview(ctx context.Context, definition string, examples int, explain bool) (Preview, error) {
	if err := s.MayManage(ctx); err != nil {
		return Preview{}, err
	}
	if examples == 0 {
		examples = DefaultExamples
	}
	if examples < 0 || examples > MaxExamples {
		return Preview{}, fault.New(fault.Malformed, "limit: must be 1 to %d examples of each verdict, is %d", MaxExamples, examples)
	}
	if language.IsDraft(definition) {
		return Preview{Complete: true}, nil
	}
	test, err := language.Parse(ctx, s.Edit.Registry, s.programs, []byte(definition))
	if err != nil {
		return Preview{}, err
	}
	if err := s.checkActions(ctx, test); err != nil {
		return Preview{}, err
	}
	return s.preview(ctx, compiledTest{test: test}, examples, explain)
}

func (s *Service) preview(ctx context.Context, test compiledTest, examples int, explain bool) (Preview, error) {
	candidates := map[language.Verdict][]urn.URN{}
	collect := func(_ context.Context, page []decision) (int, error) {
		for _, d := range page {
			if v := d.verdicts[0]; len(candidates[v]) < maxCandidates {
				candidates[v] = append(candidates[v], d.urn)
			}
		}
		return 0, nil
	}
	w := &sweeper{
		Service: s, tests: []compiledTest{test}, at: s.Edit.Now(), handle: collect, maxRead: MaxPreviewRead,
		tallies: make([]tally, 1), assets: map[string]int{},
	}
	err := w.sweep(ctx)
	if err != nil && !errors.Is(err, errReadLimit) {
		return Preview{}, err
	}
	out := Preview{Selected: w.done.Passing + w.done.Failing, Passing: w.done.Passing, Failing: w.done.Failing, Complete: err == nil}
	if out.PassingExamples, err = s.viewable(ctx, candidates[language.Passing], examples); err != nil {
		return Preview{}, err
	}
	if out.FailingExamples, err = s.viewable(ctx, candidates[language.Failing], examples); err != nil || !explain {
		return out, err
	}
	if out.Reasons, out.Explained, err = s.reasons(ctx, test, candidates[language.Failing], w.at); err != nil {
		return Preview{}, err
	}
	out.Failures, err = s.failures(ctx, test, out.FailingExamples, w.at)
	return out, err
}

// viewable returns the first assets, ordered by URN, that the actor may view. It checks MaxExamples
// assets at a time, since most users may view most assets.
func (s *Service) viewable(ctx context.Context, urns []urn.URN, limit int) ([]urn.URN, error) {
	slices.Sort(urns)
	var out []urn.URN
	for page := range slices.Chunk(urns, MaxExamples) {
		may, err := s.Edit.Catalog.MayReadEach(ctx, page, "")
		if err != nil {
			return nil, err
		}
		for i, u := range page {
			if may[i] {
				out = append(out, u)
			}
		}
		if len(out) >= limit {
			return out[:limit], nil
		}
	}
	return out, nil
}
