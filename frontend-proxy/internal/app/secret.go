package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/cartulary/cartulary/pkg/config"
)

// readOnce reads the secret of another party from a file, without surrounding white space. It does
// not check the length.
func readOnce(file string) (config.Secret, error) {
	text, err := os.ReadFile(file)
	return config.Secret(bytes.TrimSpace(text)), err
}

const secretPoll = 200 * time.Millisecond

// readSecret returns given, or the content of the file without surrounding white space. The service
// writes the file at its first start, which may be after that of the proxy: readSecret waits until
// the file exists and is not empty, or until ctx ends.
func readSecret(ctx context.Context, name string, given config.Secret, file string, log *slog.Logger) (config.Secret, error) {
	if file == "" {
		return given, nil
	}
	tick := time.NewTicker(secretPoll)
	defer tick.Stop()
	for announced := false; ; announced = true {
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("read the %s secret: %w", name, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if len(text) < minSecret {
				return "", fmt.Errorf("the %s secret: %w", name, secretTooShort(file, len(text)))
			}
			return config.Secret(text), nil
		}
		if !announced {
			log.InfoContext(ctx, "waiting for a secret file", "secret", name, "file", file)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", fmt.Errorf("waited for the %s secret in %s: %w", name, file, ctx.Err())
		}
	}
}
