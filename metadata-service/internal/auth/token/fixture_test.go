package token_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock that tests advance.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// safeBuffer collects log lines of concurrent calls.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// sessionStore is the store of sessions and uses of the fixture.
type sessionStore interface {
	token.UsesStore
	store.Log
}

// countedAspects counts the records and names of tokens that are read.
type countedAspects struct {
	token.Aspects
	reads atomic.Int64
}

func (c *countedAspects) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	c.reads.Add(1)
	return c.Aspects.Get(ctx, u, aspect)
}

func (c *countedAspects) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	found, err := c.Aspects.List(ctx, entityType, after, limit)
	c.reads.Add(int64(len(found)))
	return found, err
}

type fixture struct {
	*token.Service
	t       testing.TB
	data    string
	catalog *authtest.Catalog
	aspects countedAspects
	keys    *token.Keys
	clock   *clock
	// sessions is the store of the denylist.
	sessions sessionStore
	denylist *token.Denylist
	uses     *token.Uses
	accounts *overruled
	// unchecked is true while authentication is off.
	unchecked bool
	lifetimes *token.Lifetimes
	log       *safeBuffer
}

// overruled is a directory that returns the reason of a test for all users, if one is set.
type overruled struct {
	*account.Directory
	reason account.DenialReason
}

func (o *overruled) Status(ctx context.Context, u urn.URN) (account.DenialReason, error) {
	if o.reason != "" {
		return o.reason, nil
	}
	return o.Directory.Status(ctx, u)
}

func setUp(t testing.TB) *fixture {
	t.Helper()
	return setUpOn(t, memory.NewStore())
}

// setUpOn returns a fixture with sessions and uses in a store.
func setUpOn(t testing.TB, sessions sessionStore) *fixture {
	t.Helper()
	f := &fixture{t: t, data: t.TempDir(), clock: &clock{at: start}, sessions: sessions, log: &safeBuffer{}}
	f.catalog = authtest.New(t, authtest.Root, authtest.Jo, authtest.Mia)
	f.aspects.Aspects = f.catalog
	f.open()
	return f
}

// newFixtureAllowing returns a fixture whose service allows certain lifetimes.
func newFixtureAllowing(t testing.TB, lifetimes *token.Lifetimes) *fixture {
	t.Helper()
	f := setUp(t)
	f.lifetimes = lifetimes
	f.open()
	return f
}

// open starts the service on the data directory, as after a restart.
func (f *fixture) open() {
	f.t.Helper()
	dir, err := secrets.Open(f.data)
	if err != nil {
		f.t.Fatal(err)
	}
	if f.keys, err = token.OpenKeys(dir, f.clock.now); err != nil {
		f.t.Fatal(err)
	}
	salt, err := dir.ReadOrCreate(secrets.Salt)
	if err != nil {
		f.t.Fatal(err)
	}
	f.denylist = token.NewDenylist(f.sessions, f.clock.now)
	if err := f.denylist.Load(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	f.uses = token.NewUses(f.sessions, f.clock.now)
	accounts := account.NewDirectory(f.catalog.Reader())
	f.accounts = &overruled{Directory: accounts}
	f.Service = token.New(token.Config{
		Unchecked: f.unchecked, Lifetimes: f.lifetimes,
		Aspects: &f.aspects, Reader: f.catalog.Reader(), Accounts: f.accounts, Authorizer: authtest.Plain{},
		Keys: f.keys, Salt: salt, Denylist: f.denylist, Uses: f.uses, Now: f.clock.now, Log: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	f.catalog.OnChange(accounts.Changed)
	f.catalog.OnChange(f.Changed)
}

func (f *fixture) as(user urn.URN) context.Context { return authtest.As(f.t, user) }

func (f *fixture) system() context.Context { return f.as(model.SystemActor) }

// create creates a token of the user for itself.
func (f *fixture) create(user urn.URN, lifetime time.Duration) (text string, info token.Info) {
	f.t.Helper()
	text, info, err := f.Create(f.as(user), token.Draft{Kind: token.Personal, Actor: user, Name: "notebook", Lifetime: lifetime})
	if err != nil {
		f.t.Fatal(err)
	}
	return text, info
}

func (f *fixture) accepts(text string) {
	f.t.Helper()
	if _, err := f.Verify(f.t.Context(), text); err != nil {
		f.t.Fatalf("refused: %v", err)
	}
}

func (f *fixture) refuses(text, why string) {
	f.t.Helper()
	_, err := f.Verify(f.t.Context(), text)
	expect(f.t, err, fault.Unauthenticated, why)
}

func expect(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !bytes.Contains([]byte(fault.Message(err)), []byte(message)) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}
