package metatest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest/starter"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aspects are the aspects of an asset by name.
type aspects map[string]string

// TestTheStarterPackTellsGoodAssetsFromBadOnes evaluates each test with assets that pass, that
// fail, and that it does not select.
func TestTheStarterPackTellsGoodAssetsFromBadOnes(t *testing.T) {
	f := newFixture(t)
	day := func(ago int) int64 { return f.Now().AddDate(0, 0, -ago).UnixMilli() }
	const gone, old urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.gone,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,shop.old,PROD)"
	f.Put(t, gone, "status", `{"removed":true}`)
	f.Put(t, old, "deprecation", `{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo"}`)
	f.Put(t, "urn:li:glossaryTerm:email", "glossaryTermInfo", `{"definition":"","termSource":"INTERNAL"}`)
	f.Put(t, "urn:li:domain:sales", "domainProperties", `{"name":"Sales"}`)
	const stamp = `{"time":1,"actor":"urn:li:corpuser:jo"}`
	columns := func(described, of int) string {
		var fields []string
		for i := range of {
			description := ""
			if i < described {
				description = `"description":"x",`
			}
			fields = append(fields, fmt.Sprintf(`{"fieldPath":"c%d",%s"nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}}}`, i, description))
		}
		return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` + strings.Join(fields, ",") + `]}`
	}
	upstream := func(of ...urn.URN) string {
		var list []string
		for _, u := range of {
			list = append(list, `{"dataset":"`+string(u)+`","type":"TRANSFORMED"}`)
		}
		return `{"upstreams":[` + strings.Join(list, ",") + `]}`
	}
	modified := func(ago int) string {
		return fmt.Sprintf(`{"customProperties":{},"tags":[],"lastModified":{"time":%d}}`, day(ago))
	}
	operation := func(ago int) string {
		return fmt.Sprintf(`{"timestampMillis":%d,"lastUpdatedTimestamp":%d,"operationType":"INSERT"}`, day(ago), day(ago))
	}
	term := `{"terms":[{"urn":"urn:li:glossaryTerm:email"}],"auditStamp":` + stamp + `}`
	cases := map[string]struct{ pass, fail, none []aspects }{
		"starter-owned": {pass: []aspects{{"ownership": `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`}}, fail: []aspects{{"ownership": `{"owners":[]}`}, {}}},
		"starter-described": {
			pass: []aspects{{"datasetProperties": `{"description":"x","customProperties":{},"tags":[]}`}, {"editableDatasetProperties": `{"description":"x"}`}},
			fail: []aspects{{"editableDatasetProperties": `{"description":""}`}, {}},
		},
		"starter-classified": {
			pass: []aspects{{"glossaryTerms": term}, {"schemaMetadata": columns(0, 2), "editableSchemaMetadata": `{"editableSchemaFieldInfo":[{"fieldPath":"c1","glossaryTerms":` + term + `}]}`}},
			fail: []aspects{{"schemaMetadata": columns(2, 2)}, {}},
		},
		"starter-domain": {pass: []aspects{{"domains": `{"domains":["urn:li:domain:sales"]}`}}, fail: []aspects{{"domains": `{"domains":[]}`}, {}}},
		"starter-deprecated-has-replacement": {
			pass: []aspects{{"deprecation": `{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo","replacement":"` + string(orders) + `"}`}, {"deprecation": `{"deprecated":true,"note":"nobody used it","actor":"urn:li:corpuser:jo"}`}},
			fail: []aspects{{"deprecation": `{"deprecated":true,"note":"","actor":"urn:li:corpuser:jo"}`}},
			none: []aspects{{}, {"deprecation": `{"deprecated":false,"note":"","actor":"urn:li:corpuser:jo"}`}},
		},
		"starter-columns-documented": {pass: []aspects{{"schemaMetadata": columns(4, 5)}}, fail: []aspects{{"schemaMetadata": columns(3, 5)}}, none: []aspects{{}, {"schemaMetadata": columns(0, 0)}}},
		"starter-fresh": {
			pass: []aspects{{"datasetProperties": modified(10)}, {"operation": operation(10)}, {"datasetProperties": modified(200), "operation": operation(1)}},
			fail: []aspects{{"datasetProperties": modified(91)}, {"operation": operation(100)}}, none: []aspects{{}},
		},
		"starter-lineage-intact": {
			pass: []aspects{{"upstreamLineage": upstream(orders, invoices)}},
			fail: []aspects{{"upstreamLineage": upstream(orders, gone)}, {"upstreamLineage": upstream(old)}, {"upstreamLineage": upstream(orders, "urn:li:dataset:(urn:li:dataPlatform:hive,shop.never,PROD)")}},
			none: []aspects{{}, {"upstreamLineage": upstream()}},
		},
	}
	if _, err := f.tests.InstallStarter(f.As(t, servicetest.Root), false); err != nil {
		t.Fatal(err)
	}
	pack, err := starter.Tests()
	if err != nil || len(pack) != len(cases) {
		t.Fatalf("%d tests in the pack, %d are tried: %v", len(pack), len(cases), err)
	}
	for id, c := range cases {
		for sign, list := range map[string][]aspects{"+": c.pass, "-": c.fail, "": c.none} {
			for i, asset := range list {
				u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,%s.%s%d,PROD)", id, map[string]string{"+": "good", "-": "bad", "": "other"}[sign], i))
				f.Put(t, u, "browsePaths", `{"paths":["/x"]}`)
				for name, value := range asset {
					f.Put(t, u, name, value)
				}
				want := sign + id
				if sign == "" {
					want = ""
				}
				if got := spell(f.evaluate(u, false, urn.Make("test", id))); got != want {
					t.Errorf("%s says %q of %v, want %q", id, got, asset, want)
				}
			}
		}
	}
	if done, err := f.tests.EvaluateAll(f.As(t, servicetest.Root), nil, nil); err != nil || done.Passing == 0 || done.Failing == 0 {
		t.Errorf("all assets: %+v, %v", done, err)
	}
}

func TestTheStarterPackIsInstalledOnceAndLeavesWhatPeopleChanged(t *testing.T) {
	f := newFixture(t)
	root := f.As(t, servicetest.Root)
	before, _ := f.Store.Last()
	planned, err := f.tests.InstallStarter(root, true)
	if err != nil || len(planned) != 8 || !planned[0].Created {
		t.Fatalf("planned %+v, %v", planned, err)
	}
	if after, _ := f.Store.Last(); after != before {
		t.Error("a dry run wrote something")
	}
	if _, err := f.tests.InstallStarter(f.As(t, servicetest.Jo), false); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
	changed := planned[0].URN
	if err := f.tests.Update(root, changed, metatest.Info{Name: "Ours", Category: "c", Definition: owned}); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		done, err := f.tests.InstallStarter(root, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range done {
			if d.Created != (round == 0 && d.URN != changed) || d.Changed != (d.URN == changed) {
				t.Errorf("round %d: %+v", round, d)
			}
		}
	}
	if got := f.Get(t, changed, "testInfo"); !strings.Contains(got, "Ours") {
		t.Errorf("what was changed is now %s", got)
	}
}
