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

// Limits of what is told about why assets pass or fail.
const (
	// MaxExplained is how many failing assets of a preview reasons are counted of.
	MaxExplained = maxCandidates

	maxReasons  = 50    // of a preview
	maxDecisive = 10    // of an asset of a preview
	maxFindings = 50    // of a test about an asset
	maxAll      = 2_000 // of all tests about an asset
)

// Reason is a condition that failing assets do not meet, and how many it is that
// fail by it. An asset may fail by several.
type Reason struct {
	language.Condition
	Count int
}

// Finding is what an asset has of a condition, as far as the actor may read it.
type Finding struct {
	language.Finding
	// Hidden tells that the values are not given, as the actor may not read all that they come
	// from. Whether the condition is met is told.
	Hidden bool
}

// reasons counts the conditions by which assets fail, the most frequent first. It
// tells of how many assets: those that fail still.
func (s *Service) reasons(ctx context.Context, test compiled, failing []urn.URN, at time.Time) (out []Reason, explained int, err error) {
	counts := map[string]*Reason{}
	for page := range slices.Chunk(failing, factPage) {
		facts, err := s.read(ctx, page, []compiled{test}, at)
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

// failures tell by which conditions assets fail, in the order of these.
func (s *Service) failures(ctx context.Context, test compiled, assets []urn.URN, at time.Time) ([][]Finding, error) {
	tests := []compiled{test}
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

// explain decides by all facts, and tells values that come of what is shown alone.
// Where these are others, something of them may not be read.
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

// visibleReader reads aspects as the actor is shown them: without entities that the
// actor may not view and what values name of them, and with encrypted members masked.
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
