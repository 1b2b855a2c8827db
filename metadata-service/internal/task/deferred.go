package task

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Deferred is a Store that is opened at its first use, and tried again at each
// use while that fails, as on a full disk. So a service starts without it.
func Deferred(open func() (Store, error)) Store { return &deferred{open: open} }

type deferred struct {
	open      func() (Store, error)
	condition disk.Condition

	mu     sync.Mutex
	opened Store
	shut   bool
}

// store opens the store if need be.
func (d *deferred) store() (Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return nil, fault.New(fault.Unavailable, "the store of tasks is closed")
	}
	if d.opened != nil {
		return d.opened, nil
	}
	opened, err := d.open()
	d.condition.Note(err)
	d.opened = opened
	return opened, err
}

// with calls fn with the store.
func with[T any](d *deferred, fn func(Store) (T, error)) (T, error) {
	s, err := d.store()
	if err != nil {
		var zero T
		return zero, err
	}
	return fn(s)
}

// Node implements Store; it is empty while there is no store.
func (d *deferred) Node() string {
	node, _ := with(d, func(s Store) (string, error) { return s.Node(), nil })
	return node
}

// Add implements Store.
func (d *deferred) Add(ctx context.Context, t Task) (ID, error) {
	return with(d, func(s Store) (ID, error) { return s.Add(ctx, t) })
}

// Put implements Store.
func (d *deferred) Put(ctx context.Context, t Task) error {
	_, err := with(d, func(s Store) (any, error) { return nil, s.Put(ctx, t) })
	return err
}

// Get implements Store.
func (d *deferred) Get(ctx context.Context, id ID) (Task, error) {
	return with(d, func(s Store) (Task, error) { return s.Get(ctx, id) })
}

// List implements Store.
func (d *deferred) List(ctx context.Context, q Query) (page []Task, total int, err error) {
	page, err = with(d, func(s Store) (page []Task, err error) {
		page, total, err = s.List(ctx, q)
		return page, err
	})
	return page, total, err
}

// Trim implements Store.
func (d *deferred) Trim(ctx context.Context, before int64, keep int) (int, error) {
	return with(d, func(s Store) (int, error) { return s.Trim(ctx, before, keep) })
}

// Probe implements Store.
func (d *deferred) Probe(ctx context.Context) error {
	_, err := with(d, func(s Store) (any, error) { return nil, s.Probe(ctx) })
	return err
}

// Condition implements Store.
func (d *deferred) Condition() disk.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		return d.condition.State()
	}
	return d.opened.Condition()
}

// Close implements Store.
func (d *deferred) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}
