// Package tokentest opens the tokens of a catalog for tests: keys in a folder, ended sessions and
// uses in a store, and the services over them.
package tokentest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
)

// Config holds the dependencies of Tokens. Fields are required unless stated otherwise.
type Config struct {
	Aspects    token.Aspects
	Reader     account.Reader
	Accounts   authtoken.Accounts
	Authorizer auth.Decider
	Folder     string          // of the secrets; a new one when empty
	Rows       token.UsesStore // of ended sessions and uses; a new one in memory when nil
	Unchecked  bool
	Lifetimes  *token.Lifetimes
	Now        func() time.Time // the time of the machine when nil
	Log        *slog.Logger     // discards when nil
}

// Tokens are the access tokens of a catalog, and the sessions.
type Tokens struct {
	*token.Service
	*authtoken.Authority
	Keys     *authtoken.Keys
	Denylist *authtoken.Denylist
	Uses     *token.Uses
}

// Open returns the Tokens of a folder, as at the start of a process.
func Open(t testing.TB, cfg Config) *Tokens {
	t.Helper()
	if cfg.Folder == "" {
		cfg.Folder = t.TempDir()
	}
	if cfg.Rows == nil {
		cfg.Rows = memory.NewStore()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	dir, err := secrets.Open(cfg.Folder)
	check(t, err)
	keys, err := authtoken.OpenKeys(dir, cfg.Now)
	check(t, err)
	salt, err := dir.ReadOrCreate(secrets.Salt)
	check(t, err)
	denylist := authtoken.NewDenylist(cfg.Rows, cfg.Now)
	check(t, denylist.Load(t.Context()))
	uses := token.NewUses(cfg.Rows, cfg.Now)
	records := token.NewRecords(cfg.Aspects, uses)
	authority := authtoken.New(authtoken.Config{
		Records: records, Accounts: cfg.Accounts, Keys: keys, Salt: salt, Denylist: denylist, Now: cfg.Now, Log: cfg.Log,
	})
	service := token.New(token.Config{
		Unchecked: cfg.Unchecked, Lifetimes: cfg.Lifetimes, Authority: authority, Records: records,
		Reader: cfg.Reader, Accounts: cfg.Accounts, Authorizer: cfg.Authorizer, Now: cfg.Now, Log: cfg.Log,
	})
	return &Tokens{service, authority, keys, denylist, uses}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
