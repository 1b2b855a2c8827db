package metatest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestAnEvaluationThatFindsNothingNewReadsNoAsset(t *testing.T) {
	f := newFixture(t)
	f.many(300)
	reader := &interrupted{Reader: f.Store}
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: reader, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Log: f.Log})
	f.create("owned", owned)
	f.create("described", `{"on":{"types":["dataset"],"conditions":{"property":"hasOwners","operator":"is_true"}},"rules":{"property":"hasDescription","operator":"is_true"}}`)
	root := f.As(t, servicetest.Root)
	first, err := f.tests.EvaluateAll(root, nil, nil)
	if err != nil || first.Assets != 302 || first.Changed != 302 || first.Passing != 101+101 || first.Failing != 201 {
		t.Fatalf("%+v, %v", first, err)
	}
	evaluate := func(what string, assets, changed, reads int) {
		t.Helper()
		reader.reads.Store(0)
		var told []int
		got, err := f.tests.EvaluateAll(root, nil, func(s metatest.Sweep) { told = append(told, s.Assets) })
		if err != nil || got.Assets != assets || got.Changed != changed || got.Passing+got.Failing != first.Passing+first.Failing {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		if n := int(reader.reads.Load()); n != reads {
			t.Errorf("%s: %d reads, want %d", what, n, reads)
		}
		if fmt.Sprint(told) != fmt.Sprint([]int{assets}) {
			t.Errorf("%s: progress %v", what, told)
		}
	}
	evaluate("nothing new", 302, 0, 1) // the read of the definitions
	f.Put(t, orders, "testResults", `{"passing":[],"failing":[]}`)
	evaluate("results of one are not as they should be", 302, 1, 2)
	evaluate("nothing new again", 302, 0, 1)
}

