package event_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"

type fixture struct {
	*servicetest.World
	*testing.T
	events *event.Service
}

func open(t *testing.T) *fixture {
	t.Helper()
	w := servicetest.New(t)
	f := &fixture{World: w, T: t}
	f.events = f.service(0)
	return f
}

func (f *fixture) service(callers int) *event.Service {
	return event.New(event.Config{Log: f.Store, Rows: f.Store, Registry: f.Registry, Authorizer: f.Rights, Now: f.World.Now, Callers: callers})
}

func (f *fixture) poll(q event.Query) event.Page {
	f.Helper()
	page, err := f.events.Poll(f.As(f.T, servicetest.Root), q)
	if err != nil {
		f.Fatal(err)
	}
	return page
}

// end returns the offset after all events so far.
func (f *fixture) end(topic event.Topic) string {
	f.Helper()
	page := f.poll(event.Query{Topic: string(topic)})
	if len(page.Events) != 0 || page.Offset == "" {
		f.Fatalf("the end of %s: %d events, offset %q", topic, len(page.Events), page.Offset)
	}
	return page.Offset
}

// entityEvents returns the entity change events after an offset, one line for each.
func (f *fixture) entityEvents(offset string) []string {
	f.Helper()
	var lines []string
	for _, text := range f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: offset, Limit: event.MaxLimit, WithoutRelationships: true}).Events {
		lines = append(lines, line(f.T, text))
	}
	return lines
}

func line(t *testing.T, text []byte) string {
	t.Helper()
	var e struct {
		Header  struct{ TimestampMillis int64 }
		Name    string
		Payload struct{ Value, ContentType string }
	}
	decode(t, text, &e)
	if e.Name != "entityChangeEvent" || e.Payload.ContentType != "application/json" || e.Header.TimestampMillis == 0 {
		t.Fatalf("not an entity change event: %s", text)
	}
	var p struct {
		EntityType, Category, Operation, Modifier string
		EntityURN                                 urn.URN `json:"entityUrn"`
		Parameters                                map[string]any
		AuditStamp                                struct {
			Time  int64
			Actor string
		}
		Version *int
	}
	decode(t, []byte(e.Payload.Value), &p)
	if p.EntityType != p.EntityURN.Type() || p.AuditStamp.Actor == "" || p.Version == nil || *p.Version != 0 {
		t.Fatalf("payload %s", e.Payload.Value)
	}
	parameters, _ := json.Marshal(p.Parameters)
	return strings.Join([]string{short(string(p.EntityURN)), p.Category, p.Operation, short(p.Modifier), short(string(parameters))}, " ")
}

