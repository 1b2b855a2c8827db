package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func TestEmbeddedPages(t *testing.T) {
	const dashboard = "urn:li:dashboard:(looker,sales)"
	write := func(address string) catalog.Proposal {
		return catalogtest.Proposal(dashboard, "embed", fmt.Sprintf(`{"renderUrl":%q}`, address))
	}
	cases := []ruleCase{
		{name: "none", write: catalogtest.Proposal(dashboard, "embed", `{}`)},
		{
			name: "a patch is held to it", refused: "http or https", before: after(write("https://example.com")),
			write: catalogtest.Proposal(dashboard, "embed", `{"forceGenericPatch":true,"patch":[{"op":"replace","path":"/renderUrl","value":"blob:x"}]}`, model.Patch),
		},
	}
	for _, address := range []string{"https://example.com/embed/7?a=b", "HTTP://example.com", "/embed/7?at=12:00", "embed/7", "https://example.com/a b%zz"} {
		cases = append(cases, ruleCase{name: address, write: write(address)})
	}
	for _, address := range []string{"ftp://example.com/x", "file:///etc/passwd", "blob:https://example.com/x", "view-source:https://example.com", "about:blank", " Filesystem:https://x"} {
		cases = append(cases, ruleCase{name: address, write: write(address), refused: "http or https"})
	}
	runRules(t, cases)
}
