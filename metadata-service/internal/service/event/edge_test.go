package event_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// relationship is the payload of a relationship change event.
type relationship struct {
	SourceURN        urn.URN           `json:"sourceUrn"`
	DestinationURN   urn.URN           `json:"destinationUrn"`
	Operation        string            `json:"operation"`
	RelationshipType string            `json:"relationshipType"`
	LifecycleOwner   urn.URN           `json:"lifecycleOwner"`
	Via              urn.URN           `json:"via"`
	Properties       map[string]string `json:"properties"`
}

func (r relationship) String() string {
	return strings.TrimSpace(short(fmt.Sprintf("%s %s %s %s %s %s", r.Operation, r.SourceURN, r.RelationshipType, r.DestinationURN, r.LifecycleOwner, r.Via)))
}

// relationshipEvents returns the relationship change events after an offset.
func (f *fixture) relationshipEvents(offset string) (out []relationship) {
	f.Helper()
	for {
		page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: offset, Limit: 700})
		for _, text := range page.Events {
			name, payload := event.Plain(event.PlatformEvents, text)
			if name != event.RelationshipChange {
				continue
			}
			var r relationship
			decode(f.T, payload, &r)
			out = append(out, r)
		}
		if len(page.Events) == 0 {
			return out
		}
		offset = page.Offset
	}
}

func (f *fixture) tellsEdges(offset string, want ...string) {
	f.Helper()
	var got []string
	for _, r := range f.relationshipEvents(offset) {
		got = append(got, r.String())
	}
	same(f.T, got, want...)
}

func dataset(name string) urn.URN {
	return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
}

func upstream(u urn.URN) string {
	return `{"dataset":"` + string(u) + `","type":"TRANSFORMED","auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"}}`
}

func lineage(fine string, upstreams ...string) string {
	if fine != "" {
		fine = `,"fineGrainedLineages":[` + fine + `]`
	}
	return `{"upstreams":[` + strings.Join(upstreams, ",") + `]` + fine + `}`
}

