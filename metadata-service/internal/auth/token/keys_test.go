package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (f *fixture) rotate(keep time.Duration) {
	f.t.Helper()
	if err := f.RotateKeys(f.as(authtest.Root), keep); err != nil {
		f.t.Fatal(err)
	}
}

func TestPreviousKeyIsGoodForTheSetTime(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	old, _ := f.create(authtest.Jo, token.Forever)
	before := f.key()
	f.rotate(24 * time.Hour)
	if string(before) == string(f.key()) {
		t.Fatal("the key on disk is the old one")
	}
	fresh, _ := f.create(authtest.Jo, token.Forever)
	f.accepts(old) // and caches the result
	f.accepts(fresh)
	f.open() // restart in between
	f.clock.advance(24*time.Hour - time.Second)
	f.accepts(old)
	f.clock.advance(time.Second)
	f.refuses(old, "not valid")
	f.accepts(fresh)
}

func TestRotationWithoutKeepingRefusesOldTokensAtOnce(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	old, _ := f.create(authtest.Jo, token.Forever)
	f.accepts(old)
	f.rotate(0)
	f.refuses(old, "not valid")
	f.open()
	f.refuses(old, "not valid")
}

func TestSecondRotationGivesUpTheOldestKey(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	first, _ := f.create(authtest.Jo, token.Forever)
	f.rotate(time.Hour)
	second, _ := f.create(authtest.Jo, token.Forever)
	f.rotate(time.Hour)
	f.refuses(first, "not valid")
	f.accepts(second)
}

func TestRotationNeedsThePrivilegeAndAReasonableTime(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	expect(t, f.RotateKeys(f.as(authtest.Jo), time.Hour), fault.Forbidden, "MANAGE_SYSTEM_OPERATIONS")
	expect(t, f.RotateKeys(f.as(authtest.Root), -time.Hour), fault.Malformed, "at most")
	expect(t, f.RotateKeys(f.as(authtest.Root), 1<<62), fault.Malformed, "at most")
}

func TestKeyFiles(t *testing.T) {
	t.Parallel()
	key, other := strings.Repeat("k", 32), strings.Repeat("o", 32)
	for name, tc := range map[string]struct{ text, want string }{
		"one key":                     {key, ""},
		"key with a previous one":     {key + "\nprevious 2026-03-02T00:00:00Z " + other + "\n", ""},
		"short key":                   {"k\n" + key, "fewer than 32"},
		"second line without a word":  {key + "\n" + other, "must read: previous"},
		"short previous key":          {key + "\nprevious 2026-03-02T00:00:00Z x", "must read: previous"},
		"previous key without a time": {key + "\nprevious soon " + other, "must look like"},
		"three lines":                 {key + "\nprevious 2026-03-02T00:00:00Z " + other + "\n" + key, "must read: previous"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			dir, err := secrets.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(data, "secrets", secrets.SigningKey), []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = token.OpenKeys(dir, time.Now)
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "kkk") || strings.Contains(err.Error(), "ooo") {
				t.Error("the error shows a key")
			}
		})
	}
}