func short(text string) string {
	return strings.NewReplacer(string(orders), "ORDERS", "urn:li:schemaField:", "", "urn:li:", "").Replace(text)
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestPlatformEventsTellWhatAWriteMeans(t *testing.T) {
	tests := []struct {
		name           string
		aspect         string
		before, after  string
		want           []string
		wantOfTheFirst []string
	}{
		{
			"tags", "globalTags", `{"tags":[{"tag":"urn:li:tag:old"},{"tag":"urn:li:tag:kept"}]}`, `{"tags":[{"tag":"urn:li:tag:kept"},{"tag":"urn:li:tag:new","context":"{\"a\":1}"}]}`,
			[]string{
				`ORDERS TAG REMOVE tag:old {"context":"{}","sourceDetails":"{}","tagUrn":"tag:old"}`,
				`ORDERS TAG ADD tag:new {"context":"{\"a\":1}","sourceDetails":"{}","tagUrn":"tag:new"}`,
			},
			[]string{
				`ORDERS TAG ADD tag:old {"context":"{}","sourceDetails":"{}","tagUrn":"tag:old"}`,
				`ORDERS TAG ADD tag:kept {"context":"{}","sourceDetails":"{}","tagUrn":"tag:kept"}`,
			},
		},
		{
			"owners", "ownership",
			`{"owners":[{"owner":"urn:li:corpuser:jo","type":"TECHNICAL_OWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`,
			`{"owners":[{"owner":"urn:li:corpuser:jo","type":"BUSINESS_OWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`,
			[]string{
				`ORDERS OWNERSHIP REMOVE corpuser:jo {"ownerType":"TECHNICAL_OWNER","ownerUrn":"corpuser:jo","sourceDetails":"{}"}`,
				`ORDERS OWNERSHIP ADD corpuser:jo {"ownerType":"BUSINESS_OWNER","ownerUrn":"corpuser:jo","sourceDetails":"{}"}`,
			}, nil,
		},
		{
			"deprecation", "deprecation", `{"deprecated":true,"note":"use fct","decommissionTime":5,"actor":"urn:li:corpuser:jo"}`, `{"deprecated":false,"note":"","actor":"urn:li:corpuser:jo"}`,
			[]string{`ORDERS DEPRECATION MODIFY  {"status":"ACTIVE"}`},
			[]string{`ORDERS DEPRECATION MODIFY  {"note":"use fct","status":"DEPRECATED","timestamp":"5"}`},
		},
		{
			"removal", "status", `{"removed":true}`, `{"removed":false}`,
			[]string{`ORDERS LIFECYCLE REINSTATE  null`}, []string{`ORDERS LIFECYCLE SOFT_DELETE  null`},
		},
		{
			"a description", "editableDatasetProperties", `{"description":"one"}`, `{"description":"two"}`,
			[]string{`ORDERS DOCUMENTATION MODIFY  {"description":"two","previousDescription":"one"}`},
			[]string{`ORDERS DOCUMENTATION ADD  {"description":"one"}`},
		},
		{
			"terms", "glossaryTerms", `{"auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"},"terms":[{"urn":"urn:li:glossaryTerm:a"}]}`, `{"auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"},"terms":[{"urn":"urn:li:glossaryTerm:b"}]}`,
			[]string{
				`ORDERS GLOSSARY_TERM REMOVE glossaryTerm:a {"context":"{}","sourceDetails":"{}","termUrn":"glossaryTerm:a"}`,
				`ORDERS GLOSSARY_TERM ADD glossaryTerm:b {"context":"{}","sourceDetails":"{}","termUrn":"glossaryTerm:b"}`,
			}, nil,
		},
		{
			"the first domain", "domains", `{"domains":["urn:li:domain:a","urn:li:domain:b"]}`, `{"domains":["urn:li:domain:b"]}`,
			[]string{
				`ORDERS DOMAIN REMOVE domain:a {"context":"{}","domainUrn":"domain:a","sourceDetails":"{}"}`,
				`ORDERS DOMAIN ADD domain:b {"context":"{}","domainUrn":"domain:b","sourceDetails":"{}"}`,
			},
			[]string{`ORDERS DOMAIN ADD domain:a {"context":"{}","domainUrn":"domain:a","sourceDetails":"{}"}`},
		},
		{
			"documentation of several sources", "documentation", `{"documentations":[{"documentation":"one"}]}`, `{"documentations":[{"documentation":"two"}]}`,
			[]string{`ORDERS DOCUMENTATION MODIFY  {"documentation":"two"}`}, []string{`ORDERS DOCUMENTATION ADD  {"documentation":"one"}`},
		},
		{
			"properties", "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"a"}]}]}`, `{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"b"}]}]}`,
			[]string{`ORDERS STRUCTURED_PROPERTY MODIFY structuredProperty:p {"propertyUrn":"structuredProperty:p","propertyValues":"[\"b\"]","sourceDetails":"{}"}`},
			[]string{`ORDERS STRUCTURED_PROPERTY ADD structuredProperty:p {"propertyUrn":"structuredProperty:p","propertyValues":"[\"a\"]","sourceDetails":"{}"}`},
		},
		{
			"notes of columns", "editableSchemaMetadata",
			`{"editableSchemaFieldInfo":[{"fieldPath":"a","description":"one","globalTags":{"tags":[{"tag":"urn:li:tag:t"}]}}]}`,
			`{"editableSchemaFieldInfo":[{"fieldPath":"b","glossaryTerms":{"auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"},"terms":[{"urn":"urn:li:glossaryTerm:x"}]}}]}`,
			[]string{
				`(ORDERS,a) DOCUMENTATION REMOVE a {"description":"one","fieldPath":"a","parentUrn":"ORDERS"}`,
				`(ORDERS,a) TAG REMOVE tag:t {"context":"{}","fieldPath":"a","parentUrn":"ORDERS","tagUrn":"tag:t"}`,
				`(ORDERS,b) GLOSSARY_TERM ADD glossaryTerm:x {"context":"{}","fieldPath":"b","parentUrn":"ORDERS","termUrn":"glossaryTerm:x"}`,
			}, nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := open(t)
			f.Put(t, orders, "datasetProperties", `{"name":"orders"}`) // to create its key
			f.Put(t, "urn:li:structuredProperty:p", "propertyDefinition", `{"qualifiedName":"p","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`)
			for _, domain := range []urn.URN{"urn:li:domain:a", "urn:li:domain:b"} {
				f.Put(t, domain, "domainProperties", `{"name":"`+string(domain)+`"}`)
			}
			at := f.end(event.PlatformEvents)
			f.Put(t, orders, test.aspect, test.before)
			if got := f.entityEvents(at); test.wantOfTheFirst != nil {
				same(t, got, test.wantOfTheFirst...)
			}
			at = f.end(event.PlatformEvents)
			f.Put(t, orders, test.aspect, test.after)
			f.Put(t, orders, test.aspect, test.after) // unchanged value
			same(t, f.entityEvents(at), test.want...)
		})
	}
}

