package datadir_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

var started = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func config(path string, accept ...datadir.Loss) datadir.Config {
	return datadir.Config{Path: path, Version: "test", Accept: accept, Now: func() time.Time { return started }}
}

// lived creates the files that a service leaves behind.
func lived(t *testing.T) string {
	t.Helper()
	path := t.TempDir()
	for _, name := range []string{
		"catalog.db", "ended-sessions", "initial-admin-password", "search/manifest", "timeseries/dataset_datasetprofileaspect_v1.db",
		"secrets/system", "secrets/session", "secrets/token-signing-key", "secrets/token-salt", "secrets/sealing-key",
	} {
		file := filepath.Join(path, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// marked is a directory whose service has been started with marks.
func marked(t *testing.T) string {
	t.Helper()
	path := lived(t)
	mustOpen(t, config(path), true)
	return path
}

func mustOpen(t *testing.T, cfg datadir.Config, complete bool) *datadir.Dir {
	t.Helper()
	d, err := datadir.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if complete {
		if err := d.Complete(); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func remove(t *testing.T, path string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsMissingIsRefusedUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	type lossCase struct {
		gone   []string
		loss   datadir.Loss
		says   []string
		marked bool // detected only with a mark
	}
	cases := map[string]lossCase{
		"the store beside everything":       {[]string{"catalog.db"}, datadir.MissingStore, []string{"not catalog.db", "secrets/token-salt", "timeseries"}, false},
		"the store beside secrets alone":    {[]string{"catalog.db", "search", "timeseries", "ended-sessions", "initial-admin-password"}, datadir.MissingStore, []string{"secrets/token-signing-key"}, false},
		"the store beside the index alone":  {[]string{"catalog.db", "secrets", "timeseries", "ended-sessions", "initial-admin-password"}, datadir.MissingStore, []string{"search"}, false},
		"the store beside time series":      {[]string{"catalog.db", "secrets", "search", "ended-sessions", "initial-admin-password"}, datadir.MissingStore, []string{"timeseries"}, false},
		"everything but the mark":           {[]string{"catalog.db", "secrets", "search", "timeseries", "ended-sessions", "initial-admin-password"}, datadir.MissingStore, []string{"data-format"}, true},
		"all secrets":                       {[]string{"secrets"}, datadir.MissingSecrets, []string{"secrets/token-salt", "access tokens and sessions void", "unreadable"}, false},
		"the signing key":                   {[]string{"secrets/token-signing-key"}, datadir.MissingSecrets, []string{"not secrets/token-signing-key:"}, false},
		"the salt":                          {[]string{"secrets/token-salt"}, datadir.MissingSecrets, []string{"not secrets/token-salt:"}, false},
		"the secret of the proxy's cookies": {[]string{"secrets/session"}, datadir.MissingSecrets, []string{"not secrets/session:"}, false},
		"the secret of the proxy":           {[]string{"secrets/system"}, datadir.MissingSecrets, []string{"not secrets/system:"}, false},
		"the encryption key":                {[]string{"secrets/sealing-key"}, datadir.MissingSecrets, []string{"not secrets/sealing-key:"}, true},
		"the time series":                   {[]string{"timeseries"}, datadir.MissingTimeseries, []string{"not the folder timeseries"}, true},
	}
	for name, c := range cases {
		for kind, make := range map[string]func(*testing.T) string{"marked": marked, "from before marks": lived} {
			if c.marked && kind != "marked" {
				continue
			}
			t.Run(name+" of a directory "+kind, func(t *testing.T) {
				t.Parallel()
				path := make(t)
				remove(t, path, c.gone...)
				before := list(t, path)
				_, err := datadir.Open(config(path))
				if !errors.Is(err, fault.Precondition) {
					t.Fatalf("got %v, want a refusal", err)
				}
				for _, want := range append(c.says, path, "--accept "+string(c.loss)) {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q is not in: %v", want, err)
					}
				}
				if after := list(t, path); !slices.Equal(before, after) {
					t.Errorf("the refusal changed the directory: %v, was %v", after, before)
				}
				d := mustOpen(t, config(path, c.loss), true)
				if !slices.Equal(d.Accepted, []datadir.Loss{c.loss}) {
					t.Errorf("accepted %v", d.Accepted)
				}
			})
		}
	}
}

func TestFilesBesideTheStoreAreMissed(t *testing.T) {
	t.Parallel()
	path := lived(t)
	d := mustOpen(t, config(path), true)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("audit.db", "events")
	write("timeseries/later.db", "made while the service ran")
	if err := d.NoteFiles(); err != nil {
		t.Fatal(err)
	}
	if d := mustOpen(t, config(path), false); len(d.Missing) > 0 {
		t.Errorf("nothing is missing, and it says %v", d.Missing)
	}
	remove(t, path, "audit.db", "timeseries/later.db")
	if err := d.NoteFiles(); err != nil { // a file that disappears while the service runs is still reported
		t.Fatal(err)
	}
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "timeseries/later.db, which held") {
		t.Errorf("got %v", err)
	}
	write("timeseries/later.db", "")
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "missing or empty") {
		t.Errorf("an empty one: %v", err)
	}
	d = mustOpen(t, config(path, datadir.MissingTimeseries), true)
	if !slices.Equal(d.Missing, []string{"audit.db"}) {
		t.Errorf("missing are %v", d.Missing)
	}
	if _, err := os.Stat(filepath.Join(path, "timeseries/later.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the empty file stays: %v", err)
	}
	if d := mustOpen(t, config(path), false); len(d.Missing) > 0 {
		t.Errorf("it says again %v", d.Missing)
	}
}

// The start that accepts the loss of the store may also be interrupted.
func TestTimeSeriesThatWereSetAsideAreNotMissed(t *testing.T) {
	t.Parallel()
	path := marked(t)
	remove(t, path, "catalog.db")
	mustOpen(t, config(path, datadir.MissingStore), false)
	mkdir(t, path, "timeseries")
	if err := os.WriteFile(filepath.Join(path, "catalog.db"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, config(path), false)
}

func list(t *testing.T, path string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(path, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestAFirstStartNeedsNoFlag(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, path string){
		"no directory":     func(t *testing.T, path string) { remove(t, path, ".") },
		"an empty one":     func(*testing.T, string) {},
		"a mounted volume": func(t *testing.T, path string) { mkdir(t, path, "lost+found", "secrets") },
		"secrets that the proxy shares, put there before": func(t *testing.T, path string) {
			mkdir(t, path, "secrets")
			if err := os.WriteFile(filepath.Join(path, "secrets", secrets.System), []byte("given"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := t.TempDir()
			prepare(t, path)
			mustOpen(t, config(path), false)
		})
	}
}

func mkdir(t *testing.T, path string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(path, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnInterruptedFirstStartGoesOn(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	mustOpen(t, config(path), false)
	// The service was killed after it had created the store and some of the secrets.
	mkdir(t, path, "secrets", "timeseries")
	for _, name := range []string{"catalog.db", "secrets/token-salt"} {
		if err := os.WriteFile(filepath.Join(path, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustOpen(t, config(path), false)
	remove(t, path, "catalog.db")
	mustOpen(t, config(path), true)
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Precondition) {
		t.Errorf("once completed, a missing store gives %v", err)
	}
}

func TestADirectoryOfANewerFormatIsRefusedAndKeepsItsMark(t *testing.T) {
	t.Parallel()
	path := marked(t)
	mark := filepath.Join(path, "data-format")
	newer := `{"format":2,"complete":true,"version":"v9.1"}`
	if err := os.WriteFile(mark, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := datadir.Open(config(path))
	for _, want := range []string{"format 2", "version v9.1", "up to 1", "--accept newer-format"} {
		if !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if err := datadir.CheckFormat(path); err == nil {
		t.Error("CheckFormat takes it")
	}
	mustOpen(t, config(path, datadir.NewerFormat), true)
	if text, err := os.ReadFile(mark); err != nil || string(text) != newer {
		t.Errorf("the mark is %s, %v", text, err)
	}
}

func TestAMarkThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	path := marked(t)
	if err := os.WriteFile(filepath.Join(path, "data-format"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("got %v", err)
	}
}

func TestASecretThatComesFromElsewhereIsNotMissed(t *testing.T) {
	t.Parallel()
	path := lived(t)
	remove(t, path, "secrets/system")
	cfg := config(path)
	cfg.SystemSecretGiven = true
	mustOpen(t, cfg, true)
	// Later the secret is to be created here: it never existed here, so nothing is lost.
	mustOpen(t, config(path), false)
}

func TestAnEncryptionKeyThatMayNeverHaveBeenIsAskedOfTheStore(t *testing.T) {
	t.Parallel()
	path := lived(t)
	remove(t, path, "secrets/sealing-key")
	d := mustOpen(t, config(path), false)
	if !d.EncryptionKeyMissing {
		t.Fatal("the store is not to be asked")
	}
	if err := d.RefuseEncrypted(); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "--accept missing-secrets") {
		t.Errorf("got %v", err)
	}
	if err := mustOpen(t, config(path, datadir.MissingSecrets), false).RefuseEncrypted(); err != nil {
		t.Errorf("accepted: %v", err)
	}
}

func TestWhatBelongedToALostStoreIsSetAside(t *testing.T) {
	t.Parallel()
	path := marked(t)
	remove(t, path, "catalog.db")
	d := mustOpen(t, config(path, datadir.MissingStore), false)
	if want := filepath.Join(path, "set-aside-20260131T120000Z"); d.SetAside != want {
		t.Errorf("set aside in %s, want %s", d.SetAside, want)
	}
	for _, name := range []string{"timeseries/dataset_datasetprofileaspect_v1.db", "search/manifest"} {
		if _, err := os.Stat(filepath.Join(d.SetAside, name)); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			t.Errorf("%s is still in use", name)
		}
	}
}

func TestWhatDriversKeepElsewhereIsNotMissed(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	cfg := config(path)
	cfg.StoreElsewhere, cfg.TimeseriesElsewhere = true, true
	mustOpen(t, cfg, false)
	for _, name := range []string{"secrets/system", "secrets/session", "secrets/token-signing-key", "secrets/token-salt", "secrets/sealing-key"} {
		file := filepath.Join(path, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	mustOpen(t, cfg, true)
	mustOpen(t, cfg, true)

	remove(t, path, "secrets/sealing-key")
	if _, err := datadir.Open(cfg); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "secrets/sealing-key") {
		t.Errorf("a lost secret: %v", err)
	}
}

func TestWhatAnInterruptedRestoreUnpackedGoesUnlessTheRestoreGoesOn(t *testing.T) {
	t.Parallel()
	path := marked(t)
	unpacked := filepath.Join(".restore", "new", "catalog.db")
	put := func() {
		t.Helper()
		mkdir(t, path, filepath.Dir(unpacked))
		if err := os.WriteFile(filepath.Join(path, unpacked), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put()
	held, busy, err := disk.LockFolder(path) // as a running restore does
	if err != nil || busy {
		t.Fatal(busy, err)
	}
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "a backup is restored to "+path+" now") {
		t.Errorf("beside a restore: %v", err)
	}
	if !slices.Contains(list(t, path), filepath.Join(path, unpacked)) {
		t.Error("what a restore unpacks was removed under its hands")
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if d := mustOpen(t, config(path), false); !d.DroppedRestore || slices.Contains(list(t, path), filepath.Join(path, ".restore")) {
		t.Errorf("dropped %t: %v", d.DroppedRestore, list(t, path))
	}
	if d := mustOpen(t, config(path), false); d.DroppedRestore {
		t.Error("nothing was there to be dropped")
	}
	put()
	if err := os.WriteFile(filepath.Join(path, ".restore", "under-way"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := datadir.Open(config(path)); !errors.Is(err, fault.Precondition) || !slices.Contains(list(t, path), filepath.Join(path, unpacked)) {
		t.Errorf("a restore that had begun to replace files: %v", err)
	}
}
