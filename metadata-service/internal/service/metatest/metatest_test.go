package metatest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	invoices urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.invoices,PROD)"
	owned            = `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"}}`
)

type fixture struct {
	*testing.T
	*servicetest.World
	tests *metatest.Service
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel()
	return fixtureIn(t, servicetest.New(t))
}

func fixtureIn(t *testing.T, w *servicetest.World) *fixture {
	t.Helper()
	f := &fixture{t, w, metatest.New(metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Selector: w.Index, Log: w.Log})}
	for _, u := range []urn.URN{orders, invoices} {
		w.Put(t, u, "datasetProperties", `{"description":"x","customProperties":{},"tags":[]}`)
	}
	w.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	for _, tag := range []string{"good", "bad"} {
		w.Put(t, urn.URN("urn:li:tag:"+tag), "tagProperties", `{"name":"`+tag+`"}`)
	}
	return f
}

func (f *fixture) create(id, definition string) urn.URN {
	f.Helper()
	u, err := f.tests.Create(f.As(f.T, servicetest.Root), id, metatest.Info{Name: id, Category: "c", Definition: definition})
	if err != nil {
		f.Fatal(err)
	}
	return u
}

func (f *fixture) evaluate(asset urn.URN, keep bool, tests ...urn.URN) metatest.Outcome {
	f.Helper()
	o, err := f.tests.Evaluate(f.As(f.T, servicetest.Root), asset, tests, keep)
	if err != nil {
		f.Fatal(err)
	}
	return o
}

func spell(o metatest.Outcome) string {
	var parts []string
	for _, r := range o.Passing {
		parts = append(parts, "+"+r.Test.Key())
	}
	for _, r := range o.Failing {
		parts = append(parts, "-"+r.Test.Key())
	}
	return strings.Join(parts, " ")
}

func TestAnEvaluationTellsWhatPassesAndKeepsNothing(t *testing.T) {
	f := newFixture(t)
	f.create("owned", owned)
	f.create("charts", `{"on":{"types":["chart"]}}`)
	f.create("draft", `{}`)
	if got := spell(f.evaluate(orders, false)); got != "+owned" {
		t.Errorf("orders: %q", got)
	}
	if got := spell(f.evaluate(invoices, false)); got != "-owned" {
		t.Errorf("invoices: %q", got)
	}
	if got := f.Get(t, orders, "testResults"); got != "" {
		t.Errorf("kept %s", got)
	}
}

func TestKeptResultsAreTheAspectAndStayWhileNothingChanges(t *testing.T) {
	f := newFixture(t)
	a, b := f.create("a", owned), f.create("b", `{"on":{"types":["dataset"]},"rules":{"not":{"property":"hasOwners","operator":"is_true"}}}`)
	f.evaluate(orders, true)
	first := f.Get(t, orders, "testResults")
	var results struct {
		Passing, Failing []struct {
			Test, Type, TestDefinitionMd5 string
			LastComputed                  struct {
				Time  int64
				Actor string
			}
		}
	}
	if err := json.Unmarshal([]byte(first), &results); err != nil || len(results.Passing) != 1 || len(results.Failing) != 1 {
		t.Fatalf("%s: %v", first, err)
	}
	if p := results.Passing[0]; p.Test != string(a) || p.Type != "SUCCESS" || len(p.TestDefinitionMd5) != 32 || p.LastComputed.Time != f.Now().UnixMilli() || p.LastComputed.Actor != string(servicetest.Root) {
		t.Errorf("%+v", p)
	}
	if p := results.Failing[0]; p.Test != string(b) || p.Type != "FAILURE" {
		t.Errorf("%+v", p)
	}
	f.Pass(time.Hour)
	f.evaluate(orders, true)
	if again := f.Get(t, orders, "testResults"); again != first {
		t.Errorf("the same verdicts were written again: %s", again)
	}
	f.Put(t, orders, "ownership", `{"owners":[]}`)
	f.evaluate(orders, true, a)
	if got := f.Get(t, orders, "testResults"); strings.Count(got, `"FAILURE"`) != 2 || !strings.Contains(got, fmt.Sprint(f.Now().UnixMilli())) {
		t.Errorf("after one test was evaluated: %s", got)
	}
	if err := f.tests.Delete(f.As(t, servicetest.Root), b); err != nil {
		t.Fatal(err)
	}
	f.evaluate(orders, true)
	if got := f.Get(t, orders, "testResults"); strings.Contains(got, string(b)) {
		t.Errorf("the result of a deleted test stays: %s", got)
	}
}

