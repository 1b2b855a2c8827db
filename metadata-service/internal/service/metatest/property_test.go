package metatest_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// define creates a structured property of datasets.
func (f *fixture) define(id, name, valueType string) {
	f.Helper()
	f.Put(f.T, urn.URN("urn:li:structuredProperty:"+id), "propertyDefinition", fmt.Sprintf(
		`{"qualifiedName":%q,"valueType":"urn:li:dataType:datahub.%s","cardinality":"SINGLE","entityTypes":["urn:li:entityType:datahub.dataset"]}`, name, valueType))
}

func assign(id, value string) string {
	return fmt.Sprintf(`{"properties":[{"propertyUrn":"urn:li:structuredProperty:%s","values":[{"string":%q}]}]}`, id, value)
}

// TestStructuredPropertiesAreDecidedByTheIndexAndReadNoAsset counts reads: one for the definitions
// of properties, and two more where assets are read.
func TestStructuredPropertiesAreDecidedByTheIndexAndReadNoAsset(t *testing.T) {
	f := newFixture(t)
	reader := &interrupted{Reader: f.Store}
	tests := metatest.New(metatest.Config{Edit: f.Edit, Reader: reader, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Log: f.Log})
	f.define("team", "io.team", "string")
	f.define("reviewed", "reviewed", "date")
	f.Put(t, orders, "structuredProperties", assign("team", "core"))
	f.Put(t, invoices, "structuredProperties", assign("reviewed", "2020-01-31"))
	for definition, want := range map[string]string{
		`{"property":"structuredProperties.urn:li:structuredProperty:team","operator":"equals","value":"core"}`:        "1 passing, 1 failing, 1 reads",
		`{"property":"structuredProperties.urn:li:structuredProperty:reviewed","operator":"before","value":"-30d"}`:    "1 passing, 1 failing, 1 reads",
		`{"property":"structuredProperties.urn:li:structuredProperty:reviewed","operator":"after","value":"-30d"}`:     "0 passing, 2 failing, 1 reads",
		`{"property":"structuredProperties.urn:li:structuredProperty:reviewed","operator":"contains","value":"20-01"}`: "1 passing, 1 failing, 3 reads",
	} {
		reader.reads.Store(0)
		p, err := tests.Preview(f.As(t, servicetest.Root), `{"on":{"types":["dataset"]},"rules":`+definition+`}`, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d passing, %d failing, %d reads", p.Passing, p.Failing, reader.reads.Load()); got != want {
			t.Errorf("%s: %s, want %s", definition, got, want)
		}
	}
}
