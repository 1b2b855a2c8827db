package metatest_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// storeInvalid stores a definition that every API refuses, like one stored before a rule that
// refuses it existed.
func (f *fixture) storeInvalid(test urn.URN, info string) {
	f.Helper()
	latest, err := f.Store.Aspects(f.Context(), []urn.URN{test}, "testInfo")
	if err != nil || len(latest[0]) != 1 {
		f.Fatal(latest, err)
	}
	_, err = f.Store.Update(f.Context(), func(tx store.Tx) error {
		_, err := store.Put(f.Context(), tx, &latest[0][0], store.Write{
			Key: store.Key{URN: test, Aspect: "testInfo"}, Value: json.RawMessage(info), Actor: servicetest.Root, Now: f.Now().UnixMilli(),
		})
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

const (
	invalidInfo = `{"category":"c","definition":{"json":"{\"on\":{\"types\":[\"dataset\"]},\"rules\":{\"property\":\"nonsense\",\"operator\":\"exists\"}}","type":"JSON"},"name":"bad"}`
	nonsense    = `rules.property: "nonsense" is no search field`
)

func TestAStoredDefinitionThatIsNotValidKeepsNoOtherFromBeingEvaluated(t *testing.T) {
	t.Parallel()
	for name, info := range map[string]string{"unknown property": invalidInfo, "no text of JSON": `{"definition`} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			f := newFixture(t)
			f.Log = slog.New(slog.NewTextHandler(&log, nil))
			m := f.begin(memory.NewTaskStore(), f.Store)
			f.Log = slog.New(slog.DiscardHandler)
			good := urn.URN("urn:li:test:good")
			root := f.As(t, servicetest.Root)
			for _, id := range []string{"good", "bad"} {
				if err := f.tests.Update(root, urn.Make("test", id), metatest.Info{Name: id, Category: "c", Definition: owned}); err != nil {
					t.Fatal(err)
				}
			}
			bad := urn.URN("urn:li:test:bad")
			f.evaluateAll(m)
			f.Put(t, orders, "ownership", `{"owners":[]}`)
			f.storeInvalid(bad, info)

			if got := spell(f.evaluate(orders, false)); got != "-good" {
				t.Errorf("of one asset: %q", got)
			}
			if _, err := f.tests.Evaluate(root, orders, []urn.URN{bad}, false); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), string(bad)) {
				t.Errorf("named: %v", err)
			}
			f.Pass(time.Hour)
			run := f.evaluateAll(m)
			if run.State != task.Succeeded || run.Counts.Failing != 2 || run.Counts.Changed != 1 || len(run.Invalid) != 1 || run.Invalid[0].Test != bad {
				t.Errorf("run %+v", run)
			}
			if got := f.history(bad); len(got) != 2 || got[0].Status != "ERROR" || got[0].Error != run.Invalid[0].Message || got[0].RunID != string(run.ID) || got[1].Status != "COMPLETE" {
				t.Errorf("history of what is not valid: %+v", got)
			}
			if name == "unknown property" && !strings.Contains(run.Invalid[0].Message, nonsense) {
				t.Errorf("problem %q, want %q", run.Invalid[0].Message, nonsense)
			}
			if got := f.history(good)[0]; got.Status != "COMPLETE" || got.Failing != 2 || got.Changed != 1 {
				t.Errorf("history of the other one: %+v", got)
			}
			if got := f.Get(t, orders, "testResults"); strings.Count(got, string(bad)) != 1 || !strings.Contains(got, `"failing":[{`) {
				t.Errorf("results %s, want one of %s from before", got, bad)
			}

			sink := metatest.NewOnChange(f.tests, true)
			last, _ := f.Store.Last()
			f.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
			entries, err := f.Store.Entries(t.Context(), last, 100)
			if err != nil {
				t.Fatal(err)
			}
			if err := sink.Apply(f.As(t, model.SystemActor), entries); err != nil {
				t.Fatal(err)
			}
			if got := spell(f.evaluate(orders, false)); got != "+good" || !strings.Contains(f.Get(t, orders, "testResults"), `"failing":[]`) {
				t.Errorf("on change: %q, %s", got, f.Get(t, orders, "testResults"))
			}
			if n := strings.Count(log.String(), "its definition is not valid"); n != 1 {
				t.Errorf("logged %d times:\n%s", n, log.String())
			}
		})
	}
}

func TestARunOfATestThatIsNotValidAnyMoreTellsSo(t *testing.T) {
	f := newFixture(t)
	bad, good := f.create("bad", owned), f.create("good", owned)
	tasks := memory.NewTaskStore()
	queue := task.New(task.Config{Store: tasks, Now: f.Now, Log: f.Log}) // executes no task
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Tasks: queue, Log: f.Log})
	root := f.As(t, servicetest.Root)
	alone, err := f.tests.StartRun(root, []urn.URN{bad})
	if err != nil {
		t.Fatal(err)
	}
	both, err := f.tests.StartRun(root, []urn.URN{bad, good})
	if err != nil {
		t.Fatal(err)
	}
	f.storeInvalid(bad, invalidInfo)
	m := f.begin(tasks, f.Store)
	for _, id := range []task.ID{alone.ID, both.ID} {
		if _, err := m.Wait(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := f.tests.Run(root, alone.ID); err != nil || got.State != task.Failed || !strings.Contains(got.Error, nonsense) {
		t.Errorf("alone: %+v, %v", got, err)
	}
	if got, err := f.tests.Run(root, both.ID); err != nil || got.State != task.Succeeded || got.Counts.Assets != 2 || len(got.Invalid) != 1 {
		t.Errorf("with another one: %+v, %v", got, err)
	}
	if got := f.history(good); len(got) != 1 || got[0].Passing != 1 || got[0].Failing != 1 {
		t.Errorf("history of the other one: %+v", got)
	}
}
