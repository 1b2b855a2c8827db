package discover_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// alternatives returns a filter with n alternatives, each with another tag.
func alternatives(n int) search.Filter {
	filter := make(search.Filter, n)
	for i := range filter {
		filter[i] = []search.Criterion{{Field: "tags", Values: []string{fmt.Sprintf("urn:li:tag:%d", i)}}}
	}
	return filter
}

// oversized are filters beyond each limit of the port, with the texts of their refusals.
func oversized() map[string]struct {
	filters []search.Filter
	want    string
} {
	values := search.Filter{{{Field: "tags", Condition: discover.DescendantsIncl, Values: make([]string, search.MaxValues)}}}
	criteria := search.Filter{make([]search.Criterion, search.MaxCriteria)}
	return map[string]struct {
		filters []search.Filter
		want    string
	}{
		"alternatives":                {[]search.Filter{alternatives(search.MaxAlternatives + 1)}, "filter: 10001 alternatives, those of a view included, at most 10000"},
		"alternatives of two filters": {[]search.Filter{alternatives(search.MaxAlternatives / 2), alternatives(search.MaxAlternatives/2 + 1)}, "filter: 10001 alternatives"},
		"criteria":                    {[]search.Filter{criteria, alternatives(1)}, "filter: 20001 criteria, at most 20000"},
		"values":                      {[]search.Filter{values, alternatives(1)}, "filter: 20001 values, at most 20000"},
	}
}

func TestFiltersBeyondTheLimitsAreRefusedBeforeAnythingIsMadeOfThem(t *testing.T) {
	f := newFixture(t, inMemory())
	f.shop()
	ctx := f.as(jo)
	for name, c := range oversized() {
		q := discover.SearchQuery{Filter: c.filters[0], And: c.filters[1:]}
		calls := map[string]func() error{
			"search": func() error { _, err := f.Search(ctx, q); return err },
			"browse": func() error {
				_, err := f.Browse(ctx, discover.BrowseQuery{SearchQuery: q})
				return err
			},
			"lineage": func() error {
				_, err := f.SearchLineage(ctx, discover.LineageQuery{SearchQuery: q, URN: table("orders"), Direction: "UPSTREAM"})
				return err
			},
			"autocomplete": func() error {
				_, err := f.Autocomplete(ctx, search.AutocompleteQuery{Text: "o", Filter: q.Filter, And: q.And})
				return err
			},
			"scroll id": func() error { _, err := f.ScrollAt(ctx, q, search.Hit{}); return err },
		}
		if len(c.filters) < 3 {
			ends := append(c.filters, nil)
			calls["edges"] = func() error {
				_, err := f.Edges(ctx, discover.EdgeQuery{Sources: ends[0], Destinations: ends[1], Count: 1})
				return err
			}
		}
		for api, call := range calls {
			wantFault(t, call(), fault.Malformed, c.want)
			// The refusal itself makes about ten allocations; a slice for each alternative would
			// make thousands.
			if made := testing.AllocsPerRun(3, func() { _ = call() }); made > 100 {
				t.Errorf("%s of too many %s allocates %.0f times before it is refused", api, name, made)
			}
		}
	}
}

func TestFiltersWithinTheLimitsAreAnswered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.put(table("both"), "globalTags", `{"tags":[{"tag":"urn:li:tag:7"},{"tag":"urn:li:tag:900"}]}`)
	f.put(table("none"), "globalTags", `{"tags":[{"tag":"urn:li:tag:5000"}]}`)
	half := search.MaxAlternatives / 2
	q := discover.SearchQuery{Filter: alternatives(half)[:1000], And: []search.Filter{alternatives(half)}, Facets: []string{}, Size: 10}
	page, err := f.Search(f.as(jo), q)
	if err != nil || page.Total != 1 || page.Hits[0].URN != table("both") {
		t.Errorf("1000 and %d alternatives find %v of %d (%v)", half, found(page.Hits), page.Total, err)
	}
	q.Filter = alternatives(half - 1) // the default exclusions count as an alternative
	if page, err := f.Search(f.as(jo), q); err != nil || page.Total != 1 {
		t.Errorf("as many as are allowed find %d (%v)", page.Total, err)
	}
}

// Every domain of a chain of 30 is above or below all others, so each value stands for 30.
func TestAHierarchyIsNotFollowedBeyondTheLimit(t *testing.T) {
	f := newFixture(t, inMemory())
	f.chain(30)
	ask := func(alternatives, values int) error {
		var filter search.Filter
		for i := range alternatives {
			c := search.Criterion{Field: "domains", Condition: discover.RelatedIncl, Values: make([]string, values)}
			for j := range c.Values {
				c.Values[j] = string(link((i + j) % 30))
			}
			filter = append(filter, []search.Criterion{c})
		}
		_, err := f.Search(f.as(jo), discover.SearchQuery{Filter: filter, Facets: []string{}})
		return err
	}
	if err := ask(search.MaxValues/30, 1); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	if err := ask(1, search.MaxValues/2); err != nil {
		t.Errorf("the same values again stand for no more: %v", err)
	}
	wantFault(t, ask(search.MaxValues/30+1, 1), fault.Malformed, "filter on domains: with the entities above and below, there are more than 20000")
}

func link(i int) urn.URN { return urn.URN(fmt.Sprintf("urn:li:domain:d%d", i)) }

// chain writes domains, each below the one before.
func (f *fixture) chain(n int) {
	f.t.Helper()
	f.put(link(0), "domainProperties", `{"name":"d"}`)
	for i := range n - 1 {
		f.put(link(i+1), "domainProperties", `{"name":"d","parentDomain":"`+string(link(i))+`"}`)
	}
}

// Ancestors and descendants of the values of many criteria are looked up once, and the look-up
// yields to other requests.
func TestHierarchiesOfAllCriteriaAreLookedUpOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	const links = 60
	f.chain(links)
	var taken time.Duration
	f.Work = func(_ context.Context, d time.Duration) error {
		taken += d
		return nil
	}
	work := func(criteria, values int) time.Duration {
		var filter search.Filter
		for i := range criteria {
			c := search.Criterion{Field: "domains", Condition: discover.RelatedIncl}
			for j := range values {
				c.Values = append(c.Values, string(link((i*7+j)%links)))
			}
			filter = append(filter, []search.Criterion{c})
		}
		taken = 0
		if _, err := f.Search(f.as(jo), discover.SearchQuery{Filter: filter, Facets: []string{}}); err != nil {
			t.Fatal(err)
		}
		return taken
	}
	one, many := work(1, links), work(50, links)
	if one == 0 || many > 2*one {
		t.Errorf("50 criteria take %s, one %s", many, one)
	}
	refusal := errors.New("no turn")
	f.Work = func(context.Context, time.Duration) error { return refusal }
	c := search.Criterion{Field: "domains", Condition: discover.AncestorsIncl, Values: []string{string(link(9))}}
	if _, err := f.Search(f.as(jo), discover.SearchQuery{Filter: search.Filter{{c}}}); !errors.Is(err, refusal) {
		t.Errorf("without a turn: %v", err)
	}
}
