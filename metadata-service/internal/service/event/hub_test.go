package event_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// following returns a fixture whose changes are sent to subscribers.
func following(t *testing.T, w *servicetest.World, log event.Log) *fixture {
	f := &fixture{World: w, T: t}
	f.events = event.New(event.Config{
		Log: log, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Shown: w.Catalog.Shown, Readable: w.Catalog.MayReadEach, Types: w.Discover.DataTypes(), Now: w.Now,
	})
	return f
}

func (f *fixture) subscribe() *event.Subscription {
	f.Helper()
	sub, err := f.events.Subscribe(f.T.Context())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(sub.Close)
	return sub
}

// nextNotices returns the next n notices that a user gets, one line for each; a reset counts as the
// line "reset".
func (f *fixture) nextNotices(sub *event.Subscription, user urn.URN, n int) (lines []string) {
	f.Helper()
	for len(lines) < n {
		batch, err := sub.Next(f.T.Context(), time.Minute)
		if err != nil {
			f.Fatal(err)
		}
		if batch.Reset {
			lines = append(lines, "reset")
		}
		told, err := f.events.Tell(f.As(f.T, user), batch.Notices)
		if err != nil {
			f.Fatal(err)
		}
		for _, each := range told {
			lines = append(lines, noticed(f.T, each))
		}
	}
	return lines
}

func noticed(t *testing.T, told event.Told) string {
	t.Helper()
	var n struct {
		EntityURN, EntityType, Category, Operation, Actor string
		Time                                              int64
		Owned                                             bool
	}
	text := told.AppendJSON(nil)
	if err := json.Unmarshal(text, &n); err != nil || n.Time == 0 || n.Actor == "" || n.EntityType != urn.URN(n.EntityURN).Type() {
		t.Fatalf("%v: %s", err, text)
	}
	line := strings.Join([]string{short(n.EntityURN), n.Category, n.Operation}, " ")
	if n.Owned {
		line += " owned"
	}
	return line
}

const sales urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.sales,PROD)"

func ownedBy(owner urn.URN) string {
	return fmt.Sprintf(`{"owners":[{"owner":%q,"type":"TECHNICAL_OWNER"}],"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`, owner)
}

func TestSubscribersAreToldChangesInTheOrderOfTheLog(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	f.Put(t, orders, "status", `{"removed":false}`)
	one, two := f.subscribe(), f.subscribe()
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}`)
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:c"}]}`)
	f.Put(t, orders, "institutionalMemory", `{"elements":[]}`)
	f.Put(t, orders, "ownership", ownedBy("urn:li:corpGroup:shop"))
	w.Put(t, "urn:li:corpGroup:shop", "corpGroupInfo", `{"displayName":"g","admins":[],"members":[],"groups":[]}`)
	f.Put(t, servicetest.Jo, "nativeGroupMembership", `{"nativeGroups":["urn:li:corpGroup:shop"]}`)
	f.Put(t, "urn:li:dataHubIngestionSource:s", "dataHubIngestionSourceInfo", `{"name":"s","type":"hive","config":{"recipe":"{}","executorId":"default"}}`)
	f.Put(t, "urn:li:tag:t", "status", `{"removed":true}`)
	want := []string{"ORDERS TAG ADD", "ORDERS TAG REMOVE", "ORDERS TAG ADD", "ORDERS OTHER ADD", "ORDERS OWNERSHIP ADD owned", "tag:t LIFECYCLE CREATE", "tag:t LIFECYCLE SOFT_DELETE"}
	// Ownership is read when notices are made. For the first entries that may be before the owner
	// was added.
	for _, sub := range []*event.Subscription{one, two} {
		var got []string
		for _, line := range f.nextNotices(sub, servicetest.Jo, len(want)) {
			if !strings.Contains(line, "OWNERSHIP") {
				line = strings.TrimSuffix(line, " owned")
			}
			got = append(got, line)
		}
		same(t, got, want...)
	}
}

