package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var termCases = []testCase{
	{"entities under a term come in byte order, page by page", termsInOrder},
	{"a transaction looks up what it added and removed", termsOfOwn},
	{"a member of a group looks up what earlier ones added", termsOfTheGroup},
	{"an update that fails leaves no term", termsOfAFailure},
	{"adding twice and removing what is absent change nothing", termsTwice},
	{"terms that look alike are told apart", termsApart},
	{"limits of terms are kept", termLimits},
	{"a term outlives the entity it was added for", termsOutliveRows},
}

var nameTerm = store.Term{Index: "tag.name", Value: "pii"}

func (f *fixture) addTerms(tx store.Tx, t store.Term, urns ...urn.URN) {
	f.Helper()
	for _, u := range urns {
		if err := tx.AddTerm(f.Context(), t, u); err != nil {
			f.Errorf("add %v of %s: %v", t, u, err)
		}
	}
}

func (f *fixture) lookup(t store.Term, after urn.URN, limit int) []urn.URN {
	f.Helper()
	urns, err := f.Lookup(f.Context(), t, after, limit)
	f.ok(err)
	return urns
}

func termsInOrder(f *fixture) {
	const many = 9000 // more than any driver reads in one step
	want := make([]urn.URN, many)
	for i := range want {
		want[i] = dataset(i)
	}
	f.update(func(tx store.Tx) {
		for _, u := range slices.Backward(want) {
			f.addTerms(tx, nameTerm, u)
		}
		got, err := tx.Lookup(f.Context(), nameTerm, want[4], many)
		f.same("inside", []any{got, err}, []any{want[5:], nil})
	})
	f.same("all", f.lookup(nameTerm, "", many+1), want)
	f.same("without a limit", f.lookup(nameTerm, "", 0), want[:1000])
	f.same("a page", f.lookup(nameTerm, want[41], 3), want[42:45])
	f.same("behind one that is absent", f.lookup(nameTerm, want[41]+"x", 1), want[42:43])
	f.same("behind the last", f.lookup(nameTerm, want[many-1], 3), []urn.URN{})
}

func termsOfOwn(f *fixture) {
	f.update(func(tx store.Tx) { f.addTerms(tx, nameTerm, dataset(1), dataset(3), dataset(5)) })
	f.update(func(tx store.Tx) {
		f.addTerms(tx, nameTerm, dataset(2), dataset(4))
		for _, u := range []urn.URN{dataset(3), dataset(4)} {
			if err := tx.RemoveTerm(f.Context(), nameTerm, u); err != nil {
				f.Error(err)
			}
		}
		got, err := tx.Lookup(f.Context(), nameTerm, "", 0)
		f.same("inside", []any{got, err}, []any{[]urn.URN{dataset(1), dataset(2), dataset(5)}, nil})
		got, err = tx.Lookup(f.Context(), nameTerm, dataset(1), 1)
		f.same("inside, a page", []any{got, err}, []any{[]urn.URN{dataset(2)}, nil})
		f.same("committed", f.lookup(nameTerm, "", 0), []urn.URN{dataset(1), dataset(3), dataset(5)})
	})
	f.same("afterwards", f.lookup(nameTerm, "", 0), []urn.URN{dataset(1), dataset(2), dataset(5)})
}

// termsOfTheGroup tests the basis of uniqueness: of many writers that look up a term before adding
// to it, exactly one adds.
func termsOfTheGroup(f *fixture) {
	const writers = 20
	taken := errors.New("taken")
	results := make(chan error, writers)
	for w := range writers {
		go func() {
			_, err := f.Update(f.Context(), func(tx store.Tx) error {
				there, err := tx.Lookup(f.Context(), nameTerm, "", 1)
				if err != nil {
					return err
				}
				if len(there) > 0 {
					return taken
				}
				return tx.AddTerm(f.Context(), nameTerm, dataset(w))
			})
			results <- err
		}()
	}
	won := 0
	for range writers {
		if err := <-results; err == nil {
			won++
		} else if !errors.Is(err, taken) {
			f.Error(err)
		}
	}
	f.same("writers who won, entities", []int{won, len(f.lookup(nameTerm, "", 0))}, []int{1, 1})
}

