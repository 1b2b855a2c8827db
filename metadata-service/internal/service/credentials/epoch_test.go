package credentials_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// proofs are the ways to prove a password, by name. Each returns the session epoch of newbie.
var proofs = map[string]func(f *fixture, s *credentials.Service) (string, error){
	"sign-in": func(f *fixture, s *credentials.Service) (string, error) {
		f.signUp("")
		v, err := s.Verify(f.system(), newbie, password)
		if err == nil && !v.Match {
			return "", &account.DeniedError{User: newbie, Reason: v.Reason}
		}
		return v.Epoch, err
	},
	"sign-up": func(f *fixture, s *credentials.Service) (string, error) {
		return s.SignUp(f.system(), newcomer(f.invite(credentials.Terms{})))
	},
	"reset": func(f *fixture, s *credentials.Service) (string, error) {
		f.signUp("")
		text, _, err := f.CreateReset(f.as(authtest.Root), newbie)
		if err != nil {
			f.t.Fatal(err)
		}
		return s.Reset(f.system(), newbie, "a third password", text)
	},
}

// ends are the events after which a proof of a former password starts no session.
var ends = map[string]func(*fixture) error{
	"the first sign-in by the provider": func(f *fixture) error {
		_, err := f.Provision(f.system(), credentials.Guest{User: newbie, Update: true})
		return err
	},
	"another password": func(f *fixture) error {
		return f.Change(f.as(authtest.Root), newbie, "", "a fourth password")
	},
}

func isDenied(err error) bool {
	var denied *account.DeniedError
	return errors.As(err, &denied) && denied.Reason == account.InvalidCredentials
}

func TestAProofOfAFormerPasswordStartsNoSession(t *testing.T) {
	t.Parallel()
	for how, prove := range proofs {
		for what, end := range ends {
			t.Run(how+", then "+what, func(t *testing.T) {
				t.Parallel()
				f := setUp(t)
				epoch, err := prove(f, f.Service)
				if err != nil || epoch == "" {
					t.Fatalf("epoch %q, %v", epoch, err)
				}
				if _, err := f.tokens.NewSession(f.system(), newbie, epoch); err != nil {
					t.Fatal(err)
				}
				if err := end(f); err != nil {
					t.Fatal(err)
				}
				if _, err := f.tokens.NewSession(f.system(), newbie, epoch); !isDenied(err) {
					t.Errorf("got %v", err)
				}
				if _, err := f.tokens.NewSession(f.system(), newbie, ""); err != nil {
					t.Errorf("a session by the provider: %v", err)
				}
			})
		}
	}
}

// changing is a catalog in which something happens right before the second read of a password, or
// right after it was written.
type changing struct {
	*authtest.Catalog
	reads  *int
	happen func()
}

func (c changing) Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error) {
	if aspect == credentials.Aspect && u == newbie {
		if *c.reads++; *c.reads == 2 {
			c.happen()
		}
	}
	return c.Catalog.Get(ctx, u, aspect)
}

func TestAPasswordThatEndsDuringItsProofProvesNothing(t *testing.T) {
	t.Parallel()
	for how, prove := range proofs {
		for what, end := range ends {
			t.Run(how+", meanwhile "+what, func(t *testing.T) {
				t.Parallel()
				f := setUp(t)
				reads := 0
				if how == "sign-up" {
					reads = 1 // it reads the password only after it wrote it
				}
				happened := false
				epoch, err := prove(f, f.over(changing{f.catalog, &reads, func() {
					happened = true
					if err := end(f); err != nil {
						t.Error(err)
					}
				}}))
				if !happened || epoch != "" || !isDenied(err) && fault.KindOf(err) != fault.Malformed && fault.KindOf(err) != fault.Conflict {
					t.Errorf("it happened: %v, epoch %q, %v", happened, epoch, err)
				}
			})
		}
	}
}