func TestColumnsAreToldAsTheyBecome(t *testing.T) {
	f := open(t)
	schema := func(keys string, fields ...string) string {
		return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","primaryKeys":[` + keys + `],"platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` +
			strings.Join(fields, ",") + `]}`
	}
	field := func(path, native, more string) string {
		return `{"fieldPath":"` + path + `","nativeDataType":"` + native + `","type":{"type":{"com.linkedin.schema.StringType":{}}}` + more + `}`
	}
	f.Put(t, orders, "schemaMetadata", schema(`"id"`,
		field("id", "int", ""), field("gone", "text", ""), field("kept", "text", ""), field("old_name", "date", ""), field("wider", "int", `,"nullable":true`),
		field("[version=2.0].[type=struct].[type=int].deep", "int", "")))
	at := f.end(event.PlatformEvents)
	f.Put(t, orders, "schemaMetadata", schema(`"kept"`,
		field("id", "int", ""), field("kept", "text", `,"nullable":true`), field("new_name", "date", ""), field("wider", "long", ""), field("came", "bool", ""),
		field("[version=2.0].[type=struct].[type=long].deep", "long", "")))
	told := func(operation, path, kind string, nullable bool) string {
		return fmt.Sprintf(`ORDERS TECHNICAL_SCHEMA %s (ORDERS,%s) {"fieldPath":"%s","fieldUrn":"(ORDERS,%s)","modificationCategory":"%s","nullable":%t}`, operation, path, path, path, kind, nullable)
	}
	same(t, f.entityEvents(at),
		told("MODIFY", "[version=2.0].[type=struct].[type=int].deep", "TYPE_CHANGE", false),
		told("ADD", "came", "OTHER", false),
		told("REMOVE", "gone", "OTHER", false),
		told("MODIFY", "old_name", "RENAME", false),
		told("MODIFY", "wider", "TYPE_CHANGE", true),
		told("MODIFY", "id", "OTHER", false),
		told("MODIFY", "kept", "OTHER", true))
}

func TestAnEntityThatComesAndGoesIsTold(t *testing.T) {
	f := open(t)
	at := f.end(event.PlatformEvents)
	f.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	if got := f.entityEvents(at); !slices.Contains(got, "ORDERS LIFECYCLE CREATE  null") {
		t.Errorf("creation: %v", got)
	}
	at = f.end(event.PlatformEvents)
	if _, err := f.Catalog.DeleteEntity(f.As(t, model.SystemActor), orders); err != nil {
		t.Fatal(err)
	}
	same(t, f.entityEvents(at), "ORDERS LIFECYCLE HARD_DELETE  null")
}

func TestAnAspectThatIsDeletedIsToldWithWhatItSaid(t *testing.T) {
	f := open(t)
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:old"}]}`)
	events, changes := f.end(event.PlatformEvents), f.end(event.VersionedChanges)
	if _, err := f.Catalog.DeleteAspects(f.As(t, model.SystemActor), orders, "globalTags"); err != nil {
		t.Fatal(err)
	}
	same(t, f.entityEvents(events), `ORDERS TAG REMOVE tag:old {"context":"{}","sourceDetails":"{}","tagUrn":"tag:old"}`)
	page := f.poll(event.Query{Topic: string(event.VersionedChanges), Offset: changes})
	change := decodeChange(t, page.Events[0])
	if change.Type != "DELETE" || change.Aspect != nil || change.Previous["com.linkedin.pegasus2avro.mxe.GenericAspect"].Value != `{"tags":[{"tag":"urn:li:tag:old"}]}` {
		t.Errorf("%s", page.Events[0])
	}
}

