package openapi

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// A cursor contains the position of the last item of a page, and a checksum over this position
// and the query. So a cursor that was altered, truncated or created for another query is refused
// instead of returning a wrong page. A cursor grants no access: every page is authorized like the
// first.

const checksumBytes = 12

// encodeCursor returns the cursor for the results of a query after a position.
func encodeCursor(query, position string) string {
	sum := checksum(query, position)
	return base64.RawURLEncoding.EncodeToString(append(sum, position...))
}

// decodeCursor returns the position in a cursor of this query. The error is fault.Malformed.
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

// queryText joins the parts that identify a query for its cursors.
func queryText(parts ...string) string { return strings.Join(parts, "\x01") }
