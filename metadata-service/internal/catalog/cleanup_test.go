package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

var errStopped = errors.New("the process stopped")

// taggedBy is the term of the entities with a tag.
func taggedBy(tag urn.URN) store.Term { return store.Term{Index: "tagged by", Value: string(tag)} }

var cleanupsLeft = store.Term{Index: "$cleanup", Value: "tags that are gone"}

// cleanedTags returns rules that remove a deleted tag from the entities that have it. They call
// before for each entity first.
func cleanedTags(before func(affected urn.URN) error) []rule.Rule {
	return []rule.Rule{
		{Name: "what has tags", Aspects: []string{"globalTags"}, Terms: func(_ urn.URN, value model.Object) []store.Term {
			var terms []store.Term
			for _, tag := range jsontree.Children(value, "tags") {
				terms = append(terms, taggedBy(urn.URN(jsontree.Text(tag, "tag"))))
			}
			return terms
		}},
		{
			Name: "tags that are gone", Aspects: []string{"tagProperties"}, CleanupTerm: taggedBy,
			Cleanup: func(tx rule.Effects, _, affected urn.URN) error {
				if err := before(affected); err != nil {
					return err
				}
				return tx.Remove(affected, "globalTags")
			},
		},
	}
}

// tagged adds the tag that is to be removed to a number of tables.
func tagged(f *catalogtest.Fixture, tables int) {
	f.T.Helper()
	f.Put(tagURN("gone"), "tagProperties", properties("gone"))
	batch := make([]catalog.Proposal, tables)
	for i := range batch {
		batch[i] = catalogtest.Proposal(benchURN(i), "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)
	}
	f.Must(batch...)
	if n := len(under(f, taggedBy(tagURN("gone")))); n != tables {
		f.T.Fatalf("%d tables have the tag", n)
	}
}

func TestEffectsOfARemovalOnManyEntitiesAreSeveralTransactions(t *testing.T) {
	for name, remove := range map[string]func(f *catalogtest.Fixture) error{
		"of the entity": func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), tagURN("gone")); return err },
		"of the aspect by a proposal": func(f *catalogtest.Fixture) error {
			f.Must(catalogtest.Proposal(tagURN("gone"), "tagProperties", "", model.Delete))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drivers := catalogtest.OnDisk(t)
			sizes := &commitSizes{Store: drivers.Store}
			drivers.Store = sizes
			f := withRules(catalogtest.New(t, drivers), cleanedTags(func(urn.URN) error { return nil })...)
			tagged(f, 500)
			sizes.removed = nil
			if err := remove(f); err != nil {
				t.Fatal(err)
			}
			if want := []int{1, 200, 200, 100}; len(sizes.removed) != len(want) || !slices.Equal(sizes.removed[1:], want[1:]) {
				t.Errorf("transactions removed %v aspects, want that of the tag and then %v", sizes.removed, want[1:])
			}
			if left := append(under(f, taggedBy(tagURN("gone"))), under(f, cleanupsLeft)...); len(left) > 0 {
				t.Errorf("%d entities are left, such as %s", len(left), left[0])
			}
			f.WantValue(benchURN(499), "globalTags", "")
		})
	}
}

// commitSizes records the number of rows removed by each transaction that removed any.
type commitSizes struct {
	store.Store
	removed []int
}

func (s *commitSizes) Unwrap() store.Store { return s.Store }

func (s *commitSizes) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	n := 0
	done, err := s.Store.Update(ctx, func(tx store.Tx) error {
		n = 0
		return fn(removingTx{tx, &n})
	})
	if n > 0 {
		s.removed = append(s.removed, n)
	}
	return done, err
}

type removingTx struct {
	store.Tx
	n *int
}

func (t removingTx) Remove(ctx context.Context, key store.Key, row int64) error {
	*t.n++
	return t.Tx.Remove(ctx, key, row)
}

