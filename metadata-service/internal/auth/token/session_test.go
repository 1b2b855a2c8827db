package token_test

import (
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (f *fixture) session() string {
	f.t.Helper()
	text, err := f.NewSession(f.system(), authtest.Jo)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func TestSessionIsGoodForADay(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text := f.session()
	v, err := f.Verify(t.Context(), text)
	if err != nil || v.Kind != token.Session || v.Actor != authtest.Jo || v.ID != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if c := claimsOf(t, text); c["version"] != "1" || c["type"] != "SESSION" {
		t.Errorf("claims %v", c)
	}
	f.clock.advance(24 * time.Hour)
	f.refuses(text, "expired")
}

func TestASessionIsOfOneLifeAndOnePassword(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	password := func(salt, reset string) {
		t.Helper()
		f.catalog.Set(t, authtest.Jo, account.PasswordAspect, `{"salt":"`+salt+`","hashedPassword":"h","passwordResetToken":"`+reset+`"}`)
	}
	personal, _ := f.create(authtest.Jo, time.Hour)
	first := f.session()
	f.accepts(first)
	password("one", "")
	f.refuses(first, "ended")
	second := f.session()
	password("one", "a link to reset it")
	f.catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true,"title":"other"}`)
	f.accepts(second)
	f.open() // restart
	f.accepts(second)
	password("two", "")
	f.refuses(second, "ended")
	third := f.session()
	f.accepts(personal) // passwords do not affect access tokens
	f.catalog.Remove(t, authtest.Jo)
	f.refuses(third, "does not exist")
	f.catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true}`)
	f.refuses(third, "ended")
	f.refuses(personal, "revoked")
	f.accepts(f.session())
}

func TestEndedSessionStaysEnded(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, other := f.session(), f.session()
	f.accepts(text)
	for range 2 { // ending it twice is no error
		if err := f.EndSession(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	f.refuses(text, "ended")
	f.accepts(other)
	f.open() // restart
	f.refuses(text, "ended")
	f.accepts(other)
	f.clock.advance(25 * time.Hour)
	if err := f.EndSession(t.Context(), other); err != nil {
		t.Errorf("ending an expired session: %v", err)
	}
}

func TestOnlySessionsEnd(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text, _ := f.create(authtest.Jo, time.Hour)
	for _, bad := range []string{text, "", "x", f.session() + "x"} {
		expect(t, f.EndSession(t.Context(), bad), fault.Malformed, "not the token of a session")
	}
	f.clock.advance(time.Hour)
	expect(t, f.EndSession(t.Context(), text), fault.Malformed, "not the token of a session")
}

func TestWhoStartsSessionsAndForWhom(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	_, err := f.NewSession(f.as(authtest.Root), authtest.Jo)
	expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(t.Context(), authtest.Jo)
	expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(f.system(), model.SystemActor)
	expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.system(), "urn:li:corpGroup:g")
	expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.system(), "urn:li:corpuser:nobody")
	var denied *account.DeniedError
	if !errors.As(err, &denied) || denied.Reason != account.HardDeleted {
		t.Errorf("got %v", err)
	}
}

