package storetest

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var lifecycleCases = []testCase{
	{"a cancelled context gives its error", cancelledContext},
	{"a function still queued when its context ends is not run", cancelledInQueue},
	{"after close every call is unavailable", useAfterClose},
	{"closing twice is fine", doubleClose},
}

// calls calls all methods with a context and returns their errors by method name.
func (f *fixture) calls(ctx context.Context) map[string]error {
	errs := make(map[string]error)
	key := store.Key{URN: dataset(1), Aspect: "status"}
	_, errs["Get"] = f.Get(ctx, key)
	_, errs["Row"] = f.Row(ctx, key, 0)
	_, errs["Rows"] = f.Rows(ctx, key)
	_, errs["Aspects"] = f.Aspects(ctx, []urn.URN{key.URN})
	_, errs["Update"] = f.Update(ctx, func(tx store.Tx) error { return tx.Put(f.Context(), record(dataset(1), "status", `{}`)) })
	_, errs["Scan"] = f.Scan(ctx, store.Scan{})
	_, errs["Count"] = f.Count(ctx, "")
	_, errs["Runs"] = f.Runs(ctx)
	_, errs["RunKeys"] = f.RunKeys(ctx, "r", store.Key{}, 0)
	_, errs["Lookup"] = f.Lookup(ctx, nameTerm, "", 1)
	_, errs["Entries"] = f.Entries(ctx, 0, 10)
	_, errs["Position"] = f.Position(ctx, "search")
	errs["SetPosition"] = f.SetPosition(ctx, "search", 1)
	errs["Trim"] = f.Trim(ctx, 1)
	_, errs["First"] = f.First(ctx)
	return errs
}

func cancelledContext(f *fixture) {
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	for name, err := range f.calls(ctx) {
		if !errors.Is(err, context.Canceled) {
			f.Errorf("%s: got error %v, want the context's", name, err)
		}
	}
	f.same("count", f.count(""), 0)
}

func cancelledInQueue(f *fixture) {
	inside, release := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	ctx, cancel := context.WithCancel(f.Context())
	go func() {
		_, err := f.Update(ctx, func(tx store.Tx) error {
			close(inside)
			<-release
			return tx.Put(f.Context(), record(dataset(1), "status", `{}`))
		})
		first <- err
	}()
	<-inside
	second := make(chan error)
	go func() {
		_, err := f.Update(ctx, func(store.Tx) error {
			f.Error("the function of a cancelled caller was run")
			return nil
		})
		second <- err
	}()
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		f.Errorf("queued update: got error %v, want the context's", err)
	}
	close(release)
	f.same("update taken up before the context ended", <-first, nil)
	f.same("count", f.count(""), 1)
}

func useAfterClose(f *fixture) {
	f.put(record(dataset(1), "status", `{}`))
	f.ok(f.Close())
	for name, err := range f.calls(f.Context()) {
		if !errors.Is(err, fault.Unavailable) {
			f.Errorf("%s: got error %v, want unavailable", name, err)
		}
	}
}

func doubleClose(f *fixture) {
	f.ok(f.Close())
	f.ok(f.Close())
}
