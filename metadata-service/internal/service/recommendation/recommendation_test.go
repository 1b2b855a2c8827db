package recommendation_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/service/recommendation"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// shop returns a catalog with three datasets: one with a domain, and two with a tag.
func shop(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, "urn:li:domain:shop", "domainProperties", `{"name":"Shop"}`)
	for i, platform := range []string{"hive", "hive", "kafka"} {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:%s,orders%d,PROD)", platform, i))
		w.Put(t, u, "datasetProperties", fmt.Sprintf(`{"name":"orders%d"}`, i))
		if i == 0 {
			w.Put(t, u, "domains", `{"domains":["urn:li:domain:shop"]}`)
		}
		if i > 0 {
			w.Put(t, u, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"}]}`)
		}
	}
	return w
}

func TestModulesCountWhatIsThere(t *testing.T) {
	t.Parallel()
	w := shop(t)
	s := recommendation.New(w.Discover)
	for name, c := range map[string]struct {
		scenario recommendation.Scenario
		within   discover.SearchQuery
		limit    int
		want     []string
	}{
		"home": {recommendation.Home, discover.SearchQuery{}, 0,
			[]string{"Domains [{urn:li:domain:shop 1}]", "Platforms [{urn:li:dataPlatform:hive 2} {urn:li:dataPlatform:kafka 1}]", "TopTags [{urn:li:tag:pii 2}]"}},
		"two modules":            {recommendation.Home, discover.SearchQuery{}, 2, []string{"Domains [{urn:li:domain:shop 1}]", "Platforms [{urn:li:dataPlatform:hive 2} {urn:li:dataPlatform:kafka 1}]"}},
		"results of a search":    {recommendation.SearchResults, discover.SearchQuery{Text: "orders1"}, 0, []string{"TopTags [{urn:li:tag:pii 1}]"}},
		"a search without hits":  {recommendation.SearchResults, discover.SearchQuery{Text: "nothing"}, 0, nil},
		"pages nothing is known": {"SEARCH_BAR", discover.SearchQuery{}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			modules, err := s.Modules(w.As(t, servicetest.Jo), c.scenario, c.within, c.limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range modules {
				got = append(got, fmt.Sprint(m.ID, " ", m.Entries))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNobodyIsRecommendedNothing(t *testing.T) {
	t.Parallel()
	w := shop(t)
	if _, err := recommendation.New(w.Discover).Modules(t.Context(), recommendation.Home, discover.SearchQuery{}, 0); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("got %v", err)
	}
}
