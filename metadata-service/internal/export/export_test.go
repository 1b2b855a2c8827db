package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/export"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)")
	owner   = urn.URN("urn:li:structuredProperty:a.owner")
	retired = urn.URN("urn:li:structuredProperty:z.retired")
	draft   = urn.URN("urn:li:lifecycleStageType:z-draft")
	final   = urn.URN("urn:li:lifecycleStageType:a-final")
)

type world struct {
	*catalogtest.Fixture
	on catalogtest.Drivers
}

func newWorld(t testing.TB, on catalogtest.Drivers) *world {
	t.Helper()
	f := catalogtest.New(t, on)
	if err := f.Boot.DefaultData(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &world{f, on}
}

func (w *world) config() export.Config {
	return export.Config{Registry: w.Registry, Rows: w.on.Store, Documents: w.on.Documents}
}

// export returns the text of a file and its summary.
func (w *world) export(selection export.Selection) (string, export.Summary) {
	w.T.Helper()
	var out bytes.Buffer
	sum, err := export.Write(w.T.Context(), w.config(), selection, &out)
	if err != nil {
		w.T.Fatal(err)
	}
	return out.String(), sum
}

// item is one proposal of a file.
type item struct {
	EntityType, EntityURN, ChangeType, AspectName string
	Aspect                                        struct {
		JSON        json.RawMessage
		Value       string
		ContentType string
	}
	SystemMetadata model.SystemMetadata
}

func (i item) value() string {
	if i.Aspect.JSON == nil {
		return i.Aspect.Value
	}
	return string(i.Aspect.JSON)
}

func items(t testing.TB, text string) (all []item) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return all
}

// take writes all items, one at a time, as an actor other than the service.
func (w *world) take(all []item) {
	w.T.Helper()
	for n, i := range all {
		if i.ChangeType != string(model.Upsert) || urn.URN(i.EntityURN).Type() != i.EntityType {
			w.T.Errorf("item %d: %+v", n, i)
		}
		_, err := w.Write(w.As(model.RootUser), []catalog.Proposal{{URN: i.EntityURN, Aspect: i.AspectName, Value: json.RawMessage(i.value()), System: i.SystemMetadata}}, catalog.WriteOptions{})
		if err != nil {
			w.T.Errorf("item %d, %s of %s: %v", n, i.AspectName, i.EntityURN, err)
		}
	}
}

// fill writes data that an importer would refuse in another order.
func (w *world) fill() {
	definition := `{"qualifiedName":%q,"valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"],"version":null}`
	stage := `{"name":"s","created":{"time":1,"actor":"urn:li:corpuser:datahub"},"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"},"settings":{"hideInSearch":false}%s}`
	w.Put(owner, "propertyDefinition", fmt.Sprintf(definition, "a.owner"))
	w.Put(retired, "propertyDefinition", fmt.Sprintf(definition, "z.retired"))
	w.Put(draft, "lifecycleStageTypeInfo", fmt.Sprintf(stage, ""))
	w.Put(final, "lifecycleStageTypeInfo", fmt.Sprintf(stage, `,"transitionPolicy":{"allowedPreviousStages":["`+string(draft)+`"]}`))
	w.Put("urn:li:dataHubRole:Steward", "dataHubRoleInfo", `{"name":"Steward","description":"d"}`)
	w.Put("urn:li:corpuser:jo", "corpUserInfo", `{"active":true}`)
	w.Put("urn:li:corpuser:jo", "roleMembership", `{"roles":["urn:li:dataHubRole:Steward"]}`)
	w.Put("urn:li:corpuser:service_loader", "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	w.Put("urn:li:corpuser:service_loader", "corpUserInfo", `{"active":true,"displayName":"Loader"}`)
	w.Put(orders, "structuredProperties", `{"properties":[{"propertyUrn":"`+string(owner)+`","values":[{"string":"x"}]},{"propertyUrn":"`+string(retired)+`","values":[{"string":"y"}]}]}`)
	w.Put(orders, "status", `{"removed":false,"lifecycleStage":"`+string(draft)+`"}`)
	w.Put(orders, "status", `{"removed":false,"lifecycleStage":"`+string(final)+`"}`)
	w.Put(retired, "status", `{"removed":true}`)
	w.Put(orders, "embed", `{}`)
	w.Put(orders, "subTypes", `{"typeNames":["<b>& café \u2028 😀 \"quoted\" \\ \n"]}`)
	w.Put("urn:li:tag:gone", "tagProperties", `{"name":"gone"}`)
	w.Put("urn:li:tag:gone", "status", `{"removed":true}`)
	// The incidents are summarized in the order in which they were written.
	for _, n := range []string{"3", "1", "2"} {
		w.Put(urn.URN("urn:li:incident:"+n), "incidentInfo", `{"type":"OPERATIONAL","entities":["`+string(orders)+`"],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:datahub"}},"created":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	}
	for n := range 200 {
		w.Put(orders, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":9007199254740993,"fieldProfiles":[{"fieldPath":"a","uniqueCount":%d}]}`, catalogtest.Day+n, n))
	}
	w.Put("urn:li:assertion:a", "assertionRunEvent", fmt.Sprintf(`{"timestampMillis":%d,"runId":"r","asserteeUrn":%q,"assertionUrn":"urn:li:assertion:a","status":"COMPLETE","result":{"type":"SUCCESS"}}`, catalogtest.Day, orders))
	for n, sort := range []string{"b", "c", "a"} {
		w.Put(urn.URN(fmt.Sprintf("urn:li:mlModel:(urn:li:dataPlatform:mlflow,m%d,PROD)", n)), "versionProperties",
			`{"versionSet":"urn:li:versionSet:(m,mlModel)","version":{"versionTag":"`+sort+`"},"sortId":"`+sort+`","versioningScheme":"LEXICOGRAPHIC_STRING"}`)
	}
}

