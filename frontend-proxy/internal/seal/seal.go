// Package seal encrypts the data that the proxy stores in a browser. The proxy therefore stores
// nothing itself, and any replica can read the data of another one.
//
// The keys are derived from the session secret, one for each purpose. A text is encrypted with the
// name of its cookie as additional data, so that no other cookie can replace it.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/cartulary/cartulary/pkg/config"
)

const (
	// MinSecret is the minimum length of a secret in bytes.
	MinSecret = 32
	keySize   = 32
)

// ErrForeign reports that a text is damaged, or comes from another installation or another cookie.
var ErrForeign = errors.New("the text is damaged or from another installation")

// Keys encrypt with AES-256-GCM. They are safe for concurrent use.
type Keys struct {
	ciphers []cipher.AEAD // the first encrypts, all decrypt
}

// NewKeys derives the keys for a purpose. Texts encrypted with the previous secret can still be
// decrypted; previous may be empty. A secret that is too short is an error.
func NewKeys(purpose string, secret, previous config.Secret) (*Keys, error) {
	keys := &Keys{}
	for _, secret := range []config.Secret{secret, previous} {
		if secret == "" && len(keys.ciphers) > 0 {
			continue
		}
		key, err := newCipher(purpose, secret)
		if err != nil {
			return nil, err
		}
		keys.ciphers = append(keys.ciphers, key)
	}
	return keys, nil
}

func newCipher(purpose string, secret config.Secret) (cipher.AEAD, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("the session secret has %d characters; at least %d are needed", len(secret), MinSecret)
	}
	key, err := hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, purpose, keySize)
	if err != nil {
		return nil, fmt.Errorf("derive the key of %s: %w", purpose, err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("set up the cipher of %s: %w", purpose, err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encrypts a text for a cookie; the result is valid as the value of a cookie.
func (k *Keys) Seal(cookie string, plain []byte) string {
	return base64.RawURLEncoding.EncodeToString(k.ciphers[0].Seal(nil, nil, plain, []byte(cookie)))
}

// Open decrypts the value of a cookie. The error is ErrForeign.
func (k *Keys) Open(cookie, value string) ([]byte, error) {
	encrypted, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return nil, ErrForeign
	}
	for _, key := range k.ciphers {
		if plain, err := key.Open(nil, nil, encrypted, []byte(cookie)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrForeign
}
