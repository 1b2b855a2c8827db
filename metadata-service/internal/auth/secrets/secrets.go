// Package secrets keeps the secrets of an installation as files: one file per secret, mode 0600, in
// a directory of mode 0700 below the data directory.
//
// No secret is built in, and no installation shares one with another. Missing secrets are generated
// at the first start. A file that other users of the machine can read is refused and not repaired,
// since its content must be considered known.
package secrets

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/config"
)

// Names of the files.
const (
	System     = "system"            // authenticates the proxy as the system actor
	Session    = "session"           // encrypts the cookies of the proxy
	SigningKey = "token-signing-key" // signs tokens; package token describes its format
	Salt       = "token-salt"        // salt of the hashes under which tokens are stored
	Encryption = "sealing-key"       // encrypts ingestion secrets, connections and sign-in credentials in the store
)

// Names returns all names.
func Names() []string { return []string{System, Session, SigningKey, Salt, Encryption} }

// MinLength is the minimum length of a secret in characters.
const MinLength = 32

const (
	folder     = "secrets"
	dirMode    = 0o700
	fileMode   = 0o600
	otherUsers = 0o077
	maxFile    = 16 << 10
	entropy    = 32 // bytes
)

// Dir is a directory of secrets. Its methods may run concurrently with those of another process on
// the same directory.
type Dir struct{ path string }

// Open creates the directory "secrets" of a data directory if it does not exist, and removes the
// access of other users.
func Open(dataDir string) (*Dir, error) {
	path := filepath.Join(dataDir, folder)
	if err := os.MkdirAll(path, dirMode); err != nil {
		return nil, fmt.Errorf("make the directory for secrets: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("directory for secrets: %w", err)
	}
	if info.Mode().Perm()&otherUsers == 0 {
		return &Dir{path: path}, nil
	}
	// Some volumes are created with other modes. The files in the directory are checked one by one.
	if err := os.Chmod(path, dirMode); err != nil {
		return nil, fmt.Errorf("directory for secrets is open to others and cannot be closed, run chmod 700 %s: %w", path, err)
	}
	return &Dir{path: path}, nil
}

// Path returns the path of a secret.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// ReadOrCreate reads a secret, and generates it if its file does not exist. If several processes
// create it at the same time, one wins, and all return its secret.
func (d *Dir) ReadOrCreate(name string) (config.Secret, error) {
	secret, err := ReadFile(d.Path(name))
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := write(d.Path(name), Generate(), publishNew); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return ReadFile(d.Path(name))
}

// Replace overwrites a secret atomically. A reader sees either the old text or the new one, also
// after a crash.
func (d *Dir) Replace(name string, secret config.Secret) error {
	return write(d.Path(name), secret, os.Rename)
}

// Generate returns a new secret of 256 random bits as text.
func Generate() config.Secret {
	raw := make([]byte, entropy)
	_, _ = rand.Read(raw) // never fails: the runtime stops the program instead
	return config.Secret(base64.RawURLEncoding.EncodeToString(raw))
}

// ReadFile reads a secret from any file, without surrounding white space. It refuses files that
// other users can read, and secrets that are too short. For an absent file the error is
// fs.ErrNotExist.
func ReadFile(path string) (config.Secret, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("secret %s is not a regular file", path)
	case info.Mode().Perm()&otherUsers != 0:
		return "", fmt.Errorf("secret %s can be read by others (mode %04o), so it may be known; run chmod 600 on the file if nobody has read it, or remove it and start once with --accept missing-secrets to generate a new one", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	switch {
	case len(text) > maxFile:
		return "", fmt.Errorf("secret %s is larger than %d bytes", path, maxFile)
	case len(secret) < MinLength:
		return "", fmt.Errorf("secret %s has %d characters, at least %d are needed; put it back from a backup, or remove it and start once with --accept missing-secrets to have a new one made", path, len(secret), MinLength)
	}
	return config.Secret(secret), nil
}

// WritePrivate writes or replaces a file that only its owner can read. When it returns, content and
// name of the file are synced to disk.
func WritePrivate(path string, content config.Secret) error { return write(path, content, os.Rename) }

// write fills a temporary file in the same directory, and then lets publish rename it to path.
func write(path string, content config.Secret, publish func(temporary, path string) error) error {
	return disk.Translate(writeFile(path, content, publish))
}

func writeFile(path string, content config.Secret, publish func(temporary, path string) error) (err error) {
	dir := filepath.Dir(path)
	t, err := disk.FileIn(dir, "."+filepath.Base(path), nil) // mode 0600
	if err != nil {
		return fmt.Errorf("write secret: %w", err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	_, err = t.File.WriteString(content.Reveal() + "\n")
	if err == nil {
		err = t.File.Chmod(fileMode)
	}
	if err == nil {
		err = t.File.Sync()
	}
	if err == nil {
		err = publish(t.Path, path)
	}
	if err != nil {
		return fmt.Errorf("write secret: %w", err)
	}
	return syncDir(dir)
}

// publishNew gives the file its name unless the name exists: a rename would replace a secret that
// other processes have already read. On file systems without hard links it renames the file
// nevertheless.
func publishNew(temporary, path string) error {
	err := os.Link(temporary, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(temporary, path)
	}
	_ = os.Remove(temporary)
	return err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("write secret: %w", err)
	}
	defer d.Close() //nolint:errcheck // only synced
	if err := d.Sync(); err != nil {
		return fmt.Errorf("write secret: %w", err)
	}
	return nil
}
