package indexing

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Apply implements projection.Sink.
func (x *Indexer) Apply(ctx context.Context, entries []store.Entry) error {
	var urns []urn.URN
	err := x.exclusively(ctx, func() (err error) {
		urns, err = x.affected(ctx, entries, math.MaxInt)
		return err
	})
	if err != nil {
		return err
	}
	return x.refresh(ctx, entries[len(entries)-1].Sequence, urns)
}

// maxAhead is the maximum number of search documents that depend on the entries of a writer who
// applies them ahead.
const maxAhead = 200

// aheadRequest are the entries of a writer who applies them ahead. The holder of the lock sets done.
type aheadRequest struct {
	sequence uint64
	entries  []store.Entry
	done     bool
}

// ApplyAhead implements projection.AheadSink. Entries on which many search documents depend are
// fault.Unsupported. The first of several waiting writers applies the entries of all of them.
func (x *Indexer) ApplyAhead(ctx context.Context, sequence uint64, entries []store.Entry) error {
	own := &aheadRequest{sequence: sequence, entries: entries}
	x.mu.Lock()
	x.ahead = append(x.ahead, own)
	x.mu.Unlock()
	defer x.forget(own)
	return x.exclusively(ctx, func() error {
		if own.done {
			return nil
		}
		applied, err := x.Index.Applied(ctx)
		if err != nil {
			return err
		}
		if applied >= sequence {
			return nil
		}
		x.mu.Lock()
		all := slices.Clone(x.ahead)
		x.mu.Unlock()
		return x.applyAhead(ctx, applied, own, all)
	})
}

// forget removes a request that is no longer waited for.
func (x *Indexer) forget(r *aheadRequest) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ahead = slices.DeleteFunc(x.ahead, func(other *aheadRequest) bool { return other == r })
}

