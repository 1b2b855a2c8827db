package rule

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// maxUncompressed bounds what a compressed specification may unfold to.
const maxUncompressed = 64 << 20

// serviceRules refuse a raw specification that does not decode under the
// compression it declares.
func serviceRules() []Rule {
	return []Rule{{Name: "raw specifications", Aspects: []string{"serviceDefinition"}, Check: checkSpecification}}
}

func checkSpecification(_ context.Context, p Proposed) error {
	raw := jsontree.Child(p.Value, "rawSpec")
	if jsontree.Text(raw, "compression") != "GZIP" {
		return nil
	}
	const path = "/rawSpec/blob"
	unzip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(jsontree.Text(raw, "blob"))))
	if err != nil {
		return broken("serviceDefinition", path, "must be base64 of gzip, as its compression says (%s)", err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(unzip, maxUncompressed+1))
	switch {
	case err != nil:
		return broken("serviceDefinition", path, "must be base64 of gzip, as its compression says (%s)", err)
	case n > maxUncompressed:
		return broken("serviceDefinition", path, "unfolds to more than %d bytes", maxUncompressed)
	}
	return nil
}
