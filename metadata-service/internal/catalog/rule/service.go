package rule

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// Limits of the uncompressed size of a compressed specification. Gzip can expand by a factor of a
// thousand; specifications, which are repetitive, expand by about twenty.
const (
	maxUncompressed = 64 << 20
	maxExpansion    = 100      // times the length of the text
	freeExpansion   = 64 << 10 // uncompressed bytes permitted for a short text
)

// serviceRules refuse a raw specification that cannot be decoded with the compression it declares.
func serviceRules() []Rule {
	return []Rule{{Name: "raw specifications", Aspects: []string{"serviceDefinition"}, Check: checkSpecification}}
}

func checkSpecification(ctx context.Context, p Proposed) error {
	raw := jsontree.Child(p.Value, "rawSpec")
	if jsontree.Text(raw, "compression") != "GZIP" {
		return nil
	}
	const path = "/rawSpec/blob"
	blob := jsontree.Text(raw, "blob")
	most := int64(min(maxUncompressed, freeExpansion+maxExpansion*len(blob)))
	unzip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(blob)))
	if err != nil {
		return violation("serviceDefinition", path, "must be base64 of gzip, as its compression says (%s)", err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(contextReader{ctx, unzip}, most+1))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return violation("serviceDefinition", path, "must be base64 of gzip, as its compression says (%s)", err)
	case n > most:
		return violation("serviceDefinition", path, "unfolds to more than %d bytes: at most %d, and %d times its length", most, maxUncompressed, maxExpansion)
	}
	return nil
}

// contextReader is a reader that fails once a context has ended.
type contextReader struct {
	ctx context.Context // context of the check, which the reader does not outlive
	io.Reader
}

func (u contextReader) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
