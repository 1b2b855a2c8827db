package credentials_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	password config.Secret = "correct horse"
	other    config.Secret = "battery staple"
	newbie   urn.URN       = "urn:li:corpuser:new@example.org"
	editor   urn.URN       = "urn:li:dataHubRole:Editor"
	stamp                  = `,"lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type fixture struct {
	*credentials.Service
	t       testing.TB
	catalog *authtest.Catalog
	log     *bytes.Buffer
	now     time.Time

	accounts *account.Directory
	tokens   *tokentest.Tokens
}

func setUp(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, catalog: authtest.New(t, authtest.Root, authtest.Jo), log: &bytes.Buffer{}, now: start}
	f.accounts = account.NewDirectory(f.catalog.Reader())
	f.catalog.OnChange(f.accounts.Changed)
	f.tokens = tokentest.Open(t, tokentest.Config{Aspects: f.catalog, Reader: f.catalog.Reader(), Accounts: f.accounts, Authorizer: authtest.Plain{}})
	f.catalog.OnChange(f.tokens.Changed)
	f.catalog.Set(t, editor, "dataHubRoleInfo", `{"name":"Editor","description":""}`)
	f.Service = f.over(f.catalog)
	return f
}

// over returns a service like that of the fixture with other aspects.
func (f *fixture) over(aspects credentials.Aspects) *credentials.Service {
	return credentials.New(credentials.Config{
		Aspects: aspects, Accounts: f.accounts, Tokens: f.tokens, Authorizer: authtest.Plain{}, InviteKey: "key of invitations",
		Hash: credentials.HashParams{Memory: 64, Time: 1, Threads: 1, AtOnce: 2, Queue: 3},
		Now:  func() time.Time { return f.now }, Log: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

func (f *fixture) as(user urn.URN) context.Context { return authtest.As(f.t, user) }
func (f *fixture) system() context.Context         { return f.as(model.SystemActor) }

func (f *fixture) SignUp(ctx context.Context, n credentials.Newcomer) error {
	_, err := f.Service.SignUp(ctx, n)
	return err
}

func (f *fixture) Reset(ctx context.Context, user urn.URN, password, text config.Secret) error {
	_, err := f.Service.Reset(ctx, user, password, text)
	return err
}

// signUp creates the user newbie and returns its invitation.
func (f *fixture) signUp(role urn.URN) config.Secret {
	f.t.Helper()
	invite, err := f.Invite(f.as(authtest.Root), credentials.Terms{Role: role})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.SignUp(f.system(), newcomer(invite)); err != nil {
		f.t.Fatal(err)
	}
	return invite
}

func newcomer(invite config.Secret) credentials.Newcomer {
	return credentials.Newcomer{User: newbie, FullName: "New Person", Email: "new@example.org", Title: "Other", Password: password, Invite: invite}
}

// verdict returns the verdict about a password without the session epoch.
func (f *fixture) verdict(user urn.URN, p config.Secret) credentials.Verdict {
	f.t.Helper()
	v, err := f.Verify(f.system(), user, p)
	if err != nil || (v.Match && v.Reason == "") != (v.Epoch != "") {
		f.t.Fatalf("%+v, %v", v, err)
	}
	v.Epoch = ""
	return v
}

func expect(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(fault.Message(err), message) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		user     urn.URN
		password config.Secret
		before   func(*fixture)
		want     credentials.Verdict
	}{
		"right password":                    {newbie, password, nil, credentials.Verdict{Match: true}},
		"wrong password":                    {newbie, other, nil, credentials.Verdict{Reason: account.InvalidCredentials}},
		"empty password":                    {newbie, "", nil, credentials.Verdict{Reason: account.InvalidCredentials}},
		"endless password":                  {newbie, config.Secret(strings.Repeat("x", 1<<20)), nil, credentials.Verdict{Reason: account.InvalidCredentials}},
		"user without a password":           {authtest.Jo, password, nil, credentials.Verdict{Reason: account.InvalidCredentials}},
		"unknown user":                      {"urn:li:corpuser:nobody", password, nil, credentials.Verdict{Reason: account.InvalidCredentials}},
		"suspended user, right password":    {newbie, password, suspend, credentials.Verdict{Match: true, Reason: account.IsSuspended}},
		"suspended user, wrong password":    {newbie, other, suspend, credentials.Verdict{Reason: account.InvalidCredentials}},
		"soft-deleted user, right password": {newbie, password, func(f *fixture) { f.catalog.Set(f.t, newbie, "status", `{"removed":true}`) }, credentials.Verdict{Match: true, Reason: account.SoftDeleted}},
		"hard-deleted user":                 {newbie, password, func(f *fixture) { f.catalog.Remove(f.t, newbie) }, credentials.Verdict{Reason: account.InvalidCredentials}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			f.signUp("")
			if tc.before != nil {
				tc.before(f)
			}
			if got := f.verdict(tc.user, tc.password); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func suspend(f *fixture) {
	f.catalog.Set(f.t, newbie, "corpUserStatus", `{"status":"SUSPENDED"`+stamp)
}

func TestVerifyRefusesWhatIsNoUser(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, u := range []urn.URN{"", "jo", "urn:li:corpGroup:g", model.SystemActor, urn.URN("urn:li:corpuser:" + strings.Repeat("x", 600))} {
		_, err := f.Verify(f.system(), u, password)
		expect(t, err, fault.Malformed, "not a user")
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	expect(t, f.Change(t.Context(), newbie, password, other), fault.Unauthenticated, "sign in")
	expect(t, f.Change(f.as(newbie), newbie, other, other), fault.Malformed, "old password")
	expect(t, f.Change(f.as(newbie), newbie, password, "short"), fault.Malformed, "at least 8")
	expect(t, f.Change(f.as(authtest.Jo), newbie, password, other), fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	expect(t, f.Change(f.as(authtest.Root), authtest.Jo, "", other), fault.NotFound, "no password")
	if err := f.Change(f.as(newbie), newbie, password, other); err != nil || !f.verdict(newbie, other).Match {
		t.Fatal(err)
	}
	if err := f.Change(f.as(authtest.Root), newbie, "", password); err != nil || !f.verdict(newbie, password).Match {
		t.Fatal(err)
	}
}

func TestNothingSecretIsStoredOrLogged(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite := f.signUp(editor)
	reset, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	f.verdict(newbie, other)
	bad := errors.Join(f.Reset(f.system(), newbie, other, reset+"x"), f.Change(f.as(newbie), newbie, other, password))
	seen := f.log.String() + f.catalog.Dump(t) + bad.Error()
	for name, text := range map[string]config.Secret{"password": password, "wrong password": other, "invitation": invite, "reset token": reset} {
		if strings.Contains(seen, text.Reveal()) {
			t.Errorf("the %s was stored or logged", name)
		}
	}
	if !strings.Contains(seen, "user signed up") {
		t.Error("the sign-up was not logged")
	}
}