func TestRunsAreTold(t *testing.T) {
	f := open(t)
	const assertion urn.URN = "urn:li:assertion:a"
	const run urn.URN = "urn:li:dataProcessInstance:r"
	f.Put(t, run, "dataProcessInstanceRelationships", `{"parentTemplate":"urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)","upstreamInstances":[]}`)
	at := f.end(event.PlatformEvents)
	f.Put(t, assertion, "assertionRunEvent", `{"timestampMillis":1,"runId":"7","asserteeUrn":"`+string(orders)+`","assertionUrn":"urn:li:assertion:a","status":"COMPLETE","result":{"type":"FAILURE"}}`)
	f.Put(t, run, "dataProcessInstanceRunEvent", `{"timestampMillis":1,"status":"STARTED","attempt":2}`)
	same(t, f.entityEvents(at),
		`assertion:a RUN COMPLETED  {"asserteeUrn":"ORDERS","assertionResult":"FAILURE","runId":"7","runResult":"COMPLETE"}`,
		`dataProcessInstance:r RUN STARTED  {"attempt":2,"dataJobUrn":"dataJob:(dataFlow:(airflow,f,prod),j)"}`)
}

type changeLogEvent struct {
	EntityType string
	URN        map[string]string `json:"entityUrn"`
	Type       string            `json:"changeType"`
	AspectName map[string]string
	Aspect     map[string]struct{ Value, ContentType string }
	System     map[string]map[string]json.RawMessage              `json:"systemMetadata"`
	Previous   map[string]struct{ Value, ContentType string }     `json:"previousAspectValue"`
	Created    map[string]struct{ Time, Actor, Impersonator any } `json:"created"`
}

func decodeChange(t *testing.T, text []byte) (c changeLogEvent) {
	t.Helper()
	decode(t, text, &c)
	return c
}

func TestChangesComeWithValuesBeforeAndAfter(t *testing.T) {
	f := open(t)
	at := f.end(event.VersionedChanges)
	f.Put(t, orders, "status", `{"removed":false}`)
	f.Put(t, orders, "status", `{"removed":true}`)
	f.Put(t, orders, "status", `{"removed":true}`)
	var got []string
	for _, text := range f.poll(event.Query{Topic: string(event.VersionedChanges), Offset: at}).Events {
		c := decodeChange(t, text)
		if c.AspectName["string"] != "status" {
			continue // the key aspect
		}
		const generic = "com.linkedin.pegasus2avro.mxe.GenericAspect"
		version := string(c.System["com.linkedin.pegasus2avro.mxe.SystemMetadata"]["version"])
		got = append(got, fmt.Sprint(c.EntityType, " ", c.Type, " ", c.Aspect[generic].Value, " ", c.Previous[generic].Value, " ", version, " ", c.Created["com.linkedin.pegasus2avro.common.AuditStamp"].Actor))
	}
	same(t, got,
		`dataset UPSERT {"removed":false}  {"string":"1"} urn:li:corpuser:__datahub_system`,
		`dataset UPSERT {"removed":true} {"removed":false} {"string":"2"} urn:li:corpuser:__datahub_system`)
}

