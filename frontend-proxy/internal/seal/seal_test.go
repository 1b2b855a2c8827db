package seal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/internal/seal"
	"github.com/cartulary/cartulary/pkg/config"
)

func keys(t *testing.T, purpose string, secrets ...string) *seal.Keys {
	t.Helper()
	var previous config.Secret
	if len(secrets) > 1 {
		previous = config.Secret(strings.Repeat(secrets[1], seal.MinSecret))
	}
	k, err := seal.NewKeys(purpose, config.Secret(strings.Repeat(secrets[0], seal.MinSecret)), previous)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestWhatIsSealedIsOpenedByItsKeysUnderItsNameAlone(t *testing.T) {
	t.Parallel()
	sealed := keys(t, "p", "a").Seal("cookie", []byte("text"))
	for name, tc := range map[string]struct {
		keys          *seal.Keys
		cookie, value string
		good          bool
	}{
		"the same keys":       {keys(t, "p", "a"), "cookie", sealed, true},
		"after a rotation":    {keys(t, "p", "b", "a"), "cookie", sealed, true},
		"another secret":      {keys(t, "p", "b"), "cookie", sealed, false},
		"another purpose":     {keys(t, "q", "a"), "cookie", sealed, false},
		"another cookie":      {keys(t, "p", "a"), "other", sealed, false},
		"a changed character": {keys(t, "p", "a"), "cookie", "A" + sealed[1:] + "A", false},
		"cut off":             {keys(t, "p", "a"), "cookie", sealed[:10], false},
		"nothing":             {keys(t, "p", "a"), "cookie", "", false},
		"no base64":           {keys(t, "p", "a"), "cookie", "%%%", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain, err := tc.keys.Open(tc.cookie, tc.value)
			if tc.good && (err != nil || string(plain) != "text") || !tc.good && !errors.Is(err, seal.ErrForeign) {
				t.Errorf("got %q, %v", plain, err)
			}
		})
	}
}

func TestShortSecretsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := seal.NewKeys("p", "short", ""); err == nil || !strings.Contains(err.Error(), "at least 32") {
		t.Errorf("got %v", err)
	}
	long := config.Secret(strings.Repeat("a", seal.MinSecret))
	if _, err := seal.NewKeys("p", long, "short"); err == nil {
		t.Error("a short former secret is taken")
	}
}
