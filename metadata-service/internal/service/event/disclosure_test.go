package event_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestEventsForAnActorNameNothingHidden changes an asset of a user who may view only datasets, so
// that hidden entities occur in every member that events report.
func TestEventsForAnActorNameNothingHidden(t *testing.T) {
	w := servicetest.NewViewing(t)
	f := following(t, w, w.Store)
	const ann urn.URN = "urn:li:corpuser:ann"
	const hidden = "hidden"
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset", "tag"}, servicetest.Root) // everybody at first
	f.Policy(t, "sees-datasets", []auth.Privilege{auth.ViewPage}, []string{"dataset"}, ann)
	f.Put(t, ann, "corpUserInfo", `{"active":true}`)
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"`+string(ann)+`","type":"TECHNICAL_OWNER"}]}`)
	f.Put(t, "urn:li:structuredProperty:hidden", "propertyDefinition", `{"qualifiedName":"hidden","valueType":"urn:li:dataType:datahub.urn","entityTypes":["urn:li:entityType:datahub.dataset"],"cardinality":"MULTIPLE"}`)
	f.Put(t, "urn:li:tag:hidden", "tagProperties", `{"name":"hidden"}`)
	sub := f.subscribe()
	const stamp = `{"time":1,"actor":"urn:li:corpuser:hidden"}`
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:hidden"}]}`)
	f.Put(t, orders, "globalTags", `{"tags":[]}`)
	f.Put(t, orders, "glossaryTerms", `{"terms":[{"urn":"urn:li:glossaryTerm:hidden"}],"auditStamp":`+stamp+`}`)
	f.Put(t, orders, "domains", `{"domains":["urn:li:domain:hidden"]}`)
	f.Put(t, orders, "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:hidden","values":[{"string":"urn:li:tag:hidden"}]}]}`)
	f.Put(t, orders, "documentation", `{"documentations":[{"documentation":"x","attribution":{"time":1,"actor":"urn:li:corpuser:jo","source":"urn:li:dataHubAction:hidden"}}]}`)
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"`+string(ann)+`","type":"TECHNICAL_OWNER"},{"owner":"urn:li:corpGroup:hidden","type":"DATAOWNER",
		"attribution":{"time":1,"actor":"urn:li:corpuser:jo","sourceDetail":{"from":"urn:li:tag:hidden"}}}]}`)
	f.Put(t, orders, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"id","globalTags":{"tags":[{"tag":"urn:li:tag:hidden"}]},
		"glossaryTerms":{"terms":[{"urn":"urn:li:glossaryTerm:hidden"}],"auditStamp":`+stamp+`}}]}`)
	f.Put(t, orders, "status", `{"removed":true}`)
	f.Put(t, orders, "status", `{"removed":false}`)
	owned := func(user urn.URN) string {
		page, err := f.events.Owned(f.As(t, user), event.OwnedQuery{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(page.Changes)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := owned(ann); strings.Contains(got, hidden) || strings.Count(got, "LIFECYCLE") < 2 || !strings.Contains(got, string(servicetest.Root)) && !strings.Contains(got, string(model.UnknownActor)) {
		t.Errorf("ann owns what changed: %s", got)
	}
	var notices []*event.Notice
	lifecycle := func(n *event.Notice) bool {
		return strings.Contains(string(event.Told{Notice: n}.AppendJSON(nil)), "LIFECYCLE")
	}
	for len(notices) < 10 || !lifecycle(notices[len(notices)-1]) {
		batch, err := sub.Next(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		notices = append(notices, batch.Notices...)
	}
	told, err := f.events.Tell(f.As(t, ann), notices)
	if err != nil || len(told) < 2 {
		t.Fatalf("%d notices, %v", len(told), err)
	}
	for _, each := range told {
		if text := string(each.AppendJSON(nil)); strings.Contains(text, `"TAG"`) || strings.Contains(text, `"GLOSSARY_TERM"`) || strings.Contains(text, `"DOMAIN"`) || strings.Contains(text, `"OWNER"`) {
			t.Errorf("ann, who sees none of what came and went, is told %s", text)
		}
		if text := string(each.AppendJSON(nil)); strings.Contains(text, hidden) || strings.Contains(text, string(servicetest.Root)) || !strings.Contains(text, string(model.UnknownActor)) {
			t.Errorf("ann, who does not see users, is told %s", text)
		}
	}
	f.Policy(t, "sees-users", []auth.Privilege{auth.ViewPage}, []string{"corpuser"}, ann)
	if told, err = f.events.Tell(f.As(t, ann), notices); err != nil || !strings.Contains(string(told[0].AppendJSON(nil)), string(model.SystemActor)) && !strings.Contains(string(told[0].AppendJSON(nil)), string(servicetest.Root)) {
		t.Errorf("ann, who sees users, is told %s, %v", told[0].AppendJSON(nil), err)
	}
}
