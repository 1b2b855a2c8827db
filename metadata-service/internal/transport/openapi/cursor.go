package openapi

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// A cursor names the last item of a page. It is bound to the query it was made
// for by a checksum over both, so that one which was altered, cut or taken to
// another query is refused instead of giving a wrong page. It grants nothing:
// every page is authorized like the first.

const checksumBytes = 12

// encodeCursor makes the cursor behind a position in the results of a query.
func encodeCursor(query, position string) string {
	sum := checksum(query, position)
	return base64.RawURLEncoding.EncodeToString(append(sum, position...))
}

// decodeCursor gives the position in a cursor.
func decodeCursor(query, cursor string) (position string, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) <= checksumBytes {
		return "", cursorError()
	}
	position = string(raw[checksumBytes:])
	if string(checksum(query, position)) != string(raw[:checksumBytes]) {
		return "", cursorError()
	}
	return position, nil
}

func cursorError() error {
	return fault.New(fault.Malformed, "scrollId is not one of this query; start again without it")
}

func checksum(query, position string) []byte {
	sum := sha256.Sum256([]byte(query + "\x00" + position))
	return sum[:checksumBytes:checksumBytes]
}

// queryText joins what identifies a query for its cursors.
func queryText(parts ...string) string { return strings.Join(parts, "\x01") }
