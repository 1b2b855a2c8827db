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
	// maxPath is the limit of the narrowest system in use, less the final zero byte.
	maxPath    = 103
	groupWrite = 0o022
	anyOther   = 0o077
)

// place finds where the socket of a data directory goes, and makes a directory
// for it when it cannot stand in the data directory.
func place(ctx context.Context, dataDir string) (path string, err error) {
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
	if err := forget(ctx, dataDir); err != nil {
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

// forget removes what a service that was killed has left behind in a place
// for temporary files.
func forget(ctx context.Context, dataDir string) error {
	at := filepath.Join(dataDir, pointer)
	path, err := pointed(at)
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

// find is where the socket of a data directory should be.
func find(dataDir string) (string, error) {
	dataDir, err := canonical(dataDir)
	if err != nil {
		return "", err
	}
	path, err := pointed(filepath.Join(dataDir, pointer))
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Join(dataDir, socketName), nil
	}
	return path, err
}

// pointed reads where the socket is and checks that the place is as private as
// the server has made it.
func pointed(at string) (string, error) {
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
		return path, nil // gone with the machine's last start: connecting tells that nobody is there
	}
	if !info.IsDir() || info.Mode().Perm()&anyOther != 0 {
		return "", fmt.Errorf("%s names a directory that is open to others", at)
	}
	return path, nil
}

// canonical makes one path of all ways to write it: client and server must
// come to the same socket.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
