package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Term is an entry of the secondary index: a value, in an index that a rule has
// named, under which the store finds the entities whose aspects make it.
type Term = model.Term

// maxTermBytes is the length from which the value of a term is a digest, so
// that names and addresses of any length fit into every store's keys.
const maxTermBytes = 512

// digestPrefix begins the values of terms that are digests, and no others.
const digestPrefix = "sha256:"

// term joins parts to one value. No two lists of parts give the same term,
// whatever is in them, and no value is empty: parts come from anybody, and some
// were stored before their rule.
func term(index string, parts ...string) Term {
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(part, "\x00", "\x00\x01")
	}
	value := strings.Join(parts, "\x00\x00")
	if value == "" || len(value) > maxTermBytes || strings.HasPrefix(value, digestPrefix) {
		sum := sha256.Sum256([]byte(value))
		value = digestPrefix + hex.EncodeToString(sum[:])
	}
	return Term{Index: index, Value: value}
}