func termsOfAFailure(f *fixture) {
	f.update(func(tx store.Tx) { f.addTerms(tx, nameTerm, dataset(1)) })
	_, err := f.Update(f.Context(), func(tx store.Tx) error {
		f.addTerms(tx, nameTerm, dataset(2))
		return errors.Join(tx.RemoveTerm(f.Context(), nameTerm, dataset(1)), errOnPurpose)
	})
	if !errors.Is(err, errOnPurpose) {
		f.Errorf("got %v", err)
	}
	f.same("left", f.lookup(nameTerm, "", 0), []urn.URN{dataset(1)})
}

func termsTwice(f *fixture) {
	for range 2 {
		f.update(func(tx store.Tx) { f.addTerms(tx, nameTerm, dataset(1), dataset(1)) })
	}
	f.same("added twice", f.lookup(nameTerm, "", 0), []urn.URN{dataset(1)})
	for range 2 {
		f.update(func(tx store.Tx) {
			for _, u := range []urn.URN{dataset(1), dataset(1), dataset(7)} {
				if err := tx.RemoveTerm(f.Context(), nameTerm, u); err != nil {
					f.Error(err)
				}
			}
		})
	}
	f.same("removed twice", f.lookup(nameTerm, "", 0), []urn.URN{})
}

func termsApart(f *fixture) {
	alike := []store.Term{
		{Index: "a", Value: "bc"}, {Index: "ab", Value: "c"}, {Index: "a", Value: "b"}, {Index: "a", Value: "bcd"},
		{Index: "a", Value: "BC"}, {Index: "a", Value: "bc\x00"}, {Index: "a", Value: "b\x00c"}, {Index: "a", Value: "\xff\xfe"},
	}
	f.update(func(tx store.Tx) {
		for i, t := range alike {
			f.addTerms(tx, t, dataset(i))
		}
	})
	for i, t := range alike {
		f.same(fmt.Sprintf("%q", t), f.lookup(t, "", 0), []urn.URN{dataset(i)})
	}
}

func termLimits(f *fixture) {
	long := func(n int) string { return strings.Repeat("x", n) }
	longest := urn.URN(long(store.MaxURNBytes))
	most := store.Term{Index: long(store.MaxIndexBytes), Value: long(store.MaxTermBytes)}
	f.update(func(tx store.Tx) { f.addTerms(tx, most, longest) })
	f.same("as long as possible", f.lookup(most, "", 0), []urn.URN{longest})
	for _, c := range []struct {
		name string
		term store.Term
		urn  urn.URN
		kind fault.Kind
	}{
		{"no index", store.Term{Value: "v"}, dataset(1), fault.Invalid},
		{"no value", store.Term{Index: "i"}, dataset(1), fault.Invalid},
		{"no urn", nameTerm, "", fault.Invalid},
		{"a long index", store.Term{Index: most.Index + "x", Value: "v"}, dataset(1), fault.TooLarge},
		{"a long value", store.Term{Index: "i", Value: most.Value + "x"}, dataset(1), fault.TooLarge},
		{"a long urn", nameTerm, longest + "x", fault.TooLarge},
	} {
		f.update(func(tx store.Tx) {
			if err := tx.AddTerm(f.Context(), c.term, c.urn); !errors.Is(err, c.kind) {
				f.Errorf("%s: adding gives %v", c.name, err)
			}
			if err := tx.RemoveTerm(f.Context(), c.term, c.urn); !errors.Is(err, c.kind) {
				f.Errorf("%s: removing gives %v", c.name, err)
			}
			if c.term == nameTerm {
				return
			}
			if _, err := tx.Lookup(f.Context(), c.term, "", 0); !errors.Is(err, c.kind) {
				f.Errorf("%s: looking up inside gives %v", c.name, err)
			}
		})
		if c.term == nameTerm {
			continue
		}
		if _, err := f.Lookup(f.Context(), c.term, "", 0); !errors.Is(err, c.kind) {
			f.Errorf("%s: looking up gives %v", c.name, err)
		}
	}
}

func termsOutliveRows(f *fixture) {
	rec := record(dataset(1), "status", `{}`)
	f.update(func(tx store.Tx) {
		f.putIn(tx, rec)
		f.addTerms(tx, nameTerm, rec.URN, dataset(2)) // has no records at all
	})
	f.update(func(tx store.Tx) {
		if err := tx.Remove(f.Context(), rec.Key(), 0); err != nil {
			f.Error(err)
		}
	})
	f.same("entities", f.lookup(nameTerm, "", 0), []urn.URN{rec.URN, dataset(2)})
	f.same("count", f.count(""), 0)
}