func TestWhatCannotBeEvaluatedIsToldApart(t *testing.T) {
	f := newFixture(t)
	test := f.create("owned", owned)
	root := f.As(t, servicetest.Root)
	unknown := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,shop.nothing,PROD)")
	if _, err := f.tests.Evaluate(root, unknown, nil, false); !errors.Is(err, fault.NotFound) {
		t.Errorf("an unknown asset: %v", err)
	}
	if _, err := f.tests.Evaluate(root, orders, []urn.URN{test, "urn:li:test:none"}, false); !errors.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "urn:li:test:none") {
		t.Errorf("an unknown test: %v", err)
	}
	if _, err := f.tests.Evaluate(root, orders, make([]urn.URN, metatest.MaxTests+1), false); !errors.Is(err, fault.TooLarge) {
		t.Errorf("too many tests: %v", err)
	}
	if _, err := f.tests.Evaluate(f.As(t, servicetest.Jo), orders, nil, true); !errors.Is(err, fault.Forbidden) {
		t.Errorf("keeping without the right: %v", err)
	}
	f.Put(t, orders, "status", `{"removed":true}`)
	if o := f.evaluate(orders, true); spell(o) != "" || f.Get(t, orders, "testResults") != "" {
		t.Errorf("a soft-deleted asset: %q", spell(o))
	}
}

