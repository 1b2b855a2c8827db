package adminsocket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/pkg/config"
)

const (
	socketName = "admin.sock"
	pointer    = "admin.sock.path"
	// maxPath is the limit of the strictest supported system, without the final zero byte.
	maxPath        = 103
	groupWrite     = 0o022
	otherUsersMask = 0o077
)

// socketPath returns the path for the socket of a data directory. It creates a directory for
// temporary files if the path in the data directory would be too long.
func socketPath(ctx context.Context, dataDir string) (path string, err error) {
	dataDir, err = canonical(dataDir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dataDir)
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&groupWrite != 0 {
		return "", fmt.Errorf("others can write to %s and so put a socket of theirs in place of ours; run chmod go-w on it", dataDir)
	}
	if err := removeTemporarySocket(ctx, dataDir); err != nil {
		return "", err
	}
	path = filepath.Join(dataDir, socketName)
	if len(path) <= maxPath {
		return path, nil
	}
	short, err := os.MkdirTemp(os.TempDir(), "cartulary-") // mode 0700
	if err != nil {
		return "", err
	}
	path = filepath.Join(short, socketName)
	if len(path) > maxPath {
		_ = os.Remove(short)
		return "", fmt.Errorf("both %s and the directory for temporary files have names too long for a socket; set TMPDIR to a shorter one", dataDir)
	}
	return path, secrets.WritePrivate(filepath.Join(dataDir, pointer), config.Secret(path))
}

// removeTemporarySocket removes the socket that a killed service left in a directory for
// temporary files.
func removeTemporarySocket(ctx context.Context, dataDir string) error {
	at := filepath.Join(dataDir, pointer)
	path, err := readPointer(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		if err := removeStale(ctx, path); err != nil {
			return err
		}
		_ = os.Remove(filepath.Dir(path))
	}
	return os.Remove(at)
}

// findSocket returns the expected path of the socket of a data directory.
func findSocket(dataDir string) (string, error) {
	dataDir, err := canonical(dataDir)
	if err != nil {
		return "", err
	}
	path, err := readPointer(filepath.Join(dataDir, pointer))
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Join(dataDir, socketName), nil
	}
	return path, err
}

// readPointer reads the path of the socket and checks that its directory is as private as the server
// created it.
func readPointer(at string) (string, error) {
	text, err := os.ReadFile(at)
	if err != nil {
		return "", err
	}
	path := strings.TrimSpace(string(text))
	dir := filepath.Dir(path)
	if !filepath.IsAbs(path) || filepath.Base(path) != socketName || !strings.HasPrefix(filepath.Base(dir), "cartulary-") {
		return "", fmt.Errorf("%s does not hold the path of a socket", at)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return path, nil // removed since the last boot: connecting reports that no service runs
	}
	if !info.IsDir() || info.Mode().Perm()&otherUsersMask != 0 {
		return "", fmt.Errorf("%s names a directory that is open to others", at)
	}
	return path, nil
}

// canonical returns one path for all spellings of a directory: client and server must find the
// same socket.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
