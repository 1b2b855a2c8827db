package eventhook_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const secret = "a secret of the receiver"

// fixture holds a catalog and a service that delivers its events.
type fixture struct {
	*testing.T
	world  *servicetest.World
	file   string
	log    *safeBuffer
	delays []time.Duration
	hooks  *eventhook.Service
	stop   func()
}

type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func open(t *testing.T, delays ...time.Duration) *fixture {
	t.Helper()
	f := &fixture{T: t, world: servicetest.New(t), file: filepath.Join(t.TempDir(), "records.db"), log: &safeBuffer{}, delays: delays}
	f.start()
	t.Cleanup(func() { f.stop() })
	return f
}

// start starts a service with the records of the previous one.
func (f *fixture) start() {
	f.Helper()
	log := slog.New(slog.NewTextHandler(f.log, nil))
	kept, err := recordfile.Open(recordfile.Config{Path: f.file, Now: time.Now, Log: log})
	if err != nil {
		f.Fatal(err)
	}
	w := f.world
	sender := webhook.New(webhook.Config{Hosts: targetsOf(f.T), Setting: "webhooks.hosts", PublicOnly: true, MaxBody: eventhook.MaxBody, Timeout: time.Second})
	f.hooks = eventhook.New(eventhook.Config{
		Records: kept, Events: event.New(event.Config{Log: w.Store, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Now: time.Now}),
		Sender: sender, Authorizer: w.Rights, Registry: w.Registry, Cipher: w.Cipher, Delays: f.delays, Now: time.Now, Log: log,
	})
	if err := f.hooks.Begin(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.stop = func() {
		_ = f.hooks.Close()
		sender.Close()
		_ = kept.Close()
	}
}

var targets sync.Map // by test name: *[]string

func targetsOf(t *testing.T) []string {
	if list, ok := targets.Load(t.Name()); ok {
		return *list.(*[]string)
	}
	return nil
}

// target starts a receiver and returns its address. Call it before the service that posts to it
// starts.
func target(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	list, _ := targets.LoadOrStore(t.Name(), &[]string{})
	*list.(*[]string) = append(*list.(*[]string), strings.TrimPrefix(server.URL, "http://"))
	return server.URL + "/in?key=confidential"
}

// receivedDelivery is a delivery that a receiver got.
type receivedDelivery struct {
	id, body string
}

// receiver starts a receiver that answers with the statuses in order, and then with 200.
func receiver(t *testing.T, statuses ...int) (url string, got chan receivedDelivery) {
	t.Helper()
	got = make(chan receivedDelivery, 100)
	var mu sync.Mutex
	return target(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seconds, _ := strconv.ParseInt(r.Header.Get(eventhook.TimestampHeader), 10, 64)
		if want := eventhook.Sign(secret, seconds, body); r.Header.Get(eventhook.SignatureHeader) != want || seconds == 0 {
			t.Errorf("signature %q, want %q", r.Header.Get(eventhook.SignatureHeader), want)
		}
		mu.Lock()
		status := http.StatusOK
		if len(statuses) > 0 {
			status, statuses = statuses[0], statuses[1:]
		}
		mu.Unlock()
		w.WriteHeader(status)
		got <- receivedDelivery{r.Header.Get(eventhook.DeliveryHeader), string(body)}
	}), got
}

func (f *fixture) as() context.Context { return f.world.As(f.T, servicetest.Root) }

func (f *fixture) create(url string, filter eventhook.Filter) string {
	f.Helper()
	name, hidden := "warehouse", config.Secret(secret)
	h, err := f.hooks.Create(f.as(), eventhook.Draft{Name: &name, Address: &url, Secret: &hidden, Filter: &filter})
	if err != nil {
		f.Fatal(err)
	}
	return h.ID
}

// tag creates a tag, which gives an event.
func (f *fixture) tag(name string) {
	f.Helper()
	f.world.Put(f.T, urn.Make("tag", name), "tagProperties", `{"name":"`+name+`"}`)
}

// next returns the next delivery of a receiver, with a timeout that only a failure reaches.
func next(t *testing.T, got chan receivedDelivery) receivedDelivery {
	t.Helper()
	select {
	case r := <-got:
		return r
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was delivered")
		return receivedDelivery{}
	}
}

// eventually waits until a condition on the stored records holds.
func (f *fixture) eventually(what string, ok func() bool) {
	f.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-end:
			f.Fatalf("never: %s", what)
		}
	}
}

