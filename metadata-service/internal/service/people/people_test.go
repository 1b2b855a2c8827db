package people_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/people"
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
	*people.Service
	t       testing.TB
	catalog *authtest.Catalog
	log     *bytes.Buffer
	now     time.Time
}

func setUp(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, catalog: authtest.New(t, authtest.Root, authtest.Jo), log: &bytes.Buffer{}, now: start}
	accounts := account.NewDirectory(f.catalog.Reader())
	f.catalog.OnChange(accounts.Changed)
	f.Service = people.New(people.Config{
		Aspects: f.catalog, Accounts: accounts, Privileges: policy.Root{}, InviteKey: "key of invitations",
		Hash: people.HashParams{Memory: 64, Time: 1, Threads: 1, AtOnce: 2, Queue: 3},
		Now:  func() time.Time { return f.now }, Log: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	return f
}

func (f *fixture) as(user urn.URN) context.Context { return authtest.As(f.t, user) }
func (f *fixture) system() context.Context         { return f.as(model.SystemActor) }

// signUp makes the user newbie and returns its invitation.
func (f *fixture) signUp(role urn.URN) config.Secret {
	f.t.Helper()
	invite, err := f.Invite(f.as(authtest.Root), role)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.SignUp(f.system(), newcomer(invite)); err != nil {
		f.t.Fatal(err)
	}
	return invite
}

func newcomer(invite config.Secret) people.Newcomer {
	return people.Newcomer{User: newbie, FullName: "New Person", Email: "new@example.org", Title: "Other", Password: password, Invite: invite}
}

func (f *fixture) verdict(user urn.URN, p config.Secret) people.Verdict {
	f.t.Helper()
	v, err := f.Verify(f.system(), user, p)
	if err != nil {
		f.t.Fatal(err)
	}
	return v
}

func expect(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(fault.Message(err), message) {
		t.Fatalf("got %v (%v), want %v: %q", err, fault.KindOf(err), kind, message)
	}
}

func TestSignUpThenSignIn(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp(editor)
	if v := f.verdict(newbie, password); v != (people.Verdict{Match: true}) {
		t.Errorf("verdict %+v", v)
	}
	for aspect, want := range map[string]string{
		"corpUserInfo":   `{"active":true,"displayName":"New Person","email":"new@example.org","fullName":"New Person","title":"Other"}`,
		"corpUserStatus": `{"lastModified":{"actor":"urn:li:corpuser:__datahub_system","time":1772366400000},"status":"ACTIVE"}`,
		"roleMembership": `{"roles":["urn:li:dataHubRole:Editor"]}`,
	} {
		row, err := f.catalog.Get(t.Context(), newbie, aspect)
		if err != nil || row == nil {
			t.Fatalf("%s: %v", aspect, err)
		}
		var got, expected any
		if err := errors.Join(json.Unmarshal(row.Value, &got), json.Unmarshal([]byte(want), &expected)); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(expected)
		if aspect == "corpUserInfo" { // the model adds defaults
			for name, value := range expected.(map[string]any) {
				if got.(map[string]any)[name] != value {
					t.Errorf("%s: %s", aspect, a)
				}
			}
		} else if string(a) != string(b) {
			t.Errorf("%s: %s", aspect, a)
		}
	}
}

func TestSignUpsThatAreRefused(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite, err := f.Invite(f.as(authtest.Root), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		spoil   func(*people.Newcomer)
		kind    fault.Kind
		message string
	}{
		"no name":                  {func(n *people.Newcomer) { n.FullName = " " }, fault.Malformed, "fullName"},
		"no address":               {func(n *people.Newcomer) { n.Email = "" }, fault.Malformed, "email"},
		"endless title":            {func(n *people.Newcomer) { n.Title = strings.Repeat("x", 301) }, fault.Malformed, "title"},
		"no password":              {func(n *people.Newcomer) { n.Password = "" }, fault.Malformed, "at least 8"},
		"short password":           {func(n *people.Newcomer) { n.Password = "1234567" }, fault.Malformed, "at least 8"},
		"endless password":         {func(n *people.Newcomer) { n.Password = config.Secret(strings.Repeat("x", 1025)) }, fault.Malformed, "at most 1024"},
		"password that is no text": {func(n *people.Newcomer) { n.Password = "\xff\xfe12345678" }, fault.Malformed, "UTF-8"},
		"no invitation":            {func(n *people.Newcomer) { n.Invite = "" }, fault.Malformed, "inviteToken"},
		"unknown invitation":       {func(n *people.Newcomer) { n.Invite = "nonsense" }, fault.Malformed, "inviteToken"},
		"no user":                  {func(n *people.Newcomer) { n.User = "" }, fault.Malformed, "userUrn"},
		"group":                    {func(n *people.Newcomer) { n.User = "urn:li:corpGroup:g" }, fault.Malformed, "userUrn"},
		"administrator":            {func(n *people.Newcomer) { n.User = model.RootUser }, fault.Malformed, "userUrn"},
		"system actor":             {func(n *people.Newcomer) { n.User = model.SystemActor }, fault.Malformed, "userUrn"},
		"unknown actor":            {func(n *people.Newcomer) { n.User = "urn:li:corpuser:unknown" }, fault.Malformed, "userUrn"},
		"user that exists":         {func(n *people.Newcomer) { n.User = authtest.Jo }, fault.Conflict, "exists already"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newcomer(invite)
			tc.spoil(&n)
			expect(t, f.SignUp(authtest.As(t, model.SystemActor), n), tc.kind, tc.message)
		})
	}
}