// A session of an earlier version, which began although the user is a service account, must end.
func TestServiceAccountsHaveNoSessions(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	const robot urn.URN = "urn:li:corpuser:etlbot"
	f.catalog.Set(t, robot, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	f.catalog.Set(t, robot, "corpUserInfo", `{"active":true}`)
	_, err := f.NewSession(f.system(), robot)
	expect(t, err, fault.Malformed, "is not a user who can sign in")
	text, _, err := f.Create(f.as(authtest.Root), token.Draft{Actor: robot, Name: "robot", Lifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	f.accepts(text)

	session := f.session()
	f.accepts(session)
	f.accounts.reason = account.ServiceAccount
	f.refuses(session, "a service account does not sign in")
}

func (f *fixture) sessionOf(user urn.URN) string {
	f.t.Helper()
	text, err := f.NewSession(f.system(), user)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

// The clock of the fixture does not advance, so everything happens in one moment.
func TestAllSessionsOfAUserEndAtOnceAndNoneThatBeginsAfterwards(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	personal, _ := f.create(authtest.Jo, time.Hour)
	other := f.sessionOf(authtest.Mia)
	before := []string{f.session(), f.session()}
	f.accepts(before[0]) // and caches the result
	for range 3 {
		if err := f.EndSessions(f.as(authtest.Jo), authtest.Jo); err != nil {
			t.Fatal(err)
		}
		for _, text := range before {
			f.refuses(text, "ended")
		}
		after := f.session()
		f.accepts(after)
		f.accepts(personal)
		f.accepts(other)
		f.open() // restart
		for _, text := range before {
			f.refuses(text, "ended")
		}
		f.accepts(after)
		f.accepts(personal)
		f.accepts(other)
		before = append(before, after)
	}
	stored, err := f.sessions.Lookup(t.Context(), store.Term{Index: "sessionDenylist", Value: "everywhere"}, "", 10)
	if err != nil || len(stored) != 1 {
		t.Errorf("a user has %v in the store, %v", stored, err)
	}
	f.clock.advance(25 * time.Hour)
	after := f.session()
	f.open()
	f.accepts(after)
}

func TestWhoEndsSessionsAndWhose(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	text := f.session()
	expect(t, f.EndSessions(t.Context(), authtest.Jo), fault.Unauthenticated, "sign in")
	expect(t, f.EndSessions(f.as(authtest.Mia), authtest.Jo), fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	narrow := auth.WithActor(t.Context(), auth.Actor{URN: authtest.Jo, TokenID: "id", Scope: &auth.Scope{ReadOnly: true}})
	expect(t, f.EndSessions(narrow, authtest.Jo), fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	for _, bad := range []urn.URN{"", "jo", "urn:li:corpGroup:g", model.SystemActor} {
		expect(t, f.EndSessions(f.as(authtest.Root), bad), fault.Malformed, "sessions belong to a user")
	}
	expect(t, f.EndSessions(f.as(authtest.Root), "urn:li:corpuser:nobody"), fault.NotFound, "does not exist")
	f.accepts(text)
	if err := f.EndSessions(f.as(authtest.Root), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	f.refuses(text, "ended")
	f.unchecked = true
	f.open()
	expect(t, f.EndSessions(f.as(authtest.Jo), authtest.Jo), fault.Unsupported, "authentication is off")
}

func TestSessionsThatEndTogetherInOneProcessEndInTheOthers(t *testing.T) {
	t.Parallel()
	here, there := setUp(t), &fixture{t: t, log: &safeBuffer{}}
	there.data, there.clock, there.catalog, there.sessions, there.aspects.Aspects = here.data, here.clock, here.catalog, here.sessions, here.catalog
	there.open()
	before := here.session()
	there.accepts(before)
	if err := here.EndSessions(here.as(authtest.Jo), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	// The other process has not followed the log yet: sessions that begin in either are valid in
	// both.
	late, early := there.session(), here.session()
	for _, f := range []*fixture{here, there} {
		f.accepts(late)
		f.accepts(early)
		f.refuses(before, "ended")
	}
	behind := &fixture{t: t, log: &safeBuffer{}, data: here.data, clock: here.clock, catalog: here.catalog, sessions: here.sessions}
	behind.aspects.Aspects = here.catalog
	behind.open()
	text := behind.session()
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: here.sessions, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Awaited: []projection.Sink{behind.denylist},
	})
	if err != nil {
		t.Fatal(err)
	}
	behind.accepts(text) // and caches the result
	if err := here.EndSessions(here.as(authtest.Jo), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	last, _ := here.sessions.Last()
	if err := follower.Wait(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	behind.refuses(text, "ended")
	if err := follower.Close(); err != nil {
		t.Error(err)
	}
}

// Sessions begin and end concurrently. Those from before the last end are refused, and those that
// begin after it are valid, in any order.
func TestSessionsBeginWhileAllEnd(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	var all sync.WaitGroup
	texts := make([][]string, 8)
	for i := range texts {
		all.Go(func() {
			for range 20 {
				texts[i] = append(texts[i], f.session())
				if err := f.EndSessions(f.as(authtest.Jo), authtest.Jo); err != nil {
					t.Error(err)
				}
				if _, err := f.Verify(t.Context(), texts[i][len(texts[i])-1]); err == nil {
					t.Error("a session goes on that began before all ended")
				}
			}
		})
	}
	all.Wait()
	after := f.session()
	f.accepts(after)
	f.open()
	f.accepts(after)
	for _, text := range slices.Concat(texts...) {
		f.refuses(text, "ended")
	}
}

func TestSessionsThatCannotBeEndedGoOn(t *testing.T) {
	t.Parallel()
	full := fault.New(fault.StorageFull, "no room")
	d := token.NewDenylist(refusing{memory.NewStore(), full}, frozen)
	if err := d.AddAll(t.Context(), authtest.Jo); !errors.Is(err, fault.StorageFull) || d.Mark(authtest.Jo) != "" {
		t.Errorf("got %v, marked %q", err, d.Mark(authtest.Jo))
	}
}

// A restore merges the marks of the replaced data directory.
func TestMarksOfAnotherListAreTakenOver(t *testing.T) {
	t.Parallel()
	ours, theirs := loaded(t, memory.NewStore(), frozen), loaded(t, memory.NewStore(), frozen)
	add := func(d *token.Denylist, user urn.URN, times int) {
		t.Helper()
		for range times {
			if err := d.AddAll(t.Context(), user); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(ours, authtest.Jo, 3)
	add(theirs, authtest.Jo, 1)
	add(theirs, authtest.Mia, 1)
	add(ours, authtest.Root, 1)
	kept := ours.Mark(authtest.Root)
	for _, want := range []int{2, 0} {
		if n, err := ours.Merge(t.Context(), theirs); err != nil || n != want {
			t.Fatalf("%d taken over, want %d: %v", n, want, err)
		}
	}
	if ours.Mark(authtest.Jo) != theirs.Mark(authtest.Jo) || ours.Mark(authtest.Mia) != theirs.Mark(authtest.Mia) || ours.Mark(authtest.Root) != kept {
		t.Error("marks are not those of the other list")
	}
	add(ours, authtest.Jo, 1)
	if stored, err := ours.StoredMark(t.Context(), authtest.Jo); err != nil || stored != ours.Mark(authtest.Jo) || stored == theirs.Mark(authtest.Jo) {
		t.Errorf("afterwards the mark is %q, stored %q, %v", ours.Mark(authtest.Jo), stored, err)
	}
}
