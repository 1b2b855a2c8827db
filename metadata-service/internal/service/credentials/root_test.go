package credentials_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

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
		path := filepath.Join(data, credentials.InitialPasswordFile)
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
