package token_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// counting counts transactions.
type counting struct {
	*memory.Store
	updates int
}

func (c *counting) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	c.updates++
	return c.Store.Update(ctx, fn)
}

func lastUse(t *testing.T, u *token.Uses, id string) time.Time {
	t.Helper()
	all, err := u.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all[id] == 0 {
		return time.Time{}
	}
	return time.UnixMilli(all[id]).UTC()
}

func save(t *testing.T, u *token.Uses) {
	t.Helper()
	if err := u.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestATokenIsWrittenOnceAnHourHoweverOftenItIsUsed(t *testing.T) {
	t.Parallel()
	rows, c := &counting{Store: memory.NewStore()}, tokentest.NewClock()
	u := token.NewUses(rows, c.Now)
	for range 3 * 60 {
		for range 100 {
			u.Note("a/b+c=")
		}
		save(t, u)
		c.Advance(time.Minute)
	}
	if rows.updates != 3 {
		t.Errorf("%d writes in three hours", rows.updates)
	}
	if got := lastUse(t, u, "a/b+c="); !got.Equal(tokentest.Start.Add(179 * time.Minute)) {
		t.Errorf("last used at %v here", got)
	}
	other := token.NewUses(rows, c.Now)
	if got := lastUse(t, other, "a/b+c="); !got.Equal(tokentest.Start.Add(120 * time.Minute)) {
		t.Errorf("last used at %v elsewhere", got)
	}
	if err := u.SaveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := lastUse(t, other, "a/b+c="); !got.Equal(tokentest.Start.Add(179 * time.Minute)) {
		t.Errorf("last used at %v after the end of the process", got)
	}
	if got := lastUse(t, other, "never"); !got.IsZero() {
		t.Errorf("a token that was never used has %v", got)
	}
}

func TestTheLatestUseOfAnyProcessCounts(t *testing.T) {
	t.Parallel()
	rows, c := memory.NewStore(), tokentest.NewClock()
	here, there := token.NewUses(rows, c.Now), token.NewUses(rows, c.Now)
	here.Note("x")
	c.Advance(time.Minute)
	there.Note("x")
	there.Note("xy") // an id with the same prefix
	for _, u := range []*token.Uses{there, here, there} {
		if err := u.SaveAll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, u := range []*token.Uses{here, there, token.NewUses(rows, c.Now)} {
		if got := lastUse(t, u, "x"); !got.Equal(tokentest.Start.Add(time.Minute)) {
			t.Errorf("last used at %v", got)
		}
	}
	entries, err := rows.Lookup(t.Context(), store.Term{Index: "tokenUse", Value: "last"}, "", 0)
	if err != nil || len(entries) != 2 {
		t.Errorf("entries %v, %v", entries, err)
	}
}

func TestUsesThatCannotBeSavedAreSavedLater(t *testing.T) {
	t.Parallel()
	rows, c := memory.NewStore(), tokentest.NewClock()
	full := token.NewUses(tokentest.Refusing{Store: rows, Err: fault.New(fault.StorageFull, "no room")}, c.Now)
	full.Note("x")
	if err := full.Save(t.Context()); !errors.Is(err, fault.StorageFull) {
		t.Errorf("got %v", err)
	}
	if got := lastUse(t, full, "x"); !got.Equal(tokentest.Start) {
		t.Errorf("last used at %v", got)
	}
}

func TestManyTokensAreSavedInPages(t *testing.T) {
	t.Parallel()
	rows, err := bolt.Open(t.Context(), t.TempDir()+"/catalog.db", bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	})
	c := tokentest.NewClock()
	u := token.NewUses(rows, c.Now)
	var users sync.WaitGroup
	for i := range 4 {
		users.Go(func() {
			for n := range 700 {
				u.Note("id" + strconv.Itoa(i*700+n))
			}
		})
	}
	users.Wait()
	save(t, u)
	all, err := token.NewUses(rows, c.Now).All(t.Context())
	if err != nil || len(all) != 2800 {
		t.Errorf("%d stored, %v", len(all), err)
	}
	c.Advance(3 * token.UsePeriod)
	save(t, u) // removes unused tokens from memory
	if err := u.Forget(t.Context(), func(id string) bool { return id != "id7" }); err != nil {
		t.Fatal(err)
	}
	if all, err = u.All(t.Context()); err != nil || len(all) != 1 || all["id7"] != tokentest.Start.UnixMilli() {
		t.Errorf("left: %v, %v", all, err)
	}
}

func TestLastUseIsShownWhereTokensAre(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	if page, err := f.List(f.As(authtest.Root), token.Query{}); err != nil || page.Infos[0].LastUsedAt != 0 {
		t.Errorf("before it is used: %+v, %v", page, err)
	}
	f.Clock.Advance(10 * time.Minute)
	f.Accepts(text)
	f.Refuses(text+"x", "not valid")
	want := tokentest.Start.Add(10 * time.Minute).UnixMilli()
	if page, err := f.List(f.As(authtest.Root), token.Query{}); err != nil || page.Infos[0].LastUsedAt != want {
		t.Errorf("listed %+v, %v", page, err)
	}
	if shown, err := f.Metadata(f.As(authtest.Root), text); err != nil || shown.LastUsedAt != want || shown.ID != info.ID {
		t.Errorf("metadata %+v, %v", shown, err)
	}
	if err := f.SaveUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Open()
	if page, err := f.List(f.As(authtest.Root), token.Query{}); err != nil || page.Infos[0].LastUsedAt != want {
		t.Errorf("after a restart %+v, %v", page, err)
	}
}

func TestExpiryIsWarnedOfOnceADay(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	const day = 24 * time.Hour
	_, month := f.Own(authtest.Jo, 30*day)
	f.Own(authtest.Jo, token.Forever)
	_, hour := f.Own(authtest.Mia, time.Hour)
	upkeep := func() {
		t.Helper()
		if err := f.Upkeep(f.System()); err != nil {
			t.Fatal(err)
		}
	}
	warnings := func() int { return strings.Count(f.Log.String(), "expires soon") }
	soon := func(id string) bool {
		t.Helper()
		page, err := f.List(f.As(authtest.Root), token.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range page.Infos {
			if i.ID == id {
				return i.ExpiresSoon
			}
		}
		t.Fatalf("%s is not listed", id)
		return false
	}
	upkeep()
	if warnings() != 0 || soon(month.ID) || soon(hour.ID) {
		t.Errorf("%d warnings at the start:\n%s", warnings(), f.Log)
	}
	f.Clock.Advance(45 * time.Minute)
	if !soon(hour.ID) {
		t.Error("a token is not told to expire in the last quarter of its life")
	}
	f.Clock.Advance(22 * day)
	upkeep()
	if warnings() != 0 {
		t.Errorf("warned eight days before, or of one that has expired:\n%s", f.Log)
	}
	f.Clock.Advance(day)
	for range 3 {
		upkeep()
		f.Open() // another process, or a restart
		upkeep()
	}
	if warnings() != 1 || !strings.Contains(f.Log.String(), month.ID) || !soon(month.ID) {
		t.Errorf("%d warnings on one day:\n%s", warnings(), f.Log)
	}
	f.Clock.Advance(day)
	upkeep()
	if warnings() != 2 {
		t.Errorf("%d warnings on two days", warnings())
	}
}

func TestWhatIsKeptOfTokensThatAreGoneIsDropped(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	text, info := f.Own(authtest.Jo, time.Hour)
	f.Accepts(text)
	if err := f.Upkeep(f.System()); err != nil {
		t.Fatal(err)
	}
	if err := f.Revoke(f.As(authtest.Jo), info.ID); err != nil {
		t.Fatal(err)
	}
	f.Clock.Advance(24 * time.Hour)
	if err := f.Upkeep(f.System()); err != nil {
		t.Fatal(err)
	}
	if all, err := f.Uses.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("left: %v, %v", all, err)
	}
}

func BenchmarkNote(b *testing.B) {
	u := token.NewUses(memory.NewStore(), time.Now)
	b.ReportAllocs()
	for b.Loop() {
		u.Note("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
	}
}