// TestWhatIsPassedOverIsAsItShouldBe changes assets, tests and results at random. After each round
// it evaluates by the index, which visits only assets whose results differ. An evaluation that
// reads every asset must then find nothing to change.
func TestWhatIsPassedOverIsAsItShouldBe(t *testing.T) {
	f := newFixture(t)
	f.many(40)
	plain := metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Log: f.Log})
	root := f.As(t, servicetest.Root)
	made := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // changes of a test
	asset := func() urn.URN {
		return urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,many.t%04d,PROD)", made.IntN(40)))
	}
	test := func() urn.URN { return urn.URN(fmt.Sprintf("urn:li:test:t%d", made.IntN(6))) }
	definitions := []string{
		owned, `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_false"}}`,
		`{"on":{"types":["dataset"],"conditions":{"property":"tags","operator":"exists"}},"rules":{"property":"hasOwners","operator":"is_true"}}`,
		`{"on":{"types":["dataset"],"conditions":{"property":"hasOwners","operator":"is_true"}},"rules":{"property":"datasetProperties.description","operator":"regex","values":["[24]"]}}`,
		`{"on":{"types":["dataset"]},"rules":{"property":"ownership.owners.owner.corpUserInfo.title","operator":"regex","values":["^Head"]}}`,
		`{"on":{"types":["dataset"],"conditions":{"property":"ownership.owners.owner.corpUserInfo.title","operator":"not_equals","values":["Head"]}},"rules":{"property":"ownership.owners.owner.corpUserInfo.title","operator":"exists"}}`,
		`{"on":{"types":["tag"]}}`, ``,
		`{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"},"actions":{"undo":true,"failing":[{"type":"ADD_TAGS","params":{"tags":["urn:li:tag:bad"]}}]}}`,
	}
	entry := func(outcome string) string {
		return fmt.Sprintf(`{"test":%q,"testDefinitionMd5":"x","type":%q,"lastComputed":{"time":1,"actor":"urn:li:corpuser:jo"}}`, test(), outcome)
	}
	changes := []func(){
		func() { f.Put(t, asset(), "ownership", `{"owners":[]}`) },
		func() {
			f.Put(t, asset(), "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
		},
		func() {
			f.Put(t, servicetest.Jo, "corpUserInfo", []string{`{"active":true,"title":"Head"}`, `{"active":true}`, `{"active":true,"title":"Engineer"}`}[made.IntN(3)])
		},
		func() { f.Put(t, asset(), "globalTags", `{"tags":[{"tag":"urn:li:tag:good"}]}`) },
		func() { f.Put(t, asset(), "status", fmt.Sprintf(`{"removed":%v}`, made.IntN(2) == 0)) },
		func() {
			if u := test(); f.Get(t, u, "testInfo") != "" {
				if err := f.tests.Delete(root, u); err != nil {
					t.Fatal(err)
				}
			}
		},
		func() {
			info := metatest.Info{Name: "n", Category: "c", Definition: definitions[made.IntN(len(definitions))]}
			if err := f.tests.Update(root, test(), info); err != nil {
				t.Fatal(err)
			}
		},
		func() { // in a form that no evaluation writes
			f.Put(t, asset(), "testResults", `{"passing":[`+entry("SUCCESS")+`,`+entry("FAILURE")+`],"failing":[`+entry("FAILURE")+`]}`)
		},
		func() { // a duplicate
			u := asset()
			one := f.Get(t, u, "testResults")
			if at := strings.Index(one, `"passing":[{`); at >= 0 {
				twice := one[at+len(`"passing":[`) : strings.LastIndex(one, "]")]
				f.Put(t, u, "testResults", one[:strings.LastIndex(one, "]")]+","+twice+"]}")
			}
		},
	}
	for round := range trials.Count(150) {
		for range 1 + made.IntN(4) {
			changes[made.IntN(len(changes))]()
		}
		var named []urn.URN
		if made.IntN(3) == 0 {
			if u := test(); f.Get(t, u, "testInfo") != "" {
				named = []urn.URN{u}
			}
		}
		var byIndex metatest.Sweep
		var last uint64
		for now, _ := f.Store.Last(); now != last; now, _ = f.Store.Last() { // actions change data that other tests read
			last = now
			var err error
			if byIndex, err = f.tests.EvaluateAll(root, named, nil); err != nil {
				t.Fatal(err)
			}
		}
		byFacts, err := plain.EvaluateAll(root, named, nil)
		if err != nil {
			t.Fatal(err)
		}
		byIndex.Changed, byFacts.Changed = 0, 0 // assets with actions count as changed even if the actions do nothing
		if now, _ := f.Store.Last(); byFacts != byIndex || now != last {
			t.Fatalf("round %d of %v: by facts afterwards %+v with %d writes, by the index %+v", round, named, byFacts, now-last, byIndex)
		}
	}
}

func TestConditionsBehindAReferenceReadWhatIsReferredToAndNoAsset(t *testing.T) {
	f := newFixture(t)
	f.many(300)
	reader := &interrupted{Reader: f.Store}
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: reader, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Log: f.Log})
	f.create("engineers", `{"on":{"types":["dataset"]},"rules":{"property":"ownership.owners.owner.corpUserInfo.title","operator":"regex","values":["(?i)engineer$"]}}`)
	f.create("others", `{"on":{"types":["dataset"]},"rules":{"property":"ownership.owners.owner.corpUserInfo.title","operator":"not_exists"}}`)
	root := f.As(t, servicetest.Root)
	for title, want := range map[string]metatest.Sweep{
		`,"title":"Engineer"`: {Assets: 302, Passing: 101 + 201, Failing: 201 + 101},
		`,"title":"Head"`:     {Assets: 302, Passing: 201, Failing: 302 + 101},
	} {
		f.Put(t, servicetest.Jo, "corpUserInfo", `{"active":true`+title+`}`)
		for i := range 2 {
			reader.reads.Store(0)
			got, err := f.tests.EvaluateAll(root, nil, nil)
			if got.Changed = 0; err != nil || got != want {
				t.Errorf("%s: %+v, %v, want %+v", title, got, err, want)
			}
			if n := int(reader.reads.Load()); i == 1 && n != 2 {
				t.Errorf("%s: %d reads, want one of the definitions and one of the users", title, n)
			}
		}
	}
}
