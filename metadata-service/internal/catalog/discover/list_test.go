package discover_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (f *fixture) list(q discover.ListQuery) discover.Page {
	f.t.Helper()
	page, err := f.List(f.as(jo), q)
	if err != nil {
		f.t.Fatal(err)
	}
	return page
}

func TestListing(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		var tags, containers, present []urn.URN
		var batch []catalog.Proposal
		for i := range 7 {
			tag, container := urn.URN(fmt.Sprintf("urn:li:tag:%d", i)), urn.URN(fmt.Sprintf("urn:li:container:%d", i))
			tags, containers = append(tags, tag), append(containers, container)
			removed := i%3 == 1
			if !removed {
				present = append(present, tag)
			}
			batch = append(batch, proposal(tag, "status", fmt.Sprintf(`{"removed":%v}`, removed)), proposal(container, "status", `{}`))
		}
		f.write(batch...)
		both := []string{"tag", "container", "TAG"}
		all := slices.Concat(containers, tags)

		for limit := 1; limit <= 15; limit++ {
			var seen []urn.URN
			q := discover.ListQuery{Types: both, Limit: limit, IncludeSoftDeleted: true}
			for {
				page := f.list(q)
				if page.Total != len(all) || len(page.URNs) > limit {
					t.Fatalf("limit %d: total %d, page of %d", limit, page.Total, len(page.URNs))
				}
				seen = append(seen, page.URNs...)
				if !page.More {
					break
				}
				q.After = page.URNs[len(page.URNs)-1]
			}
			if !slices.Equal(seen, all) {
				t.Errorf("limit %d: %v", limit, seen)
			}
		}
		page := f.list(discover.ListQuery{Types: []string{"tag"}, Limit: 2, Offset: 1})
		if !slices.Equal(page.URNs, present[1:3]) || page.Total != len(present) || !page.More {
			t.Errorf("offset: %+v, want %v of %v", page, present[1:3], len(present))
		}
		if page := f.list(discover.ListQuery{Types: both, Limit: 3, Offset: 6, IncludeSoftDeleted: true}); !slices.Equal(page.URNs, all[6:9]) {
			t.Errorf("offset over types: %v", page.URNs)
		}
		if page := f.list(discover.ListQuery{Types: both, Limit: -1, Offset: -1}); page.URNs != nil || !page.More || page.Total != 12 {
			t.Errorf("nothing asked: %+v", page)
		}
		if page := f.list(discover.ListQuery{Limit: 3}); page.Total != 0 || page.URNs != nil || page.More {
			t.Errorf("no types: %+v", page)
		}
		_, err := f.List(f.as(jo), discover.ListQuery{Types: []string{"cow"}})
		wantFault(t, err, fault.Malformed, `"cow"`)
		_, err = f.List(t.Context(), discover.ListQuery{Types: []string{"tag"}})
		wantFault(t, err, fault.Unauthenticated, "")
	})
}

func TestTotalsFollowSoftDeletion(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		total := func(want int) {
			t.Helper()
			if got := f.list(discover.ListQuery{Types: []string{"tag"}, Limit: 1}).Total; got != want {
				t.Errorf("total %d, want %d", got, want)
			}
		}
		total(0)
		f.write(proposal("urn:li:tag:a", "status", `{"removed":true}`), proposal("urn:li:tag:b", "status", `{}`), proposal("urn:li:container:c", "status", `{"removed":true}`))
		total(1)
		f.put("urn:li:tag:b", "status", `{"removed":true}`)
		total(0)
		f.put("urn:li:tag:b", "status", `{"removed":true}`)
		total(0)
		f.put("urn:li:tag:a", "status", `{"removed":false}`)
		total(1)
		f.remove("urn:li:tag:b")
		total(1)
		f.put("urn:li:tag:b", "tagProperties", properties("a"))
		total(2)
		f.write(proposal("urn:li:tag:b", "status", `{"removed":true}`), proposal("urn:li:tag:b", "status", "", model.Delete))
		total(2)
	})
}

func TestTotalsWithoutAFollower(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.write(proposal("urn:li:tag:a", "status", `{"removed":true}`), proposal("urn:li:tag:b", "status", `{}`))
	alone := discover.New(f.Config)
	for range 2 {
		page, err := alone.List(f.as(jo), discover.ListQuery{Types: []string{"tag"}, Limit: 5})
		if err != nil || page.Total != 1 {
			t.Errorf("got %+v, %v", page, err)
		}
		f.put("urn:li:tag:b", "status", `{}`)
	}
}

func TestCountingAspects(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.write(
		proposal("urn:li:tag:a.b", "status", `{}`), proposal("urn:li:tag:aéb", "status", `{}`), proposal("urn:li:tag:axxb", "status", `{}`),
		proposal("urn:li:container:a.b", "status", `{}`), proposal("urn:li:tag:other", "tagProperties", properties("a")),
	)
	for like, want := range map[string]int{
		"": 4, "%": 4, "urn:li:tag:%": 3, "urn:li:tag:a.b": 1, "urn:li:tag:a_b": 2, "%:a__b": 1, "%b": 4, "urn:li:%:a%b": 4, "_": 0, "%é%": 1, "urn:li:tag:a.b%%": 1,
		"urn:li:tag": 0, "%x%x%": 1, "%x%x%x": 0,
	} {
		got, err := f.CountAspect(f.as(jo), "status", like)
		if err != nil || got != want {
			t.Errorf("%q: got %d (%v), want %d", like, got, err, want)
		}
	}
	_, err := f.CountAspect(f.as(jo), "colour", "")
	wantFault(t, err, fault.Malformed, `"colour"`)
	_, err = f.CountAspect(t.Context(), "status", "")
	wantFault(t, err, fault.Unauthenticated, "")
}

func TestWhatIsManagedIsNeitherListedNorCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	tokens := f.Catalog.Managed("dataHubAccessTokenKey", "dataHubAccessTokenInfo")
	err := tokens.Write(f.as(root), []catalog.Proposal{proposal("urn:li:dataHubAccessToken:a", "dataHubAccessTokenInfo",
		`{"name":"t","actorUrn":"urn:li:corpuser:jo","ownerUrn":"urn:li:corpuser:owner","createdAt":1,"expiresAt":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	page, err := f.List(f.as(root), discover.ListQuery{Types: []string{"dataHubAccessToken", "inviteToken"}, Limit: 10, IncludeSoftDeleted: true})
	if err != nil || page.URNs != nil || page.Total != 0 {
		t.Errorf("lists show %+v, %v", page, err)
	}
	_, err = f.CountAspect(f.as(root), "corpUserCredentials", "")
	wantFault(t, err, fault.Malformed, "is not known")
	_, err = f.Search(f.as(root), discover.SearchQuery{Types: []string{"dataHubAccessToken"}})
	wantFault(t, err, fault.Malformed, "cannot be searched")
}