func TestTwoSignUpsAtOnceMakeOneUser(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	invite, err := f.Invite(f.as(authtest.Root), "")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	failures := make([]error, 3)
	for i := range failures {
		wg.Go(func() { failures[i] = f.SignUp(f.system(), newcomer(invite)) })
	}
	wg.Wait()
	made := 0
	for _, err := range failures {
		if err == nil {
			made++
			continue
		}
		expect(t, err, fault.Conflict, "exists already")
	}
	if made != 1 {
		t.Errorf("%d sign-ups succeeded", made)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		user     urn.URN
		password config.Secret
		before   func(*fixture)
		want     people.Verdict
	}{
		"right password":                    {newbie, password, nil, people.Verdict{Match: true}},
		"wrong password":                    {newbie, other, nil, people.Verdict{Denial: account.InvalidCredentials}},
		"empty password":                    {newbie, "", nil, people.Verdict{Denial: account.InvalidCredentials}},
		"endless password":                  {newbie, config.Secret(strings.Repeat("x", 1<<20)), nil, people.Verdict{Denial: account.InvalidCredentials}},
		"user without a password":           {authtest.Jo, password, nil, people.Verdict{Denial: account.InvalidCredentials}},
		"unknown user":                      {"urn:li:corpuser:nobody", password, nil, people.Verdict{Denial: account.InvalidCredentials}},
		"suspended user, right password":    {newbie, password, suspend, people.Verdict{Match: true, Denial: account.IsSuspended}},
		"suspended user, wrong password":    {newbie, other, suspend, people.Verdict{Denial: account.InvalidCredentials}},
		"soft-deleted user, right password": {newbie, password, func(f *fixture) { f.catalog.Set(f.t, newbie, "status", `{"removed":true}`) }, people.Verdict{Match: true, Denial: account.SoftDeleted}},
		"hard-deleted user":                 {newbie, password, func(f *fixture) { f.catalog.Remove(f.t, newbie) }, people.Verdict{Denial: account.InvalidCredentials}},
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

func TestUnknownUserCostsARealHash(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	row, err := f.catalog.Get(t.Context(), newbie, people.CredentialsAspect)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Salt, HashedPassword string }
	if err := json.Unmarshal(row.Value, &stored); err != nil {
		t.Fatal(err)
	}
	shape := func(encoded string) string {
		parts := strings.Split(encoded, "$")
		if len(parts) != 6 {
			t.Fatalf("encoded hash has %d parts", len(parts))
		}
		return parts[1] + parts[2] + parts[3] + strings.Repeat("s", len(parts[4])) + strings.Repeat("h", len(parts[5]))
	}
	if shape(stored.HashedPassword) != shape(f.Decoy()) || stored.Salt == "" {
		t.Error("what is computed for unknown users has other parameters")
	}
	release := f.Occupy()
	defer release()
	ctx, cancel := context.WithCancel(f.system())
	cancel()
	for _, u := range []urn.URN{newbie, "urn:li:corpuser:nobody"} {
		if _, err := f.Verify(ctx, u, password); !errors.Is(err, context.Canceled) {
			t.Errorf("%s was answered without computing: %v", u, err)
		}
	}
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	release := f.Occupy()
	ctx, cancel := context.WithCancel(f.system())
	answers := make(chan error)
	const queue, more = 3, 4
	for range queue + more {
		go func() {
			_, err := f.Verify(ctx, authtest.Jo, password)
			answers <- err
		}()
	}
	for range more { // the queue is full: these answer at once
		expect(t, <-answers, fault.Throttled, "try again")
	}
	cancel()
	for range queue {
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	release()
	if n := f.Waiting(); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
	f.verdict(authtest.Jo, password)
}

func TestDamagedHashIsAnErrorThatQuotesNothing(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	for _, stored := range []string{
		"plain-text", "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=18$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=4000000,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=64,t=100,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=64,t=1,p=0$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=64,t=1,p=1$!$aGFzaGhhc2hoYXNoaGFzaA",
		"$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$", "$argon2id$v=19$m=x,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
	} {
		if ok, err := f.MatchEncoded(t.Context(), stored); err == nil || ok || strings.Contains(err.Error(), stored[1:]) {
			t.Errorf("%s: %v, %v", stored, ok, err)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, expires, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil || !expires.Equal(start.Add(people.ResetFor)) {
		t.Fatal(expires, err)
	}
	expect(t, f.Reset(f.system(), newbie, other, "wrong"), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), newbie, other, ""), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), authtest.Jo, other, text), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), "urn:li:corpuser:nobody", other, ""), fault.Malformed, "reset link")
	expect(t, f.Reset(f.system(), newbie, "short", text), fault.Malformed, "at least 8")
	if v := f.verdict(newbie, password); !v.Match {
		t.Fatal("the password changed")
	}
	if err := f.Reset(f.system(), newbie, other, text); err != nil {
		t.Fatal(err)
	}
	if f.verdict(newbie, password).Match || !f.verdict(newbie, other).Match {
		t.Error("the password is not the new one")
	}
	expect(t, f.Reset(f.system(), newbie, password, text), fault.Malformed, "reset link")
}

