package app_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/pkg/logging"
)

func TestAFirstStartTellsOfNoUpgrade(t *testing.T) {
	t.Parallel()
	cfg := app.Defaults()
	cfg.DataDir, cfg.Listen = t.TempDir(), "127.0.0.1:0"
	var log bytes.Buffer
	a, err := app.Open(t.Context(), cfg, "test", logging.New(&log, cfg.Log.Level, "text"))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); text == "" || strings.Contains(text, "upgraded") {
		t.Errorf("the log of a first start is %s", text)
	}
}