// comparable lists the items of a file by URN, aspect and value, without their system metadata.
func comparable(t testing.TB, text string) []string {
	t.Helper()
	var lines []string
	for _, i := range items(t, text) {
		lines = append(lines, i.EntityURN+" "+i.AspectName+" "+i.value())
	}
	return lines
}

func TestAnotherCatalogTakesEveryItemAndHoldsTheSame(t *testing.T) {
	t.Parallel()
	for name, drivers := range map[string]func() catalogtest.Drivers{
		"memory": catalogtest.InMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := newWorld(t, drivers()), newWorld(t, catalogtest.OnDisk(t))
			from.fill()
			text, sum := from.export(export.Selection{})
			to.take(items(t, text))
			again, _ := to.export(export.Selection{})
			if got, want := comparable(t, again), comparable(t, text); !slices.Equal(got, want) {
				for n := range min(len(got), len(want)) {
					if got[n] != want[n] {
						t.Fatalf("item %d of %d, %d: got\n%s\nwant\n%s", n, len(got), len(want), got[n], want[n])
					}
				}
				t.Fatalf("got %d items, want %d", len(got), len(want))
			}
			if sum.Documents != 201 || sum.Entities < 100 || sum.Aspects < sum.Entities {
				t.Errorf("got %+v", sum)
			}
			for u, aspects := range map[urn.URN][]string{
				orders: {"status", "structuredProperties", "incidentsSummary", "embed"}, "urn:li:assertion:a": {"assertionRunSummary"}, "urn:li:versionSet:(m,mlModel)": {"versionSetProperties"},
				final: {"lifecycleStageTypeInfo"}, retired: {"status"}, "urn:li:tag:gone": {"status"},
			} {
				for _, aspect := range aspects {
					if got, want := to.Value(u, aspect), from.Value(u, aspect); got != want || want == "" {
						t.Errorf("%s of %s: got %s, want %s", aspect, u, got, want)
					}
				}
			}
			if !slices.Equal(to.Times(orders), from.Times(orders)) {
				t.Errorf("the profiles differ")
			}
		})
	}
}