// interrupted removes the tag and interrupts the cleanup after some of the tables.
func interrupted(t *testing.T, f *catalogtest.Fixture, tables, after int) *catalogtest.Fixture {
	t.Helper()
	done := map[urn.URN]bool{}
	stops := withRules(f, cleanedTags(func(affected urn.URN) error {
		if done[affected] = true; len(done) > after {
			return errStopped
		}
		return nil
	})...)
	goesOn := withRules(f, cleanedTags(func(urn.URN) error { return nil })...)
	tagged(stops, tables)
	if _, err := stops.DeleteEntity(f.As(root), tagURN("gone")); !errors.Is(err, errStopped) {
		t.Fatalf("got %v", err)
	}
	f.WantValue(tagURN("gone"), "tagKey", "") // the removal is durable, regardless of its effects
	if left := under(f, cleanupsLeft); !slices.Equal(left, []urn.URN{tagURN("gone")}) {
		t.Fatalf("noted to be cleaned up are %v", left)
	}
	return goesOn
}

func TestEffectsThatWereInterruptedAreResumed(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = interrupted(t, f, 250, 220)
		if n := len(under(f, taggedBy(tagURN("gone")))); n != 50 {
			t.Errorf("%d tables are left of 250, of which 200 fit into a transaction", n)
		}
		for range 2 {
			if err := f.ResumeCleanups(f.As(model.SystemActor)); err != nil {
				t.Fatal(err)
			}
			if left := append(under(f, taggedBy(tagURN("gone"))), under(f, cleanupsLeft)...); len(left) > 0 {
				t.Errorf("%d entities are left, such as %s", len(left), left[0])
			}
		}
	})
}

// References to an entity that has been written again are correct.
func TestEffectsOfARemovalStopWhenTheEntityIsBack(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = interrupted(t, f, 5, 2)
		f.Put(tagURN("gone"), "tagProperties", properties("back"))
		if err := f.ResumeCleanups(f.As(model.SystemActor)); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			f.WantValue(benchURN(i), "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)
		}
		if left := under(f, cleanupsLeft); len(left) > 0 {
			t.Errorf("%v is still to be cleaned up", left)
		}
		if _, err := f.DeleteEntity(f.As(root), tagURN("gone")); err != nil {
			t.Fatal(err)
		}
		f.WantValue(benchURN(4), "globalTags", "")
	})
}

// A new value of another aspect of the entity does not replace the removed one.
func TestEffectsOfARemovalGoOnWhileAnotherAspectIsBack(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = interrupted(t, f, 5, 2)
		f.Put(tagURN("gone"), "status", `{}`)
		if err := f.ResumeCleanups(f.As(model.SystemActor)); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			f.WantValue(benchURN(i), "globalTags", "")
		}
	})
}

func TestSeveralRemovalsOfOneBatchAreAllCleanedUp(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, cleanedTags(func(urn.URN) error { return nil })...)
		var deletions []catalog.Proposal
		for i := range 5 {
			tag := tagURN(fmt.Sprint("t", i))
			f.Must(catalogtest.Proposal(tag, "tagProperties", properties("t")), catalogtest.Proposal(benchURN(i), "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q}]}`, tag)))
			deletions = append(deletions, catalogtest.Proposal(tag, "", "", model.Delete))
		}
		f.Must(deletions...)
		for i := range 5 {
			f.WantValue(benchURN(i), "globalTags", "")
		}
		if left := under(f, cleanupsLeft); len(left) > 0 {
			t.Errorf("%v are still to be cleaned up", left)
		}
	})
}

func TestARefusedRemovalCleansNothingUp(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, append(cleanedTags(func(urn.URN) error { return nil }), rule.Rule{
			Name: "stays", Aspects: []string{"status"}, Types: []string{"tag"},
			AllowRemoval: func(rule.Tx, *rule.Change) error { return errStopped },
		})...)
		tagged(f, 2)
		f.Put(tagURN("gone"), "status", `{}`)
		if _, err := f.DeleteEntity(f.As(root), tagURN("gone")); !errors.Is(err, errStopped) {
			t.Fatalf("got %v", err)
		}
		f.WantValue(benchURN(0), "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)
		if left := under(f, cleanupsLeft); len(left) > 0 {
			t.Errorf("%v are to be cleaned up", left)
		}
	})
}
