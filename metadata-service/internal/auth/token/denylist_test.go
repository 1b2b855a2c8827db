package token_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

func frozen() time.Time { return tokentest.Start }

func loaded(t testing.TB, rows token.DenylistStore, now func() time.Time) *token.Denylist {
	t.Helper()
	d := token.NewDenylist(rows, now)
	if err := d.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestASessionThatEndsInOneProcessEndsInTheOthers(t *testing.T) {
	t.Parallel()
	here := tokentest.New(t)
	there := here.OtherProcess()
	follower, err := projection.Start(t.Context(), projection.Config{
		Log: here.Rows, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Awaited: []projection.Sink{there.Denylist},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := here.Session(authtest.Jo)
	there.Accepts(text) // and caches the result
	if err := here.EndSession(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	last, _ := here.Rows.Last()
	if err := follower.Wait(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	there.Refuses(text, "ended")
	if err := follower.Close(); err != nil {
		t.Error(err)
	}
}

// The file is copied immediately after the answer. This is the state that a killed process leaves.
func TestASessionThatWasAcknowledgedAsEndedSurvivesAKill(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "catalog.db")
	rows, err := bolt.Open(t.Context(), path, bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	d := loaded(t, rows, frozen)
	var ids []string
	for range 20 {
		ids = append(ids, uuid.NewString())
		if err := d.Add(t.Context(), ids[len(ids)-1], tokentest.Start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(folder, "killed.db")
	if err := errors.Join(os.WriteFile(left, image, 0o600), rows.Close()); err != nil {
		t.Fatal(err)
	}
	if rows, err = bolt.Open(t.Context(), left, bolt.Config{}); err != nil {
		t.Fatal(err)
	}
	again := loaded(t, rows, frozen)
	for i, id := range ids {
		if !again.Has(id) {
			t.Errorf("session %d is good again", i)
		}
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnEntryThatIsNotDurableIsNotOnTheDenylist(t *testing.T) {
	t.Parallel()
	full := fault.New(fault.StorageFull, "no room")
	d := token.NewDenylist(tokentest.Refusing{Store: memory.NewStore(), Err: full}, frozen)
	id := uuid.NewString()
	if err := d.Add(t.Context(), id, tokentest.Start.Add(time.Hour)); !errors.Is(err, fault.StorageFull) || d.Has(id) {
		t.Errorf("got %v, on the list %v", err, d.Has(id))
	}
}

func TestExpiredEntriesLeaveTheDenylistAsOthersCome(t *testing.T) {
	t.Parallel()
	rows, c := memory.NewStore(), tokentest.NewClock()
	d := loaded(t, rows, c.Now)
	add := func(n int) {
		t.Helper()
		for range n {
			if err := d.Add(t.Context(), uuid.NewString(), c.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	stored := func() int {
		t.Helper()
		urns, err := rows.Lookup(t.Context(), store.Term{Index: "sessionDenylist", Value: "ended"}, "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		return len(urns)
	}
	add(100)
	c.Advance(time.Hour)
	add(3)
	if got := stored(); got != 100-3*16+3 {
		t.Errorf("%d entries after three new ones, want 55", got)
	}
	add(7)
	if got := stored(); got != 10 {
		t.Errorf("%d entries, want the 10 that are good", got)
	}
	old := loaded(t, rows, func() time.Time { return tokentest.Start.Add(3 * time.Hour) })
	urns, err := rows.Lookup(t.Context(), store.Term{Index: "sessionDenylist", Value: "ended"}, "", 1)
	if err != nil || len(urns) != 1 || old.Has(urns[0].Parts()[1]) {
		t.Errorf("an expired entry is loaded: %v, %v", urns, err)
	}
}

func filedLine(id string) string {
	return strconv.FormatInt(tokentest.Start.Add(time.Hour).Unix(), 10) + " " + id + "\n"
}

func TestTheFileOfAnEarlierVersionIsTakenOverOnce(t *testing.T) {
	t.Parallel()
	ids := []string{uuid.NewString(), uuid.NewString(), uuid.NewString()}
	expired := strconv.FormatInt(tokentest.Start.Unix(), 10) + " " + uuid.NewString() + "\n"
	for name, c := range map[string]struct {
		content string
		damaged bool
	}{
		"a whole file":                   {filedLine(ids[0]) + filedLine(ids[1]) + expired + filedLine(ids[2]), false},
		"a torn last line":               {filedLine(ids[0]) + filedLine(ids[1]) + filedLine(ids[2]) + "1772373600 8f14e45f-ce", false},
		"one long line of garbage":       {filedLine(ids[0]) + strings.Repeat("x", 200_000) + "\n" + filedLine(ids[1]) + filedLine(ids[2]), true},
		"a long line that swallowed one": {filedLine(ids[0]) + strings.Repeat("\x00", 70_000) + filedLine(ids[1]) + filedLine(ids[2]), true},
		"lines that lost their ends":     {strings.ReplaceAll(filedLine(ids[0])+filedLine(ids[1])+filedLine(ids[2]), "\n", "") + "\n", true},
		"a line that is no entry":        {filedLine(ids[0]) + "hello\n" + filedLine(ids[1]) + filedLine(ids[2]), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, rows := t.TempDir(), memory.NewStore()
			path := filepath.Join(data, "ended-sessions")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := loaded(t, rows, frozen).ImportFile(t.Context(), data)
			if err != nil || got.Sessions != 3 || got.Damaged > 0 != c.damaged || got.Kept != "" != c.damaged {
				t.Errorf("got %+v, %v", got, err)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file is still there: %v", err)
			}
			if c.damaged {
				if was, err := os.ReadFile(got.Kept); err != nil || string(was) != c.content {
					t.Errorf("the damaged file is not kept as it was: %v", err)
				}
			}
			next := loaded(t, rows, frozen)
			if again, err := next.ImportFile(t.Context(), data); err != nil || again != (token.Import{}) {
				t.Errorf("the next start gives %+v, %v", again, err)
			}
			if slices.ContainsFunc(ids, func(id string) bool { return !next.Has(id) }) {
				t.Error("a session is good again")
			}
		})
	}
}

func TestAFullDiskKeepsTheFileOfAnEarlierVersionAndTheSessionsEnded(t *testing.T) {
	t.Parallel()
	data, id := t.TempDir(), uuid.NewString()
	path := filepath.Join(data, "ended-sessions")
	if err := os.WriteFile(path, []byte(filedLine(id)), 0o600); err != nil {
		t.Fatal(err)
	}
	d := token.NewDenylist(tokentest.Refusing{Store: memory.NewStore(), Err: fault.New(fault.StorageFull, "no room")}, frozen)
	if _, err := d.ImportFile(t.Context(), data); err != nil || !d.Has(id) {
		t.Errorf("got %v, on the list %v", err, d.Has(id))
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
}
