package secrets_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/pkg/config"
)

func open(t *testing.T) (*secrets.Dir, string) {
	t.Helper()
	data := t.TempDir()
	d, err := secrets.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return d, data
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestFirstReadGeneratesAndLaterReadsAgree(t *testing.T) {
	t.Parallel()
	d, data := open(t)
	first, err := d.ReadOrCreate(secrets.System)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(first.Reveal()); n < secrets.MinLength {
		t.Errorf("generated secret has %d characters", n)
	}
	again, err := d.ReadOrCreate(secrets.System)
	if err != nil || again != first {
		t.Errorf("second read gave another secret or %v", err)
	}
	other, err := d.ReadOrCreate(secrets.Session)
	if err != nil || other == first {
		t.Errorf("secrets of two names are equal, or %v", err)
	}
	if m := mode(t, filepath.Join(data, "secrets")); m != 0o700 {
		t.Errorf("directory has mode %o", m)
	}
	if m := mode(t, d.Path(secrets.System)); m != 0o600 {
		t.Errorf("file has mode %o", m)
	}
}

func TestThoseWhoCreateTogetherGetOneSecret(t *testing.T) {
	t.Parallel()
	d, data := open(t)
	var wg sync.WaitGroup
	got := make([]config.Secret, 16)
	for i := range got {
		wg.Go(func() {
			s, err := d.ReadOrCreate(secrets.Salt)
			if err != nil {
				t.Error(err)
			}
			got[i] = s
		})
	}
	wg.Wait()
	for _, s := range got {
		if s != got[0] {
			t.Fatal("two callers hold different secrets")
		}
	}
	left, err := os.ReadDir(filepath.Join(data, "secrets"))
	if err != nil || len(left) != 1 {
		t.Errorf("directory holds %v, %v; want the secret alone", left, err)
	}
}

func TestReplaceIsSeenByTheNextRead(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	if _, err := d.ReadOrCreate(secrets.Salt); err != nil {
		t.Fatal(err)
	}
	next := secrets.Generate()
	if err := d.Replace(secrets.Salt, next); err != nil {
		t.Fatal(err)
	}
	got, err := d.ReadOrCreate(secrets.Salt)
	if err != nil || got != next {
		t.Errorf("read after replace differs, or %v", err)
	}
	if m := mode(t, d.Path(secrets.Salt)); m != 0o600 {
		t.Errorf("file has mode %o", m)
	}
}

func TestReadFileRefuses(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("s", secrets.MinLength)
	for name, tc := range map[string]struct {
		text string
		mode fs.FileMode
		want string
	}{
		"file the group can read is refused":   {good, 0o640, "can be read by others"},
		"file everybody can read is refused":   {good, 0o604, "can be read by others"},
		"short secret is refused":              {good[1:], 0o600, "at least 32"},
		"secret of white space is refused":     {strings.Repeat(" ", 64), 0o600, "has 0 characters"},
		"secret of absurd length is refused":   {strings.Repeat("s", 1<<20), 0o600, "larger than"},
		"secret with white space around is ok": {"  " + good + "\n", 0o600, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, []byte(tc.text), tc.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tc.mode); err != nil {
				t.Fatal(err)
			}
			got, err := secrets.ReadFile(path)
			if tc.want == "" {
				if err != nil || got.Reveal() != good {
					t.Fatalf("got %d characters, %v", len(got.Reveal()), err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "sss") {
				t.Error("the error shows the secret")
			}
		})
	}
}

func TestAbsentFileAndDirectory(t *testing.T) {
	t.Parallel()
	if _, err := secrets.ReadFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := secrets.ReadFile(t.TempDir()); err == nil {
		t.Error("a directory was read as a secret")
	}
}

func TestOpenClosesADirectoryThatIsOpenToOthers(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	path := filepath.Join(data, "secrets")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := secrets.Open(data); err != nil {
		t.Fatal(err)
	}
	if m := mode(t, path); m != 0o700 {
		t.Errorf("directory has mode %o", m)
	}
}
