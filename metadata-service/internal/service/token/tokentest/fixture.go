package tokentest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Start is the initial time of the clock of every Fixture.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Clock is a clock that tests advance.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a Clock at Start.
func NewClock() *Clock { return &Clock{at: Start} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Log collects log lines of concurrent calls.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Rows is the store of sessions and uses of a Fixture.
type Rows interface {
	token.UsesStore
	store.Log
}

// Refusing is a store in memory that refuses all writes with an error.
type Refusing struct {
	*memory.Store
	Err error
}

// Update implements store.Writer.
func (r Refusing) Update(context.Context, func(store.Tx) error) (store.Commit, error) {
	return store.Commit{}, r.Err
}

// CountedAspects counts the records and names of tokens that are read.
type CountedAspects struct {
	token.Aspects
	Reads atomic.Int64
}

// Get implements token.Aspects.
func (c *CountedAspects) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	c.Reads.Add(1)
	return c.Aspects.Get(ctx, u, aspect)
}

// List implements token.Aspects.
func (c *CountedAspects) List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error) {
	found, err := c.Aspects.List(ctx, entityType, after, limit)
	c.Reads.Add(int64(len(found)))
	return found, err
}

// Directory is a directory that returns Reason for all users, if it is set.
type Directory struct {
	*account.Directory
	Reason account.DenialReason
}

// Status implements authtoken.Accounts.
func (d *Directory) Status(ctx context.Context, u urn.URN) (account.DenialReason, error) {
	if d.Reason != "" {
		return d.Reason, nil
	}
	return d.Directory.Status(ctx, u)
}

// Fixture has the tokens of a small catalog with the users of authtest, and a clock.
type Fixture struct {
	*Tokens
	T        testing.TB
	Folder   string // of the secrets
	Catalog  *authtest.Catalog
	Aspects  *CountedAspects
	Clock    *Clock
	Rows     Rows // of sessions and uses
	Accounts *Directory
	Log      *Log
	// Unchecked is true while authentication is off. Open applies it and Lifetimes.
	Unchecked bool
	Lifetimes *token.Lifetimes
}

// New returns a Fixture with sessions and uses in memory.
func New(t testing.TB) *Fixture {
	t.Helper()
	return NewOn(t, memory.NewStore())
}

// NewOn returns a Fixture with sessions and uses in a store.
func NewOn(t testing.TB, rows Rows) *Fixture {
	t.Helper()
	f := &Fixture{T: t, Folder: t.TempDir(), Clock: NewClock(), Rows: rows, Catalog: authtest.New(t, authtest.Root, authtest.Jo, authtest.Mia)}
	f.Aspects, f.Log = &CountedAspects{Aspects: f.Catalog}, &Log{}
	f.Open()
	return f
}

// OtherProcess returns a Fixture over the same catalog, store and folder, as of another process.
func (f *Fixture) OtherProcess() *Fixture {
	f.T.Helper()
	other := &Fixture{T: f.T, Folder: f.Folder, Clock: f.Clock, Rows: f.Rows, Catalog: f.Catalog}
	other.Aspects, other.Log = &CountedAspects{Aspects: f.Catalog}, &Log{}
	other.Open()
	return other
}

// Open starts the services on the folder, as after a restart.
func (f *Fixture) Open() {
	f.T.Helper()
	f.Accounts = &Directory{Directory: account.NewDirectory(f.Catalog.Reader())}
	f.Tokens = Open(f.T, Config{
		Unchecked: f.Unchecked, Lifetimes: f.Lifetimes, Folder: f.Folder, Rows: f.Rows,
		Aspects: f.Aspects, Reader: f.Catalog.Reader(), Accounts: f.Accounts, Authorizer: authtest.Plain{},
		Now: f.Clock.Now, Log: slog.New(slog.NewTextHandler(f.Log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	f.Catalog.OnChange(f.Accounts.Changed)
	f.Catalog.OnChange(f.Changed)
}

// As returns a context with a user as actor.
func (f *Fixture) As(user urn.URN) context.Context { return authtest.As(f.T, user) }

// With returns a context with a user that acts with a scoped token.
func (f *Fixture) With(user urn.URN, id string, scope *auth.Scope) context.Context {
	return auth.WithActor(f.T.Context(), auth.Actor{URN: user, TokenID: id, Scope: scope})
}

// System returns a context with the system actor.
func (f *Fixture) System() context.Context { return f.As(model.SystemActor) }

// Own creates a token of a user for itself.
func (f *Fixture) Own(user urn.URN, lifetime time.Duration) (text string, info token.Info) {
	f.T.Helper()
	text, info, err := f.Create(f.As(user), token.Draft{Kind: authtoken.Personal, Actor: user, Name: "notebook", Lifetime: lifetime})
	check(f.T, err)
	return text, info
}

// CreateFor creates a token of a user, by another one, for an hour.
func (f *Fixture) CreateFor(by, actor urn.URN) (text string, info token.Info) {
	f.T.Helper()
	text, info, err := f.Create(f.As(by), token.Draft{Actor: actor, Name: "notebook", Lifetime: time.Hour})
	check(f.T, err)
	return text, info
}

// Session begins a session of a user.
func (f *Fixture) Session(user urn.URN) (text string) {
	f.T.Helper()
	text, err := f.NewSession(f.System(), user, "")
	check(f.T, err)
	return text
}

// Key returns the signing key on disk.
func (f *Fixture) Key() []byte {
	f.T.Helper()
	text, err := os.ReadFile(filepath.Join(f.Folder, "secrets", "token-signing-key"))
	check(f.T, err)
	first, _, _ := strings.Cut(string(text), "\n")
	return []byte(first)
}

// Accepts fails the test if a token is refused.
func (f *Fixture) Accepts(text string) {
	f.T.Helper()
	if _, err := f.Verify(f.T.Context(), text); err != nil {
		f.T.Fatalf("refused: %v", err)
	}
}

// Refuses fails the test unless a token is refused with a message that contains a text.
func (f *Fixture) Refuses(text, why string) {
	f.T.Helper()
	_, err := f.Verify(f.T.Context(), text)
	Expect(f.T, err, fault.Unauthenticated, why)
}

// Expect stops the test unless an error has a kind and its message contains a text.
func Expect(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(fault.Message(err), message) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}

// ClaimsOf returns the claims in the text of a token.
func ClaimsOf(t testing.TB, text string) map[string]any {
	t.Helper()
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		t.Fatalf("token has %d parts", len(parts))
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	check(t, err)
	var claims map[string]any
	check(t, json.Unmarshal(raw, &claims))
	return claims
}
