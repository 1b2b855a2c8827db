package metatest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func findings(list []metatest.Finding) string {
	var out []string
	for _, f := range list {
		text := fmt.Sprintf("%s %d %q", f.Path, f.Total, f.Found)
		if f.Hidden {
			text = f.Path + " hidden"
		}
		if f.Met {
			text += " met"
		}
		if f.Decisive {
			text += " decisive"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestAPreviewTellsWhyAssetsFail(t *testing.T) {
	f := newFixture(t)
	for i := range 30 {
		f.Put(t, urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%02d,PROD)", i)), "datasetProperties", fmt.Sprintf(`{"description":"x%d","customProperties":{},"tags":[]}`, i))
	}
	root := f.As(t, servicetest.Root)
	for name, rule := range map[string]string{
		"by the index": `{"property":"description","operator":"ends_with","values":["5","7"]}`,
		"by facts":     `{"property":"datasetProperties.description","operator":"regex","values":["[57]$"]}`,
	} {
		definition := `{"on":{"types":["dataset"]},"rules":[{"property":"hasOwners","operator":"is_true"},` + rule + `]}`
		got, err := f.tests.Preview(root, definition, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		if got.Failing != 32 || got.Explained != 32 || len(got.Reasons) != 2 {
			t.Fatalf("%s: %+v", name, got)
		}
		if a, b := got.Reasons[0], got.Reasons[1]; a.Path != "rules[0]" || a.Count != 31 || a.Operator != "is_true" || b.Path != "rules[1]" || b.Count != 26 {
			t.Errorf("%s: %+v", name, got.Reasons)
		}
		if len(got.Failures) != 2 || got.FailingExamples[0] != "urn:li:dataset:(urn:li:dataPlatform:hive,many.t00,PROD)" {
			t.Fatalf("%s: %+v", name, got)
		}
		if have := findings(got.Failures[0]); have != `rules[0] 1 ["false"] decisive; rules[1] 1 ["x0"] decisive` {
			t.Errorf("%s: %s", name, have)
		}
		if plain, err := f.tests.Preview(root, definition, 2, false); err != nil || plain.Reasons != nil || plain.Failures != nil {
			t.Errorf("%s, not to be explained: %+v, %v", name, plain, err)
		}
	}
}

func TestReasonsAreCountedOfSoManyAssetsAndNoMore(t *testing.T) {
	f := newFixture(t)
	const more = metatest.MaxExplained + 5
	var batch []catalog.Proposal
	for i := range more {
		batch = append(batch, catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%05d,PROD)", i)), "status", `{"removed":false}`))
	}
	for page := range slices.Chunk(batch, 500) {
		if _, err := f.Catalog.Write(asSystem(t), page, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.tests.Preview(f.As(t, servicetest.Root), owned, 1, true)
	if err != nil || got.Failing != more+1 || got.Explained != metatest.MaxExplained || got.Reasons[0].Count != metatest.MaxExplained {
		t.Errorf("%d fail, %d explained, %+v, %v", got.Failing, got.Explained, got.Reasons, err)
	}
}

func TestValuesThatTheActorMayNotReadAreNotTold(t *testing.T) {
	t.Parallel()
	f := fixtureIn(t, servicetest.NewViewing(t))
	const kim, secret urn.URN = "urn:li:corpuser:kim", "urn:li:domain:secret"
	f.Put(t, kim, "corpUserInfo", `{"active":true,"displayName":"kim"}`)
	f.Put(t, secret, "domainProperties", `{"name":"Takeover of Rival"}`)
	f.Put(t, orders, "domains", `{"domains":["`+string(secret)+`"]}`)
	f.Policy(t, "tester", []auth.Privilege{auth.ManageTests}, nil, kim)
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset", "domain"}, servicetest.Root)
	f.Policy(t, "views-datasets", []auth.Privilege{auth.ViewPage}, []string{"dataset"}, kim)
	definition := `{"on":{"types":["dataset"],"conditions":{"property":"urn","operator":"equals","value":"` + string(orders) + `"}},"rules":[{"property":"domains","operator":"not_exists"},` +
		`{"property":"domains.domains.domainProperties.name","operator":"equals","value":"Sales"},{"property":"datasetProperties.description","operator":"equals","value":"y"}]}`
	test := f.create("hidden", definition)
	shown := map[urn.URN]string{
		servicetest.Root: `rules[0] 1 ["urn:li:domain:secret"] decisive; rules[1] 1 ["Takeover of Rival"] decisive; rules[2] 1 ["x"] decisive`,
		kim:              `rules[0] hidden decisive; rules[1] hidden decisive; rules[2] 1 ["x"] decisive`,
	}
	for actor, want := range shown {
		ctx := f.As(t, actor)
		got, err := f.tests.Preview(ctx, definition, 5, true)
		if err != nil || len(got.Failures) != 1 {
			t.Fatalf("%s: %+v, %v", actor, got, err)
		}
		if have := findings(got.Failures[0]); have != want {
			t.Errorf("%s is told %s", actor, have)
		}
		outcome, err := f.tests.Explain(ctx, orders, []urn.URN{test}, false)
		if err != nil || len(outcome.Failing) != 1 {
			t.Fatalf("%s: %+v, %v", actor, outcome, err)
		}
		if have := findings(outcome.Failing[0].Findings); have != want {
			t.Errorf("about one asset %s is told %s", actor, have)
		}
	}
}

func TestAnExplanationTellsMetConditionsToo(t *testing.T) {
	f := newFixture(t)
	f.create("both", `{"on":{"types":["dataset"]},"rules":{"or":[{"property":"hasOwners","operator":"is_true"},{"property":"tags","operator":"exists"}]}}`)
	f.create("charts", `{"on":{"types":["chart"]}}`)
	root := f.As(t, servicetest.Root)
	got, err := f.tests.Explain(root, orders, nil, true)
	if err != nil || len(got.Passing) != 1 || findings(got.Passing[0].Findings) != `rules.or[0] 1 ["true"] met; rules.or[1] 0 []` {
		t.Errorf("%+v, %v", got, err)
	}
	if kept := f.Get(t, orders, "testResults"); !strings.Contains(kept, "urn:li:test:both") {
		t.Errorf("kept %s", kept)
	}
	if plain := f.evaluate(orders, false); slices.ContainsFunc(plain.Passing, func(r metatest.Result) bool { return r.Findings != nil }) {
		t.Errorf("findings that nobody asked for: %+v", plain)
	}
}
