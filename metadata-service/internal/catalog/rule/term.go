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

// term joins parts to one value. Parts are kept apart, so that no two lists of
// parts give the same term.
func term(index string, parts ...string) Term {
	value := strings.Join(parts, "\x00")
	if len(value) > maxTermBytes {
		sum := sha256.Sum256([]byte(value))
		value = "sha256:" + hex.EncodeToString(sum[:])
	}
	return Term{Index: index, Value: value}
}
