package metatest

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// storeAll stores the results of several assets and executes actions. It returns the number of
// changed assets, and calls verdictChanged with the position of each test whose verdict differs
// from the stored one. It writes results without actions in one write, at the end. Results with
// actions share one write for each asset.
func (s *Service) storeAll(ctx context.Context, decided auth.Decisions, page []decision, all bool, verdictChanged func(test int)) (changed int, err error) {
	urns := make([]urn.URN, len(page))
	for i, d := range page {
		urns[i] = d.urn
	}
	stored, err := s.Reader.Aspects(ctx, urns, append(s.keysOf(urns), resultsAspect)...)
	if err != nil {
		return 0, err
	}
	var plain []resultWrite
	var acting []edit.Change
	for i := range page {
		d := &page[i]
		if len(stored[i]) == 0 {
			continue // deleted meanwhile: storing results would create it again
		}
		rec := findAspect(stored[i], resultsAspect)
		if d.isStored(rec, all) {
			continue
		}
		var before jsontree.Object
		if rec != nil {
			if before, err = jsontree.DecodeObject(rec.Value); err != nil {
				return changed, err
			}
		}
		d.compare(before, verdictChanged)
		if !d.acts() {
			if text := s.resultsText(ctx, d, before, all); text != nil && (rec == nil || !bytes.Equal(text, rec.Value)) {
				changed++
				plain = append(plain, resultWrite{d, text, rec})
			}
			continue
		}
		ofAsset := s.changes(ctx, *d, before, all)
		if len(ofAsset) == 0 {
			continue
		}
		changed++
		if acting = append(acting, ofAsset...); len(acting) < edit.MaxTargets/2 {
			continue
		}
		if _, err := s.Edit.Apply(ctx, decided, acting...); err != nil {
			return changed, err
		}
		acting = acting[:0]
	}
	if err := s.write(ctx, decided, plain, all); err != nil || len(acting) == 0 {
		return changed, err
	}
	_, err = s.Edit.Apply(ctx, decided, acting...)
	return changed, err
}

// resultWrite is an aspect to write on condition that the stored value is unchanged since it was
// read.
type resultWrite struct {
	*decision
	text   []byte
	before *model.Record // nil when there was none
}

// write stores encoded results. If another evaluation changed one of the assets meanwhile, it
// computes them again from the stored values.
func (s *Service) write(ctx context.Context, decided auth.Decisions, results []resultWrite, all bool) error {
	proposals := make([]catalog.Proposal, len(results))
	for i, r := range results {
		proposals[i] = catalog.Proposal{URN: string(r.urn), Aspect: resultsAspect, Existing: true, Value: r.text, Conditions: catalog.AtVersion(catalog.VersionOf(r.before))}
	}
	err := s.Edit.Write(ctx, decided, proposals...)
	if fault.KindOf(err) != fault.Precondition {
		return err
	}
	changes := make([]edit.Change, len(results))
	for i, r := range results {
		changes[i] = s.resultsChange(ctx, *r.decision, all, func(jsontree.Object) {})
	}
	_, err = s.Edit.Apply(ctx, decided, changes...)
	return err
}

// acts reports whether verdicts may have effects other than stored results.
func (d *decision) acts() bool {
	for i, t := range d.tests {
		if t.test.Undo || d.verdicts[i] != language.NotSelected && len(t.actions(d.verdicts[i])) > 0 {
			return true
		}
	}
	return false
}

// resultsText returns the encoded results of an asset, given its earlier results. It returns nil
// when there are neither earlier results nor verdicts. First results of an asset, the bulk of a
// first evaluation, are encoded without a tree.
func (s *Service) resultsText(ctx context.Context, d *decision, before jsontree.Object, all bool) []byte {
	if before != nil {
		return jsontree.Encode(s.outcome(ctx, *d, before, all).Results)
	}
	stamp := jsontree.AppendString([]byte(`{"lastComputed":{"actor":`), string(actorOf(ctx)))
	stamp = strconv.AppendInt(append(stamp, `,"time":`...), d.at.UnixMilli(), 10)
	stamp = append(stamp, `},`...)
	text := make([]byte, 0, len(d.tests)*(len(stamp)+160))
	selected := 0
	for _, part := range []struct {
		verdict language.Verdict
		head    string
	}{{language.Failing, `{"failing":[`}, {language.Passing, `],"passing":[`}} {
		text = append(text, part.head...)
		first := true
		for i, t := range d.tests {
			if d.verdicts[i] != part.verdict {
				continue
			}
			if !first {
				text = append(text, ',')
			}
			first = false
			selected++
			text = append(append(append(text, stamp...), t.entries[part.verdict]...), '}')
		}
	}
	if selected == 0 {
		return nil
	}
	return slices.Clip(append(text, `]}`...))
}
