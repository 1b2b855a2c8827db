//go:build unix

package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestTheRightOverADatasetReachesWhatIsKeptAboutItByEveryInterface writes incidents, assertions and
// contracts, by every API that writes aspects, as an actor who holds the privilege over one dataset
// and no right over these entities.
func TestTheRightOverADatasetReachesWhatIsKeptAboutItByEveryInterface(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	const (
		orders  = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
		column  = "urn:li:schemaField:(" + orders + ",id)"
		revenue = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
		foreign = "urn:li:schemaField:(" + revenue + ",id)"
		at      = `{"time":1,"actor":"urn:li:corpuser:jo"}`
	)
	tried := 0
	for _, c := range []struct {
		entity, aspect, privilege string
		value                     func(about ...string) string
		single                    bool // the aspect always names exactly one asset
	}{
		{"incident", "incidentInfo", "EDIT_ENTITY_INCIDENTS", func(about ...string) string {
			list := `[]`
			if len(about) > 0 {
				list = `["` + strings.Join(about, `","`) + `"]`
			}
			return `{"type":"OPERATIONAL","title":"TITLE","entities":` + list + `,"status":{"state":"ACTIVE","lastUpdated":` + at + `},"created":` + at + `}`
		}, false},
		{"assertion", "assertionInfo", "EDIT_ENTITY_ASSERTIONS", func(about ...string) string {
			value := `{"type":"CUSTOM","description":"TITLE","customProperties":{}`
			for i, a := range about {
				if strings.HasPrefix(a, "urn:li:schemaField:") {
					value += `,"entityUrn":"` + a + `"`
					continue
				}
				value += []string{`,"customAssertion":{"type":"x","entity":"` + a + `"}`, `,"schemaAssertion":{"entity":"` + a + `","compatibility":"SUPERSET","schema":{"schemaName":"s","platform":"urn:li:dataPlatform:x","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[]}}`}[i]
			}
			return value + `}`
		}, false},
		{"dataContract", "dataContractProperties", "EDIT_ENTITY_DATA_CONTRACT", func(about ...string) string {
			return `{"rawContract":"TITLE","entity":"` + strings.Join(about, ``) + `"}`
		}, true},
	} {
		m.grant(t, []string{c.privilege}, []string{orders})
		entity, _ := registry.Entity(c.entity)
		spec, _ := entity.Aspect(c.aspect)
		u := urn.Make(c.entity, "kept")
		write := func(who string, by writer, value string) (answer, int) {
			f := &fact{entity: entity, spec: spec, urn: u, value: strings.ReplaceAll(value, "TITLE", by.operation)}
			before := m.changes()
			path, body := by.request(f)
			return ask(t, m.app, who, by.method, path, body), len(m.written(t, before))
		}
		for _, w := range writers {
			if w.removes || strings.Contains(w.operation, "(CREATE") || w.unless != nil && w.unless(&fact{entity: entity, spec: spec}) {
				continue
			}
			for _, about := range []string{orders, column} {
				if c.single && about == column {
					continue // a contract is about a dataset
				}
				tried++
				put(t, m.app, string(u), c.aspect, c.value(about))
				if got, written := write(m.holder, w, c.value(about)); isRefusal(got) || written == 0 {
					t.Errorf("%s by %s: what is about %s is not written: %d %.300s", c.aspect, w.operation, about, got.status, got.body)
				}
				others := map[string]string{"another dataset": c.value(revenue)}
				if about == column {
					others["a column of another dataset"] = c.value(foreign)
				}
				for name, value := range others {
					if got, written := write(m.holder, w, value); !isRefusal(got) || written > 0 {
						t.Errorf("%s by %s, turned to %s: wrote %d, answered %d %.300s", c.aspect, w.operation, name, written, got.status, got.body)
					}
				}
				if !c.single {
					if got, written := write(m.holder, w, c.value(about, revenue)); !isRefusal(got) || written > 0 {
						t.Errorf("%s by %s, about both: wrote %d, answered %d %.300s", c.aspect, w.operation, written, got.status, got.body)
					}
				}
				if got, written := write(m.nobody, w, c.value(about)); !isRefusal(got) || written > 0 {
					t.Errorf("%s by %s, without a privilege: wrote %d, answered %d", c.aspect, w.operation, written, got.status)
				}
			}
			before := []string{c.value(revenue)}
			if !c.single {
				before = append(before, c.value())
			}
			for _, value := range before {
				mustAsk(t, m.app, asTheSystem, http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+(&fact{entity: entity, spec: spec, urn: u}).proposal("UPSERT", value)+`}`)
				if got, written := write(m.holder, w, c.value(orders)); !isRefusal(got) || written > 0 {
					t.Errorf("%s by %s, taken over from %s: wrote %d, answered %d %.300s", c.aspect, w.operation, value, written, got.status, got.body)
				}
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d cells were tried", tried)
	}
}