func TestSecretsAreNotTold(t *testing.T) {
	f := open(t)
	at := f.end(event.VersionedChanges)
	err := f.Catalog.Managed("dataHubSecretValue").Write(f.As(t, model.SystemActor), []catalog.Proposal{
		{URN: "urn:li:dataHubSecret:s", Aspect: "dataHubSecretValue", Value: json.RawMessage(`{"name":"s","value":"open sesame"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	var aspects []string
	for _, text := range f.poll(event.Query{Topic: string(event.VersionedChanges), Offset: at}).Events {
		c := decodeChange(t, text)
		aspects = append(aspects, c.AspectName["string"])
		if value := c.Aspect["com.linkedin.pegasus2avro.mxe.GenericAspect"].Value; strings.Contains(value, "value") && !strings.Contains(value, catalog.Mask) {
			t.Errorf("%s is told with %s", c.AspectName["string"], value)
		}
	}
	if !slices.Contains(aspects, "dataHubSecretValue") {
		t.Errorf("told of %v", aspects)
	}
}

func TestDocumentsOfTimeSeriesHaveATopicOfTheirOwn(t *testing.T) {
	f := open(t)
	at := f.end(event.TimeseriesChanges)
	f.Put(t, orders, "datasetProfile", `{"timestampMillis":1,"rowCount":5}`)
	f.Put(t, orders, "status", `{"removed":false}`)
	page := f.poll(event.Query{Topic: string(event.TimeseriesChanges), Offset: at})
	if len(page.Events) != 1 || !strings.Contains(string(page.Events[0]), `\"rowCount\":5`) {
		t.Errorf("%s", page.Events)
	}
}

func TestPagesGoOnWithinTheEventsOfOneWrite(t *testing.T) {
	f := open(t)
	f.Put(t, orders, "status", `{"removed":false}`)
	at := f.end(event.PlatformEvents)
	var tags []string
	for i := range 7 {
		tags = append(tags, fmt.Sprintf(`{"tag":"urn:li:tag:t%d"}`, i))
	}
	f.Put(t, orders, "globalTags", `{"tags":[`+strings.Join(tags, ",")+`]}`)
	f.Put(t, orders, "status", `{"removed":true}`)
	tags = tags[2:]
	f.Put(t, orders, "globalTags", `{"tags":[`+strings.Join(tags, ",")+`]}`)
	texts := func(page event.Page) (out []string) {
		for _, text := range page.Events {
			out = append(out, string(text))
		}
		return out
	}
	whole := texts(f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: at, Limit: event.MaxLimit}))
	for limit := 1; limit <= 17; limit++ {
		var got []string
		for offset := at; ; {
			page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: offset, Limit: limit})
			if len(page.Events) > limit {
				t.Fatalf("%d events with a limit of %d", len(page.Events), limit)
			}
			got = append(got, texts(page)...)
			if n := len(page.Events); n > 0 && page.OffsetAfter(n-1) != page.Offset && n == limit {
				rest := texts(f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: page.OffsetAfter(n - 1), Limit: event.MaxLimit}))
				if want := texts(f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: page.Offset, Limit: event.MaxLimit})); !slices.Equal(rest, want) {
					t.Errorf("behind the last event of a page of %d come %d events, behind the page %d", limit, len(rest), len(want))
				}
			}
			if offset = page.Offset; len(page.Events) == 0 {
				break
			}
		}
		if !slices.Equal(got, whole) {
			t.Errorf("by pages of %d: %v, at once: %v", limit, got, whole)
		}
	}
	if want := 7 + 7 + 1 + 2 + 2; len(whole) != want {
		t.Errorf("%d events, want %d: %v", len(whole), want, whole)
	}
	// A query without relationships gets the other events from the same offsets.
	for i := range whole {
		page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: at, Limit: i + 1})
		var want []string
		for _, text := range whole[i+1:] {
			if strings.Contains(text, `"name":"entityChangeEvent"`) {
				want = append(want, text)
			}
		}
		rest := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: page.Offset, Limit: event.MaxLimit, WithoutRelationships: true})
		if got := texts(rest); !slices.Equal(got, want) {
			t.Errorf("without relationships behind %d events: %v, want %v", i+1, got, want)
		}
	}
}