func TestTestsAreRefusedWithTheirProblems(t *testing.T) {
	f := newFixture(t)
	root := f.As(t, servicetest.Root)
	info := metatest.Info{Name: "n", Category: "c", Definition: `{"on":{"types":["dataset"]},"actions":{"failing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad","urn:li:tag:gone"]}}]}}`}
	_, err := f.tests.Create(root, "x", info)
	var problems *language.Error
	if !errors.As(err, &problems) || len(problems.Problems) != 1 || problems.Problems[0].Path != "actions.failing[0].params.tags[1]" {
		t.Errorf("%v", err)
	}
	if _, err := f.tests.Create(f.As(t, servicetest.Jo), "x", info); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
	u := f.create("x", owned)
	if _, err := f.tests.Create(root, "x", metatest.Info{Name: "n", Category: "c"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("a taken id: %v", err)
	}
	if err := f.tests.Update(root, u, metatest.Info{Name: "n", Category: "c", Definition: "on: {types: [nothing]}"}); !errors.As(err, &problems) {
		t.Errorf("a bad update: %v", err)
	}
	if got := f.Get(t, u, "testInfo"); !strings.Contains(got, "hasOwners") {
		t.Errorf("a refused update changed the test: %s", got)
	}
}

func TestActionsAreDoneOnceAndTakenBackIfTheTestSaysSo(t *testing.T) {
	f := newFixture(t)
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:bad"}]}`)
	f.create("marks", `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"},
	  "actions":{"undo":true,"passing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:good"]}}],"failing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad"]}},{"type":"SET_DEPRECATION","params":{"note":"nobody owns it"}}]}}`)
	tags := func(u urn.URN) string {
		var labels struct {
			Tags []struct {
				Tag         string
				Attribution struct{ Source string }
			}
		}
		if text := f.Get(t, u, "globalTags"); text != "" {
			if err := json.Unmarshal([]byte(text), &labels); err != nil {
				t.Fatal(err)
			}
		}
		var out []string
		for _, l := range labels.Tags {
			out = append(out, urn.URN(l.Tag).Key()+"/"+urn.URN(l.Attribution.Source).Key())
		}
		return strings.Join(out, " ")
	}
	f.evaluate(orders, true)
	if got := tags(orders); got != "bad/ good/marks" {
		t.Errorf("after passing: %q", got)
	}
	f.evaluate(orders, true)
	if got := tags(orders); got != "bad/ good/marks" {
		t.Errorf("after passing again: %q", got)
	}
	f.Put(t, orders, "ownership", `{"owners":[]}`)
	f.evaluate(orders, true)
	if got, deprecated := tags(orders), f.Get(t, orders, "deprecation"); got != "bad/" || !strings.Contains(deprecated, `"deprecated":true`) {
		t.Errorf("after failing: %q, %s", got, deprecated)
	}
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	f.evaluate(orders, true)
	if got, deprecated := tags(orders), f.Get(t, orders, "deprecation"); got != "bad/ good/marks" || !strings.Contains(deprecated, `"deprecated":false`) {
		t.Errorf("after passing once more: %q, %s", got, deprecated)
	}
}

func TestFactsBeyondTheAssetAreRead(t *testing.T) {
	f := newFixture(t)
	f.Put(t, "urn:li:corpuser:jo", "groupMembership", `{"groups":["urn:li:corpGroup:core"]}`)
	f.Put(t, invoices, "upstreamLineage", `{"upstreams":[{"dataset":"`+string(orders)+`","type":"TRANSFORMED"}]}`)
	for i, rows := range []int{10, 30} {
		f.Put(t, orders, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, f.Now().AddDate(0, 0, -i-1).UnixMilli(), rows))
	}
	f.Put(t, orders, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":5000}`, f.Now().AddDate(0, 0, -40).UnixMilli()))
	check := func(property, operator, values string) string {
		return `{"on":{"types":["dataset"]},"rules":{"property":"` + property + `","operator":"` + operator + `","values":` + values + `}}`
	}
	f.create("group", check("ownership.owners.owner.groupMembership.groups", "equals", `["urn:li:corpGroup:core"]`))
	f.create("used", check("relationships.DownstreamOf.incoming", "greater_than", `[0]`))
	f.create("sum", check("timeseries.datasetProfile.rowCount.sum.30d", "equals", `[40]`))
	f.create("latest", check("timeseries.datasetProfile.rowCount.latest.30d", "equals", `[10]`))
	f.create("avg", check("timeseries.datasetProfile.rowCount.avg.30d", "equals", `[20]`))
	f.create("max", check("timeseries.datasetProfile.rowCount.max.60d", "equals", `[5000]`))
	f.create("count", check("timeseries.datasetProfile.rowCount.count.60d", "equals", `[3]`))
	if got := spell(f.evaluate(orders, false)); got != "+avg +count +group +latest +max +sum +used" {
		t.Errorf("orders: %q", got)
	}
	if got := spell(f.evaluate(invoices, false)); got != "-avg -count -group -latest -max -sum -used" {
		t.Errorf("invoices: %q", got)
	}
}

// TestAllAssetsAreEvaluatedByIndexAndByFacts evaluates the same tests with the index, without it,
// and asset by asset.
func TestAllAssetsAreEvaluatedByIndexAndByFacts(t *testing.T) {
	f := newFixture(t)
	f.create("indexed", `{"on":{"types":["dataset"],"conditions":{"property":"hasOwners","operator":"is_true"}},"rules":{"property":"owners","operator":"equals","values":["urn:li:corpuser:jo"]}}`)
	f.create("facts", `{"on":{"types":["dataset"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["^x[0-9]$"]}}`)
	f.create("half", `{"on":{"types":["dataset"],"conditions":{"property":"hasOwners","operator":"is_false"}},"rules":{"property":"relationships.DownstreamOf.incoming","operator":"greater_than","values":[0]}}`)
	f.create("tags", `{"on":{"types":["tag"]}}`)
	for i := range 250 {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%d,PROD)", i))
		f.Put(t, u, "datasetProperties", fmt.Sprintf(`{"description":"x%d","customProperties":{},"tags":[]}`, i))
		if i%3 == 0 {
			f.Put(t, u, "ownership", fmt.Sprintf(`{"owners":[{"owner":"urn:li:corpuser:%s","type":"TECHNICAL_OWNER"}]}`, []string{"jo", "mia"}[i%2]))
		}
		if i == 7 {
			f.Put(t, u, "status", `{"removed":true}`)
		}
	}
	root := f.As(t, servicetest.Root)
	pages := 0
	first, err := f.tests.EvaluateAll(root, nil, func(metatest.Sweep) { pages++ })
	if err != nil || first.Assets != 254 || first.Changed != 253 || pages != 4 {
		t.Errorf("%+v in %d pages, %v", first, pages, err)
	}
	results := func() map[urn.URN]string {
		out := map[urn.URN]string{}
		for i := range 250 {
			u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%d,PROD)", i))
			out[u] = f.Get(t, u, "testResults")
		}
		return out
	}
	byIndex := results()
	if got := byIndex["urn:li:dataset:(urn:li:dataPlatform:hive,many.t7,PROD)"]; got != "" {
		t.Errorf("a soft-deleted asset has results: %s", got)
	}
	again, err := f.tests.EvaluateAll(root, nil, nil)
	if err != nil || again.Changed != 0 || again.Passing != first.Passing || again.Failing != first.Failing {
		t.Errorf("evaluated again: %+v, %v", again, err)
	}
	plain := metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Log: f.Log})
	byFacts, err := plain.EvaluateAll(root, nil, nil)
	if err != nil || byFacts.Changed != 0 || byFacts.Passing != first.Passing || byFacts.Failing != first.Failing {
		t.Errorf("without the index: %+v, %v", byFacts, err)
	}
	for u, kept := range byIndex {
		if o := f.evaluate(u, true); kept != "" && len(o.Passing)+len(o.Failing) == 0 {
			t.Errorf("%s alone has no results, and %s before", u, kept)
		}
	}
	for u, kept := range results() {
		if kept != byIndex[u] {
			t.Errorf("%s alone has %s, want %s", u, kept, byIndex[u])
		}
	}
	if _, err := f.tests.EvaluateAll(f.As(t, servicetest.Jo), nil, nil); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
}

