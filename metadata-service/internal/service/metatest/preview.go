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
	// MaxPreviewRead is how many assets a preview decides by their facts, when the index cannot
	// decide the definition alone.
	MaxPreviewRead = 20_000

	// maxCandidates is how many assets of a verdict are kept to find examples among that the
	// actor may view.
	maxCandidates = 2_000
)

// Preview is what a definition would say of the assets there are.
type Preview struct {
	// Selected counts the assets that the test would be about, Passing and Failing those of them
	// by their verdict, whoever may view them.
	Selected, Passing, Failing int
	// PassingExamples and FailingExamples are some of them that the actor may view, by URN.
	PassingExamples, FailingExamples []urn.URN
	// Failures tell by which conditions the assets of FailingExamples fail, in their order.
	Failures [][]Finding
	// Reasons count the conditions by which Explained of the failing assets fail, whoever may view
	// them: the first MaxExplained that were looked at.
	Reasons   []Reason
	Explained int
	// Complete is false when the counts are those of the first MaxPreviewRead assets alone.
	Complete bool
}

// Preview tells what a definition would say of all assets, with up to so many
// examples of each verdict, DefaultExamples for 0, and why assets fail if that is
// to be explained. Nothing is written and no action is carried out. It needs auth.ManageTests. A definition with problems is
// a *metatest.Error; a draft selects nothing.
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
	return s.preview(ctx, compiled{test: test}, examples, explain)
}

func (s *Service) preview(ctx context.Context, test compiled, examples int, explain bool) (Preview, error) {
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
		Service: s, tests: []compiled{test}, at: s.Edit.Now(), use: collect, maxRead: MaxPreviewRead,
		tallies: make([]tally, 1), assets: map[string]int{},
	}
	err := w.sweep(ctx)
	if err != nil && !errors.Is(err, errEnough) {
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

// viewable gives the first assets that the actor may view. As many are asked
// about at a time as are wanted, since most people may view most assets.
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