// TestAPageHasFiveThousandEventsWhateverIsAskedFor writes 2,800 tags at once. Each gives two
// events: the tag, and the relationship with it. A page has at most 5,000.
func TestAPageHasFiveThousandEventsWhateverIsAskedFor(t *testing.T) {
	f := open(t)
	f.Put(t, orders, "status", `{"removed":false}`)
	at := f.end(event.PlatformEvents)
	tags := make([]string, 2800)
	for i := range tags {
		tags[i] = fmt.Sprintf(`{"tag":"urn:li:tag:t%d"}`, i)
	}
	f.Put(t, orders, "globalTags", `{"tags":[`+strings.Join(tags, ",")+`]}`)
	seen := map[string]bool{}
	for _, want := range []int{5000, 600, 0} {
		page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: at, Limit: 1_000_000})
		if len(page.Events) != want {
			t.Errorf("%d events, want %d", len(page.Events), want)
		}
		for _, text := range page.Events {
			seen[string(text)] = true
		}
		at = page.Offset
	}
	if len(seen) != 2*len(tags) {
		t.Errorf("%d of %d events were told", len(seen), 2*len(tags))
	}
}

func TestAQuietTopicKeepsItsOffset(t *testing.T) {
	f := open(t)
	for _, topic := range event.Topics() {
		at := f.end(topic)
		if again := f.poll(event.Query{Topic: string(topic), Offset: at}); again.Offset != at || len(again.Events) != 0 {
			t.Errorf("%s: %q became %q", topic, at, again.Offset)
		}
	}
}

func TestWhoWaitsIsToldAtOnce(t *testing.T) {
	f := open(t)
	at := f.end(event.PlatformEvents)
	heard := make(chan event.Page, 1)
	ctx := f.As(t, servicetest.Root)
	go func() {
		page, err := f.events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents), Offset: at, Wait: event.MaxWait})
		if err != nil {
			t.Error(err)
		}
		heard <- page
	}()
	f.Put(t, orders, "status", `{"removed":true}`)
	if page := <-heard; len(page.Events) == 0 {
		t.Error("nothing was told before the time was over")
	}
}

func TestWhoLeavesIsNotWaitedFor(t *testing.T) {
	f := open(t)
	ctx, leave := context.WithCancel(f.As(t, servicetest.Root))
	done := make(chan error, 1)
	go func() {
		_, err := f.events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents), Wait: event.MaxWait})
		done <- err
	}()
	leave()
	if err := <-done; err != nil && !strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
}

func TestLookingBackBeginsAtATime(t *testing.T) {
	f := open(t)
	f.Put(t, orders, "status", `{"removed":true}`)
	f.Pass(48 * time.Hour)
	f.Put(t, orders, "status", `{"removed":false}`)
	f.Pass(time.Hour)
	page := f.poll(event.Query{Topic: string(event.PlatformEvents), Lookback: 24 * time.Hour})
	if len(page.Events) != 1 || !strings.Contains(string(page.Events[0]), "REINSTATE") {
		t.Errorf("of the last day: %s", page.Events)
	}
	if all := f.poll(event.Query{Topic: string(event.PlatformEvents), Lookback: 1000 * 24 * time.Hour, Limit: event.MaxLimit}); len(all.Events) < 3 {
		t.Errorf("of everything: %d events", len(all.Events))
	}
	if none := f.poll(event.Query{Topic: string(event.PlatformEvents), Lookback: time.Minute}); len(none.Events) != 0 {
		t.Errorf("of the last minute: %s", none.Events)
	}
}

