package searchtest

import (
	"context"
	"errors"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// calls returns all methods of a driver that may fail, by name.
func (f *fixture) calls() map[string]func(context.Context) error {
	query := search.Query{Types: []string{"dataset"}, Size: 1}
	calls := map[string]func(context.Context) error{
		"Apply": func(ctx context.Context) error {
			return f.Apply(ctx, f.at+1, []search.Change{{URN: id("more"), Document: doc("more")}})
		},
		"Applied": func(ctx context.Context) error { _, err := f.Applied(ctx); return err },
		"Search":  func(ctx context.Context) error { _, err := f.Search(ctx, query); return err },
		"Autocomplete": func(ctx context.Context) error {
			_, err := f.Autocomplete(ctx, search.AutocompleteQuery{Types: []string{"dataset"}, Text: "a", Limit: 1})
			return err
		},
		"Documents": func(ctx context.Context) error { _, err := f.Documents(ctx); return err },
		"Save":      f.Save,
		"Stale":     func(ctx context.Context) error { _, err := f.Stale(ctx); return err },
		"Rebuild": func(ctx context.Context) error {
			return f.Rebuild(ctx, f.at, func(func([]*search.Document) error) error { return nil })
		},
	}
	if auditor, ok := f.Index.(search.Auditor); ok {
		calls["Fingerprints"] = func(ctx context.Context) error {
			return auditor.Fingerprints(ctx, func(urn.URN, uint64) bool { return true })
		}
	}
	return calls
}

func testEndedContext(f *fixture) {
	f.put(doc("a"))
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	for name, call := range f.calls() {
		if err := call(ctx); !errors.Is(err, context.Canceled) {
			f.Errorf("%s gives %v, want the error of the context", name, err)
		}
	}
	f.wantAt(f.at)
	f.finds("what was there", search.Query{}, "a")
}

func testUseAfterClose(f *fixture) {
	f.put(doc("a"))
	if err := f.Close(f.Context()); err != nil {
		f.Fatal(err)
	}
	for name, call := range f.calls() {
		if err := call(f.Context()); fault.KindOf(err) != fault.Unavailable {
			f.Errorf("%s gives %v, want that it is unavailable", name, err)
		}
	}
}