// applyAhead refreshes the search documents of the writer's own request and of others that wait, and
// marks these as done. After an error the others remain open. The caller holds the lock.
func (x *Indexer) applyAhead(ctx context.Context, applied uint64, own *aheadRequest, all []*aheadRequest) error {
	urns := newURNSet(0)
	var fitting []*aheadRequest
	for _, r := range all {
		if r.done || r.sequence <= applied {
			continue
		}
		found, err := x.affected(ctx, r.entries, maxAhead)
		if err != nil && r == own {
			return err
		}
		if err != nil {
			continue
		}
		for _, u := range found {
			urns.add(u)
		}
		fitting = append(fitting, r)
	}
	for rest := urns.urns; len(rest) > 0; {
		n, err := x.refreshPiece(ctx, applied, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	for _, r := range fitting {
		r.done = true
	}
	return nil
}

// exclusively runs do while nothing else reads the store for the index and applies the result.
func (x *Indexer) exclusively(ctx context.Context, do func() error) error {
	select {
	case x.applying <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-x.applying }()
	return do()
}

// affected returns the entities whose search documents depend on entries. More than most are
// fault.Unsupported. The caller holds the lock.
func (x *Indexer) affected(ctx context.Context, entries []store.Entry, most int) ([]urn.URN, error) {
	changed, depend := x.changed(entries)
	for _, d := range depend {
		if err := x.dependents(ctx, d, most-len(changed.urns), changed.add); err != nil {
			return nil, err
		}
	}
	if len(changed.urns) > most {
		return nil, errMany
	}
	return changed.urns, nil
}

var errMany = fault.New(fault.Unsupported, "more than %d search documents depend on the entries", maxAhead)

const (
	chunk = 2000 // search documents built at a time
	// pieceBytes is the size of the stored values from which less than a chunk is built at a time.
	// Between two pieces, a writer can apply its own entries ahead.
	pieceBytes = 1 << 20
)

// urnSet is a list of distinct URNs, in the order of their addition.
type urnSet struct {
	urns []urn.URN
	seen map[urn.URN]bool
}

func newURNSet(size int) *urnSet { return &urnSet{seen: make(map[urn.URN]bool, size)} }

func (s *urnSet) add(u urn.URN) {
	if !s.seen[u] {
		s.seen[u] = true
		s.urns = append(s.urns, u)
	}
}

// changed lists the entities that entries name, and the dependencies on them.
func (x *Indexer) changed(entries []store.Entry) (*urnSet, []dependency) {
	urns := newURNSet(len(entries))
	var depend []dependency
	asked := map[dependency]bool{}
	for i := range entries {
		e := &entries[i]
		if e.Kind == store.Document || e.Kind == store.DocumentsErased || e.Kind == store.Message {
			continue
		}
		urns.add(e.URN)
		if e.Kind == store.Touched {
			continue
		}
		x.builder.Invalidate(e.URN)
		for _, field := range x.builder.Dependents(e.URN, e.Aspect) {
			if d := (dependency{field, e.URN}); !asked[d] {
				asked[d] = true
				depend = append(depend, d)
			}
		}
	}
	x.remember(depend)
	return urns, depend
}

// remember records the dependencies that a running rebuild must process again: it may have read the
// data of a search document before a change, and stored the document after the change was applied.
func (x *Indexer) remember(depend []dependency) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changedMeanwhile == nil {
		return
	}
	for _, d := range depend {
		x.changedMeanwhile[d] = true
	}
}

// dependents visits the entities whose search documents contain a URN in a field. More than most are
// errMany.
func (x *Indexer) dependents(ctx context.Context, d dependency, most int, visit func(urn.URN)) error {
	seen := 0
	q := search.Query{
		Types: x.types, Filter: search.Filter{{{Field: d.field, Values: []string{string(d.urn)}}}},
		Sort: []search.Sort{{Field: "urn"}}, Size: chunk,
	}
	for {
		page, err := x.Index.Search(ctx, q)
		if err != nil {
			return err
		}
		for _, h := range page.Hits {
			visit(h.URN)
		}
		if seen += len(page.Hits); seen > most {
			return errMany
		}
		if !page.More {
			return nil
		}
		q.After = &page.Hits[len(page.Hits)-1].Cursor
	}
}

// refresh builds the search documents of some entities and applies them in pieces. With the last
// piece, the index has the given sequence.
func (x *Indexer) refresh(ctx context.Context, sequence uint64, urns []urn.URN) error {
	for {
		n := 0
		err := x.exclusively(ctx, func() (err error) {
			n, err = x.refreshPiece(ctx, sequence, urns)
			return err
		})
		if err != nil {
			return err
		}
		if urns = urns[n:]; len(urns) == 0 {
			return nil
		}
	}
}

// refreshPiece refreshes the first entities, at least one, and returns their number. The caller holds
// the lock.
func (x *Indexer) refreshPiece(ctx context.Context, sequence uint64, urns []urn.URN) (int, error) {
	if x.piece == 0 {
		x.piece = chunk
	}
	sources := make([]document.Source, min(len(urns), x.piece))
	err := inParts(len(sources), func(from, to int) error {
		part, err := x.sources(ctx, urns[from:to])
		copy(sources[from:to], part)
		return err
	})
	if err != nil {
		return 0, err
	}
	n := fitting(sources)
	if n < len(sources) {
		x.piece = n
	} else if n == x.piece {
		x.piece = min(2*n, chunk)
	}
	changes := make([]search.Change, n)
	err = inParts(n, func(from, to int) error {
		docs, err := x.builder.Build(ctx, sources[from:to])
		for i := range docs {
			changes[from+i] = search.Change{URN: urns[from+i], Document: docs[i]}
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	if n < len(urns) {
		if sequence, err = x.Index.Applied(ctx); err != nil {
			return 0, err
		}
	}
	return n, x.Index.Apply(ctx, sequence, changes)
}

// fitting returns the number of sources, from the first on, that have at most pieceBytes; at least
// one.
func fitting(sources []document.Source) int {
	bytes := 0
	for i := range sources {
		for j := range sources[i].Records {
			bytes += len(sources[i].Records[j].Value)
		}
		if bytes > pieceBytes && i > 0 {
			return i
		}
	}
	return len(sources)
}

// inParts runs do for parts of a range of n, on all processors if it is large.
func inParts(n int, do func(from, to int) error) error {
	parts := min(runtime.GOMAXPROCS(0), n/minPart)
	if parts < 2 {
		return do(0, n)
	}
	var work sync.WaitGroup
	errs := make([]error, parts)
	for i := range parts {
		from, to := i*n/parts, (i+1)*n/parts
		work.Go(func() { errs[i] = background.Protect(func() error { return do(from, to) }) })
	}
	work.Wait()
	return cmp.Or(errs...)
}

// minPart is the number of search documents from which a goroutine of its own is worthwhile.
const minPart = 32

// documents builds the search documents of some entities, in their order.
func (x *Indexer) documents(ctx context.Context, b *document.Builder, urns []urn.URN) ([]document.Source, []*search.Document, error) {
	sources, err := x.sources(ctx, urns)
	if err != nil {
		return nil, nil, err
	}
	docs, err := b.Build(ctx, sources)
	return sources, docs, err
}

func (x *Indexer) sources(ctx context.Context, urns []urn.URN) ([]document.Source, error) {
	records, err := x.Store.Aspects(ctx, urns)
	if err != nil {
		return nil, err
	}
	sources := make([]document.Source, len(urns))
	for i, u := range urns {
		sources[i] = document.Source{URN: u, Records: records[i]}
	}
	return sources, nil
}

// Documents builds the search documents of some entities as the index holds them, in their order,
// nil for entities without one.
func (x *Indexer) Documents(ctx context.Context, urns []urn.URN) ([]*search.Document, error) {
	_, docs, err := x.documents(ctx, x.builder, urns)
	return docs, err
}
