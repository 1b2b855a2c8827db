package audit_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestEveryChangeIsOneEventOfItsType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   store.EntryKind
		entity urn.URN
		aspect string
		want   audit.Type
		class  audit.Class
	}{
		{store.Written, "urn:li:corpuser:a", "corpUserKey", audit.CreateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "corpUserInfo", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "corpUserEditableInfo", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "corpUserCredentials", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "corpUserSettings", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "corpUserStatus", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "groupMembership", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpuser:a", "nativeGroupMembership", audit.UpdateUser, audit.Administration},
		{store.Written, "urn:li:corpGroup:a", "roleMembership", audit.UpdateUser, audit.Administration},
		{store.EntityDeleted, "urn:li:corpuser:a", "corpUserKey", audit.DeleteEntity, audit.Administration},
		{store.Written, "urn:li:dataHubPolicy:a", "dataHubPolicyKey", audit.CreatePolicy, audit.Administration},
		{store.Written, "urn:li:dataHubPolicy:a", "dataHubPolicyInfo", audit.UpdatePolicy, audit.Administration},
		{store.EntityDeleted, "urn:li:dataHubPolicy:a", "dataHubPolicyKey", audit.DeletePolicy, audit.Administration},
		{store.Written, "urn:li:dataHubAccessToken:a", "dataHubAccessTokenKey", audit.CreateToken, audit.Administration},
		{store.EntityDeleted, "urn:li:dataHubAccessToken:a", "dataHubAccessTokenKey", audit.RevokeToken, audit.Administration},
		{store.Written, "urn:li:dataHubIngestionSource:a", "dataHubIngestionSourceKey", audit.CreateSource, audit.Administration},
		{store.Written, "urn:li:dataHubIngestionSource:a", "dataHubIngestionSourceInfo", audit.UpdateSource, audit.Administration},
		{store.Written, "urn:li:corpGroup:a", "corpGroupInfo", audit.UpdateAspect, audit.Administration},
		{store.Written, "urn:li:dataHubSecret:a", "dataHubSecretValue", audit.UpdateAspect, audit.Administration},
		{store.Written, "urn:li:tag:a", "tagProperties", audit.UpdateAspect, audit.Writes},
		{store.Document, "urn:li:tag:a", "datasetProfile", audit.UpdateAspect, audit.Writes},
		{store.Deleted, "urn:li:tag:a", "tagProperties", audit.DeleteEntity, audit.Writes},
		{store.DocumentsErased, "urn:li:tag:a", "datasetProfile", audit.DeleteEntity, audit.Writes},
		{store.Restated, "urn:li:tag:a", "tagProperties", audit.RestateEntity, audit.Writes},
		{store.Touched, "urn:li:tag:a", "tagProperties", "", 0},
		{store.Message, "", "topic", "", 0},
	} {
		f := newFixture(t)
		entry := store.Entry{
			Sequence: 7, Kind: tt.kind, URN: tt.entity, Aspect: tt.aspect, Actor: jo, Time: 5, RunID: "run", TraceID: "trace", Origin: "sink",
			Caller: &store.Caller{Request: "r", Address: "192.0.2.7", Agent: "a", Door: "RESTLI", Token: "t"}, Value: []byte(`{"password":"secret"}`),
		}
		sink := audit.NewSink(f.Log)
		for range 2 { // entries are applied again
			if err := sink.Apply(t.Context(), []store.Entry{entry}); err != nil {
				t.Fatal(err)
			}
		}
		var want []audit.Event
		if tt.want != "" {
			want = []audit.Event{{
				Type: tt.want, Time: 5, Actor: jo, Number: 7, Entity: tt.entity, Aspect: tt.aspect, Address: "192.0.2.7", Agent: "a", Source: "RESTLI",
				Request: "r", Trace: "trace", Token: "t", Run: "run", Origin: "sink",
			}}
			if got := want[0].Class(); got != tt.class {
				t.Errorf("%s of %s is of the class %s", tt.kind, tt.aspect, got)
			}
		}
		if got := f.all(audit.Query{}); !slices.Equal(got, want) {
			t.Errorf("%s of %s: got %+v, want %+v", tt.kind, tt.aspect, got, want)
		}
	}
}

