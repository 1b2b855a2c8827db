package series

import (
	"context"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// view is one state of an index.
type view struct {
	docs, ids, urns, times, meta *bbolt.Bucket
}

func newView(tx *bbolt.Tx) (view, error) {
	v := view{
		docs: tx.Bucket(docsBucket), ids: tx.Bucket(idsBucket), urns: tx.Bucket(urnsBucket),
		times: tx.Bucket(timesBucket), meta: tx.Bucket(metaBucket),
	}
	if v.docs == nil || v.ids == nil || v.urns == nil || v.times == nil || v.meta == nil {
		return v, errCorrupt
	}
	return v, nil
}

func (v view) counter(name []byte) uint64 {
	if b := v.meta.Get(name); len(b) == numberBytes {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (v view) total() int64 { return int64(v.counter(plainKey) + v.counter(explodedKey)) }

// find lists the selected documents in the order of the query.
func (v view) find(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher) ([]timeseries.Document, error) {
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
		if err := detach(&d, system); err != nil {
			return nil, err
		}
		if found = append(found, d); len(found) == q.Limit {
			break
		}
	}
	return found, nil
}

// count reads documents only when keys do not suffice.
func (v view) count(ctx context.Context, q *timeseries.Query, m *timeseries.Matcher) (n int64, err error) {
	if m.ByKey() && len(q.URNs) == 0 && len(q.IDs) == 0 && q.From == nil && q.To == nil {
		if q.Exploded {
			return int64(v.counter(explodedKey)), nil
		}
		return int64(v.counter(plainKey)), nil
	}
	all := *q
	all.After = nil
	err = v.matching(ctx, &all, m, q.Exploded, func(hit) bool { n++; return true })
	return n, err
}

// matching visits the documents that pass the matcher, in the order of q, until visit returns
// false. It applies q.After but not q.Limit.
func (v view) matching(
	ctx context.Context, q *timeseries.Query, m *timeseries.Matcher, exploded bool, visit func(hit) bool,
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
		if !visit(hit) {
			return nil
		}
	}
	return nil
}

// latest reads one key and one document per URN.
func (v view) latest(ctx context.Context, urns []urn.URN, to map[urn.URN]timeseries.Document) error {
	cursor, newest := v.urns.Cursor(), timeseries.Query{}
	for _, u := range urns {
		if err := ctx.Err(); err != nil {
			return err
		}
		walk := newWalk(cursor, urnPrefix(u, false), &newest)
		if !walk.next() {
			continue
		}
		d, system, err := v.document(walk.hit())
		if err != nil {
			return err
		}
		if err := detach(&d, system); err != nil {
			return err
		}
		to[u] = d
	}
	return nil
}

func (v view) document(hit hit) (timeseries.Document, []byte, error) {
	return decode(v.docs.Get(hit.number))
}

func urnPrefix(u urn.URN, exploded bool) []byte {
	hash := hashOf(u)
	return append(hash[:], flagOf(exploded))
}