func TestAnAssetChangesWithItsChecksIncidentsAndRuns(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	const check, incident, task, run urn.URN = "urn:li:assertion:a", "urn:li:incident:i", "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,prod),load)", "urn:li:dataProcessInstance:r"
	f.Put(t, orders, "status", `{"removed":false}`)
	f.Put(t, task, "status", `{"removed":false}`)
	sub := f.subscribe()
	on := func(u urn.URN) string {
		return `{"type":"FIELD","title":"t","entities":["` + string(u) + `"],"status":{"state":"ACTIVE","lastUpdated":{"time":0,"actor":"urn:li:corpuser:jo"}},"created":{"time":0,"actor":"urn:li:corpuser:jo"}}`
	}
	f.Put(t, check, "assertionInfo", `{"type":"DATASET","datasetAssertion":{"dataset":"`+string(orders)+`","scope":"DATASET_ROWS","operator":"GREATER_THAN"}}`)
	f.Put(t, check, "assertionRunEvent", `{"timestampMillis":1,"runId":"7","asserteeUrn":"`+string(orders)+`","assertionUrn":"urn:li:assertion:a","status":"COMPLETE","result":{"type":"FAILURE"}}`)
	f.Put(t, incident, "incidentInfo", on(sales))
	f.Put(t, incident, "incidentInfo", on(orders)) // sales has the incident no longer
	f.Put(t, run, "dataProcessInstanceRelationships", `{"parentTemplate":"`+string(task)+`","upstreamInstances":[]}`)
	f.Put(t, run, "dataProcessInstanceRunEvent", `{"timestampMillis":2,"status":"COMPLETE","result":{"type":"FAILURE","nativeResultType":"airflow"}}`)
	want := []string{"ORDERS OTHER MODIFY", "ORDERS OTHER MODIFY", short(string(sales)) + " OTHER MODIFY", short(string(sales)) + " OTHER MODIFY", "ORDERS OTHER MODIFY", short(string(task)) + " OTHER MODIFY"}
	same(t, f.nextNotices(sub, servicetest.Jo, len(want)), want...)
	// After the deletion, the values of earlier entries of the check are unknown.
	if _, err := w.Catalog.DeleteEntity(f.As(t, model.SystemActor), check); err != nil {
		t.Fatal(err)
	}
	f.Put(t, "urn:li:tag:last", "status", `{"removed":true}`)
	want = []string{"ORDERS OTHER MODIFY", "tag:last LIFECYCLE CREATE", "tag:last LIFECYCLE SOFT_DELETE"}
	same(t, f.nextNotices(sub, servicetest.Jo, len(want)), want...)
}

func TestNoticesOfAnAssetFollowTheViewOfItsChecksAndIncidents(t *testing.T) {
	w := servicetest.NewViewing(t)
	f := following(t, w, w.Store)
	const ann, column, check, incident urn.URN = "urn:li:corpuser:ann", "urn:li:schemaField:(" + sales + ",id)", "urn:li:assertion:a", "urn:li:incident:i"
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset"}, servicetest.Root) // everybody at first
	f.Put(t, "urn:li:dataHubPolicy:sees-orders", "dataHubPolicyInfo", `{"displayName":"sees-orders","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],
		"actors":{"users":["`+string(ann)+`"]},"resources":{"filter":{"criteria":[{"field":"URN","values":["`+string(orders)+`"],"condition":"EQUALS"}]}}}`)
	f.Put(t, ann, "corpUserInfo", `{"active":true}`)
	f.Put(t, orders, "status", `{"removed":false}`)
	f.Put(t, sales, "status", `{"removed":false}`)
	sub := f.subscribe()
	about := func(fields string) string {
		return `{"type":"DATASET","datasetAssertion":{"dataset":"` + string(orders) + `","scope":"DATASET_COLUMN","operator":"NOT_NULL","fields":[` + fields + `]}}`
	}
	on := func(entities string) string {
		return `{"type":"FIELD","title":"t","entities":[` + entities + `],"status":{"state":"RESOLVED","lastUpdated":{"time":0,"actor":"urn:li:corpuser:jo"}},"created":{"time":0,"actor":"urn:li:corpuser:jo"}}`
	}
	ran := func(at string) {
		f.Put(t, check, "assertionRunEvent", `{"timestampMillis":`+at+`,"runId":"7","asserteeUrn":"`+string(orders)+`","assertionUrn":"`+string(check)+`","status":"COMPLETE","result":{"type":"FAILURE"}}`)
	}
	f.Put(t, check, "assertionInfo", about(`"`+string(column)+`"`))
	ran("1")
	f.Put(t, incident, "incidentInfo", on(`"`+string(orders)+`","`+string(sales)+`"`))
	// collect reads notices up to one that contains a text.
	collect := func(until string) (out []*event.Notice) {
		for {
			batch, err := sub.Next(t.Context(), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, batch.Notices...)
			isLast := func(n *event.Notice) bool {
				return strings.Contains(string(event.Told{Notice: n}.AppendJSON(nil)), until)
			}
			if slices.ContainsFunc(batch.Notices, isLast) {
				return out
			}
		}
	}
	shown := func(user urn.URN, notices []*event.Notice) (got []string) {
		told, err := f.events.Tell(f.As(t, user), notices)
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range told {
			got = append(got, noticed(t, each))
		}
		return got
	}
	f.Put(t, orders, "status", `{"removed":true}`)
	hidden := collect("SOFT_DELETE")
	same(t, shown(ann, hidden), "ORDERS LIFECYCLE SOFT_DELETE")
	if all := shown(servicetest.Root, hidden); len(all) != 6 {
		t.Errorf("a user who sees everything is shown %q", all)
	}
	f.Put(t, check, "assertionInfo", about(`"urn:li:schemaField:(`+string(orders)+`,id)"`))
	ran("2")
	f.Put(t, incident, "incidentInfo", on(`"`+string(orders)+`"`))
	f.Put(t, orders, "status", `{"removed":false}`)
	got := shown(ann, collect("REINSTATE"))
	if last := len(got) - 1; slices.ContainsFunc(got[:last], func(line string) bool { return line != "ORDERS OTHER MODIFY" }) || last != 3 {
		t.Errorf("a user who sees the check and the incident is shown %q", got)
	}
}