var creations = eventhook.Filter{EntityTypes: []string{"tag"}, Categories: []string{"LIFECYCLE"}, Operations: []string{"CREATE"}}

func TestEventsAreDeliveredInOrderAfterFailuresAndRestarts(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, 500, 503)
	f := open(t, time.Millisecond, time.Millisecond, time.Millisecond)
	f.create(url, creations)
	for i := range 3 {
		f.tag(fmt.Sprint("t", i))
	}
	first := next(t, got)
	for range 2 {
		if again := next(t, got); again != first {
			t.Errorf("tried again with %v, want %v", again, first)
		}
	}
	f.stop()
	f.tag("t3") // while no deliveries run
	f.start()
	seen := []string{"t0"}
	ids := map[string]bool{first.id: true}
	for seen[len(seen)-1] != "t3" {
		r := next(t, got)
		_, name, _ := strings.Cut(r.body, "urn:li:tag:")
		name, _, _ = strings.Cut(name, `"`)
		if ids[r.id] && name != seen[len(seen)-1] {
			t.Errorf("%s has the id of another event", name)
		}
		if !ids[r.id] {
			ids[r.id] = true
			seen = append(seen, name)
		}
	}
	if want := []string{"t0", "t1", "t2", "t3"}; !slices.Equal(seen, want) {
		t.Errorf("delivered %v, want %v", seen, want)
	}
}

func TestARestartGoesOnWithTheAttemptThatWasDue(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, 500)
	f := open(t, time.Hour)
	id := f.create(url, creations)
	f.tag("a")
	first := next(t, got)
	f.eventually("the event waits", func() bool {
		h, err := f.hooks.Get(f.as(), id)
		return err == nil && h.Waiting != nil && h.Waiting.Attempts == 1 && h.Waiting.Delivery == first.id
	})
	f.stop()
	f.start()
	h, err := f.hooks.Get(f.as(), id)
	if err != nil || h.Waiting == nil || h.Waiting.Attempts != 1 {
		t.Fatalf("after the restart: %+v, %v", h, err)
	}
	resumed := false
	if _, err := f.hooks.Update(f.as(), id, eventhook.Draft{Paused: &resumed}); err != nil {
		t.Fatal(err)
	}
	if again := next(t, got); again != first {
		t.Errorf("got %v, want %v", again, first)
	}
}

func TestRelationshipsAreDeliveredToWhoeverChoosesThem(t *testing.T) {
	t.Parallel()
	const orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	all, some := make(chan [2]string, 100), make(chan [2]string, 100)
	receive := func(got chan [2]string) string {
		return target(t, func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got <- [2]string{r.Header.Get(eventhook.EventHeader), string(body)}
		})
	}
	plain, got := receiver(t)
	everything, edges := receive(all), receive(some)
	f := open(t, time.Millisecond)
	f.create(plain, eventhook.Filter{})
	f.create(everything, eventhook.Filter{Events: []string{event.EntityChange, event.RelationshipChange}, EntityTypes: []string{"dataset"}, Categories: []string{"TAG"}})
	id := f.create(edges, eventhook.Filter{Events: []string{event.RelationshipChange}, EntityTypes: []string{"dataset"}, Operations: []string{"REMOVE"}, RelationshipTypes: []string{"TaggedWith"}})
	f.world.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`)
	f.world.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:b"}]}`)
	f.tag("end")
	hears := func(got chan [2]string, wanted ...string) {
		t.Helper()
		for _, want := range wanted {
			name, text, _ := strings.Cut(want, " ")
			select {
			case r := <-got:
				if r[0] != name || !strings.Contains(r[1], text) {
					t.Fatalf("got %v, want %s", r, want)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("nothing came, want %s", want)
			}
		}
	}
	const entity, relationship = event.EntityChange + " ", event.RelationshipChange + " "
	for body := ""; !strings.Contains(body, "urn:li:tag:end"); {
		if body = next(t, got).body; strings.Contains(body, "relationshipType") {
			t.Errorf("a webhook that does not choose relationships got %s", body)
		}
	}
	hears(some, relationship+`"destinationUrn":"urn:li:tag:a","operation":"REMOVE","relationshipType":"TaggedWith"`)
	deliveries, err := f.hooks.Deliveries(f.as(), id)
	f.eventually("the delivery is listed", func() bool {
		deliveries, err = f.hooks.Deliveries(f.as(), id)
		return err == nil && len(deliveries) > 0
	})
	want := eventhook.Event{
		Name: event.RelationshipChange, EntityURN: string(orders), EntityType: "dataset", Operation: "REMOVE", RelationshipType: "TaggedWith", DestinationURN: "urn:li:tag:a",
	}
	if err != nil || len(deliveries) != 1 || deliveries[0].Event != want {
		t.Errorf("deliveries %+v, %v", deliveries, err)
	}
	for r := range all { // the key aspect of the dataset comes first
		if strings.Contains(r[1], "TAG") {
			hears(all, relationship+`"destinationUrn":"urn:li:tag:a","operation":"ADD"`, entity+`"modifier":"urn:li:tag:a","operation":"REMOVE"`, entity+`"modifier":"urn:li:tag:b"`,
				relationship+`"destinationUrn":"urn:li:tag:a","operation":"REMOVE"`, relationship+`"destinationUrn":"urn:li:tag:b","operation":"ADD"`)
			break
		}
	}
}

