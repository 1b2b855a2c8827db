// Package forwarded passes the network address of a client from the proxy to the service. Any
// client can set the header X-Forwarded-For, so the proxy proves that it has determined the address
// itself: by a hash over the address and the request id, keyed with the secret that both programs
// share. The service therefore needs no configuration of the proxy's address, and neighbours of the
// proxy cannot forge addresses.
package forwarded

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"github.com/cartulary/cartulary/pkg/config"
)

// Names of headers.
const (
	AddressHeader = "X-Forwarded-For"
	ProofHeader   = "X-Cartulary-Address-Proof"

	requestIDHeader = "X-Request-Id"
)

// Key creates and verifies proofs. It is safe for concurrent use.
type Key struct{ key []byte }

// NewKey derives a key from the secret of the system actor. With an empty secret the Key signs
// nothing and accepts no proof.
func NewKey(secret config.Secret) *Key {
	if secret == "" {
		return &Key{}
	}
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write([]byte("addresses of clients"))
	return &Key{mac.Sum(nil)}
}

// Sign sets an address and its proof in the headers of a request, replacing existing values. The
// request id must be set before.
func (k *Key) Sign(h http.Header, address string) {
	h.Del(ProofHeader)
	h.Set(AddressHeader, address)
	if k != nil && len(k.key) > 0 {
		h.Set(ProofHeader, base64.RawURLEncoding.EncodeToString(k.proof(h.Get(requestIDHeader), address)))
	}
}

// Address returns the address of a header with a valid proof; ok is false without one.
func (k *Key) Address(h http.Header) (address string, ok bool) {
	given := h.Get(ProofHeader)
	if given == "" || len(k.key) == 0 {
		return "", false
	}
	proof, err := base64.RawURLEncoding.DecodeString(given)
	address = h.Get(AddressHeader)
	if err != nil || !hmac.Equal(proof, k.proof(h.Get(requestIDHeader), address)) {
		return "", false
	}
	return address, true
}

func (k *Key) proof(requestID, address string) []byte {
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(requestID))
	mac.Write([]byte{0})
	mac.Write([]byte(address))
	return mac.Sum(nil)
}

type addressKey struct{}

// WithAddress stores the client address in the context of its request.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// AddressFrom returns the address stored by WithAddress, or an empty string.
func AddressFrom(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}
