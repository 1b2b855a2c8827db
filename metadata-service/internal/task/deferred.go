package task

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
)

// Deferred returns a Store that is opened at its first use; see disk.Deferred.
func Deferred(open func() (Store, error)) Store {
	return deferred{disk.NewDeferred("the store of tasks", open)}
}

type deferred struct{ *disk.Deferred[Store] }

// withStore calls fn with the store.
func withStore[T any](d deferred, fn func(Store) (T, error)) (T, error) {
	s, err := d.Use()
	if err != nil {
		var zero T
		return zero, err
	}
	return fn(s)
}

// Node implements Store. It is empty while the store cannot be opened.
func (d deferred) Node() string {
	node, _ := withStore(d, func(s Store) (string, error) { return s.Node(), nil })
	return node
}

// Add implements Store.
func (d deferred) Add(ctx context.Context, t Task) (ID, error) {
	return withStore(d, func(s Store) (ID, error) { return s.Add(ctx, t) })
}

// Put implements Store.
func (d deferred) Put(ctx context.Context, t Task) error {
	_, err := withStore(d, func(s Store) (any, error) { return nil, s.Put(ctx, t) })
	return err
}

// Get implements Store.
func (d deferred) Get(ctx context.Context, id ID) (Task, error) {
	return withStore(d, func(s Store) (Task, error) { return s.Get(ctx, id) })
}

// List implements Store.
func (d deferred) List(ctx context.Context, q Query) (page []Task, total int, err error) {
	page, err = withStore(d, func(s Store) (page []Task, err error) {
		page, total, err = s.List(ctx, q)
		return page, err
	})
	return page, total, err
}

// Trim implements Store.
func (d deferred) Trim(ctx context.Context, before int64, keep int) (int, error) {
	return withStore(d, func(s Store) (int, error) { return s.Trim(ctx, before, keep) })
}

// Probe implements Store.
func (d deferred) Probe(ctx context.Context) error {
	_, err := withStore(d, func(s Store) (any, error) { return nil, s.Probe(ctx) })
	return err
}