func TestAWebhookWhosePositionIsBehindTheLogGoesOnAtItsEnd(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, 500)
	f := open(t, time.Hour)
	id := f.create(url, creations)
	for i := range 5 {
		f.tag(fmt.Sprint("t", i))
	}
	next(t, got)
	f.eventually("the event waits", func() bool {
		h, err := f.hooks.Get(f.as(), id)
		return err == nil && h.Waiting != nil && h.Missed == 0
	})
	resumed := false
	if _, err := f.hooks.Update(f.as(), id, eventhook.Draft{Paused: &resumed}); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		next(t, got)
	}
	f.stop()
	f.world = servicetest.New(t) // like a catalog restored from a backup, with a shorter log
	f.tag("restored")
	f.start()
	f.eventually("the webhook tells that it missed events", func() bool {
		h, err := f.hooks.Get(f.as(), id)
		return err == nil && h.Missed != 0 && h.Problem == "" && h.Waiting == nil
	})
	f.tag("after")
	if r := next(t, got); !strings.Contains(r.body, "urn:li:tag:after") {
		t.Errorf("delivered %s, want the first event after the restore", r.body)
	}
}

func TestATargetThatHangsHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	entered, gone := make(chan struct{}, 10), make(chan struct{})
	hanging := target(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		entered <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	})
	t.Cleanup(func() { close(gone) })
	url, got := receiver(t)
	f := open(t, time.Hour)
	id := f.create(hanging, creations)
	f.create(url, creations)
	f.tag("a")
	<-entered
	f.tag("b")
	next(t, got)
	next(t, got)
	// The webhook is deleted during a delivery, and none of its records reappear.
	if err := f.hooks.Delete(f.as(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := f.hooks.Get(f.as(), id); !errors.Is(err, fault.NotFound) {
		t.Errorf("the deleted webhook: %v, want not found", err)
	}
	f.stop()
	f.start()
	list, err := f.hooks.List(f.as())
	if err != nil || len(list) != 1 || list[0].ID == id {
		t.Errorf("webhooks after the deletion: %+v, %v", list, err)
	}
}

func TestWhatATargetRefusesIsADeadLetterThatCanBeReplayed(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, http.StatusBadRequest, http.StatusOK, http.StatusInternalServerError, http.StatusOK)
	f := open(t, time.Millisecond)
	id := f.create(url, creations)
	f.tag("a")
	dead := next(t, got)
	f.tag("b")
	if second := next(t, got); second.id == dead.id {
		t.Error("the refused event was sent again")
	}
	letters, err := f.hooks.Letters(f.as(), id)
	if err != nil || len(letters) != 1 || letters[0].ID != dead.id || string(letters[0].Body) != dead.body || letters[0].Event.EntityURN != "urn:li:tag:a" {
		t.Fatalf("dead letters %+v, %v", letters, err)
	}
	if d, err := f.hooks.Replay(f.as(), id, dead.id); err != nil || d.Outcome != eventhook.Dead || d.Attempt != 2 || d.Status != 500 {
		t.Errorf("the replay that fails: %+v, %v", d, err)
	}
	next(t, got)
	if d, err := f.hooks.Replay(f.as(), id, dead.id); err != nil || d.Outcome != eventhook.Delivered || d.Attempt != 3 {
		t.Errorf("the replay: %+v, %v", d, err)
	}
	if again := next(t, got); again != dead {
		t.Errorf("replayed %v, want %v", again, dead)
	}
	if letters, err := f.hooks.Letters(f.as(), id); err != nil || len(letters) != 0 {
		t.Errorf("dead letters after the replay: %v, %v", letters, err)
	}
	if err := f.hooks.Drop(f.as(), id, dead.id); !errors.Is(err, fault.NotFound) {
		t.Errorf("dropping what is gone: %v, want not found", err)
	}
	f.eventually("all attempts are listed", func() bool {
		deliveries, err := f.hooks.Deliveries(f.as(), id)
		return err == nil && len(deliveries) == 4
	})
}