func TestEventsThatAreNotKeptAreSaidToBeMissed(t *testing.T) {
	f := open(t)
	at := f.end(event.VersionedChanges)
	f.Put(t, orders, "status", `{"removed":true}`)
	last, _ := f.Store.Last()
	if err := f.Store.Trim(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	f.Put(t, orders, "status", `{"removed":false}`)
	page := f.poll(event.Query{Topic: string(event.VersionedChanges), Offset: at})
	if !page.Missed || len(page.Events) != 1 {
		t.Errorf("missed %v, %d events", page.Missed, len(page.Events))
	}
	if again := f.poll(event.Query{Topic: string(event.VersionedChanges), Offset: page.Offset}); again.Missed {
		t.Error("it is said twice")
	}
}

func TestBadOffsetsAndTopicsAreRefused(t *testing.T) {
	f := open(t)
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for name, q := range map[string]event.Query{
		"an unknown topic":          {Topic: "MetadataChangeProposal_v1"},
		"no topic":                  {},
		"no base64":                 {Topic: string(event.PlatformEvents), Offset: "§"},
		"no JSON":                   {Topic: string(event.PlatformEvents), Offset: encode("x")},
		"the offset of another":     {Topic: string(event.PlatformEvents), Offset: f.end(event.VersionedChanges)},
		"a negative number":         {Topic: string(event.PlatformEvents), Offset: encode(`{"PlatformEvent_v1-0":-1}`)},
		"a place behind the end":    {Topic: string(event.PlatformEvents), Offset: encode(`{"PlatformEvent_v1-0":9223372036854775807}`)},
		"a number that is too long": {Topic: string(event.PlatformEvents), Offset: encode(`{"PlatformEvent_v1-0":18446744073709551615}`)},
		"a long one":                {Topic: string(event.PlatformEvents), Offset: strings.Repeat("A", 1<<20)},
	} {
		if _, err := f.events.Poll(f.As(t, servicetest.Root), q); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFollowingNeedsThePrivilegeOfTheTopic(t *testing.T) {
	f := open(t)
	may := func(topic event.Topic) bool {
		_, err := f.events.Poll(f.As(t, servicetest.Jo), event.Query{Topic: string(topic)})
		if err != nil && fault.KindOf(err) != fault.Forbidden {
			t.Fatal(err)
		}
		return err == nil
	}
	each := func() (out []bool) {
		for _, topic := range event.Topics() {
			out = append(out, may(topic))
		}
		return out
	}
	for _, step := range []struct {
		privilege auth.Privilege
		want      []bool
	}{
		{"", []bool{false, false, false}},
		{auth.GetPlatformEvents, []bool{true, false, false}},
		{auth.GetChangeLogEvents, []bool{false, true, true}},
		{auth.GetTopicEvents, []bool{true, true, true}},
	} {
		if step.privilege != "" {
			f.Policy(t, "follow", []auth.Privilege{step.privilege}, nil, servicetest.Jo)
		}
		if got := each(); !slices.Equal(got, step.want) {
			t.Errorf("with %q: %v, want %v", step.privilege, got, step.want)
		}
	}
	if _, err := f.events.Poll(t.Context(), event.Query{Topic: string(event.PlatformEvents)}); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: %v", err)
	}
}

func TestMoreCallersThanAreTakenAreThrottled(t *testing.T) {
	f := open(t)
	settling, release := make(chan struct{}), make(chan struct{})
	events := event.New(event.Config{
		Log: f.Store, Rows: f.Store, Registry: f.Registry, Authorizer: f.Rights, Now: f.World.Now, Callers: 1,
		Settled: func(context.Context, uint64) error { close(settling); <-release; return nil },
	})
	at := f.end(event.PlatformEvents)
	f.Put(t, orders, "status", `{"removed":true}`)
	ctx, done := f.As(t, servicetest.Root), make(chan error, 1)
	go func() {
		_, err := events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents), Offset: at})
		done <- err
	}()
	<-settling
	if _, err := events.Poll(ctx, event.Query{Topic: string(event.PlatformEvents)}); fault.KindOf(err) != fault.Throttled || !strings.Contains(err.Error(), "Too many simultaneous requests") {
		t.Errorf("the second: %v", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
