package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// testRun is an evaluation of all assets in the form of GraphQL.
type testRun struct {
	ID, State                              string
	Done, Passing, Failing, Changed, Total int
}

const testRunFields = `id state done passing failing changed total`

// ask decodes a field of the result of a GraphQL document.
func (p *program) ask(t *testing.T, document, field string, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	status, text, err := p.call(http.DefaultClient, http.MethodPost, "/api/graphql", body)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s, %v\n%s", document, status, text, err, p.printed())
	}
	var answer struct {
		Data   map[string]json.RawMessage
		Errors []any
	}
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Errors) > 0 {
		t.Fatalf("%s: %s, %v", document, text, err)
	}
	if err := json.Unmarshal(answer.Data[field], into); err != nil {
		t.Fatalf("%s of %s: %v", field, text, err)
	}
}

// awaitRun polls a run until it has the wanted state.
func (p *program) awaitRun(t *testing.T, id string, wanted func(testRun) bool) testRun {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		var run testRun
		p.ask(t, fmt.Sprintf(`{ testRun(id: %q) { %s } }`, id, testRunFields), "testRun", &run)
		if wanted(run) {
			return run
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("the run is still %+v", run)
		case <-tick.C:
		}
	}
}

func (p *program) startRun(t *testing.T) string {
	t.Helper()
	var started struct{ Run struct{ ID string } }
	p.ask(t, `mutation { runTest(input: {}) { run { id } } }`, "runTest", &started)
	return started.Run.ID
}

// TestARunOfMetadataTestsSurvivesKill kills the service while it evaluates all assets. The run
// continues at the next start and ends with the results of an undisturbed one, so another
// evaluation changes nothing.
func TestARunOfMetadataTestsSurvivesKill(t *testing.T) {
	const assets = 2_400
	p := buildProgram(t)
	p.settings = []string{"CARTULARY_TESTS_ON_CHANGE=false", "CARTULARY_TESTS_EVERY=0s"}
	p.start(t)
	t.Cleanup(p.kill)
	type object = map[string]any
	var proposals []object
	send := func() {
		t.Helper()
		body, err := json.Marshal(object{"proposals": proposals})
		if err != nil {
			t.Fatal(err)
		}
		if status, text, err := p.call(http.DefaultClient, http.MethodPost, "/aspects?action=ingestProposalBatch", body); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s, %v", status, text, err)
		}
		proposals = nil
	}
	put := func(entityType, urn, aspect, value string) {
		proposals = append(proposals, object{"entityType": entityType, "entityUrn": urn, "changeType": "UPSERT", "aspectName": aspect,
			"aspect": object{"contentType": "application/json", "value": value}})
		if len(proposals) == 500 {
			send()
		}
	}
	owned := 0
	for i := range assets {
		u := fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,killed.t%05d,PROD)", i)
		put("dataset", u, "datasetProperties", fmt.Sprintf(`{"description":"x%d"}`, i))
		if i%4 == 0 {
			owned++
			put("dataset", u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
		}
	}
	for id, rules := range map[string]string{
		"owned": `{"property":"hasOwners","operator":"is_true"}`, "described": `{"property":"hasDescription","operator":"is_true"}`,
		"odd": `{"property":"datasetProperties.description","operator":"regex","values":["[13579]$"]}`, // which the index cannot decide
	} {
		info, err := json.Marshal(object{"name": id, "category": "c", "definition": object{"type": "JSON", "json": `{"on":{"types":["dataset"]},"rules":` + rules + `}`}})
		if err != nil {
			t.Fatal(err)
		}
		put("test", "urn:li:test:"+id, "testInfo", string(info))
	}
	send()
	id := p.startRun(t)
	p.awaitRun(t, id, func(r testRun) bool { return r.Done > 0 })
	p.kill()
	p.start(t)
	var again testRun
	p.ask(t, fmt.Sprintf(`{ testRun(id: %q) { %s } }`, id, testRunFields), "testRun", &again)
	done := p.awaitRun(t, id, func(r testRun) bool { return r.State != "RUNNING" && r.State != "QUEUED" })
	t.Logf("after the kill it was %+v, and ended as %+v", again, done)
	if again.Done == assets && again.State == "SUCCEEDED" {
		t.Error("the run had ended before the service was killed")
	}
	wantPassing := owned + assets + assets/2
	if done.State != "SUCCEEDED" || done.Done != assets || done.Passing != wantPassing || done.Failing != 3*assets-wantPassing {
		t.Errorf("it ended as %+v, want %d of %d passing", done, wantPassing, 3*assets)
	}
	undisturbed := p.awaitRun(t, p.startRun(t), func(r testRun) bool { return r.State != "RUNNING" && r.State != "QUEUED" })
	if undisturbed.Changed != 0 || undisturbed.Passing != done.Passing || undisturbed.Failing != done.Failing {
		t.Errorf("another evaluation: %+v, want nothing changed", undisturbed)
	}
	p.stop(t)
}