func TestResetTokenExpires(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	f.now = start.Add(people.ResetFor)
	expect(t, f.Reset(f.system(), newbie, other, text), fault.Malformed, "reset link")
}

func TestOneResetTokenSetsOnePassword(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	f.signUp("")
	text, _, err := f.CreateReset(f.as(authtest.Root), newbie)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	failures := make([]error, 4)
	for i := range failures {
		wg.Go(func() { failures[i] = f.Reset(f.system(), newbie, other, text) })
	}
	wg.Wait()
	done := 0
	for _, err := range failures {
		if err == nil {
			done++
			continue
		}
		expect(t, err, fault.Malformed, "reset link")
	}
	if done != 1 {
		t.Errorf("%d resets succeeded", done)
	}
}

func TestWhoOffersResets(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	_, _, err := f.CreateReset(f.as(authtest.Jo), authtest.Jo)
	expect(t, err, fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	_, _, err = f.CreateReset(t.Context(), authtest.Jo)
	expect(t, err, fault.Unauthenticated, "")
	_, _, err = f.CreateReset(f.as(authtest.Root), authtest.Jo)
	expect(t, err, fault.NotFound, "no password")
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

func TestInvitations(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	root := f.as(authtest.Root)
	plain, err := f.Invite(root, "")
	if err != nil {
		t.Fatal(err)
	}
	withRole, err := f.Invite(root, editor)
	if err != nil || withRole == plain {
		t.Fatalf("invitations with and without a role are one, or %v", err)
	}
	if again, err := f.Invite(root, editor); err != nil || again != withRole {
		t.Errorf("the invitation changed, or %v", err)
	}
	renewed, err := f.RenewInvite(root, editor)
	if err != nil || renewed == withRole {
		t.Fatalf("the invitation did not change, or %v", err)
	}
	expect(t, f.SignUp(f.system(), newcomer(withRole)), fault.Malformed, "inviteToken")
	for i, invite := range []config.Secret{plain, plain, renewed} { // reusable
		n := newcomer(invite)
		n.User += urn.URN(rune('a' + i))
		if err := f.SignUp(f.system(), n); err != nil {
			t.Fatal(err)
		}
	}
	_, err = f.Invite(f.as(authtest.Jo), "")
	expect(t, err, fault.Forbidden, "MANAGE_USERS_AND_GROUPS")
	_, err = f.RenewInvite(f.as(authtest.Jo), "")
	expect(t, err, fault.Forbidden, "MANAGE_USERS_AND_GROUPS")
	_, err = f.Invite(root, authtest.Jo)
	expect(t, err, fault.Malformed, "not a role")
}

func TestPasswordOfTheAdministrator(t *testing.T) {
	t.Parallel()
	t.Run("is the given one at the first start and stays it", func(t *testing.T) {
		t.Parallel()
		f, data := setUp(t), t.TempDir()
		for _, given := range []config.Secret{password, other, ""} {
			if err := f.EnsureRoot(t.Context(), given, data); err != nil {
				t.Fatal(err)
			}
			if !f.verdict(authtest.Root, password).Match {
				t.Errorf("it changed")
			}
		}
		if !strings.Contains(f.log.String(), "configured one is not used") {
			t.Error("nothing said that the second one was not used")
		}
		if left, err := os.ReadDir(data); err != nil || len(left) != 0 {
			t.Errorf("files %v, %v", left, err)
		}
	})
	t.Run("is generated into a private file", func(t *testing.T) {
		t.Parallel()
		f, data := setUp(t), t.TempDir()
		if err := f.EnsureRoot(t.Context(), "", data); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(data, people.InitialPasswordFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		generated := config.Secret(strings.TrimSpace(string(text)))
		if !f.verdict(authtest.Root, generated).Match {
			t.Error("it is not in the file")
		}
		if strings.Contains(f.log.String(), generated.Reveal()) {
			t.Error("it was logged")
		}
		if ok, err := f.HasCredentials(f.system(), authtest.Root); err != nil || !ok {
			t.Error("no credentials", err)
		}
	})
	t.Run("is bounded", func(t *testing.T) {
		t.Parallel()
		f := setUp(t)
		expect(t, f.EnsureRoot(t.Context(), config.Secret(strings.Repeat("x", 2000)), t.TempDir()), fault.Invalid, "at most 1024")
	})
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