func TestChangesOfIgnoredActorsAreNotRecorded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *audit.Config) { c.Ignored = []urn.URN{jo} })
	err := audit.NewSink(f.Log).Apply(t.Context(), []store.Entry{
		{Sequence: 1, Kind: store.Written, URN: "urn:li:tag:a", Aspect: "tagKey", Actor: jo}, {Sequence: 2, Kind: store.Written, URN: "urn:li:tag:a", Aspect: "tagKey", Actor: "urn:li:corpuser:al"},
	})
	if got := f.all(audit.Query{}); err != nil || len(got) != 1 || got[0].Actor != "urn:li:corpuser:al" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWhatTheLogDoesNotKnowItSays(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if err := audit.NewSink(f.Log).Missed(t.Context(), projection.Gap{First: 3, Last: 12, Cause: projection.Trimmed}); err != nil {
		t.Fatal(err)
	}
	if got := f.all(audit.Query{}); len(got) != 1 || got[0].Type != audit.Lost || got[0].Count != 10 || got[0].Reason != "changes 3 to 12 of the change log were trimmed before they were recorded" {
		t.Errorf("got %+v", got)
	}
}

func TestAFailingStoreHoldsUpTheSinkAndNothingElse(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.store.fails.Store(true)
	sink, entries := audit.NewSink(f.Log), []store.Entry{{Sequence: 1, Kind: store.Written, URN: "urn:li:tag:a", Aspect: "tagKey"}}
	if err := sink.Apply(t.Context(), entries); err == nil {
		t.Error("what could not be stored counts as recorded")
	}
	f.store.fails.Store(false)
	if err := sink.Apply(t.Context(), entries); err != nil || len(f.all(audit.Query{})) != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// The process ends between the commit of a write and the sink, at each of its steps: the files are
// unchanged, and a new process continues from them.
func TestNoChangeIsLostWhenTheProcessEndsBeforeItWasRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows, err := bolt.Open(t.Context(), filepath.Join(dir, "catalog.db"), bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	write := func(name string) {
		t.Helper()
		_, err := rows.Update(store.WithCaller(t.Context(), store.Caller{Request: name}), func(tx store.Tx) error {
			_, err := store.Put(t.Context(), tx, nil, store.Write{Key: store.Key{URN: urn.Make("tag", name), Aspect: "tagProperties"}, Value: []byte(`{}`), Actor: jo, Now: 5, System: model.SystemMetadata{}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	write("before")
	// One process records the first entries, stores no position, and ends.
	follow := func(position bool) (requests []string) {
		t.Helper()
		l := audit.New(audit.Config{Open: func() (audit.Store, error) {
			return trail.Open(trail.Config{Path: filepath.Join(dir, "audit.db"), Now: time.Now, Log: logging.Discard()})
		}, Now: time.Now, Log: logging.Discard()})
		defer l.Close()
		from, err := rows.Position(t.Context(), "audit")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := rows.Entries(t.Context(), from, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := audit.NewSink(l).Apply(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
		if position {
			if err := rows.SetPosition(t.Context(), "audit", entries[len(entries)-1].Sequence); err != nil {
				t.Fatal(err)
			}
		}
		found, err := l.Find(t.Context(), audit.Query{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Events {
			requests = append(requests, e.Request)
		}
		slices.Sort(requests)
		return requests
	}
	if got := follow(false); !reflect.DeepEqual(got, []string{"before"}) {
		t.Fatalf("got %v", got)
	}
	write("unrecorded")
	if got := follow(true); !reflect.DeepEqual(got, []string{"before", "unrecorded"}) {
		t.Errorf("after the process ended: got %v", got)
	}
	write("later")
	if got := follow(true); !reflect.DeepEqual(got, []string{"before", "later", "unrecorded"}) {
		t.Errorf("later: got %v", got)
	}
}

func TestASinkThatIsInterruptedSaysSo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := audit.NewSink(f.Log).Apply(ctx, []store.Entry{{Sequence: 1, Kind: store.Written, URN: "urn:li:tag:a", Aspect: "tagKey"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
