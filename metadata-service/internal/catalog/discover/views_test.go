package discover_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

const mia urn.URN = "urn:li:corpuser:mia"

// withViews is a catalog with a personal view of each of two users and a global one, under the
// rules of the service.
func withViews(t *testing.T, on catalogtest.Drivers) *fixture {
	t.Helper()
	f := newFixture(t, on.WithPolicies(t, policy.Config{}))
	f.put("urn:li:dataHubPolicy:reading", "dataHubPolicyInfo", `{"displayName":"reading","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE","GET_COUNTS_PRIVILEGE"],"actors":{"allUsers":true,"allGroups":false,"resourceOwners":false}}`)
	f.put("urn:li:dataHubPolicy:views", "dataHubPolicyInfo", `{"displayName":"views","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["MANAGE_GLOBAL_VIEWS"],"actors":{"users":["urn:li:corpuser:datahub"],"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
	for name, v := range map[string]struct {
		kind  string
		owner urn.URN
	}{"jos": {"PERSONAL", jo}, "mias": {"PERSONAL", mia}, "ours": {"GLOBAL", mia}} {
		stamp := `{"time":1,"actor":"` + string(v.owner) + `"}`
		f.put(urn.Make("dataHubView", name), "dataHubViewInfo",
			`{"name":"`+name+`","type":"`+v.kind+`","definition":{"entityTypes":[],"filter":{"or":[]}},"created":`+stamp+`,"lastModified":`+stamp+`}`)
	}
	f.put("urn:li:tag:a", "tagProperties", properties("a"))
	f.put("urn:li:tag:b", "tagProperties", properties("b"))
	return f
}

func TestPersonalViewsAreListedForTheirOwners(t *testing.T) {
	t.Parallel()
	for driver, open := range map[string]func() catalogtest.Drivers{"memory": inMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		f := withViews(t, open())
		const jos, mias, ours, a, b urn.URN = "urn:li:dataHubView:jos", "urn:li:dataHubView:mias", "urn:li:dataHubView:ours", "urn:li:tag:a", "urn:li:tag:b"
		for who, want := range map[urn.URN][]urn.URN{jo: {jos, ours}, mia: {mias, ours}, root: {jos, mias, ours}} {
			page, err := f.List(f.as(who), discover.ListQuery{Types: []string{"dataHubView"}, Limit: 10})
			if err != nil || !slices.Equal(page.URNs, want) || page.Total != len(want) || page.More {
				t.Errorf("%s: %s lists %+v, want %v (%v)", driver, who, page, want, err)
			}
			both, err := f.List(f.as(who), discover.ListQuery{Types: []string{"tag", "dataHubView"}, Limit: 10})
			if all := append(slices.Clone(want), a, b); err != nil || !slices.Equal(both.URNs, all) || both.Total != len(all) {
				t.Errorf("%s: %s lists %+v, want %v (%v)", driver, who, both, all, err)
			}
			found, err := f.Search(f.as(who), discover.SearchQuery{Types: []string{"dataHubView", "tag"}, Size: 10})
			if err != nil || found.Total != len(want)+2 {
				t.Errorf("%s: %s finds %d of views and tags, want %d (%v)", driver, who, found.Total, len(want)+2, err)
			}
			if types := counts(t, found.Facets, "_entityType"); types["dataHubView"] != len(want) || types["tag"] != 2 {
				t.Errorf("%s: facets of %s count %v", driver, who, types)
			}
			counted, err := f.CountEntities(f.as(who), []string{"tag", "dataHubView"})
			if err != nil || !slices.Equal(counted, []int{2, len(want)}) {
				t.Errorf("%s: %s counts %v (%v)", driver, who, counted, err)
			}
			n, err := f.CountAspect(f.as(who), "dataHubViewInfo", "urn:li:dataHubView:%")
			if err != nil || n != len(want) {
				t.Errorf("%s: %s counts %d infos of views (%v)", driver, who, n, err)
			}
		}
	}
}

// byFilter is an authorizer that returns visibility only as a filter.
type byFilter struct {
	authtest.Plain
	filter search.Filter
}

func (b byFilter) Visible(_ context.Context, reading auth.Reading) (auth.Visibility, error) {
	return auth.Visibility{Types: reading.Types, Filter: b.filter}, nil
}

func TestAFilterDecidesAboutWhatTheStoreLists(t *testing.T) {
	t.Parallel()
	on := inMemory()
	on.Authorizer = byFilter{filter: search.Filter{{{Field: "name", Values: []string{"orders", "revenue"}}}}}
	f := newFixture(t, on)
	f.shop()
	page, err := f.List(f.as(jo), discover.ListQuery{Types: []string{"dataset", "tag"}, Limit: 10})
	if want := []urn.URN{table("orders"), table("revenue")}; err != nil || !slices.Equal(page.URNs, want) || page.Total != len(want) {
		t.Errorf("lists %+v, want %v (%v)", page, want, err)
	}
	tagged, err := f.Relationships(f.as(jo), discover.RelationshipQuery{URN: "urn:li:tag:shop", Direction: graph.Incoming, Count: 10})
	if err != nil || tagged.Total != 2 {
		t.Errorf("%d of the tagged are seen (%v)", tagged.Total, err)
	}
	edges, err := f.Edges(f.as(jo), discover.EdgeQuery{Types: []string{"DownstreamOf"}, Count: 10})
	if err != nil || len(edges.Edges) != 0 {
		t.Errorf("no two neighbors are seen, but %+v (%v)", edges.Edges, err)
	}
	if all, err := f.Edges(f.as("urn:li:corpuser:__datahub_system"), discover.EdgeQuery{Types: []string{"DownstreamOf"}, Count: 10}); err != nil || len(all.Edges) != 3 {
		t.Errorf("the system sees %+v (%v)", all.Edges, err)
	}
}
