package credentials

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"

	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

// HashParams sets the work for a password hash.
type HashParams struct {
	Memory  uint32 // KiB
	Time    uint32 // passes
	Threads uint8
	// AtOnce is the number of concurrent hash computations. Queue is the maximum number of waiting
	// requests of known clients, and separately of other clients.
	AtOnce, Queue int
}

// DefaultHash uses 19 MiB and some tens of milliseconds per password, and at most half of the
// processors, so that a flood of passwords leaves the other half to requests with tokens.
func DefaultHash() HashParams {
	return HashParams{Memory: 19 << 10, Time: 2, Threads: 1, AtOnce: max(1, runtime.GOMAXPROCS(0)/2), Queue: 64}
}

const (
	saltBytes = 16
	hashBytes = 32
	// Limits of the parameters in a stored hash: a damaged one must not stop the service.
	maxMemory = 256 << 10
	maxTime   = 16
)

// encoding is the usual encoding of argon2 hashes.
var encoding = base64.RawStdEncoding.Strict()

// hasher computes hashes, a few at a time.
type hasher struct {
	params HashParams
	queue  hashQueue
	decoy  encoded // computed for users that do not exist
}

// encoded is the stored form of a hash.
type encoded struct {
	memory, time uint32
	threads      uint8
	salt, hash   []byte
}

func newHasher(p HashParams) *hasher {
	return &hasher{
		params: p,
		queue:  hashQueue{atOnce: p.AtOnce, maxWaiting: p.Queue},
		decoy:  encoded{memory: p.Memory, time: p.Time, threads: p.Threads, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes)},
	}
}

// hash returns the credentials for a password.
func (h *hasher) hash(ctx context.Context, password config.Secret) (credentials, error) {
	e := encoded{memory: h.params.Memory, time: h.params.Time, threads: h.params.Threads, salt: randomBytes(saltBytes), hash: make([]byte, hashBytes)}
	var err error
	if e.hash, err = h.compute(ctx, e, password); err != nil {
		return credentials{}, err
	}
	return credentials{Salt: base64.StdEncoding.EncodeToString(e.salt), Hashed: e.String()}, nil
}

// matches compares a password with a stored hash. An absent hash costs the same work and matches no
// password.
func (h *hasher) matches(ctx context.Context, stored string, password config.Secret) (bool, error) {
	e := h.decoy
	if stored != "" {
		var err error
		if e, err = parseEncoded(stored); err != nil {
			return false, err
		}
	}
	if len(password.Reveal()) > MaxPassword {
		password = "" // matches nothing: neither an empty nor a longer password can be set
	}
	got, err := h.compute(ctx, e, password)
	if err != nil {
		return false, err
	}
	equal := subtle.ConstantTimeCompare(got, e.hash) == 1
	return equal && stored != "" && password != "", nil
}

func (h *hasher) compute(ctx context.Context, e encoded, password config.Secret) ([]byte, error) {
	leave, err := h.queue.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return argon2.IDKey([]byte(password.Reveal()), e.salt, e.time, e.memory, e.threads, uint32(len(e.hash))), nil
}

func (e encoded) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, e.memory, e.time, e.threads,
		encoding.EncodeToString(e.salt), encoding.EncodeToString(e.hash))
}

// parseEncoded parses the output of String. Its errors do not quote the text.
func parseEncoded(text string) (encoded, error) {
	var e encoded
	var version int
	parts := strings.Split(text, "$")
	bad := fault.New(fault.Internal, "a stored password is not in the form of argon2id")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return e, bad
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &e.memory, &e.time, &e.threads); err != nil {
		return e, bad
	}
	var saltErr, hashErr error
	e.salt, saltErr = encoding.DecodeString(parts[4])
	e.hash, hashErr = encoding.DecodeString(parts[5])
	switch {
	case saltErr != nil, hashErr != nil, version != argon2.Version, e.memory > maxMemory, e.time > maxTime,
		e.memory == 0, e.time == 0, e.threads == 0, len(e.salt) < 8, len(e.hash) < 16, len(e.hash) > 64:
		return e, bad
	}
	return e, nil
}

func randomBytes(n int) []byte {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails: the runtime stops the program instead
	return raw
}

// randomLetters returns a random text of n lower-case letters, uniformly distributed.
func randomLetters(n int) string {
	const alphabet = 26
	text := make([]byte, 0, n)
	for len(text) < n {
		for _, b := range randomBytes(n) {
			// Bytes beyond the last complete alphabet would favor its first letters.
			if int(b) < 256/alphabet*alphabet && len(text) < n {
				text = append(text, 'a'+b%alphabet)
			}
		}
	}
	return string(text)
}