func TestNoticesOfTimeSeriesFollowTheRightToReadThem(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	const ann urn.URN = "urn:li:corpuser:ann"
	f.Put(t, ann, "corpUserInfo", `{"active":true}`)
	f.Policy(t, "view-dataset-sensitive", []auth.Privilege{auth.ViewProfile}, []string{"dataset"}, servicetest.Root) // everybody at first
	f.Put(t, orders, "status", `{"removed":false}`)
	f.Put(t, "urn:li:tag:last", "status", `{"removed":true}`)
	sub := f.subscribe()
	put := func(removed string) {
		f.Put(t, orders, "datasetProfile", `{"timestampMillis":1,"rowCount":7}`)
		f.Put(t, "urn:li:tag:last", "status", `{"removed":`+removed+`}`)
	}
	put("false")
	same(t, f.nextNotices(sub, ann, 1), "tag:last LIFECYCLE REINSTATE")
	f.Policy(t, "profiles", []auth.Privilege{auth.ViewProfile}, []string{"dataset"}, ann)
	put("true")
	same(t, f.nextNotices(sub, ann, 2), "ORDERS OTHER ADD", "tag:last LIFECYCLE SOFT_DELETE")
}

func TestASubscriberIsToldOnlyWhatItMaySee(t *testing.T) {
	w := servicetest.NewViewing(t)
	f := following(t, w, w.Store)
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset", "tag"}, servicetest.Root) // everybody at first
	f.Policy(t, "sees-tags", []auth.Privilege{auth.ViewPage}, []string{"tag"}, "urn:li:corpuser:ann")
	f.Put(t, "urn:li:corpuser:ann", "corpUserInfo", `{"active":true}`)
	f.Put(t, sales, "status", `{"removed":false}`)
	sub := f.subscribe()
	f.Put(t, sales, "status", `{"removed":true}`)
	f.Put(t, "urn:li:tag:last", "tagProperties", `{"name":"last"}`)
	var notices []*event.Notice
	for len(notices) < 3 {
		batch, err := sub.Next(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		notices = append(notices, batch.Notices...)
	}
	for user, want := range map[urn.URN][]string{
		"urn:li:corpuser:ann":    {"tag:last LIFECYCLE CREATE", "tag:last OTHER ADD"},
		"urn:li:corpuser:nobody": nil,
		servicetest.Root:         {short(string(sales)) + " LIFECYCLE SOFT_DELETE", "tag:last LIFECYCLE CREATE", "tag:last OTHER ADD"},
	} {
		told, err := f.events.Tell(f.As(t, user), notices)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, each := range told {
			got = append(got, noticed(t, each))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is told %q, want %q", user, got, want)
		}
	}
	if _, err := f.events.Tell(t.Context(), notices); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: %v", err)
	}
}

