package eventhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/cartulary/cartulary/pkg/config"
)

// Headers of a delivery.
const (
	DeliveryHeader  = "X-Cartulary-Delivery"
	TimestampHeader = "X-Cartulary-Timestamp"
	SignatureHeader = "X-Cartulary-Signature"
	EventHeader     = "X-Cartulary-Event"
)

// Sign returns the signature of a body sent at a time in Unix seconds: HMAC-SHA256 over the
// timestamp, a full stop and the body.
func Sign(secret config.Secret, seconds int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write(strconv.AppendInt(nil, seconds, 10))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func header(secret config.Secret, delivery, name string, seconds int64, body []byte) http.Header {
	h := http.Header{}
	h.Set("Idempotency-Key", delivery)
	h.Set(DeliveryHeader, delivery)
	h.Set(EventHeader, name)
	h.Set(TimestampHeader, strconv.FormatInt(seconds, 10))
	h.Set(SignatureHeader, Sign(secret, seconds, body))
	return h
}

// deliveryID returns the id of an event for a webhook, which is equal for all attempts. It includes
// the body, since the log reuses offsets after a restore from a backup.
func deliveryID(hook, offset string, body []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(hook), []byte(offset), body} {
		h.Write(strconv.AppendInt(nil, int64(len(part)), 10))
		h.Write([]byte{':'})
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
