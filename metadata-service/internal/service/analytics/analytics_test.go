package analytics_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/service/analytics"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// shop returns a catalog with three datasets: one in a domain, two with tags, one with an owner.
func shop(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, "urn:li:domain:shop", "domainProperties", `{"name":"Shop"}`)
	for i, platform := range []string{"hive", "hive", "kafka"} {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:%s,orders%d,PROD)", platform, i))
		w.Put(t, u, "datasetProperties", `{"name":"orders"}`)
		if i == 0 {
			w.Put(t, u, "domains", `{"domains":["urn:li:domain:shop"]}`)
			w.Put(t, u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}]}`)
		}
		if i > 0 {
			w.Put(t, u, "globalTags", `{"tags":[{"tag":"urn:li:tag:unnamed"}]}`)
		}
	}
	return w
}

func TestTheLandscapeIsCounted(t *testing.T) {
	t.Parallel()
	w := shop(t)
	s := analytics.New(w.Discover, w.Catalog, w.Rights)
	for name, c := range map[string]struct {
		within discover.SearchQuery
		want   []string
	}{
		"datasets": {discover.SearchQuery{Types: []string{"dataset"}}, []string{
			"Assets by Type [{dataset dataset 3}]",
			"Assets by Platform [{urn:li:dataPlatform:hive Hive 2} {urn:li:dataPlatform:kafka Kafka 1}]",
			"Assets by Domain [{urn:li:domain:shop Shop 1}]",
			"Assets by Tag [{urn:li:tag:unnamed unnamed 2}]",
			"Assets by Environment [{PROD PROD 3}]",
		}},
		"what is not there": {discover.SearchQuery{Types: []string{"chart"}}, nil},
	} {
		charts, err := s.Landscape(w.As(t, servicetest.Jo), c.within)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, chart := range charts {
			got = append(got, fmt.Sprint(chart.Title, " ", chart.Bars))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

func TestHighlightsTellHowWellAssetsAreDescribed(t *testing.T) {
	t.Parallel()
	w := shop(t)
	found, err := analytics.New(w.Discover, w.Catalog, w.Rights).Highlights(w.As(t, servicetest.Jo))
	if err != nil {
		t.Fatal(err)
	}
	want := []analytics.Highlight{
		{Value: 3, Title: "Datasets", Body: "33% have owners, 67% tags, 0% glossary terms, 33% a domain."},
		{Value: 1, Title: "Domains"}, {Value: 3, Title: "Users"},
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("got  %v\nwant %v", found, want)
	}
}

func TestOthersSeeNothing(t *testing.T) {
	t.Parallel()
	w := shop(t)
	s := analytics.New(w.Discover, w.Catalog, servicetest.Grants{})
	_, landscape := s.Landscape(w.As(t, servicetest.Jo), discover.SearchQuery{})
	_, highlights := s.Highlights(w.As(t, servicetest.Jo))
	for _, err := range []error{landscape, highlights} {
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("got %v, want forbidden", err)
		}
	}
}

// TestValuesThatNameNoEntityOfTheChartAreLeftOut: any user who creates datasets may put a URN of
// another type, or of an entity that few may read, in place of the platform.
func TestValuesThatNameNoEntityOfTheChartAreLeftOut(t *testing.T) {
	t.Parallel()
	w := shop(t)
	for _, platform := range []string{"urn:li:dataplatform:hive", "urn:li:dataHubSecret:x", "urn:li:dataHubPolicy:0", "urn:li:corpuser:jo", "urn:li:zzz:1"} {
		w.Put(t, urn.Make("dataset", platform, "bad", "PROD"), "datasetProperties", `{"name":"bad"}`)
	}
	charts, err := analytics.New(w.Discover, w.Catalog, w.Rights).Landscape(w.As(t, servicetest.Jo), discover.SearchQuery{Types: []string{"dataset"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range charts {
		if got, want := fmt.Sprint(c.Bars), "[{urn:li:dataPlatform:hive Hive 2} {urn:li:dataPlatform:kafka Kafka 1}]"; c.Field == "platform" && got != want {
			t.Errorf("%s: %s", c.Title, got)
		}
	}
}
