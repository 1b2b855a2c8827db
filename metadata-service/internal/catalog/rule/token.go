package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tokenRules make access tokens findable by the user they represent.
func tokenRules() []Rule {
	return []Rule{{
		Name: "access tokens by user", Aspects: []string{"dataHubAccessTokenInfo"},
		Terms: func(_ urn.URN, value model.Object) []Term {
			return []Term{tokensOf(urn.URN(jsontree.Text(value, "actorUrn")))}
		},
	}}
}
