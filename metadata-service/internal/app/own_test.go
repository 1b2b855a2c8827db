//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestNoInterfaceWritesWhatBelongsToOthers tries, by every API that writes aspects, to change and
// to remove entities that belong to another user, as an actor without a privilege and as one who
// may create, edit and delete every entity.
func TestNoInterfaceWritesWhatBelongsToOthers(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	put(t, m.app, "urn:li:corpuser:jo-smith", "corpUserInfo", `{"active":true}`)
	put(t, m.app, holderURN+"-smith", "corpUserInfo", `{"active":true}`)
	const stamp = `{"time":1,"actor":"urn:li:corpuser:jo"}`
	values := map[string]string{
		"dataHubStepStateProperties":    `{"properties":{"seen":"%s"},"lastModified":` + stamp + `}`,
		"dataHubViewInfo":               `{"name":"%s","type":"PERSONAL","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}`,
		"dataHubPageTemplateProperties": `{"rows":[],"assetSummary":{"summaryElements":[{"elementType":"%s"}]},"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"PERSONAL"},"created":` + stamp + `,"lastModified":` + stamp + `}`,
		"dataHubPageModuleProperties":   `{"name":"%s","type":"DOMAINS","visibility":{"scope":"PERSONAL"},"params":{},"created":` + stamp + `,"lastModified":` + stamp + `}`,
	}
	tried := 0
	for _, c := range []struct {
		urn    urn.URN
		aspect string
	}{
		{"urn:li:dataHubStepState:urn:li:corpuser:jo-tour", "dataHubStepStateProperties"},
		{"urn:li:dataHubStepState:" + holderURN + "-smith-tour", "dataHubStepStateProperties"},
		{"urn:li:dataHubStepState:" + nobodyURN + "2-tour", "dataHubStepStateProperties"},
		{"urn:li:dataHubStepState:tour", "dataHubStepStateProperties"},
		{"urn:li:dataHubView:jos", "dataHubViewInfo"},
		{"urn:li:dataHubPageTemplate:jos", "dataHubPageTemplateProperties"},
		{"urn:li:dataHubPageModule:jos", "dataHubPageModuleProperties"},
	} {
		entity, _ := registry.Entity(c.urn.Type())
		spec, _ := entity.Aspect(c.aspect)
		one, two := "one", "two"
		if strings.Contains(values[c.aspect], "elementType") {
			one, two = "CREATED", "OWNERS"
		}
		f := &fact{entity: entity, spec: spec, urn: c.urn, value: fmt.Sprintf(values[c.aspect], two), run: "run-of-" + c.urn.Type()}
		m.grant(t, []string{"CREATE_ENTITY", "EDIT_ENTITY", "DELETE_ENTITY"}, nil)
		mustAsk(t, m.app, asTheSystem, http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+f.proposal("UPSERT", fmt.Sprintf(values[c.aspect], one))+`}`)
		for _, who := range []string{m.nobody, m.holder} {
			for _, w := range writers {
				if w.unless != nil && w.unless(f) || strings.HasPrefix(w.operation, "rest POST /entities?action=deleteReferences") {
					continue
				}
				tried++
				before := m.changes()
				path, body := w.request(f)
				got := ask(t, m.app, who, w.method, path, body)
				if written := m.written(t, before); !isRefusal(got) || len(written) > 0 {
					t.Errorf("%s by %s: wrote %d, answered %d %.300s", f, w.operation, len(written), got.status, got.body)
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d cells were tried", tried)
	}
	// The privilege of the type suffices, and an actor's own entities need none.
	own := "urn:li:dataHubStepState:" + holderURN + "-tour"
	entity, _ := registry.Entity("dataHubStepState")
	spec, _ := entity.Aspect("dataHubStepStateProperties")
	for _, allowed := range []struct{ privilege, urn string }{
		{"GET_COUNTS_PRIVILEGE", own}, {"MANAGE_GLOBAL_SETTINGS", "urn:li:dataHubStepState:tour"}, {"MANAGE_GLOBAL_SETTINGS", "urn:li:dataHubStepState:urn:li:corpuser:jo-tour"},
	} {
		m.grant(t, []string{allowed.privilege}, nil)
		for _, w := range writers {
			f := &fact{entity: entity, spec: spec, urn: urn.URN(allowed.urn), value: fmt.Sprintf(values[spec.Name], w.operation)}
			if w.removes || strings.Contains(w.operation, "(CREATE") || w.unless != nil && w.unless(f) {
				continue
			}
			path, body := w.request(f)
			if got := ask(t, m.app, m.holder, w.method, path, body); isRefusal(got) || got.status >= 400 {
				t.Errorf("%s by %s with %s: %d %.300s", f, w.operation, allowed.privilege, got.status, got.body)
			}
		}
	}
}

// TestStepStatesAreWrittenByWhomTheyBelongTo uses the mutation of the pages.
func TestStepStatesAreWrittenByWhomTheyBelongTo(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	put(t, m.app, holderURN+"-smith", "corpUserInfo", `{"active":true}`)
	save := func(ids ...string) string {
		var states []string
		for _, id := range ids {
			states = append(states, fmt.Sprintf(`{id: %q, properties: [{key: "seen", value: "yes"}]}`, id))
		}
		return ask(t, m.app, m.holder, http.MethodPost, "/api/graphql", graphqlBody(`mutation { batchUpdateStepStates(input: {states: [`+strings.Join(states, ",")+`]}) { results { id succeeded } } }`)).body
	}
	m.grant(t, []string{"EDIT_ENTITY"}, nil)
	before := m.changes()
	for _, id := range []string{"tour", "urn:li:corpuser:jo-tour", holderURN + "-smith-tour", holderURN, "urn:li:corpuser:nobody"} {
		if got := save(id); !strings.Contains(got, `"code":403`) {
			t.Errorf("%s is written: %s", id, got)
		}
	}
	if len(m.written(t, before)) > 0 {
		t.Error("a refused state is stored")
	}
	if got := save(holderURN+"-tour", "urn:li:corpuser:jo-tour"); !strings.Contains(got, `-tour","succeeded":true},{"id":"urn:li:corpuser:jo-tour","succeeded":false}`) {
		t.Errorf("one's own beside one of others: %s", got)
	}
	m.grant(t, []string{"MANAGE_GLOBAL_SETTINGS"}, nil)
	if got := save("tour", "urn:li:corpuser:jo-tour"); strings.Contains(got, "false") || !strings.Contains(got, "true") {
		t.Errorf("by the privilege over settings: %s", got)
	}
}
