package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Term is an entry of the secondary index: the name of an index that a rule defines, and a value
// under which the store finds the entities that have the term.
type Term = model.Term

// maxTermBytes is the length above which the value of a term is a digest, so that names and
// addresses of any length fit into every store's keys.
const maxTermBytes = 512

// digestPrefix is the prefix of the values of terms that are digests, and of no others.
const digestPrefix = "sha256:"

// term joins parts to one value. It is injective: different lists of parts give different terms,
// whatever they contain. No value is empty. Parts can come from any client, and some were stored
// before their rule existed.
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