func TestItemsAreWrittenAsTheFileSinkOfTheClientWritesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	p := catalogtest.InRun("hive-run", catalogtest.Proposal("urn:li:tag:pii", "tagProperties", `{"name":"PII"}`))
	p.System.LastObserved, p.System.Properties = 17, map[string]string{"clientId": "c", model.PropertyTraceID: strings.Repeat("a", 32)}
	w.Must(p)
	text, _ := w.export(export.Selection{Like: "urn:li:tag:pii"})
	want := `[
{"entityType":"tag","entityUrn":"urn:li:tag:pii","changeType":"UPSERT","aspectName":"tagKey","aspect":{"json":{"name":"pii"}},"systemMetadata":{"lastObserved":17,"runId":"hive-run","properties":{"clientId":"c"}}},
{"entityType":"tag","entityUrn":"urn:li:tag:pii","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"json":{"name":"PII"}},"systemMetadata":{"lastObserved":17,"runId":"hive-run","properties":{"clientId":"c"}}}
]
`
	if text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if text, _ := w.export(export.Selection{Like: "urn:li:tag:none"}); text != "[]\n" {
		t.Errorf("an empty list is %q", text)
	}
	w.Put(orders, "embed", `{}`)
	if text, _ := w.export(export.Selection{Aspects: []string{"EMBED"}}); !strings.Contains(text, `"aspect":{"value":"{}","contentType":"application/json"}`) {
		t.Errorf("got %s", text)
	}
}

