// Package forwarded hands the network address of a client from the proxy to the
// service. Anybody can write the header X-Forwarded-For, so the proxy proves that
// the address is its own finding: by a hash over the address and the id of the
// request, keyed with the secret that the two programs share. The service need not
// know where the proxy runs, and neighbours of the proxy cannot pretend.
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

// Key makes and checks proofs. It is safe for concurrent use.
type Key struct{ key []byte }

// NewKey derives a key from the secret of the system actor. Without a secret nothing is
// signed and nothing is believed.
func NewKey(secret config.Secret) *Key {
	if secret == "" {
		return &Key{}
	}
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write([]byte("addresses of clients"))
	return &Key{mac.Sum(nil)}
}

// Sign puts an address and its proof into the headers of a request that has its
// id already, in the place of what is there.
func (k *Key) Sign(h http.Header, address string) {
	h.Del(ProofHeader)
	h.Set(AddressHeader, address)
	if k != nil && len(k.key) > 0 {
		h.Set(ProofHeader, base64.RawURLEncoding.EncodeToString(k.proof(h.Get(requestIDHeader), address)))
	}
}

// Address is the address that a proven header holds; ok is false when none is proven.
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

// WithAddress keeps the address of the client in the context of its request.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// AddressFrom is the address put in by WithAddress, or empty.
func AddressFrom(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}