// TestADeletionDoesNotTellTheNameOfWhatWasHidden: a deleted entity no longer has tags by which a
// policy could hide it.
func TestADeletionDoesNotTellTheNameOfWhatWasHidden(t *testing.T) {
	w := servicetest.NewViewing(t)
	f := following(t, w, w.Store)
	const secret, ann urn.URN = "urn:li:tag:secret", "urn:li:corpuser:ann"
	f.Policy(t, "view-entity-page-all", []auth.Privilege{auth.ViewPage}, []string{"dataset", "tag"}, servicetest.Root) // everybody at first
	f.Put(t, "urn:li:dataHubPolicy:ann", "dataHubPolicyInfo", `{"displayName":"","description":"","state":"ACTIVE","type":"METADATA","privileges":["VIEW_ENTITY_PAGE"],
		"actors":{"users":["`+string(ann)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false},
		"resources":{"filter":{"criteria":[{"field":"TYPE","values":["dataset"],"condition":"EQUALS"},{"field":"TAG","values":["`+string(secret)+`"],"condition":"NOT_EQUALS"}]}}}`)
	f.Put(t, ann, "corpUserInfo", `{"active":true}`)
	f.Put(t, sales, "globalTags", `{"tags":[{"tag":"`+string(secret)+`"}]}`)
	f.Put(t, orders, "status", `{"removed":false}`)
	part, whole := f.subscribe(), f.subscribe()
	f.Put(t, sales, "status", `{"removed":true}`)
	same(t, f.nextNotices(whole, servicetest.Root, 1), short(string(sales))+" LIFECYCLE SOFT_DELETE")
	if _, err := f.Catalog.DeleteEntity(f.As(t, model.SystemActor), sales); err != nil {
		t.Fatal(err)
	}
	f.Put(t, orders, "status", `{"removed":true}`)
	same(t, f.nextNotices(part, ann, 1), "ORDERS LIFECYCLE SOFT_DELETE")
	same(t, f.nextNotices(whole, servicetest.Root, 1)[:1], short(string(sales))+" LIFECYCLE HARD_DELETE")
}

func TestASlowSubscriberIsToldToReadAgain(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	f.Put(t, orders, "status", `{"removed":false}`)
	slow, quick := f.subscribe(), f.subscribe()
	const writes = 300
	told := 0
	for n := range writes {
		f.Put(t, orders, "globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:t%d"}]}`, n))
		// The fast subscriber reads after each write: one added tag and, except for the first
		// write, one removed tag.
		for wanted := 2*n + 1; told < wanted; {
			told += len(f.nextNotices(quick, servicetest.Jo, 1))
		}
	}
	batch, err := slow.Next(t.Context(), time.Minute)
	if err != nil || !batch.Reset || len(batch.Notices) != 0 {
		t.Fatalf("the slow one: %v, reset %v, %d notices", err, batch.Reset, len(batch.Notices))
	}
	f.Put(t, orders, "status", `{"removed":true}`)
	same(t, f.nextNotices(slow, servicetest.Jo, 1), "ORDERS LIFECYCLE SOFT_DELETE")
}

