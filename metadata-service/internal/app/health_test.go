//go:build unix

package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/logging"
)

const systemSecret = "a secret of tests that is long enough"

func settings(dataDir string) app.Config {
	cfg := app.Defaults()
	cfg.Listen, cfg.DataDir, cfg.SystemSecret = "127.0.0.1:0", dataDir, config.Secret(systemSecret)
	return cfg
}

func open(t *testing.T, cfg app.Config) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), cfg, "test", logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func shut(t *testing.T, a *app.App) {
	t.Helper()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// call sends a request as the system.
func call(t *testing.T, a *app.App, method, path, body string) (int, string) {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Basic __datahub_system:"+systemSecret)
	answer := httptest.NewRecorder()
	a.Handler().ServeHTTP(answer, request)
	return answer.Code, answer.Body.String()
}

const (
	tagPath = "/openapi/v3/entity/tag?async=false"
	tagBody = `[{"urn":"urn:li:tag:pii","tagProperties":{"value":{"name":"pii"}}}]`
)

func TestHealthTellsOfARecoveryThoughNobodyWrites(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	a := open(t, settings(t.TempDir()))
	defer shut(t, a)
	lift := disktest.Full(t, 0)
	if status, answer := call(t, a, http.MethodPost, tagPath, tagBody); status != http.StatusInsufficientStorage {
		t.Fatalf("write: got %d %s", status, answer)
	}
	a.ProbeStorages(t.Context())
	if state, detail := a.WritesHealth(); state != "red" || !strings.Contains(detail, "store: writes fail since ") {
		t.Errorf("on the full disk: %s %q", state, detail)
	}
	lift()
	a.ProbeStorages(t.Context())
	if state, detail := a.WritesHealth(); state != "green" || detail != "" {
		t.Errorf("once there is room: %s %q", state, detail)
	}
}

func TestAStartOnAFullDiskServesReads(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	data := t.TempDir()
	a := open(t, settings(data))
	if status, answer := call(t, a, http.MethodPost, tagPath, tagBody); status != http.StatusOK {
		t.Fatalf("write: got %d %s", status, answer)
	}
	shut(t, a)
	lift := disktest.Full(t, 0)
	a = open(t, settings(data))
	defer shut(t, a)
	if status, answer := call(t, a, http.MethodGet, "/openapi/v3/entity/tag/urn:li:tag:pii", ""); status != http.StatusOK {
		t.Errorf("read: got %d %s", status, answer)
	}
	if state, detail := a.WritesHealth(); state != "red" || !strings.Contains(detail, "store: ") {
		t.Errorf("health: %s %q", state, detail)
	}
	lift()
	a.ProbeStorages(t.Context())
	if state, detail := a.WritesHealth(); state != "green" {
		t.Errorf("once there is room: %s %q", state, detail)
	}
}
