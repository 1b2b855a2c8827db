package app_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

func TestAStartRemovesTheCopiesOfSecretsThatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	cfg := app.Defaults()
	cfg.DataDir, cfg.Listen = t.TempDir(), "127.0.0.1:0"
	left := []string{filepath.Join(cfg.DataDir, "secrets", ".token-salt-17.tmp"), filepath.Join(cfg.DataDir, ".data-format-3.tmp")}
	for _, file := range left {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("left"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := app.Open(t.Context(), cfg, "test", logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", file, err)
		}
	}
}
