package metatest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	source urn.URN = "urn:li:dataHubIngestionSource:nightly"
	recipe string  = `{"name":"nightly","type":"mysql","config":{"recipe":"{\"password\":\"zz\"}"}}`
	// spelling guesses a recipe character by character.
	spelling string = `{"on":{"types":["dataHubIngestionSource"]},"rules":{"property":"dataHubIngestionSourceInfo.config.recipe","operator":"starts_with","values":["{\"password\":\"z"]}}`
)

func TestNoTestIsAboutWhatHoldsRecipes(t *testing.T) {
	f := newFixture(t)
	f.Put(t, source, "dataHubIngestionSourceInfo", recipe)
	root := f.As(t, servicetest.Root)
	stored := f.create("stored", owned)
	preview, err := f.tests.Preview(root, spelling, 0, false)
	if preview.Passing != 0 {
		t.Errorf("a preview tells that %d recipes begin so", preview.Passing)
	}
	_, created := f.tests.Create(root, "new", metatest.Info{Name: "n", Category: "c", Definition: spelling})
	for name, err := range map[string]error{
		"preview": err, "create": created,
		"update": f.tests.Update(root, stored, metatest.Info{Name: "n", Category: "c", Definition: spelling}),
	} {
		var problems *language.Error
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), "type dataHubIngestionSource") {
			t.Errorf("%s: %v, want a problem that names the type", name, err)
		}
	}
}

func TestAStoredTestOfATypeThatCarriesNoResultsKeepsNoRunFromEnding(t *testing.T) {
	f := newFixture(t)
	f.Put(t, source, "dataHubIngestionSourceInfo", recipe)
	m := f.begin(memory.NewTaskStore(), f.Store)
	bad, _ := f.create("bad", owned), f.create("good", owned)
	text, err := json.Marshal(spelling)
	if err != nil {
		t.Fatal(err)
	}
	f.storeInvalid(bad, `{"category":"c","definition":{"json":`+string(text)+`,"type":"JSON"},"name":"bad"}`)
	run := f.evaluateAll(m)
	if run.State != task.Succeeded || len(run.Invalid) != 1 || run.Invalid[0].Test != bad || run.Counts.Passing != 1 {
		t.Errorf("run %+v", run)
	}
}

func TestRulesReadNothingOfTheInstallation(t *testing.T) {
	f := newFixture(t)
	const page urn.URN = "urn:li:document:private"
	const jo = `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`
	f.Put(t, source, "ownership", jo)
	f.Put(t, page, "ownership", jo)
	f.Put(t, invoices, "deprecation", `{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo","replacement":"`+string(page)+`"}`)
	f.Put(t, orders, "deprecation", `{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo","replacement":"`+string(invoices)+`"}`)
	f.Put(t, invoices, "ownership", jo)
	f.Put(t, "urn:li:corpuser:jo", "corpUserInfo", `{"active":true}`)
	f.create("behind", `{"on":{"types":["dataset"]},"rules":{"property":"deprecation.replacement.ownership.owners.owner","operator":"equals","values":["urn:li:corpuser:jo"]}}`)
	if got := spell(f.evaluate(invoices, false)) + spell(f.evaluate(orders, false)); got != "-behind+behind" {
		t.Errorf("behind references to a document and to a dataset: %q", got)
	}
	f.create("owns", `{"on":{"types":["corpuser"]},"rules":{"property":"relationships.OwnedBy.incoming","operator":"equals","values":[2]}}`)
	if got := spell(f.evaluate("urn:li:corpuser:jo", false)); got != "+owns" {
		t.Errorf("jo owns two datasets, a document and a source: %q", got)
	}
}
