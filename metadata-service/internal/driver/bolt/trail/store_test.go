package trail_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/audit/audittest"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/pkg/logging"
)

func open(t testing.TB, path string) *trail.Store {
	t.Helper()
	s, err := trail.Open(trail.Config{Path: path, Now: time.Now, Log: logging.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	audittest.Run(t, func(t *testing.T) audit.Store { return open(t, filepath.Join(t.TempDir(), "audit.db")) })
}

func events(from, n int) []audit.Event {
	list := make([]audit.Event, n)
	for i := range list {
		list[i] = audit.Event{
			Type: audit.UpdateAspect, Time: int64(from + i), Number: uint64(from + i), Actor: "urn:li:corpuser:jo", Entity: "urn:li:tag:a",
			Aspect: "tagProperties", Reason: strings.Repeat("x", 100),
		}
	}
	return list
}

func count(t *testing.T, s *trail.Store) int {
	t.Helper()
	n, err := s.Count(t.Context(), audit.Query{}, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEventsSurviveARestartInAPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.db")
	s := open(t, path)
	if err := s.Append(t.Context(), events(0, 10)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if n := count(t, open(t, path)); n != 10 {
		t.Errorf("got %d events", n)
	}
}

func TestTheFileStaysSmallWhileEventsComeAndGo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.db")
	s := open(t, path)
	const most = 2 << 20
	for round := range 40 {
		if err := s.Append(t.Context(), events(round*1000, 1000)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Trim(t.Context(), audit.Limits{MaxBytes: most}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 2*most {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
	t.Logf("40,000 events went through a file of %d KiB", info.Size()>>10)
}

func setAsideFiles(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(path + ".damaged-*")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestADamagedFileIsSetAsideAndANewOneBegun(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"it is something else": func([]byte) []byte { return []byte(strings.Repeat("no store at all ", 4096)) },
		"its metas are gone":   func(b []byte) []byte { clear(b[:8192]); return b },
		"it was cut off":       func(b []byte) []byte { return b[:8192] },
		"branches are garbage": func(b []byte) []byte { return overwritePages(b, 8192) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "audit.db")
			s := open(t, path)
			if err := s.Append(t.Context(), events(0, 3000)); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			if err := s.Append(t.Context(), events(5000, 2)); err != nil {
				t.Fatal(err)
			}
			if n := count(t, s); n != 2 || len(setAsideFiles(t, path)) != 1 || s.Condition().Damage == nil || s.Condition().Err != nil {
				t.Errorf("%d events, set aside %v, condition %+v", n, setAsideFiles(t, path), s.Condition())
			}
		})
	}
}

// overwritePages overwrites each page from an offset on.
func overwritePages(b []byte, from int) []byte {
	for i := from; i < len(b); i++ {
		b[i] = byte(i * 7)
	}
	return b
}

func TestAPageThatIsDamagedWhileTheServiceRunsCostsTheFileAndNotTheService(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.db")
	s := open(t, path)
	if err := s.Append(t.Context(), events(0, 3000)); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(overwritePages(raw, 8192)[8192:], 8192); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), audit.Query{Limit: 5000}); err == nil {
		t.Error("damaged events were given")
	}
	for range 2 {
		if err := s.Append(t.Context(), events(5000, 2)); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, s); n != 2 || len(setAsideFiles(t, path)) != 1 || s.Condition().Damage == nil {
		t.Errorf("%d events, set aside %v", n, setAsideFiles(t, path))
	}
}
