package search

import (
	"bytes"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Prefixes of URNs: of a whole text, of the value of "key=value", and of a text in JSON.
var (
	urnText  = []byte("urn:li:")
	urnValue = []byte("=urn:li:")
	urnJSON  = []byte(`"urn:li:`)
)

// NamesEntities reports whether a value of a text or keyword field is the URN of an entity as a
// whole, or a JSON text with such URNs. Reads conceal such values if the entity is hidden. Values
// of keyed fields are "key=value", and the key may contain "=".
func NamesEntities(value []byte, keyed bool) bool {
	if !bytes.Contains(value, urnText) {
		return false
	}
	if bytes.HasPrefix(value, urnText) {
		return true
	}
	if keyed {
		return bytes.Contains(value, urnValue) || bytes.Contains(value, urnJSON)
	}
	return isJSON(value) && bytes.Contains(value, urnJSON)
}

func isJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// WithoutEntities removes the URNs from a value for which NamesEntities is true, and returns other
// values unchanged. The rest is text: keys, and other members of JSON.
func WithoutEntities(value string, keyed bool) string {
	if !NamesEntities([]byte(value), keyed) {
		return value
	}
	if urn.Looks(value) {
		if at := strings.LastIndexByte(value, '='); keyed && at >= 0 && !urn.Looks(value[at+1:]) {
			return value[at+1:]
		}
		return ""
	}
	if at := strings.Index(value, string(urnValue)); keyed && at >= 0 {
		return value[:at]
	}
	var kept strings.Builder
	for {
		at := strings.Index(value, string(urnJSON))
		if at < 0 {
			kept.WriteString(value)
			return kept.String()
		}
		kept.WriteString(value[:at])
		kept.WriteByte(' ')
		value = value[at+1:]
		end := strings.IndexAny(value, `"\`)
		if end < 0 {
			return kept.String()
		}
		value = value[end:]
	}
}
