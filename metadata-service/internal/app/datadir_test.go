package app_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func removeFromDataDir(t *testing.T, data, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(data, name)); err != nil {
		t.Fatal(err)
	}
}

func TestAServiceDoesNotReplaceWhatItHasLost(t *testing.T) {
	t.Parallel()
	for name, loss := range map[string]string{
		"catalog.db": "missing-store", "secrets": "missing-secrets", "secrets/token-salt": "missing-secrets",
		"secrets/sealing-key": "missing-secrets", "timeseries": "missing-timeseries",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t.TempDir())
			shut(t, open(t, cfg))
			removeFromDataDir(t, cfg.DataDir, name)
			_, err := app.Open(t.Context(), cfg, "test", logging.Discard())
			if !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "--accept "+loss) {
				t.Fatalf("got %v, want a refusal that names the flag", err)
			}
			if _, err := os.Stat(filepath.Join(cfg.DataDir, name)); err == nil {
				t.Errorf("%s was made anew", name)
			}
			cfg.Accept = []string{loss}
			shut(t, open(t, cfg))
			cfg.Accept = nil
			shut(t, open(t, cfg))
		})
	}
}

func TestADataDirectoryFromBeforeMarksIsTakenAndMarked(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	shut(t, open(t, cfg))
	removeFromDataDir(t, cfg.DataDir, "data-format")
	removeFromDataDir(t, cfg.DataDir, "secrets/sealing-key") // which the first versions did not create
	shut(t, open(t, cfg))
	if _, err := os.Stat(filepath.Join(cfg.DataDir, "data-format")); err != nil {
		t.Error(err)
	}
}

func TestAnEncryptionKeyIsMissedWhenSomethingIsEncrypted(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	a := open(t, cfg)
	body := `{"query":"mutation { createSecret(input: {name: \"warehouse\", value: \"v\"}) }"}`
	if status, answer := call(t, a, http.MethodPost, "/api/graphql", body); status != http.StatusOK || strings.Contains(answer, "errors") {
		t.Fatalf("encrypt: %d %s", status, answer)
	}
	shut(t, a)
	removeFromDataDir(t, cfg.DataDir, "data-format")
	removeFromDataDir(t, cfg.DataDir, "secrets/sealing-key")
	if _, err := app.Open(t.Context(), cfg, "test", logging.Discard()); !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), "encrypted values") {
		t.Errorf("got %v", err)
	}
}

func TestANewStoreKeepsTimeseriesApartFromTheLostOnes(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	a := open(t, cfg)
	profile(t, a, 1)
	profile(t, a, 2)
	shut(t, a)
	removeFromDataDir(t, cfg.DataDir, "catalog.db")
	cfg.Accept = []string{"missing-store"}
	a = open(t, cfg)
	defer shut(t, a)
	profile(t, a, 3)
	body := `{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)","entity":"dataset","aspect":"datasetProfile"}`
	_, answer := call(t, a, http.MethodPost, "/aspects?action=getTimeseriesAspectValues", body)
	if n := strings.Count(answer, "rowCount"); n != 1 || !strings.Contains(answer, `rowCount\":3`) {
		t.Errorf("found %d profiles, want the new one: %s", n, answer)
	}
}

func profile(t *testing.T, a *app.App, rows int) {
	t.Helper()
	body := fmt.Sprintf(`{"proposal":{"entityType":"dataset","entityUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)","changeType":"UPSERT",`+
		`"aspectName":"datasetProfile","aspect":{"contentType":"application/json","value":"{\"timestampMillis\":%d,\"rowCount\":%d}"}}}`, 1769000000000+rows, rows)
	if status, answer := call(t, a, http.MethodPost, "/aspects?action=ingestProposal", body); status != http.StatusOK {
		t.Fatalf("profile: %d %s", status, answer)
	}
}

// warningLines collects the records of a log.
type warningLines struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *warningLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

// warnings returns the messages of a start at level WARN or above.
func warnings(t *testing.T, cfg app.Config) string {
	t.Helper()
	said := &warningLines{}
	a, err := app.Open(t.Context(), cfg, "test", slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		t.Fatal(err)
	}
	shut(t, a)
	said.mu.Lock()
	defer said.mu.Unlock()
	return said.all.String()
}

func TestAStartTellsOfFilesThatAreGoneOrEmpty(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"audit.db", "tasks.db", "records.db"} {
		for kind, spoil := range map[string]func(t *testing.T, data, name string){
			"gone": removeFromDataDir,
			"empty": func(t *testing.T, data, name string) {
				t.Helper()
				if err := os.Truncate(filepath.Join(data, name), 0); err != nil {
					t.Fatal(err)
				}
			},
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				cfg := settings(t.TempDir())
				shut(t, open(t, cfg))
				if _, err := os.Stat(filepath.Join(cfg.DataDir, name)); err != nil {
					t.Fatal(err)
				}
				if said := warnings(t, cfg); strings.Contains(said, name) {
					t.Errorf("nothing is missing, and it says %s", said)
				}
				spoil(t, cfg.DataDir, name)
				if said := warnings(t, cfg); !strings.Contains(said, name) {
					t.Errorf("nothing is said of it: %s", said)
				}
				if said := warnings(t, cfg); strings.Contains(said, name) {
					t.Errorf("it is said again: %s", said)
				}
			})
		}
	}
}

func TestAFileOfTheTimeSeriesIsMissed(t *testing.T) {
	t.Parallel()
	for kind, spoil := range map[string]func(file string) error{"gone": os.Remove, "empty": func(file string) error { return os.Truncate(file, 0) }} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t.TempDir())
			a := open(t, cfg)
			body := `{"entityUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)","aspectName":"datasetProfile","entityType":"dataset","changeType":"UPSERT","aspect":{"contentType":"application/json","value":"{\"timestampMillis\":1700000000000,\"rowCount\":1}"}}`
			if status, answer := call(t, a, http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+body+`}`); status != http.StatusOK {
				t.Fatalf("%d %s", status, answer)
			}
			shut(t, a)
			files, err := filepath.Glob(filepath.Join(cfg.DataDir, "timeseries", "*.db"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%v, %v", files, err)
			}
			shut(t, open(t, cfg))
			if err := spoil(files[0]); err != nil {
				t.Fatal(err)
			}
			_, err = app.Open(t.Context(), cfg, "test", logging.Discard())
			if !errors.Is(err, fault.Precondition) || !strings.Contains(err.Error(), filepath.Base(files[0])) || !strings.Contains(err.Error(), "--accept missing-timeseries") {
				t.Fatalf("got %v, want a refusal that names the file and the flag", err)
			}
			cfg.Accept = []string{"missing-timeseries"}
			shut(t, open(t, cfg))
			cfg.Accept = nil
			shut(t, open(t, cfg))
		})
	}
}
