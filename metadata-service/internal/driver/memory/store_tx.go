package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Update implements store.Writer. It must not be called from within fn.
func (s *Store) Update(ctx context.Context, fn func(tx store.Tx) error) (commit store.Commit, err error) {
	err = s.write(ctx, func() error {
		tx := &storeTx{
			store:    s,
			entities: make(map[urn.URN]*storeEntity),
			edges:    edgeLists{},
			runs:     make(map[string]store.Run),
			terms:    make(map[store.Term]map[urn.URN]bool),
			last:     s.last,
			origin:   store.OriginOf(ctx),
			caller:   store.CallerOf(ctx),
		}
		if err := tx.call(fn); err != nil {
			return err
		}
		commit = s.apply(tx)
		return nil
	})
	return commit, err
}

// write runs fn while it is the only writer.
func (s *Store) write(ctx context.Context, fn func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-s.writing:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { s.writing <- struct{}{} }()
	if s.closed { // only changed while holding the token
		return storeClosed()
	}
	return fn()
}

func (s *Store) apply(tx *storeTx) store.Commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	for u, e := range tx.entities {
		if len(e.aspects) == 0 {
			delete(s.entities, u)
			continue
		}
		s.entities[u] = e
	}
	for key, list := range tx.edges.all() {
		if len(list) == 0 {
			s.edges.remove(key)
			continue
		}
		s.edges.put(key, list)
	}
	for id, run := range tx.runs {
		if run.Rows == 0 {
			delete(s.runs, id)
			continue
		}
		s.runs[id] = run
	}
	for t, urns := range tx.terms {
		if len(urns) == 0 {
			delete(s.terms, t)
			continue
		}
		s.terms[t] = urns
	}
	if len(tx.entries) == 0 {
		return store.Commit{}
	}
	commit := store.Commit{First: tx.entries[0].Sequence, Last: tx.last}
	s.entries = append(s.entries, tx.entries...)
	s.last = tx.last
	close(s.committed)
	s.committed = make(chan struct{})
	return commit
}

// storeTx holds copies of the changed data. It reads the store without its lock: only the writer
// changes the store, and the transaction is the writer.
type storeTx struct {
	store    *Store
	entities map[urn.URN]*storeEntity
	edges    edgeLists // an empty list means that no edges are left
	runs     map[string]store.Run
	terms    map[store.Term]map[urn.URN]bool // for each changed term all of its entities
	entries  []store.Entry
	last     uint64
	origin   string // origin of the entries it appends; caller likewise
	caller   *store.Caller
	over     bool
}

var _ store.Tx = (*storeTx)(nil)

var errTxOver = errors.New("a transaction was used after its function had returned")

// call runs fn and converts a panic into an error.
func (tx *storeTx) call(fn func(store.Tx) error) (err error) {
	defer func() {
		tx.over = true
		if p := recover(); p != nil {
			err = fault.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), fault.Internal, "update the store")
		}
	}()
	return fn(tx)
}

func (tx *storeTx) entity(u urn.URN) *storeEntity {
	if e := tx.entities[u]; e != nil {
		return e
	}
	return tx.store.entities[u]
}

// all returns the entities of the store with the changes of the transaction applied.
func (tx *storeTx) all() map[urn.URN]*storeEntity {
	all := maps.Clone(tx.store.entities)
	maps.Copy(all, tx.entities)
	return all
}

// change returns a copy of the entity that belongs to the transaction.
func (tx *storeTx) change(u urn.URN) *storeEntity {
	if tx.entities[u] == nil {
		tx.entities[u] = tx.store.entities[u].clone()
	}
	return tx.entities[u]
}

// Get implements store.Tx.
func (tx *storeTx) Get(_ context.Context, keys ...store.Key) ([]*model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	records := make([]*model.Record, len(keys))
	for i, key := range keys {
		records[i] = storeClone(tx.entity(key.URN).row(key.Aspect, 0))
	}
	return records, nil
}

// Row implements store.Tx.
func (tx *storeTx) Row(_ context.Context, key store.Key, row int64) (*model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	return storeClone(tx.entity(key.URN).row(key.Aspect, row)), nil
}

// Rows implements store.Tx.
func (tx *storeTx) Rows(_ context.Context, key store.Key) ([]int64, error) {
	if tx.over {
		return nil, errTxOver
	}
	return tx.entity(key.URN).history(key.Aspect), nil
}

// Aspects implements store.Tx.
func (tx *storeTx) Aspects(_ context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	if tx.over {
		return nil, errTxOver
	}
	lists := make([][]model.Record, len(urns))
	for i, u := range urns {
		lists[i] = tx.entity(u).latest(names...)
	}
	return lists, nil
}

// Scan implements store.Tx.
func (tx *storeTx) Scan(_ context.Context, q store.Scan) ([]urn.URN, error) {
	if tx.over {
		return nil, errTxOver
	}
	return storeScan(tx.all(), q), nil
}

// RunKeys implements store.Tx.
func (tx *storeTx) RunKeys(_ context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	if tx.over {
		return nil, errTxOver
	}
	return storeRunKeys(tx.all(), run, after, limit), nil
}

// LastSequence implements store.Tx.
func (tx *storeTx) LastSequence(context.Context) (uint64, error) { return tx.last, nil }