func TestAChangeEvaluatesTheTestsThatItConcerns(t *testing.T) {
	f := newFixture(t)
	sink := metatest.NewOnChange(f.tests, true)
	system := f.As(t, model.SystemActor)
	from := uint64(0)
	apply := func() {
		t.Helper()
		entries, err := f.Store.Entries(t.Context(), from, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		from = entries[len(entries)-1].Sequence
		if err := sink.Apply(store.WithOrigin(system, sink.Name()), entries); err != nil {
			t.Fatal(err)
		}
	}
	f.create("owned", owned)
	f.create("tags", `{"on":{"types":["dataset"]},"rules":{"property":"tags","operator":"exists"},"actions":{"failing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad"]}}]}}`)
	f.create("untags", `{"on":{"types":["dataset"]},"rules":{"property":"tags","operator":"not_exists"},"actions":{"failing":[{"type":"REMOVE_TAGS","params":{"tags":["urn:li:tag:bad"]}}]}}`)
	if found, err := f.tests.Conflicts(f.As(t, servicetest.Root), `{"on":{"types":["chart","dataset"]},"actions":{"passing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:good","urn:li:tag:bad"]}}]}}`, ""); err != nil || len(found) != 1 || found[0].Other("") != "urn:li:test:untags" || found[0].Entity != "urn:li:tag:bad" {
		t.Errorf("who adds what another test takes away is told %+v, %v", found, err)
	}
	if found, err := f.tests.Conflicts(f.As(t, servicetest.Root), `{"on":{"types":["chart"]},"actions":{"passing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad"]}}]}}`, ""); err != nil || len(found) != 0 {
		t.Errorf("tests about other assets conflict: %+v, %v", found, err)
	}
	apply()
	if !sink.Stale() || sink.Stale() {
		t.Error("a new test does not ask for all assets to be evaluated, or asks for ever")
	}
	before := f.Get(t, invoices, "testResults")
	f.Put(t, invoices, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	apply()
	if got := f.Get(t, invoices, "testResults"); got == before || strings.Count(got, "urn:li:test:owned") != 1 || !strings.Contains(got[strings.Index(got, `"passing"`):], "urn:li:test:owned") {
		t.Errorf("before %s\nafter %s", before, got)
	}
	for range 3 {
		if last, _ := f.Store.Last(); last == from {
			break
		}
		apply()
	}
	if last, _ := f.Store.Last(); last != from {
		t.Error("tests that undo one another go on for ever")
	}
	f.Put(t, invoices, "datasetProperties", `{"description":"new","customProperties":{},"tags":[]}`)
	apply()
	if now, _ := f.Store.Last(); now != from {
		t.Error("a change that no test looks at was evaluated")
	}
}

func TestAPreviewCountsAndShowsOnlyWhatMayBeViewed(t *testing.T) {
	f := newFixture(t)
	for i := range 30 {
		f.Put(t, urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%02d,PROD)", i)), "datasetProperties", fmt.Sprintf(`{"description":"x%d","customProperties":{},"tags":[]}`, i))
	}
	f.Put(t, invoices, "status", `{"removed":true}`)
	before, _ := f.Store.Last()
	root := f.As(t, servicetest.Root)
	facts := `{"on":{"types":["dataset"]},"rules":{"property":"datasetProperties.description","operator":"regex","values":["^x1"]},"actions":{"failing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad"]}}]}}`
	for name, definition := range map[string]string{"by the index": owned, "by facts": facts, "a draft": "{}"} {
		got, err := f.tests.Preview(root, definition, 0, false)
		if err != nil || !got.Complete {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		want := map[string][4]int{"by the index": {31, 1, 1, 10}, "by facts": {31, 11, 10, 10}, "a draft": {}}[name]
		if have := [4]int{got.Selected, got.Passing, len(got.PassingExamples), len(got.FailingExamples)}; have != want || got.Failing != got.Selected-got.Passing {
			t.Errorf("%s: %+v, want %v", name, got, want)
		}
	}
	if after, _ := f.Store.Last(); after != before {
		t.Errorf("a preview wrote %d entries", after-before)
	}
	const kim urn.URN = "urn:li:corpuser:kim"
	f.Put(t, kim, "corpUserInfo", `{"active":true,"displayName":"kim"}`)
	f.Put(t, "urn:li:chart:(looker,sales)", "chartInfo", `{"title":"Sales","description":"","lastModified":{}}`)
	f.Policy(t, "previewer", []auth.Privilege{auth.ManageTests}, nil, kim)
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset"}, servicetest.Root)
	f.Policy(t, "previewer-views", []auth.Privilege{auth.ViewPage}, []string{"chart"}, kim)
	got, err := f.tests.Preview(f.As(t, kim), `{"on":{"types":["dataset","chart"]},"rules":{"property":"hasOwners","operator":"is_true"}}`, 100, false)
	if err != nil || got.Passing != 1 || got.Failing != 31 || len(got.PassingExamples) != 0 || len(got.FailingExamples) != 1 {
		t.Errorf("what may not be viewed: %+v, %v", got, err)
	}
}

func TestAPreviewIsRefusedWithItsReason(t *testing.T) {
	f := newFixture(t)
	root := f.As(t, servicetest.Root)
	var problems *language.Error
	if _, err := f.tests.Preview(root, `{"on":{"types":["nothing"]}}`, 0, false); !errors.As(err, &problems) || problems.Problems[0].Path != "on.types[0]" {
		t.Errorf("a bad definition: %v", err)
	}
	for _, limit := range []int{-1, metatest.MaxExamples + 1} {
		if _, err := f.tests.Preview(root, owned, limit, false); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "limit") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if _, err := f.tests.Preview(f.As(t, servicetest.Jo), owned, 0, false); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
}