// TestEventsOfWebhooksTakeTheRightToFollowEvents lets an operator without that privilege request
// the deliveries of a webhook and replay them.
func TestEventsOfWebhooksTakeTheRightToFollowEvents(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, http.StatusBadRequest)
	f := open(t, time.Millisecond)
	const operator, reader urn.URN = "urn:li:corpuser:operator", "urn:li:corpuser:reader"
	f.world.Policy(t, "operators", []auth.Privilege{auth.ManageSystem}, nil, operator, reader)
	f.world.Policy(t, "readers", []auth.Privilege{auth.GetPlatformEvents}, nil, reader)
	id := f.create(url, creations)
	f.tag("a")
	dead := next(t, got)
	f.eventually("there is a dead letter", func() bool {
		letters, err := f.hooks.Letters(f.as(), id)
		return err == nil && len(letters) == 1
	})
	for _, who := range []struct {
		user urn.URN
		want error
	}{{operator, fault.Forbidden}, {reader, nil}} {
		ctx := f.world.As(t, who.user)
		for _, hook := range []string{id, "absent"} {
			_, listed := f.hooks.Deliveries(ctx, hook)
			_, read := f.hooks.Letters(ctx, hook)
			_, sent := f.hooks.Replay(ctx, hook, dead.id)
			want := who.want
			if hook == "absent" && want == nil {
				want = fault.NotFound
			}
			for what, err := range map[string]error{"deliveries": listed, "letters": read, "replay": sent} {
				if !errors.Is(err, want) {
					t.Errorf("%s: %s of %s: %v, want %v", who.user, what, hook, err, want)
				}
			}
		}
		if who.want != nil {
			if hooks, err := f.hooks.List(ctx); err != nil || len(hooks) != 1 {
				t.Errorf("webhooks that an operator lists: %+v, %v", hooks, err)
			}
		}
	}
}

