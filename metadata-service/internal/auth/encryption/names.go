package encryption

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/cartulary/cartulary/pkg/config"
)

const (
	// keyInfo and nonceKeyInfo are inputs of the derivation of the keys of Names.
	keyInfo      = "cartulary concealed names"
	nonceKeyInfo = "cartulary nonces of concealed names"
	// nameBlock is the block size in bytes to which texts are padded, so that the length of a name
	// reveals little of its text.
	nameBlock = 128
)

// Names conceals texts that clients receive and may send back, such as the URN of an entity that
// the actor may not view. A concealed text reveals nothing and cannot be forged. It is the same
// each time, so that pages can distinguish the entities. It is safe for concurrent use.
type Names struct {
	aead  cipher.AEAD
	nonce []byte // the key from which nonces are derived
}

// NewNames returns Names with keys derived from a secret.
func NewNames(secret config.Secret) (*Names, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, keyInfo, keySize)
	if err != nil {
		return nil, fmt.Errorf("key of names: %w", err)
	}
	n := &Names{}
	if n.nonce, err = hkdf.Key(sha256.New, []byte(secret.Reveal()), nil, nonceKeyInfo, keySize); err != nil {
		return nil, fmt.Errorf("key of names: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("key of names: %w", err)
	}
	if n.aead, err = cipher.NewGCM(block); err != nil {
		return nil, fmt.Errorf("key of names: %w", err)
	}
	return n, nil
}

// Conceal returns the name of a text for a purpose. It consists of letters, digits, - and _.
func (n *Names) Conceal(purpose, text string) string {
	padded := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	padded = append(padded, text...)
	if rest := len(padded) % nameBlock; rest > 0 {
		padded = append(padded, make([]byte, nameBlock-rest)...)
	}
	// The nonce is derived from the text, so it repeats for the same text only, and then the result
	// repeats, too.
	made := hmac.New(sha256.New, n.nonce)
	_, _ = fmt.Fprintf(made, "%d:%s", len(purpose), purpose)
	made.Write(padded)
	nonce := made.Sum(nil)[:n.aead.NonceSize()]
	return base64.RawURLEncoding.EncodeToString(n.aead.Seal(nonce, nonce, padded, []byte(purpose)))
}

// Reveal returns the text of a name. It returns ErrUnreadable for a name that Conceal did not
// return for this purpose.
func (n *Names) Reveal(purpose, name string) (string, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(name)
	if err != nil || len(raw) < n.aead.NonceSize() {
		return "", ErrUnreadable
	}
	padded, err := n.aead.Open(nil, raw[:n.aead.NonceSize()], raw[n.aead.NonceSize():], []byte(purpose))
	if err != nil || len(padded) < 4 {
		return "", ErrUnreadable
	}
	size := int(binary.BigEndian.Uint32(padded))
	if size > len(padded)-4 {
		return "", ErrUnreadable
	}
	return string(padded[4 : 4+size]), nil
}