func TestARelationshipChangeEventHasTheFormThatClientsRead(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Put(t, orders, "status", `{"removed":false}`)
	at := f.end(event.PlatformEvents)
	f.Put(t, orders, "upstreamLineage", lineage("", `{"dataset":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)","type":"TRANSFORMED","query":"urn:li:query:q",
		"properties":{"source":"UI"},"auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"}}`))
	page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: at})
	if len(page.Events) != 1 {
		t.Fatalf("%d events: %s", len(page.Events), page.Events)
	}
	now := f.World.Now().UnixMilli()
	payload := fmt.Sprintf(`{"auditStamp":{"actor":"urn:li:corpuser:__datahub_system","time":%d},"destinationUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)","operation":"ADD",`+
		`"properties":{"source":"UI"},"relationshipType":"DownstreamOf","sourceUrn":"%s","via":"urn:li:query:q"}`, now, orders)
	quoted, _ := json.Marshal(payload)
	want := fmt.Sprintf(`{"header":{"timestampMillis":%d},"name":"relationshipChangeEvent","payload":{"contentType":"application/json","value":%s}}`, now, quoted)
	if got := string(page.Events[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRelationshipsThatComeAndGoAreTold(t *testing.T) {
	t.Parallel()
	f := open(t)
	a, b, c := dataset("a"), dataset("b"), dataset("c")
	at := f.end(event.PlatformEvents)
	f.Put(t, orders, "upstreamLineage", lineage("", upstream(a), upstream(b)))
	told := []string{"ADD ORDERS DownstreamOf " + short(string(a)), "ADD ORDERS DownstreamOf " + short(string(b))}
	var got []string
	for _, r := range f.relationshipEvents(at) {
		got = append(got, r.String())
	}
	for _, want := range told {
		if !slices.Contains(got, want) {
			t.Errorf("got %q, want %q among them", got, want)
		}
	}

	at = f.end(event.PlatformEvents)
	f.Put(t, orders, "upstreamLineage", lineage("", upstream(c), upstream(b)))
	f.Put(t, orders, "upstreamLineage", lineage("", upstream(c), upstream(b))) // unchanged value
	f.tellsEdges(at, "REMOVE ORDERS DownstreamOf "+short(string(a)), "ADD ORDERS DownstreamOf "+short(string(c)))

	at = f.end(event.PlatformEvents)
	fine := `{"upstreamType":"FIELD_SET","downstreamType":"FIELD","query":"urn:li:query:q","upstreams":["urn:li:schemaField:(` + string(b) + `,x)"],"downstreams":["urn:li:schemaField:(` + string(orders) + `,y)"]}`
	f.Put(t, orders, "upstreamLineage", lineage(fine, upstream(c), upstream(b)))
	f.tellsEdges(at, short("ADD ORDERS DownstreamOf urn:li:schemaField:("+string(b)+",x)"), short("ADD urn:li:schemaField:("+string(orders)+",y) DownstreamOf urn:li:schemaField:("+string(b)+",x) "+string(orders)+" urn:li:query:q"))

	at = f.end(event.PlatformEvents)
	if _, err := f.Catalog.DeleteAspects(f.As(t, model.SystemActor), orders, "upstreamLineage"); err != nil {
		t.Fatal(err)
	}
	f.tellsEdges(at, "REMOVE ORDERS DownstreamOf "+short(string(c)), "REMOVE ORDERS DownstreamOf "+short(string(b)), short("REMOVE ORDERS DownstreamOf urn:li:schemaField:("+string(b)+",x)"),
		short("REMOVE urn:li:schemaField:("+string(orders)+",y) DownstreamOf urn:li:schemaField:("+string(b)+",x) "+string(orders)+" urn:li:query:q"))

	// A soft deletion keeps the relationships. They are present again after the restoration.
	f.Put(t, orders, "upstreamLineage", lineage("", upstream(a)))
	at = f.end(event.PlatformEvents)
	f.Put(t, orders, "status", `{"removed":true}`)
	f.tellsEdges(at)
}

func (f *fixture) writeInRun(runID string, u urn.URN, aspect, value string) {
	f.Helper()
	_, err := f.Catalog.Write(f.As(f.T, model.SystemActor), []catalog.Proposal{{
		URN: string(u), Aspect: aspect, Value: json.RawMessage(value), System: model.SystemMetadata{RunID: runID},
	}}, catalog.WriteOptions{})
	if err != nil {
		f.Fatal(err)
	}
}

// TestRelationshipChangeEventsAddUpToTheGraph checks that the sum of all events equals the graph:
// over writes of all kinds, rollbacks, and deletions of aspects and of entities.
func TestRelationshipChangeEventsAddUpToTheGraph(t *testing.T) {
	t.Parallel()
	f := open(t)
	at := f.end(event.PlatformEvents)
	a, b := dataset("a"), dataset("b")
	column := func(u urn.URN, path string) string { return "urn:li:schemaField:(" + string(u) + "," + path + ")" }
	fine := `{"upstreamType":"FIELD_SET","downstreamType":"FIELD_SET","upstreams":["` + column(a, "x") + `","` + column(a, "y") + `"],"downstreams":["` + column(orders, "x") + `","` + column(orders, "z") + `"]}`
	f.writeInRun("first", orders, "upstreamLineage", lineage("", upstream(a)))
	f.writeInRun("second", orders, "upstreamLineage", lineage(fine, upstream(b)))
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"}]}`)
	f.Put(t, orders, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"x","globalTags":{"tags":[{"tag":"urn:li:tag:pii"},{"tag":"urn:li:tag:x"}]}}]}`)
	f.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	f.Put(t, a, "upstreamLineage", lineage("", upstream(orders)))
	f.Put(t, "urn:li:chart:(looker,c)", "inputFields", `{"fields":[{"schemaFieldUrn":"`+column(orders, "x")+`","schemaField":{"fieldPath":"x","nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}}}}]}`)
	f.Put(t, "urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)", "dataJobInputOutput", `{"inputDatasets":["`+string(a)+`"],"outputDatasets":["`+string(orders)+`"],
		"inputDatasetEdges":[{"destinationUrn":"`+string(b)+`"}]}`)
	told := map[model.EdgeKey]int{}
	check := func(when string) {
		t.Helper()
		fresh := f.relationshipEvents(at)
		at = f.end(event.PlatformEvents) // deleted versions give no events later
		for _, r := range fresh {
			key := model.EdgeKey{Source: r.SourceURN, Type: r.RelationshipType, Destination: r.DestinationURN, Owner: r.LifecycleOwner}
			if key.Owner == "" {
				key.Owner = key.Source
			}
			switch r.Operation {
			case "ADD":
				told[key]++
			case "REMOVE":
				told[key]--
			default:
				t.Errorf("operation %q", r.Operation)
			}
		}
		there := map[model.EdgeKey]bool{}
		for _, u := range []urn.URN{
			orders, a, b, "urn:li:chart:(looker,c)", "urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)",
			urn.URN(column(orders, "x")), urn.URN(column(orders, "z")), "urn:li:schemaField:(urn:li:chart:(looker,c),x)",
		} {
			edges, err := f.Store.Edges(t.Context(), graph.Query{Nodes: []urn.URN{u}, Direction: graph.Outgoing})
			if err != nil {
				t.Fatal(err)
			}
			for i := range edges {
				there[edges[i].Key()] = true
				if told[edges[i].Key()] < 1 {
					t.Errorf("%s: %v is there and was not told", when, edges[i].Key())
				}
			}
		}
		for key, n := range told {
			if n < 0 || n > 0 && !there[key] {
				t.Errorf("%s: %v was told %d times and is not there", when, key, n)
			}
		}
		if when == "before" && len(there) < 15 {
			t.Errorf("only %d relationships: %v", len(there), there)
		}
	}
	check("before")
	if _, err := run.New(f.Catalog).Rollback(f.As(t, model.SystemActor), "second", run.Options{Hard: true}); err != nil {
		t.Fatal(err)
	}
	check("after a rollback")
	if _, err := f.Catalog.DeleteAspects(f.As(t, model.SystemActor), orders, "globalTags"); err != nil {
		t.Fatal(err)
	}
	check("after an aspect was deleted")
	mid := at
	if _, err := f.Catalog.DeleteEntity(f.As(t, model.SystemActor), orders); err != nil {
		t.Fatal(err)
	}
	check("after the entity was deleted")
	for _, r := range f.relationshipEvents(mid) {
		if r.Operation != "REMOVE" || r.SourceURN != orders && r.LifecycleOwner != orders {
			t.Errorf("told of the deletion: %v", r)
		}
	}
	if len(f.relationshipEvents(mid)) < 4 {
		t.Errorf("told of the deletion: %v", f.relationshipEvents(mid))
	}
}

// countedRows counts the lineage rows that are read.
type countedRows struct {
	store.Reader
	reads int
}

func (c *countedRows) Row(ctx context.Context, key store.Key, n int64) (*model.Record, error) {
	if key.Aspect == "upstreamLineage" {
		c.reads++
	}
	return c.Reader.Row(ctx, key, n)
}

// reserved returns a service that adds up the reserved memory in bytes.
func reserved(f *fixture, bytes *int64) *event.Service {
	return event.New(event.Config{
		Log: f.Store, Rows: f.Store, Registry: f.Registry, Authorizer: f.Rights, Now: f.World.Now,
		Reserve: func(_ context.Context, n int64) error { *bytes += n; return nil },
	})
}

func TestAnAspectOfThousandsOfRelationshipsIsToldOnceByPages(t *testing.T) {
	t.Parallel()
	const many = 4000
	f := open(t)
	f.Put(t, orders, "status", `{"removed":false}`)
	at := f.end(event.PlatformEvents)
	var all []string
	for i := range many {
		all = append(all, upstream(dataset(fmt.Sprint("u", i))))
	}
	f.Put(t, orders, "upstreamLineage", lineage("", all...))
	f.Put(t, orders, "upstreamLineage", lineage("", all[many/2:]...))
	rows := &countedRows{Reader: f.Store}
	f.events = event.New(event.Config{Log: f.Store, Rows: rows, Registry: f.Registry, Authorizer: f.Rights, Now: f.World.Now})
	next := 0
	for offset := at; ; {
		page := f.poll(event.Query{Topic: string(event.PlatformEvents), Offset: offset, Limit: 999})
		for _, text := range page.Events {
			_, payload := event.Plain(event.PlatformEvents, text)
			var r relationship
			decode(t, payload, &r)
			operation, n := "ADD", next
			if next >= many {
				operation, n = "REMOVE", next-many
			}
			if r.Operation != operation || r.DestinationURN != dataset(fmt.Sprint("u", n)) {
				t.Fatalf("event %d is %v", next, r)
			}
			next++
		}
		if offset = page.Offset; len(page.Events) == 0 {
			break
		}
	}
	if next != many+many/2 {
		t.Errorf("%d events, want %d", next, many+many/2)
	}
	// Values are read once for an entry, and not again for each page: at most three rows for each
	// of two entries, twice where a page ended with the entry before.
	if rows.reads > 12 {
		t.Errorf("%d rows were read", rows.reads)
	}
	// Memory is reserved for the relationships of the larger write, not for the sum of both.
	var bytes int64
	page, err := reserved(f, &bytes).Poll(f.As(t, model.RootUser), event.Query{Topic: string(event.PlatformEvents), Offset: at, Limit: many + 1})
	if err != nil || len(page.Events) != many+1 {
		t.Fatalf("%d events, %v", len(page.Events), err)
	}
	if least, most := int64(many*1.5*400), int64(many*1.5*400+16<<20); bytes < least || bytes > most {
		t.Errorf("%d bytes were reserved, want %d to %d", bytes, least, most)
	}
}

func BenchmarkPageOfRelationships(b *testing.B) {
	for _, many := range []int{4000, 190_000} {
		b.Run(fmt.Sprint(many), func(b *testing.B) {
			benchmarkPage(b, many)
		})
	}
}

// benchmarkPage reads 100 events in the middle of those of one write that gives many relationships
// of columns.
func benchmarkPage(b *testing.B, many int) {
	w := servicetest.New(b)
	column := func(u urn.URN, n int) string { return fmt.Sprintf(`"urn:li:schemaField:(%s,c%d)"`, u, n) }
	side := 1
	for (side+1)*(side+1) <= many {
		side++
	}
	var up, down []string
	for i := range side {
		up, down = append(up, column(dataset("a"), i)), append(down, column(orders, i))
	}
	events := event.New(event.Config{Log: w.Store, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Now: w.Now})
	ctx, q := w.As(b, model.RootUser), event.Query{Topic: string(event.PlatformEvents), Limit: side}
	w.Put(b, orders, "status", `{"removed":false}`)
	page, err := events.Poll(ctx, q)
	if err != nil {
		b.Fatal(err)
	}
	w.Put(b, orders, "upstreamLineage", lineage(`{"upstreamType":"FIELD_SET","downstreamType":"FIELD_SET","upstreams":[`+strings.Join(up, ",")+`],"downstreams":[`+strings.Join(down, ",")+`]}`))
	for n := 0; n < side*side/2; n += len(page.Events) {
		q.Offset = page.Offset
		if page, err = events.Poll(ctx, q); err != nil || len(page.Events) == 0 {
			b.Fatal(n, err)
		}
	}
	q.Offset = page.Offset
	q.Limit = 100 // which keeps the cached meaning of the write
	b.ReportAllocs()
	for b.Loop() {
		if page, err := events.Poll(ctx, q); err != nil || len(page.Events) != 100 {
			b.Fatal(len(page.Events), err)
		}
	}
}