func TestSecretsAndWhatBelongsToOneInstallationStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	const secret = "hush-hush-9f2c1"
	managed := w.Managed("corpUserCredentials", "dataHubAccessTokenKey", "dataHubAccessTokenInfo", "dataHubSecretValue", "dataHubConnectionDetails", "inviteToken", "inviteTokenKey")
	system := w.As(model.SystemActor)
	for _, p := range []catalog.Proposal{
		catalogtest.Proposal("urn:li:corpuser:jo", "corpUserCredentials", `{"salt":"`+secret+`","hashedPassword":"`+secret+`"}`),
		catalogtest.Proposal("urn:li:dataHubSecret:s", "dataHubSecretValue", `{"name":"s","value":"`+secret+`"}`),
		catalogtest.Proposal("urn:li:dataHubConnection:c", "dataHubConnectionDetails", `{"type":"JSON","json":{"encryptedBlob":"\"`+secret+`\""}}`),
		catalogtest.Proposal("urn:li:dataHubAccessToken:t1", "dataHubAccessTokenInfo", `{"name":"`+secret+`","actorUrn":"urn:li:corpuser:jo","ownerUrn":"urn:li:corpuser:jo","createdAt":1}`),
		catalogtest.Proposal("urn:li:inviteToken:i1", "inviteToken", `{"token":"`+secret+`"}`),
	} {
		if err := managed.Write(system, []catalog.Proposal{p}); err != nil {
			t.Fatalf("%s: %v", p.Aspect, err)
		}
	}
	w.MustAs(model.SystemActor, catalogtest.Proposal("urn:li:corpuser:robot", "corpUserInfo", `{"active":true,"system":true}`))
	w.MustAs(model.SystemActor, catalogtest.Proposal("urn:li:corpuser:jo", "corpUserInfo", `{"active":true,"isSupportUser":true,"displayName":"Jo"}`))
	w.Put("urn:li:globalSettings:0", "globalSettingsInfo", `{"sso":{"baseUrl":"https://a.example","oidcSettings":{"enabled":true,"clientId":"id","clientSecret":"`+secret+`","discoveryUri":"https://a.example/d"}},"views":{"defaultView":"urn:li:dataHubView:v"}}`)
	w.Put("urn:li:dataHubExecutionRequest:e1", "dataHubExecutionRequestInput", `{"task":"RUN_INGEST","args":{"recipe":"`+secret+`"},"executorId":"default","source":{"type":"MANUAL"},"requestedAt":1}`)

	text, sum := w.export(export.Selection{})
	stored, err := w.on.Store.Get(t.Context(), store.Key{URN: "urn:li:globalSettings:0", Aspect: "globalSettingsInfo"})
	if err != nil || stored[0] == nil {
		t.Fatal(err)
	}
	value, err := jsontree.DecodeObject(stored[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	encrypted := model.At(value, "/sso/oidcSettings/clientSecret")
	if encrypted == "" || encrypted == secret {
		t.Fatalf("the secret is stored as %q", encrypted)
	}
	for _, never := range []string{secret, encrypted, catalog.Mask, "urn:li:corpuser:robot", "urn:li:dataHubAccessToken:", "urn:li:dataHubSecret:", "urn:li:dataHubUpgrade:", "isSupportUser", "urn:li:dataHubPolicy:0\""} {
		if strings.Contains(text, never) {
			t.Errorf("the file holds %s", never)
		}
	}
	for _, want := range []string{
		`{"sso":{"baseUrl":"https://a.example"},"views":{"defaultView":"urn:li:dataHubView:v"}}`, `"displayName":"Jo"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %s", want)
		}
	}
	if sum.Secrets != 1 || sum.Stayed["dataHubAccessToken"] != 1 || sum.Stayed["dataHubSecret"] != 1 || sum.Stayed["dataHubExecutionRequest"] != 1 {
		t.Errorf("got %+v", sum)
	}
	newWorld(t, catalogtest.InMemory()).take(items(t, text))
}

// A secret aspect that is added to the model later is excluded without a change of this package.
func TestNoSecretAspectOfTheModelIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	seen := 0
	for _, a := range w.Registry.Aspects() {
		if !a.Secret && !a.Managed {
			continue
		}
		seen++
		if err := (export.Selection{Aspects: []string{a.Name}}).Check(w.Registry); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), a.Name+" is a secret") {
			t.Errorf("%s: got %v", a.Name, err)
		}
	}
	if seen < 5 {
		t.Errorf("the model has %d secret aspects", seen)
	}
}

func TestASelectionIsHeldToTheModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	w.fill()
	count := func(s export.Selection) (n int) {
		text, _ := w.export(s)
		return len(items(t, text))
	}
	for _, c := range []struct {
		name string
		of   export.Selection
		want int
	}{
		{"a type in any case", export.Selection{Types: []string{"TAG"}}, 3},
		{"types twice", export.Selection{Types: []string{"tag", "tag"}}, 3},
		{"without what is removed", export.Selection{Types: []string{"tag"}, WithoutRemoved: true}, 0},
		{"a pattern", export.Selection{Like: "%retired"}, 3},
		{"a URN", export.Selection{Like: "urn:li:incident:2"}, 2},
		{"an aspect", export.Selection{Aspects: []string{"incidentinfo"}}, 3},
		{"a derived aspect", export.Selection{Aspects: []string{"incidentsSummary"}}, 1},
		{"a time series", export.Selection{Aspects: []string{"datasetProfile"}}, 200},
		{"a time series of another", export.Selection{Aspects: []string{"datasetProfile"}, Like: "urn:li:dataset:%none%"}, 0},
		{"a time series of what is there", export.Selection{Aspects: []string{"datasetProfile"}, WithoutRemoved: true}, 200},
	} {
		if got := count(c.of); got != c.want {
			t.Errorf("%s: got %d items, want %d", c.name, got, c.want)
		}
	}
	w.Put(orders, "status", `{"removed":true}`)
	if got := count(export.Selection{Aspects: []string{"datasetProfile"}, WithoutRemoved: true}); got != 0 {
		t.Errorf("a time series of what is removed: got %d items", got)
	}
	for says, s := range map[string]export.Selection{
		`entity-type: "tabel" is not known`:            {Types: []string{"tabel"}},
		`entity-type: dataHubSecret holds secrets`:     {Types: []string{"dataHubSecret"}},
		`entity-type: dataHubUpgrade is about this`:    {Types: []string{"dataHubUpgrade"}},
		`aspect: "nope" is not known`:                  {Aspects: []string{"nope"}},
		`urn-like: longer than 8192 bytes`:             {Like: strings.Repeat("a", 8193)},
		`aspect: corpUserCredentials is a secret and`:  {Aspects: []string{"corpUserCredentials"}},
		`entity-type: dataHubAccessToken holds secret`: {Types: []string{"dataHubAccessToken"}},
	} {
		var out bytes.Buffer
		if _, err := export.Write(t.Context(), w.config(), s, &out); !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), says) || out.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes", says, err, out.Len())
		}
	}
}

// heap measures the memory in use while a file is written, and stores nothing of the file.
type heap struct {
	step, next, written int64
	most                uint64
}

func (h *heap) Write(p []byte) (int, error) {
	if h.written += int64(len(p)); h.written >= h.next {
		h.next = h.written + h.step
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		h.most = max(h.most, m.HeapAlloc)
	}
	return len(p), nil
}

// Not parallel: it measures the heap of the whole process.
func TestALargeStoreIsWrittenInBoundedMemory(t *testing.T) {
	w := newWorld(t, catalogtest.OnDisk(t))
	const entities, aspectBytes, large = 12_000, 4 << 10, 6
	filler := strings.Repeat("x", aspectBytes)
	for from := 0; from < entities; from += 500 {
		_, err := w.on.Store.Update(t.Context(), func(tx store.Tx) error {
			for n := from; n < from+500; n++ {
				if err := tx.Put(t.Context(), model.Record{
					URN: urn.URN(fmt.Sprintf("urn:li:tag:t%06d", n)), Aspect: "tagProperties", Value: json.RawMessage(`{"description":"` + filler + `","name":"n"}`),
				}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := w.on.Store.Update(t.Context(), func(tx store.Tx) error {
		for n := range large {
			if err := tx.Put(t.Context(), model.Record{
				URN: urn.URN(fmt.Sprintf("urn:li:tag:z%d", n)), Aspect: "tagProperties", Value: json.RawMessage(`{"description":"` + strings.Repeat("y", 10<<20) + `","name":"n"}`),
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	index := timeseries.IndexName("dataset", "datasetProfile")
	for from := 0; from < 5000; from += 500 {
		batch := timeseries.Batch{Sequence: uint64(from + 1)}
		for n := from; n < from+500; n++ {
			batch.Ops = append(batch.Ops, timeseries.Op{Upsert: &timeseries.Document{ID: fmt.Sprintf("%032d", n), URN: orders, Time: int64(n), Event: json.RawMessage(`{"note":"` + filler + `"}`)}})
		}
		if err := w.on.Documents.Apply(t.Context(), index, batch); err != nil {
			t.Fatal(err)
		}
	}
	w.Put(orders, "status", `{"removed":false}`)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	measured := &heap{step: 4 << 20}
	sum, err := export.Write(t.Context(), w.config(), export.Selection{}, measured)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Documents != 5000 || measured.written < entities*aspectBytes+large*10<<20 {
		t.Fatalf("got %+v, %d bytes", sum, measured.written)
	}
	// One page of entities that turn out to be large, and one large aspect in three copies.
	const bound = 120 << 20
	grown := int64(measured.most) - int64(before.HeapAlloc)
	t.Logf("%d MiB were written, the heap has grown by %.1f MiB", measured.written>>20, float64(grown)/(1<<20))
	if grown > bound {
		t.Errorf("the heap has grown by %d MiB, at most %d are allowed", grown>>20, bound>>20)
	}
}

type failing struct{ after int }

var errBroken = errors.New("broken pipe")

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestWhatEndsAnExportIsToldAndLeavesNoWholeList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	w.fill()
	if _, err := export.Write(t.Context(), w.config(), export.Selection{}, &failing{after: 100 << 10}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := w.config()
	c.Progress = func(done, total int64, _ string) {
		if done > 0 && done < total {
			cancel()
		}
	}
	var out bytes.Buffer
	if _, err := export.Write(ctx, c, export.Selection{}, &out); !errors.Is(err, context.Canceled) || json.Valid(out.Bytes()) {
		t.Errorf("got %v and %d bytes", err, out.Len())
	}
}

func TestProgressEndsWithTheWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.InMemory())
	w.fill()
	c := w.config()
	var last, whole int64
	c.Progress = func(done, total int64, what string) {
		if done < last || done > total || what == "" {
			t.Errorf("%d of %d, %s after %d", done, total, what, last)
		}
		last, whole = done, total
	}
	if _, err := export.Write(t.Context(), c, export.Selection{}, io.Discard); err != nil || last != whole || whole == 0 {
		t.Errorf("%v: ended at %d of %d", err, last, whole)
	}
}
