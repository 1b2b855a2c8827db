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
	servicetoken "github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestSessionIsGoodForADay(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text := f.Session(authtest.Jo)
	v, err := f.Verify(t.Context(), text)
	if err != nil || v.Kind != token.Session || v.Actor != authtest.Jo || v.ID != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if c := tokentest.ClaimsOf(t, text); c["version"] != "1" || c["type"] != "SESSION" {
		t.Errorf("claims %v", c)
	}
	f.Clock.Advance(24 * time.Hour)
	f.Refuses(text, "expired")
}

func TestASessionIsOfOneLifeAndOnePassword(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	password := func(salt, reset string) {
		t.Helper()
		f.Catalog.Set(t, authtest.Jo, account.PasswordAspect, `{"salt":"`+salt+`","hashedPassword":"h","passwordResetToken":"`+reset+`"}`)
	}
	personal, _ := f.Own(authtest.Jo, time.Hour)
	first := f.Session(authtest.Jo)
	f.Accepts(first)
	password("one", "")
	f.Refuses(first, "ended")
	second := f.Session(authtest.Jo)
	password("one", "a link to reset it")
	f.Catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true,"title":"other"}`)
	f.Accepts(second)
	f.Open() // restart
	f.Accepts(second)
	password("two", "")
	f.Refuses(second, "ended")
	third := f.Session(authtest.Jo)
	f.Accepts(personal) // passwords do not affect access tokens
	f.Catalog.Remove(t, authtest.Jo)
	f.Refuses(third, "does not exist")
	f.Catalog.Set(t, authtest.Jo, "corpUserInfo", `{"active":true}`)
	f.Refuses(third, "ended")
	f.Refuses(personal, "revoked")
	f.Accepts(f.Session(authtest.Jo))
}

func TestEndedSessionStaysEnded(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, other := f.Session(authtest.Jo), f.Session(authtest.Jo)
	f.Accepts(text)
	for range 2 { // ending it twice is no error
		if err := f.EndSession(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	f.Refuses(text, "ended")
	f.Accepts(other)
	f.Open() // restart
	f.Refuses(text, "ended")
	f.Accepts(other)
	f.Clock.Advance(25 * time.Hour)
	if err := f.EndSession(t.Context(), other); err != nil {
		t.Errorf("ending an expired session: %v", err)
	}
}

func TestOnlySessionsEnd(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, _ := f.Own(authtest.Jo, time.Hour)
	for _, bad := range []string{text, "", "x", f.Session(authtest.Jo) + "x"} {
		tokentest.Expect(t, f.EndSession(t.Context(), bad), fault.Malformed, "not the token of a session")
	}
	f.Clock.Advance(time.Hour)
	tokentest.Expect(t, f.EndSession(t.Context(), text), fault.Malformed, "not the token of a session")
}

func TestWhoStartsSessionsAndForWhom(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	_, err := f.NewSession(f.As(authtest.Root), authtest.Jo, "")
	tokentest.Expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(t.Context(), authtest.Jo, "")
	tokentest.Expect(t, err, fault.Forbidden, "only the system actor")
	_, err = f.NewSession(f.System(), model.SystemActor, "")
	tokentest.Expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.System(), "urn:li:corpGroup:g", "")
	tokentest.Expect(t, err, fault.Malformed, "not a user")
	_, err = f.NewSession(f.System(), "urn:li:corpuser:nobody", "")
	var denied *account.DeniedError
	if !errors.As(err, &denied) || denied.Reason != account.HardDeleted {
		t.Errorf("got %v", err)
	}
}

// A session of an earlier version, which began although the user is a service account, must end.
func TestServiceAccountsHaveNoSessions(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	const robot urn.URN = "urn:li:corpuser:etlbot"
	f.Catalog.Set(t, robot, "subTypes", `{"typeNames":["SERVICE_ACCOUNT"]}`)
	f.Catalog.Set(t, robot, "corpUserInfo", `{"active":true}`)
	_, err := f.NewSession(f.System(), robot, "")
	tokentest.Expect(t, err, fault.Malformed, "is not a user who can sign in")
	text, _, err := f.Create(f.As(authtest.Root), servicetoken.Draft{Actor: robot, Name: "robot", Lifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	f.Accepts(text)

	session := f.Session(authtest.Jo)
	f.Accepts(session)
	f.Accounts.Reason = account.ServiceAccount
	f.Refuses(session, "a service account does not sign in")
}

// The clock of the fixture does not advance, so everything happens in one moment.
func TestAllSessionsOfAUserEndAtOnceAndNoneThatBeginsAfterwards(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	personal, _ := f.Own(authtest.Jo, time.Hour)
	other := f.Session(authtest.Mia)
	before := []string{f.Session(authtest.Jo), f.Session(authtest.Jo)}
	f.Accepts(before[0]) // and caches the result
	for range 3 {
		if err := f.EndSessions(f.As(authtest.Jo), authtest.Jo); err != nil {
			t.Fatal(err)
		}
		for _, text := range before {
			f.Refuses(text, "ended")
		}
		after := f.Session(authtest.Jo)
		f.Accepts(after)
		f.Accepts(personal)
		f.Accepts(other)
		f.Open() // restart
		for _, text := range before {
			f.Refuses(text, "ended")
		}
		f.Accepts(after)
		f.Accepts(personal)
		f.Accepts(other)
		before = append(before, after)
	}
	stored, err := f.Rows.Lookup(t.Context(), store.Term{Index: "sessionDenylist", Value: "everywhere"}, "", 10)
	if err != nil || len(stored) != 1 {
		t.Errorf("a user has %v in the store, %v", stored, err)
	}
	f.Clock.Advance(25 * time.Hour)
	after := f.Session(authtest.Jo)
	f.Open()
	f.Accepts(after)
}

func TestWhoEndsSessionsAndWhose(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text := f.Session(authtest.Jo)
	tokentest.Expect(t, f.EndSessions(t.Context(), authtest.Jo), fault.Unauthenticated, "sign in")
	tokentest.Expect(t, f.EndSessions(f.As(authtest.Mia), authtest.Jo), fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	narrow := auth.WithActor(t.Context(), auth.Actor{URN: authtest.Jo, TokenID: "id", Scope: &auth.Scope{ReadOnly: true}})
	tokentest.Expect(t, f.EndSessions(narrow, authtest.Jo), fault.Forbidden, "MANAGE_USER_CREDENTIALS")
	for _, bad := range []urn.URN{"", "jo", "urn:li:corpGroup:g", model.SystemActor} {
		tokentest.Expect(t, f.EndSessions(f.As(authtest.Root), bad), fault.Malformed, "sessions belong to a user")
	}
	tokentest.Expect(t, f.EndSessions(f.As(authtest.Root), "urn:li:corpuser:nobody"), fault.NotFound, "does not exist")
	f.Accepts(text)
	if err := f.EndSessions(f.As(authtest.Root), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	f.Refuses(text, "ended")
	f.Unchecked = true
	f.Open()
	tokentest.Expect(t, f.EndSessions(f.As(authtest.Jo), authtest.Jo), fault.Unsupported, "authentication is off")
}

func TestSessionsThatEndTogetherInOneProcessEndInTheOthers(t *testing.T) {
	t.Parallel()
	here := tokentest.New(t)
	there := here.OtherProcess()
	before := here.Session(authtest.Jo)
	there.Accepts(before)
	if err := here.EndSessions(here.As(authtest.Jo), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	// The other process has not followed the log yet: sessions that begin in either are valid in
	// both.
	late, early := there.Session(authtest.Jo), here.Session(authtest.Jo)
	for _, f := range []*tokentest.Fixture{here, there} {
		f.Accepts(late)
		f.Accepts(early)
		f.Refuses(before, "ended")
	}
	behind := here.OtherProcess()
	text := behind.Session(authtest.Jo)
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: here.Rows, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Awaited: []projection.Sink{behind.Denylist},
	})
	if err != nil {
		t.Fatal(err)
	}
	behind.Accepts(text) // and caches the result
	if err := here.EndSessions(here.As(authtest.Jo), authtest.Jo); err != nil {
		t.Fatal(err)
	}
	last, _ := here.Rows.Last()
	if err := follower.Wait(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	behind.Refuses(text, "ended")
	if err := follower.Close(); err != nil {
		t.Error(err)
	}
}

// Sessions begin and end concurrently. Those from before the last end are refused, and those that
// begin after it are valid, in any order.
func TestSessionsBeginWhileAllEnd(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	var all sync.WaitGroup
	texts := make([][]string, 8)
	for i := range texts {
		all.Go(func() {
			for range 20 {
				texts[i] = append(texts[i], f.Session(authtest.Jo))
				if err := f.EndSessions(f.As(authtest.Jo), authtest.Jo); err != nil {
					t.Error(err)
				}
				if _, err := f.Verify(t.Context(), texts[i][len(texts[i])-1]); err == nil {
					t.Error("a session goes on that began before all ended")
				}
			}
		})
	}
	all.Wait()
	after := f.Session(authtest.Jo)
	f.Accepts(after)
	f.Open()
	f.Accepts(after)
	for _, text := range slices.Concat(texts...) {
		f.Refuses(text, "ended")
	}
}

func TestSessionsThatCannotBeEndedGoOn(t *testing.T) {
	t.Parallel()
	full := fault.New(fault.StorageFull, "no room")
	d := token.NewDenylist(tokentest.Refusing{Store: memory.NewStore(), Err: full}, frozen)
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
