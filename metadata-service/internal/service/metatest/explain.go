package metatest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of explanations why assets pass or fail.
const (
	// MaxExplained is the maximum number of failing assets of a preview that Reasons covers.
	MaxExplained = maxCandidates

	maxReasons  = 50    // in a preview
	maxDecisive = 10    // for an asset of a preview
	maxFindings = 50    // for one test about an asset
	maxAll      = 2_000 // for all tests about an asset
)

// Reason is a condition with the number of assets that fail because of it. An asset may fail by
// several conditions.
type Reason struct {
	language.Condition
	Count int
}

// Finding is the value of an asset for a condition, as far as the actor may read it.
type Finding struct {
	language.Finding
	// Hidden reports that the values are omitted because the actor may not read all of their
	// sources. Whether the condition is met is given nevertheless.
	Hidden bool
}

// reasons counts the conditions by which assets fail, most frequent first, at most maxReasons of
// them. explained is the number of assets that still fail.
func (s *Service) reasons(ctx context.Context, test compiledTest, failing []urn.URN, at time.Time) (out []Reason, explained int, err error) {
	counts := map[string]*Reason{}
	for page := range slices.Chunk(failing, factPage) {
		facts, err := s.read(ctx, page, []compiledTest{test}, at)
		if err != nil {
			return nil, 0, err
		}
		for _, f := range facts {
			if f == nil || test.test.Decide(f) != language.Failing {
				continue
			}
			explained++
			for _, found := range test.test.Explain(f, language.MaxChecks, true) {
				if counts[found.Path] == nil {
					counts[found.Path] = &Reason{Condition: found.Condition}
				}
				counts[found.Path].Count++
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
	for _, r := range counts {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Reason) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), maxReasons)], explained, nil
}

// failures returns the decisive findings of assets that fail, in the order of the assets.
func (s *Service) failures(ctx context.Context, test compiledTest, assets []urn.URN, at time.Time) ([][]Finding, error) {
	tests := []compiledTest{test}
	facts, err := s.read(ctx, assets, tests, at)
	if err != nil {
		return nil, err
	}
	shown, err := s.readBy(ctx, visibleReader{s}, assets, tests, at)
	if err != nil {
		return nil, err
	}
	out := make([][]Finding, len(assets))
	for i, f := range facts {
		if f != nil {
			out[i] = explain(test.test, f, shown[i], maxDecisive, true)
		}
	}
	return out, ctx.Err()
}

// explain decides by all facts, but returns values only from shown, the facts that the actor may
// read. If the two differ for a condition, it hides the values.
func explain(test *language.Test, all, shown *language.Facts, most int, decisive bool) []Finding {
	found := test.Explain(all, most, decisive)
	out := make([]Finding, len(found))
	visible := map[string]language.Finding{}
	if shown != nil {
		for _, f := range test.Explain(shown, language.MaxChecks, false) {
			visible[f.Path] = f
		}
	}
	for i, f := range found {
		out[i].Finding = f
		v, ok := visible[f.Path]
		if !ok || v.Total != f.Total || v.Of != f.Of || v.Meeting != f.Meeting || !slices.Equal(v.Found, f.Found) {
			out[i].Hidden = true
			out[i].Found, out[i].Total, out[i].Of, out[i].Meeting = nil, 0, 0, 0
		}
	}
	return out
}

// visibleReader reads aspects in the form disclosed to the actor: without references to entities
// that the actor may not view, and with encrypted members masked.
type visibleReader struct{ *Service }

var _ document.Reader = visibleReader{}

func (r visibleReader) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	byType := map[string][]urn.URN{}
	for _, u := range urns {
		byType[u.Type()] = append(byType[u.Type()], u)
	}
	found := make(map[urn.URN][]model.Record, len(urns))
	for _, of := range byType {
		entities, err := r.Edit.Catalog.Entities(ctx, of, catalog.EntityQuery{Aspects: names, Visible: true, Disclosure: catalog.Omitted})
		if err != nil {
			return nil, err
		}
		for _, e := range entities {
			for _, a := range e.Aspects {
				found[e.URN] = append(found[e.URN], a.Record)
			}
		}
	}
	out := make([][]model.Record, len(urns))
	for i, u := range urns {
		out[i] = found[u]
	}
	return out, nil
}
