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
	servicetoken "github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token/tokentest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func rotate(f *tokentest.Fixture, keep time.Duration) {
	f.T.Helper()
	if err := f.RotateKeys(f.As(authtest.Root), keep); err != nil {
		f.T.Fatal(err)
	}
}

func TestPreviousKeyIsGoodForTheSetTime(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	old, _ := f.Own(authtest.Jo, servicetoken.Forever)
	before := f.Key()
	rotate(f, 24*time.Hour)
	if string(before) == string(f.Key()) {
		t.Fatal("the key on disk is the old one")
	}
	fresh, _ := f.Own(authtest.Jo, servicetoken.Forever)
	f.Accepts(old) // and caches the result
	f.Accepts(fresh)
	f.Open() // restart in between
	f.Clock.Advance(24*time.Hour - time.Second)
	f.Accepts(old)
	f.Clock.Advance(time.Second)
	f.Refuses(old, "not valid")
	f.Accepts(fresh)
}

func TestRotationWithoutKeepingRefusesOldTokensAtOnce(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	old, _ := f.Own(authtest.Jo, servicetoken.Forever)
	f.Accepts(old)
	rotate(f, 0)
	f.Refuses(old, "not valid")
	f.Open()
	f.Refuses(old, "not valid")
}

func TestSecondRotationGivesUpTheOldestKey(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	first, _ := f.Own(authtest.Jo, servicetoken.Forever)
	rotate(f, time.Hour)
	second, _ := f.Own(authtest.Jo, servicetoken.Forever)
	rotate(f, time.Hour)
	f.Refuses(first, "not valid")
	f.Accepts(second)
}

func TestRotationNeedsThePrivilegeAndAReasonableTime(t *testing.T) {
	t.Parallel()
	f := tokentest.New(t)
	tokentest.Expect(t, f.RotateKeys(f.As(authtest.Jo), time.Hour), fault.Forbidden, "MANAGE_SYSTEM_OPERATIONS")
	tokentest.Expect(t, f.RotateKeys(f.As(authtest.Root), -time.Hour), fault.Malformed, "at most")
	tokentest.Expect(t, f.RotateKeys(f.As(authtest.Root), 1<<62), fault.Malformed, "at most")
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