// Put implements store.Tx.
func (tx *storeTx) Put(_ context.Context, rec model.Record) error {
	if tx.over {
		return errTxOver
	}
	if err := storeCheckRecord(&rec); err != nil {
		return err
	}
	e := tx.change(rec.URN)
	rows := e.aspects[rec.Aspect]
	if rows == nil {
		rows = make(map[int64]*model.Record)
		e.aspects[rec.Aspect] = rows
	}
	old := rows[rec.Row]
	rows[rec.Row] = storeClone(&rec)
	tx.enterRun(&rec)
	tx.leaveRun(old)
	return nil
}

// Remove implements store.Tx.
func (tx *storeTx) Remove(_ context.Context, key store.Key, row int64) error {
	if tx.over {
		return errTxOver
	}
	old := tx.entity(key.URN).row(key.Aspect, row)
	if old == nil {
		return nil
	}
	e := tx.change(key.URN)
	delete(e.aspects[key.Aspect], row)
	if len(e.aspects[key.Aspect]) == 0 {
		delete(e.aspects, key.Aspect)
	}
	tx.leaveRun(old)
	return nil
}

// RemoveHistory implements store.Tx.
func (tx *storeTx) RemoveHistory(ctx context.Context, key store.Key, upTo int64) (int, error) {
	return tx.removeHistory(ctx, key, func(rec *model.Record) bool { return rec.Row <= upTo })
}

// RemoveOlder implements store.Tx.
func (tx *storeTx) RemoveOlder(ctx context.Context, key store.Key, before int64) (int, error) {
	return tx.removeHistory(ctx, key, func(rec *model.Record) bool { return rec.CreatedOn < before })
}

// removeHistory deletes history rows from the oldest on as long as goes returns true.
func (tx *storeTx) removeHistory(ctx context.Context, key store.Key, goes func(*model.Record) bool) (int, error) {
	if tx.over {
		return 0, errTxOver
	}
	removed := 0
	for _, row := range tx.entity(key.URN).history(key.Aspect) {
		if !goes(tx.entity(key.URN).row(key.Aspect, row)) {
			break
		}
		if err := tx.Remove(ctx, key, row); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

func (tx *storeTx) run(id string) store.Run {
	if run, changed := tx.runs[id]; changed {
		return run
	}
	return tx.store.runs[id]
}

func (tx *storeTx) enterRun(rec *model.Record) {
	id := rec.System.RunID
	if id == "" {
		return
	}
	observed := rec.System.LastObserved
	if observed == 0 {
		observed = rec.CreatedOn
	}
	run := tx.run(id)
	if run.Rows == 0 {
		run = store.Run{ID: id, Time: observed}
	}
	run.Rows++
	run.Time = max(run.Time, observed)
	tx.runs[id] = run
}

func (tx *storeTx) leaveRun(old *model.Record) {
	if old == nil || old.System.RunID == "" {
		return
	}
	run := tx.run(old.System.RunID)
	run.Rows--
	tx.runs[old.System.RunID] = run
}

// Append implements store.Tx.
func (tx *storeTx) Append(_ context.Context, entry store.Entry) (uint64, error) {
	if tx.over {
		return 0, errTxOver
	}
	entry.Origin = cmp.Or(entry.Origin, tx.origin)
	entry.Caller = cmp.Or(entry.Caller, tx.caller)
	if err := storeCheckEntry(&entry); err != nil {
		return 0, err
	}
	tx.last++
	entry.Sequence = tx.last
	entry.Value = storeBytes(entry.Value)
	tx.entries = append(tx.entries, entry)
	return tx.last, nil
}

func storeCheckRecord(rec *model.Record) error {
	switch {
	case rec.URN == "":
		return fault.New(fault.Invalid, "urn is empty")
	case rec.Aspect == "":
		return fault.New(fault.Invalid, "aspect of %s is empty", rec.URN)
	case rec.Row < 0:
		return fault.New(fault.Invalid, "row %d of %s is negative", rec.Row, rec.Aspect)
	}
	return storeCheckSizes(rec.URN, rec.Aspect, rec.System.RunID, len(rec.Value))
}

func storeCheckEntry(entry *store.Entry) error {
	switch entry.Kind {
	case store.Written, store.Touched, store.Deleted, store.EntityDeleted,
		store.Document, store.DocumentsErased, store.Restated, store.Message:
	default:
		return fmt.Errorf("append to the change log: unknown kind of entry %q", entry.Kind)
	}
	if len(entry.Origin) > store.MaxOriginBytes {
		return fault.New(fault.TooLarge, "origin has %d bytes, at most %d are possible", len(entry.Origin), store.MaxOriginBytes)
	}
	return storeCheckSizes(entry.URN, entry.Aspect, entry.RunID, len(entry.Value))
}

func storeCheckSizes(u urn.URN, aspect, run string, value int) error {
	limits := []struct {
		name       string
		size, most int
	}{
		{"urn", len(u), store.MaxURNBytes},
		{"aspect name", len(aspect), store.MaxAspectBytes},
		{"run id", len(run), store.MaxRunBytes},
		{"value", value, store.MaxValueBytes},
	}
	for _, l := range limits {
		if l.size > l.most {
			return fault.New(fault.TooLarge, "%s has %d bytes, at most %d are possible", l.name, l.size, l.most)
		}
	}
	return nil
}
