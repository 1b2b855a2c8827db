// Package servicetest provides a small but real catalog for tests of services and their callers:
// memory drivers, the search index, all projections, users, and a clock that only Pass advances.
package servicetest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/bootstrap"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Users of tests. Root may do everything; Jo and Mia are ordinary users.
const (
	Root urn.URN = model.RootUser
	Jo   urn.URN = "urn:li:corpuser:jo"
	Mia  urn.URN = "urn:li:corpuser:mia"
)

// start is the initial time of the clock of every World: 2026-03-02 10:00 UTC.
var start = time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)

// registry is immutable and shared, since loading it takes longer than most tests.
var registry = sync.OnceValues(model.Load)

// World is a catalog with the dependencies of services.
type World struct {
	Registry    *model.Registry
	Catalog     *catalog.Service
	Discover    *discover.Service
	Edit        *edit.Editor
	Rights      *policy.Engine
	Accounts    *account.Directory
	Authority   *authtoken.Authority
	Tokens      *token.Service
	Credentials *credentials.Service
	Cipher      *encryption.Cipher
	Store       *memory.Store
	Documents   *memory.Timeseries
	Index       *roaring.Index
	Log         *slog.Logger

	elapsed atomic.Int64 // of the clock
	granted atomic.Bool  // set by Granting
}

// New returns a World with default data and the users. The cleanup of the test closes it.
func New(t testing.TB) *World {
	t.Helper()
	return newWorld(t, policy.Config{})
}

// NewViewing returns a World with view authorization. Entities that an actor may not view are shown
// as restricted.
func NewViewing(t testing.TB) *World {
	t.Helper()
	return newWorld(t, policy.Config{ViewAuthorization: true, Unrestricted: []string{"dataPlatform"}})
}

func newWorld(t testing.TB, authorization policy.Config) *World {
	t.Helper()
	reg, err := registry()
	check(t, err)
	w := &World{Registry: reg, Log: slog.New(slog.DiscardHandler)}
	rows, documents := memory.NewStore(), memory.NewTimeseries()
	authorization.Rows = rows
	w.Rights = policy.New(authorization)
	w.Store, w.Documents = rows, documents
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(reg)})
	check(t, err)
	indexer, err := indexing.New(t.Context(), indexing.Config{Registry: reg, Store: rows, Graph: rows, Index: index, Now: w.Now, Log: w.Log})
	check(t, err)
	w.Index = index
	w.Accounts = account.NewDirectory(rows)
	running := &follower{}
	const encryptionKey = config.Secret("an encryption key for tests, which is long enough")
	w.Cipher, err = encryption.New(encryptionKey)
	check(t, err)
	w.Catalog = catalog.New(catalog.Config{
		Cipher:   w.Cipher,
		Registry: reg, Store: rows, Graph: rows, Documents: documents, Authorizer: switchedAuthorizer{w}, Follower: running, Now: w.Now, Log: w.Log,
	})
	finding := discover.Config{Catalog: w.Catalog, Index: index, Graph: rows}
	if authorization.ViewAuthorization {
		finding.Names, err = encryption.NewNames(encryptionKey)
		check(t, err)
		w.Catalog.Names = finding.Names
	}
	w.Discover = discover.New(finding)
	running.Follower, err = projection.Start(t.Context(), projection.Config{Log: rows, Now: w.Now, Logger: w.Log, Awaited: []projection.Sink{
		seriessink.New(reg, documents), discover.NewRemovalSink(w.Discover), listener{w}, w.Rights, indexer,
	}})
	check(t, err)
	t.Cleanup(func() { check(t, errors.Join(running.Close(), indexer.Close(), index.Close(context.Background()))) })
	w.Edit = &edit.Editor{Catalog: w.Catalog, Discover: w.Discover, Registry: reg, Authorizer: w.Rights, Now: w.Now}
	w.openIdentity(t, rows)
	check(t, bootstrap.New(bootstrap.Config{Catalog: w.Catalog, Store: rows, Graph: rows, Now: w.Now, Log: w.Log}).DefaultData(t.Context()))
	w.letWrite(t)
	for _, u := range []urn.URN{Jo, Mia} {
		w.Put(t, u, "corpUserInfo", `{"active":true,"displayName":"`+u.Key()+`"}`)
	}
	return w
}

