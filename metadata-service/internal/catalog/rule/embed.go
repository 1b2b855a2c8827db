package rule

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// embedRules permit only web addresses for pages that clients show in a frame. Links may have other
// schemes, but a frame loads its address without a click.
func embedRules() []Rule {
	return []Rule{{Name: "embedded pages", Aspects: []string{"embed"}, Check: checkEmbed}}
}

func checkEmbed(_ context.Context, p Proposed) error {
	text := jsontree.Text(p.Value, "renderUrl")
	scheme, _, found := strings.Cut(strings.ToLower(strings.TrimSpace(text)), ":")
	relative := !found || strings.ContainsAny(scheme, "/?#")
	if !relative && scheme != "http" && scheme != "https" {
		return violation("embed", "/renderUrl", "must be an address of http or https, found %q", text)
	}
	return nil
}
