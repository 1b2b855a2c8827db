package indexing

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Report is the result of a comparison with the store.
type Report struct {
	Entities  int // in the store
	Documents int // in the index
	Edges     int // in the graph, of existing aspects
	// Position is the position of the index, Last the end of the log.
	Position, Last uint64

	Missing int // missing search documents and edges
	Stale   int // search documents and edges that differ from the store
	Extra   int // search documents and edges that should not exist
	// Examples describe the first differences, at most 100.
	Examples []string
}

// Equal reports whether index and graph match the store.
func (r *Report) Equal() bool {
	return r.Missing+r.Stale+r.Extra == 0 && r.Position == r.Last
}

// Text returns the report as text for operators: a line for each example, and the counts.
func (r *Report) Text() string {
	var b strings.Builder
	for _, line := range r.Examples {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	verdict := "equal"
	if !r.Equal() {
		verdict = fmt.Sprintf("different: missing %d, stale %d, extra %d", r.Missing, r.Stale, r.Extra)
	}
	fmt.Fprintf(&b, "%s; entities %d, documents %d, edges %d, index at %d, log at %d\n", verdict, r.Entities, r.Documents, r.Edges, r.Position, r.Last)
	return b.String()
}

const maxExamples = 100

func (r *Report) differs(count *int, format string, args ...any) {
	if *count++; len(r.Examples) < maxExamples {
		r.Examples = append(r.Examples, fmt.Sprintf(format, args...))
	}
}

// Verify compares index and graph with the present state of the store. There must be no concurrent
// writes, because they would be reported as differences. A search driver that cannot list its
// content is fault.Unsupported.
func (x *Indexer) Verify(ctx context.Context) (Report, error) {
	auditor, ok := x.Index.(search.Auditor)
	if !ok {
		return Report{}, fault.New(fault.Unsupported, "this search driver cannot list its content; use restoreIndices, which rebuilds the index")
	}
	v := &verifier{Indexer: x, facts: document.NewBuilder(x.Registry, x.Store)}
	var err error
	if v.report.Position, err = x.Index.Applied(ctx); err != nil {
		return v.report, err
	}
	v.report.Last, _ = x.Store.Last()
	if v.report.Position != v.report.Last {
		v.report.Examples = append(v.report.Examples, fmt.Sprintf("index: position is %d, the log ends at %d", v.report.Position, v.report.Last))
	}
	var stop func()
	var listing error // error that ended the list of fingerprints early
	v.next, stop = iter.Pull2(func(yield func(urn.URN, uint64) bool) { listing = auditor.Fingerprints(ctx, yield) })
	defer stop()
	v.step()
	for after := urn.URN(""); ; {
		page, err := x.Store.Scan(ctx, store.Scan{After: after, Limit: chunk})
		if err != nil {
			return v.report, err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1]
		if err := v.page(ctx, page); err != nil {
			return v.report, err
		}
	}
	for v.more {
		v.extra()
	}
	if listing != nil {
		return v.report, fmt.Errorf("list the content of the search index: %w", listing)
	}
	return v.report, v.extraEdges(ctx)
}

// verifier reads store and index side by side.
type verifier struct {
	*Indexer
	facts  *document.Builder
	report Report

	next            func() (urn.URN, uint64, bool)
	nextURN         urn.URN // next search document of the index
	nextFingerprint uint64
	more            bool
}

func (v *verifier) step() {
	if v.nextURN, v.nextFingerprint, v.more = v.next(); v.more {
		v.report.Documents++
	}
}

func (v *verifier) extra() {
	v.report.differs(&v.report.Extra, "index: %s is there and should not be", v.nextURN)
	v.step()
}

func (v *verifier) page(ctx context.Context, page []urn.URN) error {
	sources, docs, err := v.documents(ctx, v.facts, page)
	if err != nil {
		return err
	}
	for i, u := range page {
		v.report.Entities++
		v.document(u, docs[i])
		if err := v.edges(ctx, &sources[i]); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) document(u urn.URN, want *search.Document) {
	for v.more && (v.nextURN < u || v.nextURN == u && want == nil) {
		v.extra()
	}
	if want == nil {
		return
	}
	if !v.more || v.nextURN != u {
		v.report.differs(&v.report.Missing, "index: %s is missing", u)
		return
	}
	if v.nextFingerprint != search.Fingerprint(want) {
		v.report.differs(&v.report.Stale, "index: %s is not as the store says", u)
	}
	v.step()
}
