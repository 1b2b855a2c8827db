// Package encryption encrypts values that must not be readable in the store: the values of
// ingestion secrets and the details of connections.
//
// An encrypted text is "v1." followed by the base64 (URL alphabet, no padding) of a random 12-byte
// nonce and the AES-256-GCM ciphertext. HKDF with SHA-256 derives the key from a secret of the
// installation.
package encryption

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
	// purpose is an input of the key derivation: another text would yield another key
	purpose = "cartulary sealed values"
	keySize = 32
)

// ErrUnreadable is the error of Decrypt for a text that was not encrypted with this key.
var ErrUnreadable = errors.New("the encrypted value cannot be decrypted: it was encrypted with another key, or damaged")

// Cipher encrypts and decrypts. It is safe for concurrent use.
type Cipher struct{ aead cipher.AEAD }

// New returns a Cipher with a key derived from a secret.
func New(secret config.Secret) (*Cipher, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, purpose, keySize)
	if err != nil {
		return nil, fmt.Errorf("encryption key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("encryption key: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("encryption key: %w", err)
	}
	return &Cipher{aead: aead}, nil
}

// Encrypt encrypts a text. Encrypting the same text again gives a different result.
func (c *Cipher) Encrypt(text string) string {
	nonce := make([]byte, c.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails: the runtime stops the program instead
	return version + base64.RawURLEncoding.EncodeToString(c.aead.Seal(nonce, nonce, []byte(text), nil))
}

// Encrypted reports whether a text has the form of an encrypted one, with any key.
func (c *Cipher) Encrypted(text string) bool { return c.decode(text) != nil }

// decode returns the nonce and ciphertext of an encrypted text, nil for any other text.
func (c *Cipher) decode(encrypted string) []byte {
	body, ok := strings.CutPrefix(encrypted, version)
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if !ok || err != nil || len(raw) < c.aead.NonceSize()+c.aead.Overhead() {
		return nil
	}
	return raw
}

// Decrypt returns the text of an encrypted one, or ErrUnreadable.
func (c *Cipher) Decrypt(encrypted string) (string, error) {
	raw := c.decode(encrypted)
	if raw == nil {
		return "", ErrUnreadable
	}
	text, err := c.aead.Open(nil, raw[:c.aead.NonceSize()], raw[c.aead.NonceSize():], nil)
	if err != nil {
		return "", ErrUnreadable
	}
	return string(text), nil
}
