package discover_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestFiltersOnSoftDeletedPropertiesAreRefused(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.write(withProperty("gold")...)
		fields := []string{
			"structuredProperties.team.cost", "structuredProperties.team_cost", "structuredProperties.team.cost.keyword",
			"structuredProperties.team_cost.delimited", "structuredProperties._versioned.team_cost.20260101000000.string",
		}
		ask := func(field string) error {
			filter := search.Filter{{{Field: field, Values: []string{"gold"}}}}
			_, err := f.Search(f.as(root), discover.SearchQuery{Filter: filter, Size: 10})
			return err
		}
		for _, field := range fields {
			if err := ask(field); err != nil {
				t.Fatalf("%s: %v", field, err)
			}
		}
		f.put(property, "status", `{"removed":true}`)
		for _, field := range fields {
			if err := ask(field); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), string(property)) {
				t.Errorf("%s gives %v, want a bad request that names the property", field, err)
			}
		}
		if err := ask("structuredProperties.team.other"); err != nil {
			t.Errorf("a property nobody defined gives %v", err)
		}
		f.put(property, "status", `{"removed":false}`)
		if err := ask(fields[0]); err != nil {
			t.Errorf("a restored property gives %v", err)
		}
	})
}
