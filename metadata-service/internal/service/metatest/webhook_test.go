package metatest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/urn"
)

// delivery is a message that a webhook receiver got.
type delivery struct {
	ID, Test, Verdict string
	Assets            []struct {
		URN  string
		Time int64
	}
	path string
}

func TestVerdictsThatChangeAreToldOnceAndAfterTheWrite(t *testing.T) {
	f := newFixture(t)
	var got []delivery
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var one delivery
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &one); err != nil || one.ID != r.Header.Get("Idempotency-Key") {
			t.Errorf("%s: %v", body, err)
		}
		one.path = r.URL.Path
		got = append(got, one)
		if r.URL.Path == "/refuses" {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(receiver.Close)
	address, err := url.Parse(receiver.URL)
	if err != nil {
		t.Fatal(err)
	}
	sender := webhook.New(webhook.Config{Hosts: []string{address.Host}})
	t.Cleanup(sender.Close)
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Webhooks: sender, Log: f.Log})
	hook := func(path string) string { return `{"type":"WEBHOOK","params":{"url":"` + receiver.URL + path + `"}}` }
	f.create("owned", `{"on":{"types":["dataset"]},"rules":{"property":"hasOwners","operator":"is_true"},"actions":{"undo":true,"passing":[`+hook("/passing")+`],"failing":[`+hook("/refuses")+`,`+hook("/failing")+`]}}`)
	sink := metatest.NewWebhooks(f.tests, f.Store)
	from, _ := f.Store.Last()
	news := func() string {
		t.Helper()
		entries, err := f.Store.Entries(t.Context(), from, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		if err := sink.Apply(store.WithOrigin(f.As(t, model.SystemActor), sink.Name()), entries); err != nil {
			t.Fatal(err)
		}
		from, _ = f.Store.Last()
		var lines []string
		for _, m := range got {
			for _, a := range m.Assets {
				if m.Test != "urn:li:test:owned" || a.Time != f.Now().UnixMilli() {
					t.Errorf("%+v", m)
				}
				lines = append(lines, m.path+" "+m.Verdict+" "+strings.Split(a.URN, ",")[1])
			}
		}
		return strings.Join(lines, ", ")
	}
	root := f.As(t, servicetest.Root)
	if _, err := f.tests.EvaluateAll(root, nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(got) != 0 {
		t.Error("the write waited for webhooks")
	}
	if got, want := news(), "/passing PASSING shop.orders, /refuses FAILING shop.invoices, /failing FAILING shop.invoices"; got != want {
		t.Errorf("first: %s\nwant %s", got, want)
	}
	f.create("other", `{"on":{"types":["dataset"]}}`)
	f.evaluate(orders, true)
	if got := news(); got != "" {
		t.Errorf("verdicts that stay were told: %s", got)
	}
	f.Put(t, orders, "ownership", `{"owners":[]}`)
	f.evaluate(orders, true)
	if got, want := news(), "/refuses FAILING shop.orders, /failing FAILING shop.orders"; got != want {
		t.Errorf("changed: %s\nwant %s", got, want)
	}
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}]}`)
	f.evaluate(orders, true)
	if err := f.tests.Delete(root, "urn:li:test:owned"); err != nil {
		t.Fatal(err)
	}
	if got := news(); got != "" {
		t.Errorf("a test that is gone tells %s", got)
	}
}

func TestManyVerdictsAreToldInSeveralMessages(t *testing.T) {
	f := newFixture(t)
	sizes := []int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var one delivery
		_ = json.NewDecoder(r.Body).Decode(&one)
		sizes = append(sizes, len(one.Assets))
	}))
	t.Cleanup(receiver.Close)
	sender := webhook.New(webhook.Config{Hosts: []string{strings.TrimPrefix(receiver.URL, "http://")}})
	t.Cleanup(sender.Close)
	f.tests = metatest.New(metatest.Config{Edit: f.Edit, Reader: f.Store, Graph: f.Store, Documents: f.Documents, Selector: f.Index, Webhooks: sender, Log: f.Log})
	f.create("charts", `{"on":{"types":["chart"]},"actions":{"passing":[{"type":"WEBHOOK","params":{"url":"`+receiver.URL+`"}}]}}`)
	for i := range 250 {
		f.Put(t, urn.URN(fmt.Sprintf("urn:li:chart:(looker,%d)", i)), "status", `{"removed":false}`)
	}
	from, _ := f.Store.Last()
	if _, err := f.tests.EvaluateAll(f.As(t, servicetest.Root), nil, nil); err != nil {
		t.Fatal(err)
	}
	entries, err := f.Store.Entries(t.Context(), from, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if err := metatest.NewWebhooks(f.tests, f.Store).Apply(f.As(t, model.SystemActor), entries); err != nil || fmt.Sprint(sizes) != "[200 50]" {
		t.Errorf("messages name %v assets, %v", sizes, err)
	}
}

func TestAWebhookToAHostThatIsNotAllowedIsRefusedWithItsPlace(t *testing.T) {
	f := newFixture(t)
	_, err := f.tests.Create(f.As(t, servicetest.Root), "x", metatest.Info{Name: "n", Category: "c", Definition: `{"on":{"types":["dataset"]},"actions":{"failing":[{"type":"WEBHOOK","params":{"url":"http://169.254.169.254/latest"}}]}}`})
	var problems *language.Error
	if !errors.As(err, &problems) || problems.Problems[0].Path != "actions.failing[0].params.url" || !strings.Contains(err.Error(), "tests.webhook_hosts") {
		t.Errorf("%v", err)
	}
}
