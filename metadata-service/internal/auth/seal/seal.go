// Package seal closes values that the store must hold and nobody may read
// there: the values of ingestion secrets and the details of connections.
//
// A sealed text is "v1." and the base64 (URL alphabet, no padding) of a random
// 12-byte nonce followed by the AES-256-GCM ciphertext. The key comes from a
// secret of the installation by HKDF with SHA-256.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/pkg/config"
)

const (
	version = "v1."
	purpose = "cartulary sealed values"
	keySize = 32
)

// ErrUnreadable is what a text gives that was not sealed with this key.
var ErrUnreadable = errors.New("the sealed value cannot be opened: it was sealed with another key, or damaged")

// Sealer seals and opens. It is safe for concurrent use.
type Sealer struct{ aead cipher.AEAD }

// New makes a Sealer of a secret.
func New(secret config.Secret) (*Sealer, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, purpose, keySize)
	if err != nil {
		return nil, fmt.Errorf("sealing key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("sealing key: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("sealing key: %w", err)
	}
	return &Sealer{aead: aead}, nil
}

// Seal closes a text. Sealing it again gives another result.
func (s *Sealer) Seal(text string) string {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails: the runtime stops the program instead
	return version + base64.RawURLEncoding.EncodeToString(s.aead.Seal(nonce, nonce, []byte(text), nil))
}

// Sealed tells whether a text has the form of a sealed one, whichever the key.
func (s *Sealer) Sealed(text string) bool { return s.decode(text) != nil }

// decode gives nonce and ciphertext of a sealed text, nil when it is none.
func (s *Sealer) decode(sealed string) []byte {
	body, ok := strings.CutPrefix(sealed, version)
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if !ok || err != nil || len(raw) < s.aead.NonceSize()+s.aead.Overhead() {
		return nil
	}
	return raw
}

// Open opens a sealed text, or gives ErrUnreadable.
func (s *Sealer) Open(sealed string) (string, error) {
	raw := s.decode(sealed)
	if raw == nil {
		return "", ErrUnreadable
	}
	text, err := s.aead.Open(nil, raw[:s.aead.NonceSize()], raw[s.aead.NonceSize():], nil)
	if err != nil {
		return "", ErrUnreadable
	}
	return string(text), nil
}
