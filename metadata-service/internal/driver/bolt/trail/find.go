package trail

import (
	"bytes"
	"context"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
)

// checkEvery is the number of events between two checks of the context.
const checkEvery = 256

// Find implements audit.Store.
func (s *Store) Find(ctx context.Context, q audit.Query) (found []audit.Event, err error) {
	limit := q.Limit
	if limit <= 0 {
		limit = audit.DefaultLimit
	}
	err = s.walk(ctx, q, func(e *audit.Event) bool {
		found = append(found, *e)
		return len(found) < limit
	})
	return found, err
}

// Count implements audit.Store.
func (s *Store) Count(ctx context.Context, q audit.Query, most int) (n int, err error) {
	q.After = nil
	err = s.walk(ctx, q, func(*audit.Event) bool {
		n++
		return n < most
	})
	return n, err
}

// walk calls visit for each event that the query selects, newest first, until visit returns false.
func (s *Store) walk(ctx context.Context, q audit.Query, visit func(*audit.Event) bool) error {
	if err := q.Check(); err != nil {
		return err
	}
	return s.file.View(ctx, func(tx *bbolt.Tx) error {
		var lanes []*lane
		for _, c := range q.Classes() {
			lanes = append(lanes, newLane(tx.Bucket(classBuckets[c]).Cursor(), &q))
		}
		for n := 0; ; n++ {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			next := newest(lanes)
			if next == nil {
				return nil
			}
			e, selected, err := next.event(&q)
			if err != nil {
				return err
			}
			if selected && !visit(&e) {
				return nil
			}
			next.step()
		}
	})
}

// lane is a backward walk through the events of one class.
type lane struct {
	cursor     *bbolt.Cursor
	first      []byte // keys before it are too old
	key, value []byte // nil at the end
}

func newLane(cursor *bbolt.Cursor, q *audit.Query) *lane {
	l := &lane{cursor: cursor, first: timeKey(q.From)}
	var end []byte // exclusive
	if q.To > 0 {
		end = timeKey(q.To)
	}
	if q.After != nil {
		if after := placeKey(*q.After); end == nil || bytes.Compare(after, end) < 0 {
			end = after
		}
	}
	if end == nil {
		l.set(cursor.Last())
		return l
	}
	if key, _ := cursor.Seek(end); key == nil {
		l.set(cursor.Last())
	} else {
		l.set(cursor.Prev())
	}
	return l
}

func (l *lane) set(key, value []byte) {
	if key != nil && bytes.Compare(key, l.first) < 0 {
		key, value = nil, nil
	}
	l.key, l.value = key, value
}

func (l *lane) step() { l.set(l.cursor.Prev()) }

// event decodes the current event. It decodes only events whose place the query selects.
func (l *lane) event(q *audit.Query) (e audit.Event, selected bool, err error) {
	place, err := placeOf(l.key)
	if err != nil || !q.SelectsPlace(place) {
		return e, false, err
	}
	if e, err = decode(place, l.value); err != nil {
		return e, false, err
	}
	return e, q.Selects(&e), nil
}

// newest returns the lane with the newest event, or nil when all lanes have ended.
func newest(lanes []*lane) (best *lane) {
	for _, l := range lanes {
		if l.key != nil && (best == nil || bytes.Compare(l.key, best.key) > 0) {
			best = l
		}
	}
	return best
}
