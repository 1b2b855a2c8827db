package catalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tags returns a value of globalTags.
func tags(names ...string) string {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"tag":%q}`, tagURN(name))
	}
	return `{"tags":[` + text + `]}`
}

// Every kind of change leaves exactly the relationships, terms, history and log entries of the
// resulting value, and none of an earlier one.
func TestEveryWayOfAChangeLeavesWhatTheValueSays(t *testing.T) {
	put := func(value string) catalog.Proposal { return catalogtest.Proposal(dataset, "globalTags", value) }
	for name, c := range map[string]struct {
		change  func(f *catalogtest.Fixture) error
		tags    []string // tags of the value after the change
		gone    bool     // the aspect is removed
		history int      // history rows
		entry   store.EntryKind
	}{
		"a write":        {func(f *catalogtest.Fixture) error { f.Must(put(tags("b", "c"))); return nil }, []string{"b", "c"}, false, 2, store.Written},
		"the same again": {func(f *catalogtest.Fixture) error { f.Must(put(tags("a", "b"))); return nil }, []string{"a", "b"}, false, 1, store.Touched},
		"a patch": {func(f *catalogtest.Fixture) error {
			f.Must(catalogtest.Proposal(dataset, "globalTags", `[{"op":"remove","path":"/tags/urn:li:tag:a"}]`, model.Patch))
			return nil
		}, []string{"b"}, false, 2, store.Written},
		"a derived change": {func(f *catalogtest.Fixture) error {
			f.Put(tagURN("cause"), "tagProperties", `{"name":"put"}`)
			return nil
		}, []string{"d"}, false, 2, store.Written},
		"a derived removal": {func(f *catalogtest.Fixture) error {
			f.Put(tagURN("cause"), "tagProperties", `{"name":"remove"}`)
			return nil
		}, nil, true, 0, store.Deleted},
		"a deleted aspect": {func(f *catalogtest.Fixture) error {
			_, err := f.DeleteAspects(f.As(root), dataset, "globalTags")
			return err
		}, nil, true, 0, store.Deleted},
		"a proposal to delete": {func(f *catalogtest.Fixture) error {
			f.Must(catalogtest.Proposal(dataset, "globalTags", "", model.Delete))
			return nil
		}, nil, true, 0, store.Deleted},
		"a deleted entity": {func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), dataset); return err }, nil, true, 0, store.EntityDeleted},
		"a rollback": {func(f *catalogtest.Fixture) error {
			f.Rollback("r2", run.Options{})
			return nil
		}, []string{"a", "old"}, false, 0, store.Written},
		"a reference that is taken out": {func(f *catalogtest.Fixture) error {
			_, err := f.DeleteReferences(f.As(root), tagURN("a"), false)
			return err
		}, []string{"b"}, false, 2, store.Written},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f = withRules(f, cleanedTags(func(urn.URN) error { return nil })[0], tagRule(func(tx rule.Effects, ch *rule.Change) error {
					switch jsontree.Text(ch.After, "name") {
					case "put":
						return tx.Put(dataset, "globalTags", model.Object{"tags": []any{model.Object{"tag": string(tagURN("d"))}}})
					case "remove":
						return tx.Remove(dataset, "globalTags")
					}
					return nil
				}))
				f.Must(put(tags("a", "old")))
				f.Must(catalogtest.InRun("r2", put(tags("a", "b"))))
				last, _ := f.Store.Last()
				if err := c.change(f); err != nil {
					t.Fatal(err)
				}
				if rec := f.Record(dataset, "globalTags"); c.gone != (rec == nil) {
					t.Fatalf("the row is %v", rec)
				}
				if !c.gone {
					f.WantValue(dataset, "globalTags", tags(c.tags...))
				}
				for _, tag := range []string{"a", "b", "c", "d", "old"} {
					has := slices.Contains(under(f, taggedBy(tagURN(tag))), urn.URN(dataset))
					if want := slices.Contains(c.tags, tag); has != want {
						t.Errorf("the term of tag %s: %v, want %v", tag, has, want)
					}
				}
				key := store.Key{URN: dataset, Aspect: "globalTags"}
				if got := edgesTo(f, key); !slices.Equal(got, c.tags) {
					t.Errorf("relationships lead to %q, want %q", got, c.tags)
				}
				if rows, err := f.Store.Rows(t.Context(), key); err != nil || len(rows) != c.history {
					t.Errorf("history has rows %v, %v, want %d", rows, err, c.history)
				}
				logged := 0
				for _, e := range entries(f, last) {
					if e.URN == dataset && e.Kind == c.entry {
						logged++
					}
				}
				if logged != 1 {
					t.Errorf("%d log entries %s, want 1", logged, c.entry)
				}
			})
		})
	}
}

// edgesTo returns the names of the tags that an aspect has relationships to, in order.
func edgesTo(f *catalogtest.Fixture, owner store.Key) []string {
	f.T.Helper()
	var names []string
	_, err := f.Store.Update(f.T.Context(), func(tx store.Tx) error {
		names = nil
		edges, err := tx.Edges(f.T.Context(), store.EdgeQuery{Owner: owner})
		for _, e := range edges {
			names = append(names, e.Destination.Key())
		}
		return err
	})
	if err != nil {
		f.T.Fatal(err)
	}
	slices.Sort(names)
	return names
}
