package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func lose(t *testing.T, data, name string) {
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
			lose(t, cfg.DataDir, name)
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
	lose(t, cfg.DataDir, "data-format")
	lose(t, cfg.DataDir, "secrets/sealing-key") // which the first versions did not make
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
	lose(t, cfg.DataDir, "data-format")
	lose(t, cfg.DataDir, "secrets/sealing-key")
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
	lose(t, cfg.DataDir, "catalog.db")
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