func TestLargeEventsAreDeliveredAndTheLargestAreNotKept(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, http.StatusBadRequest)
	f := open(t, time.Millisecond)
	id := f.create(url, eventhook.Filter{Categories: []string{"DOCUMENTATION"}})
	describe := func(name string, bytes int) {
		f.world.Put(t, urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,"+name+",PROD)"), "editableDatasetProperties", `{"description":"`+strings.Repeat("x", bytes)+`"}`)
	}
	describe("refused", 900<<10)
	dead := next(t, got)
	describe("huge", 3*eventhook.MaxBody)
	describe("large", 900<<10)
	if r := next(t, got); !strings.Contains(r.body, "hive,large,PROD") || len(r.body) < 900<<10 {
		t.Errorf("got %d bytes: %.200s", len(r.body), r.body)
	}
	letters, err := f.hooks.Letters(f.as(), id)
	if err != nil || len(letters) != 2 || letters[0].ID != dead.id || string(letters[0].Body) != dead.body || letters[0].Bytes != 0 {
		t.Fatalf("%d dead letters, %v", len(letters), err)
	}
	huge := letters[1]
	if huge.Body != nil || huge.Bytes <= 3*eventhook.MaxBody || !strings.Contains(huge.Error, "at most 1048576 bytes") || huge.Event.EntityType != "dataset" {
		t.Errorf("the dead letter that is too large: %d bytes kept of %d, %+v, %s", len(huge.Body), huge.Bytes, huge.Event, huge.Error)
	}
	if _, err := f.hooks.Replay(f.as(), id, huge.ID); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "was not kept") {
		t.Errorf("its replay: %v, want conflict", err)
	}
	if d, err := f.hooks.Replay(f.as(), id, dead.id); err != nil || d.Outcome != eventhook.Delivered {
		t.Errorf("the replay of a large one: %+v, %v", d, err)
	}
	if err := f.hooks.Drop(f.as(), id, huge.ID); err != nil {
		t.Error(err)
	}
	if h, err := f.hooks.Get(f.as(), id); err != nil || h.LettersDropped != 0 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	loopback := target(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
	url := target(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, loopback, http.StatusTemporaryRedirect)
	})
	f := open(t, time.Millisecond)
	id := f.create(url, eventhook.Filter{})
	if d, err := f.hooks.Test(f.as(), id); err != nil || d.Outcome != eventhook.Dead || d.Status != http.StatusTemporaryRedirect {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestSecretsAreNeitherStoredInClearNorLogged(t *testing.T) {
	t.Parallel()
	url, got := receiver(t, http.StatusBadRequest)
	f := open(t, time.Millisecond)
	id := f.create(url, creations)
	f.tag("a")
	next(t, got)
	f.eventually("a dead letter", func() bool {
		letters, err := f.hooks.Letters(f.as(), id)
		return err == nil && len(letters) == 1
	})
	h, err := f.hooks.Get(f.as(), id)
	if err != nil || strings.Contains(fmt.Sprintf("%+v", h), secret) {
		t.Errorf("%+v, %v", h, err)
	}
	f.stop()
	text, err := os.ReadFile(f.file)
	if err != nil {
		t.Fatal(err)
	}
	for what, hidden := range map[string]string{"secret": secret, "key of the address": "confidential"} {
		if bytes.Contains(text, []byte(hidden)) {
			t.Errorf("the %s is in the file", what)
		}
		if strings.Contains(f.log.String(), hidden) {
			t.Errorf("the %s is in the log: %s", what, f.log)
		}
	}
	if !strings.Contains(f.log.String(), "dead letter") {
		t.Errorf("the log tells nothing: %s", f.log)
	}
}

func TestWebhooksAreRefusedWithTheFieldAndTheReason(t *testing.T) {
	t.Parallel()
	url, _ := receiver(t)
	f := open(t)
	name, long, hidden, short, other := "n", strings.Repeat("n", eventhook.MaxName+1), config.Secret(secret), config.Secret("short"), "https://elsewhere.example.com/"
	for want, d := range map[string]eventhook.Draft{
		"name: is required":   {Address: &url, Secret: &hidden},
		"name: must have":     {Name: &long, Address: &url, Secret: &hidden},
		"url: is required":    {Name: &name, Secret: &hidden},
		"webhooks.hosts":      {Name: &name, Address: &other, Secret: &hidden},
		"secret: is required": {Name: &name, Address: &url},
		"secret: must have":   {Name: &name, Address: &url, Secret: &short},
		"entityTypes: there":  {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{EntityTypes: []string{"cat"}}},
		"events: \"x\" is":    {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{Events: []string{"x"}}},
		"relationshipTypes: there": {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{
			Events: []string{event.RelationshipChange}, RelationshipTypes: []string{"Likes"},
		}},
		"categories: choose": {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{
			Events: []string{event.RelationshipChange}, Categories: []string{"TAG"},
		}},
		"relationshipTypes: choose": {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{RelationshipTypes: []string{"TaggedWith"}}},
		"operations: an":            {Name: &name, Address: &url, Secret: &hidden, Filter: &eventhook.Filter{Operations: []string{""}}},
	} {
		if _, err := f.hooks.Create(f.as(), d); !errors.Is(err, fault.Malformed) || !strings.Contains(fault.Message(err), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for range eventhook.MaxHooks {
		f.create(url, creations)
	}
	if _, err := f.hooks.Create(f.as(), eventhook.Draft{Name: &name, Address: &url, Secret: &hidden}); !errors.Is(err, fault.Conflict) {
		t.Errorf("one webhook too many: %v, want conflict", err)
	}
}

func TestSignaturesAreThoseOfTheRecipes(t *testing.T) {
	t.Parallel()
	// Computed with openssl and Python, as described in docs/api/webhooks.md.
	const want = "sha256=719d43160dd8091f1cdca2473a26871d7f4f701b9c72dd2391c6e537c2ec685b"
	if got := eventhook.Sign(secret, 1_700_000_000, []byte(`{"a":1}`)); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}
