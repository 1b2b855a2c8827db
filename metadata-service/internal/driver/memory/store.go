package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Store keeps the versioned aspects in maps. Committed data is never changed in place: an Update
// works on copies of the entities it writes and swaps them in at its end, so readers wait only for
// the swap.
type Store struct {
	writing chan struct{} // holds a token while there is no writer

	mu        sync.RWMutex // guards all fields below
	closed    bool
	entities  map[urn.URN]*storeEntity
	edges     edgeLists // by owner and aspect
	runs      map[string]store.Run
	terms     map[store.Term]map[urn.URN]bool
	entries   []store.Entry // oldest first, up to last
	last      uint64
	trimmed   uint64        // the greatest trimmed sequence
	committed chan struct{} // closed and replaced by a commit with entries
	positions map[string]uint64
}

var _ store.Store = (*Store)(nil)

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{
		writing:   make(chan struct{}, 1),
		entities:  make(map[urn.URN]*storeEntity),
		edges:     edgeLists{},
		runs:      make(map[string]store.Run),
		terms:     make(map[store.Term]map[urn.URN]bool),
		committed: make(chan struct{}),
		positions: make(map[string]uint64),
	}
	s.writing <- struct{}{}
	return s
}

// Close implements store.Store.
func (s *Store) Close() error {
	<-s.writing
	defer func() { s.writing <- struct{}{} }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// storeEntity holds the rows of one URN, by aspect and row number.
type storeEntity struct {
	aspects map[string]map[int64]*model.Record
}

func (e *storeEntity) clone() *storeEntity {
	c := &storeEntity{aspects: make(map[string]map[int64]*model.Record)}
	if e != nil {
		for name, rows := range e.aspects {
			c.aspects[name] = maps.Clone(rows)
		}
	}
	return c
}

func (e *storeEntity) row(aspect string, row int64) *model.Record {
	if e == nil {
		return nil
	}
	return e.aspects[aspect][row]
}

// alive reports whether the entity has a latest row, so that listings include it.
func (e *storeEntity) alive() bool {
	if e == nil {
		return false
	}
	for _, rows := range e.aspects {
		if rows[0] != nil {
			return true
		}
	}
	return false
}

func (e *storeEntity) history(aspect string) []int64 {
	if e == nil {
		return nil
	}
	var rows []int64
	for row := range e.aspects[aspect] {
		if row != 0 {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return rows
}

func (e *storeEntity) latest(names ...string) []model.Record {
	if e == nil {
		return nil
	}
	var records []model.Record
	for _, name := range slices.Sorted(maps.Keys(e.aspects)) {
		if rec := e.aspects[name][0]; rec != nil && (len(names) == 0 || slices.Contains(names, name)) {
			records = append(records, *storeClone(rec))
		}
	}
	return records
}

// size returns the total size in bytes of the values that latest returns.
func (e *storeEntity) size(names ...string) (bytes int64) {
	if e == nil {
		return 0
	}
	for name, rows := range e.aspects {
		if rec := rows[0]; rec != nil && (len(names) == 0 || slices.Contains(names, name)) {
			bytes += int64(len(rec.Value))
		}
	}
	return bytes
}

// carries lists the aspects with at least one row that carries the run, in ascending order.
func (e *storeEntity) carries(run string) []string {
	var names []string
	for name, rows := range e.aspects {
		for _, rec := range rows {
			if rec.System.RunID == run {
				names = append(names, name)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}

// storeClone returns a copy that shares no mutable data with rec.
func storeClone(rec *model.Record) *model.Record {
	if rec == nil {
		return nil
	}
	c := *rec
	c.Value = storeBytes(rec.Value)
	c.System.Properties = nil
	if len(rec.System.Properties) > 0 {
		c.System.Properties = maps.Clone(rec.System.Properties)
	}
	c.System.AspectCreated = storeStamp(rec.System.AspectCreated)
	c.System.AspectModified = storeStamp(rec.System.AspectModified)
	return &c
}

// storeBytes returns a copy; an empty value becomes nil.
func storeBytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return slices.Clone(b)
}

func storeStamp(stamp *model.AuditStamp) *model.AuditStamp {
	if stamp == nil {
		return nil
	}
	c := *stamp
	return &c
}

// view runs fn on the committed state.
func (s *Store) view(ctx context.Context, fn func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storeClosed()
	}
	fn()
	return nil
}

func storeClosed() error { return fault.New(fault.Unavailable, "the store is closed") }

// Get implements store.Reader.
func (s *Store) Get(ctx context.Context, keys ...store.Key) (records []*model.Record, err error) {
	err = s.view(ctx, func() {
		records = make([]*model.Record, len(keys))
		for i, key := range keys {
			records[i] = storeClone(s.entities[key.URN].row(key.Aspect, 0))
		}
	})
	return records, err
}

// Row implements store.Reader.
func (s *Store) Row(ctx context.Context, key store.Key, row int64) (rec *model.Record, err error) {
	err = s.view(ctx, func() { rec = storeClone(s.entities[key.URN].row(key.Aspect, row)) })
	return rec, err
}

// Rows implements store.Reader.
func (s *Store) Rows(ctx context.Context, key store.Key) (rows []int64, err error) {
	err = s.view(ctx, func() { rows = s.entities[key.URN].history(key.Aspect) })
	return rows, err
}

// Aspects implements store.Reader.
func (s *Store) Aspects(ctx context.Context, urns []urn.URN, names ...string) (lists [][]model.Record, err error) {
	err = s.view(ctx, func() {
		lists = make([][]model.Record, len(urns))
		for i, u := range urns {
			lists[i] = s.entities[u].latest(names...)
		}
	})
	return lists, err
}

// RowSizes implements store.Reader.
func (s *Store) RowSizes(ctx context.Context, key store.Key, rows ...int64) (sizes []int64, err error) {
	err = s.view(ctx, func() {
		sizes = make([]int64, len(rows))
		for i, row := range rows {
			if rec := s.entities[key.URN].row(key.Aspect, row); rec != nil {
				sizes[i] = int64(len(rec.Value))
			}
		}
	})
	return sizes, err
}

// AspectSizes implements store.Reader.
func (s *Store) AspectSizes(ctx context.Context, urns []urn.URN, names ...string) (sizes []int64, err error) {
	err = s.view(ctx, func() {
		sizes = make([]int64, len(urns))
		for i, u := range urns {
			sizes[i] = s.entities[u].size(names...)
		}
	})
	return sizes, err
}

// Scan implements store.Scanner.
func (s *Store) Scan(ctx context.Context, q store.Scan) (urns []urn.URN, err error) {
	err = s.view(ctx, func() { urns = storeScan(s.entities, q) })
	return urns, err
}

func storeScan(entities map[urn.URN]*storeEntity, q store.Scan) []urn.URN {
	var urns []urn.URN
	for u, e := range entities {
		ofType := q.Type == "" || strings.HasPrefix(string(u), urn.TypePrefix(q.Type))
		if ofType && strings.HasPrefix(string(u), q.Prefix) && u > q.After && e.alive() {
			urns = append(urns, u)
		}
	}
	slices.Sort(urns)
	if q.Limit <= 0 {
		q.Limit = storePage
	}
	return urns[:min(len(urns), q.Limit)]
}

const storePage = 1000 // of a listing whose caller gives no limit

// Count implements store.Scanner.
func (s *Store) Count(ctx context.Context, entityType string) (n int, err error) {
	err = s.view(ctx, func() {
		for u, e := range s.entities {
			if e.alive() && (entityType == "" || strings.HasPrefix(string(u), urn.TypePrefix(entityType))) {
				n++
			}
		}
	})
	return n, err
}

// Runs implements store.RunIndex.
func (s *Store) Runs(ctx context.Context) (runs []store.Run, err error) {
	err = s.view(ctx, func() { runs = slices.Collect(maps.Values(s.runs)) })
	slices.SortFunc(runs, func(a, b store.Run) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.ID, b.ID))
	})
	return runs, err
}

// RunKeys implements store.RunIndex.
func (s *Store) RunKeys(ctx context.Context, run string, after store.Key, limit int) (keys []store.Key, err error) {
	err = s.view(ctx, func() { keys = storeRunKeys(s.entities, run, after, limit) })
	return keys, err
}

func storeRunKeys(entities map[urn.URN]*storeEntity, run string, after store.Key, limit int) []store.Key {
	if run == "" {
		return nil
	}
	var keys []store.Key
	for u, e := range entities {
		for _, name := range e.carries(run) {
			if key := (store.Key{URN: u, Aspect: name}); storeCompare(key, after) > 0 {
				keys = append(keys, key)
			}
		}
	}
	slices.SortFunc(keys, storeCompare)
	if limit > 0 {
		keys = keys[:min(len(keys), limit)]
	}
	return keys
}

func storeCompare(a, b store.Key) int {
	return cmp.Or(cmp.Compare(a.URN, b.URN), cmp.Compare(a.Aspect, b.Aspect))
}
