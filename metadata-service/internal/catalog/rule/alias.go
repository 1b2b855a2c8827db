package rule

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// aliasRules give new datasets their spelling with a name in lower case, by which
// searches find those whose names are written so somewhere.
func aliasRules() []Rule {
	return []Rule{{
		Name: "aliases of new datasets", Aspects: []string{"aliases"},
		Default: func(_ Tx, u urn.URN, _ *model.EntitySpec) (model.Object, error) {
			if lowered := WithLowerName(u); lowered != "" {
				return model.Object{"lowercasedUrn": string(lowered)}, nil
			}
			return nil, nil
		},
	}}
}

// WithLowerName is the URN of a dataset with its name in lower case, empty when
// that is the URN itself. Platform and environment stay as they are: they are
// never written in another case.
func WithLowerName(u urn.URN) urn.URN {
	parts := u.Parts()
	if len(parts) != 3 {
		return ""
	}
	parts[1] = strings.ToLower(parts[1])
	if lowered := urn.Make(u.Type(), parts...); lowered != u {
		return lowered
	}
	return ""
}
