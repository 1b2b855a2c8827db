package token

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxKeep limits the time for which a replaced key stays valid. A longer time than the lifetime of
// any token is useless.
const maxKeep = 3650 * day

// Keys are the signing key and, for some time after a rotation, its predecessor.
//
// Both are in one file, so that a rotation is one atomic replacement. The first line is the current
// key. The optional second line consists of "previous", the time until which the previous key is
// valid, and the key. From that time on, tokens signed by the previous key are refused, even if
// they expire later. Another rotation drops the key before the previous one.
//
// Keys are safe for concurrent use.
type Keys struct {
	dir *secrets.Dir
	now func() time.Time

	// rotating is held while the file is written. mu never is, so that verification does not wait
	// for the disk.
	rotating sync.Mutex

	mu       sync.RWMutex
	current  config.Secret
	previous config.Secret
	until    time.Time
}

// OpenKeys reads the keys of an installation, and creates one at the first start.
func OpenKeys(dir *secrets.Dir, now func() time.Time) (*Keys, error) {
	text, err := dir.ReadOrCreate(secrets.SigningKey)
	if err != nil {
		return nil, fmt.Errorf("signing key of tokens: %w", err)
	}
	k := &Keys{dir: dir, now: now}
	if err := k.parse(text.Reveal()); err != nil {
		return nil, fmt.Errorf("signing key of tokens in %s: %w", dir.Path(secrets.SigningKey), err)
	}
	return k, nil
}

// Rotate replaces the signing key and keeps the old key valid for the given time. Zero invalidates
// all tokens at once. When Rotate returns, the new key is on disk. A time outside the limits is
// fault.Malformed.
func (k *Keys) Rotate(keep time.Duration) error {
	if keep < 0 || keep > maxKeep {
		return fault.New(fault.Malformed, "the previous key can be kept for at most %d days", maxKeep/day)
	}
	k.rotating.Lock()
	defer k.rotating.Unlock()
	next, previous, until := secrets.Generate(), config.Secret(k.signing()), k.now().Add(keep)
	text := next
	if keep > 0 {
		text += config.Secret("\nprevious "+until.UTC().Format(time.RFC3339Nano)+" ") + previous
	} else {
		previous, until = "", time.Time{}
	}
	if err := k.dir.Replace(secrets.SigningKey, text); err != nil {
		return fmt.Errorf("rotate the signing key: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current, k.previous, k.until = next, previous, until
	return nil
}

// signing returns the key for new tokens.
func (k *Keys) signing() []byte {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return []byte(k.current.Reveal())
}

// verifying returns the keys that are valid now and the time until which this holds. The zero time
// means until the next rotation.
func (k *Keys) verifying() (keys [][]byte, until time.Time) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	keys = [][]byte{[]byte(k.current.Reveal())}
	if k.previous != "" && k.now().Before(k.until) {
		keys = append(keys, []byte(k.previous.Reveal()))
		until = k.until
	}
	return keys, until
}

func (k *Keys) parse(text string) error {
	lines := strings.Split(text, "\n")
	k.current = config.Secret(strings.TrimSpace(lines[0]))
	if len(k.current.Reveal()) < secrets.MinLength {
		return fmt.Errorf("the key in the first line has fewer than %d characters", secrets.MinLength)
	}
	if len(lines) == 1 {
		return nil
	}
	fields := strings.Fields(lines[1])
	if len(lines) > 2 || len(fields) != 3 || fields[0] != "previous" || len(fields[2]) < secrets.MinLength {
		return fmt.Errorf("the second line must read: previous <time> <key of at least %d characters>; no other lines may follow", secrets.MinLength)
	}
	until, err := time.Parse(time.RFC3339Nano, fields[1])
	if err != nil {
		return fmt.Errorf("the time in the second line must look like 2026-01-31T12:00:00Z")
	}
	k.previous, k.until = config.Secret(fields[2]), until
	return nil
}
