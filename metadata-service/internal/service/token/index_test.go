package token_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// inOrder returns the expected listing of the existing tokens.
func inOrder(there map[string]token.Info, q token.Query) []string {
	var found []token.Info
	for _, info := range there {
		if (q.Owner == "" || q.Owner == info.Owner) && (q.Actor == "" || q.Actor == info.Actor) {
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b token.Info) int {
		byExpiry := 0
		if q.Order == token.LongestFirst {
			byExpiry = cmp.Compare(b.ExpiresAt, a.ExpiresAt)
		}
		return cmp.Or(byExpiry, cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	ids := []string{}
	for _, info := range found {
		ids = append(ids, info.ID)
	}
	return ids
}

func TestListingsFollowEveryChange(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	choose := rand.New(rand.NewPCG(1, 2))
	there := map[string]token.Info{}
	change := func() {
		if len(there) > 0 && choose.IntN(3) == 0 {
			for id := range there {
				if err := f.Revoke(f.As(authtest.Root), id); err != nil {
					t.Fatal(err)
				}
				delete(there, id)
				return
			}
		}
		f.Clock.Advance(time.Duration(choose.IntN(2)) * time.Second)
		users := []urn.URN{authtest.Root, authtest.Jo, authtest.Mia}
		by, of := users[choose.IntN(2)], users[choose.IntN(3)]
		if by != authtest.Root {
			of = by
		}
		_, info, err := f.Create(f.As(by), token.Draft{Actor: of, Name: "n", Lifetime: []time.Duration{token.Forever, time.Hour, 2 * time.Hour}[choose.IntN(3)]})
		if err != nil {
			t.Fatal(err)
		}
		there[info.ID] = info
	}
	check := func() {
		t.Helper()
		for _, order := range []token.Order{token.NewestFirst, token.LongestFirst} {
			for _, q := range []token.Query{{}, {Owner: authtest.Jo}, {Actor: authtest.Mia}, {Owner: authtest.Root, Actor: authtest.Jo}, {Owner: "urn:li:corpuser:nobody"}} {
				q.Order = order
				want := inOrder(there, q)
				got := []string{}
				for q.Count = 7; q.Start < len(want); q.Start += q.Count {
					page, err := f.List(f.As(authtest.Root), q)
					if err != nil || page.Total != len(want) {
						t.Fatalf("%+v: total %d, %v, want %d", q, page.Total, err, len(want))
					}
					for _, info := range page.Infos {
						got = append(got, info.ID)
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%+v: %v, want %v", q, got, want)
				}
			}
		}
	}
	for range 30 {
		change()
	}
	for range 60 { // a listing after each change
		check()
		change()
	}
	for range 200 { // many changes between two listings
		change()
	}
	check()
}

func TestAListingHasWhatWasMadeBeforeIt(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 10 {
				_, info, err := f.Create(authtest.As(t, authtest.Root), token.Draft{Actor: authtest.Root, Name: fmt.Sprint(i, n), Lifetime: time.Hour})
				if err != nil {
					t.Error(err)
					return
				}
				page, err := f.List(authtest.As(t, authtest.Root), token.Query{Owner: authtest.Root})
				if err != nil || !slices.ContainsFunc(page.Infos, func(other token.Info) bool { return other.ID == info.ID }) {
					t.Errorf("%s is not listed, %v", info.ID, err)
				}
				if n%2 == 0 {
					if err := f.Revoke(authtest.As(t, authtest.Root), info.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if page, err := f.List(f.As(authtest.Root), token.Query{}); err != nil || page.Total != 20 {
		t.Errorf("%d in the end, %v", page.Total, err)
	}
}
