package series

import (
	"context"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tsView is one state of an index.
type tsView struct {
	docs, ids, urns, times, meta *bbolt.Bucket
}

func newTSView(tx *bbolt.Tx) (tsView, error) {
	v := tsView{
		docs: tx.Bucket(tsDocs), ids: tx.Bucket(tsIDs), urns: tx.Bucket(tsURNs),
		times: tx.Bucket(tsTimes), meta: tx.Bucket(tsMeta),
	}
	if v.docs == nil || v.ids == nil || v.urns == nil || v.times == nil || v.meta == nil {
		return v, errTSCorrupt
	}
	return v, nil
}

func (v tsView) counter(name []byte) uint64 {
	if b := v.meta.Get(name); len(b) == tsNumberBytes {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (v tsView) total() int64 { return int64(v.counter(tsPlain) + v.counter(tsExploded)) }

// find lists in order what the query selects.
func (v tsView) find(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher) ([]timeseries.Document, error) {
	var found []timeseries.Document
	for hit, err := range v.hits(ctx, q, q.Exploded) {
		if err != nil {
			return nil, err
		}
		d, system, err := v.document(hit)
		if err != nil {
			return nil, err
		}
		if !m.Match(&d) {
			continue
		}
		if err := tsDetach(&d, system); err != nil {
			return nil, err
		}
		if found = append(found, d); len(found) == q.Limit {
			break
		}
	}
	return found, nil
}

// count reads documents only when keys cannot answer.
func (v tsView) count(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher) (n int64, err error) {
	if m.ByKey() && len(q.URNs) == 0 && len(q.IDs) == 0 && q.From == nil && q.To == nil {
		if q.Exploded {
			return int64(v.counter(tsExploded)), nil
		}
		return int64(v.counter(tsPlain)), nil
	}
	all := *q
	all.After = nil
	err = v.matching(ctx, &all, m, q.Exploded, func(tsHit) { n++ })
	return n, err
}

// matching visits what the matcher lets pass, in the order of q, After regarded
// and Limit not.
func (v tsView) matching(
	ctx context.Context, q *timeseries.Query, m *timeseries.Matcher, exploded bool, visit func(tsHit),
) error {
	for hit, err := range v.hits(ctx, q, exploded) {
		if err != nil {
			return err
		}
		if !m.ByKey() {
			d, _, err := v.document(hit)
			if err != nil {
				return err
			}
			if !m.Match(&d) {
				continue
			}
		}
		visit(hit)
	}
	return nil
}

// latest reads one key per URN.
func (v tsView) latest(ctx context.Context, urns []urn.URN, to map[urn.URN]timeseries.Document) error {
	cursor, newest := v.urns.Cursor(), timeseries.Query{}
	for _, u := range urns {
		if err := ctx.Err(); err != nil {
			return err
		}
		walk := newTSWalk(cursor, tsURNPrefix(u, false), &newest)
		if !walk.next() {
			continue
		}
		d, system, err := v.document(walk.hit())
		if err != nil {
			return err
		}
		if err := tsDetach(&d, system); err != nil {
			return err
		}
		to[u] = d
	}
	return nil
}

func (v tsView) document(hit tsHit) (timeseries.Document, []byte, error) {
	return tsDecode(v.docs.Get(hit.number))
}

func tsURNPrefix(u urn.URN, exploded bool) []byte {
	hash := tsHash(u)
	return append(hash[:], tsFlag(exploded))
}