// TestNoSessionOfAPasswordOutlivesTheFirstSignInByTheProvider proves a password while the
// provider takes the user over. Whatever comes first, no session of the password is left.
func TestNoSessionOfAPasswordOutlivesTheFirstSignInByTheProvider(t *testing.T) {
	t.Parallel()
	for range 30 {
		f := setUp(t)
		f.signUp("")
		done := make(chan error, 1)
		go func() {
			_, err := f.Provision(f.system(), credentials.Guest{User: newbie, Update: true})
			done <- err
		}()
		var sessions []string
		for range 20 {
			v, err := f.Verify(f.system(), newbie, config.Secret(password))
			if err != nil {
				t.Fatal(err)
			}
			if !v.Match {
				break
			}
			session, err := f.tokens.NewSession(f.system(), newbie, v.Epoch)
			if err == nil {
				sessions = append(sessions, session)
			} else if !isDenied(err) {
				t.Fatal(err)
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for _, session := range sessions {
			if _, err := f.tokens.Authority.Verify(f.system(), session); err == nil {
				t.Fatal("a session of the password is left")
			}
		}
	}
}

// Links are revoked while somebody uses them: the invitation or reset link is valid at the first
// check, and not at the write.
func TestALinkThatIsReplacedDuringItsUseHasNoEffect(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.invite(credentials.Terms{})
	late := f.over(arriving{f.catalog, sync.OnceFunc(func() {
		if _, err := f.RenewInvite(f.as(authtest.Root), credentials.Terms{}); err != nil {
			t.Error(err)
		}
	})})
	_, err := late.SignUp(f.system(), newcomer(invite))
	expect(t, err, fault.Malformed, "the invitation is not valid")
	if has, err := f.HasCredentials(f.system(), newbie); has || err != nil {
		t.Errorf("the user exists: %v, %v", has, err)
	}
	f.signUp("")
	first, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	var second config.Secret
	late = f.over(arriving{f.catalog, sync.OnceFunc(func() {
		if second, _, err = f.CreateReset(f.as(authtest.Root), newbie); err != nil {
			t.Error(err)
		}
	})})
	_, err = late.Reset(f.system(), newbie, other, first)
	expect(t, err, fault.Malformed, "reset link")
	if err := f.Reset(f.system(), newbie, other, second); err != nil {
		t.Errorf("the second link: %v", err)
	}
}

// busyTokens are tokens of which others are created during the first revocation.
type busyTokens struct {
	credentials.Tokens
	calls int
}

func (b *busyTokens) RevokeAll(ctx context.Context, user urn.URN, created bool) (int, error) {
	if b.calls++; b.calls == 1 {
		return 3, fmt.Errorf("3 tokens of %s were revoked: %w", user, authtoken.ErrOthersMade)
	}
	return b.Tokens.RevokeAll(ctx, user, created)
}

// Whoever has the password creates tokens all the time. The session ends with the password, and the
// tokens after it.
func TestTokensThatAreCreatedAllTheTimeDoNotPreventASignInByTheProvider(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, _, err := f.tokens.Create(f.as(newbie), token.Draft{Actor: newbie, Name: "x", Lifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	busy := &busyTokens{Tokens: f.tokens}
	s := credentials.New(credentials.Config{
		Aspects: f.catalog, Accounts: f.accounts, Tokens: busy, Authorizer: authtest.Plain{}, InviteKey: "key of invitations",
		Hash: credentials.HashParams{Memory: 64, Time: 1, Threads: 1, AtOnce: 2, Queue: 3}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if _, err := s.Provision(f.system(), credentials.Guest{User: newbie, Update: true}); err != nil || busy.calls != 2 {
		t.Errorf("the sign-in by the provider: %v, %d revocations", err, busy.calls)
	}
	if has, err := f.HasCredentials(f.system(), newbie); has || err != nil {
		t.Errorf("the password is left: %v, %v", has, err)
	}
	if _, err := f.tokens.Authority.Verify(f.system(), text); err == nil {
		t.Error("a token is left")
	}
}