func TestABacklogIsNotReadChangeByChange(t *testing.T) {
	w := servicetest.New(t)
	log := &heldLog{Log: w.Store, read: make(chan struct{}, 100), opened: make(chan struct{})}
	f := following(t, w, log)
	sub := f.subscribe()
	<-log.read // the reader waits for new entries
	log.held.Store(true)
	for n := range 4200 {
		_, err := w.Store.Update(t.Context(), func(tx store.Tx) error {
			_, err := tx.Append(t.Context(), store.Entry{Kind: store.Written, URN: orders, Aspect: "status", NewVersion: 1, Actor: servicetest.Root, Time: int64(n + 1)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	close(log.opened)
	same(t, f.nextNotices(sub, servicetest.Jo, 1), "reset")
	<-log.read // after the backlog, where no entries are left
	f.Put(t, "urn:li:tag:next", "status", `{"removed":true}`)
	same(t, f.nextNotices(sub, servicetest.Jo, 2), "tag:next LIFECYCLE CREATE", "tag:next LIFECYCLE SOFT_DELETE")
	if pages := len(log.read); pages > 3 {
		t.Errorf("%d more pages of the log were read", pages)
	}
}

// heldLog counts the pages that are read, and can block a reader.
type heldLog struct {
	event.Log
	held   atomic.Bool
	opened chan struct{}
	read   chan struct{}
}

func (l *heldLog) Last() (uint64, <-chan struct{}) {
	if l.held.Load() {
		<-l.opened
	}
	return l.Log.Last()
}

func (l *heldLog) Entries(ctx context.Context, after uint64, limit int) ([]store.Entry, error) {
	defer func() { l.read <- struct{}{} }()
	return l.Log.Entries(ctx, after, limit)
}

func TestTheReaderOfTheLogEndsWithTheLastSubscriberAndItsFailureIsTold(t *testing.T) {
	w := servicetest.New(t)
	log := &brokenLog{Log: w.Store}
	f := following(t, w, log)
	for range 3 {
		one, err := f.events.Subscribe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		two, err := f.events.Subscribe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		one.Close()
		if log.reading.Load() == 0 {
			f.Put(t, orders, "status", `{"removed":true}`)
			f.Put(t, orders, "status", `{"removed":false}`)
			f.nextNotices(two, servicetest.Jo, 1)
		}
		two.Close()
		before := log.reading.Load()
		f.Put(t, orders, "status", `{"removed":true}`)
		if after := log.reading.Load(); after != before {
			t.Fatal("the log is read for nobody")
		}
	}
	sub := f.subscribe()
	log.broken.Store(true)
	f.Put(t, orders, "status", `{"removed":false}`)
	for {
		if _, err := sub.Next(t.Context(), time.Minute); err != nil {
			if fault.KindOf(err) != fault.Unavailable {
				t.Errorf("the end: %v", err)
			}
			break
		}
	}
	log.broken.Store(false)
	again := f.subscribe()
	f.Put(t, orders, "status", `{"removed":true}`)
	same(t, f.nextNotices(again, servicetest.Jo, 1), "ORDERS LIFECYCLE SOFT_DELETE")
}

type brokenLog struct {
	event.Log
	broken  atomic.Bool
	reading atomic.Int64
}

func (l *brokenLog) Entries(ctx context.Context, after uint64, limit int) ([]store.Entry, error) {
	l.reading.Add(1)
	if l.broken.Load() {
		return nil, errors.New("the disk is gone")
	}
	return l.Log.Entries(ctx, after, limit)
}

func TestChangesOfWhatOneOwnsAreListedNewestFirst(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	write := func(by, u urn.URN, aspect, value string) {
		t.Helper()
		w.Pass(time.Second)
		if _, err := w.Catalog.Write(f.As(t, by), []catalog.Proposal{{URN: string(u), Aspect: aspect, Value: json.RawMessage(value)}}, catalog.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	f.Put(t, orders, "ownership", ownedBy(servicetest.Jo))
	f.Put(t, sales, "ownership", ownedBy("urn:li:corpGroup:shop"))
	w.Put(t, "urn:li:corpGroup:shop", "corpGroupInfo", `{"displayName":"g","admins":[],"members":[],"groups":[]}`)
	f.Put(t, servicetest.Jo, "groupMembership", `{"groups":["urn:li:corpGroup:shop"]}`)
	w.Pass(time.Second)
	began := w.Now()
	write(servicetest.Mia, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:a"}]}`)
	write(servicetest.Jo, orders, "globalTags", `{"tags":[]}`)
	write(servicetest.Mia, sales, "editableDatasetProperties", `{"description":"`+strings.Repeat("ä", 400)+`"}`)
	write(servicetest.Mia, "urn:li:dataset:(urn:li:dataPlatform:hive,shop.others,PROD)", "status", `{"removed":true}`)
	write(servicetest.Mia, orders, "status", `{"removed":true}`)
	list := func(user urn.URN, q event.OwnedQuery) (lines []string, page event.OwnedPage) {
		t.Helper()
		page, err := f.events.Owned(f.As(t, user), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Changes {
			for _, d := range c.Details {
				lines = append(lines, strings.TrimSpace(strings.Join([]string{short(string(c.Entity)), short(string(c.Actor)), d.Category, d.Operation, short(d.Modifier)}, " ")))
			}
		}
		return lines, page
	}
	all := []string{"ORDERS corpuser:mia LIFECYCLE SOFT_DELETE", short(string(sales)) + " corpuser:mia DOCUMENTATION ADD", "ORDERS corpuser:mia TAG ADD tag:a"}
	got, page := list(servicetest.Jo, event.OwnedQuery{Since: began})
	same(t, got, all...)
	if text := fmt.Sprint(page.Changes[1].Details[0].Parameters["description"]); page.Next != "" || len(text) > 410 || !strings.HasSuffix(text, "ä…") {
		t.Errorf("next %q, description %q", page.Next, text)
	}
	got, page = list(servicetest.Jo, event.OwnedQuery{Since: began, Limit: 2})
	same(t, got, all[:2]...)
	got, _ = list(servicetest.Jo, event.OwnedQuery{Since: began, Limit: 2, Before: page.Next})
	same(t, got, all[2:]...)
	got, page = list(servicetest.Mia, event.OwnedQuery{})
	same(t, got)
	if page.Next != "" || page.Until == 0 {
		t.Errorf("to the beginning of the log: %+v", page)
	}
	for _, before := range []string{"x", "0", "-1", "99999999", strings.Repeat("9", 40)} {
		if _, err := f.events.Owned(f.As(t, servicetest.Jo), event.OwnedQuery{Before: before}); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "before") {
			t.Errorf("before %q: %v", before, err)
		}
	}
	if _, err := f.events.Owned(t.Context(), event.OwnedQuery{}); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: %v", err)
	}
}

// TestWhatARollbackTakesBackIsListed: values removed by a rollback are only in the log entries of
// the rollback.
func TestWhatARollbackTakesBackIsListed(t *testing.T) {
	w := servicetest.New(t)
	f := following(t, w, w.Store)
	f.Put(t, orders, "ownership", ownedBy(servicetest.Jo))
	f.Put(t, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:kept"}]}`)
	w.Pass(time.Second)
	began := w.Now()
	w.PutInRun(t, "second", orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:kept"},{"tag":"urn:li:tag:taken"}]}`)
	w.PutInRun(t, "second", orders, "domains", `{"domains":["urn:li:domain:gone"]}`)
	if _, err := run.New(f.Catalog).Rollback(f.As(t, model.SystemActor), "second", run.Options{Hard: true}); err != nil {
		t.Fatal(err)
	}
	page, err := f.events.Owned(f.As(t, servicetest.Jo), event.OwnedQuery{Since: began})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range page.Changes {
		for _, d := range c.Details {
			lines = append(lines, strings.Join([]string{d.Category, d.Operation, short(d.Modifier)}, " "))
		}
	}
	slices.Sort(lines)
	same(t, lines, "DOMAIN REMOVE domain:gone", "TAG REMOVE tag:taken")
}

// BenchmarkFanOut sends a change to a thousand subscribers that read at once, each with its own
// visibility.
func BenchmarkFanOut(b *testing.B) {
	w := servicetest.New(b)
	events := event.New(event.Config{Log: w.Store, Rows: w.Store, Registry: w.Registry, Authorizer: w.Rights, Shown: w.Catalog.Shown, Readable: w.Catalog.MayReadEach, Types: w.Discover.DataTypes(), Now: w.Now})
	subs := make([]*event.Subscription, 1000)
	for i := range subs {
		sub, err := events.Subscribe(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer sub.Close()
		subs[i] = sub
	}
	ctx := w.As(b, servicetest.Jo)
	w.Put(b, orders, "status", `{"removed":false}`)
	for _, sub := range subs {
		for told := 0; told < 1; {
			batch, _ := sub.Next(ctx, time.Minute)
			told += len(batch.Notices)
		}
	}
	b.ReportAllocs()
	removed := false
	for b.Loop() {
		removed = !removed
		w.Put(b, orders, "status", fmt.Sprintf(`{"removed":%v}`, removed))
		for _, sub := range subs {
			for told := 0; told == 0; {
				batch, err := sub.Next(ctx, time.Minute)
				if err != nil {
					b.Fatal(err)
				}
				list, err := events.Tell(ctx, batch.Notices)
				if err != nil {
					b.Fatal(err)
				}
				told += len(list)
			}
		}
	}
}