// letWrite lets the ordinary users of tests write metadata of data, like members of a team, by
// stored policies.
func (w *World) letWrite(t testing.TB) {
	t.Helper()
	var types []string
	for _, entity := range w.Registry.Entities() {
		name := entity.Name
		if privilege.Needed(auth.OpUpdate, urn.URN(urn.TypePrefix(name)), "")[0] == auth.EditEntity && name != "domain" && name != "glossaryNode" {
			types = append(types, name)
		}
	}
	metadata := []auth.Privilege{auth.CreateEntity, auth.EditEntity}
	platform := []auth.Privilege{auth.CreateTags, auth.CreateDomains, auth.ManageGlossaries, auth.CreateBusinessAttribute, auth.ViewManageTags, auth.ViewProperties, auth.ViewTests}
	for _, r := range auth.Rights() {
		if (r.Level == auth.AnyAsset || r.Level == auth.OneAsset) && r.Privilege != auth.DeleteEntity {
			metadata = append(metadata, r.Privilege)
		}
	}
	w.Policy(t, "team-metadata", metadata, types, Jo, Mia)
	w.Policy(t, "team-platform", platform, nil, Jo, Mia)
	// Root grants itself privileges that the policies of a new catalog omit.
	w.Policy(t, "administrator", []auth.Privilege{auth.ManageConnections, auth.ViewTests, auth.ViewManageTags}, nil, Root)
}

// Policy stores a policy that grants privileges to users, on entities of the given types or, if
// types is nil, on the platform.
func (w *World) Policy(t testing.TB, id string, privileges []auth.Privilege, types []string, users ...urn.URN) {
	t.Helper()
	info := map[string]any{
		"displayName": id, "description": "", "state": policy.Active, "type": "PLATFORM", "privileges": privileges,
		"actors": map[string]any{"users": users, "allUsers": false, "allGroups": false, "resourceOwners": false},
	}
	if types != nil {
		info["type"] = "METADATA"
		info["resources"] = map[string]any{"filter": map[string]any{"criteria": []any{map[string]any{"field": "TYPE", "values": types, "condition": "EQUALS"}}}}
	}
	text, err := json.Marshal(info)
	check(t, err)
	w.Put(t, urn.Make("dataHubPolicy", id), "dataHubPolicyInfo", string(text))
}

func (w *World) openIdentity(t testing.TB, rows account.Reader) {
	t.Helper()
	tokens := tokentest.Open(t, tokentest.Config{
		Aspects: w.Catalog.Managed(token.KeyAspect, token.InfoAspect), Reader: rows, Accounts: w.Accounts, Authorizer: w.Rights, Now: w.Now, Log: w.Log,
	})
	w.Tokens, w.Authority = tokens.Service, tokens.Authority
	const inviteKey = config.Secret("a key for tests, which is long enough")
	w.Credentials = credentials.New(credentials.Config{
		Aspects:  w.Catalog.Managed(credentials.Aspect, credentials.InviteKeyAspect, credentials.InviteAspect),
		Accounts: w.Accounts, Tokens: w.Tokens, Authorizer: w.Rights, InviteKey: inviteKey, Now: w.Now, Log: w.Log,
	})
}

// Now returns the time of the World.
func (w *World) Now() time.Time { return start.Add(time.Duration(w.elapsed.Load())) }

// Pass advances the clock.
func (w *World) Pass(d time.Duration) { w.elapsed.Add(int64(d)) }

// As returns a context with the user as actor.
func (w *World) As(t testing.TB, user urn.URN) context.Context {
	t.Helper()
	return auth.WithActor(t.Context(), auth.Actor{URN: user, System: user == model.SystemActor})
}

// Put writes an aspect as the system.
func (w *World) Put(t testing.TB, u urn.URN, aspect, value string) {
	t.Helper()
	w.PutInRun(t, "", u, aspect, value)
}

// PutInRun writes an aspect as the system, with the id of an ingestion run.
func (w *World) PutInRun(t testing.TB, run string, u urn.URN, aspect, value string) {
	t.Helper()
	_, err := w.Catalog.Write(w.As(t, model.SystemActor), []catalog.Proposal{{
		URN: string(u), Aspect: aspect, Value: json.RawMessage(value), System: model.SystemMetadata{RunID: run},
	}}, catalog.WriteOptions{})
	check(t, err)
}

// Get returns an aspect, read as the system, in canonical JSON, or "" when it is absent.
func (w *World) Get(t testing.TB, u urn.URN, aspect string) string {
	t.Helper()
	entities, err := w.Catalog.Entities(w.As(t, model.SystemActor), []urn.URN{u}, catalog.EntityQuery{Aspects: []string{aspect}})
	check(t, err)
	found, _ := entities[0].Find(aspect)
	return string(found.Value)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// follower forwards to the projections once they run.
type follower struct{ *projection.Follower }

// listener passes changes to the account directory and the tokens.
type listener struct{ w *World }

func (listener) Name() string  { return "accounts" }
func (listener) Durable() bool { return false }

// Apply implements projection.Sink.
func (l listener) Apply(_ context.Context, entries []store.Entry) error {
	for _, e := range entries {
		if e.Kind != store.Touched && e.Kind != store.Document && e.Kind != store.DocumentsErased && e.Kind != store.Message {
			l.w.Accounts.Changed(e.URN, e.Aspect)
			l.w.Tokens.Changed(e.URN, e.Aspect)
		}
	}
	return nil
}
